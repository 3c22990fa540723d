"""The commands of sweeps: a plan is asked, its record is read, and what is wrong is told in a line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from algatt.cli.main import main

PLAN = """
[[family]]
name = "one layer"
network = "Lightning((d, e), (a,), 2)"
sizes = {d = "1..4", e = "1..3", a = "1..5"}
"""


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    assert main(["sweep", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["asked"], told["status"]) == (60, {"proven": 60})
    return tmp_path / "plan.sqlite"


def test_the_record_is_read(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(asked.with_suffix(".toml"))]) == 0
    assert "60 answers, of which 0 are new" in capsys.readouterr().out
    assert main(["table", str(asked), "-o", "-", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for row in rows:
        d, e, alpha = int(row["sizes.d"]), int(row["sizes.e"]), min(int(row["sizes.a"]), int(row["sizes.d"]))
        assert int(row["value"]) == alpha * (2 * d - alpha) + d * e - 1
    assert main(["table", str(asked), "-o", str(asked.with_suffix(".json"))]) == 0
    assert len(json.loads(asked.with_suffix(".json").read_text())) == len(rows) == 60
    assert main(["table", str(asked), "-o", "-", "--format", "md"]) == 0
    assert capsys.readouterr().out.count("\n") == 62
    assert main(["table", str(asked)]) == 0
    assert "one layer" in capsys.readouterr().out
    assert main(["report", str(asked), "--failed"]) == 0
    assert capsys.readouterr().out == "0 without an answer\n"


def test_the_formula_is_found(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit-formula", str(asked)]) == 0
    formula, statement = capsys.readouterr().out.splitlines()
    assert formula == "d*e + 2*d*min(d, a) - min(d, a)**2 - 1"
    assert statement == "conjecture: fits 45 rows, predicted 15, refuted by none"
    assert main(["fit-formula", str(asked), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["refuted"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table", "none.sqlite"], "store was 'none.sqlite', which is not there; it should be the record of a sweep"),
        (["sweep", "none.toml"], "plan was 'none.toml', which cannot be read (No such file or directory)"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_rows_that_are_not_there(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(asked), "--family", "two"]) == 2
    assert "--family was 'two'; it should be one that the record has: one layer" in capsys.readouterr().err
