"""``algatt dimension`` as a whole process: seconds and peak memory until the proof is printed. Then the cost of the
Jacobian's rows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from benchmarks.figures import Figure, median_of
from benchmarks.jacobian_rows import measure_rows
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed, ProcessRun, run_python

__all__ = ["TARGETS", "measure"]


@dataclass(frozen=True)
class Target:
    """A configuration and what it may cost.

    Parameters
    ----------
    dims, ranks : str
        As the command line takes them.
    seconds, megabytes : float
        The limits.
    most_runs : int, optional
        How often it is run at most, where a run takes long.
    points : str, optional
        Where the Jacobian is looked at, as the command line takes it.
    """

    dims: str
    ranks: str
    seconds: float
    megabytes: float
    most_runs: int = 100
    points: str = "random"


TOKENS = "4"

TARGETS = (
    Target("16,16,16,16", "8,8,8", seconds=3.0, megabytes=600.0),
    Target("32,32,32", "16,16", seconds=30.0, megabytes=2000.0),
    Target("64,64,64", "32,32", seconds=180.0, megabytes=6000.0, most_runs=1),
    Target("64,64,64", "32,32", seconds=10.0, megabytes=600.0, points="copies"),
    Target("128,128,128", "64,64", seconds=10.0, megabytes=600.0, points="copies"),
    Target("512,512,512", "256,256", seconds=10.0, megabytes=600.0, points="copies"),
)


def measure(plan: Plan) -> list[Figure]:
    """Measure every configuration, or the first alone if quick."""
    figures = []
    for target in TARGETS[:1] if plan.quick else TARGETS:
        name = f"dims {target.dims} ranks {target.ranks} tokens {TOKENS}, {target.points}"
        say(name)
        measured = [prove(target) for _ in range(min(plan.runs, target.most_runs))]
        figures.append(median_of(f"{name}, wall time", [run.seconds for run in measured], "s", target.seconds))
        figures.append(median_of(f"{name}, peak memory", [run.megabytes for run in measured], "MB", target.megabytes))
    return figures + measure_rows(plan.runs, plan.quick)


def prove(target: Target) -> ProcessRun:
    """Run the command once.

    Raises
    ------
    ProcessFailed
        If it fails or its answer is not proven.
    """
    sizes = "--dims", target.dims, "--ranks", target.ranks, "--tokens", TOKENS
    run = run_python("-m", "algatt", "dimension", *sizes, "--points", target.points, "--json")
    status = json.loads(run.output)["status"]
    if status != "proven":
        raise ProcessFailed(f"algatt dimension --dims {target.dims} --ranks {target.ranks}: {status}, not proven")
    return run
