"""``algatt dimension`` as a whole process: seconds and peak memory until the proof is printed."""

from __future__ import annotations

import json
from dataclasses import dataclass

from benchmarks.figures import Figure, median_of
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
    """

    dims: str
    ranks: str
    seconds: float
    megabytes: float


TOKENS = "4"

TARGETS = (
    Target("16,16,16,16", "8,8,8", seconds=3.0, megabytes=600.0),
    Target("32,32,32", "16,16", seconds=30.0, megabytes=2000.0),
)


def measure(runs: int, quick: bool) -> list[Figure]:
    """Measure every configuration, or the first alone."""
    figures = []
    for target in TARGETS[:1] if quick else TARGETS:
        name = f"dims {target.dims} ranks {target.ranks} tokens {TOKENS}"
        measured = [prove(target) for _ in range(runs)]
        figures.append(median_of(f"{name}, wall time", [run.seconds for run in measured], "s", target.seconds))
        figures.append(median_of(f"{name}, peak memory", [run.megabytes for run in measured], "MB", target.megabytes))
    return figures


def prove(target: Target) -> ProcessRun:
    """Run the command once.

    Raises
    ------
    ProcessFailed
        If it fails or its answer is not proven.
    """
    run = run_python("-m", "algatt", "dimension", "--dims", target.dims, "--ranks", target.ranks, "--tokens", TOKENS, "--json")
    status = json.loads(run.output)["status"]
    if status != "proven":
        raise ProcessFailed(f"algatt dimension --dims {target.dims} --ranks {target.ranks}: {status}, not proven")
    return run
