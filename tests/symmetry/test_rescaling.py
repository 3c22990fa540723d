"""The rescaling: Q_i -> s Q_i, V_i -> V_i / s."""

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument, SingularMatrix
from algatt.fields import Elements
from algatt.symmetry import Rescaling, SpacesElement

ARCH = Lightning((3, 2, 3), (2, 1), 2)
F = PrimeField()
P = F.p


def integers(public):
    return np.array(public.tolist(), dtype=object)


def element(scalars, field=F):
    layers = len(scalars)
    if not layers:
        return SpacesElement((), (), Rescaling(ARCH))
    family = Rescaling(Lightning((2,) * (layers + 1), (1,) * layers, 2))
    return family.of(tuple(Elements.of(field, [[s]]) for s in scalars))


def test_the_action_on_weights():
    theta = algatt.sample(ARCH, Weights)
    moved = algatt.act(element((5, 7)), theta)
    for old, new, s in zip(theta.layers, moved.layers, (5, 7), strict=True):
        assert np.array_equal(integers(new.Q), s * integers(old.Q) % P)
        assert np.array_equal(new.K, old.K)
        assert np.array_equal(s * integers(new.V) % P, integers(old.V))


def test_the_action_on_attention_matrices():
    theta = algatt.sample(ARCH, AttentionMatrix)
    moved = algatt.act(element((5, 7)), theta)
    for old, new, s in zip(theta.layers, moved.layers, (5, 7), strict=True):
        assert np.array_equal(integers(new.A), s * integers(old.A) % P)
        assert np.array_equal(s * integers(new.V) % P, integers(old.V))


def test_the_action_on_virtual_weights():
    # M_2 has A_2 once and V_1 twice: the factor 7 / 5^2; L has V_1 and V_2 once: 1 / 35.
    theta = algatt.sample(ARCH, VirtualWeights)
    moved = algatt.act(element((5, 7)), theta)
    assert np.array_equal(integers(moved.M[0]), 5 * integers(theta.M[0]) % P)
    assert np.array_equal(25 * integers(moved.M[1]) % P, 7 * integers(theta.M[1]) % P)
    assert np.array_equal(35 * integers(moved.L) % P, integers(theta.L))


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_acting_is_a_group_action(coordinates):
    theta = algatt.sample(ARCH, coordinates)
    assert algatt.act(element((5, 7)), algatt.act(element((2, 3)), theta)) == algatt.act(element((10, 21)), theta)
    assert algatt.act(element((1, 1)), theta) == theta
    g = element((5, 7))
    assert algatt.act(g.family.of(g.inverses, g.matrices), algatt.act(g, theta)) == theta


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
@pytest.mark.parametrize("scalars", [(), (5,), (5, 7, 2)])
def test_another_number_of_scalars_is_refused(coordinates, scalars):
    with pytest.raises(InvalidArgument) as caught:
        algatt.act(element(scalars), algatt.sample(ARCH, coordinates))
    assert str(caught.value) == f"element was of sizes {(1,) * len(scalars)}; it should be of sizes (1, 1)"


def test_zero_is_refused():
    with pytest.raises(SingularMatrix, match=r"a 1 x 1 matrix over GF\(8388593\) is singular"):
        element((5, 0))


def test_tangents_are_derivatives_of_the_action():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    tangents = Rescaling(ARCH).tangents(theta)
    step = 1e-6
    for row, unit in zip(tangents, np.eye(2), strict=True):
        ends = [algatt.flatten(algatt.act(element(1 + s * unit, Reals()), theta)) for s in (step, -step)]
        assert np.allclose((ends[0] - ends[1]) / (2 * step), row, atol=1e-8)


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_the_orbit_has_one_dimension_for_each_layer(layers):
    arch = Lightning((2,) * (layers + 1), (1,) * layers, 2)
    assert Rescaling(arch).dimension == layers
    assert np.linalg.matrix_rank(Rescaling(arch).tangents(algatt.sample(arch, Weights, field=Reals()))) == layers
