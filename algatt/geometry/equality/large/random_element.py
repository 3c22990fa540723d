"""Random elements of the whole group of a network of any size, over the reals."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Reals
from algatt.geometry.equality.large.change import CoordinateChange, Pair
from algatt.geometry.equality.large.motions import Factors, MatrixSpace
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.large.standard import brought_to_rest, quotients_of
from algatt.parameters import Weights
from algatt.randomness import check_seed, random_words
from algatt.symmetry import GroupElement, ProductElement
from algatt.symmetry.discrete.moves import element_of_moves
from algatt.symmetry.discrete.symmetry import moves_of_renaming, term_graph
from algatt.symmetry.tensors_element import TensorsElement


def random_element(
    arch: Architecture, theta: Weights, seed: int = 0, *, condition: float = 4.0, unseen: bool = True
) -> GroupElement:
    """Return a random element of the group of a network for a point over the reals: matrices for all spaces, orders of
    heads, neurons and coordinates, numbers, gains and shifts.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        The point, over the reals.
    seed : int, optional
        Of what is drawn.
    condition : float, optional
        The condition number of matrices that are not orthogonal, and of families of numbers, at most.
    unseen : bool, optional
        Whether entries that no value depends on are moved. If more tokens than the network has see them, they may not.
    """
    motions = large_motions(arch)
    seed = check_seed(seed)
    at_rest, there = brought_to_rest(arch, theta, unseen=unseen)
    change = CoordinateChange(
        motions,
        {},
        {space: random_matrix(space, seed, f"matrix {k}", condition) for k, space in enumerate(motions.spaces)},
        {one: order_of(one.size, seed, f"order {k}") for k, one in enumerate(motions.coordinates) if one.permuted},
        {
            factors: random_numbers(factors, one.size, seed, f"numbers {k} {j}", condition)
            for k, one in enumerate(motions.coordinates)
            for j, factors in enumerate(one.factors)
        },
    )
    exchange = random_exchange(arch, seed)
    moved = verbs.act(exchange, verbs.act(change, there))
    elements: list[GroupElement] = [exchange, change, *at_rest]
    for family in quotients_of(arch, unseen=unseen):
        element = family.element(moved, seed)
        moved = verbs.act(element, moved)
        elements.insert(0, element)
    return ProductElement(tuple(elements))


def uniform(count: int, seed: int, label: str) -> np.ndarray:
    """Return random numbers between 0 and 1."""
    return random_words(seed, label, count) / 2.0**64


def order_of(size: int, seed: int, label: str) -> np.ndarray:
    """Return a random order."""
    return np.argsort(random_words(seed, label, size))


def spread(count: int, seed: int, label: str, condition: float) -> np.ndarray:
    """Return random numbers of either sign, the sizes of which have at most a given ratio."""
    sizes = condition ** (uniform(count, seed, f"{label} sizes") - 0.5)
    return sizes * (1 - 2.0 * (uniform(count, seed, f"{label} signs") < 0.5))


def random_numbers(factors: Factors, count: int, seed: int, label: str, condition: float) -> np.ndarray:
    """Return random numbers for coordinates, the same where they have to be."""
    numbers = spread(count, seed, label, condition)
    for places in factors.equal:
        numbers[list(places)] = numbers[places[0]]
    return factors.admitted(numbers)


def random_orthogonal(size: int, seed: int, label: str) -> np.ndarray:
    """Return a random orthogonal matrix, from numbers between -1 and 1."""
    draws = 2 * uniform(size * size, seed, label).reshape(size, size) - 1
    Q, R = np.linalg.qr(draws)
    found: np.ndarray = Q * np.sign(R.diagonal())
    return found


def random_matrix(space: MatrixSpace, seed: int, label: str, condition: float) -> Pair:
    """Return a random matrix of the group of a space, and its inverse."""
    if space.rigid:
        g = space.isometry(random_orthogonal(space.axes.shape[1], seed, label))
        return g, g.T
    pairs = len(space.speeds)
    sizes = np.abs(spread(pairs, seed, f"{label} pairs", condition))
    numbers = sizes * np.exp(2j * np.pi * uniform(pairs, seed, f"{label} angles"))
    left = space.size - 2 * pairs
    rest = random_general(left, seed, f"{label} rest" if pairs else label, condition) if left else (None, None)
    return space.turning(numbers, rest[0]), space.turning(1 / numbers, rest[1])


def random_general(size: int, seed: int, label: str, condition: float) -> Pair:
    """Return a random matrix of at most a condition number, and its inverse."""
    U, V = (random_orthogonal(size, seed, f"{label} {side}") for side in ("left", "right"))
    sizes = np.abs(spread(size, seed, f"{label} sizes", condition))
    return U * sizes @ V, V.T / sizes @ U.T


def random_exchange(arch: Architecture, seed: int) -> TensorsElement:
    """Return a random renaming of the tensors of a network, which exchanges heads and experts, with the rows of routers
    that belong to these.
    """

    def prefer(one: int, other: int) -> float:
        return float(uniform(1, seed, f"exchange {one} {other}")[0])

    renaming = term_graph(arch).search({}, prefer=prefer)
    return element_of_moves({} if renaming is None else moves_of_renaming(arch, renaming), Reals())
