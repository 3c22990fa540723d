"""HMK Lemma 3.1: for K^T Q of rank a <= d, the (Q, K) with that attention matrix are one orbit of GL(a), of dimension
a^2.
"""

import flint
import numpy as np
import pytest

import algatt
from algatt.fields import Elements

P = algatt.PrimeField().p


def matrix(array):
    rows, columns = array.shape
    return flint.nmod_mat(rows, columns, [int(x) for x in array.ravel()], P)


def array(flint_matrix):
    return np.array([[int(x) for x in row] for row in flint_matrix.table()], dtype=np.int64)


def pivots(reduced, rank):
    return [next(k for k, x in enumerate(row) if x) for row in array(reduced)[:rank].tolist()]


def another_factorisation(A, a):
    """Return (Q', K') with K'^T Q' = A from the echelon form: Q' its non-zero rows, K'^T the pivot columns of A."""
    reduced, rank = matrix(A).rref()
    assert rank == a
    return array(reduced)[:a], A[:, pivots(reduced, a)].T


def gauge_between(K, other):
    """Return C with C K = K', read off columns in which K is invertible."""
    columns = pivots(*matrix(K).rref())
    return array(matrix(other[:, columns]) * matrix(K[:, columns]).inv())


def integers(public):
    return np.array(public.tolist(), dtype=object)


def differential_rank(Q, K):
    """Return the rank of (dQ, dK) -> dK^T Q + K^T dQ, written out entry by entry."""
    a, d = Q.shape
    columns = []
    for r in range(a):
        for s in range(d):
            by_Q, by_K = np.zeros((d, d), dtype=np.int64), np.zeros((d, d), dtype=np.int64)
            by_Q[:, s] = K[r]
            by_K[s] = Q[r]
            columns += [by_Q.ravel(), by_K.ravel()]
    return matrix(np.array(columns)).rank()


@pytest.mark.parametrize(("d", "a"), [(1, 1), (2, 1), (3, 2), (3, 3), (5, 2), (6, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_any_two_factorisations_lie_in_one_orbit(d, a, seed):
    arch = algatt.Lightning((d, 2), (a,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    (Q, K, V), *_ = theta.layers
    A = integers(K).T @ integers(Q) % P
    other_Q, other_K = another_factorisation(A, a)
    assert np.array_equal(integers(other_K).T @ integers(other_Q) % P, A)
    gauge = algatt.symmetry.KeyQuery(arch).of((Elements.of(theta.field, gauge_between(integers(K), other_K)),))
    assert algatt.act(gauge, theta) == algatt.Weights.of([(other_Q, other_K, V)], field=theta.field)


@pytest.mark.parametrize(("d", "a"), [(1, 1), (2, 1), (2, 2), (3, 2), (5, 3)])
def test_the_fibre_has_dimension_a_squared(plain, d, a):
    Q, K = plain.random((a, d), 1), plain.random((a, d), 2)
    assert 2 * a * d - differential_rank(Q, K) == a * a
    assert algatt.symmetry.KeyQuery(algatt.Lightning((d, 1), (a,), 2)).dimension == a * a


def test_the_orbit_lies_in_the_fibre():
    arch = algatt.Lightning((4, 3, 2), (2, 5), 2)
    theta = algatt.sample(arch, algatt.Weights)
    moved = algatt.act(algatt.symmetry.KeyQuery(arch).element(theta), theta)
    for before, after in zip(theta.layers, moved.layers, strict=True):
        assert not np.array_equal(before.Q, after.Q)
        assert np.array_equal(
            integers(before.K).T @ integers(before.Q) % P, integers(after.K).T @ integers(after.Q) % P
        )


@pytest.mark.parametrize(("d", "a"), [(1, 2), (2, 3), (2, 5), (3, 4)])
def test_with_a_larger_than_d_the_fibre_is_smaller_than_a_squared(plain, d, a):
    Q, K = plain.random((a, d), 1), plain.random((a, d), 2)
    fibre = 2 * a * d - differential_rank(Q, K)
    assert fibre == 2 * a * d - d * d  # the attention matrices are all d x d matrices
    assert fibre < a * a
    assert algatt.symmetry.KeyQuery(algatt.Lightning((d, 1), (a,), 2)).dimension == fibre


def test_with_a_larger_than_d_a_gauge_is_not_determined_by_what_it_does():
    # C = I + u v^T with v orthogonal to the columns of K and u to those of Q moves nothing.
    K = np.array([[1, 0], [0, 1], [0, 0]])
    Q = np.array([[1, 2], [3, 4], [0, 0]])
    theta = algatt.Weights.of([(Q, K, np.array([[1, 1]]))], field=algatt.PrimeField())
    C = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 7]])
    family = algatt.symmetry.KeyQuery(algatt.Lightning((2, 1), (3,), 2))
    assert algatt.act(family.of((Elements.of(theta.field, C),)), theta) == theta


def test_with_a_matrix_of_lower_rank_the_fibre_is_more_than_one_orbit():
    # K^T Q = e_1 e_1^T has rank 1 < a = 2; an orbit keeps the rank of Q, but the fibre has points with rank 1 and 2.
    K = np.array([[1, 0, 0], [0, 0, 0]])
    narrow, wide = np.array([[1, 0, 0], [0, 0, 0]]), np.array([[1, 0, 0], [0, 1, 0]])
    V = np.array([[1, 1, 1]])
    theta, other = (algatt.Weights.of([(Q, K, V)], field=algatt.PrimeField()) for Q in (narrow, wide))
    assert algatt.convert(theta, algatt.AttentionMatrix) == algatt.convert(other, algatt.AttentionMatrix)
    assert matrix(narrow).rank() == 1
    assert matrix(wide).rank() == 2
    family = algatt.symmetry.KeyQuery(algatt.Lightning((3, 1), (2,), 2))
    assert all(algatt.rank(algatt.act(family.element(theta, seed), theta).layers[0].Q) == 1 for seed in range(5))
