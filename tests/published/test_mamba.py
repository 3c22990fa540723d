"""Mamba: what its configs say, and what its parameters are worth at full size."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.published import read, scaled, weights
from configs import config


def test_what_is_redundant_at_full_size_is_the_sum_over_blocks() -> None:
    """In each of 24 blocks: kernels 1536, states 16, the steps 48^2, what is scanned 1, the gain 768; it is tied."""
    net = read(config("mamba_130m"), tokens=4)
    found = algatt.symmetry.symbolic_symmetries(net)
    assert found.free
    assert net.parameters - found.upper == 24 * (1536 + 16 + 48**2 + 1 + 768)


def test_kernels_and_parts_of_checkpoints() -> None:
    fields = scaled(config("mamba_130m"))
    generator = np.random.default_rng(0)
    there = "backbone.layers.0.mixer"
    shapes = {
        "backbone.embeddings.weight": (6, 4),
        "backbone.layers.0.norm.weight": (4,),
        f"{there}.in_proj.weight": (16, 4),
        f"{there}.conv1d.weight": (8, 1, 2),
        f"{there}.conv1d.bias": (8,),
        f"{there}.x_proj.weight": (2 + 2 + 2, 8),
        f"{there}.dt_proj.weight": (8, 2),
        f"{there}.dt_proj.bias": (8,),
        f"{there}.A_log": (8, 2),
        f"{there}.D": (8,),
        f"{there}.out_proj.weight": (4, 8),
        "backbone.norm_f.weight": (4,),
    }
    state = {name: generator.standard_normal(shape) for name, shape in shapes.items()}
    theta = weights(fields, state)
    np.testing.assert_array_equal(theta["1.scan.A"], state[f"{there}.A_log"])
    np.testing.assert_array_equal(theta["1.convolution.W"], state[f"{there}.conv1d.weight"][:, 0])
    np.testing.assert_array_equal(theta["1.scan.C"], state[f"{there}.x_proj.weight"][4:])
    np.testing.assert_array_equal(theta["1.linear_2.W"], state[f"{there}.in_proj.weight"][8:])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"intermediate_size": 1000},
            "intermediate_size was 1000; it should be 1536, which is expand times hidden_size",
        ),
        ({"time_step_rank": "large"}, "time_step_rank was 'large'; it should be an integer >= 1"),
        ({"hidden_act": "snake"}, "hidden_act was 'snake'; it should be one of"),
    ],
)
def test_what_is_at_odds_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{message}"):
        read(config("mamba_130m") | changes)
