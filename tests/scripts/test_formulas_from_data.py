"""The script that finds formulas from exact ranks alone."""

from __future__ import annotations

import dataclasses

import pytest


def test_equation_7_is_found_and_a_wrong_row_refutes_it(script, capsys):
    assert script("formulas_from_data").main(["Equation 7"]) == 0
    out = capsys.readouterr().out
    assert "  d*e + 2*d*min(d, a) - min(d, a)**2 - 1\n" in out
    assert "conjecture: fits 120 distinct points, predicted 120, refuted by none" in out
    assert "a planted wrong row refutes it" in out


@pytest.mark.sample(0)
def test_another_formula_than_that_of_the_paper_is_told(script, capsys, monkeypatch):
    module = script("formulas_from_data")
    (known,) = [one for one in module.FAMILIES if one.family.name == "Equation 7"]
    monkeypatch.setattr(module, "FAMILIES", (dataclasses.replace(known, formula=lambda d, e, a: d * e + a),))
    assert module.main([]) == 1
    assert "WRONG: " in capsys.readouterr().out


def test_a_family_that_is_not_there(script, capsys):
    with pytest.raises(SystemExit) as end:
        script("formulas_from_data").main(["Equation 8"])
    assert end.value.code == 2
    assert "there is no family 'Equation 8'" in capsys.readouterr().err
