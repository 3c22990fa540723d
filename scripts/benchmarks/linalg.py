"""The rank over GF(p), ours beside every other that is installed, with the float64 product of the same size as the
ceiling.

Ours and the product use all cores, through BLAS; the others use one. FFLAS-FFPACK and Macaulay2 draw their own
matrices, of the same size and rank.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable
from typing import Any

import flint
import galois
import numpy as np

import algatt
from algatt.fields import Elements
from algatt.verbs import decode, encode
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import compiled_fflas, fflas, macaulay, say
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, run_python, seconds_of

__all__ = ["PRIMES", "SIZES", "measure"]

SIZES = (250, 500, 1000, 2000, 4000, 8000)

PRIMES = (1048583, 8388593, 2147483647)

ONE_LIMB, TWO_LIMBS = 8388593, 2147483647

OURS, PRODUCT, FLINT, CONVERSION, FLINT_CONVERTED = (
    "algatt",
    "float64 product",
    "flint",
    "flint's conversion",
    "flint, converted",
)
THERE_AND_BACK = "galois' conversion"

GALOIS, FFLAS, MACAULAY = "galois", "FFLAS", "Macaulay2"

LARGEST = {GALOIS: 1000, FLINT: 4000, MACAULAY: 2000}
"""Above these sizes an algorithm takes minutes, or too much memory."""

LARGEST_IN_INT64 = 1000
"""FFLAS-FFPACK computes modulo 2147483647 in int64, without BLAS: minutes for more."""

PARTS_OF_PRODUCT = {1000: 0.3, 8000: 0.65}
"""By the size, which part of the product's rate was promised for a full rank modulo a prime of one limb."""

LARGE = 4000
"""From this size on nothing is repeated within a process, and the round that fills caches is taken with a
small matrix.
"""

SMALL = 200
"""The first call on a matrix up to this size should load and compile nothing."""

FIRST_CALL = f"""
import sys
import algatt
from algatt.fields import Elements
from algatt.verbs import draw_array
field = algatt.PrimeField()
algatt.rank(Elements(field, draw_array(field, shape=({SMALL}, {SMALL}), seed=0, label="benchmark")))
print(sum(name in sys.modules for name in ("numba", "algatt.linalg.compiled")))
"""

Seconds = dict[str, list[float]]


