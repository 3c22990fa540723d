"""Monomials in the entries of an input, whose coefficients are the coordinates of a function."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.base import unit_vectors
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Polynomials, RationalFunctions, concatenate

Ring = Polynomials | RationalFunctions

DENOMINATOR = -1
"""Row and column of monomials of the common denominator."""

MOST_VALUES = 2**16
"""Maximum number of entries of the values at all sequences of tokens."""


@dataclass(frozen=True, order=True)
class EntryMonomial:
    """A monomial in the entries of the input, in one entry of the value: in its numerator, if it is a quotient.

    Parameters
    ----------
    row, column : int
        The entry of the value, from 0 on; both are -1 for the common denominator of all entries.
    powers : tuple of (int, int, int)
        Row, column and exponent of each entry of the input that divides the monomial.
    tokens : tuple of int, optional
        For a network that reads tokens: the sequence at which the value is looked at.
    """

    row: int
    column: int
    powers: tuple[tuple[int, int, int], ...]
    tokens: tuple[int, ...] | None = None

    @property
    def description(self) -> str:
        """What the coordinate of the monomial is, in words."""
        if self.tokens is None or self.powers:
            return f"coefficient of {'the ' if self.row == DENOMINATOR else ''}{self}"
        return str(self)

    def __str__(self) -> str:
        value = "denominator" if self.row == DENOMINATOR else f"y_{self.row + 1}_{self.column + 1}"
        if self.tokens is not None:
            value += f" at token{'s' * (len(self.tokens) != 1)} {', '.join(map(str, self.tokens))}"
        factors = [f"x_{i + 1}_{j + 1}" + (f"^{power}" if power > 1 else "") for i, j, power in self.powers]
        return value if self.tokens is not None and not factors else f"{value}: {'*'.join(factors) or '1'}"


def monomial(
    arch: Architecture, row: int, column: int, exponents: tuple[int, ...], tokens: tuple[int, ...] | None
) -> EntryMonomial:
    """Return the monomial of exponents of the unknown entries of the input, which are listed row by row."""
    width = unknown_shape(arch)[1]
    powers = ((*divmod(place, width), int(power)) for place, power in enumerate(exponents) if power)
    return EntryMonomial(row, column, tuple(powers), tokens)


def place(one: EntryMonomial) -> tuple[Any, ...]:
    """Return the key by which monomials are sorted: those of the denominator first; then the tokens, the entry of the
    value, the degree, the lexicographic order.
    """
    degree = sum(power for _, _, power in one.powers)
    return (one.tokens or (), one.row, one.column, degree, tuple((i, j, -power) for i, j, power in one.powers))


def unknown_shape(arch: Architecture) -> tuple[int, int]:
    """Return the rows and columns of the entries of an input that are any numbers: none where tokens alone are read."""
    return arch.input_shape if arch.vocabulary is None else arch.source or (0, 0)


def generic_inputs(arch: Architecture, field: Ring, start: int) -> tuple[list[tuple[int, ...] | None], Elements]:
    """Return a batch of inputs that determines the function of a network: one whose entries are unknowns; if
    tokens are read, one for each sequence of tokens, with unknowns for the numbers that are read before them.

    Parameters
    ----------
    arch : Architecture
        The network.
    field : Polynomials or RationalFunctions
        The ring of the unknowns.
    start : int
        The number of the first unknown.

    Returns
    -------
    sequences : list of tuple of int, or of None
        The tokens of each input.
    inputs : Elements
        Of shape (batch, d, t).

    Raises
    ------
    InvalidArgument
        If the sequences have more than 2^16 values, before any is computed.
    """
    unknowns = Elements(field, field.unknowns(unknown_shape(arch), start)[None])
    if arch.vocabulary is None:
        return [None], unknowns
    (height, width), vocabulary = unknown_shape(arch), arch.vocabulary
    tokens = arch.input_shape[1] - width
    count = vocabulary**tokens
    if count * arch.outputs > MOST_VALUES:
        size = f"{count * arch.outputs:,} values, {arch.outputs} at each of {count:,} sequences of tokens"
        should = f"a network with at most {MOST_VALUES:,} values: fewer tokens, or a smaller vocabulary"
        raise InvalidArgument("arch", f"{arch}, whose function is a table of {size}", should)
    sequences = list(itertools.product(range(vocabulary), repeat=tokens))
    units = Elements.of(field, unit_vectors(vocabulary, np.array(sequences, dtype=np.int64).reshape(-1, tokens)))
    if not math.prod((height, width)):
        return [*sequences], units
    numbers = Elements(field, np.repeat(unknowns.raw, len(sequences), axis=0))

    def zeros(rows: int, columns: int) -> Elements:
        return Elements.of(field, np.zeros((len(sequences), rows, columns), dtype=np.int64))

    above = concatenate([numbers, zeros(height, tokens)], axis=1)
    return [*sequences], concatenate([above, concatenate([zeros(vocabulary, width), units], axis=1)], axis=0)
