"""The script that prints learning coefficients, beside theorems."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def coefficients(script):
    return script("learning_coefficients")


def test_the_table_agrees_with_theorems(coefficients, monkeypatch, capsys):
    """HMK Corollary 3.3: one lightning layer has dimension 2 (8 - 2) + 12 - 1 = 23. Softmax has no rescaling between
    scores and values: 24. Matrices of 3 x 3 and rank at most 2 have dimension 8. A product of four 2 x 2 matrices at
    zero: Aoyagi's theorem with l = 4 and a = 2, by hand.
    """
    names = ("linear, 3 to 2 to 3", "one lightning layer", "one softmax layer")
    monkeypatch.setattr(coefficients, "NETWORKS", {name: coefficients.NETWORKS[name] for name in names})
    monkeypatch.setattr(coefficients, "ZEROS", (("one softmax layer", ("V_1",)),))
    assert coefficients.main(["--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["coefficient"] for row in found["generic"]] == ["4", "23/2", "12"]
    assert [(row["lower"], row["upper"]) for row in found["special"]] == [("6", "6")]  # half the 12 entries of V
    last = [row for row in found["linear"] if row["widths"] == "2, 2, 2, 2, 2"]
    assert [(row["coefficient"], row["multiplicity"]) for row in last][::2] == [("3/2", 5), ("2", 1)]


def test_bad_arguments_are_told_in_one_line(coefficients, capsys):
    with pytest.raises(SystemExit) as caught:
        coefficients.main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
