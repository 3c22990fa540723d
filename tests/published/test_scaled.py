"""Configs at small sizes are those of the same architecture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Heads, RMSNorm, Rotary
from algatt.layers.base import layout
from algatt.published import read, scaled
from configs import NAMES, config


def heads_of(fields: Any) -> Heads:
    """Return the attention of the first block."""
    return next(node.layer for node in layout(read(fields).layers).walk() if isinstance(node.layer, Heads))


def kind_of_groups(heads: Heads) -> str:
    """Return who shares keys: nobody, groups, or all."""
    return "none" if heads.groups == heads.heads else "all" if heads.groups == 1 else "groups"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_small_has_the_pattern_of_what_is_large(name: str) -> None:
    large, small = heads_of(config(name)), heads_of(scaled(config(name)))
    assert kind_of_groups(small) == kind_of_groups(large)
    assert (small.biases, small.norm, type(small.mask)) == (large.biases, large.norm, type(large.mask))
    assert type(small.position) is type(large.position)
    if isinstance(large.position, Rotary):
        assert (small.position.width is None) == (large.position.width is None)
    types = [
        [type(node.layer) for node in layout(read(one).layers).walk()]
        for one in (config(name), scaled(config(name), layers=2))  # which share tables if more do
    ]
    assert set(types[0]) == set(types[1])


@pytest.mark.parametrize("name", NAMES)
def test_values_at_random_weights_are_finite(name: str) -> None:
    net = read(scaled(config(name), layers=2), tokens=3)
    field = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    values = algatt.evaluate(net, theta, [0, 1, 2])
    assert values.shape == net.output_shape == (net.vocabulary, net.output_shape[1])
    assert np.isfinite(values).all()


def test_dimension_of_a_small_gemma_by_the_formulas_of_its_components() -> None:
    """One pair of keys and values of width 2, 3 gates, two gains; tied, so that there is no change of basis."""
    net = read(scaled(config("gemma_2b")), tokens=3)
    report = algatt.dimension(net)
    assert (report.status, report.lower) == ("proven", report.upper)
    assert net.parameters - report.upper == 2 + 2**2 + 3 + 2 * 4


def test_sizes_that_are_given() -> None:
    small = scaled(config("qwen3_0_6b"), layers=3, head_width=4, hidden=7, vocabulary=5)
    shapes = algatt.coordinates(read(small))
    assert shapes["embedding.E"] == (5, 8)  # four heads of width 4 are twice as wide as the stream, as in the config
    assert shapes["3.heads.Q_4"] == (4, 8)
    assert shapes["1.feedforward.up"] == (7, 8)
    assert heads_of(small).norm == RMSNorm(1e-6)
    with pytest.raises(InvalidArgument, match="layers was 0"):
        scaled(config("qwen3_0_6b"), layers=0)