def measure(plan: Plan) -> list[Figure]:
    """Measure random square matrices of every size, prime and rank; the two smallest sizes if quick."""
    sizes = plan.sizes or (SIZES[:2] if plan.quick else SIZES)
    figures = [first_call()]
    medians: dict[tuple[int, int, int], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_fflas(folder)
        for size in sizes:
            for p in plan.primes or PRIMES:
                for rank in (size, size // 2):
                    say(f"n = {size}, p = {p}, rank {rank}")
                    seconds = one_matrix(size, p, rank, plan.runs, program)
                    medians[size, p, rank] = statistics.median(seconds[OURS])
                    figures += figures_of(size, p, rank, seconds)
    return figures + limb_figures(medians, plan.runs)


def first_call() -> Figure:
    """Count the modules with compiled code that the first call on a small matrix loads."""
    loaded = float(run_python("-c", FIRST_CALL).output)
    return Figure(f"first call on n = {SMALL}: numba or compiled modules loaded", loaded, "modules", 1, target=0.0)


def one_matrix(size: int, p: int, rank: int, runs: int, program: str | None) -> Seconds:
    """Measure one size, prime and rank by every algorithm in turn."""
    repetitions = 1 if size >= LARGE else 3
    residues = random_residues(size, p, rank)
    calls = algorithms(residues, p, rank)
    if program is not None and (p < TWO_LIMBS or size <= LARGEST_IN_INT64):
        calls[FFLAS] = fflas(program, size, p, rank, repetitions)
    macaulay2 = shutil.which("M2")
    if macaulay2 is not None and size <= LARGEST[MACAULAY]:
        calls[MACAULAY] = macaulay(macaulay2, size, p, rank, repetitions)
    if size >= LARGE:
        algorithms(random_residues(1000, p, 1000), p, 1000)[OURS]()
    seconds = interleaved(calls, runs, warm=size < LARGE)
    if CONVERSION in seconds:
        converted = zip(seconds[FLINT], seconds.pop(CONVERSION), strict=True)
        seconds[FLINT_CONVERTED] = [one + other for one, other in converted]
    return seconds


def random_residues(size: int, p: int, rank: int) -> np.ndarray:
    """Return a random square matrix of a rank, as residues: a product of two if the rank is not full."""
    rng = np.random.default_rng(0)
    if rank == size:
        return rng.integers(0, p, (size, size))
    field = algatt.PrimeField(p)
    left, right = (Elements(field, encode(field, rng.integers(0, p, shape))) for shape in ((size, rank), (rank, size)))
    residues: np.ndarray = (left @ right).raw.astype(np.int64)
    return residues


def algorithms(residues: np.ndarray, p: int, rank: int) -> dict[str, Callable[[], float]]:
    """Return the algorithms in Python on one matrix, each as a call that returns the time it took."""
    size = len(residues)
    matrix = galois.GF(p)(residues)
    floats = np.random.default_rng(0).standard_normal((size, size))
    calls = {OURS: timed_rank(lambda: algatt.rank(matrix), rank), PRODUCT: lambda: seconds_of(lambda: floats @ floats)}
    field = algatt.PrimeField(p)
    calls[THERE_AND_BACK] = lambda: seconds_of(lambda: decode(field, encode(field, matrix)))
    if size <= LARGEST[FLINT]:
        given = flint_matrix(residues, p)
        calls[FLINT] = timed_rank(given.rank, rank)
        calls[CONVERSION] = lambda: seconds_of(lambda: flint_matrix(residues, p))
    if size <= LARGEST[GALOIS]:
        calls[GALOIS] = timed_rank(lambda: int(np.linalg.matrix_rank(matrix)), rank)
    return calls


def flint_matrix(residues: np.ndarray, p: int) -> Any:
    """Convert an array of residues to python-flint."""
    return flint.nmod_mat(residues.shape[0], residues.shape[1], residues.ravel().tolist(), p)


def timed_rank(call: Callable[[], int], rank: int) -> Callable[[], float]:
    """Return a call that returns the time that an algorithm took.

    Raises
    ------
    ArithmeticError
        If its answer is not `rank`.
    """

    def checked() -> None:
        if call() != rank:
            raise ArithmeticError(f"an algorithm did not return the rank {rank}")

    return lambda: seconds_of(checked)


def operations(size: int, rank: int) -> float:
    """Return the additions and multiplications of Gauss elimination of a square matrix: 2/3 n^3 if the rank is full."""
    return 2 * size**2 * rank - 2 * size * rank**2 + 2 / 3 * rank**3


def figures_of(size: int, p: int, rank: int, seconds: Seconds) -> list[Figure]:
    """Return every time, the rates, and how many times as long as ours each of the others took."""
    case = label(size, p, rank)
    full = rank == size
    rate = [operations(size, rank) / value / 1e9 for value in seconds[OURS]]
    product_rate = [2 * size**3 / value / 1e9 for value in seconds[PRODUCT]]
    share = PARTS_OF_PRODUCT.get(size) if full and p == ONE_LIMB else None
    return [
        *(median_of(name, values, "s", case=case) for name, values in seconds.items()),
        median_of("rate", rate, "GF/s", case=case),
        median_of("product", product_rate, "GF/s", case=case),
        ratio_of("rate / product", rate, product_rate, share, at_least=True, case=case),
        *(
            ratio_of(
                f"{name} / ours",
                values,
                seconds[OURS],
                target_against(name, size, p) if full else None,
                at_least=True,
                case=case,
            )
            for name, values in seconds.items()
            if name not in (OURS, PRODUCT, THERE_AND_BACK)
        ),
        ratio_of(
            f"{THERE_AND_BACK} / ours",
            seconds[THERE_AND_BACK],
            seconds[OURS],
            0.1 if full and size >= 1000 else None,
            case=case,
        ),
    ]


def target_against(name: str, size: int, p: int) -> float | None:
    """Return how many times faster than another algorithm ours should be, or None where nothing was promised."""
    targets = {
        (GALOIS, 1000, ONE_LIMB): 60.0,
        (FLINT_CONVERTED, 250, ONE_LIMB): 1.0,
        (FLINT, 1000, ONE_LIMB): 1.0,
        (FLINT, 4000, ONE_LIMB): 4.0,
        (FFLAS, 4000, ONE_LIMB): 1.0,
        (FFLAS, 8000, ONE_LIMB): 1.0,
        (FLINT, 4000, TWO_LIMBS): 1.0,
    }
    return targets.get((name, size, p))


def limb_figures(medians: dict[tuple[int, int, int], float], runs: int) -> list[Figure]:
    """Return what two limbs cost, where a matrix of the same size and rank was measured with one."""
    return [
        Figure(
            f"p = {TWO_LIMBS} / p = {ONE_LIMB}, n = {size}, rank {rank}",
            seconds / medians[size, ONE_LIMB, rank],
            "x",
            runs,
            target=4.0,
        )
        for (size, p, rank), seconds in medians.items()
        if p == TWO_LIMBS and (size, ONE_LIMB, rank) in medians
    ]


def label(size: int, p: int, rank: int) -> str:
    """Name a matrix."""
    return f"n = {size}, p = {p}, rank {rank}"
