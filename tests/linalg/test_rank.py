"""Ranks: those that theory gives over GF(p), and those that floating point may and may not tell."""

from __future__ import annotations

from math import comb, gcd, inf
from typing import Any

import flint
import galois
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Elements
from algatt.linalg import Blas, Flint, RankVerdict

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)
EPSILON = 2.0**-52


def exact_rank(matrix: Any, p: int) -> int:
    """Return the rank modulo p, on which two engines agree, of a matrix of Python integers."""
    residues = np.array([[int(x) % p for x in row] for row in matrix], dtype=object)
    ranks = {algatt.rank(Elements.of(PrimeField(p), residues), engine=engine) for engine in (Blas(), Flint())}
    assert len(ranks) == 1
    return int(ranks.pop())


# ----- exact ranks from theory


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("n", [1, 7, 33, 40])
def test_pascal_matrices_have_determinant_1(p: int, n: int) -> None:
    assert exact_rank([[comb(i + j, i) for j in range(n)] for i in range(n)], p) == n
    assert exact_rank([[comb(i, j) for j in range(n)] for i in range(n)], p) == n


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(
    ("nodes", "columns"), [(range(5), 5), (range(40), 12), (range(-3, 4), 40), ([2, 9, 2, 5, 9, 2, 0], 6)]
)
def test_vandermonde_matrices_have_as_many_independent_rows_as_different_nodes(
    p: int, nodes: Any, columns: int
) -> None:
    matrix = [[pow(x, k, p) for k in range(columns)] for x in nodes]
    assert exact_rank(matrix, p) == min(len({x % p for x in nodes}), columns)


@pytest.mark.parametrize("p", [p for p in PRIMES if p > 30])
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (15, 15), (4, 20), (20, 4)])
def test_cauchy_matrices_have_full_rank(p: int, rows: int, columns: int) -> None:
    """The determinant of (1 / (x_i - y_j)) is a product of differences, none of which vanishes."""
    matrix = [[pow(i - (rows + j), -1, p) for j in range(columns)] for i in range(rows)]
    assert exact_rank(matrix, p) == min(rows, columns)


@pytest.mark.parametrize("p", [p for p in PRIMES if p > 30])
def test_hilbert_matrices_are_cauchy_matrices(p: int) -> None:
    for n in (3, 15):
        assert exact_rank([[pow(i + j + 1, -1, p) for j in range(n)] for i in range(n)], p) == n


def circulant(row: list[int]) -> list[list[int]]:
    n = len(row)
    return [[row[(j - i) % n] for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("n", "a"), [(6, 4), (31, 7), (62, 31), (64, 24), (45, 30)])
def test_circulant_matrices_of_binomials(p: int, n: int, a: int) -> None:
    """The rank is n - deg gcd(f, x^n - 1), f the polynomial of the first row (Ingleton 1956); gcd(x^a - 1, x^n - 1) =
    x^gcd(a, n) - 1.
    """
    assert exact_rank(circulant([-1] + [int(k == a) for k in range(1, n)]), p) == n - gcd(a, n)


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize(("n", "a"), [(6, 2), (31, 31), (62, 31), (64, 24), (45, 30), (48, 9)])
def test_circulant_matrices_of_consecutive_ones(p: int, n: int, a: int) -> None:
    """Here the greatest common divisor depends on whether p divides n; FLINT's polynomials find it."""
    cyclic = flint.nmod_poly([p - 1] + [0] * (n - 1) + [1], p)
    expected = n - int(flint.nmod_poly([1] * a, p).gcd(cyclic).degree())
    assert exact_rank(circulant([1] * a + [0] * (n - a)), p) == expected


@pytest.mark.parametrize("p", PRIMES)
@pytest.mark.parametrize("n", [2, 3, 4, 31, 32, 33, 63])
def test_complete_graphs(p: int, n: int) -> None:
    """The adjacency matrix J - I has the eigenvalues n - 1, once, and -1."""
    matrix = np.ones((n, n), dtype=int) - np.eye(n, dtype=int)
    assert exact_rank(matrix, p) == (n - 1 if (n - 1) % p == 0 else n)


@pytest.mark.parametrize("p", PRIMES)
def test_sylvester_matrices(p: int) -> None:
    """H H^T = n I with n a power of 2, and modulo 2 all entries agree."""
    matrix = np.array([[1]])
    for _ in range(6):
        matrix = np.kron(matrix, [[1, 1], [1, -1]])
        assert exact_rank(matrix, p) == (1 if p == 2 else len(matrix))


# Singer difference sets: the lines of the projective plane of order q are the translates modulo q^2 + q + 1.
PLANES = {2: (0, 1, 3), 3: (0, 1, 3, 9), 4: (0, 1, 4, 14, 16), 8: (1, 2, 4, 8, 16, 32, 37, 55, 64)}


@pytest.mark.parametrize(("q", "p", "h"), [(2, 2, 1), (3, 3, 1), (4, 2, 2), (8, 2, 3)])
def test_projective_planes(q: int, p: int, h: int) -> None:
    """The rank of the plane of order q = p^h is C(p + 1, 2)^h + 1 modulo p, and full modulo all other primes but those
    that divide q + 1.
    """
    n = q * q + q + 1
    differences = sorted((x - y) % n for x in PLANES[q] for y in PLANES[q] if x != y)
    assert differences == list(range(1, n))
    matrix = [[int((point - line) % n in PLANES[q]) for point in range(n)] for line in range(n)]
    assert exact_rank(matrix, p) == comb(p + 1, 2) ** h + 1
    for other in PRIMES:
        if (
            other != p
        ):  # N N^T = q I + J has the determinant (q + 1)^2 q^(n - 1); J is the sum of all lines only up to q + 1
            assert exact_rank(matrix, other) == (n if (q + 1) % other else n - 1)


Edges = list[tuple[int, int]]


def incidence(vertices: int, edges: Edges) -> np.ndarray:
    """The oriented incidence matrix, vertices by edges."""
    matrix = np.zeros((vertices, len(edges)), dtype=int)
    for column, (tail, head) in enumerate(edges):
        matrix[tail, column], matrix[head, column] = -1, 1
    return matrix


PETERSEN = [edge for i in range(5) for edge in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))]
CYCLE_AND_PATH = [(i, (i + 1) % 7) for i in range(7)] + [(i, i + 1) for i in range(7, 46)]
COMPLETE = [(i, j) for j in range(12) for i in range(j)]


