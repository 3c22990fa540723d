"""Dimensions of orbits, against the group's dimension less that of the stabiliser."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.fields import Dual, DualArray, Elements
from algatt.geometry.fibres.arrows import jacobian_of_arrow
from algatt.symmetry.base import stack_tangents


def test_generic_orbits_have_the_dimension_of_the_groups():
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    assert algatt.symmetry.orbit_dimension(arch, theta) == 8 + 9 + 2
    assert algatt.symmetry.orbit_dimension(arch, algatt.convert(theta, algatt.AttentionMatrix)) == 9 + 2
    assert algatt.symmetry.orbit_dimension(arch, algatt.convert(theta, algatt.VirtualWeights)) == 2
    reals = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    assert algatt.symmetry.orbit_dimension(arch, reals) == 19


@pytest.mark.parametrize(
    ("K", "Q", "dimension"), [([[0, 0]], [[0, 0]], 0), ([[1, 0]], [[0, 0]], 1), ([[1, 0]], [[1, 2]], 2)]
)
def test_orbits_at_special_points(K, Q, dimension):
    """One layer with V = 0: the orbits of (K, Q) -> (c K, s Q / c)."""
    theta = algatt.Weights.of([(Q, K, [[0, 0]])], field=algatt.PrimeField(31))
    assert algatt.symmetry.orbit_dimension(algatt.Lightning((2, 1), (1,), 2), theta) == dimension


def along_matrix_units(family, theta):
    """The derivatives of the action at a point along the matrix units, by dual numbers."""
    dual = Dual(theta.field)
    lifted = theta.replace([Elements(dual, DualArray(element.raw)) for element in theta.elements])
    rows = []
    for place, size in enumerate(family.sizes):
        units = Elements.of(theta.field, np.eye(size * size, dtype=np.int64).reshape(-1, size, size))
        raw = algatt.symmetry.identity(family, theta.field).matrices
        pair = [
            [Elements(dual, DualArray(one.raw, tangent.raw if k == place else None)) for k, one in enumerate(raw)]
            for tangent in (units, -units)
        ]
        moved = algatt.act(family.of(*pair), lifted)
        tangents = [np.zeros(1, np.int64) if one.raw.tangent is None else one.raw.tangent for one in moved.elements]
        shapes = [(size * size, *one.shape) for one in theta.elements]
        parts = [np.broadcast_to(*pair).reshape(size * size, -1) for pair in zip(tangents, shapes, strict=True)]
        rows.append(np.hstack(parts))
    return Elements(theta.field, np.vstack(rows)).public()


FAMILIES = (
    algatt.symmetry.KeyQuery,
    algatt.symmetry.Interlayer,
    algatt.symmetry.Rescaling,
    algatt.symmetry.ScoreRescaling,
)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("field", [algatt.PrimeField(31), algatt.PrimeField(2147483647), algatt.Reals()], ids=str)
def test_the_action_by_dual_numbers_is_the_one_that_is_written_out(family, field):
    arch = algatt.Lightning((3, 2, 2, 3), (2, 3, 1), 2)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=4)
    one, two = along_matrix_units(family(arch), theta), family(arch).tangents(theta)
    assert np.allclose(one, two) if field == algatt.Reals() else (one == two).all()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("coordinates", [algatt.AttentionMatrix, algatt.VirtualWeights])
@pytest.mark.parametrize("dims", [(3, 2, 2, 3), (2, 1, 3, 1), (1, 1, 1, 1)], ids=str)
def test_what_moves_in_a_quotient_is_what_the_arrow_to_it_makes_of_what_moves_the_weights(family, coordinates, dims):
    """By the derivative of the arrow, in place of the types that find it."""
    arch = algatt.Lightning(dims, (2, 3, 1), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=4)
    quotient = algatt.convert(theta, coordinates)
    expected = family(arch).tangents(theta) @ jacobian_of_arrow(theta, coordinates).public().T
    places = family(arch).places_in(coordinates)
    assert all(place.moves for place in places) or not expected.any()
    if any(place.moves for place in places):
        found = stack_tangents(quotient, family(arch).tangent_parts(quotient)).public()
        assert (found == expected).all()
        assert (found == along_matrix_units(family(arch), quotient)).all()


def test_orbits_of_one_layer_are_as_large_as_the_kernel_of_the_jacobian():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=1)
    jacobian = algatt.jacobian(arch, theta, algatt.sample_inputs(arch, seed=1, count=12))
    assert algatt.symmetry.orbit_dimension(arch, theta) == arch.parameters - algatt.rank(jacobian)
