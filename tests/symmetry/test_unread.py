"""Directions that no later layer reads."""

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.symmetry import Unread, UnreadElement

F = PrimeField(31)
ARCH = Lightning((3, 4, 1), (1, 1), 2)


def weights(K, Q, V):
    """Weights of two layers, the second one given."""
    theta = algatt.sample(ARCH, Weights, field=F)
    return Weights.of([tuple(theta.layers[0]), (F.galois([Q]), F.galois([K]), F.galois([V]))])


def test_the_tangents_add_a_column_that_is_not_read_to_any_column_of_V_1():
    theta = weights(K=[1, 0, 0, 2], Q=[0, 1, 0, 3], V=[0, 0, 1, 4])
    tangents = np.array(Unread(ARCH).tangents(theta))
    assert tangents.shape == (3, ARCH.parameters)
    assert not np.delete(tangents, np.s_[6:18], axis=1).any()
    for column, row in enumerate(tangents[:, 6:18].reshape(3, 4, 3)):
        expected = np.zeros((4, 3), dtype=int)
        expected[:, column] = (29, 28, 27, 1)  # -2, -3, -4, 1
        assert np.array_equal(row, expected)


def test_where_fewer_forms_are_read_than_at_generic_weights_there_are_no_tangents():
    theta = weights(K=[1, 0, 0, 0], Q=[2, 0, 0, 0], V=[0, 0, 1, 0])
    assert Unread(ARCH).tangents(theta).shape == (0, ARCH.parameters)
    assert algatt.act(Unread(ARCH).element(theta), theta) == theta


def test_directions_are_carried_through_a_layer():
    """What layer 2 does not compare, and passes on to where layer 3 does not look, is unread too."""
    arch = Lightning((5, 6, 4, 1), (1, 1, 1), 2)
    theta = algatt.sample(arch, Weights)
    bases = Unread(arch).unread(theta)
    assert [basis.shape for basis in bases] == [(6, 1), (4, 1), (1, 0)]
    second, third = theta.layer_elements[1:]
    for forms in (second.K, second.Q, third.K @ second.V, third.Q @ second.V, third.V @ second.V):
        assert not (forms @ bases[0]).raw.any()
    assert (second.V @ bases[0]).raw.any()


@pytest.mark.parametrize(("name", "column"), [("V_1", (1, 0, 0, 0)), ("V_2", None), ("Q_1", None), ("K_2", None)])
def test_what_is_read_cannot_be_added(name, column):
    theta = weights(K=[1, 0, 0, 2], Q=[0, 1, 0, 3], V=[0, 0, 1, 4])
    arrays = list(UnreadElement.zero(theta).arrays)
    position = theta.names().index(name)
    change = np.zeros(arrays[position].shape, dtype=int)
    change[:, 0] = column if column else 1
    arrays[position] = Elements.of(F, change)
    with pytest.raises(InvalidArgument, match="which changes the function at this point"):
        algatt.act(UnreadElement(tuple(arrays)), theta)


def test_virtual_weights_do_not_move():
    arch = Lightning((6, 4, 1), (2, 1), 3)
    theta = algatt.sample(arch, Weights)
    element = Unread(arch).element(theta)
    assert algatt.act(element, algatt.convert(theta, VirtualWeights)) == algatt.convert(theta, VirtualWeights)
    assert algatt.convert(algatt.act(element, theta), VirtualWeights) == algatt.convert(theta, VirtualWeights)
