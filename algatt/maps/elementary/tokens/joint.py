"""Sequences of tokens at a place modulo p, the conditions being checked for all of them together."""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_right
from collections.abc import Mapping

import numpy as np

from algatt.errors import ConditionFailed
from algatt.fields import PrimeField
from algatt.maps.elementary.conditions import ERF, Conditions
from algatt.maps.elementary.reading import Reading
from algatt.maps.elementary.tokens.independence import find_relations, look_at_exponents
from algatt.maps.elementary.tokens.numbering import number_entries
from algatt.maps.elementary.tokens.places import Dependent, Relations, Sequences, TokenPlace
from algatt.maps.elementary.tokens.roots import take_roots
from algatt.memory import check_memory

__all__ = ["JointPlace", "join_sequences"]

MOST_EXPONENTS = 3000
"""So many exponents at most are looked at together."""

BYTES = 100
"""At least so many are held for each product of two entries that is numbered."""

ROUNDS = 12
"""So many times sequences are left out, at most."""


@dataclasses.dataclass(frozen=True, eq=False)
class JointPlace:
    """Sequences of tokens at one place, the conditions being checked.

    Parameters
    ----------
    place : TokenPlace
        The place.
    kept : ndarray
        Which of the sequences that were given have it: those whose exponents and roots are known to be independent.
    conditions : Conditions
        What was checked.
    reason : str
        Why other sequences were left out, if some were.
    full : bool
        Whether they were left out since there are too many exponents: then more sequences are of no use.
    """

    place: TokenPlace
    kept: np.ndarray
    conditions: Conditions
    reason: str
    full: bool


def join_sequences(
    reading: Reading,
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    inputs: np.ndarray,
    gates: Mapping[int, np.ndarray],
) -> JointPlace:
    """Return a place for sequences of tokens, and for which of them it is one.

    Parameters
    ----------
    reading : Reading
        The program.
    field : PrimeField
        Where it is evaluated.
    tensors : mapping of str to ndarray
        Raw weights; they are changed where roots do not exist.
    seed : int
        Names the residues.
    inputs : ndarray
        For each sequence a matrix of integers.
    gates : mapping of int to ndarray
        The values of gates for each, all of them at the same real weights.

    Raises
    ------
    ConditionFailed
        If the conditions were found to hold for no sequence.
    """
    if reading.logarithms:
        raise ConditionFailed("logarithms have no rule for several sequences of tokens together")
    kept = np.arange(len(inputs))
    check_one_sequence(reading, inputs, gates)
    numbered = number_entries(reading, inputs, gates)
    reason, full = "none has a value", False

    def some(kept: np.ndarray) -> Sequences:
        of_them = {number: values[kept] for number, values in gates.items()}
        return Sequences(reading, inputs[kept], of_them, numbered.part(kept), Relations({}, {}))

    for _ in range(ROUNDS):
        if not len(kept):
            break
        sequences = some(kept)
        if len(sequences.exponentials) > MOST_EXPONENTS:
            reason, full = f"more than {MOST_EXPONENTS} exponents are in all of them", True
            counts = range(1, len(kept))
            kept = kept[: bisect_right(counts, MOST_EXPONENTS, key=lambda count: len(some(kept[:count]).exponentials))]
            continue
        try:
            place = place_with_roots(sequences, field, tensors, seed)
            seen = look_at_exponents(place)
            if not seen.independent:
                relations = find_relations(sequences, seen)
                if relations.powers:
                    sequences = dataclasses.replace(sequences, relations=relations)
                    place = place_with_roots(sequences, field, tensors, seed)
                    seen = look_at_exponents(place)
                seen.check()
        except Dependent as dependent:
            kept, reason = kept[~sequences.with_function(dependent.functions)], dependent.reason
            continue
        conditions = Conditions(
            exponents=len(sequences.exponentials) + len(sequences.error_functions) - len(sequences.relations.powers),
            weights=seen.weights,
            roots=len(sequences.roots),
            inputs=len(sequences),
            gates=len(sequences) if gates else 0,
            rests_on=(ERF,) if sequences.error_functions else (),
            together=True,
        )
        return JointPlace(place, kept, conditions, reason, full)
    raise ConditionFailed(f"of no inputs the functions are known to be independent: {reason}")


def products(reading: Reading) -> int:
    """Return how many entries are multiplied in products of matrices, but for those of the input."""
    program = reading.program.instructions
    return sum(
        math.prod(one.shape) * program[one.operands[0]].shape[1]
        for one in program
        if one.operation == "product" and reading.input not in one.operands
    )


def check_one_sequence(reading: Reading, inputs: np.ndarray, gates: Mapping[int, np.ndarray]) -> None:
    """Raise an error if the first sequence has too many exponents already, or does not fit, before all are numbered."""
    check_memory(BYTES * products(reading), "the functions of the weights at one sequence of tokens")
    first = {number: values[:1] for number, values in gates.items()}
    numbered = number_entries(reading, inputs[:1], first)
    count = len(Sequences(reading, inputs[:1], first, numbered, Relations({}, {})).exponentials)
    if count > MOST_EXPONENTS:
        raise ConditionFailed(
            f"one sequence has {count} exponents, and no more than {MOST_EXPONENTS} can be looked at together"
        )


def place_with_roots(
    sequences: Sequences, field: PrimeField, tensors: Mapping[str, np.ndarray], seed: int
) -> TokenPlace:
    """Return a place, having looked at its roots.

    Raises
    ------
    ConditionFailed
        If a denominator vanishes there.
    """
    place = TokenPlace(sequences, field, tensors, seed)
    take_roots(place, check=True)
    if not place.complete():
        raise ConditionFailed("a denominator vanishes at the place that was drawn; take another seed")
    return place
