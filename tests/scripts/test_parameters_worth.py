"""The script that proves what parameters of transformers are worth."""

from __future__ import annotations

import dataclasses
import json

import pytest

SECTION_4 = {
    (64, 48),
    (128, 96),
    (48, 40),
    (64, 44),
    (42, 30),
    (36, 24),
    (40, 22),
    (54, 37),
    (54, 43),
    (60, 43),
    (24, 20),
    (24, 24),
    (36, 32),
}
"""Parameters and dimensions by hand: 4 d a for each head, less a^2 of keys and queries and of values and outputs, and
so on.
"""


@pytest.fixture
def worth(script):
    return script("parameters_worth")


def test_the_counts_that_were_made_by_hand_are_among_the_rows(worth):
    assert {(row.network.parameters, row.expected) for row in worth.ROWS} >= SECTION_4


def test_rows_are_proven_and_as_the_formulas_say(worth, monkeypatch, capsys):
    monkeypatch.setattr(worth, "ROWS", (*worth.ATTENTION[:4], *worth.NEURONS[:3]))
    assert worth.main(["--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["dimension"] for one in found] == [48, 96, 40, 44, 20, 20, 24]
    assert {one["status"] for one in found} == {"proven"}


def test_a_formula_that_is_wrong_is_told(worth, monkeypatch, capsys):
    row = worth.NEURONS[2]
    monkeypatch.setattr(worth, "ROWS", (dataclasses.replace(row, redundant=(1,)),))
    assert worth.main([]) == 1
    assert "proven" in capsys.readouterr().out


def test_bad_arguments_are_told_in_one_line(worth, capsys):
    with pytest.raises(SystemExit) as caught:
        worth.main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
