"""Sweeps: what is asked is recorded, once; what ends processes is found; the record is what an uninterrupted one is."""

from __future__ import annotations

import dataclasses
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
import asked_questions
from algatt.errors import InvalidArgument
from algatt.sweeps import Answer, Family, Store

ONE = Family("Lightning((d, 2), (1,), 2)", {"d": range(1, 5)}, name="one")


def answers(store: Path) -> list[tuple[object, ...]]:
    with Store(store, writing=False) as opened:
        return sorted((row.sizes["d"], row.status, row.value, row.error) for row in opened)


def test_dimensions_are_those_of_the_theorem(tmp_path: Path) -> None:
    """Equation 7: alpha (2 d - alpha) + d e - 1 with alpha = min(a, d)."""
    family = Family("Lightning((d, e), (a,), 2)", {"d": (2, 3), "e": (1, 2), "a": (2, 4)})
    found = algatt.sweep(family, tmp_path / "runs.sqlite")
    for row in found.rows:
        d, e, alpha = row.sizes["d"], row.sizes["e"], min(row.sizes["a"], row.sizes["d"])
        assert (row.value, row.status) == (alpha * (2 * d - alpha) + d * e - 1, "proven")
    assert found.counts == {"proven": 8}
    assert algatt.sweep(family, tmp_path / "runs.sqlite").asked == 0


@pytest.mark.parametrize(
    ("question", "value", "status"),
    [("gauge", 19, "proven"), ("unexplained_kernel", 0, "proven"), ("orbit", 19, "probable"), ("fiber", 19, "probable"),
     ("floats", 33, "numerical"), ("dimension", 33, "proven")],
)  # fmt: skip
def test_questions_by_name(tmp_path: Path, question: str, value: int, status: str) -> None:
    """dims (4, 3, 4), ranks (2, 2), 3 tokens: 52 parameters, the theorem says 33."""
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    (row,) = algatt.sweep([arch], tmp_path / "runs.sqlite", question=question).rows
    assert (row.value, row.status, row.parameters) == (value, status, 52)


def test_questions_of_ones_own_seeds_and_failures(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    found = algatt.sweep(ONE, store, question=asked_questions.count, seed=7)
    assert [row.value for row in found.rows] == [2 * d + 2 * d + 7 for d in range(1, 5)]
    found = algatt.sweep(ONE, store, question=asked_questions.raise_at_two)
    assert [(row.value, row.status) for row in found.failed] == [(None, "failed")]
    assert found.failed[0].error == "InvalidArgument: width was 2; it should be another"
    assert algatt.sweep(ONE, store, question=asked_questions.raise_at_two).asked == 0
    assert algatt.sweep(ONE, store, question=asked_questions.raise_at_two, again=True).asked == 1
    with pytest.raises(InvalidArgument, match="a function of a module, which has a name"):
        algatt.sweep(ONE, store, question=lambda arch, seed: 1)
    with pytest.raises(InvalidArgument, match="status was 'sure'"):
        Answer(1, "sure")


def test_processes_that_end_are_found_and_the_others_answer(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    family = dataclasses.replace(ONE, sizes={"d": (1, 2)})
    algatt.sweep(family, store, question=asked_questions.end_at_two, workers=1)
    answered, failed = answers(store)
    assert answered == (1, "numerical", 1, None)
    assert failed[:3] == (2, "failed", None)
    assert "its process ended" in str(failed[3])


def test_processes_that_end_once_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question kills the first process that it is asked of."""
    monkeypatch.setenv(asked_questions.MARKS, str(tmp_path))
    family = dataclasses.replace(ONE, sizes={"d": (1, 2)})
    algatt.sweep(family, tmp_path / "runs.sqlite", question=asked_questions.count_once, workers=1)
    assert [row[2] for row in answers(tmp_path / "runs.sqlite")] == [1, 2]


KILLED = """
import os, signal, sys
import algatt
from algatt.sweeps import Family, Store

add = Store.add
def add_and_end(self, row):
    add(self, row)
    if row.sizes["d"] == 2:
        os.kill(os.getpid(), signal.SIGKILL)
Store.add = add_and_end
algatt.sweep(Family("Lightning((d, 2), (1,), 2)", {"d": range(1, 5)}, name="one"), sys.argv[1])
"""


def test_a_sweep_that_was_killed_is_resumed(tmp_path: Path) -> None:
    store, whole = tmp_path / "runs.sqlite", tmp_path / "whole.sqlite"
    done = subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)
    assert done.returncode == -9
    assert [row[0] for row in answers(store)] == [1, 2]
    assert algatt.sweep(ONE, store).asked == 2
    algatt.sweep(ONE, whole)
    assert answers(store) == answers(whole)


def test_one_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as first:
        with pytest.raises(InvalidArgument, match="to which another process writes"):
            algatt.sweep(ONE, path)
        assert first.rows() == []
    assert algatt.sweep(ONE, path).asked == 4


def test_files_that_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_text("not a database, but long enough to be looked at" * 100)
    with pytest.raises(InvalidArgument, match="which is no SQLite file"):
        algatt.sweep(ONE, path)
    assert path.read_text().startswith("not a database")
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(InvalidArgument, match="a database of something else"):
        algatt.sweep(ONE, path)
    path.unlink()
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(InvalidArgument, match="whose schema has version 99"):
        algatt.sweep(ONE, path)
    with pytest.raises(InvalidArgument, match="which cannot be used"):
        algatt.sweep(ONE, tmp_path / "missing" / "runs.sqlite")
    with pytest.raises(InvalidArgument, match="which is not there"):
        Store(tmp_path / "none.sqlite", writing=False)


def test_a_record_in_a_folder_where_nobody_writes_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without write access SQLite can make no file beside it; for root, access is denied here by name."""
    path = tmp_path / "runs.sqlite"
    algatt.sweep(ONE, path)
    before = {file.name for file in tmp_path.iterdir()}
    monkeypatch.setattr("algatt.sweeps.store.os.access", lambda *_: False)
    with Store(path, writing=False) as opened:
        assert len(opened.rows()) == 4
        assert {file.name for file in tmp_path.iterdir()} == before


def test_too_many_architectures_are_counted_and_not_asked(tmp_path: Path) -> None:
    family = Family("Lightning((d, e), (1,), 2)", {"d": range(1, 31623), "e": range(1, 31624)})
    with pytest.raises(InvalidArgument, match=r"999,982,506 choices of sizes"):
        algatt.sweep(family, tmp_path / "runs.sqlite")
    assert not (tmp_path / "runs.sqlite").exists()


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with pytest.raises(InvalidArgument, match="workers was 0; it should be a positive integer"):
        algatt.sweep(ONE, store, workers=0)
    with pytest.raises(InvalidArgument, match="given with a scheduler"):
        algatt.sweep(ONE, store, workers=1, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(InvalidArgument, match="nothing ends the work of a Dask worker"):
        algatt.sweep(ONE, store, limit=1, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(InvalidArgument, match="with a int in it"):
        algatt.sweep([3], store)


def test_progress_counts_and_estimates(tmp_path: Path) -> None:
    seen = []
    algatt.sweep(ONE, tmp_path / "runs.sqlite", progress=lambda *told: seen.append(told))
    assert [told[:2] for told in seen] == [(k, 4) for k in range(1, 5)]
    assert seen[-1][2] == 0
    assert all(told[2] > 0 for told in seen[:-1])
