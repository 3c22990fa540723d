"""What a question of a sweep costs besides its answer, beside a plain loop; and ten thousand dimensions, recorded."""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import algatt
from algatt.sweeps import Family
from algatt.sweeps import Plan as SweepPlan
from benchmarks.figures import Figure, median_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed, interleaved, seconds_of

__all__ = ["measure", "nothing"]

WORKERS = 2

OVERHEAD = 1.0
"""Milliseconds."""

DIMENSIONS_SECONDS = 600.0

TO_SIX = range(1, 7)

LIGHTNING = SweepPlan(
    (
        Family("Lightning((d, e), (a,), 3)", dict.fromkeys("dea", TO_SIX), name="one layer"),
        Family("Lightning((d, b, e), (a, c), 3)", dict.fromkeys("dbeac", TO_SIX), name="two layers"),
        Family(
            "Lightning((d, b, f, e), (a, c, g), 3)",
            {
                "d": (1, 2, 3),
                "b": (2, 4, 5, 6),
                "f": (2, 3, 6),
                "e": (1, 2, 4, 6),
                "a": (1, 2, 5),
                "c": (1, 3),
                "g": (1, 2, 4),
            },
            name="three layers",
        ),
    )
)
"""10,584 networks of widths and ranks up to 6."""


def nothing(arch: algatt.Lightning, *, seed: int = 0) -> int:
    """Return 0: a question that costs nothing."""
    return 0


def measure(plan: Plan) -> list[Figure]:
    """Measure empty questions in turn; and unless quick all dimensions, once."""
    count = 150 if plan.quick else 3000
    ways: dict[str, Callable[[], float]] = {
        "plain loop": lambda: looped(count),
        "sweep, in one process": lambda: swept(count, None),
        f"sweep, {WORKERS} processes": lambda: swept(count, WORKERS),
    }
    say(f"{count} empty questions")
    figures = [
        median_of(f"an empty question, {name}", milliseconds, "ms", OVERHEAD if "processes" in name else None)
        for name, milliseconds in interleaved(ways, plan.runs).items()
    ]
    return figures if plan.quick else [*figures, *dimensions()]


def empty(count: int) -> Family:
    """Return a family of so many networks."""
    return Family("Lightning((1, d), (1,), 1)", {"d": range(1, count + 1)}, name="empty")


def looped(count: int) -> float:
    """Return the milliseconds of a question that is asked in a loop."""
    return 1000 * seconds_of(lambda: [nothing(member.architecture) for member in empty(count).members()]) / count


def swept(count: int, workers: int | None) -> float:
    """Return the milliseconds of a question in a sweep, into a new record, while it runs: the first third is left out,
    since processes start in it.
    """
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.sqlite")
        sweep = algatt.sweep(
            empty(count),
            path,
            question=nothing,
            workers=workers,
            progress=lambda *_: moments.append(time.perf_counter()),
        )
    if sweep.counts != {"numerical": count}:
        raise ProcessFailed(f"empty questions: {sweep.counts}")
    return 1000 * (moments[-1] - moments[count // 3]) / (count - 1 - count // 3)


def dimensions() -> list[Figure]:
    """Record the dimensions of all lightning networks of the family.

    Raises
    ------
    ProcessFailed
        If one is not proven.
    """
    say(f"{LIGHTNING.products} lightning dimensions")
    counts: list[dict[str, int]] = []

    def ask() -> None:
        with tempfile.TemporaryDirectory() as folder:
            counts.append(algatt.sweep(LIGHTNING, Path(folder, "runs.sqlite"), workers=WORKERS).counts)

    began = processor_seconds()
    seconds = seconds_of(ask)
    for child in multiprocessing.active_children():  # what they spent is known when they have ended
        child.join()
    if counts != [{"proven": LIGHTNING.products}]:
        raise ProcessFailed(f"lightning dimensions: {counts}")
    name = f"{LIGHTNING.products} lightning dimensions of widths up to 6, {WORKERS} processes"
    return [
        median_of(f"{name}, wall time", [seconds], "s", DIMENSIONS_SECONDS),
        median_of(f"{name}, processor time of all", [processor_seconds() - began], "s"),
    ]


def processor_seconds() -> float:
    """Return what this process and those that it waited for have spent."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
