"""Bordered minors of the values of one layer (derived, docs/theory/proposition_a_5.md): determinants by FLINT of what a
second token adds.
"""

from __future__ import annotations

import flint
import numpy as np
import pytest

import algatt

SIZES = [((2, 1), 1, 2), ((3, 2), 2, 2), ((4, 3), 2, 3), ((4, 2), 3, 2)]


def determinant(matrix, p):
    return int(flint.nmod_mat(*matrix.shape, [int(entry) for entry in matrix.ravel()], p).det())


def added(arch, theta, xs, ys):
    """Return what a second token y adds to the first entry of the column of x, for each y (row) and x (column)."""
    X = np.zeros((len(ys), len(xs), 2, arch.dims[0], arch.tokens), dtype=np.int64)
    X[..., 0] = xs[None, :, None]
    X[:, :, 1, :, 1] = ys[:, None]
    values = np.array(algatt.evaluate(arch, theta, X.reshape(-1, *X.shape[-2:])), dtype=np.int64)[:, 0, 0]
    alone, both = np.moveaxis(values.reshape(X.shape[:3]), 2, 0)
    return (both - alone) % theta.field.p


@pytest.fixture(params=SIZES)
def layer(request, plain):
    dims, rank, tokens = request.param
    arch = algatt.Lightning(dims, (rank,), tokens)
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.PrimeField(plain.p), seed=2)
    A, V = (np.array(matrix, dtype=np.int64) for matrix in theta.layers[0])
    assert plain.rank(A) == rank
    return arch, theta, A, V, rank


def test_a_minor_of_values_is_one_of_the_matrix_times_what_the_tokens_are_worth(layer, plain):
    arch, theta, A, V, rank = layer
    xs, ys = plain.random((rank, arch.dims[0]), 0), plain.random((rank, arch.dims[0]), 1)
    worth = 1
    for factor in plain.times(ys, V[0][:, None])[:, 0]:
        worth = worth * int(factor) % plain.p
    minor = determinant(plain.times(ys, A, xs.T), plain.p)
    assert minor != 0
    assert determinant(added(arch, theta, xs, ys), plain.p) == minor * worth % plain.p


def test_bordered_minors_vanish_at_the_rank_and_not_below_it(layer, plain):
    arch, theta, _, _, rank = layer
    for seed in range(3):
        xs, ys = (plain.random((rank + 1, arch.dims[0]), 2 * seed + side) for side in (0, 1))
        values = added(arch, theta, xs, ys)
        assert determinant(values, plain.p) == 0
        assert determinant(values[1:, 1:], plain.p) != 0


def test_the_bordered_minor_determines_the_entry_that_is_missing(layer, plain):
    arch, theta, _, _, rank = layer
    xs, ys = (plain.random((rank + 1, arch.dims[0]), side) for side in (7, 8))
    values = added(arch, theta, xs, ys)
    without = values.copy()
    without[0, 0] = 0
    cofactor = determinant(values[1:, 1:], plain.p)
    assert -determinant(without, plain.p) * pow(cofactor, -1, plain.p) % plain.p == values[0, 0]


def test_rows_and_columns_through_a_minor_are_the_dimension_of_the_matrices(layer, plain):
    """A rank of the differential of K^T Q, against the number of entries of the rows and columns."""
    _, _, A, _, rank = layer
    d = len(A)
    K, Q = plain.random((rank, d), 3), plain.random((rank, d), 4)
    by_K = np.einsum("ij,al->aijl", np.eye(d, dtype=np.int64), Q).reshape(rank * d, d * d)
    by_Q = np.einsum("ai,lj->alij", K, np.eye(d, dtype=np.int64)).reshape(rank * d, d * d)
    assert plain.rank(np.vstack([by_K, by_Q])) == rank * (2 * d - rank)
    pivot = np.zeros((d, d), dtype=bool)
    pivot[:rank], pivot[:, :rank] = True, True
    assert pivot.sum() == rank * (2 * d - rank)
