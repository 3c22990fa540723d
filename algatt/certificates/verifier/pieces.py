"""Networks cut into a hub and equal copies: what vanishes outside of some parts, and the network of some parts alone.

Axes of some sizes are cut into part 0, the *hub*, and parts 1, 2, ..., n, the *copies*. Tensors are zero between
different parts and equal in all copies; an axis that is not cut is in the hub, but one of length 1 in all parts. Inputs
are zero outside of a set S of parts with the hub. `check_orders` finds that the value in S, and its derivatives, are
those of the network of S alone, and that nothing else moves the value in S.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .directions import Directions, pair_of
from .fields import Matrix
from .limits import MOST_NUMBERS, Refused, Work, too_large, whole_number
from .network import Network
from .program import Instruction, depending

MOST_IN_PIECE = 10**5  # parameters of a piece
LOOK = 10  # work for an entry that is looked at
ENTIRE = ("erf", "exp", "sigmoid")  # functions that have values and derivatives everywhere, zero too


@dataclass(frozen=True)
class Cut:
    """How many copies there are, and by the size of an axis that is cut the sizes of the hub and of a copy."""

    copies: int
    sizes: dict[int, tuple[int, int]]
    work: Work = field(default_factory=Work, compare=False)

    @property
    def times(self) -> tuple[int, int, int]:
        """How often each piece occurs: hub and first copy, another copy, two copies."""
        return 1, self.copies - 1, math.comb(self.copies, 2)

    def length(self, size: int, copies: int) -> int:
        """Return how long an axis of a size is in the network of the hub and some copies."""
        hub, one = self.sizes.get(size, (size, 0))
        return hub + copies * one

    def shape(self, sizes: tuple[int, int], copies: int) -> tuple[int, int]:
        """Return the shape that a result has in the network of the hub and some copies."""
        return self.length(sizes[0], copies), self.length(sizes[1], copies)

    def parts(self, sizes: tuple[int, int], i: int, j: int) -> tuple[int, int]:
        """Return in which parts the row and the column of an entry are."""
        return self.part(sizes[0], i), self.part(sizes[1], j)

    def part(self, size: int, k: int) -> int:
        """Return in which part a coordinate is."""
        hub, one = self.sizes.get(size, (size, 1))
        return 0 if k < hub else 1 + (k - hub) // one

    def owns(self, piece: int, sizes: tuple[int, int], i: int, j: int) -> bool:
        """Return whether an entry is of a piece: what it has beyond those before it."""
        parts = self.parts(sizes, i, j)
        return (max(parts) <= 1, max(parts) == 1, set(parts) == {1, 2})[piece]

    def count(self, piece: int, sizes: tuple[int, int]) -> int:
        """Return how many entries are of a piece."""
        (hub, wide), (first, also) = self.shape(sizes, 0), self.shape(sizes, 1)
        return (first * also, first * also - hub * wide, 2 * (first - hub) * (also - wide))[piece]

    def strays(self, piece: int, network: Network, families: Sequence[Directions], field: Any, tensors: Any) -> bool:
        """Return whether directions of a piece move anything else at its weights."""
        entries = sum(
            len(one.entries) * math.prod(program[-1].sizes) for one in families for program in one.moves.values()
        )
        self.work.spend(LOOK * entries, "entries of directions")
        moved = (item for family in families for one in family.at(field, tensors) for item in one.items())
        return any(
            x != 0 and not self.owns(piece, network.tensors[name], *divmod(k, matrix.ncols()))
            for name, matrix in moved
            for k, x in enumerate(matrix.entries())
        )

    def program(self, program: Sequence[Instruction], copies: int) -> tuple[Instruction, ...]:
        """Return a program of the hub and some copies; constants are the same along axes that are cut."""
        found = []
        for one in program:
            (height, width), argument = self.shape(one.sizes, copies), one.argument
            if one.operation == "constant":
                argument = tuple(argument[i * one.sizes[1] + j] for i in range(height) for j in range(width))
            found.append(replace(one, argument=argument, sizes=(height, width)))
        return tuple(found)

    def network(self, network: Network, copies: int) -> Network:
        """Return the network of the hub and some copies."""
        tensors = {name: self.shape(sizes, copies) for name, sizes in network.tensors.items()}
        shape, program = self.shape(network.input_shape, copies), self.program(network.program, copies)
        small = replace(network, program=program, tensors=tensors, input_shape=shape, units=shape)
        if small.parameters > MOST_IN_PIECE or sum(math.prod(one.sizes) for one in program) > 2 * MOST_NUMBERS:
            should = f"with {MOST_IN_PIECE} parameters and {2 * MOST_NUMBERS} entries of results at most"
            raise too_large("claims.cuts", "with more in a piece", should)
        return small

    def directions(self, family: Directions, piece: int) -> Directions:
        """Return the directions of a family that are of a piece; those without a free matrix are of the first one."""
        copies, whole = copies_of(piece), family.free or (1, 1)
        height, width = self.shape(whole, copies)
        self.work.spend(LOOK * height * width, "entries of families")
        entries = [(i, j) for i in range(height) for j in range(width) if self.owns(piece, whole, i, j)]
        moves = {name: self.program(program, copies) for name, program in family.moves.items()}
        return replace(family, free=family.free and (height, width), entries=entries, moves=moves)

    def weights(self, network: Network, drawn: Callable[[Any], Any], copies: int, field: Any) -> dict[str, Matrix]:
        """Return weights of the hub and some copies over a field, made of those of the hub and one that are drawn."""
        found, small = {}, drawn(field)
        for name, sizes in network.tensors.items():
            height, width = self.shape(sizes, copies)
            entries = [self.entry(sizes, small[name], i, j) for i in range(height) for j in range(width)]
            found[name] = field.matrix(height, width, entries)
        return found

    def entry(self, sizes: tuple[int, int], drawn: Matrix, i: int, j: int) -> Any:
        """Return an entry of a tensor: zero between different parts, else that of the hub or of the first copy."""
        parts = self.parts(sizes, i, j)
        if parts[0] != parts[1] and 1 not in sizes:
            return 0
        backward = [max(part - 1, 0) * self.sizes.get(size, (0, 0))[1] for part, size in zip(parts, sizes, strict=True)]
        return drawn[i - backward[0], j - backward[1]]

    def check_orders(self, program: Sequence[Instruction], least: int) -> tuple[int, int]:
        """Check that a program is of parts, and return in which order its value vanishes outside of them.

        A result with two axes that are cut has entries with one index outside of S and entries with both, one with one
        such axis entries with that index outside. These vanish in order 0 if they may be anything, 1 if their values
        are zero, 2 if their derivatives are, too; so orders of factors are added. What a product sums over outside of S
        has to vanish in order 2, or 1 if derivatives are not asked for. So entries in S are those of S, by induction.

        Raises
        ------
        Refused
            If it has an operation that does more.
        """
        orders, varying = list[tuple[int, int]](), depending(program, "input")
        for number, one in enumerate(program):
            (height, width), cut = one.sizes, [size in self.sizes for size in one.sizes]
            before = [orders[k] for k in one.operands]
            one_index, both = 0, 0
            match one.operation:
                case "input":
                    one_index, both = 2, 2
                case "tensor" if all(cut):
                    one_index, both = 1, 0
                case "tensor":
                    one_index = both = int(1 not in one.sizes)
                case "constant" if any(cut):
                    row, column = one.argument[:width], one.argument[::width]
                    if all(cut) or one.argument != (row * height if cut[0] else spread(column, width)):
                        raise unlike(number, "a constant that is not the same along an axis that is cut")
                case "add":
                    one_index, both = map(min, *before)
                case "multiply":
                    one_index, both = map(sum, zip(*before, strict=True))
                case "transpose":
                    one_index, both = before[0]
                case "product":
                    (m, n), (p, q) = before
                    inner = program[one.operands[0]].sizes[1] in self.sizes
                    if inner and m + p < least:
                        raise unlike(number, "a sum over what does not vanish outside of parts")
                    if all(cut):
                        one_index, both = (min(m, p), min(m + p, n + q)) if inner else (min(n, q), n + q)
                    elif inner:
                        one_index = both = min(m if cut[0] else p, n + q)
                    else:
                        one_index = both = n if cut[0] else q
                case "reciprocal" if not all(cut) and number not in varying:
                    pass  # in all copies it has the value that it has in the first
                case name if any(cut) and name not in ENTIRE:
                    raise unlike(number, f"{name} along an axis that is cut")
            orders.append((min(one_index, 2), min(both, 2)) if any(cut) else (2, 2))
        return orders[-1]


def spread(column: tuple[Any, ...], width: int) -> tuple[Any, ...]:
    """Return the entries of a column, each repeated."""
    return tuple(entry for entry in column for _ in range(width))


def copies_of(piece: int) -> int:
    """Return how many copies a piece has."""
    return 2 if piece == 2 else 1


def cut_of(network: Network, claims: Any) -> Cut:
    """Return how a network is cut by claims, and check that its program and the velocities of families can be."""
    if network.reads_tokens:
        raise Refused("claims.reads", "tokens", "vectors, of a network in pieces")
    copies, sizes = whole_number("claims.copies", claims["copies"], 2, 2**31), dict[int, tuple[int, int]]()
    for listed in claims["cuts"]:
        hub, one = pair_of("claims.cuts", listed, (0, 1), (2**31, 2**31))
        sizes[hub + copies * one] = (hub, one)
    if len(sizes) < len(claims["cuts"]):
        raise Refused("claims.cuts", "two for one size", "one for each size")
    cut = Cut(copies, sizes, network.work)
    cut.check_orders(network.program, 2)
    return cut


def unlike(number: int, was: str) -> Refused:
    """Return the refusal of a program that is not of parts."""
    return Refused("claims.cuts", f"of a program with {was} (elementary operation {number})", "of a program of parts")
