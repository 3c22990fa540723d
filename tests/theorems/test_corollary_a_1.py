"""HMK Eq 19 and Corollary A.1, as derived here: the projective map of one layer, at all points over small fields."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

import algatt

CASES = [(3, 2, 1, 1), (3, 2, 1, 2), (3, 2, 2, 1), (3, 2, 2, 2), (5, 2, 1, 1), (5, 2, 1, 2), (3, 1, 2, 3), (3, 3, 1, 1)]
"""p, d_0, d_1, a_1."""


def lines(p, rows, columns):
    """Return a matrix on each line: those whose first entry that is not zero is 1."""
    matrices = [np.array(entries) for entries in product(range(p), repeat=rows * columns) if any(entries)]
    return [matrix.reshape(rows, columns) for matrix in matrices if matrix[np.flatnonzero(matrix)[0]] == 1]


def rank(matrix, p):
    """Return 1, or 2 for more: whether all minors of order two vanish."""
    minors = np.einsum("ik,jm->ijkm", matrix, matrix) - np.einsum("im,jk->ijkm", matrix, matrix)
    return 2 if (minors % p).any() else 1


def image(A, V, p):
    """Return the line of the coefficients of all (a_k . x)(v_m . x), which determine the function; None for zero."""
    products = np.einsum("ik,mj->kmij", A, V)
    total = (products + products.swapaxes(2, 3)) % p
    diagonal = np.einsum("kmii->kmi", products) % p
    upper = np.triu_indices(len(A), 1)
    coefficients = np.concatenate([diagonal.ravel(), total[:, :, upper[0], upper[1]].ravel()])
    if not coefficients.any():
        return None
    first = int(coefficients[np.flatnonzero(coefficients)[0]])
    return tuple(int(x) for x in coefficients * pow(first, -1, p) % p)


@pytest.fixture(scope="module", params=CASES, ids=str)
def fibres(request):
    p, d, e, a = request.param
    grouped = defaultdict(list)
    for A, V in product([A for A in lines(p, d, d) if a > 1 or rank(A, p) == 1], lines(p, e, d)):
        grouped[image(A, V, p)].append((A, V))
    return request.param, grouped


def test_the_map_is_defined_everywhere(fibres):
    _, grouped = fibres
    assert None not in grouped


def test_the_number_of_points_of_the_image(fibres):
    """All pairs of lines, less one for each pair of swapped points: A and V of rank one with [k] != [h], halved."""
    (p, d, e, a), grouped = fibres
    count = {n: (p**n - 1) // (p - 1) for n in (d, e)}  # the points of projective spaces
    matrices = {1: count[d] ** 2, 2: (p ** (d * d) - 1) // (p - 1)}
    pairs = matrices[min(a, d, 2) if d > 1 else 1] * ((p ** (d * e) - 1) // (p - 1))
    swapped = count[d] * (count[d] - 1) * count[d] * count[e]
    assert sum(map(len, grouped.values())) == pairs
    assert len(grouped) == pairs - swapped // 2


def test_fibres_have_one_or_two_points(fibres):
    (p, *_), grouped = fibres
    for members in grouped.values():
        assert len(members) in (1, 2)
        if len(members) == 2:
            (A, V), (B, W) = members
            assert {rank(matrix, p) for matrix in (A, V, B, W)} == {1}
            k, h = (matrix[:, matrix.any(axis=0)][:, 0] for matrix in (A, V.T))
            swapped = (matrix[:, matrix.any(axis=0)][:, 0] for matrix in (W.T, B))
            assert all(rank(np.stack(pair), p) == 1 for pair in zip((k, h), swapped, strict=True))
            assert rank(np.stack([k, h]), p) == 2


def test_the_package_counts_the_same_points(fibres):
    (p, d, e, a), grouped = fibres
    arch, field = algatt.Lightning((d, e), (a,), 2), algatt.PrimeField(p)
    members = list(grouped.values())
    for index in np.random.default_rng(0).integers(0, len(members), 20):
        point = algatt.AttentionMatrix.of([members[index][0]], field=field)
        assert algatt.fiber(arch, point).projective_cardinality == len(members[index])


@pytest.mark.parametrize(
    ("dims", "rank", "expected"),
    [
        ((3, 1), 1, 2),
        ((3, 2), 1, 1),
        ((3, 1), 2, 1),
        ((1, 1), 1, 1),
        ((1, 3), 2, 1),
    ],
)
def test_general_fibres_have_one_point_unless_both_ranks_are_one(dims, rank, expected):
    arch = algatt.Lightning(dims, (rank,), 2)
    assert algatt.fiber(arch, algatt.sample(arch, algatt.AttentionMatrix, seed=1)).projective_cardinality == expected


def test_one_token_maps_a_skew_symmetric_matrix_to_zero():
    """x^T A x = 0 for all x: the map is not defined there."""
    inputs = np.array(list(product(range(5), repeat=2)))
    A = np.array([[0, 1], [4, 0]])
    assert not (np.einsum("na,ab,nb->n", inputs, A, inputs) % 5).any()
