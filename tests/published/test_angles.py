"""Rotary positions have the angles that a config says, by the formulas of its scaling."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from algatt.layers import Heads, LatentHeads, Rotary
from algatt.layers.base import layout
from algatt.published import read, scaled
from configs import config, heads_of


def test_angles_of_deepseek_are_those_of_the_formula() -> None:
    """YaRN (arXiv 2309.00071, section 3.2), as the reference code of the model has it: pairs up to number 10 are as
    without, those from number 23 on are 40 times slower, and scores are multiplied by the square of 1 + 0.1 ln 40.
    """
    heads = next(
        node.layer for node in layout(read(config("deepseek_v3")).layers).walk() if isinstance(node.layer, LatentHeads)
    )
    plain = [10000 ** (-pair / 32) for pair in range(32)]
    ratios = [one / two for one, two in zip(plain, heads.position.frequencies, strict=True)]
    assert ratios[:11] == pytest.approx([1] * 11)
    assert ratios[23:] == pytest.approx([40] * 9)
    assert all(1 < one < two < 40 for one, two in pairwise(ratios[11:23]))
    assert float(heads.score.temperature) == pytest.approx(192**0.5 / (1 + 0.1 * math.log(40)) ** 2)


def test_positions_have_the_base_of_the_config_wherever_it_stands() -> None:
    fields = config("llama_3_8b")
    assert heads_of(fields)[0].position.base == 500000
    theta = fields.pop("rope_theta")
    newer = fields | {"rope_parameters": {"rope_type": "default", "rope_theta": theta}}
    assert heads_of(newer) == heads_of(config("llama_3_8b"))
    assert heads_of(config("pythia_160m"))[0].position.width == 16


def test_angles_of_llama_3_1_are_divided_by_8_where_they_turn_less_than_once_in_the_old_context() -> None:
    """Angle 29 turns 8192 * 500000^(-58/128) / (2 pi) = 3.41 times: 0.80 of the way from 1 to 4."""
    angles = heads_of(config("llama_3_1_8b"))[0].position.frequencies
    before = [500000 ** (-pair / 64) for pair in range(64)]
    turns = 8192 * before[29] / (2 * math.pi)
    assert 3.41 < turns < 3.42
    share = (turns - 1) / 3
    assert angles[:29] == pytest.approx(before[:29], rel=1e-15)
    assert angles[29] == pytest.approx(before[29] * (share + (1 - share) / 8), rel=1e-13)
    assert angles[40:] == pytest.approx([angle / 8 for angle in before[40:]], rel=1e-15)


def scaled_position(name: str, tokens: int = 2, context: int = 4096, **rule: Any) -> Rotary:
    """Return the rotary positions of a model whose angles are scaled by a rule; it has one block."""
    changes = {"rope_scaling": rule, "max_position_embeddings": context, "num_hidden_layers": 1}
    net = read(config(name) | changes, tokens=tokens)
    return next(node.layer.position for node in layout(net.layers).walk() if isinstance(node.layer, Heads))


def test_yarn_leaves_the_first_angles_and_divides_the_last() -> None:
    """Its factor is 0.1 ln 4 + 1 = 1.1386 (arXiv 2309.00071, below equation 22)."""
    position = scaled_position("llama_2_7b", type="yarn", factor=4.0)
    before = [10000 ** (-pair / 64) for pair in range(64)]
    assert position.factor == pytest.approx(1.138629436111989, rel=1e-15)
    assert position.frequencies[:5] == pytest.approx(before[:5], rel=1e-15)
    assert position.frequencies[60:] == pytest.approx([angle / 4 for angle in before[60:]], rel=1e-15)
    assert scaled_position("llama_2_7b", type="yarn", factor=4.0, attention_factor=2.5).factor == 2.5


def test_angles_are_those_of_inputs_of_as_many_tokens_as_the_network_reads() -> None:
    """Inputs of twice the context have the base 10000 (2 factor - (factor - 1))^(128 / 126) = 10000 * 5^(128 / 126)."""
    short, long = (scaled_position("llama_2_7b", tokens, 3, type="dynamic", factor=4.0) for tokens in (3, 6))
    base = 10000 * 5 ** (128 / 126)
    assert short.frequencies == pytest.approx([10000 ** (-pair / 64) for pair in range(64)], rel=1e-13)
    assert long.frequencies == pytest.approx([base ** (-pair / 64) for pair in range(64)], rel=1e-13)


def test_longrope_has_a_list_for_short_inputs_and_one_for_long_ones() -> None:
    """Its factor is the root of 1 + ln 16 / ln 4 = 3, where the context grows from 4 to 64 tokens."""
    lists = {"short_factor": [1.0] * 48, "long_factor": [2.0] * 48, "original_max_position_embeddings": 4}
    fields = config("phi_3_mini_4k") | {"original_max_position_embeddings": 4}
    parts = [{"rope_scaling": {"type": kind, **lists}} for kind in ("su", "longrope")]
    nets = [
        read(fields | part | {"max_position_embeddings": 64, "num_hidden_layers": 1}, tokens=tokens).layers
        for part, tokens in zip(parts, (4, 5), strict=True)
    ]
    short, long = (
        next(node.layer.position for node in layout(one).walk() if isinstance(node.layer, Heads)) for one in nets
    )
    assert short.frequencies == pytest.approx([2 * angle for angle in long.frequencies], rel=1e-15)
    assert short.factor == long.factor == pytest.approx(math.sqrt(3), rel=1e-15)


def test_linear_scaling_divides_all_angles() -> None:
    position = scaled_position("pythia_160m", type="linear", factor=4.0)
    assert position.width == 16
    assert position.frequencies == pytest.approx([10000 ** (-pair / 8) / 4 for pair in range(8)], rel=1e-15)


def test_a_config_without_a_base_has_the_one_of_its_model_type() -> None:
    for name, base in (("mixtral_8x7b_v0_1", 1e6), ("llama_2_7b", 1e4), ("gemma_3_1b", 1e4)):
        fields = {key: value for key, value in scaled(config(name), layers=6).items() if not key.startswith("rope")}
        assert heads_of(fields)[0].position.base == base
    assert heads_of(fields)[1].position.base == 1e6
