"""Directions that no input reaches."""

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.symmetry import Unreached, UnreachedElement, UnreachedMatrixElement

ARCH = Lightning((2, 4, 3), (2, 2), 3)
F = PrimeField(31)


def with_first_values(V):
    """Weights whose V_1 is given."""
    theta = algatt.sample(ARCH, Weights, field=F)
    (Q1, K1, _), second = (tuple(layer) for layer in theta.layers)
    return Weights.of([(Q1, K1, F.galois(V)), second])


def translation(kind, theta, **changes):
    """The translation that adds matrices to the arrays of the given names."""
    zero = kind.zero(theta)
    arrays = [
        Elements.of(theta.field, changes[name]) if name in changes else array
        for name, array in zip(theta.names(), zero.arrays, strict=True)
    ]
    return kind(tuple(arrays))


def test_the_tangents_add_a_row_that_vanishes_on_the_image_of_V_1_to_any_row_of_Q_2_K_2_and_V_2():
    theta = with_first_values([[1, 0], [0, 1], [1, 1], [0, 2]])
    tangents = np.array(Unreached(ARCH).tangents(theta))
    assert tangents.shape == (14, ARCH.parameters)
    start = 2 * 2 * 2 + 4 * 2
    assert not tangents[:, :start].any()
    rows = tangents[:, start:].reshape(14, 7, 4)
    for number, row in enumerate(rows):
        expected = np.zeros((7, 4), dtype=int)
        expected[number // 2] = [(30, 30, 1, 0), (0, 29, 0, 1)][
            number % 2
        ]  # x_3 = x_1 + x_2 and x_4 = 2 x_2 on the image
        assert np.array_equal(row, expected)


@pytest.mark.parametrize("V", [np.zeros((4, 2), dtype=int), [[1, 2], [2, 4], [0, 0], [0, 0]]], ids=["zero", "rank one"])
def test_where_the_rank_is_below_the_generic_one_there_are_no_tangents(V):
    """There more directions are unreached than at generic weights: counting them would bound the dimension by too
    little.
    """
    theta = with_first_values(V)
    assert Unreached(ARCH).tangents(theta).shape == (0, ARCH.parameters)
    assert algatt.act(Unreached(ARCH).element(theta), theta) == theta


def test_elements_act_at_points_where_they_vanish_on_what_is_reached():
    theta = with_first_values([[1, 0], [0, 1], [0, 0], [0, 0]])
    unseen = np.zeros((2, 4), dtype=int)
    unseen[:, 2:] = [[3, 4], [5, 6]]
    moved = algatt.act(translation(UnreachedElement, theta, Q_2=unseen), theta)
    assert np.array_equal(moved.layers[1].Q - theta.layers[1].Q, F.galois(unseen))
    seen = unseen.copy()
    seen[0, 0] = 1
    for name in ("Q_2", "K_2", "Q_1", "K_1"):
        changed = seen if name.endswith("2") else seen[:, :2]
        with pytest.raises(
            InvalidArgument, match="which changes the function at this point; it should be a translation"
        ):
            algatt.act(translation(UnreachedElement, theta, **{name: changed}), theta)


def test_on_attention_matrices_forms_that_vanish_on_what_is_reached_are_added():
    theta = algatt.convert(with_first_values([[1, 0], [0, 1], [0, 0], [0, 0]]), AttentionMatrix)
    A = np.arange(16).reshape(4, 4)
    A[:2, :2] = 0
    V = np.ones((3, 4), dtype=int)
    V[:, :2] = 0
    element = translation(UnreachedMatrixElement, theta, A_2=A, V_2=V)
    moved = algatt.act(element, theta)
    assert moved != theta
    assert algatt.convert(moved, VirtualWeights) == algatt.convert(theta, VirtualWeights)
    assert algatt.act(algatt.linalg.inverse(element), moved) == theta
    A[1, 0] = 1
    with pytest.raises(InvalidArgument, match="which changes the function"):
        algatt.act(translation(UnreachedMatrixElement, theta, A_2=A), theta)


def test_virtual_weights_do_not_move():
    theta = algatt.sample(ARCH, Weights)
    element = Unreached(ARCH).element(theta)
    assert algatt.act(element, algatt.convert(theta, VirtualWeights)) == algatt.convert(theta, VirtualWeights)
    assert algatt.convert(algatt.act(element, theta), VirtualWeights) == algatt.convert(theta, VirtualWeights)


def test_over_the_reals_rounding_is_no_change_and_more_than_rounding_is():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    noise = np.random.default_rng(0).standard_normal((2, 2))
    element = translation(UnreachedElement, theta, Q_1=1e-15 * noise)
    assert np.allclose(algatt.flatten(algatt.act(element, theta)), algatt.flatten(theta), atol=1e-13)
    with pytest.raises(InvalidArgument, match="which changes the function"):
        algatt.act(translation(UnreachedElement, theta, Q_1=1e-6 * noise), theta)
