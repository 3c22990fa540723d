"""The script recomputes what is published, and notices when it is not so."""

from __future__ import annotations

import dataclasses
import json
import runpy
import sys
from pathlib import Path

import pytest

import algatt

SCRIPT = Path(__file__).parents[2] / "scripts" / "published_dimensions.py"


@pytest.fixture
def published(script):
    return script("published_dimensions")


def test_every_published_dimension_is_proven(published, capsys):
    assert published.main(["--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agrees"]
    assert [one["status"] for one in found["configurations"]] == ["proven"] * 12
    # The public script's values, then Figure 3's delta^2 + 8 delta - 8 less one rescaling for each of two layers.
    assert [one["value"] for one in found["configurations"]] == [
        34,
        49,
        58,
        61,
        *(d * d + 8 * d - 10 for d in range(3, 11)),
    ]
    assert [one["formula"] for one in found["configurations"]][:4] == [None, 49, 58, 61]


def test_the_table_has_a_row_for_each_configuration(published, capsys):
    assert published.main(["--series", "three-layers", "--seed", "1"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "4,4,4,4" in line]
    assert len(rows) == 4
    assert all("proven" in row and str(value) in row for row, value in zip(rows, (34, 49, 58, 61), strict=True))
    assert "no theorem" in rows[0]
    assert all("Eq 14" in row for row in rows[1:])


def test_a_wrong_published_value_is_noticed(published, capsys, monkeypatch):
    monkeypatch.setattr(published, "THREE_LAYERS", {1: 34, 2: 50})
    assert published.main(["--series", "three-layers"]) == 1
    assert "differs from 50" in capsys.readouterr().out


@pytest.mark.parametrize(
    "falsified",
    [
        {"value": 48, "lower": 48, "upper": 48},
        {"status": "probable", "upper": 50},
        {"formulas": (algatt.geometry.Formula(50, "a wrong theorem", theorem=True),)},
    ],
    ids=["dimension", "status", "formula"],
)
def test_a_wrong_report_is_noticed(published, capsys, monkeypatch, falsified):
    compute = algatt.dimension
    monkeypatch.setattr(published, "THREE_LAYERS", {2: 49})
    monkeypatch.setattr(
        algatt, "dimension", lambda arch, seed: dataclasses.replace(compute(arch, seed=seed), **falsified)
    )
    assert published.main(["--series", "three-layers", "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["agrees"]


@pytest.mark.parametrize(("a", "value"), [(2, 49), (3, 58), (4, 61)])
def test_equation_14_gives_the_public_scripts_values(published, a, value):
    assert published.equation_14((4, 4, 4, 4), (a, a, a)) == value


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--seed", "one"], "--seed"),
        (["--seed", "-1"], "seed was -1"),
        (["--series", "four-layers"], "four-layers"),
        (["extra"], "extra"),
    ],
)
def test_a_bad_argument_is_one_line_and_exit_code_2(capsys, monkeypatch, arguments, names):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
    monkeypatch.syspath_prepend(SCRIPT.parent)  # as Python has it when it runs a script
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert names in printed.err
