"""Inputs that are constants: tokens as unit vectors, and integers beside them."""

from __future__ import annotations

from .claims import Network
from .stream import words

__all__ = ["constant_entries", "drawn_constants", "entries_of_tokens"]

NUMBERS = 8
"""Random numbers beside tokens are the integers below this."""


def drawn_constants(network: Network, seed: int, number: int) -> tuple[int, ...]:
    """Return the integers of an input, row by row, if it has some, and behind them the numbers of its tokens."""
    vocabulary, tokens = network.tokens_of_input
    count = network.numbers_of_input
    found = words(seed, f"input/{number}", count + tokens)
    return tuple(word % NUMBERS for word in found[:count]) + tuple(word % vocabulary for word in found[count:])


def constant_entries(network: Network, seed: int, number: int) -> list[int]:
    """Return the entries of an input, row by row."""
    count = network.numbers_of_input
    drawn = drawn_constants(network, seed, number)
    tokens = entries_of_tokens(network.tokens_of_input[0], drawn[count:])
    if network.source is None:
        return tokens
    (height, width), length = network.source, len(drawn) - count
    found: list[int] = []
    for row in range(height):
        found += [*drawn[row * width : (row + 1) * width], *[0] * length]
    for row in range(network.tokens_of_input[0]):
        found += [*[0] * width, *tokens[row * length : (row + 1) * length]]
    return found


def entries_of_tokens(vocabulary: int, tokens: tuple[int, ...]) -> list[int]:
    """Return the entries of the matrix whose columns are the unit vectors of tokens."""
    return [int(token == row) for row in range(vocabulary) for token in tokens]
