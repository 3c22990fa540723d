"""Sums of many atoms as few: by the space that their numbers span, so that no basis of it matters."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

import numpy as np

from algatt import verbs
from algatt.fields.base import Elements
from algatt.fields.virtual.field import Virtual, is_zero, written
from algatt.fields.virtual.forms import Atom, Columns, Scores, Transposed, VirtualForm
from algatt.fields.virtual.products import MOST_ROWS

MOST_STACKED = 4096
"""Scores between more rows of atoms than this stay as they are: the matrix of all of them would take gigabytes."""

MOST_RATIONAL = 64
"""The same over the rationals, where elimination is slow."""

COMBINATIONS = 16
"""So many combinations of the rows of large scores are taken to span all of them; where they do not, nothing is done.
"""


def in_order(atoms: Iterable[Atom]) -> list[Atom]:
    """Return atoms in the order of their numbers, each once."""
    return sorted(set(atoms), key=lambda one: one.number)


def side_by_side(field: Virtual, atoms: list[Atom], terms: Mapping[Atom, Elements], rows: int) -> np.ndarray:
    """Return the numbers before all atoms as one matrix."""
    zeros = (field.numbers(np.zeros((rows, one.height), dtype=np.int64)) for one in atoms if one not in terms)
    return np.concatenate([terms[one].raw if one in terms else next(zeros).raw for one in atoms], axis=1)


def atom_of_rows(field: Virtual, atoms: list[Atom], spanning: np.ndarray) -> tuple[Atom, Elements, list[int]]:
    """Return the atom that has the row form of a matrix times the stacked atoms as its rows, this row form, and its
    pivots: the numbers before the atom are those before the stacked ones in these columns.
    """
    echelon = verbs.echelon(Elements(field.base, spanning))
    form = Elements(field.base, echelon.matrix[: len(echelon.pivots)])
    content = ("rows", tuple(one.number for one in atoms), written(form))
    constant = all(one.constant for one in atoms)
    return field.atom(content, len(echelon.pivots), constant=constant), form, list(echelon.pivots)


def spanned(field: Virtual, columns: Columns) -> Columns:
    """Return a sum with a single atom, which a change of basis of the sum does not change: with its numbers in row
    form, :math:`G B = T (R B)`.
    """
    if not columns.terms:
        return columns
    atoms = in_order(columns.terms)
    numbers = side_by_side(field, atoms, columns.terms, columns.shape[0])
    atom, _, pivots = atom_of_rows(field, atoms, numbers)
    return Columns(columns.shape, {atom: Elements(field.base, numbers[:, pivots])})


@functools.lru_cache(maxsize=16)
def cut(field: Virtual, form: VirtualForm) -> VirtualForm:
    """Return what an operation that is not linear reads: a residual stream that many layers wrote as a single atom,
    others as they are.
    """
    if isinstance(form, Transposed):
        inner = cut(field, form.of)
        return form if inner is form.of or not isinstance(inner, Columns) else Transposed(inner)
    if isinstance(form, Columns) and sum(atom.height for atom in form.terms) > MOST_ROWS + form.shape[0]:
        return spanned(field, form)
    return form


def narrowed(field: Virtual, values: Columns, scores: Scores) -> tuple[Columns, Scores]:
    """Return values and scores of the same tokens with a single atom, of all rows that are seen of their atoms."""
    if values.shape[1] != scores.shape[1] or not values.terms or not scores.terms:
        return values, scores
    atoms = in_order([*values.terms, *(one for pair in scores.terms for one in pair)])
    if sum(atom.height for atom in atoms) > (MOST_STACKED if field.base.characteristic else MOST_RATIONAL):
        return values, scores
    A = side_by_side(field, atoms, values.terms, values.shape[0])
    rows = [
        side_by_side(field, atoms, {two: M for (one, two), M in scores.terms.items() if one == key}, key.height)
        for key in atoms
    ]
    M = Elements(field.base, np.concatenate(rows, axis=0))
    drawn = np.random.default_rng(0).integers(1, 2**15, (COMBINATIONS, M.shape[0]))
    combined = Elements(field.base, verbs.embed(field.base, drawn))
    spanning = np.concatenate([A, (combined @ M).raw, (combined @ M.T).raw], axis=0)
    atom, form, pivots = atom_of_rows(field, atoms, spanning)
    inner = Elements(field.base, M.raw[np.ix_(pivots, pivots)])
    if not is_zero(M - form.T @ inner @ form):
        return values, scores
    narrow = Columns(values.shape, {atom: Elements(field.base, A[:, pivots])})
    return narrow, Scores(scores.shape, {(atom, atom): inner}, scores.mask)
