"""The motions of a network whose velocities are affine in the weights and have a symmetric matrix."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.arrangement import arrangement_of
from algatt.architectures.recording import program as program_of
from algatt.fields.motions import Action, Taken
from algatt.fields.motions.constants import Constant
from algatt.fields.motions.words import Word
from algatt.symmetry.arrows.unseen import UnseenSymmetry
from algatt.symmetry.motions.solutions import MotionSolutions
from algatt.symmetry.motions.solving import solve_motions
from algatt.symmetry.typed.entries import entry_of
from algatt.symmetry.typed.linear_system import Echelon, LinearForm, accumulate, primitive, solve

__all__ = ["AffineMotion", "symmetric_motions"]

Place = tuple[str, str, int, int]
"""A tensor, ``rows``, ``columns`` or ``shift``, and an entry of the matrix."""


@dataclass(frozen=True)
class AffineMotion:
    r"""A symmetry whose velocities are :math:`\delta W = L W + W R + C` with symmetric L and R.

    Parameters
    ----------
    entries : dict
        The entries of L (``rows``), R (``columns``) and C (``shift``) that are not zero, by the name of W.
    """

    entries: Mapping[Place, int]

    def matrices(self, side: str) -> dict[str, dict[tuple[int, int], int]]:
        """Return the entries of the matrices of one side, by tensor."""
        found: dict[str, dict[tuple[int, int], int]] = {}
        for (name, of, i, j), value in self.entries.items():
            if of == side:
                found.setdefault(name, {})[i, j] = value
        return found


@functools.lru_cache(maxsize=64)
def symmetric_motions(arch: Architecture) -> tuple[AffineMotion, ...]:
    """Return a basis of the affine motions with symmetric matrices, in the tensors of the normal form of a network.

    They are those solutions of the equations of motions, over Q, in which no word of weights or of results is left, so
    each is a symmetry at all weights; and shifts of entries that the value does not depend on.
    """
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    base = arch if arrangement is None else arrangement.network
    shapes = verbs.coordinates(base)
    solutions = solve_motions(program_of(base), shapes, units=base.units)
    count = len(solutions.assignments)
    forms = [*conditions(solutions), *(form for name in solutions.moved for form in asymmetries(solutions, name))]
    forms += [form for name in solutions.moved for form in words_left(solutions, name)]
    motions = [motion_of(solutions, shapes, combination) for combination in solve(forms, range(count))]
    for family in verbs.members(UnseenSymmetry, base):
        places = zip(family.unseen.rows, family.unseen.columns, strict=True)
        motions += [{(family.unseen.tensor, "shift", int(i), int(j)): 1} for i, j in places]
    independent, found = Echelon(), []
    for motion in sorted(motions, key=len):  # the sparsest basis
        if independent.add(in_lowest_terms(motion, shapes)):
            found.append(AffineMotion(primitive(motion)))
    return tuple(found)


def in_lowest_terms(motion: LinearForm, shapes: Mapping[str, tuple[int, ...]]) -> LinearForm:
    """Return a motion with R zero in its first entry: then two are equal if their velocities are."""
    found = dict(motion)
    for name, shape in shapes.items():
        value = motion.get((name, "columns", 0, 0), 0)
        height, width = ((1, 1) + tuple(shape))[-2:]
        for side, size, sign in (("columns", width, -1), ("rows", height, 1)):
            for i in range(size if value else 0):
                accumulate(found, (name, side, i, i), sign * value)
    return found


def conditions(solutions: MotionSolutions) -> Iterator[LinearForm]:
    """Iterate over what solutions have to satisfy for all weights: the coefficients of each word vanish."""
    start = 0
    for part in solutions.parts:
        for condition in part.conditions:
            for _, matrix in condition.terms:
                for row in matrix:
                    yield {start + k: value for k, value in enumerate(row.tolist()) if value}
        start += len(part.assignments)


def in_solutions(solutions: MotionSolutions, form: Mapping[Any, Any]) -> LinearForm:
    """Return a linear form in unknowns as one in the coefficients of the solutions."""
    found: LinearForm = {}
    for key, coefficient in form.items():
        for number, value in solutions.values.get(key, ()):
            accumulate(found, number, coefficient * value)
    return found


def entry(solutions: MotionSolutions, action: Action, i: int, j: int) -> LinearForm:
    """Return an entry of L or R in the coefficients of the solutions."""
    return in_solutions(solutions, entry_of(action, i, j))


def asymmetries(solutions: MotionSolutions, name: str) -> Iterator[LinearForm]:
    """Iterate over the entries of L - L^T and R - R^T of a tensor."""
    for action in (solutions.moved[name].rows, solutions.moved[name].columns):
        if not action.terms:
            continue
        for i in range(action.size):
            for j in range(i):
                form = entry(solutions, action, i, j)
                for key, value in entry(solutions, action, j, i).items():
                    accumulate(form, key, -value)
                if form:
                    yield form


def is_constant(word: Word, taken: Taken) -> bool:
    """Return whether a word is a matrix of numbers."""
    plain = taken.kind in ("left", "right") and taken.row is None and not word.numbers
    return plain and all(isinstance(letter.of, Constant) and not letter.kind for letter in word.letters)


def words_left(solutions: MotionSolutions, name: str) -> Iterator[LinearForm]:
    """Iterate over the vectors behind words that depend on weights."""
    for taken in solutions.moved[name].taken:
        for word, form in taken.shift.items():
            if not is_constant(word, taken):
                for i in range(next(iter(form)).size):
                    vector = {(one, i): value for one, value in form.items()}
                    if found := in_solutions(solutions, vector):
                        yield found


def motion_of(
    solutions: MotionSolutions, shapes: Mapping[str, tuple[int, ...]], combination: Mapping[int, int]
) -> LinearForm:
    """Return the entries of the matrices of a combination of solutions."""
    found: LinearForm = {}
    for name, moved in solutions.moved.items():
        height, width = ((1, 1) + tuple(shapes[name]))[-2:]
        rows, columns = (values_of(solutions, action, combination) for action in (moved.rows, moved.columns))
        settle(rows, columns, height, width)
        for side, matrix in (("rows", rows), ("columns", columns)):
            for (i, j), value in matrix.items():
                accumulate(found, (name, side, i, j), value)
        for taken in moved.taken:
            for i, value in shifts_of(solutions, taken, combination):
                for other in range(width if taken.kind == "left" else height):
                    place = (i, other) if taken.kind == "left" else (other, i)
                    accumulate(found, (name, "shift", *place), value)
    return found


def values_of(solutions: MotionSolutions, action: Action, combination: Mapping[int, int]) -> LinearForm:
    """Return the entries of L or R that are not zero."""
    found: LinearForm = {}
    for i in range(action.size):
        for j in range(action.size) if action.terms else (i,):
            form = entry(solutions, action, i, j)
            value = sum((Fraction(form[n]) * combination[n] for n in form if n in combination), Fraction(0))
            if value:
                found[i, j] = value
    return found


def settle(rows: LinearForm, columns: LinearForm, height: int, width: int) -> None:
    """Move a multiple of the identity from R to L, or from L to R, if all of one side is such a multiple."""
    for source, target, size, other in ((columns, rows, width, height), (rows, columns, height, width)):
        if is_scalar(source, size):
            move(source, target, source.get((0, 0), 0), size, other)
            return


def is_scalar(matrix: LinearForm, size: int) -> bool:
    """Return whether a matrix is a multiple of the identity."""
    return all(i == j for i, j in matrix) and len({matrix.get((i, i), 0) for i in range(size)}) == 1


def move(source: LinearForm, target: LinearForm, value: Any, size: int, other: int) -> None:
    """Take a multiple of the identity from one side of a tensor to the other."""
    for i in range(size):
        accumulate(source, (i, i), -value)
    for i in range(other):
        accumulate(target, (i, i), value)


def shifts_of(
    solutions: MotionSolutions, taken: Taken, combination: Mapping[int, int]
) -> Iterable[tuple[int, Fraction]]:
    """Iterate over the entries of the vector that is added to the columns, or to the rows, of a tensor."""
    for word, form in taken.shift.items():
        if not is_constant(word, taken):
            continue
        size = next(iter(form)).size
        vector = np.zeros(size, dtype=object)
        for i in range(size):
            found = in_solutions(solutions, {(one, i): value for one, value in form.items()})
            vector[i] = sum((Fraction(found[n]) * combination[n] for n in found if n in combination), Fraction(0))
        for letter in reversed(word.letters):
            vector = letter.of.array @ vector
        yield from ((i, Fraction(value)) for i, value in enumerate(vector.tolist()) if value)
