"""The motions of a network: how its tensors move, in a basis of the solutions of the equations that its program asks
for.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field
from algatt.fields.motions import Action, Taken
from algatt.fields.motions.words import Form
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.motions.conditions import Key, MovingPart
from algatt.symmetry.motions.words import letter_value, value_of
from algatt.symmetry.typed.entries import entry_of

__all__ = ["MotionSolutions", "Moved"]


@dataclass(frozen=True, eq=False)
class Moved:
    """What moves a tensor, in unknown numbers: L W + W R, and sums of words times vectors.

    Parameters
    ----------
    rows, columns : Action
        L and R.
    taken : tuple of Taken
        What is added to its columns and rows.
    """

    rows: Action
    columns: Action
    taken: tuple[Taken, ...]


@dataclass(frozen=True, eq=False)
class MotionSolutions:
    """The solutions of the equations of a program.

    Parameters
    ----------
    program : Program
        The program.
    moved : dict of str to Moved
        How the tensors move.
    parts : tuple of MovingPart
        The solutions.
    """

    program: Program
    moved: Mapping[str, Moved]
    parts: tuple[MovingPart, ...]

    @functools.cached_property
    def assignments(self) -> tuple[Mapping[Key, int], ...]:
        """The values of the unknowns, of all parts."""
        return tuple(one for part in self.parts for one in part.assignments)

    @functools.cached_property
    def values(self) -> dict[Key, list[tuple[int, int]]]:
        """For each unknown the solutions in which it is not zero, with its value."""
        found: dict[Key, list[tuple[int, int]]] = defaultdict(list)
        for number, assignment in enumerate(self.assignments):
            for key, value in assignment.items():
                found[key].append((number, value))
        return found

    def tangents(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor how it moves in each solution, as a stack."""
        (first, *_) = tensors.values()
        results = Results(self.program, first.field, tensors)
        stacks = {name: self.tangent(name, W, results) for name, W in tensors.items() if name in self.moved}
        kept: list[dict[str, np.ndarray]] = []
        start = 0
        for part in self.parts:
            stop = start + len(part.assignments)
            found = part.coefficients(results)
            combined = {}
            for name, stack in stacks.items():
                rows = Elements(stack.field, stack.raw[start:stop].reshape(stop - start, -1))
                rows = rows if found is None else found.T @ rows
                combined[name] = rows.raw.reshape(-1, *stack.shape[1:])
            kept.append(combined)
            start = stop
        if not kept:
            return {}
        return {name: Elements(first.field, np.concatenate([one[name] for one in kept])) for name in stacks}

    def tangent(self, name: str, W: Elements, results: Results) -> Elements:
        """Return how a tensor moves in each solution."""
        moved, field, count = self.moved[name], W.field, len(self.assignments)
        total = Elements.of(field, np.zeros((count, *W.shape), dtype=np.int64))
        total = total + self.matrices(moved.rows, field) @ W + W @ self.matrices(moved.columns, field)
        for one in moved.taken:
            for word, form in one.shift.items():
                vectors = self.vectors(form, field)
                if one.kind == "mixed":
                    factors = Elements(field, vectors.raw.reshape(-1, 1, 1))
                    total = total + factors * letter_value(word.letters[0], results)
                    continue
                column = value_of(word, results, vectors.shape[0]) @ vectors  # (m, count)
                stack = Elements(field, column.T.raw[:, :, None])
                if one.kind == "left":
                    row = Elements.of(field, np.ones((1, W.shape[1]), dtype=np.int64))
                    if one.row is not None:
                        row = letter_value(one.row, results)
                    total = total + stack @ (row if row.shape[0] == 1 else row.T)
                else:
                    ones = Elements.of(field, np.ones((W.shape[0], 1), dtype=np.int64))
                    total = total + ones @ Elements(field, np.swapaxes(stack.raw, -1, -2))
        return total

    def vectors(self, form: Form, field: Field) -> Elements:
        """Return the values of a combination of vectors in all solutions, as columns."""
        size = next(iter(form)).size
        found = np.zeros((size, len(self.assignments)), dtype=object)
        for vector, coefficient in form.items():
            for i in range(size):
                for number, value in self.values.get((vector, i), ()):
                    found[i, number] += coefficient * value
        return Elements(field, verbs.embed(field, found))

    def matrices(self, action: Action, field: Field) -> Elements:
        """Return the values of an action in all solutions, as a stack."""
        found = np.zeros((len(self.assignments), action.size, action.size), dtype=object)
        for i in range(action.size):
            for j in range(action.size):
                for key, coefficient in entry_of(action, i, j).items():
                    for number, value in self.values.get(key, ()):
                        found[number, i, j] += coefficient * value
        return Elements(field, verbs.embed(field, found))
