"""The rank over GF(p), ours beside python-flint and galois, with the float64 product of the same size as the ceiling.

Ours and the product use all cores, through BLAS; FLINT's elimination and that of galois use one.
"""

from __future__ import annotations

from collections.abc import Callable

import flint
import galois
import numpy as np

import algatt
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.timing import interleaved, seconds_of

__all__ = ["measure"]

SIZES = (250, 500, 1000, 2000)

PRIMES = (1048583, 8388593, 2147483647)

LARGEST_FOR_GALOIS = 500
"""galois eliminates without blocks and takes minutes for more."""

OURS, PRODUCT, FLINT, FLINT_CONVERTED, GALOIS = "algatt.rank", "float64 product", "flint, matrix given", "flint, with conversion", "galois"


def measure(runs: int, quick: bool) -> list[Figure]:
    """Measure random square matrices of every size and prime; the two smallest sizes if `quick`."""
    return [figure for size in (SIZES[:2] if quick else SIZES) for p in PRIMES for figure in one_size(size, p, runs)]


def one_size(size: int, p: int, runs: int) -> list[Figure]:
    """Measure one size and prime: our time, then its ratio to each of the others."""
    seconds = interleaved({name: timed_rank(call, size) for name, call in algorithms(size, p).items()}, runs)
    label = f"n = {size}, p = {p}"
    return [
        median_of(f"{OURS}, {label}", seconds[OURS], "s"),
        *(ratio_of(f"{OURS} / {name}, {label}", seconds[OURS], seconds[name]) for name in seconds if name != OURS),
    ]


def algorithms(size: int, p: int) -> dict[str, Callable[[], int]]:
    """Return the ranks of one random matrix by each algorithm; the float64 product returns its size."""
    rng = np.random.default_rng(0)
    residues = rng.integers(0, p, (size, size))
    matrix = galois.GF(p)(residues)
    floats = rng.standard_normal((size, size))
    converted = flint_matrix(residues, p)
    calls: dict[str, Callable[[], int]] = {
        OURS: lambda: algatt.rank(matrix),
        PRODUCT: lambda: len(floats @ floats),
        FLINT: converted.rank,
        FLINT_CONVERTED: lambda: flint_matrix(residues, p).rank(),
    }
    if size <= LARGEST_FOR_GALOIS:
        calls[GALOIS] = lambda: int(np.linalg.matrix_rank(matrix))
    return calls


def flint_matrix(residues: np.ndarray, p: int) -> flint.nmod_mat:
    """Convert an array of residues to python-flint."""
    return flint.nmod_mat(*residues.shape, residues.ravel().tolist(), p)


def timed_rank(call: Callable[[], int], rank: int) -> Callable[[], float]:
    """Return a call that returns the time that an algorithm took.

    Raises
    ------
    ArithmeticError
        If its answer is not `rank`; the random matrices that are measured here are invertible.
    """

    def checked() -> None:
        if call() != rank:
            raise ArithmeticError(f"an algorithm did not return the rank {rank}")

    return lambda: seconds_of(checked)
