"""The swap of one layer of ranks one: (k q^T, v h^T) and (h q^T, v k^T) are one function (HMK Theorem 3.2)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.symmetry import ProductElement, SwapElement

ARCH = Lightning((3, 2), (1,), 2)
SWAP = SwapElement()


def vectors(field, seed):
    """Vectors k, q, h of length 3 and v of length 2, none of them zero."""
    rng = np.random.default_rng(seed)
    sizes = (3, 3, 3, 2)
    if isinstance(field, Reals):
        return [rng.standard_normal(size) for size in sizes]
    drawn = [rng.integers(0, field.p, size) for size in sizes]
    for vector in drawn:
        vector[rng.integers(len(vector))] = 1
    return [field.galois(vector) for vector in drawn]


def point(field, k, q, h, v, coordinates):
    """Q = q^T, K = k^T, V = v h^T."""
    weights = Weights.of([(q[None, :], k[None, :], v[:, None] @ h[None, :])], field=field)
    return algatt.convert(weights, coordinates)


def close(one, two):
    one, two = algatt.flatten(one), algatt.flatten(two)
    return (
        np.allclose(one, two, rtol=1e-10, atol=1e-10 * np.abs(two).max())
        if one.dtype.kind == "f"
        else np.array_equal(one, two)
    )


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(derandomize=True)
def test_the_swap_is_an_involution_and_leaves_the_function_unchanged(plain, data, seed):
    field = data.draw(st.sampled_from(plain.every_field))
    coordinates = data.draw(st.sampled_from([Weights, AttentionMatrix, VirtualWeights]))
    k, q, h, v = vectors(field, seed)
    theta, other = (point(field, first, q, last, v, coordinates) for first, last in ((k, h), (h, k)))
    swapped = algatt.act(SWAP, theta)
    assert close(algatt.act(SWAP, swapped), theta)
    X = algatt.sample_inputs(ARCH, field=field, seed=seed, count=3)
    for moved in (swapped, other):
        values, expected = algatt.evaluate(ARCH, moved, X), algatt.evaluate(ARCH, theta, X)
        assert (
            np.allclose(values, expected, rtol=1e-9, atol=1e-9)
            if isinstance(field, Reals)
            else np.array_equal(values, expected)
        )


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix])
def test_k_and_h_change_places(coordinates):
    F = PrimeField(31)
    k, q, h, v = vectors(F, 1)
    (layer,) = algatt.convert(algatt.act(SWAP, point(F, k, q, h, v, coordinates)), AttentionMatrix).layers
    for matrix, left, right in ((layer.A, h, q), (layer.V, v, k)):
        found, expected = matrix.ravel(), (left[:, None] @ right[None, :]).ravel()
        assert np.any(found)
        assert np.array_equal(found[:, None] @ expected[None, :], expected[:, None] @ found[None, :])  # proportional


def test_the_swap_moves_the_point_unless_k_and_h_are_parallel():
    F = PrimeField(31)
    k, q, h, v = (F.galois(vector) for vector in ([1, 2, 3], [1, 1, 0], [2, 4, 7], [1, 5]))
    for coordinates in (Weights, AttentionMatrix, VirtualWeights):
        theta = point(F, k, q, h, v, coordinates)
        assert algatt.act(SWAP, theta) != theta
        theta = point(F, k, q, k + k, v, coordinates)
        assert algatt.act(SWAP, theta) == theta


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_points_of_other_ranks_are_refused(coordinates):
    with pytest.raises(InvalidArgument, match="theta was with V of rank 2; it should be with V of rank one"):
        algatt.act(SWAP, algatt.sample(ARCH, coordinates))


def test_keys_and_scores_of_other_ranks_are_refused():
    F = PrimeField(31)
    V = F.galois([[1, 2, 3]])
    with pytest.raises(InvalidArgument, match="theta was with K of rank 2"):
        algatt.act(SWAP, Weights.of([(F.galois([[1, 0, 0], [0, 1, 0]]), F.galois([[1, 0, 0], [0, 1, 0]]), V)]))
    with pytest.raises(InvalidArgument, match=r"theta was with K\^T Q = 0"):
        algatt.act(SWAP, Weights.of([(F.galois([[0, 0, 0]]), F.galois([[1, 0, 0]]), V)]))
    with pytest.raises(InvalidArgument, match="theta was with the attention matrix of rank 0"):
        algatt.act(SWAP, AttentionMatrix.of([(F.galois(np.zeros((3, 3), dtype=int)), V)]))


def test_the_swap_is_its_own_inverse():
    assert algatt.linalg.inverse(SWAP) == SWAP
    assert algatt.symmetry.compose(SWAP, SWAP) == ProductElement(())
    assert SWAP.field is None
    assert repr(SWAP) == "SwapElement()"


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_the_last_of_several_layers_is_swapped(coordinates):
    """A last layer with one output has V of rank one; with K of one row it is swapped, and the network keeps its
    function.
    """
    arch = Lightning((3, 2, 1), (2, 1), 2)
    theta = algatt.sample(arch, coordinates, seed=1)
    moved = algatt.act(SWAP, theta)
    X = algatt.sample_inputs(arch, count=4)
    assert moved != theta
    assert (algatt.evaluate(arch, moved, X) == algatt.evaluate(arch, theta, X)).all()
    assert algatt.act(SWAP, moved) == theta
