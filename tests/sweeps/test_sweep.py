"""Sweeps: what is asked is recorded, once; what ends processes is found; the record is what an uninterrupted one is."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import algatt
import asked_questions
from algatt.errors import InvalidArgument
from algatt.sweeps import Answer, Family, Store, fit_formula
from algatt.sweeps.crews import Crew
from algatt.sweeps.work import Outcome, Task, do
from algatt.version import __version__

ONE = Family("Lightning((d, 2), (1,), 2)", {"d": range(1, 5)}, name="one")


def environment() -> dict[str, str]:
    """Return the environment of a process that finds the questions of the tests."""
    folders = [str(Path(asked_questions.__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}


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
    [("redundant", 19, "proven"), ("unexplained_kernel", 0, "proven"), ("orbit", 19, "probable"),
     ("fiber", 19, "probable"), ("floats", 33, "numerical"), ("dimension", 33, "proven")],
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


class Forgetful(Crew):
    """It loses each question once, as a scheduler may."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    @property
    def window(self) -> int:
        return 2

    def begin(self) -> None:
        raise AssertionError("nothing is broken")

    def end(self, *, now: bool) -> None:
        assert not now

    def submit(self, task: Task) -> Future[Outcome]:
        future: Future[Outcome] = Future()
        if task.architecture.parameters in self.seen:
            future.set_result(do(task))
        else:
            self.seen.add(task.architecture.parameters)
            future.cancel()
        return future


def test_tasks_that_are_lost_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["algatt.sweeps.sweep"], "crew_of", lambda *_: Forgetful())
    found = algatt.sweep(ONE, tmp_path / "runs.sqlite", question=asked_questions.count, workers=1)
    assert [(row.value, row.attempts) for row in found.rows] == [(4 * d, 2) for d in range(1, 5)]


def test_questions_without_an_end(tmp_path: Path) -> None:
    """In this process by an alarm, in another thread by its watch, and where Python sees neither with its process."""
    family = dataclasses.replace(ONE, sizes={"d": (1, 2, 3)})
    looped = asked_questions.loop_at_two
    algatt.sweep(family, tmp_path / "loop.sqlite", question=looped, limit=0.05)
    assert [row[2] for row in answers(tmp_path / "loop.sqlite")] == [1, None, 3]
    assert answers(tmp_path / "loop.sqlite")[1][3] == "no answer within 0.05 s"
    arch = algatt.Lightning((2, 2), (1,), 2)
    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(do, Task(looped, arch, 0, 0.05)).result()
        after = threads.submit(do, Task(asked_questions.count, arch, 0, None)).result()
    assert (found.answer, found.error) == (None, "no answer within 0.05 s")
    assert after.answer == Answer(8, "numerical")


DEAF = """
import sys
import algatt, asked_questions
from algatt.sweeps.work import Task, do, prepare

prepare()
print(do(Task(asked_questions.hang_at_two, algatt.Lightning((1, 2), (1,), 2), 0, 0.01)).answer.value, flush=True)
do(Task(asked_questions.hang_at_two, algatt.Lightning((2, 2), (1,), 2), 0, 0.01))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals to block")
def test_a_process_that_hears_no_alarm_ends() -> None:
    """Its sweep asks once more, and records that it ended."""
    done = subprocess.run([sys.executable, "-c", DEAF], env=environment(), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"1\n", b"")


def test_memory_that_is_not_there(tmp_path: Path) -> None:
    """Refused before by what a dimension needs, or told after by what was asked for; the others are answered."""
    found = algatt.sweep(ONE, tmp_path / "runs.sqlite", question=asked_questions.exhaust_at_two)
    assert [row.value for row in found.rows] == [1, None, 3, 4]
    assert str(found.failed[0].error).startswith("MemoryError")
    huge = algatt.Lightning((10**6, 10**6), (10**5,), 9)
    (row,) = algatt.sweep([huge], tmp_path / "runs.sqlite").rows
    assert str(row.error).startswith("NotEnoughMemory")


def test_an_answer_that_contradicts_itself_is_none(tmp_path: Path) -> None:
    found = algatt.sweep(ONE, tmp_path / "runs.sqlite", question=asked_questions.wrong_at_two)
    assert [row.value for row in found.rows] == [2, None, 10, 14]
    assert "value was 7, more than the upper bound 6" in str(found.failed[0].error)
    with pytest.raises(InvalidArgument, match="value was None, and proven"):
        Answer(None, "proven")
    with pytest.raises(InvalidArgument, match="value was 5, less than the lower bound 6"):
        Answer(5, "probable", 6)
    with pytest.raises(InvalidArgument, match="an integer of at most 64 bits"):
        Answer(2**63, "numerical")
    with pytest.raises(InvalidArgument, match="evidence was not plain"):
        Answer(1, "numerical", evidence={"of": object()})


def test_another_version_of_a_worker_is_no_answer() -> None:
    task = Task(asked_questions.count, algatt.Lightning((2, 2), (1,), 2), 0, None, "0.0.1")
    assert do(task).error == f"ValueError: the worker has algatt {__version__}, and algatt 0.0.1 asks"


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("column", "value", "told"),
    [("value", "7", "more than the upper bound 6"), ("value", "NULL", "None, and proven"),
     ("status", "'sure'", "the status 'sure'"), ("status", "'failed'", "failed, with the value 6"),
     ("lower", "7", "less than the lower bound 7"), ("sizes", "'{'", "which cannot be read")],
)  # fmt: skip
def test_rows_that_were_changed_are_seen(tmp_path: Path, column: str, value: str, told: str) -> None:
    """The second row is of d = 2, whose dimension is 6; without the change the record is read."""
    path = tmp_path / "runs.sqlite"
    algatt.sweep(ONE, path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute(f"UPDATE answers SET {column} = {value} WHERE id = 2")  # noqa: S608
        other.commit()
    with Store(path, writing=False) as opened, pytest.raises(InvalidArgument, match=told):
        opened.rows()
    with pytest.raises(InvalidArgument, match=told):
        algatt.sweep(ONE, path)


def test_a_value_that_was_changed_with_its_bounds_refutes_the_formula(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    algatt.sweep(dataclasses.replace(ONE, sizes={"d": range(1, 15)}), path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE answers SET value = 9, lower = 9, upper = 9 WHERE id = 2")
        other.commit()
    with Store(path, writing=False) as opened:
        assert fit_formula(opened).refuted == (({"d": 2}, 9),)


WATCHED = """
import sys, threading
from algatt.sweeps.work import TooLongError, at_most

