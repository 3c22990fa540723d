"""Sweeps with the workers of a Dask scheduler: real processes, of which some are killed."""

from __future__ import annotations

import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
import asked_questions
from algatt import schedulers
from algatt.errors import InvalidArgument
from algatt.sweeps import Family, Store, crews

distributed = pytest.importorskip("distributed", reason="the extra distributed is not installed")

ONE = Family("Lightning((d, 2), (1,), 2)", {"d": range(1, 5)}, name="one")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    monkeypatch.setenv(asked_questions.MARKS, str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(asked_questions.__file__).parent), prepend=":")
    monkeypatch.setattr(crews, "ALONE_SECONDS", 600)  # where others are at work, a new worker takes its time
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", local_directory=str(tmp_path)
    ) as running:
        yield running


def values(store: Path) -> list[tuple[object, ...]]:
    with Store(store, writing=False) as opened:
        return sorted((row.sizes["d"], row.status, row.value) for row in opened)


def test_workers_answer_and_those_that_are_killed_are_replaced(cluster: Any, tmp_path: Path) -> None:
    """Equation 7 for rank one and two rows of V; each question of the second sweep kills its first worker."""
    store = tmp_path / "runs.sqlite"
    algatt.sweep(ONE, store, scheduler=cluster.scheduler_address)
    assert values(store) == [(d, "proven", (2 * d - 1) + 2 * d - 1) for d in range(1, 5)]
    other = tmp_path / "other.sqlite"
    family = dataclasses.replace(ONE, sizes={"d": (1, 2)})
    algatt.sweep(family, other, question=asked_questions.count_once, scheduler=cluster.scheduler_address)
    assert [row[2] for row in values(other)] == [1, 2]


def test_a_question_that_kills_each_worker_is_recorded_as_failed(cluster: Any, tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    found = algatt.sweep(ONE, store, question=asked_questions.end_at_two, scheduler=cluster.scheduler_address)
    assert [row.sizes["d"] for row in found.failed] == [2]
    assert [row.value for row in found.rows] == [1, None, 3, 4]
    assert found.failed[0].error is not None
    assert "its process ended" in found.failed[0].error


def test_a_question_of_a_worker_ends_in_time(cluster: Any, tmp_path: Path) -> None:
    """The same two workers answer what comes after it."""
    found = algatt.sweep(
        ONE,
        tmp_path / "runs.sqlite",
        question=asked_questions.loop_at_two,
        limit=0.2,
        scheduler=cluster.scheduler_address,
    )
    assert [row.value for row in found.rows] == [1, None, 3, 4]
    assert (found.failed[0].error, found.failed[0].attempts) == ("no answer within 0.2 s", 1)


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep does not wait for ever; what was answered before is recorded."""
    monkeypatch.setattr(crews, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(crews, "ALONE_SECONDS", 0.2)
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address=":0", local_directory=str(tmp_path)
        ) as empty,
        pytest.raises(InvalidArgument, match=r"which has no workers for 0\.2 s; it should be one with workers"),
    ):
        algatt.sweep(ONE, tmp_path / "runs.sqlite", scheduler=empty)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "127.0.0.1", "tcp://", "none://here", ""])
def test_a_scheduler_that_is_not_there(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedulers, "ANSWER_SECONDS", 0.5)
    with pytest.raises(InvalidArgument, match=f"scheduler was '{address}', which does not answer"):
        algatt.sweep(ONE, tmp_path / "runs.sqlite", scheduler=address)


def test_something_that_listens_and_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedulers, "ANSWER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(InvalidArgument, match="which does not answer"):
            algatt.sweep(ONE, tmp_path / "runs.sqlite", scheduler=address)
