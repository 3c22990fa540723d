"""A folder with modules and descriptions of networks."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from algatt.views import network_files
from networks_in_files import NETWORK, SOURCE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "net", raising=False)  # that of another folder
    Path("net.py").write_text(SOURCE)
    Path("sibling.py").write_text("WIDTH = 2\n")
    Path("broken.py").write_text("1 / 0\n")
    Path("ends.py").write_text("raise SystemExit(7)\n")
    Path("wrong.py").write_text("def f(:\n")
    network_files.write(NETWORK, "net.json")
    square = {"name": "Power", "k": 2}
    perceptron = {"name": "Feedforward", "hidden": 3, "width": 1, "activation": square}
    Path("block.json").write_text(json.dumps(perceptron))
    Path("unknown.json").write_text('{"name": "Network", "layers": {"name": "Hedas"}, "tokens": 2, "width": 2}')
    Path("cut.json").write_text('{"name": ')
    Path("deep.json").write_text("[" * 100_000)
    Path("list.json").write_text("[3]")
    importlib.invalidate_caches()
    yield tmp_path
    for name, module in list(sys.modules.items()):  # what is imported here is forgotten
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]
