"""Products in float32 for small primes, and matrices at rest in float32, at their limits; Python's integers and FLINT
say what is right.
"""

from __future__ import annotations

import flint
import numpy as np
import pytest

from algatt import PrimeField
from algatt.linalg.arithmetic import FLOAT32_PRIME, CompiledFloats, Floats, arithmetic
from algatt.linalg.elimination import PANEL, STRIP, eliminate_working
from algatt.linalg.product import EXACT, EXACT_32, SINGLE_LIMB, exact_length

SMALL = (2, 3, 31, 251, 499, 503)


def test_the_largest_small_prime_has_room_for_half_a_panel_and_the_next_one_has_not() -> None:
    """Its sum of products of residues up to p / 2 + 2, with one more residue, is at most 2^24."""
    half = PANEL // 2
    for p, fits in ((503, True), (509, False)):
        assert (half * (p // 2 + 2) ** 2 + p // 2 + 2 <= 2**24) is fits
        assert (exact_length(p, p // 2 + 2, EXACT_32) >= half) is fits
    assert FLOAT32_PRIME == 503


@pytest.mark.parametrize("p", [*SMALL, 509, 8388593, 16777213])
def test_the_longest_sum_and_one_more(p: int) -> None:
    """Residues of the largest size and one sign, at the lengths at which a sum is just exact, and longer by one and
    two.
    """
    calculus = CompiledFloats(p)
    high = p // 2 + 2
    exact = EXACT_32 if p <= FLOAT32_PRIME else EXACT
    longest = exact_length(p, high, exact)
    assert longest * high**2 + p <= exact < (longest + 1) * high**2 + p or longest == 2**20
    for length in {1, 255, 256, 257, min(longest, 5000), min(longest, 5000) + 1, min(2 * longest, 5000) + 1}:
        for one, two, three in ((high, high, high), (-high, high, high), (high, -high, -high), (-high, -high, -high)):
            target = np.full((1, 1), three, dtype=np.float32)
            left, right = np.full((1, length), one, dtype=np.float32), np.full((length, 1), two, dtype=np.float32)
            calculus.subtract_product(target, left, right)
            assert (int(target[0, 0]) - (three - length * one * two)) % p == 0
            assert abs(target[0, 0]) <= high


@pytest.mark.parametrize("p", [*SMALL, 8388593, 16777213])
@pytest.mark.parametrize("columns", [PANEL + 40, 2 * STRIP + 44])
def test_panels_that_are_full_of_the_largest_residues(p: int, columns: int) -> None:
    """n I - J has rank n, or n - 1 where p divides n; and nearly all entries are -1. A multiple has all of the largest
    size.
    """
    n = columns
    scale = p // 2 or 1
    raw = np.full((n, n), -scale % p, dtype=np.int64)
    np.fill_diagonal(raw, scale * (n - 1) % p)
    field = PrimeField(p)
    calculus = CompiledFloats(p)
    form = eliminate_working(calculus, calculus.enter(raw.astype(np.float64)))
    given = flint.nmod_mat(n, n, raw.ravel().tolist(), p)
    assert form.rank == given.rank()
    minor = raw[np.ix_(form.pivot_rows, form.pivot_columns)]
    assert form.determinant == int(flint.nmod_mat(form.rank, form.rank, minor.ravel().tolist(), p).det()) != 0
    assert calculus.at_rest is np.float32
    assert arithmetic(field, 0).empty(1, 1).dtype == np.float64


@pytest.mark.parametrize("p", [503, 8388593])
def test_random_matrices_of_all_ranks(p: int) -> None:
    rng = np.random.default_rng(p)
    for rank in (0, 1, 100, 299, 300):
        left, right = rng.integers(0, p, (300, rank)), rng.integers(0, p, (rank, 320))
        raw = left @ right % p  # sums below 2^63
        calculus = CompiledFloats(p)
        form = eliminate_working(calculus, calculus.enter(raw.astype(np.float64)))
        reduced, known = flint.nmod_mat(300, 320, raw.ravel().tolist(), p).rref()
        assert form.rank == known
        expected = np.array([int(x) for x in reduced.entries()], dtype=np.int64).reshape(300, 320)[: form.rank]
        order = np.argsort(form.pivot_columns)
        assert np.array_equal(calculus.leave(form.tail())[order], expected[:, form.order[form.rank :]])


def test_residues_up_to_the_last_prime_at_rest_are_held() -> None:
    """16777213 is the largest prime below 2^24."""
    assert SINGLE_LIMB == 2**24
    p = 16777213
    raw = np.array([[0.0, 1.0, p // 2, p // 2 + 1, p - 1]])
    calculus = CompiledFloats(p)
    work = calculus.enter(raw)
    assert work.dtype == np.float32
    assert np.array_equal(calculus.leave(work), raw)
    assert CompiledFloats(16777259).enter(raw).dtype == np.float64


@pytest.mark.parametrize("p", [503, 8388593])
@pytest.mark.parametrize(("first", "second"), [(Floats, CompiledFloats), (CompiledFloats, Floats)])
def test_both_kinds_of_matrices_meet_in_one_product(p: int, first: type[Floats], second: type[Floats]) -> None:
    """A batch of many rows is at rest in float32, one of few in float64; each is reduced by the other."""
    rng = np.random.default_rng(1)
    target, left, right = (rng.integers(0, p, shape) for shape in ((70, 90), (70, 260), (260, 90)))
    expected = (target - left.astype(object) @ right.astype(object)) % p
    calculus = second(p)
    work = [kind(p).enter(raw.astype(np.float64)) for kind, raw in ((first, target), (second, left), (first, right))]
    calculus.subtract_product(*work)
    assert (work[0].astype(np.int64) % p).tolist() == expected.tolist()


@pytest.mark.parametrize("p", [503, 8388593, 2147483647])
def test_zero_rows_and_columns_of_factors_change_nothing(p: int) -> None:
    rng = np.random.default_rng(2)
    target, left, right = (rng.integers(0, p, shape) for shape in ((200, 150), (200, 40), (40, 150)))
    left[rng.permutation(200)[:150]] = 0
    right[:, rng.permutation(150)[:100]] = 0
    expected = (target - left.astype(object) @ right.astype(object)) % p
    for kind in (Floats, CompiledFloats):
        calculus = kind(p)
        work = [calculus.enter(raw.astype(np.float64)) for raw in (target, left, right)]
        calculus.subtract_product(*work)
        assert (work[0].astype(np.int64) % p).tolist() == expected.tolist()
