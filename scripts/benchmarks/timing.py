"""Wall times of calls, and of whole processes with their peak memory."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "ProcessFailed",
    "ProcessRun",
    "clock",
    "interleaved",
    "processor_seconds_of",
    "run_program",
    "run_python",
    "seconds_of",
]

LAUNCHER = Path(__file__).with_name("launcher.py")


class ProcessFailed(Exception):
    """A measured process did not do what it is measured for."""


@dataclass(frozen=True)
class ProcessRun:
    """What a process cost.

    Parameters
    ----------
    seconds : float
        Wall time from its start to its end.
    megabytes : float
        Its peak resident memory, in units of 10^6 bytes.
    output : str
        What it wrote to stdout.
    """

    seconds: float
    megabytes: float
    output: str


def run_python(*arguments: str) -> ProcessRun:
    """Run this Python interpreter with arguments as a process of its own, as `run_program` does."""
    return run_program([sys.executable, *arguments])


def run_program(program: Sequence[str], environment: Mapping[str, str] | None = None) -> ProcessRun:
    """Run a program, whose path is its first argument, as a process of its own, with additions to the environment.

    Raises
    ------
    ProcessFailed
        With the last line that it wrote to stderr, if its exit code is not 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        result, out, err = (Path(folder, name) for name in ("result", "stdout", "stderr"))
        command = [sys.executable, "-S", str(LAUNCHER), str(result), str(out), str(err), *program]
        os.waitpid(os.posix_spawn(sys.executable, command, {**os.environ, **(environment or {})}), 0)
        measured = json.loads(result.read_text())
        if measured["exit_code"]:
            last = (err.read_text().strip().splitlines() or ["no message"])[-1]
            raise ProcessFailed(
                f"{Path(program[0]).name} {' '.join(program[1:])}: exit code {measured['exit_code']}: {last}"
            )
        return ProcessRun(measured["seconds"], measured["peak_bytes"] / 1e6, out.read_text())


def clock() -> float:
    """Return the wall time, or the processor time if the environment has ``BENCHMARK_PROCESSOR``."""
    return time.process_time() if os.environ.get("BENCHMARK_PROCESSOR") else time.perf_counter()


def seconds_of(call: Callable[[], object]) -> float:
    """Return how long one call takes by that clock."""
    began = clock()
    result = call()
    seconds = clock() - began
    del result  # only now: the time to free a large result belongs to no side of a comparison
    return seconds


def processor_seconds_of(call: Callable[[], object]) -> float:
    """Return the processor time of one call, of all its threads: what others do on the machine hardly counts."""
    began = time.process_time()
    result = call()
    seconds = time.process_time() - began
    del result
    return seconds


def interleaved(calls: Mapping[str, Callable[[], float]], runs: int, *, warm: bool = True) -> dict[str, list[float]]:
    """Measure several calls in turn, round after round, so that a busy machine weighs on all of them alike.

    Each call returns its own measured value. A first round is not counted if `warm`: it fills caches and compiles.
    """
    rounds = [{name: call() for name, call in calls.items()} for _ in range(runs + warm)][-runs:]
    return {name: [one[name] for one in rounds] for name in calls}
