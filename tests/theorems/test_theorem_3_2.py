"""HMK Theorem 3.2: the fibres of one layer, by running over all points (A, V) over a small field."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

import algatt

P = 3


def forms(A, V):
    """Return the coefficients of all (a_k . x)(v_m . x), which determine the function for t >= 2: those of x_i x_j, i
    <= j.
    """
    coefficients = []
    for k, m in product(range(A.shape[1]), range(V.shape[0])):
        square = np.outer(A[:, k], V[m])
        coefficients += [*np.diagonal(square), *[square[i, j] + square[j, i] for i in range(len(A)) for j in range(i)]]
    return tuple(int(x) % P for x in coefficients)


def all_matrices(rows, columns):
    return [np.array(entries).reshape(rows, columns) for entries in product(range(P), repeat=rows * columns)]


def rank(matrix):
    """Return the rank over GF(3) of a matrix with at most two rows or columns."""
    if not (matrix % P).any():
        return 0
    minors = [
        matrix[i, k] * matrix[j, m] - matrix[i, m] * matrix[j, k]
        for i in range(matrix.shape[0])
        for j in range(i)
        for k in range(matrix.shape[1])
        for m in range(k)
    ]
    return 2 if any(minor % P for minor in minors) else 1


@pytest.fixture(scope="module", params=[(2, 1, 2), (2, 2, 1), (2, 2, 2)], ids=str)
def fibres(request):
    """All fibres of the widths (d, e) with rank at most a."""
    d, e, a = request.param
    grouped = defaultdict(list)
    for A in all_matrices(d, d):
        if rank(A) <= a:
            for V in all_matrices(e, d):
                grouped[forms(A, V)].append((A, V))
    return algatt.Lightning((d, e), (a,), 2), list(grouped.values())


def test_every_fibre_is_one_of_the_three_cases(fibres):
    _, groups = fibres
    for members in groups:
        A, V = members[0]
        if not A.any() or not V.any():
            assert all(not one.any() or not two.any() for one, two in members)
            continue
        assert {(rank(one), rank(two)) for one, two in members} == {(rank(A), rank(V))}
        scalings = {tuple(np.concatenate([s * A % P, pow(s, -1, P) * V % P]).ravel()) for s in range(1, P)}
        found = {tuple(np.concatenate([one, two]).ravel()) for one, two in members}
        assert scalings <= found
        if rank(A) == rank(V) == 1:
            assert len(found) in (P - 1, 2 * (P - 1))
        else:
            assert found == scalings


def test_the_package_finds_the_same_fibres(fibres):
    arch, groups = fibres
    field = algatt.PrimeField(P)
    rng = np.random.default_rng(0)
    chosen = [groups[int(k)] for k in rng.integers(0, len(groups), 25)] + [max(groups, key=len)]
    for members in chosen:
        fiber = algatt.fiber(arch, algatt.AttentionMatrix.of([members[0]], field=field))
        sizes = {1: P - 1, 2: 2 * (P - 1)}
        if fiber.projective_cardinality is not None:
            assert sizes[fiber.projective_cardinality] == len(members)
        for A, V in members[:6]:
            assert fiber.contains(algatt.AttentionMatrix.of([(A, V)], field=field))
        found = {tuple(np.concatenate([one, two]).ravel()) for one, two in members}
        for seed in range(4):
            (sampled,) = fiber.sample(seed).layers
            assert tuple(int(x) for x in np.concatenate([sampled.A, sampled.V]).ravel()) in found


def test_points_of_different_fibres_are_never_called_equal(fibres):
    """Over GF(3) an input may not exist that separates two polynomials; then the answer is refused, not guessed."""
    arch, groups = fibres
    field = algatt.PrimeField(P)
    rng = np.random.default_rng(1)
    separated = 0
    for _ in range(60):
        one, two = (groups[int(k)][0] for k in rng.choice(len(groups), 2, replace=False))
        points = [algatt.AttentionMatrix.of([pair], field=field) for pair in (one, two)]
        try:
            answer = algatt.same_function(arch, *points)
        except algatt.errors.EquivalenceUndecided:
            continue
        assert not answer.equal
        separated += 1
    assert separated > 30
