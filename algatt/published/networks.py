"""The networks of configs as their parameters are counted: with as many tokens as reach all that positions have, and
with the epsilon of norms as it is or 0.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping
from typing import Any

from algatt.architectures import Network
from algatt.errors import InvalidArgument, in_words
from algatt.layers import Reading
from algatt.layers.lengths import is_noun, tokens_to_reach
from algatt.published.models import layers_of

LEAST = 2
"""Attention of one token has no scores, so there are at least two."""


def network_to_count(
    config: str | os.PathLike[str] | Mapping[str, Any], reading: Reading | None, eps: int | None, least: int = LEAST
) -> Network:
    """Return the network of a config that reads at least so many tokens, and as many as it takes to reach all entries
    of its positions.
    """
    layers, count, width = layers_of(config, None, reading)
    tokens = max(least, tokens_to_reach(layers))
    if width is None and tokens != count:  # what reads vectors has as many as the config says
        layers, count, _ = layers_of(config, tokens, reading)
    return Network(layers if eps is None else with_epsilon(layers, eps), count, width)


def check_epsilon(eps: Any) -> int | None:
    """Return None or 0."""
    if eps is None or (type(eps) in (int, float) and eps == 0):
        return None if eps is None else 0
    raise InvalidArgument("eps", in_words(eps), "0, or None for what the config says")


def with_epsilon(value: Any, eps: float) -> Any:
    """Return a noun in which all that is called ``eps``, the number that norms add to a square, is another number."""
    if isinstance(value, tuple):
        return tuple(with_epsilon(one, eps) for one in value)
    return noun_with_epsilon(value, eps) if is_noun(value) else value


@functools.lru_cache(maxsize=1024)
def noun_with_epsilon(noun: Any, eps: float) -> Any:
    """Return `with_epsilon` of a noun; equal blocks are changed once."""
    fields = {one.name: getattr(noun, one.name) for one in dataclasses.fields(noun) if one.init}
    changed = {name: eps if name == "eps" else with_epsilon(value, eps) for name, value in fields.items()}
    return noun if changed == fields else noun.of_fields(changed)
