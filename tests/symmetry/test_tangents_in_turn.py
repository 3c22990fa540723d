"""Tangents that are computed some at a time are those that are computed at once."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Weights, verbs
from algatt.architectures import Architecture, Normalized
from algatt.fields import Elements
from algatt.symmetry.base import combine_tangents, tangents_in_turn

NETWORKS: tuple[Architecture, ...] = (
    Lightning((3, 2, 4), (2, 1), 3),
    Lightning((2, 2, 2), (1, 1), 3),  # where numbers act
    Normalized((3, 3), (2,), 3),
    algatt.Network(algatt.layers.Residual(algatt.layers.RMSNorm() >> algatt.layers.Heads(2)), width=4, tokens=3),
)


@pytest.mark.parametrize("arch", NETWORKS, ids=lambda arch: type(arch).__name__)
@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_some_at_a_time_are_all(arch: Architecture, rows: int) -> None:
    theta = algatt.sample(arch, Weights, field=PrimeField(8388593), seed=0)
    families = verbs.symmetries(arch)
    assert families
    for family in families:
        known = family.tangent_elements(theta)
        count, blocks = tangents_in_turn(family, theta, rows)
        found = list(blocks)
        assert count == len(known.raw)
        assert all(len(block) <= rows for block in found)
        assert np.array_equal(np.concatenate(found), known.raw)
        factors = verbs.draw_array(theta.field, shape=(1, count), seed=5, label=f"direction/{family.name}")
        expected = Elements(theta.field, factors) @ known
        assert np.array_equal(combine_tangents(family, theta, 5, rows).raw, expected.raw.T)
