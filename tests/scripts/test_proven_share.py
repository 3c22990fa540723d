"""The script that counts proven dimensions."""

from __future__ import annotations

import pytest


def test_small_networks_are_all_proven(script, capsys):
    assert script("proven_share").main(["--layers", "1", "2", "--largest", "2", "--tokens", "1", "2"]) == 0
    out = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if line.startswith("│")]
    assert [row[:5] for row in rows] == [
        ["1", "1", "8", "8", "8"],
        ["1", "2", "8", "8", "8"],
        ["2", "1", "32", "32", "32"],
        ["2", "2", "32", "32", "32"],
    ]


def test_other_answers_are_listed(script, capsys, monkeypatch):
    proven_share = script("proven_share")
    dimension = proven_share.algatt.dimension

    def without_hidden_symmetries(arch):
        report = dimension(arch)
        return report if arch.ranks != (2,) else type(report)(**{**vars(report), "status": "probable"})

    monkeypatch.setattr(proven_share.algatt, "dimension", without_hidden_symmetries)
    assert proven_share.main(["--layers", "1", "--largest", "2", "--tokens", "2"]) == 1
    assert "Lightning(dims=(2, 2), ranks=(2,), tokens=2): 7 (probable)" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--layers", "0"], ["--tokens", "two"], ["--sizes", "3"]])
def test_bad_arguments(script, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        script("proven_share").main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