told = []
def ask(limit, ends):
    try:
        with at_most(limit):
            while not ends:
                pass
        told.append("answered")
    except TooLongError:
        told.append("too long")
for limit, ends in ((60.0, True), (0.1, False)):
    thread = threading.Thread(target=ask, args=(limit, ends))
    thread.start()
    thread.join()
sys.settrace(lambda *_: None)
(lambda: told.append("traced"))()
print(told)
"""


def test_what_watches_a_thread_leaves_nothing_behind() -> None:
    """Python 3.11 never ends the first step that is traced if an error was set in a thread and taken back."""
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, check=True, timeout=120)
    assert done.stdout.decode().strip() == "['answered', 'too long', 'traced']"


INTERRUPTED = """
import os, signal, sys
import algatt, asked_questions
from algatt.sweeps import Family, Store

add = Store.add
def add_and_interrupt(self, row):
    add(self, row)
    if row.sizes["d"] == 3:
        os.kill(os.getpid(), signal.SIGINT)
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells take away from what runs in the background
    Store.add = add_and_interrupt
    family = Family("Lightning((d, 2), (1,), 2)", {"d": range(1, 4)}, name="one")
    algatt.sweep(family, sys.argv[1], question=asked_questions.loop_at_two, workers=1)
"""


def test_control_c_ends_a_sweep_and_its_processes(tmp_path: Path) -> None:
    """The only process is at a question that has no end; it holds stdout, which is read until nobody does."""
    script, store = tmp_path / "interrupted.py", tmp_path / "runs.sqlite"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, script, store], capture_output=True, env=environment(), check=False)
    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == b"KeyboardInterrupt"
    assert answers(store) == [(3, "numerical", 3, None)]
    Store(store).close()


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


def test_a_record_that_another_program_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was answered before stays, and the rest is asked when it is free."""
    path = tmp_path / "runs.sqlite"
    algatt.sweep(dataclasses.replace(ONE, sizes={"d": (1,)}), path)
    monkeypatch.setattr("algatt.sweeps.store.PATIENCE", 0.01)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InvalidArgument, match=r"which cannot be written \(database is locked\)"):
            algatt.sweep(ONE, path)
    assert [row[0] for row in answers(path)] == [1]
    assert algatt.sweep(ONE, path).asked == 3


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
    for writing in (True, False):
        with pytest.raises(InvalidArgument, match="whose schema has version 99; it should be one of version 2"):
            Store(path, writing=writing)
    with pytest.raises(InvalidArgument, match="which cannot be used"):
        algatt.sweep(ONE, tmp_path / "missing" / "runs.sqlite")
    with pytest.raises(InvalidArgument, match="which is not there"):
        Store(tmp_path / "none.sqlite", writing=False)
    (tmp_path / "new.sqlite").touch()
    with pytest.raises(InvalidArgument, match="which is empty"):
        Store(tmp_path / "new.sqlite", writing=False)


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
    for limit in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InvalidArgument, match=r"limit was .*; it should be a positive number of seconds, finite"):
            algatt.sweep(ONE, store, limit=limit)
    with pytest.raises(InvalidArgument, match="seed was 18446744073709551616; it should be an integer of at most 64"):
        algatt.sweep(ONE, store, seed=2**64)
    with pytest.raises(InvalidArgument, match="with a int in it"):
        algatt.sweep([3], store)


def test_progress_counts_and_estimates(tmp_path: Path) -> None:
    seen = []
    algatt.sweep(ONE, tmp_path / "runs.sqlite", progress=lambda *told: seen.append(told))
    assert [told[:2] for told in seen] == [(k, 4) for k in range(1, 5)]
    assert [told[3] for told in seen] == [f"{k} proven" for k in range(1, 5)]
    assert seen[-1][2] == 0
    assert all(told[2] > 0 for told in seen[:-1])
