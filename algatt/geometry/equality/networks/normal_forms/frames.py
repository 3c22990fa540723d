r"""The matrices of spaces that bring a tensor of theirs, their frame, to a form that depends on its orbit only.

Under GL(n) the frame is a matrix with independent rows: where its first independent columns are, it becomes the
identity. Under an algebra, as a commutant, the first columns of one or of several become
fixed ones. Under orthogonal matrices, perhaps those that keep the
vector of ones, its columns go to others of the same products that are made of these products alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm, RankUndecided, SingularMatrix
from algatt.fields import Elements, Field, Reals
from algatt.fields.motions import Centring, Intertwining, Ones, Space, Vanishing
from algatt.geometry.equality.networks.echelon import chosen_columns
from algatt.geometry.equality.networks.idle import wider
from algatt.geometry.equality.networks.linear_system import LinearSystem
from algatt.geometry.equality.networks.motions import Block, MatrixSide, action_side
from algatt.geometry.equality.networks.normal_forms.isometries import isometry

__all__ = ["check_block", "framed", "not_generic"]

Framed = tuple[MatrixSide, Elements]
"""A frame, with the side on which a matrix stands."""

LARGEST = -1 / 2
"""Power of the unit of rounding: over the reals a frame of a larger condition number, 1e8 for float64, is not one."""


def kind_of(block: Block) -> str | None:
    """Return which of the forms of this module a block has."""
    if not block.constraints:
        return "all" if len(block.spaces) == 1 else None
    if any(isinstance(one, Vanishing) and one.action.scalars for one in block.constraints):
        return None
    others = [one for one in block.constraints if not isinstance(one, Vanishing)]
    if block.orthogonal and all(
        isinstance(one, Intertwining) and isinstance(one.constant, Centring | Ones) for one in others
    ):
        return "orthogonal" if block.orthogonal.issuperset(block.spaces) else None
    if not block.orthogonal and all(
        isinstance(one, Intertwining) and all(a.terms for a in one.actions) for one in others
    ):
        return "algebra"
    return None


def check_block(block: Block, name: str, group: object) -> None:
    """Raise `NoNormalForm` unless a block has one of the forms of this module."""
    if kind_of(block) is None:
        raise NoNormalForm(f"no normal form is known for the space {name}, in which {group} acts")


def framed(block: Block, name: str, frames: Sequence[Framed]) -> dict[Space, Elements]:
    """Return the matrices of the spaces of a block that bring the first of its frames to its form, or as many as it
    takes; on a frame the matrix g of a space stands as its side says, from the left. Where a frame has fewer rows than
    the space, the others are idle.

    Raises
    ------
    NoNormalForm
        If the frames are not generic.
    """
    kind = kind_of(block)
    side, frame = frames[0]
    try:
        if kind == "all":
            identity = verbs.inverse(frame[:, fixing_columns(frame, frame.shape[0], name)])
            return {side.space: side.matrix_of(wider(identity, side.space.size))}
        if kind == "algebra":
            return in_algebra(block, frames, name)
        return dict(same_orthogonal(block, side, orthogonal(block, frame, name)))
    except (SingularMatrix, RankUndecided):
        raise not_generic(name) from None


def same_orthogonal(block: Block, side: MatrixSide, k: Elements) -> Iterator[tuple[Space, Elements]]:
    """Iterate over the matrices of all spaces of a block, which are one orthogonal matrix or its transpose: k stands on
    a side.
    """
    turned = {side.space: (side.sign == 1) == side.transposed}
    while len(turned) < len(block.spaces):
        before = len(turned)
        for one in block.constraints:
            if isinstance(one, Intertwining) and isinstance(one.constant, Centring):
                left, right = map(action_side, one.actions)
                differ = ((left.sign == 1) == left.transposed) != ((right.sign == 1) == right.transposed)
                for known, other in ((left.space, right.space), (right.space, left.space)):
                    if known in turned:
                        turned.setdefault(other, turned[known] != differ)
        if len(turned) == before:
            raise not_generic("spaces that nothing joins")
    for space, transposed in turned.items():
        yield space, k.T if transposed else k


def not_generic(name: str) -> NoNormalForm:
    """Return the error for weights that are no generic ones."""
    return NoNormalForm(f"the weights are not generic: no tensor of {name} tells all of its coordinates apart")


def fixing_columns(frame: Elements, rank: int, name: str) -> list[int]:
    """Return the independent columns of a frame that fix a space, which depend on the span of its rows only."""
    columns = chosen_columns(frame)
    if len(columns) != rank:
        raise not_generic(name)
    return columns


def in_algebra(block: Block, frames: Sequence[Framed], name: str) -> dict[Space, Elements]:
    """Return the matrices of an algebra that take the first columns of frames to fixed ones, as many frames as it takes
    to tell all its matrices apart. The frames after the first are those that move as it does, not by inverses.
    """
    sign, field = frames[0][0].sign, frames[0][1].field
    basis = algebra(block, field)
    told = np.zeros((len(basis), 0), dtype=frames[0][1].raw.dtype)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    for side, frame in frames:
        size, known = side.space.size, sum(len(moved) for moved, _ in parts)
        standing = [one[side.space].T if side.transposed else one[side.space] for one in basis]
        stacked = np.stack([one.raw.ravel() for one in standing])
        together, rank = np.hstack([told, stacked]), rank_of(field, stacked)
        columns = list(range(rank // size))
        if side.sign != sign or rank % size or len(columns) > frame.shape[1]:
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
    found = {}
    for space in block.spaces:
        stack = Elements(field, np.stack([one[space].raw.ravel() for one in basis], axis=1))
        h = Elements(field, (stack @ weights).raw.reshape(space.size, space.size))
        found[space] = h if sign == 1 else verbs.inverse(h)
    return found


def rank_of(field: Field, rows: np.ndarray) -> int:
    """Return a rank."""
    return int(verbs.rank(Elements(field, rows)))


def algebra(block: Block, field: Field) -> list[dict[Space, Elements]]:
    """Return a basis of the matrices of a block: with these their inverses satisfy linear equations."""
    system = LinearSystem(field, block.spaces)
    for constraint in block.constraints:
        system.add_constraint(constraint)
    kernel = system.kernel()
    return [system.matrices(kernel[:, [column]]) for column in range(kernel.shape[1])]


def orthogonal(block: Block, frame: Elements, name: str) -> Elements:
    """Return the orthogonal matrix k for which k F depends on the products of the columns of F only."""
    field, size = frame.field, block.spaces[0].size
    keeps_ones = any(isinstance(one, Intertwining) for one in block.constraints)
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
