"""The motions of a network whose velocities are affine in the weights and have a symmetric matrix."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of
from algatt.architectures.network import program as program_of
from algatt.fields.motions import Taken, Word
from algatt.fields.motions.moving import sizes
from algatt.fields.motions.words import EMPTY, Constant, Form, Shift, Vector
from algatt.linalg.forms import EchelonOfForms, LinearForm, accumulate, primitive, solve
from algatt.programs import Program
from algatt.symmetry.motions.collecting import collect_motions
from algatt.symmetry.motions.solution import Place, entries_of
from algatt.symmetry.motions.solving import solve_types
from algatt.symmetry.quotients.unseen import UnseenSymmetry

Shapes = Mapping[str, tuple[int, ...]]


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

    They are the combinations of the solutions of its types, over Q, in which the matrices are symmetric, and of shifts
    by vectors in which no word of weights or of results is left, so each is a symmetry at all weights; and shifts of
    entries that the value does not depend on.
    """
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    base = arch if arrangement is None else arrangement.network
    shapes, program = verbs.coordinates(base), program_of(base)
    motions = [*linear_motions(program, shapes), *constant_shifts(program, shapes, base.units)]
    unseen = [(name, i, j) for name in shapes.keys() - program.tensors.keys() for i, j in np.ndindex(*shapes[name])]
    for family in verbs.members(UnseenSymmetry, base):
        unseen += [(family.unseen.tensor, i, j) for i, j in zip(family.unseen.rows, family.unseen.columns, strict=True)]
    motions += [{(name, "shift", i, j): 1} for name, i, j in sorted(unseen)]
    matrices = {name: sizes(shape) for name, shape in shapes.items()}
    independent, found = EchelonOfForms(), []
    for motion in sorted(filter(None, motions), key=len):  # the sparsest basis
        if independent.add(in_lowest_terms(motion, matrices)):
            found.append(AffineMotion(primitive(motion)))
    return tuple(found)


def in_lowest_terms(motion: LinearForm, sizes: Mapping[str, tuple[int, int]]) -> LinearForm:
    """Return a motion with R zero in its first entry: then two are equal if their velocities are."""
    found = dict(motion)
    for name, (height, width) in sizes.items():
        value = motion.get((name, "columns", 0, 0), 0)
        for side, size, sign in (("columns", width, -1), ("rows", height, 1)):
            for i in range(size if value else 0):
                accumulate(found, (name, side, i, i), sign * value)
    return found


def linear_motions(program: Program, shapes: Shapes) -> Iterator[LinearForm]:
    """Iterate over the motions of tensors by symmetric matrices."""
    fields = [one for some in solve_types(program, shapes) for one in some.each()]
    asymmetries: dict[Place, LinearForm] = {}
    for number, field in enumerate(fields):
        for (name, side, i, j), value in entries_of(field):
            if i != j:
                place = (name, side, max(i, j), min(i, j))
                accumulate(asymmetries.setdefault(place, {}), number, value if i > j else -value)
    for combination in solve(filter(None, asymmetries.values()), range(len(fields))):
        found: dict[str, dict[str, LinearForm]] = {}
        for number, factor in combination.items():
            for (name, side, i, j), value in entries_of(fields[number]):
                sides = found.setdefault(name, {"rows": {}, "columns": {}})
                accumulate(sides[side], (i, j), factor * value)
        motion: LinearForm = {}
        for name, sides in found.items():
            rows, columns = sides["rows"], sides["columns"]
            height, width = sizes(shapes[name])
            settle(rows, columns, height, width)
            motion |= {(name, side, i, j): c for side, matrix in sides.items() for (i, j), c in matrix.items()}
        yield motion


def constant_shifts(program: Program, shapes: Shapes, units: tuple[int, int] | None) -> Iterator[LinearForm]:
    """Iterate over the shifts that add the same to tensors whatever the weights are: words of weights and of results
    add nothing, each by itself.
    """
    field, _ = collect_motions(program, units=units)
    vanishing: dict[Hashable, LinearForm] = {}
    added: list[tuple[Taken, np.ndarray, Form]] = []
    unknowns: dict[tuple[Vector, int], None] = {}
    sums: list[tuple[Hashable, Taken | None, Shift]] = [(key, None, one) for key, one in field.equations.shifts.items()]
    sums += [((one.tensor, one.kind, one.row), one, one.shift) for one in field.taken]
    for key, taken, shift in sums:
        for word, form in shift.items():
            unknowns |= {(vector, k): None for vector in form for k in range(vector.size)}
            rest, matrix = without_constants(word, next(iter(form)).size)
            if taken is not None and taken.row is None and rest == EMPTY:
                added.append((taken, matrix, form))
                continue
            for vector, factor in form.items():
                for i, k in np.argwhere(matrix).tolist():
                    accumulate(vanishing.setdefault((key, rest, i), {}), (vector, k), matrix[i, k] * factor)
    for combination in solve(filter(None, vanishing.values()), unknowns):
        motion: LinearForm = {}
        for taken, matrix, form in added:
            columns, (height, width) = taken.kind == "left", sizes(shapes[taken.tensor])
            entries = [
                sum((factor * combination.get((vector, k), 0) for vector, factor in form.items()), Fraction(0))
                for k in range(matrix.shape[1])
            ]
            for i, value in enumerate(matrix @ np.array(entries, dtype=object)):
                for other in range(width if columns else height):
                    accumulate(motion, (taken.tensor, "shift", *((i, other) if columns else (other, i))), value)
        yield motion


def without_constants(word: Word, size: int) -> tuple[Word, np.ndarray]:
    """Return a word without the constants at its end, and the matrix of numbers that these are."""
    letters, matrix = list(word.letters), np.eye(size, dtype=np.int64).astype(object)
    while letters and isinstance(letters[-1].of, Constant) and not letters[-1].kind:
        matrix = letters.pop().of.array @ matrix
    return Word(tuple(letters), word.numbers), matrix


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
