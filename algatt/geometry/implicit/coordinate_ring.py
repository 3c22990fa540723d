"""The coordinates in which the closure of a neuromanifold has its equations, and the blocks into which these fall."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from algatt.architectures import Architecture
from algatt.geometry.implicit.expansion import Expansion, expand
from algatt.geometry.implicit.monomials import EntryMonomial
from algatt.geometry.implicit.span import coordinates_of_span
from algatt.memory import check_memory
from algatt.randomness import random_words


@dataclass(frozen=True, eq=False)
class CoordinateRing:
    """Independent coefficients of a network, in which all others are linear.

    Parameters
    ----------
    arch : Architecture
        The network.
    expansion : Expansion
        The coordinates as polynomials in the weights, up to a common factor; before them the denominator, as the
        constant 1, unless `homogeneous`.
    homogeneous : bool
        Whether forms of one degree are looked at: rescalings of the weights multiply the function by every number, so
        that the closure of the neuromanifold is a cone, or it is `projective`. Else polynomials up to a degree.
    proven : bool
        Whether all other coefficients are proven to be linear in these.
    error : float
        If not, a bound on the probability that some are not.
    """

    arch: Architecture
    expansion: Expansion
    homogeneous: bool
    proven: bool
    error: float

    @property
    def projective(self) -> bool:
        """Whether the coordinates are those of a projective space: the coefficients of numerators and denominator."""
        return self.homogeneous and self.expansion.denominators > 0

    @property
    def size(self) -> int:
        """The number of coordinates, the constant 1 included where it is one of them."""
        return len(self.expansion.polynomials)

    @property
    def coordinates(self) -> tuple[EntryMonomial, ...]:
        """The monomials whose coefficients are the coordinates."""
        return self.expansion.basis if self.homogeneous else self.expansion.basis[1:]

    @functools.cached_property
    def keys(self) -> np.ndarray:
        """A number for each coordinate: sums over the factors of a product are equal for equal weights.

        They are random combinations of the gradings, modulo 2^64. Where sums are equal by chance, two blocks are one.
        """
        gradings = self.expansion.gradings
        words = random_words(0, "implicit/gradings", gradings.shape[1]).view(np.int64)
        keys: np.ndarray = (gradings * words).sum(axis=1)
        return keys


@functools.lru_cache(maxsize=16)
def coordinate_ring(arch: Architecture) -> CoordinateRing:
    """Return the coordinates of a network whose values are rational functions."""
    expansion = expand(arch)
    if not expansion.projective:
        places, proven, error = coordinates_of_span(expansion.numerators)
        denominator = expansion.denominators
        part = expansion.part([*range(denominator), *(denominator + one for one in sorted(places))])
        if part.scales:
            return CoordinateRing(arch, part.numerators, True, proven, error)
    places, proven, error = coordinates_of_span(expansion)
    return CoordinateRing(arch, expansion.part(sorted(places)), expansion.projective, proven, error)


def check_products(ring: CoordinateRing, degree: int) -> int:
    """Return the number of products of a degree; raise `NotEnoughMemory` if the list of them does not fit."""
    count = math.comb(ring.size + degree - 1, degree)
    shown = f"{count:,}" if count < 1e15 else f"more than 10^{len(str(count)) - 1}"
    check_memory(
        float(min(count, 10**300)) * (8 * degree + 32),
        f"the list of the {shown} products of degree {degree} of {ring.size} coordinates",
    )
    return count


@dataclass(frozen=True, eq=False)
class Blocks:
    """The products of one degree of coordinates, sorted by how rescalings of the weights multiply them.

    A relation between products holds in each block by itself.

    Parameters
    ----------
    ring : CoordinateRing
        The coordinates.
    products : ndarray of int
        Shape (products, degree): places of coordinates, increasing in each row.
    keys : ndarray of int
        The key of each block.
    ends : ndarray of int
        Where each block ends.
    """

    ring: CoordinateRing
    products: np.ndarray
    keys: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, ring: CoordinateRing, degree: int) -> Blocks:
        """Return all products of a degree."""
        count = check_products(ring, degree)
        chosen = itertools.combinations_with_replacement(range(ring.size), degree)
        flat = np.fromiter(itertools.chain.from_iterable(chosen), dtype=np.int32, count=count * degree)
        products = flat.reshape(count, degree)
        keys = ring.keys[products].sum(axis=1)
        order = np.argsort(keys, kind="stable")
        different, sizes = np.unique(keys, return_counts=True)
        return cls(ring, products[order], different, np.cumsum(sizes))

    @functools.cached_property
    def sizes(self) -> np.ndarray:
        """The number of products of each block."""
        return np.diff(self.ends, prepend=0)

    def block(self, number: int) -> np.ndarray:
        """Return the products of a block."""
        return self.products[self.ends[number] - self.sizes[number] : self.ends[number]]

    def of_equal_size(self, most: int) -> Iterator[tuple[int, np.ndarray]]:
        """Iterate over sizes and numbers of blocks of this size, such that `most` entries of their matrices are held at
        a time.
        """
        sizes = self.sizes
        for size in np.unique(sizes).tolist():
            numbers = np.flatnonzero(sizes == size)
            step = max(1, most // size**2)
            for start in range(0, len(numbers), step):
                yield size, numbers[start : start + step]
