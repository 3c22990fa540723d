"""Weights of checkpoints moved by elements of the group of their network."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.arguments import instance
from algatt.errors import InvalidArgument, SymmetryError
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.balanced_form import balanced_form_map
from algatt.geometry.equality.large.invariants import Invariants, invariants_of
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.values import draw_public_inputs, values_at
from algatt.layers import LearnedPosition
from algatt.layers.base import layout
from algatt.layers.lengths import tokens_to_reach
from algatt.parameters import Weights
from algatt.symmetry import GroupElement

__all__ = ["Invariants", "balanced_form", "invariants", "move"]

KEPT = 1e-6
"""Values that change by less than this share of the largest are kept, but for rounding."""


def balanced_form(network: NetworkLike, weights: Weights) -> Weights:
    """Return the balanced form of weights over the reals: one for all that the group of the network leads to, up to
    rounding, at any size.

    Gains are folded, and biases that others take up are. Keys and queries are balanced, K K^T = Q Q^T, diagonal with
    decreasing entries; the rows of values with their biases are orthonormal, and what reads them has orthogonal
    columns with decreasing norms. A pair of rows that rotary positions turn has one norm in keys and in queries, and
    the largest entry of the pair no second component. A stream that moves by isometries has the principal axes of the
    embedding. Neurons, coordinates and then heads and experts are sorted by the norms of their tensors; what may be
    multiplied by numbers has the norm of what is divided by them; the largest entry of each row is positive. This is
    another form than that of `algatt.canonical`, which is exact, and of use for small networks.

    Parameters
    ----------
    network : Network
        The network.
    weights : Weights
        Its weights, over `Reals`.

    Raises
    ------
    NoNormalForm
        If singular values, lengths or norms coincide, or the sign of a largest entry is not decided, as far as float64
        tells, or a space has more dimensions than its tensors tell apart; with the name of the space.
    SymmetryError
        If the values of the network are not kept.
    """
    network, theta = checked(network, weights)
    return kept(network, theta, balanced_form_map(network, theta, unseen=reaches_all(network)))


def move(network: NetworkLike, weights: Weights, *, seed: int = 0, condition: float = 4.0) -> Weights:
    """Return weights moved by a random element of the whole group of a network: matrices for all spaces, orders of
    heads, neurons and coordinates, numbers, gains and shifts.

    Parameters
    ----------
    network : Network
        The network.
    weights : Weights
        Its weights, over `Reals`.
    seed : int, optional
        Names the element.
    condition : float, optional
        The condition number of matrices that are not orthogonal, and the ratio of numbers, at most.

    Raises
    ------
    SymmetryError
        If the values of the network are not kept.
    """
    network, theta = checked(network, weights)
    if not 1 <= condition < np.inf:
        raise InvalidArgument("condition", repr(condition), "a number >= 1")
    element = random_element(network, theta, seed, condition=condition, unseen=reaches_all(network))
    return kept(network, theta, element)


def invariants(network: NetworkLike, weights: Weights) -> Invariants:
    """Return numbers that no symmetry of a checkpoint changes.

    A checkpoint is one for any number of tokens: vectors of positions beyond those that the network has count, as the
    symmetries of longer inputs keep what is made of them. What no number of tokens reaches, as the first rows of the
    positions of OPT, does not count. The numbers do not tell all: points of different functions may have the same.

    Raises
    ------
    NoNormalForm
        If a space has more dimensions than its tensors tell apart, with its name.
    """
    network, theta = checked(network, weights)
    theta = without_unreached(network, theta)
    return invariants_of(network, theta, unseen=reaches_all(network))


def without_unreached(network: Network, theta: Weights) -> Weights:
    """Return weights in which vectors of positions that no number of tokens reaches are the mean of the others, so that
    the mean of all is the mean of those.
    """
    tensors = dict(theta.tensors)
    for node in layout(network.layers).walk():
        name = f"{node.path}P"
        if isinstance(node.layer, LearnedPosition) and node.layer.first and name in tensors:
            raw, first = tensors[name].raw.copy(), node.layer.first
            raw[:first] = raw[first:].mean(axis=0)
            tensors[name] = Elements(theta.field, raw)
    return theta.replace(list(tensors.values()))


def checked(given: NetworkLike, weights: Weights) -> tuple[Network, Weights]:
    """Return a network and weights, if they are of the network and over the reals."""
    network: Network = verbs.expression(as_architecture(given, "network"))
    instance("weights", weights, Weights, "Weights")
    if not isinstance(weights.field, Reals):
        raise InvalidArgument("weights", f"over {weights.field}", "over Reals()")
    if {name: one.shape for name, one in weights.tensors.items()} != dict(verbs.coordinates(network)):
        raise InvalidArgument("weights", f"{weights!r}", f"weights of {network!r}")
    return network, weights


def reaches_all(network: Network) -> bool:
    """Return whether no more tokens than the network has see more of its tensors: if they do, as vectors of further
    positions, what is not seen may not be moved, as a checkpoint is one for any number of tokens.
    """
    return tokens_to_reach(network.layers) <= network.tokens


def kept(network: Network, theta: Weights, element: GroupElement) -> Weights:
    """Return weights after an element acted on them, if that keeps the values at random inputs."""
    moved: Weights = verbs.act(element, theta)
    inputs = draw_public_inputs(network, 0)
    before, after = values_at(network, theta, inputs), values_at(network, moved, inputs)
    if before is not None and (after is None or np.abs(after - before).max() > KEPT * np.abs(before).max()):
        raise SymmetryError(
            "the element found for these weights changes the values of the network; nothing is returned"
        )
    return moved
