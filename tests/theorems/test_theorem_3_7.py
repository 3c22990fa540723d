"""HMK Theorem 3.7: rk M_i >= 2 for i < l, no M_i skew-symmetric, L != 0: the fibre over (L, M) is one orbit of the
torus, of dimension l.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt

CASES = [
    ((3, 3, 3), (2, 2)),
    ((2, 2, 2), (2, 1)),
    ((4, 2, 3), (2, 2)),
    ((3, 2, 2, 2), (2, 2, 2)),
    ((2, 2, 2, 2, 2), (2, 2, 2, 2)),
]


def rank_of_virtual_weights(plain, dims, ranks, layers):
    """Return the rank of d(M, L) by the weights, by the product rule in plain integers."""
    rows = []
    for direction in plain.directions(layers):
        dM, dL = derivative_of_virtual_weights(plain, layers, direction)
        rows.append(np.concatenate([part.ravel() for part in (*dM, dL)]))
    return plain.rank(np.array(rows))


def derivative_of_virtual_weights(plain, layers, tangents):
    L, dL = np.eye(layers[0][0].shape[1], dtype=np.int64), np.zeros((layers[0][0].shape[1],) * 2, dtype=np.int64)
    dM = []
    for (Q, K, V), (dQ, dK, dV) in zip(layers, tangents, strict=True):
        A, dA = plain.times(K.T, Q), (dK.T @ Q + K.T @ dQ) % plain.p
        dM.append((plain.times(dL.T, A, L) + plain.times(L.T, dA, L) + plain.times(L.T, A, dL)) % plain.p)
        dL = (dV @ L + V @ dL) % plain.p
        L = plain.times(V, L)
    return dM, dL


@pytest.mark.parametrize(("dims", "ranks"), CASES[:4])
def test_the_fibre_has_dimension_l(plain, dims, ranks):
    layers = plain.weights(dims, ranks, seed=0)
    of_virtual = rank_of_virtual_weights(plain, dims, ranks, layers)
    assert of_virtual - plain.dimension(dims, ranks, 3) == len(ranks)
    assert algatt.geometry.fiber_dimensions(algatt.Lightning(dims, ranks, 3))[2].measured == len(ranks)


@pytest.mark.parametrize(("dims", "ranks"), CASES)
def test_the_torus_leaves_the_function_and_nothing_near_does(plain, dims, ranks):
    """lambda_0 prod lambda_i^(3^(l - i)) = 1: the orbit gives the function; one factor more, and it is another
    function.
    """
    p = plain.p
    arch = algatt.Lightning(dims, ranks, 2)
    field = algatt.PrimeField(p)
    M, L = plain.virtual_weights(plain.weights(dims, ranks, seed=1))
    scales = [int(x) for x in np.random.default_rng(2).integers(2, p, len(M))]
    last = 1
    for i, scale in enumerate(scales, start=1):
        last = last * pow(scale, -(3 ** (len(M) - i)), p) % p
    one = algatt.VirtualWeights.of(M, L, field=field)
    two = algatt.VirtualWeights.of(
        [s * matrix % p for s, matrix in zip(scales, M, strict=True)], last * L % p, field=field
    )
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (True, "proven")
    assert algatt.act(answer.element, one) == two
    off = algatt.VirtualWeights.of(
        [s * matrix % p for s, matrix in zip(scales, M, strict=True)], 2 * last * L % p, field=field
    )
    assert not algatt.same_function(arch, one, off).equal
    for k in range(len(M)):
        transposed = [matrix.T if i == k else matrix for i, matrix in enumerate(M)]
        assert not algatt.same_function(arch, one, algatt.VirtualWeights.of(transposed, L, field=field)).equal


def test_without_rank_two_a_transpose_is_the_same_function(plain):
    """a = (1, 1): M_2 -> M_2^T, though the dimension is the one expected."""
    dims, ranks = (3, 3, 3), (1, 1)
    arch = algatt.Lightning(dims, ranks, 3)
    M, L = plain.virtual_weights(plain.weights(dims, ranks, seed=3))
    field = algatt.PrimeField(plain.p)
    one, two = algatt.VirtualWeights.of(M, L, field=field), algatt.VirtualWeights.of([M[0], M[1].T], L, field=field)
    assert algatt.same_function(arch, one, two).equal
    assert algatt.dimension(arch).value == plain.dimension(dims, ranks, 3)
    assert any("rk M_1 >= 2" in reason for reason in algatt.fiber(arch, one).failing_hypotheses)


def test_a_skew_matrix_exchanges_its_place_with_another(plain):
    """For d_0 = 2 and J skew, (J, det(G) G) and (G, J) are one function, for every G: so no M_i may be skew."""
    J, G, L = np.array([[0, 1], [-1, 0]]), np.array([[1, 2], [3, 7]]), np.array([[1, 2], [0, 5]])
    p = plain.p
    arch = algatt.Lightning((2, 2, 2), (2, 2), 3)
    field = algatt.PrimeField(p)
    one = algatt.VirtualWeights.of([J % p, (7 - 6) * G], L, field=field)
    two = algatt.VirtualWeights.of([G, J % p], L, field=field)
    X = plain.random((4, 2, 3), seed=5)
    assert (algatt.evaluate(arch, one, X) == algatt.evaluate(arch, two, X)).all()
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status, answer.element) == (True, "probable", None)
    assert 0 < answer.error <= 1e-9
    for theta in (one, two):
        assert any("skew" in reason for reason in algatt.fiber(arch, theta).failing_hypotheses)
