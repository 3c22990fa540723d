r"""The matrices of spaces that bring a tensor of theirs, their frame, to a form that depends on its orbit only.

Under GL(n) the frame is a matrix with independent rows: where its first independent columns are, it becomes the
identity. Under matrices that commute with turns the first columns of one or of several become fixed ones. Under
orthogonal matrices, perhaps those that keep the vector of ones, its columns go to others of the same products that are
made of these products alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm, RankUndecided, SingularMatrix
from algatt.fields import Elements, Field, Reals
from algatt.geometry.equality.large.motions import MatrixSpace, MovingSide
from algatt.geometry.equality.networks.echelon import chosen_columns
from algatt.geometry.equality.networks.idle import wider
from algatt.geometry.equality.networks.linear_system import LinearSystem
from algatt.geometry.equality.networks.motions import matrix_from
from algatt.geometry.equality.networks.normal_forms.isometries import isometry

Framed = tuple[MovingSide, Elements]
"""A frame, with the side on which a matrix stands."""

LARGEST = -1 / 2
"""Power of the unit of rounding: over the reals a frame of a larger condition number, 1e8 for float64, is not one."""


def framed(space: MatrixSpace, name: str, frames: Sequence[Framed]) -> Elements:
    """Return the matrix of a space that brings the first of its frames to its form, or as many as it takes; on a frame
    it stands as its side says, from the left. Where a frame has fewer rows than the space, the others are idle.

    Raises
    ------
    NoNormalForm
        If the frames are not generic.
    """
    side, frame = frames[0]
    try:
        if space.group in ("turns", "commutant"):
            return in_algebra(space, frames, name)
        if space.rigid:
            return matrix_from(side, orthogonal(space, frame, name))
        identity = verbs.inverse(frame[:, fixing_columns(frame, frame.shape[0], name)])
        return matrix_from(side, wider(identity, space.size))
    except (SingularMatrix, RankUndecided):
        raise not_generic(name) from None


def not_generic(name: str) -> NoNormalForm:
    """Return the error for weights that are no generic ones."""
    return NoNormalForm(f"the weights are not generic: no tensor of {name} tells all of its coordinates apart")


def fixing_columns(frame: Elements, rank: int, name: str) -> list[int]:
    """Return the independent columns of a frame that fix a space, which depend on the span of its rows only."""
    columns = chosen_columns(frame)
    if len(columns) != rank:
        raise not_generic(name)
    return columns


def in_algebra(space: MatrixSpace, frames: Sequence[Framed], name: str) -> Elements:
    """Return the matrix of an algebra that takes the first columns of frames to fixed ones, as many frames as it takes
    to tell all its matrices apart. The frames after the first are those that move as it does, not by inverses.
    """
    inverse, field, size = frames[0][0].inverse, frames[0][1].field, space.size
    basis = algebra(space, field)
    told = np.zeros((len(basis), 0), dtype=frames[0][1].raw.dtype)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    for side, frame in frames:
        known = sum(len(moved) for moved, _ in parts)
        standing = [one.T if side.turned else one for one in basis]
        stacked = np.stack([one.raw.ravel() for one in standing])
        together, rank = np.hstack([told, stacked]), rank_of(field, stacked)
        columns = list(range(rank // size))
        if side.inverse != inverse or rank % size or len(columns) > frame.shape[1]:
            continue
        target = Elements.of(field, [[(i + 1) ** (j + 1) for j in columns] for i in range(size)])
        moved, fixed = (
            np.stack([(matrix @ Elements(field, raw)).raw.ravel() for matrix in standing], axis=1)
            for raw in (frame.raw[:, columns], target.raw)
        )
        if rank_of(field, fixed) == rank and rank_of(field, together) == known + rank:
            told = together
            parts.append((moved, target.raw.reshape(-1, 1)))
    if sum(len(moved) for moved, _ in parts) != len(basis):
        raise NoNormalForm(f"no normal form is known for the space {name}: its matrices move no frame freely")
    A, b = (Elements(field, np.concatenate([pair[k] for pair in parts])) for k in (0, 1))
    if isinstance(field, Reals) and np.linalg.cond(A.raw) > field.unit**LARGEST:
        raise not_generic(name)
    weights = verbs.inverse(A) @ b
    stack = Elements(field, np.stack([one.raw.ravel() for one in basis], axis=1))
    h = Elements(field, (stack @ weights).raw.reshape(size, size))
    return verbs.inverse(h) if inverse else h


def rank_of(field: Field, rows: np.ndarray) -> int:
    """Return a rank."""
    return int(verbs.rank(Elements(field, rows)))


def algebra(space: MatrixSpace, field: Field) -> list[Elements]:
    """Return a basis of the matrices of a space: with these their inverses satisfy linear equations."""
    system = LinearSystem(field, space)
    system.add_group()
    kernel = system.kernel()
    return [system.matrix(kernel[:, [column]]) for column in range(kernel.shape[1])]


def orthogonal(space: MatrixSpace, frame: Elements, name: str) -> Elements:
    """Return the orthogonal matrix k for which k F depends on the products of the columns of F only."""
    field, size = frame.field, space.size
    keeps_ones = space.group == "centred"
    rank = size - keeps_ones
    if keeps_ones:  # means stay as they are
        frame = frame.centre()
    F = frame[:, fixing_columns(frame, rank, name)]
    ones = Elements.of(field, np.ones((size, 1), dtype=np.int64))
    standard = Elements(field, verbs.embed(field, helmert(size) if keeps_ones else np.eye(size, dtype=np.int64)))
    R = isometry(F.T @ F, standard @ standard.T, name)
    image = (R @ standard).T  # size x rank, with the products of F
    if not keeps_ones:
        return image @ verbs.inverse(F)
    joined = [Elements(field, np.hstack([one.raw, ones.raw])) for one in (image, F)]
    return joined[0] @ verbs.inverse(joined[1])


def helmert(size: int) -> np.ndarray:
    """Return orthogonal rows of integers that add up to zero."""
    rows = np.zeros((size - 1, size), dtype=np.int64)
    for k in range(1, size):
        rows[k - 1, :k], rows[k - 1, k] = 1, -k
    return rows
