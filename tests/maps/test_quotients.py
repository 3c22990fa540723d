"""The quotient arrows, against HMK Eq 3 and Eq 8 in Python integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import MethodError

P = 8388593


def times(*matrices):
    """Multiply lists of rows."""
    product, *others = matrices
    for other in others:
        product = [
            [sum(a * b for a, b in zip(row, column, strict=True)) % P for column in zip(*other, strict=True)]
            for row in product
        ]
    return product


def transpose(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


@given(dims=st.lists(st.integers(1, 4), min_size=2, max_size=5), rank=st.integers(1, 4), seed=st.integers(0, 10**9))
def test_the_arrows_are_those_of_equations_3_and_8(dims, rank, seed):
    theta = algatt.sample(Lightning(dims, (rank,) * (len(dims) - 1), 2), Weights, seed=seed)
    attention, virtual = algatt.convert(theta, AttentionMatrix), algatt.convert(theta, VirtualWeights)
    L = [[int(i == j) for j in range(dims[0])] for i in range(dims[0])]
    for (Q, K, V), layer, M in zip(theta.layers, attention.layers, virtual.M, strict=True):
        A = times(transpose(K.tolist()), Q.tolist())
        assert layer.A.tolist() == A
        assert layer.V.tolist() == V.tolist()
        assert M.tolist() == times(transpose(L), A, L)
        L = times(V.tolist(), L)
    assert virtual.L.tolist() == L


@pytest.mark.parametrize("field", [PrimeField(2305843009213693951), Reals()], ids=str)
def test_the_long_arrow_is_the_composition_of_the_short_ones(field):
    theta = algatt.sample(Lightning((3, 2, 3, 2), (2, 1, 2), 2), Weights, field=field)
    assert algatt.convert(theta, VirtualWeights) == algatt.convert(
        algatt.convert(theta, AttentionMatrix), VirtualWeights
    )
    assert algatt.convert(theta, VirtualWeights).field == field


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_staying_in_the_coordinates_changes_nothing(coordinates):
    theta = algatt.sample(Lightning((3, 2), (2,), 2), coordinates)
    assert algatt.convert(theta, coordinates) == theta


@pytest.mark.parametrize(
    ("source", "target"), [(AttentionMatrix, Weights), (VirtualWeights, Weights), (VirtualWeights, AttentionMatrix)]
)
def test_there_is_no_way_back(source, target):
    theta = algatt.sample(Lightning((3, 2), (2,), 2), source)
    with pytest.raises(MethodError, match=rf"no method fits convert\({source.__name__}, type\[{target.__name__}\]\)"):
        algatt.convert(theta, target)


def test_different_weights_have_the_same_attention_matrix():
    # K^T Q with (K, Q) and (2 K, Q / 2): a quotient forgets.
    Q, K, V = np.array([[2.0, 4]]), np.array([[1.0, 3]]), np.eye(2)
    one, two = Weights.of([(Q, K, V)]), Weights.of([(Q / 2, 2 * K, V)])
    assert one != two
    assert algatt.convert(one, AttentionMatrix) == algatt.convert(two, AttentionMatrix)
    assert algatt.convert(one, AttentionMatrix).layers[0].A.tolist() == [[2, 4], [6, 12]]
