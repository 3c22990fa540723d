"""Redundant parameters at full size, by the formulas of components, each derived by hand."""

from __future__ import annotations

import pytest

import algatt
from algatt.layers import Probabilities
from algatt.published import parameters, read
from configs import config, model


def test_symmetries_of_llama_at_full_size_by_the_formulas_of_its_components() -> None:
    rotary, values, gates, gains = 32 * 128, 32 * 128**2, 11008, 2 * 4096
    stream = 4096 * 4095 // 2
    redundant = 32 * (rotary + values + gates + gains) + 4096 + stream
    found = algatt.symmetry.symbolic_symmetries(read(config("llama_2_7b")))
    assert found.complete
    assert (found.orbit, found.upper) == (redundant, model("llama_2_7b")["parameters"] - redundant)


def test_tied_qwen2_keeps_the_gauges_of_its_layers_alone() -> None:
    """Biases of keys are seen through rotary positions, those of values as the output has none."""
    layer = 2 * 64 + 2 * 64**2 + 4864 + 2 * 896
    assert algatt.symmetry.symbolic_symmetries(read(config("qwen2_0_5b"))).orbit == 24 * layer


def test_symmetries_of_latent_attention_at_full_width_by_the_formulas_of_its_components() -> None:
    """A block of DeepSeek V2 with fewer heads and experts: what is derived in the paper's notation, component by
    component. Rotations of both latent vectors with their gains, changes of basis of each head's keys and values, one
    complex number for each pair of the shared key, neurons, gains, a row of the router, and the stream's rotations.
    """
    fields = config("deepseek_v2") | {"num_attention_heads": 4, "num_key_value_heads": 4, "first_k_dense_replace": 0}
    net = read(fields | {"num_hidden_layers": 1, "n_routed_experts": 6, "n_group": 3, "num_experts_per_tok": 2})
    latent = sum(rank * (rank + 1) // 2 for rank in (1536, 512))
    heads = 4 * (128**2 + 128**2) + 64
    mixture = 6 * 1536 + 2 * 1536 + 5120
    stream = 5120 * 5119 // 2 + 3 * 5120
    found = algatt.symmetry.symbolic_symmetries(net)
    assert found.complete
    assert found.orbit == latent + heads + mixture + stream


def test_symmetries_of_t5_at_full_size_by_the_formulas_of_its_components() -> None:
    """Two tokens of a source have 3 distances of 32 buckets, two of a target have 2, and softmax does not see what is
    added to all of a head; one gain is folded into what reads the memory, and that of the logits is seen, as they are
    tied.
    """
    bases, neurons, gain = 8 * 2 * 64**2, 2048, 512
    encoder = bases + neurons + 2 * gain
    decoder = 2 * bases + neurons + 3 * gain
    tables = 8 * (32 - 3 + 1) + 8 * (32 - 2 + 1)
    found = algatt.symmetry.symbolic_symmetries(read(config("t5_small")))
    assert found.orbit == 6 * (encoder + decoder) + gain + tables


def test_symmetries_of_t5_where_all_positions_are_reached_by_the_formulas_of_its_components() -> None:
    """As above; but 129 tokens of a source and of a target reach all 32 buckets, except the one of the encoder that is
    of keys behind the query at the distance 0.
    """
    bases, neurons, gain = 8 * 2 * 64**2, 2048, 512
    encoder = bases + neurons + 2 * gain
    decoder = 2 * bases + neurons + 3 * gain
    tables = 8 * (32 - 31 + 1) + 8 * (32 - 32 + 1)
    report = parameters(config("t5_small"))
    assert report.redundant == 6 * (encoder + decoder) + gain + tables
    assert report.complete
    assert report.network.tokens == 258


@pytest.mark.sample(0)
def test_symmetries_of_whisper_at_full_size_by_the_formulas_of_its_components() -> None:
    """Norms that are not the last one fold a gain and a bias, and each attention a bias of values. LayerNorm sees no
    mean: not what is added to all columns of what reads a norm, nor to all rows of what writes to the stream, nor to a
    vector of a position. As probabilities, the vectors of tokens and positions may exchange a vector.
    """
    d, m, heads, blocks, positions = 384, 1536, 6, 4, 448
    bases = 2 * heads * (d // heads) ** 2
    encoder = bases + 2 * 2 * d + d + (3 * d + d + 1) + (m + m + 1)
    decoder = 2 * bases + 3 * 2 * d + 2 * d + 2 * (3 * d + d + 1) + (m + m + 1)
    expected = blocks * (encoder + decoder) + 2 * d + positions
    report = parameters(config("whisper_tiny"), reading=Probabilities())
    assert (report.redundant, report.complete) == (expected + d, True)
    assert (report.network.source, report.network.tokens) == ((80, 3000), 3448)
    assert "from 3,000 vectors of 80 numbers and 448 tokens" in report.functions


def test_symmetries_of_a_classifier_with_two_readers_by_what_it_adds_to_those_of_its_body() -> None:
    """The body of DINOv2 has the stream as its value. Two matrices for 1,000 labels that read it take up the gain and
    the bias of its last norm, each may be shifted along the reciprocal of that gain, and the stream may be turned by
    what leaves its mean and its lengths as they are.
    """
    d, labels = 384, 1000
    body, classifier = (
        algatt.symmetry.symbolic_symmetries(read(config(name))).orbit
        for name in ("dinov2_small", "dinov2_small_imagenet1k")
    )
    assert classifier - body == 2 * d + 2 * labels + (d - 1) * (d - 2) // 2
