r"""Idle coordinates: those of a space that the only tensor which writes it does not reach, at one point.

Let GL(n) act by :math:`W \mapsto g W` on one tensor and by :math:`R \mapsto R g^{-1}` on all others that it moves. With
W = (F, 0) and g = diag(1, t) the function of (W, R) is that of (W, R diag(1, 1/t)) for all t, an identity in 1/t; at
1/t = 0 it says that the columns of R beside the zeros of W are not seen. A function that is a quotient, or continuous,
agrees there if it has a value, for which who asks has to look.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.geometry.equality.large.motions import MatrixSpace, MovingSide
from algatt.geometry.equality.networks.motions import GroupMotions, matrix_from
from algatt.geometry.equality.networks.standard import on_folded, without_rounding
from algatt.linalg.row_form import RowForm, row_form, row_rank
from algatt.parameters import Weights
from algatt.parameters.base import Coordinates
from algatt.symmetry import GroupElement
from algatt.symmetry.base import same_arrays
from algatt.symmetry.discrete.symmetry import Side
from algatt.symmetry.hidden.directions import is_unseen
from algatt.symmetry.tensors_element import TensorsElement

SPARE = 8
"""Number of columns beyond those of a square matrix that are looked at first."""


@dataclass(frozen=True, eq=False, repr=False)
class IdleElement(GroupElement):
    """Matrices that are added to all tensors that read a space, with entries in idle coordinates only; it acts on the
    points at which the function does not see them.

    Parameters
    ----------
    arrays : tuple of Elements
        What is added to each of the tensors, in the order of `Parameters.elements`.
    frame : (str, int)
        The side of the tensor that writes the space.
    sides : tuple of (str, int)
        The sides of the tensors that read it.
    """

    arrays: tuple[Elements, ...]
    frame: Side
    sides: tuple[Side, ...]

    @property
    def field(self) -> Field:
        return self.arrays[0].field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdleElement) and same_arrays(self.arrays, other.arrays)

    def __hash__(self) -> int:
        return hash(tuple(array.shape for array in self.arrays))

    def __repr__(self) -> str:
        return f"IdleElement(arrays={len(self.arrays)}, field={self.field})"


@verbs.act.method
def act_on_readers(element: IdleElement, theta: Coordinates) -> Coordinates:
    found, expected = ([array.shape for array in arrays] for arrays in (element.arrays, theta.elements))
    if found != expected:
        raise InvalidArgument("element", f"with arrays of shapes {found}", f"with arrays of the shapes {expected}")
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    name, axis = element.frame
    F = tensors[name] if axis == 0 else tensors[name].T
    for (name, W), array in zip(tensors.items(), element.arrays, strict=True):
        rows, columns = (F if (name, axis) in element.sides else None for axis in (0, 1))
        if not is_unseen(None if rows is None else rows.T, array, columns, W):
            was = f"{element!r}, which changes the function at this point"
            raise InvalidArgument("element", was, "a translation that the function does not see there")
    touched = {name for name, _ in (element.frame, *element.sides)}
    added = theta.replace([W + array for W, array in zip(theta.elements, element.arrays, strict=True)])
    cleared = without_rounding(added, theta).elements  # what is taken away leaves zero
    return theta.replace(
        [other if name in touched else one for name, one, other in zip(tensors, added.elements, cleared, strict=True)]
    )


@verbs.inverse.method
def inverse_of_idle(matrix: IdleElement) -> IdleElement:
    return dataclasses.replace(matrix, arrays=tuple(-array for array in matrix.arrays))


def remove_idle(
    arch: Architecture, motions: GroupMotions, theta: Weights, *, checked: bool = False
) -> tuple[tuple[GroupElement, ...], Weights, dict[MatrixSpace, int]]:
    """Move a point in standard position so that the idle coordinates of each space are its last ones, and zero in all
    tensors; `checked` is that of `row_form`.

    Returns
    -------
    factors : tuple of GroupElement
        What led there; the last one acts first.
    theta : Weights
        The point.
    reached : dict of MatrixSpace to int
        The number of other coordinates, for spaces that have idle ones.

    Raises
    ------
    RankUndecided
        Over the reals, if a rank is undecided.
    """
    factors: list[GroupElement] = []
    reached: dict[MatrixSpace, int] = {}
    for space in motions.spaces:
        for writer in writers(space):
            frame = writer.tensor, writer.axis
            left = reached.get(space, space.size)
            written = writer.rows(theta.tensors[writer.tensor])[:left]
            if has_full_rank(written, checked):
                continue
            form = row_form(written, checked=checked)
            reached[space] = form.rank
            g = matrix_from(writer, wider(moving_idle(form), space.size))
            change = on_folded(arch, TensorsElement(motions.sides_of({space: g})))
            theta = without_rounding(verbs.act(change, theta), theta)
            sides = tuple((one.tensor, one.axis) for one in space.sides if one != writer)
            idle = (np.arange(space.size) >= form.rank).astype(np.int64)
            arrays = {name: W * 0 for name, W in theta.tensors.items()}
            for name, axis in sides:
                W = theta.tensors[name] + arrays[name]
                arrays[name] = arrays[name] - W * (idle[:, None] if axis == 0 else idle)
            away = IdleElement(tuple(arrays.values()), frame, sides)
            theta = verbs.act(away, theta)
            factors[:0] = [away, change]
    return tuple(factors), theta, reached


def has_full_rank(rows: Elements, checked: bool) -> bool:
    """Return whether rows are independent; over exact fields a few of their columns may tell."""
    height = rows.shape[0]
    parts = [rows[:, : height + SPARE], rows] if rows.field.exact else [rows]
    return any(row_rank(part, checked=checked) == height for part in parts)


def writers(space: MatrixSpace) -> list[MovingSide]:
    """Return the sides of the tensors that alone move by g, in a space in which all of GL(n) acts and moves the others
    by its inverse: none or one, and both of two.
    """
    if space.group != "general" or len(space.sides) < 2 or any(side.part is not None for side in space.sides):
        return []
    kinds = Counter((side.inverse, side.turned) for side in space.sides)
    alone = len(space.sides) - 1
    return [side for side in space.sides if kinds[not side.inverse, not side.turned] == alone]


def moving_idle(form: RowForm) -> Elements:
    """Return a matrix that makes the last rows zero, over the reals an orthogonal one."""
    rows = form.transform.raw
    if form.basis.field.exact:
        return form.transform
    return Elements(form.basis.field, np.concatenate([form.basis.raw.T, rows[form.rank :]]))


def wider(G: Elements, size: int) -> Elements:
    """Return a matrix of a larger size, with further ones on its diagonal."""
    raw = Elements.of(G.field, np.eye(size, dtype=np.int64)).raw.copy()
    raw[: G.shape[0], : G.shape[0]] = G.raw
    return Elements(G.field, raw)
