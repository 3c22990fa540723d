"""Orthogonal matrices, turns and signs that bring balanced tensors to one point of their orbit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt.errors import NoNormalForm
from algatt.geometry.equality.large.balancing import (
    APART,
    check_distinct,
    check_positive,
    is_read,
    matrix_of,
)
from algatt.geometry.equality.large.change import CoordinateChange, Pair
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace, MovingSide
from algatt.symmetry.discrete.symmetry import Side

TIE = 1 - 1e-9
"""Entries that are larger than this, beside the largest, are as large as it."""


def frame_of(motions: LargeMotions, space: MatrixSpace, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the rows that fix the axes of a space: those of its first tensor of which the other side stays and that
    has enough columns, as an embedding; of all its tensors if there is none.
    """
    for side in space.sides:
        other = (side.tensor, 1 - side.axis)
        stays = not motions.spaces_by_side.get(other) and other not in motions.coordinates_by_side
        rows = side.rows(tensors[side.tensor])
        if stays and side.part is None and rows.shape[1] >= space.size:
            return rows
    return np.concatenate([side.rows(tensors[side.tensor]) for side in space.sides], axis=1)


def principal_axes(
    motions: LargeMotions, tensors: Mapping[str, np.ndarray]
) -> Iterator[tuple[MatrixSpace, Pair, np.ndarray]]:
    """Iterate over the spaces in which isometries act, each with the matrix that makes the rows of its frame orthogonal
    to each other, the longest first, and their lengths.

    Raises
    ------
    NoNormalForm
        If there are fewer of them than dimensions, or two of one length, as far as floats tell.
    """
    for space in motions.spaces:
        if space.rigid:
            U, sizes, _ = np.linalg.svd(space.axes.T @ frame_of(motions, space, tensors), full_matrices=False)
            if len(sizes) < space.axes.shape[1]:
                raise NoNormalForm(f"the {space.name} has more dimensions than its tensors tell apart")
            h = space.isometry(U.T)
            yield space, matrix_of(space, h, h.T), sizes


def check_axes(space: MatrixSpace, sizes: np.ndarray) -> None:
    """Raise `NoNormalForm` unless lengths tell all axes of a space apart."""
    check_positive(space.name, sizes)
    check_distinct(f"lengths of axes of the {space.name}", sizes)


Unit = MatrixSpace | Factors


@dataclass
class Orientation:
    """Signs and turns, that are found tensor by tensor.

    Parameters
    ----------
    motions : LargeMotions
        How tensors move.
    tensors : dict of str to ndarray
        The tensors, balanced, ordered, and with principal axes.
    """

    motions: LargeMotions
    tensors: dict[str, np.ndarray]

    def run(self) -> Iterator[CoordinateChange]:
        """Iterate over the elements that make the largest entry of each row positive, the first one first.

        Raises
        ------
        NoNormalForm
            If two entries of other signs are the largest, or a row is zero, or of all tensors that are left both sides
            have signs that are not known.
        """
        read = (space for space in self.motions.spaces if is_read(space))
        waiting: dict[Unit, Coordinates | None] = dict.fromkeys(read)
        for one in self.motions.coordinates:
            waiting.update(dict.fromkeys((each for each in one.factors if not each.positive), one))
        while waiting:
            found: dict[Unit, Side | MovingSide] = {}
            for unit in waiting:
                side = self.usable(unit, waiting)
                if side is not None:
                    found[unit] = side
            if not found:
                first = next(iter(waiting))
                where = waiting[first]
                name = first.name if isinstance(first, MatrixSpace) else where.name if where is not None else ""
                raise NoNormalForm(f"the signs of the {name} are not fixed by a tensor of which the other side is")
            matrices, numbers = {}, {}
            for unit, side in found.items():
                where = waiting[unit]
                if isinstance(unit, MatrixSpace) and isinstance(side, MovingSide):
                    matrices[unit] = self.turned(unit, side)
                elif isinstance(unit, Factors) and not isinstance(side, MovingSide) and where is not None:
                    X = self.tensors[side[0]]
                    numbers[unit] = signs_of(where.name, X if side[1] == 0 else X.T, unit.equal)
            change = CoordinateChange(self.motions, {}, matrices, {}, numbers)
            for unit in found:
                del waiting[unit]
            self.tensors = {name: change.image(name, raw) for name, raw in self.tensors.items()}
            yield change

    def usable(self, unit: Unit, waiting: Mapping[Unit, Coordinates | None]) -> Side | MovingSide | None:
        """Return the largest tensor of which all but one side is fixed; None if there is none."""
        sides: list[tuple[Side, Side | MovingSide]] = []
        if isinstance(unit, MatrixSpace):
            sides = [((side.tensor, side.axis), side) for side in unit.sides]
        else:
            sides = [(side, side) for side, power in unit.exponents.items() if power % 2]
        usable = [(own, side) for own, side in sides if self.is_free(own, unit, waiting)]
        return max(usable, key=lambda pair: self.tensors[pair[0][0]].size)[1] if usable else None

    def is_free(self, own: Side, unit: Unit, waiting: Mapping[Unit, Coordinates | None]) -> bool:
        """Return whether a tensor is more than zero, and nothing that is not known acts on it but a unit."""
        name, axis = own
        other = (name, 1 - axis)
        acting: list[Unit] = [space for space, _ in self.motions.spaces_by_side.get(other, ())]
        for side in (own, other):
            one = self.motions.coordinates_by_side.get(side)
            acting += [each for each in (() if one is None else one.factors) if side in each.exponents]
        return bool(self.tensors[name].any()) and not any(each in waiting for each in acting if each is not unit)

    def turned(self, space: MatrixSpace, side: MovingSide) -> Pair:
        """Return the signs, and the turns of pairs, that make the largest entry of each row of a tensor positive."""
        rows = side.rows(self.tensors[side.tensor])
        turns = []
        for pair in range(len(space.speeds)):
            numbers = rows[2 * pair] + 1j * rows[2 * pair + 1]
            sizes = np.abs(numbers)
            largest = numbers[np.argmax(sizes)]
            if np.sum(sizes >= TIE * sizes.max()) > 1:
                raise NoNormalForm(f"two entries of pair {pair} of the {space.name} are the largest")
            turns.append(largest.conj() / abs(largest))
        rest = None
        if space.size > 2 * len(turns):
            signs = signs_of(space.name, (space.axes.T @ rows)[2 * len(turns) :], ())
            rest = np.eye(len(signs)) * signs
        h = space.isometry(rest) if space.rigid and rest is not None else space.turning(np.array(turns), rest)
        return matrix_of(space, h, h.T)


def signs_of(name: str, rows: np.ndarray, equal: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """Return the signs that make the largest entry of each row positive, of rows that have one sign together."""
    signs = np.ones(len(rows))
    together = {place for places in equal for place in places}
    groups = [*equal, *((place,) for place in range(len(rows)) if place not in together)]
    scale = float(np.abs(rows).max())
    for places in groups:
        entries = rows[list(places)].ravel()
        sizes = np.abs(entries)
        largest = entries[sizes >= TIE * sizes.max()]
        if sizes.max() <= APART * scale or len(set(np.sign(largest))) > 1:
            raise NoNormalForm(f"the sign of number {places[0]} of {name} is not decided by its largest entry")
        signs[list(places)] = np.sign(largest[0])
    return signs
