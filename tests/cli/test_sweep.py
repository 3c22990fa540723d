"""The commands of sweeps: a plan is asked, its record is read, and what is wrong is told in a line."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from algatt.cli.main import main
from algatt.version import __version__

PLAN = """
[[family]]
name = "one layer"
network = "Lightning((d, e), (a,), 2)"
sizes = {d = "1..4", e = "1..3", a = "1..5"}
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asked")
    path = folder / "plan.toml"
    path.write_text(PLAN)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["sweep", str(path), "--json"]) == 0
    told = json.loads(out.getvalue())
    assert (told["asked"], told["status"]) == (60, {"proven": 60})
    return folder


@pytest.fixture
def asked(once: Path, tmp_path: Path) -> Path:
    for name in ("plan.toml", "plan.sqlite"):
        shutil.copy(once / name, tmp_path)
    return tmp_path / "plan.sqlite"


@pytest.mark.sample(0)
def test_the_record_is_read(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(asked.with_suffix(".toml"))]) == 0
    assert "60 answers, none of them new" in capsys.readouterr().out
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
    assert statement == "conjecture: fits 60 distinct points, predicted 60, refuted by none"
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


def test_defects_and_pictures(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ["table", str(asked), "--at", "e == 2 and d < 3"]
    assert main([*shown, "--defect", "--expected", "d*e", "-o", "-", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 10
    for row in rows:
        assert (
            int(row["defect"])
            == int(row["expected"]) - int(row["value"])
            == int(row["sizes.d"]) * 2 - int(row["value"])
        )
    assert main([*shown, "--defect"]) == 0
    assert "defect" in capsys.readouterr().out
    target = asked.with_suffix(".svg")
    assert main([*shown, "-o", str(target), "--x", "a", "--y", "d"]) == 0
    assert target.read_text().count("<!-- 7 -->") == 4  # of d = 2, whatever the rank from two on
    assert main([*shown, "-o", "-", "--format", "svg", "--x", "a", "--by", "d"]) == 0
    assert capsys.readouterr().out.count("<!-- d = ") == 2


def test_two_versions_side_by_side(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = "family, sizes, architecture, parameters, question, seed, status, value, lower, upper, evidence"
    with contextlib.closing(sqlite3.connect(asked)) as record:
        record.execute(
            f"INSERT INTO answers ({names}, attempts, seconds, host, finished, software, version) "  # noqa: S608
            f"SELECT {names}, attempts, seconds, host, finished, software, '0.1' FROM answers WHERE id <= 40"
        )
        record.commit()
    versions = ["table", str(asked), "--versions", "0.1", __version__]
    assert main(versions) == 0
    assert "  40 equal, 20 not asked\n" in capsys.readouterr().out
    with contextlib.closing(sqlite3.connect(asked)) as record:
        record.execute("UPDATE answers SET value = 99, lower = 99, upper = 99 WHERE id = 7 AND version <> '0.1'")
        record.commit()
    assert main([*versions, "-o", "-", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    (wrong,) = [one for one in told if one["answers"] == "contradiction"]
    assert wrong[f"value {__version__}"] == 99 != wrong["value 0.1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--x", "d"], "--x was given without a picture; it should be given with -o and svg, pdf, png"),
        (["-o", "a.svg", "--y", "d", "--by", "a"], "--by was given with --y"),
        (["--expected", "d"], "--expected was given without --defect"),
        (["--at", "b == 1"], "--at was 'b == 1', where b is no size; it should be of the sizes a, d, e"),
        (["--at", "d == 9"], "--at was 'd == 9', which no row fulfils"),
        (["--versions", "0.1", "0.2"], "first was '0.1'; it should be a version that the rows have"),
        (["--versions", "0.1", "0.2", "--defect"], "--versions was given with a picture, --defect or --version-of"),
        (["-o", "a.svg", "--x", "d", "--by", "a"], "rows was several at d = 1, a = 1, of different e"),
        (["-o", "a.svg", "--x", "z"], "x was 'z'; it should be one of the sizes d, e, a"),
        (["-o", "a.gif"], "a.gif"),
    ],
)
def test_options_of_tables_that_cannot_be(
    asked: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(asked.parent)
    assert main(["table", str(asked), *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (asked.parent / "a.svg").exists()


def test_a_condition_that_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN + 'where = "a > d + 9"\n')
    assert main(["sweep", "plan.toml"]) == 2
    told = "algatt: where was 'a > d + 9', which none of the 60 choices of sizes fulfils; it should be a condition that"
    assert capsys.readouterr().err == f"{told} some of them fulfil\n"
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]
