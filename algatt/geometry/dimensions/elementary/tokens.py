"""Bounds for networks that read tokens and have exponentials or roots: all inputs are constants, one place has them
all, and of many sequences those are looked at that see most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import constant_inputs, draw_tokens
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.declared import WITNESSES, check_along_symmetries, random_cotangents
from algatt.geometry.dimensions.elementary.gates import gates_of_sequence
from algatt.geometry.dimensions.evidence import LowerBound, Minor, UpperBound
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.report import Attempt, attempt_of
from algatt.linalg import RowSpace
from algatt.maps.elementary.reading import Reading
from algatt.maps.elementary.tokens.joint import JointPlace, join_sequences
from algatt.maps.gradient import gradients_at_places, pull_back_at_places
from algatt.parameters import Weights

__all__ = ["attempt_over_tokens", "counts_of_sequences", "joint_place", "sequences_with_gates"]

ROWS = 2**12
"""About so many rows are computed at a time."""


def joint_place(
    question: Question, field: PrimeField, theta: Weights, seed: int, count: int
) -> tuple[np.ndarray, JointPlace]:
    """Return the numbers of so many inputs, or of those that have a place together, and this place.

    Raises
    ------
    ConditionFailed
        If none is found.
    """
    arch, reading = question.arch, question.reading
    numbers, gates = sequences_with_gates(arch, reading, seed, count)
    tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    inputs = constant_inputs(arch, tokens)
    joint = join_sequences(reading, field, tensors, seed, inputs, gates)
    return numbers[joint.kept], joint


def attempt_over_tokens(question: Question, field: Elementary, seed: int) -> Attempt:
    """Compute the bounds at one point over GF(p), with residues for exponentials and roots of all inputs together.

    Raises
    ------
    ConditionFailed
        If the conditions do not hold, or hold for a part of the inputs that does not suffice.
    """
    arch, prime = question.arch, PrimeField(field.p)
    drawn = verbs.sample(arch, Weights, field=prime, seed=seed)
    few, many, more = counts_of_sequences(arch, upper_bound(question, prime, drawn).value)
    found = 0
    for count in sorted({few, many, more}):
        theta, before = drawn, found
        numbers, joint = joint_place(question, prime, theta, seed, count)
        theta = theta.replace([Elements(prime, joint.place.tensors[name]) for name in theta.names()])
        check_symmetries_of_tokens(question, joint, theta, seed)
        upper = upper_bound(question, prime, theta)
        last = count == more or (joint.full and not joint.conditions.gates)
        patient = count >= many or last  # more inputs follow otherwise
        lower = lower_bound_of_tokens(question, joint, theta, numbers, upper, patient=patient)
        found = lower.value
        growing = joint.conditions.gates > 0 and found > before  # a sequence sees what is behind its open gates
        if found == upper.value or last or (many <= len(numbers) and not growing):
            break
    if lower.value < upper.value and len(numbers) < many:
        raise ConditionFailed(
            f"the exponents and roots of {len(numbers)} of {count} inputs are known to be independent, and these "
            f"do not suffice: {joint.reason}"
        )
    return attempt_of(question, field, seed, lower, upper)


def check_symmetries_of_tokens(question: Question, joint: JointPlace, theta: Weights, seed: int) -> None:
    """Raise `SymmetryError` if a declared symmetry changes the function to first order."""
    which = np.arange(min(WITNESSES, len(joint.kept)))
    cotangents = random_cotangents(question.arch, theta.field, seed).raw
    rows = pull_back_at_places(theta, joint.place, which, lambda block: cotangents[: len(which)][block])
    check_along_symmetries(question, rows, theta, seed)


def lower_bound_of_tokens(
    question: Question,
    joint: JointPlace,
    theta: Weights,
    numbers: np.ndarray,
    upper: UpperBound,
    *,
    patient: bool = True,
) -> LowerBound:
    """Bound the dimension from below by the rows of all inputs of a place, those of the last tokens first. Those of a
    token are left once some of them add nothing; unless the other tokens do, or it is not patient, they come last.
    """
    arch, progress = question.arch, question.options.progress
    columns = np.setdiff1d(np.arange(arch.parameters), cast(Minor, upper.minor).columns)
    space = RowSpace(joint.place.field, len(columns), engine=question.options.engine)
    origins: list[int] = []

    def add(inputs: np.ndarray, outputs: np.ndarray) -> int:
        found = gradients_at_places(theta, joint.place, inputs, outputs)
        gained = space.add(Elements(joint.place.field, np.ascontiguousarray(found.raw[:, columns])))
        origins.extend((numbers[inputs] * arch.outputs + outputs).tolist())
        if progress is not None:
            progress(space.rank, upper.value)
        return gained

    left = []
    for blocks in rows_of_tokens(*arch.output_shape, len(numbers)):
        gained = 1
        for block in blocks:
            if gained and space.rank < upper.value:
                gained = add(*block)
            else:
                left.append(block)
    for block in left if patient else []:
        if space.rank < upper.value:
            add(*block)
    minor = Minor(
        rows=tuple(origins[row] for row in space.pivot_rows),
        columns=tuple(int(columns[column]) for column in space.pivot_columns),
        determinant=space.determinant,
    )
    complete = patient and len(numbers) == arch.sequences
    return LowerBound(space.rank, len(numbers), minor, complete=complete, conditions=joint.conditions)


Block = tuple[np.ndarray, np.ndarray]
"""Rows of the Jacobian: the input of each, and the entry of the value."""


def rows_of_tokens(rows: int, tokens: int, count: int) -> Iterator[list[Block]]:
    """Iterate over the tokens, the last one first, with all of its rows in so many values, in blocks. Inputs take
    turns, and so do entries: all logits of one input see its token in few ways.
    """
    first, which = np.meshgrid(np.arange(rows), np.arange(count), indexing="ij")
    entries, inputs = ((first + which) % rows).ravel(), which.ravel()
    for token in reversed(range(tokens)):
        outputs = entries * tokens + token
        yield [(inputs[k : k + ROWS], outputs[k : k + ROWS]) for k in range(0, len(inputs), ROWS)]


SPARE = 8
"""So many more sequences are looked at than rows are needed."""

DRAWN = 4
"""So many times as many sequences are drawn as are looked at, until all tokens are there."""

AMONG = 4
"""Where there are gates, sequences are chosen among so many times as many."""

UNIT = 2**32
"""What an entry that was open n times is worth is about so much over n + 1: integers, equal everywhere."""


def sequences_with_gates(
    arch: Architecture, reading: Reading, seed: int, count: int
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the numbers of so many inputs, and their gates, all of them at the same real weights. What is behind a
    gate is seen where it is open: neurons and experts that few sequences have are in as many of them as can be.

    Raises
    ------
    ConditionFailed
        If no input has a value.
    """
    among = count * AMONG if reading.gates else count
    drawn = numbers_of_sequences(arch, seed, among if arch.sequences is None else min(arch.sequences, among))
    numbers, gates = with_real_values(arch, reading, seed, drawn)
    if len(numbers) > count and gates:
        tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
        there = (tokens[:, :, None] == np.unique(tokens)).any(axis=1)
        last = [values[..., -1].reshape(len(numbers), -1) > 0 for values in gates.values()]
        kept = evenly(np.concatenate([there, *last], axis=1), count)
        numbers, gates = numbers[kept], {number: values[kept] for number, values in gates.items()}
    return numbers, gates


