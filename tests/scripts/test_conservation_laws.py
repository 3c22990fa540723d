"""The script that counts conserved quantities of whole networks."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def laws(script):
    return script("conservation_laws")


def test_counts_that_are_known_by_hand(laws, capsys):
    """a (a + 1) / 2 of queries and keys; one more of lightning, whose scores scale values."""
    assert laws.main(["--only", "one layer", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert {name: (one["independent"], one["missing"]) for name, one in found.items()} == {
        "lightning, one layer": (4, 0),
        "softmax, one layer": (3, 0),
    }


def test_the_table(laws, capsys):
    assert laws.main(["--only", "softmax heads with tokens"]) == 0
    assert "1 of 1 proven complete" in capsys.readouterr().out
    assert len(laws.NETWORKS) >= 35


def test_an_example_whose_laws_are_not_known_to_be_all(laws, capsys):
    """Of W_1 + W_2 each entry of W_1 - W_2 is kept: 12; the sums of their rows are found."""
    assert laws.main(["--examples", "--only", "Parallel(Linear(3), Linear(3))", "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["independent"], found["missing"], found["rank"]) == (4, 8, 12)


def test_bad_arguments_are_told_in_one_line(laws, capsys):
    with pytest.raises(SystemExit) as caught:
        laws.main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
