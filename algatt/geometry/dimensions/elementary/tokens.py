"""Bounds for networks that read tokens and have exponentials or roots: all inputs are constants, and one place has them
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from algatt import verbs
from algatt.architectures.base import constant_inputs, draw_tokens
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.declared import WITNESSES, check_along_symmetries, random_cotangents
from algatt.geometry.dimensions.elementary.sequences import counts_of_sequences, sequences_with_gates
from algatt.geometry.dimensions.evidence import LowerBound, Minor, UpperBound
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.report import Attempt, attempt_of
from algatt.linalg import RowSpace
from algatt.maps.elementary.gradients import gradients_at_places, pull_back_at_places
from algatt.maps.elementary.tokens.joint import JointPlace, join_sequences
from algatt.parameters import Weights

__all__ = ["attempt_over_tokens", "joint_place"]

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
