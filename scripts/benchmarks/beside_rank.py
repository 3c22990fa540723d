"""Whole dimensions beside the rank of a random square matrix of their size, and beside the ideal: 2/3 n^3 operations at
the rate of a product. All in one process each, after all imports, with wall and processor time: on a busy machine the
latter says more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed, run_python

__all__ = ["measure"]

CHILD = Path(__file__).with_name("one_dimension.py")


@dataclass(frozen=True)
class Case:
    """A network, where it is looked at, and what was promised.

    Parameters
    ----------
    network, points : str
        As `one_dimension` takes them.
    times_rank, times_ideal, times_matrix : float or None
        The targets.
    most_runs : int
        How often it is run at most.
    """

    network: str
    points: str = "random"
    times_rank: float | None = None
    times_ideal: float | None = None
    times_matrix: float | None = 1.3
    most_runs: int = 100


CASES = (
    Case("lightning 32"),
    Case("softmax 32", times_rank=2.5),
    Case("lightning 48", most_runs=3),
    Case("lightning 64", times_rank=1.5, times_ideal=3.0, most_runs=1),
    Case("softmax 64", times_rank=1.5, times_ideal=3.0, most_runs=1),
    Case("lightning 64", "copies", times_rank=1.5, times_ideal=3.0, times_matrix=None, most_runs=1),
)


def measure(plan: Plan) -> list[Figure]:
    """Measure every case, or the first alone if quick."""
    return [figure for case in CASES[: 1 if plan.quick else None] for figure in figures_of(case, plan.runs)]


def figures_of(case: Case, runs: int) -> list[Figure]:
    """Measure one case.

    Raises
    ------
    ProcessFailed
        If its dimension is not proven, or a rank is not the right one.
    """
    name = f"{case.network}, {case.points}"
    say(name)
    measured = []
    for _ in range(min(runs, case.most_runs)):
        one = json.loads(run_python(str(CHILD), case.network, case.points).output)
        if one["status"] != "proven" or not one["right"]:
            raise ProcessFailed(f"{name}: {one['status']}")
        measured.append(one)
    figures = [Figure("proven", one["value"], "dimension", len(measured), one["value"], one["value"], case=name)]
    for kind, unit in (("seconds", "s"), ("processor", "s")):
        of = {what: [one[what][kind] for one in measured] for what in ("dimension", "rank", "ideal")}
        word = "wall" if kind == "seconds" else kind
        figures += [median_of(f"{what}, {word}", of[what], unit, case=name) for what in ("dimension", "rank", "ideal")]
        figures += [
            ratio_of(f"/ rank, {word}", of["dimension"], of["rank"], case.times_rank, case=name),
            ratio_of(f"/ ideal, {word}", of["dimension"], of["ideal"], case.times_ideal, case=name),
        ]
    grown = [one["grown"] / 1e6 for one in measured]
    matrix = [one["matrix"] / 1e6 for one in measured]
    return [
        *figures,
        median_of("grown by", grown, "MB", case=name),
        ratio_of("grown / matrix", grown, matrix, case.times_matrix, case=name),
    ]
