"""Programs that are installed apart from Python: FFLAS-FFPACK, compiled here, and Macaulay2."""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.timing import ProcessFailed, run_program

__all__ = ["compiled_fflas", "fflas", "macaulay", "median_seconds", "say"]

SOURCE = Path(__file__).with_name("fflas_rank.cpp")

MACAULAY_SCRIPT = Path(__file__).with_name("macaulay_rank.m2")

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def say(message: str) -> None:
    """Report progress."""
    print(f"benchmark: {message}", file=sys.stderr, flush=True)


def compiled_fflas(folder: str) -> str | None:
    """Compile the program for FFLAS-FFPACK in a folder and return its path; None without a compiler or the library."""
    compiler, config = shutil.which("g++"), shutil.which("pkg-config")
    if compiler is None or config is None:
        say("FFLAS-FFPACK is left out: there is no g++ or no pkg-config")
        return None
    program = str(Path(folder, "fflas_rank"))
    try:
        flags = run_program([config, "--cflags", "--libs", "fflas-ffpack"]).output.split()
        run_program([compiler, "-O3", "-march=native", "-o", program, str(SOURCE), *flags, "-lopenblas"])
    except ProcessFailed as error:
        say(f"FFLAS-FFPACK is left out: {error}")
        return None
    return program


def fflas(program: str, size: int, p: int, rank: int, repetitions: int) -> Callable[[], float]:
    """Return a call that measures FFLAS-FFPACK on one thread, in a process of its own."""
    command = [program, str(size), str(p), str(rank), str(repetitions)]
    return lambda: median_seconds(run_program(command, ONE_THREAD).output, rank)


def macaulay(program: str, size: int, p: int, rank: int, repetitions: int) -> Callable[[], float]:
    """Return a call that measures Macaulay2, in a process of its own."""
    command = [program, "--script", str(MACAULAY_SCRIPT), str(size), str(p), str(rank), str(repetitions)]
    return lambda: median_seconds(run_program(command).output, rank)


def median_seconds(output: str, rank: int) -> float:
    """Read lines of a rank and its seconds, and return the median of the seconds.

    Raises
    ------
    ArithmeticError
        If a rank is not `rank`.
    """
    lines = [line.split() for line in output.splitlines()]
    if any(int(found) != rank for found, _ in lines):
        raise ArithmeticError(f"a program did not find the rank {rank}")
    return statistics.median(float(seconds) for _, seconds in lines)