def evenly(has: np.ndarray, count: int) -> np.ndarray:
    """Return so many rows that have all columns about equally often, as far as there are such, in an order in which the
    first ones do, too: ever the one that has the most of what is rare so far.
    """
    left = np.ones(len(has), dtype=bool)
    times = np.zeros(has.shape[1], dtype=np.int64)
    chosen = []
    for _ in range(count):
        worth = has @ (UNIT // (times + 1))
        worth[~left] = -1
        chosen.append(int(np.argmax(worth)))
        left[chosen[-1]] = False
        times += has[chosen[-1]]
    return np.array(chosen)


def numbers_of_sequences(arch: Architecture, seed: int, most: int) -> np.ndarray:
    """Return the numbers of the first inputs of the seed that are different sequences, those first that have a token
    which none before them has: of a token that is nowhere nothing is seen.
    """
    first: dict[tuple[int, ...], int] = {}
    seen: set[int] = set()
    new: set[int] = set()
    start = 0
    while len(first) < most or (len(seen) < (arch.vocabulary or 1) and start < DRAWN * most):
        for number, tokens in enumerate(draw_tokens(arch, seed, start, most).tolist(), start=start):
            first.setdefault(tuple(tokens), number)
            if not seen.issuperset(tokens):
                new.add(number)
            seen.update(tokens)
        start += most
    others = (number for number in first.values() if number not in new)
    return np.array(sorted([*sorted(new), *others][:most]))


def counts_of_sequences(arch: Architecture, rank: int) -> list[int]:
    """Return how many sequences are looked at for a rank: so many that they have half as many rows again, and each
    token three times more; then as many as have them for their last tokens alone; and twice as many as that, where some
    are left out.
    """
    vocabulary = arch.vocabulary or 1
    few = -(-3 * rank // (2 * arch.outputs)) + 3 * vocabulary // arch.input_shape[1] + 3
    many = -(-arch.parameters // arch.output_shape[0]) + 2 * vocabulary + SPARE
    counts = (min(few, many), max(few, many), 2 * max(few, many))
    return [count if arch.sequences is None else min(arch.sequences, count) for count in counts]


def with_real_values(
    arch: Architecture, reading: Reading, seed: int, numbers: np.ndarray
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the inputs with values at the same real weights, and the gates that these have there."""
    if not (reading.gates or reading.roots):
        return numbers, {}
    kept, found = [], []
    for number in numbers:
        one = gates_of_sequence(arch, reading, seed, int(number))
        if one is not None:
            kept.append(int(number))
            found.append(one)
    if not kept:
        raise ConditionFailed(f"none of {len(numbers)} inputs has a value at real weights")
    return np.array(kept), {gate: np.stack([one[gate] for one in found]) for gate in reading.gates}
