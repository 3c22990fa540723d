"""The script that recovers elements between random blocks."""

from __future__ import annotations

import pytest


def test_all_are_recovered_and_told_apart(script, capsys):
    assert script("recover_elements").main(["--pairs", "4"]) == 0
    out = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if line.startswith("│")]
    assert rows == [
        ["ReLU", "yes", "1", "1", "1", "QQ"],
        ["squares", "yes", "1", "1", "1", "QQ"],
        ["SwiGLU", "yes", "1", "1", "1", "QQ"],
        ["squares", "no", "1", "1", "1", "GF(p)"],
    ]


def test_other_answers_are_counted(script, capsys, monkeypatch):
    recover_elements = script("recover_elements")
    monkeypatch.setattr(recover_elements, "changed", lambda theta, draw: theta)
    assert recover_elements.main(["--pairs", "1"]) == 1
    assert "changed, recovered: 1" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--pairs", "0"], ["--pairs", "many"], ["--seed", "x"]])
def test_bad_arguments(script, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        script("recover_elements").main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