@pytest.mark.parametrize(
    ("vertices", "edges", "components"),
    [(10, PETERSEN, 1), (47, CYCLE_AND_PATH, 2), (12, COMPLETE, 1), (3, [], 3)],
    ids=["Petersen", "a cycle and a path", "complete", "three points"],
)
def test_incidence_matrices_have_the_rank_vertices_less_components(
    vertices: int, edges: Edges, components: int
) -> None:
    matrix = incidence(vertices, edges)
    for p in PRIMES:
        assert exact_rank(matrix, p) == vertices - components
    verdict = algatt.rank(matrix)
    assert verdict.rank == vertices - components
    assert verdict.gap > 1e3


# ----- shapes


def test_matrices_alone_have_ranks() -> None:
    for array in (np.zeros(3), np.zeros((2, 2, 2)), galois.GF(31)([1, 2])):
        with pytest.raises(InvalidArgument) as caught:
            algatt.rank(array)
        assert str(caught.value) == f"matrix was of shape {array.shape}; it should be of shape (rows, columns)"


@pytest.mark.parametrize("field", [PrimeField(31), Reals()], ids=str)
def test_elements_with_another_number_of_axes_have_no_rank(field: algatt.fields.Field) -> None:
    with pytest.raises(InvalidArgument):
        algatt.rank(Elements.of(field, np.ones((2, 2, 2), dtype=int)))


def test_dual_numbers_have_no_rank() -> None:
    with pytest.raises((InvalidArgument, algatt.errors.MethodError)):
        algatt.rank(Elements.of(algatt.fields.Dual(PrimeField(31)), [[1, 2], [3, 4]]))


# ----- floating point: diagonal and orthogonal matrices have known singular values


def orthogonal(n: int, seed: int) -> np.ndarray:
    """A product of reflections, so orthogonal up to rounding."""
    generator = np.random.default_rng(seed)
    matrix = np.eye(n)
    for _ in range(3):
        v = generator.standard_normal(n)
        matrix -= 2 / (v @ v) * np.outer(v, v @ matrix)
    return matrix


def with_singular_values(values: list[float], rows: int, columns: int) -> np.ndarray:
    middle = np.zeros((rows, columns))
    middle[range(len(values)), range(len(values))] = values
    return np.asarray(orthogonal(rows, 1) @ middle @ orthogonal(columns, 2))


def test_the_gap_of_a_full_rank_reaches_down_to_rounding() -> None:
    assert algatt.rank(np.eye(4)) == RankVerdict(4, 1 / (4 * EPSILON))
    assert algatt.rank(np.diag([8.0, 4.0, 2.0, 1.0])) == RankVerdict(4, 1 / (32 * EPSILON))
    assert algatt.rank(np.eye(3, 5) * 1e-200).rank == 3


def test_singular_values_below_rounding_count_as_rounding() -> None:
    assert algatt.rank(np.diag([4.0, 2.0, 0.0])) == RankVerdict(2, 2 / (12 * EPSILON))
    assert algatt.rank(np.diag([1.0, 1.0, 2.0**-52])) == RankVerdict(2, 1 / (3 * EPSILON))


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (9, 5), (5, 9), (40, 5), (6, 60)])
@pytest.mark.parametrize("rank", [1, 3, 5])
def test_a_rank_with_a_gap_is_found(rows: int, columns: int, rank: int) -> None:
    verdict = algatt.rank(with_singular_values([2.0**-k for k in range(rank)], rows, columns))
    assert verdict.rank == rank
    smallest = 2.0 ** (1 - rank)
    assert verdict.gap == pytest.approx(smallest / (max(rows, columns) * EPSILON), rel=1e-6)


