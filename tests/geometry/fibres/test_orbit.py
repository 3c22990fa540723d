"""Dimensions of orbits, against the group's dimension less that of the stabiliser."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.geometry.fibres.orbit import tangents_of_action


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


def test_the_action_by_dual_numbers_is_the_one_that_is_written_out():
    arch = algatt.Lightning((3, 2, 2, 3), (2, 3, 1), 2)
    for field in (algatt.PrimeField(31), algatt.PrimeField(2147483647), algatt.Reals()):
        theta = algatt.sample(arch, algatt.Weights, field=field, seed=4)
        for family in (
            algatt.symmetry.KeyQuery(arch),
            algatt.symmetry.Interlayer(arch),
            algatt.symmetry.Rescaling(arch),
        ):
            one, two = tangents_of_action(family, theta).public(), family.tangents(theta)
            assert np.allclose(one, two) if field == algatt.Reals() else (one == two).all()


def test_orbits_of_one_layer_are_as_large_as_the_kernel_of_the_jacobian():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=1)
    jacobian = algatt.jacobian(arch, theta, algatt.sample_inputs(arch, seed=1, count=12))
    assert algatt.symmetry.orbit_dimension(arch, theta) == arch.parameters - algatt.rank(jacobian)
