r"""The matrices of spaces that bring a tensor of theirs, their frame, to a form that depends on its orbit only.

Under GL(n) the frame is a matrix with independent rows: where its first independent columns are, it becomes the
identity. Under a commutant its first columns become fixed ones. Under orthogonal matrices, perhaps those that keep the
vector of ones, its columns go to others of the same products that are made of these products alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm, RankUndecided, SingularMatrix
from algatt.fields import Elements, Reals
from algatt.fields.motions import Centring, Intertwining, Ones, Space, Vanishing
from algatt.geometry.equality.networks.idle import wider
from algatt.geometry.equality.networks.linear_system import LinearSystem
from algatt.geometry.equality.networks.motions import Block, MatrixSide, action_side
from algatt.geometry.equality.networks.normal_forms.isometries import isometry
from algatt.linalg.engines import Auto
from algatt.linalg.row_form import row_form

__all__ = ["check_block", "framed", "is_orthogonal", "not_generic"]

LARGEST = 1e8
"""Over the reals a frame whose inverse multiplies rounding by more than this is not one."""


def kind_of(block: Block) -> str | None:
    """Return which of the forms of this module a block has."""
    if not block.constraints:
        return "all" if len(block.spaces) == 1 else None
    orthogonal = {space for one in block.constraints if isinstance(one, Vanishing) for space, _ in one.action.terms}
    if any(isinstance(one, Vanishing) and one.action.scalars for one in block.constraints):
        return None
    others = [one for one in block.constraints if not isinstance(one, Vanishing)]
    if orthogonal and all(
        isinstance(one, Intertwining) and isinstance(one.constant, Centring | Ones) for one in others
    ):
        return "orthogonal" if block.orthogonal.issuperset(block.spaces) else None
    if not orthogonal and len(block.spaces) == 1 and all(commutes(one) for one in others):
        return "commutant"
    return None


def is_orthogonal(block: Block) -> bool:
    """Return whether orthogonal matrices act in the spaces of a block."""
    return any(isinstance(one, Vanishing) for one in block.constraints)


def commutes(constraint: object) -> bool:
    """Return whether a constraint says that a matrix commutes with a constant."""
    return isinstance(constraint, Intertwining) and dict(constraint.left.terms) == dict(constraint.right.terms)


def check_block(block: Block, name: str, group: object) -> None:
    """Raise `NoNormalForm` unless a block has one of the forms of this module."""
    if kind_of(block) is None:
        raise NoNormalForm(f"no normal form is known for the space {name}, in which {group} acts")


def framed(block: Block, name: str, side: MatrixSide, frame: Elements) -> dict[Space, Elements]:
    """Return the matrices of the spaces of a block that bring a frame to its form; on the frame the matrix g of a space
    stands as `side` says, from the left. Where the frame has fewer rows than the space, the others are idle.

    Raises
    ------
    NoNormalForm
        If the frame is not generic.
    """
    kind = kind_of(block)
    try:
        if kind == "all":
            return {side.space: side.matrix_of(wider(identity_in_columns(frame, name), side.space.size))}
        if kind == "commutant":
            return {side.space: side.matrix_of(in_commutant(block, side, frame, name))}
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


def identity_in_columns(frame: Elements, name: str) -> Elements:
    """Return the inverse of the first independent columns of a frame, over the reals of those that pivoting takes."""
    field, size = frame.field, frame.shape[0]
    if isinstance(field, Reals):
        form = row_form(frame)
        if form.rank < size:
            raise not_generic(name)
        if not form.clear:
            raise NoNormalForm(f"floats do not decide which columns fix the space {name}: some nearly tie")
        return form.transform
    pivots = verbs.row_reduce(Auto(), field, frame.raw).pivots
    if len(pivots) < size:
        raise not_generic(name)
    return verbs.inverse(Elements(field, frame.raw[:, list(pivots)]))


def in_commutant(block: Block, side: MatrixSide, frame: Elements, name: str) -> Elements:
    """Return the matrix of the commutant that takes the first columns of a frame to fixed ones."""
    basis = list(commutant(block, side, frame))
    columns: list[int] = []
    while len(columns) * side.space.size < len(basis) and len(columns) < frame.shape[1]:
        columns.append(len(columns))
    if len(columns) * side.space.size != len(basis):
        raise NoNormalForm(f"no normal form is known for the space {name}: its matrices move no frame freely")
    target = Elements.of(frame.field, [[(i + 1) ** j for j in columns] for i in range(side.space.size)])
    moved, fixed = (
        np.stack([(matrix @ Elements(frame.field, raw)).raw.ravel() for matrix in basis], axis=1)
        for raw in (frame.raw[:, columns], target.raw)
    )
    verbs.inverse(Elements(frame.field, fixed))  # the fixed columns are a frame
    inverse = verbs.inverse(Elements(frame.field, moved))
    if isinstance(frame.field, Reals) and np.linalg.cond(moved) > LARGEST:
        raise not_generic(name)
    weights = inverse @ Elements(frame.field, target.raw.reshape(-1, 1))
    total = basis[0] * Elements(frame.field, weights.raw[:1])
    for k, matrix in enumerate(basis[1:], start=1):
        total = total + matrix * Elements(frame.field, weights.raw[k : k + 1])
    return total


def commutant(block: Block, side: MatrixSide, frame: Elements) -> Iterator[Elements]:
    """Iterate over a basis of the matrices that may stand on a side: with g its inverse and transpose satisfy linear
    equations.
    """
    system = LinearSystem(frame.field, block.spaces)
    for constraint in block.constraints:
        system.add_constraint(constraint)
    kernel = system.kernel()
    for column in range(kernel.shape[1]):
        g = system.matrices(kernel[:, [column]])[side.space]
        yield g.T if side.transposed else g


def orthogonal(block: Block, frame: Elements, name: str) -> Elements:
    """Return the orthogonal matrix k for which k F depends on the products of the columns of F only."""
    field, size = frame.field, block.spaces[0].size
    keeps_ones = any(isinstance(one, Intertwining) for one in block.constraints)
    rank = size - keeps_ones
    if keeps_ones:  # means stay as they are
        frame = frame.centre()
    columns = independent_columns(frame, rank, name)
    F = Elements(field, frame.raw[:, columns])
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


def independent_columns(frame: Elements, rank: int, name: str) -> Sequence[int]:
    """Return the first independent columns of a frame; over the reals the first ones, if they are clearly independent,
    so that rounding chooses nothing.
    """
    if isinstance(frame.field, Reals):
        columns = list(range(rank))
        if frame.shape[1] < rank or np.linalg.cond(frame.raw[:, columns]) > LARGEST:
            raise not_generic(name)
        return columns
    pivots = verbs.row_reduce(Auto(), frame.field, frame.raw).pivots
    if len(pivots) != rank:
        raise not_generic(name)
    return list(pivots)