@given(
    upper=st.lists(st.floats(1, 50), min_size=1, max_size=5),
    lower=st.lists(st.floats(1e-9, 5e-8), min_size=1, max_size=5),
    seed=st.integers(0, 99),
)
def test_of_several_gaps_the_widest_has_to_be_the_last(upper: list[float], lower: list[float], seed: int) -> None:
    """Between the groups there is a factor of at least 2e7; from the lower one to rounding there are more than 1e3 and
    at most 5e8.
    """
    n = len(upper) + len(lower)
    values = sorted(upper + lower, reverse=True)
    matrix = orthogonal(n, seed) @ np.diag(values) @ orthogonal(n, seed + 100)
    floor = n * EPSILON * values[0]
    ratios = {len(upper): min(upper) / max(lower), n: min(lower) / floor}
    if ratios[n] > 1.01 * ratios[len(upper)]:
        assert algatt.rank(matrix).rank == n
    elif ratios[len(upper)] > 1.01 * ratios[n]:
        with pytest.raises(RankUndecided, match="the singular values have several gaps"):
            algatt.rank(matrix)


@pytest.mark.parametrize("n", [13, 20])
def test_hilbert_matrices_are_refused(n: int) -> None:
    """They are invertible, but their singular values run down into rounding without a gap."""
    with pytest.raises(RankUndecided, match="no gap in the singular values is wide enough") as caught:
        algatt.rank(1 / (np.arange(n)[:, None] + np.arange(n) + 1.0))
    assert 1 < caught.value.gap < 1e3 == caught.value.required


def test_a_slow_decay_is_refused_with_the_spectrum_around_the_widest_gap() -> None:
    """The values 2^-8k fall by 256 each, the last one is just above rounding."""
    values = [2.0 ** (-8 * k) for k in range(7)]
    matrix = np.diag(values)
    with pytest.raises(RankUndecided) as caught:
        algatt.rank(matrix)
    error = caught.value
    assert (error.gap, error.required) == (256.0, 1e3)
    assert 4 <= len(error.singular_values) <= 7
    assert set(error.singular_values) <= set(values)
    assert str(error).startswith(
        "the float rank is undecided: no gap in the singular values is wide enough (widest gap 256, required 1e+03; "
    )
    assert "1, 0.00391, 1.53e-05" in str(error)
    assert str(error).endswith("compute over a PrimeField or Balls() instead")
    with pytest.raises(RankUndecided, match=r"several gaps \(widest gap 256, required 200"):
        algatt.rank(matrix, gap=200)


def test_two_gaps_are_refused() -> None:
    with pytest.raises(RankUndecided, match="the singular values have several gaps") as caught:
        algatt.rank(np.diag([1.0, 1.0, 2.0**-30, 2.0**-45]))
    assert caught.value.gap == 2.0**30
    assert caught.value.singular_values == (1.0, 1.0, 2.0**-30, 2.0**-45)


def test_the_required_gap_is_an_option() -> None:
    matrix = np.diag([1.0, 2.0**-8])
    assert algatt.rank(matrix, gap=1e12) == RankVerdict(2, 2.0**-8 / (2 * EPSILON))
    with pytest.raises(RankUndecided, match=r"widest gap 8.8e\+12, required 1e\+14"):
        algatt.rank(matrix, gap=1e14)


@pytest.mark.parametrize("gap", [1, 0, -5.0, np.nan])
def test_a_gap_that_decides_nothing_is_refused(gap: float) -> None:
    with pytest.raises(InvalidArgument) as caught:
        algatt.rank(np.eye(2), gap=gap)
    assert str(caught.value) == f"gap was {gap!r}; it should be a number above 1"


def test_the_rank_does_not_depend_on_the_scale() -> None:
    matrix = with_singular_values([5.0, 3.0, 1.0], 6, 4)
    for scale in (1e-150, 1.0, 1e150):
        assert algatt.rank(scale * matrix).rank == 3


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (3, 4)])
def test_zero_and_empty_float_matrices_have_rank_0(shape: tuple[int, int]) -> None:
    assert algatt.rank(np.zeros(shape)) == RankVerdict(0, inf)


def test_integer_arrays_are_real_matrices() -> None:
    assert algatt.rank(np.array([[1, 2], [2, 4]])).rank == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_infinity_are_refused(bad: float) -> None:
    for question in (algatt.rank, algatt.kernel):
        with pytest.raises(InvalidArgument, match="matrix was with NaN or infinity; it should be with finite entries"):
            question(np.array([[1.0, bad]]))


@pytest.mark.parametrize("entry", [1e-310, 1e308])
def test_the_smallest_and_largest_floats(entry: float) -> None:
    assert algatt.rank(np.full((2, 2), entry)).rank == 1
    assert algatt.rank(np.array([[entry, 0.0], [0.0, entry]])).rank == 2
