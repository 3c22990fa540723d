"""The script that asks polynomial networks, beside a theorem and a published table."""

from __future__ import annotations

import dataclasses

import pytest

import algatt

SAMPLE = {
    (2, 2, 1): 3,
    (2, 4, 2): 6,
    (2, 3, 3): 9,
    (2, 1, 8, 1): 2,
    (2, 5, 2, 1): 5,
    (2, 7, 2, 2): 8,
    (2, 3, 2, 3): 10,
    (2, 16, 1, 3): 5,
    (2, 3, 3, 2, 1): 9,
    (2, 7, 6, 1, 1): 5,
    (2, 3, 3, 3, 2): 18,
    (2, 3, 3, 3, 2, 1): 17,
    (2, 5, 1, 9, 1, 1): 3,
    (2, 2, 2, 2, 2, 2, 2, 1): 13,
    (2, 3, 3, 3, 3, 3, 3, 2): 36,
}
"""Widths and dimensions with squares: rows of the published table of arXiv 2605.09609, as its authors computed them by
Sage; Macaulay2 1.21 gives the same (scripts/polynomial_networks.m2).
"""


@pytest.mark.parametrize("widths", SAMPLE)
def test_a_sample_of_the_published_table(script, widths):
    assert algatt.dimension(script("polynomial_networks").network(widths, 2)).value == SAMPLE[widths]


def test_the_exceptions_of_alexander_and_hirschowitz(script, capsys, monkeypatch, tmp_path):
    """Clebsch: five fourth powers of forms in three variables; two squares in three variables, of rank two."""
    module = script("polynomial_networks")
    assert (module.alexander_hirschowitz(3, 5, 4), module.counted(3, 5, 4)) == (14, 15)
    assert (module.alexander_hirschowitz(3, 2, 2), module.counted(3, 2, 2)) == (5, 6)
    few = dataclasses.replace(module.FAMILY, sizes={"n": (3,), "k": (2, 5), "r": (2, 4)})
    monkeypatch.setattr(module, "FAMILY", few)
    assert module.main(["--plot", str(tmp_path / "defects.svg")]) == 0
    assert "4 of 4 are those of the theorem" in capsys.readouterr().out
    assert (tmp_path / "defects.svg").read_text().count("<!-- (1) -->") == 1
    monkeypatch.setattr(module, "alexander_hirschowitz", module.counted)
    assert module.main([]) == 1
    assert "{'n': 3, 'k': 5, 'r': 4}: 14, where the theorem says 15" in capsys.readouterr().out


def test_a_table_with_a_wrong_row(script, capsys, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(
        'exponent,architecture,dimension_computed\n2,"[2, 2, 1]",3\n2,"[2, 1, 2, 1]",3\n2,"[2, 99, 1]",3\n'
    )
    assert script("polynomial_networks").main(["--table", str(table)]) == 1
    assert capsys.readouterr().out == (
        "  (2, 1, 2, 1), power 2: 2 (proven), published 3\npublished table: 1 of 2 agree; 2 proven; 0 are defective\n"
    )


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", 'exponent,architecture,dimension_computed\n2,"[2, x]",3\n'])
def test_what_is_no_table(script, capsys, tmp_path, content):
    table = tmp_path / "table.csv"
    table.write_text(content)
    with pytest.raises(SystemExit) as end:
        script("polynomial_networks").main(["--table", str(table)])
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "cannot be read" in error
