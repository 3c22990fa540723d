"""Models whose configs come with the package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.published.known import CONFIGS


def test_names_and_spellings() -> None:
    """The numbers of parameters are those that the files of the models have."""
    names = algatt.published.known_models()
    assert len(names) == 48
    for name, spelling in [("gpt2", "openai-community/GPT2"), ("qwen2-5-7b", "Qwen/Qwen2.5-7B"), ("phi-2", "phi_2")]:
        described = json.loads((CONFIGS / f"{name.replace('-', '_')}.json").read_text("utf-8"))
        assert algatt.published.parameters(name).parameters == described["parameters"]
        for given in (name, spelling):
            assert algatt.published.read(given) == algatt.published.read(described["config"]), given


def test_a_file_of_the_name_of_a_model_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gpt2").write_text(
        '{"model_type": "gpt2", "n_embd": 2, "n_layer": 1, "n_head": 1, "vocab_size": 3, "n_positions": 2}'
    )
    assert algatt.published.parameters("gpt2").parameters < 10**4


def test_no_model(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidArgument, match="is no known model; similar: gpt2"):
        algatt.published.read("gpt3")
    assert main(["parameters", "gpt3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
