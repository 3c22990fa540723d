"""Asking many architectures one question, with a record that says what is missing."""

from __future__ import annotations

import datetime
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike
from algatt.dispatch import noun_in
from algatt.errors import InvalidArgument, MissingExtra
from algatt.layers import describe
from algatt.randomness import check_seed
from algatt.sweeps.answer import LARGEST
from algatt.sweeps.crews import Crew, DaskWorkers, Processes, outcomes
from algatt.sweeps.family import Family, Member
from algatt.sweeps.plan import Plan
from algatt.sweeps.questions import Question, name_of
from algatt.sweeps.store import Row, Store, check_place
from algatt.sweeps.work import Outcome, Task
from algatt.verbs.views import Summarized
from algatt.version import __version__

MOST = 100_000
"""More architectures than that have to be asked for."""

Progress = Callable[[int, int, float | None, str], None]


@dataclass(frozen=True, repr=False)
class Sweep(Summarized):
    """The rows of a record that a sweep asked for, old and new.

    Parameters
    ----------
    rows : tuple of Row
        In the order of the architectures.
    asked : int
        How many of them were asked now.
    """

    rows: tuple[Row, ...]
    asked: int

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are of each status."""
        return dict(sorted(Counter(row.status for row in self.rows).items()))

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows without an answer."""
        return tuple(row for row in self.rows if row.failed)

    def frame(self) -> Any:
        """Return the rows as a pandas data frame, with a column for each size.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        return frame_of(self.rows)


def frame_of(rows: Iterable[Row]) -> Any:
    """Return rows as a pandas data frame."""
    return frame_of_records([record_of(row) for row in rows])


def frame_of_records(records: Sequence[Mapping[str, Any]]) -> Any:
    """Return records as a pandas data frame."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("pandas", "tables") from None
    return pandas.DataFrame(records)


def record_of(row: Row) -> dict[str, Any]:
    """Return a row as plain values, its sizes beside the others."""
    own = {name: getattr(row, name) for name in ("family", "question", "seed", "version", "parameters")}
    found = {name: getattr(row, name) for name in ("value", "status", "lower", "upper", "error", "seconds", "host")}
    return {**own, **{f"sizes.{name}": size for name, size in row.sizes.items()}, **found}


def sweep(
    architectures: Plan | Family | Iterable[NetworkLike],
    store: str | os.PathLike[str],
    *,
    question: str | Question | None = None,
    seed: int | None = None,
    limit: float | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    again: bool = False,
    most: int = MOST,
    progress: Progress | None = None,
) -> Sweep:
    """Ask a question of many architectures, and record each answer when it is there.

    Parameters
    ----------
    architectures : Plan, algatt.sweeps.Family or iterable of Architecture
        What is asked.
    store : path
        The SQLite file of the record; it is made unless it exists. Questions that this version of the package has
        answered there are not asked again. docs/reference/sweeps.md has its schema.
    question : str or callable, optional
        ``dimension`` (the default, or what the plan says), ``redundant``, ``unexplained_kernel``, ``orbit``, ``fiber``
        or ``floats``; or a function of a module, called as ``question(architecture, seed=seed)``, which returns an
        integer or an `Answer`.
    seed : int, optional
        Names the random points.
    limit : float, optional
        Seconds that a question may take. It ends when Python is between two of its own steps; of `workers`, the
        process ends if it does not, after twice that time and a second.
    workers : int, optional
        So many processes of this machine; without it the questions are asked in this process.
    scheduler : str, optional
        The address of a Dask scheduler whose workers are asked, or what Dask's `Client` takes instead.
    again : bool, optional
        Whether what failed is asked again.
    most : int, optional
        More choices of sizes than that are refused.
    progress : callable, optional
        Called with the number of answers, that of questions, an estimate of the seconds that are left, or None, and a
        text that says how many answers there are of each status.

    Returns
    -------
    Sweep
        The rows of these architectures.

    Raises
    ------
    InvalidArgument
        If there are too many architectures, the record cannot be used, or the scheduler does not answer.

    Notes
    -----
    Each answer is a transaction: whenever the process ends, what was answered is in the record. With several workers
    the networks with most parameters come first.

    Examples
    --------
    >>> import tempfile
    >>> import algatt
    >>> family = algatt.sweeps.Family("Lightning((d, d), (a,), 2)", {"d": (2, 3), "a": (1, 2)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = algatt.sweep(family, f"{folder}/runs.sqlite")
    ...     once_more = algatt.sweep(family, f"{folder}/runs.sqlite")
    >>> [(row.sizes, row.value, row.status) for row in found.rows][:2]
    [({'d': 2, 'a': 1}, 6, 'proven'), ({'d': 2, 'a': 2}, 7, 'proven')]
    >>> found.asked, once_more.asked, once_more.counts
    (4, 0, {'proven': 4})
    """
    check_place(store)
    plan = plan_of(architectures)
    asked = plan.question if question is None else question
    name, seed = name_of(asked), check_seed(plan.seed if seed is None else seed)
    limit = plan.limit if limit is None else limit
    check_options(plan, seed, limit, workers, scheduler, most)
    members = unique(plan.members(), name, seed)
    with Store(store) as opened:
        found = {row.key: row for row in opened.rows(question=name, seed=seed, version=__version__)}
        missing = [one for key, one in members.items() if key not in found or (again and found[key].failed)]
        if workers is not None or scheduler is not None:
            missing.sort(key=lambda one: -one.architecture.parameters)
        tasks = [Task(asked, one.architecture, seed, limit) for one in missing]
        watch = SweepWatch(missing, progress)
        crew = crew_of(workers, scheduler) if tasks else None
        for number, attempts, outcome in outcomes(tasks, crew):
            row = row_of(missing[number], name, seed, attempts, outcome)
            opened.add(row)
            found[row.key] = row
            watch.saw(row)
    return Sweep(tuple(found[key] for key in members), len(missing))


