"""``algatt dimension --points``."""

from __future__ import annotations

import json

import pytest

from algatt.cli.main import main

SIZES = ["dimension", "--dims", "16,16,16", "--ranks", "8,8", "--tokens", "3"]


def test_copies_are_printed_and_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIZES, "--points", "copies:7"]) == 0
    assert "638 (proven)" in (out := capsys.readouterr().out)
    assert "a hub and 7 copies: 1 * 38 + 6 * 30 + 21 * 20" in out
    assert main([*SIZES, "--points", "copies", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["pieces"]) == 3
    assert main([*SIZES, "--points", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pieces"] is None


def test_blocks_side_by_side_are_for_transformers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIZES, "--points", "side-by-side"]) == 2
    assert "no network of layers" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "copy", "copies:", "copies:-1", "copies:1.5", "random:2"])
def test_other_points_are_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIZES, "--points", text]) == 2
    assert "--points" in capsys.readouterr().err
