"""The balanced form of a point of a network of any size over the reals: one point for each orbit, up to rounding.

1. Gains, shifts and biases go to standard position.
2. Keys and queries are balanced, K K^T = Q Q^T diagonal, with decreasing entries; the rows of values with their biases
   are orthonormal, and the columns of what reads them orthogonal with decreasing norms; pairs that are turned have the
   same norm in keys and in queries; so have numbers and their inverses.
3. Heads and experts are sorted by the norms of their tensors, the smallest first; neurons and coordinates of a stream
   by theirs, the largest first.
4. Streams that move by isometries have the principal axes of the embedding.
5. The largest entry of each row is positive, and that of a pair that is turned has no second component.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.fields import Reals
from algatt.geometry.equality.large.arrays import as_matrix
from algatt.geometry.equality.large.balancing import balance
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.large.ordering import ordered_terms, orders_of
from algatt.geometry.equality.large.orienting import Orientation, check_axes, principal_axes
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.parameters import Weights
from algatt.symmetry import GroupElement, ProductElement
from algatt.symmetry.discrete.moves import element_of_moves
from algatt.symmetry.discrete.symmetry import moves_of_renaming

ROUNDS = 100
"""What brings a point into standard position is repeated so often at most."""

SETTLED = 1e-15
"""A point that moves by less than this, beside the largest entry of each tensor, is there."""


def balanced_form_map(arch: Architecture, theta: Weights, *, unseen: bool = True) -> GroupElement:
    """Return the group element that leads to the balanced form; entries that no value depends on stay as they are if
    `unseen` is false.

    Raises
    ------
    NoNormalForm
        If something is not decided by floats, or no rule tells it, with the name of the space.
    """
    if not isinstance(theta.field, Reals):
        raise InvalidArgument("theta", f"over {theta.field}", "over Reals()")
    motions = large_motions(arch)
    elements, theta = settled(arch, theta, unseen=unseen)

    def take(element: GroupElement) -> None:
        nonlocal theta
        theta = verbs.act(element, theta)
        elements.insert(0, element)

    take(balance(motions, matrices_of(theta)).change)
    order = order_of_terms(arch, theta)
    if order is not None:
        take(order)
    matrices = {}
    for space, pair, sizes in principal_axes(motions, matrices_of(theta)):
        check_axes(space, sizes)
        matrices[space] = pair
    take(CoordinateChange(motions, {}, matrices, orders_of(motions, matrices_of(theta))))
    for change in Orientation(motions, matrices_of(theta)).run():
        take(change)
    return ProductElement(tuple(elements))


def settled(arch: Architecture, theta: Weights, *, unseen: bool = True) -> tuple[list[GroupElement], Weights]:
    """Return what brings a point into standard position, the last of which acts first, and the point there.

    Where one tensor passes on to others what these pass back, it comes nearer by a factor each time.
    """
    elements: list[GroupElement] = []
    for _ in range(ROUNDS):
        further, there = brought_to_rest(arch, theta, unseen=unseen)
        elements = [*further, *elements]
        pairs = [(one.raw, other.raw) for one, other in zip(theta.elements, there.elements, strict=True)]
        theta = there
        if all(np.abs(one - other).max() <= SETTLED * np.abs(other).max() for one, other in pairs):
            break
    return elements, theta


def order_of_terms(arch: Architecture, theta: Weights, *, decided: bool = True) -> GroupElement | None:
    """Return the element that sorts heads and experts; None if they are sorted."""
    renaming = ordered_terms(arch, matrices_of(theta), decided=decided)
    moves = {} if renaming is None else moves_of_renaming(arch, renaming)
    return element_of_moves(moves, Reals()) if moves else None


def matrices_of(theta: Weights) -> dict[str, np.ndarray]:
    """Return the tensors of weights as matrices."""
    return {name: as_matrix(one.raw) for name, one in theta.tensors.items()}