def plan_of(architectures: Plan | Family | Iterable[NetworkLike]) -> Plan:
    """Return what is asked as a plan."""
    if isinstance(architectures, Plan):
        return architectures
    if isinstance(architectures, Family):
        return Plan((architectures,))
    try:
        given = tuple(map(noun_in, architectures))
    except TypeError:
        was = f"of type {type(architectures).__name__}"
        raise InvalidArgument("architectures", was, "a Plan, a Family, or several architectures") from None
    for one in given:
        if not isinstance(one, Architecture):
            raise InvalidArgument("architectures", f"with a {type(one).__name__} in it", "architectures")
    return Plan(tuple(Family(lambda one=one: one, {}) for one in given))


def check_options(plan: Plan, seed: int, limit: float | None, workers: int | None, scheduler: Any, most: int) -> None:
    """Raise an error for options that no sweep has."""
    if plan.products > most:
        should = f"at most {most:,}; --yes, or most={plan.products}, if that is what is wanted"
        raise InvalidArgument("architectures", f"{plan.products:,} choices of sizes", should)
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise InvalidArgument("workers", repr(workers), "a positive integer")
    if workers is not None and scheduler is not None:
        raise InvalidArgument("workers", "given with a scheduler", "given without: a scheduler has its own")
    if seed > LARGEST:
        raise InvalidArgument("seed", str(seed), "an integer of at most 64 bits, for the record")
    if limit is not None and not 0 < limit < threading.TIMEOUT_MAX:
        raise InvalidArgument("limit", repr(limit), "a positive number of seconds, finite")


def crew_of(workers: int | None, scheduler: Any) -> Crew | None:
    """Return who is asked; None for this process."""
    if scheduler is not None:
        return DaskWorkers(scheduler)
    return None if workers is None else Processes(workers)


def unique(members: Iterator[Member], question: str, seed: int) -> dict[tuple[str, str, int, str], Member]:
    """Return architectures by the keys of their rows; one that comes twice is asked once."""
    found: dict[tuple[str, str, int, str], Member] = {}
    for one in members:
        found.setdefault((description(one.architecture), question, seed, __version__), one)
    return found


def description(arch: Architecture) -> str:
    """Return an architecture as text."""
    return json.dumps(describe(arch), sort_keys=True, separators=(",", ":"))


def row_of(member: Member, question: str, seed: int, attempts: int, outcome: Outcome) -> Row:
    """Return what is recorded of a question."""
    answer = outcome.answer
    status, found = ("failed", (None, None, None)) if answer is None else (
        answer.status, (answer.value, answer.lower, answer.upper)
    )  # fmt: skip
    return Row(
        member.family, dict(member.sizes), description(member.architecture), member.architecture.parameters,
        question, seed, __version__, status, *found, {} if answer is None else dict(answer.evidence),
        outcome.error, attempts, outcome.seconds, outcome.host,
        datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"), outcome.software,
    )  # fmt: skip


class SweepWatch:
    """How far a sweep is, and how long it will take: an exact rank takes about the cube of the number of parameters,
    and each question a moment besides; and what is left takes as long for its cost as what is done did, by the clock,
    so that it does not matter how many are at work.
    """

    def __init__(self, members: list[Member], progress: Progress | None) -> None:
        self.left = sum(cost(one.architecture.parameters) for one in members)
        self.total, self.progress, self.began = len(members), progress, time.monotonic()
        self.spent, self.counts = 0.0, Counter[str]()

    def saw(self, row: Row) -> None:
        """Count an answer."""
        own = cost(row.parameters)
        self.counts[row.status] += 1
        self.left -= own
        self.spent += own
        if self.progress is not None:
            seconds = self.left * (time.monotonic() - self.began) / self.spent
            told = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items()))
            self.progress(self.counts.total(), self.total, seconds, told)


def cost(parameters: int) -> float:
    """Return what a question costs, in no unit."""
    return 1e6 + parameters**3
