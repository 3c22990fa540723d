"""Configs at small sizes are those of the same architecture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Heads, LatentHeads, RMSNorm, Rotary
from algatt.layers.base import layout
from algatt.published import read, scaled
from configs import NAMES, config


def heads_of(fields: Any) -> Any:
    """Return the attention of the first block; of a network without any, one that is the same at all sizes."""
    kinds = Heads | LatentHeads
    found = (node.layer for node in layout(read(fields).layers).walk() if isinstance(node.layer, kinds))
    return next(found, Heads(2))


def pattern(heads: Any) -> tuple[Any, ...]:
    """Return what does not depend on sizes."""
    if isinstance(heads, LatentHeads):
        return heads.query_latent is None, heads.bias, heads.norm, heads.mask, heads.position.layout
    return kind_of_groups(heads), heads.biases, heads.norm, type(heads.mask)


def kind_of_groups(heads: Heads) -> str:
    """Return who shares keys: nobody, groups, or all."""
    return "none" if heads.groups == heads.heads else "all" if heads.groups == 1 else "groups"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_small_has_the_pattern_of_what_is_large(name: str) -> None:
    large, small = heads_of(config(name)), heads_of(scaled(config(name)))
    assert pattern(small) == pattern(large)
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
    net = read(scaled(config(name), layers=2))
    field = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    values = algatt.evaluate(net, theta, algatt.sample_inputs(net, field=field, seed=1))[0]
    assert values.shape == net.output_shape
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


def test_small_albert_has_a_narrow_embedding_and_one_block() -> None:
    shapes = algatt.coordinates(read(scaled(config("albert_base_v2"), layers=3)))
    assert shapes["embedding.E"] == (6, 3)
    assert shapes["linear.W"] == (4, 3)
    assert "1.heads.Q_1" in shapes
    assert "2.heads.Q_1" not in shapes


def test_small_models_of_images_read_as_many_patches_as_tokens_are_asked_for() -> None:
    net = read(scaled(config("vit_base_patch16_224"), tokens=5))
    assert (net.tokens, net.vocabulary, net.output_shape) == (5, None, (3, 1))


def test_dimension_of_a_small_dinov2_by_the_formulas_of_its_components() -> None:
    """All tokens are its value and the gain of the last norm is seen, so that no change of basis is left. Of a block of
    width d = 4, with h = 2 heads of width a = 2 and m = 4 neurons: keys and values 2 h a^2, biases of keys and of
    values 2 h a, gains and biases of norms 4 d, centred readers 3 h a + m, factors behind branches 2 d, and what is
    written to the mean h a + m + 2. Before the blocks: the bias of patches beside positions, the class token beside its
    own, and the mask token 3 d; and what is written to the mean by 2 channels, 2 patches and the class token.
    """
    net = read(scaled(config("dinov2_small"), tokens=2))
    block = 2 * 2 * 2**2 + 2 * 2 * 2 + 4 * 4 + (3 * 2 * 2 + 4) + 2 * 4 + (2 * 2 + 4 + 2)
    report = algatt.dimension(net)
    assert (report.status, report.lower) == ("proven", report.upper)
    assert net.parameters - report.upper == block + 3 * 4 + 2 + 2 + 1


@pytest.mark.sample(0)
def test_dimension_of_a_small_bert_by_the_formulas_of_its_components() -> None:
    """Width 4, two heads of width 2, a neuron, one block, logits; embeddings and unembedding are tied."""
    net = read(scaled(config("bert_base_uncased"), hidden=1, tokens=2), tokens=2)
    report = algatt.dimension(net)
    assert (report.status, report.lower) == ("proven", report.upper)
    heads = 2 * 2**2 + 2 * 2**2 + 2 * 2 + 2 * 2  # bases of keys and of values, and their biases
    norms = 4 * 4 + 4  # four biases, and the gain before the linear map of the head
    read_by = 3 * 2 * 2 + 1 + 4  # rows of queries, keys and values, of the neuron, and of that linear map
    written_by = 2 * 2 + 1 + 2  # columns of outputs, of the neuron, and biases
    embeddings = 4 + (2 + 2) - 1  # types against positions, and means of both; one number for all is in the first, too
    tied = 1  # all embeddings move by the same multiple of 1/g, g the gain before the unembedding
    assert net.parameters - report.upper == heads + norms + read_by + written_by + embeddings + tied
