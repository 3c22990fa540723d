"""HMK Lemma 3.5: interior widths delta <= d_0, d_l and V_i of rank delta: the fibre of (A, V) -> (M, L) is an orbit of
the interlayer gauge.

So it has dimension (l - 1) delta^2.
"""

import flint
import numpy as np
import pytest

import algatt
from algatt.fields import Elements

P = algatt.PrimeField().p


def integers(public):
    return np.array(public.tolist(), dtype=object)


def echelon(array):
    """Return the non-zero rows of the reduced echelon form, and its pivot columns."""
    rows, columns = array.shape
    reduced, rank = flint.nmod_mat(rows, columns, [int(x) for x in array.ravel()], P).rref()
    table = [[int(x) for x in row] for row in reduced.table()][:rank]
    return np.array(table, dtype=object), [next(k for k, x in enumerate(row) if x) for row in table]


def point_from_virtual_weights(M, L):
    """Build attention and value matrices from M and L alone: V_1 is the echelon form R of L, V_i = I, V_l and the A_i
    are columns at its pivots.
    """
    R, pivots = echelon(L)
    delta = len(pivots)
    identity = np.eye(delta, dtype=object)
    A = [M[0], *(matrix[np.ix_(pivots, pivots)] for matrix in M[1:])]
    V = [R, *[identity] * (len(M) - 2), L[:, pivots]]
    return algatt.AttentionMatrix.of(list(zip(A, V, strict=True)), field=algatt.PrimeField())


BOTTLENECKS = [
    ((2, 2, 2), (2, 2)),
    ((4, 2, 3), (2, 1)),
    ((3, 3, 3), (2, 2)),
    ((4, 2, 2, 3), (2, 2, 1)),
    ((3, 1, 1, 1, 2), (1, 1, 1, 1)),
]


@pytest.mark.parametrize(("dims", "ranks"), BOTTLENECKS)
@pytest.mark.parametrize("seed", range(2))
def test_any_two_points_of_a_fibre_lie_in_one_orbit(dims, ranks, seed):
    arch = algatt.Lightning(dims, ranks, 2)
    theta = algatt.sample(arch, algatt.AttentionMatrix, seed=seed)
    virtual = algatt.convert(theta, algatt.VirtualWeights)
    other = point_from_virtual_weights([integers(M) for M in virtual.M], integers(virtual.L))
    assert algatt.convert(other, algatt.VirtualWeights) == virtual
    # L_i' = R = C_i L_i for every interior i; at the pivots R is the identity, so C_i is the inverse of L_i there.
    _, pivots = echelon(integers(virtual.L))
    L, gauges = np.eye(dims[0], dtype=object), []
    for _, V in theta.layers[:-1]:
        L = integers(V) @ L % P
        gauges.append(algatt.linalg.inverse(Elements.of(theta.field, L[:, pivots])))
    assert algatt.act(algatt.symmetry.Interlayer(arch).of(gauges), theta) == other


def fibre_dimension(plain, dims, ranks, seed=0):
    """Return rank d(A, V) - rank d(M, L) by all weights, both by the product rule in plain integers."""
    layers = plain.weights(dims, ranks, seed)
    before, after = [], []
    for tangents in plain.directions(layers):
        L, dL = np.eye(dims[0], dtype=np.int64), np.zeros((dims[0], dims[0]), dtype=np.int64)
        attention, virtual = [], []
        for (Q, K, V), (dQ, dK, dV) in zip(layers, tangents, strict=True):
            A, dA = plain.times(K.T, Q), (dK.T @ Q + K.T @ dQ) % plain.p
            attention += [dA.ravel(), dV.ravel()]
            virtual.append((plain.times(dL.T, A, L) + plain.times(L.T, dA, L) + plain.times(L.T, A, dL)).ravel())
            L, dL = plain.times(V, L), (plain.times(dV, L) + plain.times(V, dL)) % plain.p
        before.append(np.concatenate(attention))
        after.append(np.concatenate([*virtual, dL.ravel()]))
    return plain.rank(np.array(before)) - plain.rank(np.array(after))


@pytest.mark.parametrize(("dims", "ranks"), BOTTLENECKS)
def test_the_fibre_has_the_dimension_of_the_gauge(plain, dims, ranks):
    delta = dims[1]
    expected = (len(ranks) - 1) * delta**2
    assert fibre_dimension(plain, dims, ranks) == expected
    assert algatt.symmetry.Interlayer(algatt.Lightning(dims, ranks, 2)).dimension == expected


def test_an_interior_layer_wider_than_the_ends_has_larger_fibres(plain):
    # dims (2, 3, 2), ranks (2, 2): (A_1, V_1, A_2, V_2) has 4 + 6 + 8 + 6 dimensions, (M_1, M_2, L) fills 4 + 4 + 4.
    assert fibre_dimension(plain, (2, 3, 2), (2, 2)) == 12
    assert algatt.symmetry.Interlayer(algatt.Lightning((2, 3, 2), (2, 2), 2)).dimension == 3**2


def test_unequal_interior_widths_have_fibres_of_another_dimension(plain):
    # dims (4, 3, 2, 4): one GL for each interior width, 9 + 4, which is (l - 1) delta^2 for no delta.
    fibre = fibre_dimension(plain, (4, 3, 2, 4), (2, 2, 2))
    assert fibre == 3**2 + 2**2
    assert fibre not in {2 * delta**2 for delta in (2, 3)}


def test_a_value_matrix_of_lower_rank_has_a_fibre_of_more_than_one_orbit():
    # V_1 = 0 hides A_2: both points have M_2 = 0 and L = 0, but the gauge keeps the rank of A_2.
    A, zero, V = np.eye(2, dtype=int), np.zeros((2, 2), dtype=int), np.array([[1, 2], [3, 4]])
    theta, other = (
        algatt.AttentionMatrix.of([(A, zero), (second, V)], field=algatt.PrimeField())
        for second in (A, np.array([[1, 0], [0, 0]]))
    )
    assert algatt.convert(theta, algatt.VirtualWeights) == algatt.convert(other, algatt.VirtualWeights)
    family = algatt.symmetry.Interlayer(algatt.Lightning((2, 2, 2), (2, 2), 2))
    weights = algatt.sample(family.arch, algatt.Weights, field=algatt.PrimeField())
    orbit = [algatt.act(family.element(weights, seed), theta) for seed in range(5)]
    assert {algatt.rank(point.layers[1].A) for point in orbit} == {2}
    assert algatt.rank(other.layers[1].A) == 1
