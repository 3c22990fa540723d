"""Networks, and their weights and inputs at the points that a seed names: residues modulo a prime, and dyadic
rationals.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, cycle
from typing import Any, TypeVar, TypeVarTuple

from algatt.certificates.version_1.recompute.scores import Score
from algatt.precision import with_precision

__all__ = [
    "Layer",
    "Matrix",
    "ModularPoint",
    "Network",
    "Point",
    "RealPoint",
    "integers",
    "matrix",
    "modular_point",
    "parallel",
    "reach",
    "read",
    "real_point",
    "root_exponent",
    "stream",
    "unseen",
]

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

Matrix = Any
"""A ``flint.nmod_mat`` or a ``flint.arb_mat``."""

Layer = tuple[Matrix, Matrix, Matrix]
"""Q, K and V."""


@dataclass(frozen=True)
class Network:
    """A network without its weights.

    Parameters
    ----------
    dims, ranks : list of int
        Widths and ranks.
    tokens : int
        Number of tokens.
    score : Score or None
        The score of a normalised network; None for lightning.
    """

    dims: list[int]
    ranks: list[int]
    tokens: int
    score: Score | None = None

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The numbers of rows and columns of Q_1, K_1, V_1, Q_2, ..."""
        sizes = zip(self.ranks, self.dims, self.dims[1:], strict=False)
        return [shape for a, d, e in sizes for shape in ((a, d), (a, d), (e, d))]

    @property
    def parameters(self) -> int:
        """The number of entries of all weights."""
        return sum(rows * columns for rows, columns in self.shapes)

    @cached_property
    def starts(self) -> list[tuple[int, int, int]]:
        """Where Q, K and V of each layer start among the parameters."""
        ends = list(accumulate((rows * columns for rows, columns in self.shapes), initial=0))
        return [(ends[i], ends[i + 1], ends[i + 2]) for i in range(0, len(ends) - 1, 3)]

    @property
    def outputs(self) -> int:
        """The number of entries of the value, the rows that one input adds to the Jacobian."""
        return self.dims[-1] * self.tokens


