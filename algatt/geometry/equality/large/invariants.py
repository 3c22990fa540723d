"""Numbers of a point of a network of any size over the reals that no element of its group changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.display import Rows, Summary
from algatt.errors import InvalidArgument
from algatt.geometry.equality.large.balanced_form import matrices_of, order_of_terms, settled
from algatt.geometry.equality.large.balancing import balance
from algatt.geometry.equality.large.motions import LargeMotions, MatrixSpace, MovingSide
from algatt.geometry.equality.large.orienting import principal_axes
from algatt.geometry.equality.large.spaces import large_motions
from algatt.parameters import Weights
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False, repr=False)
class Invariants(Summarized):
    """Numbers that no symmetry changes, space by space.

    Parameters
    ----------
    kinds : mapping of str to str
        For each space, by the first tensor that it moves: ``singular values`` of the products that the network sees
        through it, of queries and keys or of values and what reads them, and where pairs are turned the products of
        their norms; ``axes``, the lengths of the principal axes of an embedding, and of each other table of vectors, as
        of positions; ``norms`` of neurons and coordinates.
    numbers : mapping of str to ndarray
        The numbers, the largest first, but those of pairs, which have an order.
    """

    kinds: Mapping[str, str]
    numbers: Mapping[str, np.ndarray]

    def distances(self, other: Invariants) -> dict[str, float]:
        """Return for each space how far the numbers are from those of another point of the network: the norm of the
        difference, divided by the larger of the two norms.

        Raises
        ------
        InvalidArgument
            If they are not of the same spaces.
        """
        shapes = [{name: its.shape for name, its in one.numbers.items()} for one in (self, other)]
        if shapes[0] != shapes[1]:
            raise InvalidArgument("other", "of another network", "of the same spaces, of the same sizes")
        found = {}
        for name, one in self.numbers.items():
            two = other.numbers[name]
            size = max(float(np.linalg.norm(one)), float(np.linalg.norm(two)))
            found[name] = float(np.linalg.norm(one - two)) / size if size else 0.0
        return found

    def distance(self, other: Invariants) -> float:
        """Return the largest distance of a space: 0 up to rounding if an element of the group carries one point to the
        other, and at most 2.
        """
        return max(self.distances(other).values(), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return them as JSON has them."""
        spaces = [
            {"name": name, "kind": self.kinds[name], "values": numbers.tolist()}
            for name, numbers in self.numbers.items()
        ]
        return {"spaces": spaces}


def invariants_of(arch: Architecture, theta: Weights, *, unseen: bool = True) -> Invariants:
    """Return numbers that no element of the group changes: those of the balanced form. Heads and experts are in the
    order of their norms. Entries that no value depends on count if `unseen` is false, and then have to be kept by the
    elements.

    Raises
    ------
    NoNormalForm
        As for the balanced form, but not where numbers coincide.
    """
    motions = large_motions(arch)
    _, theta = settled(arch, theta, unseen=unseen)
    theta = verbs.act(balance(motions, matrices_of(theta), decided=False).change, theta)
    order = order_of_terms(arch, theta, decided=False)
    if order is not None:
        theta = verbs.act(order, theta)
    tensors = matrices_of(theta)
    kinds: dict[str, str] = {}
    numbers: dict[str, np.ndarray] = {}

    def add(name: str, kind: str, its: np.ndarray) -> None:
        if its.size:
            kinds[name], numbers[name] = kind, its

    for space, spectrum in balance(motions, tensors, decided=False).spectra.items():
        first = space.sides[0]
        where = f" from row {first.part[0]} on" if first.part and first.part[0] else ""
        add(space.name + where, "singular values", spectrum)
    for space, _, sizes in principal_axes(motions, tensors):
        add(space.name, "axes", sizes)
        for side in tables_of(motions, space, tensors):
            rows = space.axes.T @ side.rows(tensors[side.tensor])
            add(f"axes of {side.tensor}", "axes", np.linalg.svd(rows, compute_uv=False))
    for one in motions.coordinates:
        if one.permuted:
            squares = np.sum([np.sum(tensors[name] ** 2, axis=1 - axis) for name, axis in one.sides], axis=0)
            add(one.name, "norms", np.sqrt(np.sort(squares)[::-1]))
    return Invariants(kinds, numbers)


def tables_of(motions: LargeMotions, space: MatrixSpace, tensors: Mapping[str, np.ndarray]) -> Iterator[MovingSide]:
    """Iterate over the sides of a space on which a tensor is a table of vectors, as nothing moves its other side, but
    for the first one that spans the space, which has its principal axes.
    """
    spans = False
    for side in space.sides:
        other = (side.tensor, 1 - side.axis)
        if side.part is None and not motions.spaces_by_side.get(other) and other not in motions.coordinates_by_side:
            if spans or tensors[side.tensor].shape[1 - side.axis] < space.size:
                yield side
            else:
                spans = True


@verbs.summarize.method
def summary_of_invariants(found: Invariants) -> Summary:
    rows: Rows = [(f"  - {name}", f"{found.kinds[name]}, {in_short(one)}") for name, one in found.numbers.items()]
    return Summary("numbers that no symmetry changes", [("spaces", f"{len(rows)}"), *rows])


def in_short(numbers: np.ndarray) -> str:
    """Return how many numbers there are, and between which they lie."""
    return f"{len(numbers)} from {numbers.min():.6g} to {numbers.max():.6g}"
