"""Words at weights."""

from __future__ import annotations

import functools

import numpy as np

from algatt import verbs
from algatt.fields import Elements, concatenate
from algatt.fields.motions import Letter, Word
from algatt.fields.motions.words import Centring, Constant, Ones, Selection, Sum
from algatt.programs.interpret import Results


def letter_value(letter: Letter, results: Results) -> Elements:
    """Return a letter of a word at weights."""
    constant = isinstance(letter.of, Constant)
    value = Elements(results.field, verbs.embed(results.field, letter.of.array)) if constant else results[letter.of]
    if len(value.shape) < 2:
        value = Elements(value.field, value.raw.reshape(1, 1))
    if letter.kind == "transposed":
        return value.T
    return value.reciprocal() if letter.kind == "inverse" else value


def value_of(word: Word, results: Results, size: int) -> Elements:
    """Return a word at weights: a matrix with as many columns as a vector has entries."""
    return applied(word, Elements.of(results.field, np.eye(size, dtype=np.int64)), results)


def sum_of_words(words: Sum, columns: Elements, results: Results) -> Elements:
    """Return a sum of words times columns."""
    parts = [applied(word, columns, results) * factor for word, factor in words.items()]
    return functools.reduce(Elements.__add__, parts)


def applied(word: Word, columns: Elements, results: Results) -> Elements:
    """Return a word times columns."""
    for letter in reversed(word.letters):
        columns = times_letter(letter, columns, results)
    for number, power in word.numbers:
        value = value_of(number, results, 1)
        value = value if power > 0 else value.reciprocal()
        for _ in range(abs(power)):
            columns = columns * value
    return columns


def times_letter(letter: Letter, columns: Elements, results: Results) -> Elements:
    """Return a letter times columns; constants that have names are not made."""
    if letter.kind in ("diagonal", "inverse"):
        value = letter_value(letter, results)
        value = value if value.shape[1] == 1 else value.T
        return value * columns
    match letter.of:
        case Centring(size):
            return columns.centre() * size
        case Ones(height, width):
            total = columns if width == 1 else np.ones((1, width), dtype=np.int64) @ columns
            return total if height == 1 else np.ones((height, 1), dtype=np.int64) @ total
        case Selection(_, chosen, False):
            return columns[list(chosen)]
        case Selection(count, chosen, True):
            zeros = Elements.of(columns.field, np.zeros((count - len(chosen), columns.shape[1]), dtype=np.int64))
            whole = concatenate([columns, zeros]) if len(chosen) < count else columns
            order = [*chosen, *(row for row in range(count) if row not in set(chosen))]
            return whole[[order.index(row) for row in range(count)]]
    return letter_value(letter, results) @ columns
