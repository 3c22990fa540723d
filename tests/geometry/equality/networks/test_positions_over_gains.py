"""Points that shifts over gains that stay carry to each other have one function, and one standard position."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Reals, Weights, verbs
from algatt.layers import Feedforward, LayerNorm, Power, Residual
from algatt.symmetry import ShiftSymmetry

BEHIND = Network(
    LayerNorm() >> Residual(Feedforward(3, Power(3), bias=True)) >> LayerNorm(),
    tokens=2,
    width=4,
)


@pytest.mark.parametrize("field", [PrimeField(), Reals()], ids=str)
def test_rows_are_orthogonal_to_a_gain_or_to_its_inverse_in_standard_position(field: algatt.Field) -> None:
    """Over the reals to its inverse: what is left is then the projection to that, which is no longer than before."""
    (family,) = (one for one in verbs.members(ShiftSymmetry, BEHIND) if one.shift.gain is not None)
    theta = verbs.sample(BEHIND, Weights, field=field, seed=1)
    moved = verbs.act(family.element(theta, 2), theta)
    found = []
    for point in (theta, moved):
        standard = verbs.act(verbs.standard_element(family, point), point).tensors
        found.append(standard["feedforward.up"].raw.astype(float))
        gain = standard["norm_1.g"]
        total = (standard["feedforward.up"] @ (gain.reciprocal() if field == Reals() else gain)).raw.astype(float)
        assert np.allclose(total, 0, atol=1e-12)
    assert np.allclose(*found, rtol=1e-12, atol=1e-12)
    assert not np.allclose(
        moved.tensors["feedforward.up"].raw.astype(float), theta.tensors["feedforward.up"].raw.astype(float)
    )
    if field == Reals():
        assert algatt.same_function(BEHIND, theta, moved).equal