@dataclass(frozen=True)
class Point(ABC):
    """Weights of a network, as FLINT matrices, and the inputs that go with them.

    Parameters
    ----------
    network : Network
        The network.
    seed : int
        Names the weights and the inputs.
    layers : list of (Q, K, V)
        The weights.
    """

    network: Network
    seed: int
    layers: list[Layer]

    @abstractmethod
    def matrix(self, rows: int, columns: int, entries: list[Any]) -> Matrix:
        """Return a FLINT matrix of the same kind as the weights."""

    @abstractmethod
    def input(self, number: int) -> Matrix:
        """Return an input as a matrix with the tokens as columns."""

    def residues(self, layer: int, number: int) -> list[Any] | None:
        """Return what stands for the exponentials of a layer at an input; None where they have values."""
        return None

    def compute(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return ``function(*arguments)``, in which FLINT computes as precisely as it should here."""
        return function(*arguments)


@dataclass(frozen=True)
class ModularPoint(Point):
    """A point modulo a prime.

    Parameters
    ----------
    p : int
        The prime.
    lines : list of int, optional
        For each layer by what the residues are named that stand for its exponentials.
    """

    p: int
    lines: list[int] = field(default_factory=list)

    def matrix(self, rows: int, columns: int, entries: list[Any]) -> Matrix:
        return matrix(rows, columns, entries, self.p)

    def input(self, number: int) -> Matrix:
        d, t = self.network.dims[0], self.network.tokens
        return self.matrix(d, t, stream(self.seed, f"input/{number}", d * t, self.p))

    def residues(self, layer: int, number: int) -> list[Any] | None:
        import flint

        if not self.lines:
            return None
        drawn = stream(self.seed, f"exp/{self.lines[layer]}/{number}", self.network.tokens**2, self.p - 1)
        return [flint.nmod(one + 1, self.p) for one in drawn]

    @cached_property
    def unreached(self) -> list[list[list[int]]]:
        """For each layer the rows n with n L = 0, where L is the product of the V of the layers before it, as
        `null_vectors` gives them.
        """
        dims = self.network.dims
        L = identity(dims[0], self.p)
        vectors = []
        for (_, _, V), r in zip(self.layers, reach(dims), strict=False):
            vectors.append(null_vectors(L.transpose(), r))
            L = V * L
        return vectors

    @cached_property
    def unread(self) -> list[list[list[int]]]:
        """For each layer the columns n of its output that later layers neither compare nor pass on to be read, as
        `null_vectors` gives them.
        """
        forms = identity(self.network.dims[-1], self.p)
        vectors: list[list[list[int]]] = [[]]
        hidden = unseen(self.network)
        for i, r in zip(range(len(self.layers) - 1, 0, -1), reversed(read(self.network)[:-1]), strict=True):
            V = self.layers[i][2]
            compared = [
                entry for which in (1, 0) if (i, which) not in hidden for entry in integers(self.layers[i][which])
            ]
            stacked = [*compared, *integers(forms * V)]
            forms = independent(matrix(len(stacked) // V.ncols(), V.ncols(), stacked, self.p))
            vectors.append(null_vectors(forms, r))
        return vectors[::-1]


@dataclass(frozen=True)
class RealPoint(Point):
    """A point with dyadic rationals as coordinates, at which FLINT computes with balls.

    Parameters
    ----------
    bits : int
        The precision of the balls.
    """

    bits: int

    def matrix(self, rows: int, columns: int, entries: list[Any]) -> Matrix:
        import flint

        return flint.arb_mat(rows, columns, entries)

    def input(self, number: int) -> Matrix:
        d, t = self.network.dims[0], self.network.tokens
        return self.matrix(d, t, [dyadic(odd, -23) for odd in odd_numbers(self.seed, f"input/{number}", d * t)])

    def compute(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        return with_precision(self.bits, function, *arguments)


def words(seed: int, label: str, count: int) -> list[int]:
    """Return 64-bit words of the stream that is described in every certificate."""
    octets = hashlib.shake_256(f"algatt/1/{seed}/{label}".encode("ascii")).digest(8 * count)
    return [int.from_bytes(octets[i : i + 8], "little") for i in range(0, len(octets), 8)]


def stream(seed: int, label: str, count: int, p: int) -> list[int]:
    """Return residues modulo a prime."""
    limit = 2**64 - 2**64 % p
    length = count
    while True:
        residues = [word % p for word in words(seed, label, length) if word < limit]
        if len(residues) >= count:
            return residues[:count]
        length += count + 16


def odd_numbers(seed: int, label: str, count: int) -> list[int]:
    """Return odd numbers between -2^24 and 2^24, from the first 24 bits of each word."""
    return [2 * (word // 2**40) + 1 - 2**24 for word in words(seed, label, count)]


def dyadic(mantissa: int, exponent: int) -> Any:
    """Return mantissa * 2^exponent as an exact ball."""
    import flint

    return flint.arb((mantissa, exponent))


def root_exponent(d: int) -> int:
    """Return log2(d) / 2, rounded; of two integers that are equally near, the even one."""
    half, odd = divmod(d.bit_length() - 1, 2)
    if not odd:
        return half
    return half + 1 if d > 2 ** (2 * half + 1) or half % 2 else half


def matrix(rows: int, columns: int, entries: list[Any], p: int) -> Matrix:
    """Return a FLINT matrix modulo p."""
    import flint

    return flint.nmod_mat(rows, columns, entries, p)


def identity(size: int, p: int) -> Matrix:
    """Return the identity matrix modulo p."""
    return matrix(size, size, [int(i == j) for i in range(size) for j in range(size)], p)


def integers(entries: Matrix) -> list[int]:
    """Return the entries of a FLINT matrix modulo p, row by row."""
    return [int(entry) for entry in entries.entries()]


def modular_point(network: Network, p: int, seed: int, lines: list[int] | None = None) -> ModularPoint:
    """Draw the weights modulo p that a seed names."""
    residues = iter(stream(seed, "weights", network.parameters, p))
    layers = layers_of([matrix(a, d, take(residues, a * d), p) for a, d in network.shapes])
    return ModularPoint(network, seed, layers, p, lines or [])


def real_point(network: Network, bits: int, seed: int) -> RealPoint:
    """Draw the dyadic weights that a seed names; those of a matrix with d columns are divided by about the root of d, Q
    and K as the score says.
    """
    import flint

    numbers = iter(odd_numbers(seed, "weights", network.parameters))
    compared = network.score.exponent if network.score is not None else 0
    weights = []
    for (a, d), more in zip(network.shapes, cycle((compared, compared, 0)), strict=False):
        exponent = more - 23 - root_exponent(d)
        weights.append(flint.arb_mat(a, d, [dyadic(odd, exponent) for odd in take(numbers, a * d)]))
    return RealPoint(network, seed, layers_of(weights), bits)


def take(numbers: Iterator[int], count: int) -> list[int]:
    """Return the next numbers."""
    return [next(numbers) for _ in range(count)]


def layers_of(weights: list[Matrix]) -> list[Layer]:
    """Group Q_1, K_1, V_1, Q_2, ... by layers."""
    return [(weights[i], weights[i + 1], weights[i + 2]) for i in range(0, len(weights), 3)]


def reach(dims: list[int]) -> list[int]:
    """Return the largest ranks that L_0 = I, L_1 = V_1, L_2 = V_2 V_1, ... can have."""
    return list(accumulate(dims, min))


def read(network: Network) -> list[int]:
    """Return for each layer the largest number of independent linear forms in its output that later layers can read."""
    numbers, hidden = [network.dims[-1]], unseen(network)
    for i in range(len(network.ranks) - 1, 0, -1):
        compared = sum((i, which) not in hidden for which in (0, 1))
        numbers.append(min(network.dims[i], compared * network.ranks[i] + numbers[-1]))
    return numbers[::-1]


def parallel(network: Network) -> list[int]:
    """Return the layers, counted from 0, all of whose tokens are multiples of one vector: there is one token, or an
    earlier M_j has rank one.

    Behind a homogeneous score all tokens are then even equal.
    """
    before = list(
        accumulate(
            [network.tokens == 1, *(min(a, r) == 1 for a, r in zip(network.ranks, reach(network.dims), strict=False))],
            max,
        )
    )
    return [i for i in range(len(network.ranks)) if before[i]]


def unseen(network: Network) -> list[tuple[int, int]]:
    """Return (layer, 0 for Q or 1 for K) for each matrix that normalised weights do not depend on.

    They depend on neither if all tokens are equal: if there is one, or behind a layer with a homogeneous score and an M
    of rank one. In such a layer they do not depend on Q, and if its tokens are multiples of one vector, on K neither.
    """
    if network.score is None:
        return []
    homogeneous, behind = network.score.homogeneous, parallel(network)
    found = []
    for i, (a, r) in enumerate(zip(network.ranks, reach(network.dims), strict=False)):
        equal = network.tokens == 1 or (homogeneous and i in behind)
        if equal or (homogeneous and min(a, r) == 1):
            found.append((i, 0))
        if equal or (homogeneous and r == 1):
            found.append((i, 1))
    return found


def independent(forms: Matrix) -> Matrix:
    """Return the reduced rows of a matrix that are not zero; its null vectors stay the same."""
    reduced, rank = forms.rref()
    width = forms.ncols()
    return matrix(rank, width, integers(reduced)[: rank * width], forms.modulus())


def null_vectors(forms: Matrix, largest: int) -> list[list[int]]:
    """Return the null vectors of a matrix that are the identity in its non-pivot columns; none if its rank is below the
    largest possible one.

    Where the rank is the largest possible one, a minor of that order is a unit near the point and all larger ones
    vanish identically: so the vectors are the values of rational functions of the weights, which are null vectors
    identically.
    """
    reduced, rank = forms.rref()
    if rank < largest:
        return []
    columns = range(forms.ncols())
    pivots = [next(j for j in columns if int(reduced[i, j])) for i in range(rank)]
    vectors = []
    for free in (j for j in columns if j not in pivots):
        vector = [int(j == free) for j in columns]
        for i, pivot in enumerate(pivots):
            vector[pivot] = -int(reduced[i, free])
        vectors.append(vector)
    return vectors
