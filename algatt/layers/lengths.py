"""How many tokens layers can read, and how many it takes to reach all that they have."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from algatt.layers.combinators.encoder_decoder import EncoderDecoder
from algatt.layers.convolution import Convolution
from algatt.layers.depthwise_convolution import DepthwiseConvolution
from algatt.layers.learned_position import LearnedPosition
from algatt.layers.positions import RelativeBias


def is_noun(value: Any) -> bool:
    """Return whether a value is a noun, not its class."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def longest(value: Any) -> int | None:
    """Return the greatest number of tokens for which all tables of positions in a noun have rows; None without one."""
    if isinstance(value, tuple):
        return min((most for one in value if (most := longest(one)) is not None), default=None)
    return longest_of_noun(value) if is_noun(value) else None


@functools.lru_cache(maxsize=1024)
def longest_of_noun(noun: Any) -> int | None:
    """Return `longest` of a noun; equal blocks are looked at once."""
    if isinstance(noun, LearnedPosition):
        return None if noun.context is None else noun.context - noun.first
    if isinstance(noun, EncoderDecoder) and noun.source is not None:
        decoder = longest(noun.decoder)
        return None if decoder is None else noun.source + decoder
    most = longest(tuple(getattr(noun, one.name) for one in dataclasses.fields(noun)))
    return most if most is None or not isinstance(noun, EncoderDecoder) else 2 * most


def tokens_to_reach(value: Any) -> int:
    """Return how many tokens it takes to reach every entry of all tables of positions, and of all kernels, in a noun; 1
    without one. Rows before the first one of learned positions no number of tokens reaches.
    """
    if isinstance(value, tuple):
        return max(map(tokens_to_reach, value), default=1)
    return tokens_of_noun(value) if is_noun(value) else 1


@functools.lru_cache(maxsize=1024)
def tokens_of_noun(noun: Any) -> int:
    """Return `tokens_to_reach` of a noun; equal blocks are looked at once."""
    if isinstance(noun, LearnedPosition):
        return 1 if noun.context is None else noun.context - noun.first
    if isinstance(noun, RelativeBias):
        return noun.distance + 1
    if isinstance(noun, EncoderDecoder):
        encoder, decoder = tokens_to_reach(noun.encoder), tokens_to_reach(noun.decoder)
        return 2 * max(encoder, decoder) if noun.source is None else noun.source + decoder
    if isinstance(noun, DepthwiseConvolution):
        return noun.size
    if isinstance(noun, Convolution):  # half of the kernel is before a token, of which only each stride is seen
        return (noun.kernel - 1) // 2 + noun.stride
    return max((tokens_to_reach(getattr(noun, one.name)) for one in dataclasses.fields(noun)), default=1)
