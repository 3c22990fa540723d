"""Directions that no symmetry explains."""

from __future__ import annotations

import numpy as np
import pytest

import algatt


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [
        ((3, 2), (2,), 2),
        ((4, 3, 4), (2, 2), 3),
        ((3, 4, 3), (2, 2), 2),
        ((6, 4, 1), (2, 1), 3),
        ((3, 3, 3), (1, 3), 2),
        ((3, 2, 3), (2, 3), 1),
        ((2, 4, 4, 2), (3, 1, 2), 2),
    ],
)
def test_nothing_is_unexplained_at_generic_weights(dims, ranks, tokens):
    arch = algatt.Lightning(dims, ranks, tokens)
    found = algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights, seed=0))
    assert (found.dimension, found.basis, found.status, found.error) == (0, (), "proven", None)
    assert found.kernel == found.explained == arch.parameters - algatt.dimension(arch).value


def test_a_surprise_at_special_weights_is_named():
    """With V_1 = 0 the function of two layers is zero, of order three in V_1: no direction changes it, and the
    symmetries explain only some.
    """
    arch = algatt.Lightning((2, 2, 2), (2, 2), 2)
    layers = [tuple(matrix.copy() for matrix in layer) for layer in algatt.sample(arch, algatt.Weights, seed=0).layers]
    layers[0][2][:] = 0
    theta = algatt.Weights.of(layers)
    found = algatt.unexplained_kernel(arch, theta)
    assert found.kernel == arch.parameters
    assert found.dimension == found.kernel - algatt.symmetry.orbit_dimension(arch, theta)
    assert found.status == "probable"
    assert 0 < found.error < 1e-5
    assert {name for vector in found.basis for name in vector} <= {"Q_1", "K_1", "V_1", "Q_2", "K_2", "V_2"}
    inputs = algatt.sample_inputs(arch, seed=7, count=3)
    jacobian = algatt.jacobian(arch, theta, inputs)
    shapes = dict(zip(theta.names(), [element.shape for element in theta.elements], strict=True))
    for vector in found.basis:
        direction = np.concatenate(
            [np.array(vector.get(name, np.zeros(shape, dtype=int)).tolist()).ravel() for name, shape in shapes.items()]
        )
        assert not (jacobian @ type(jacobian)(direction)).any()


def test_a_family_that_is_left_out_is_found(monkeypatch):
    """Without the rescalings one direction for each layer is left, which moves Q_i and V_i."""
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    families = tuple(family for family in algatt.symmetries(arch) if family.name != "rescaling")
    monkeypatch.setattr("algatt.verbs.symmetries", lambda arch: families)
    found = algatt.unexplained_kernel(arch, theta)
    assert found.dimension == 1
    assert "V_1" in found.basis[0]
    assert "V_1" in repr(found)


def test_floats_are_refused():
    arch = algatt.Lightning((3, 2), (2,), 2)
    with pytest.raises(algatt.errors.InvalidArgument, match="over a PrimeField"):
        algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights, field=algatt.Reals()))


def test_ranks_of_directions():
    """A 2 x 2 matrix that is not zero has rank one if its determinant vanishes."""
    arch = algatt.Lightning((2, 2, 2), (2, 2), 2)
    layers = [tuple(matrix.copy() for matrix in layer) for layer in algatt.sample(arch, algatt.Weights, seed=0).layers]
    layers[0][2][:] = 0
    found = algatt.unexplained_kernel(arch, algatt.Weights.of(layers))
    assert len(found.ranks) == len(found.basis) > 0
    for ranks, vector in zip(found.ranks, found.basis, strict=True):
        assert ranks.keys() == vector.keys()
        for name, matrix in vector.items():
            (a, b), (c, d) = np.array(matrix.tolist(), dtype=object)
            singular = (a * d - b * c) % type(matrix).characteristic == 0
            assert ranks[name] == (1 if singular else 2)
