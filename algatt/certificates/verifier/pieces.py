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
from functools import partial
from typing import Any

from .directions import Directions, pair_of
from .fields import Matrix
from .limits import MOST_NUMBERS, Refused, Work, too_large, whole_number
from .network import Network
from .program import Instruction, depending

MOST_IN_PIECE = 10**5  # parameters of a piece
COPIES = (1, 1, 2)  # in each piece
LOOK = 1000  # work for an entry of a free matrix
REGULAR = ("add", "multiply", "product", "transpose", "erf", "exp", "sigmoid")  # with values and derivatives at zero
Orders = Sequence[Sequence[int]]  # in which entries vanish: those in S, and outside, of rows and columns that are cut


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

    def shape(self, sizes: tuple[int, int], copies: int) -> tuple[int, int]:
        """Return the shape that a result has in the network of the hub and some copies."""
        (hub, one), (wide, also) = (self.sizes.get(size, (size, 0)) for size in sizes)
        return hub + copies * one, wide + copies * also

    def place(self, size: int, k: int) -> tuple[int, int]:
        """Return in which part a coordinate of an axis is, and which of the hub and the first copy it is like."""
        hub, one = self.sizes.get(size, (size, 1))
        return (0, k) if k < hub else (1 + (k - hub) // one, hub + (k - hub) % one)

    def owns(self, piece: int, sizes: tuple[int, int], i: int, j: int) -> bool:
        """Return whether an entry is of a piece: what it has beyond those before it."""
        parts = self.place(sizes[0], i)[0], self.place(sizes[1], j)[0]
        return (max(parts) <= 1, max(parts) == 1, set(parts) == {1, 2})[piece]

    def program(self, program: Sequence[Instruction], copies: int) -> tuple[Instruction, ...]:
        """Return a program of the hub and some copies; constants are the same along axes that are cut."""
        found = []
        for one in program:
            (height, width), argument = self.shape(one.sizes, copies), one.argument
            if one.operation == "constant":
                argument = tuple(argument[i * one.sizes[1] + j] for i in range(height) for j in range(width))
            found.append(replace(one, argument=argument, sizes=(height, width)))
        return tuple(found)

    def piece(
        self, k: int, network: Network, families: Sequence[Directions], columns: Sequence[int]
    ) -> tuple[Network, list[Directions], Callable[[Any, Any], Any]]:
        """Return the network of a piece, its directions, and what makes its weights of those of the hub and a copy."""
        copies, own = COPIES[k], list[Directions]()
        part = self.network(network, copies)

        def owns(name: str, i: int, j: int) -> bool:
            return self.owns(k, network.tensors[name], i, j)

        if not all(owns(*part.place(column)) for column in columns):
            raise Refused("claims.columns", f"with others in piece {k}", "of parameters of the piece alone")
        for family in families:  # those without a free matrix are of the first piece
            height, width = free = self.shape(family.free or (1, 1), copies)
            self.work.spend(LOOK * height * width, "entries of families")
            every = ((i, j) for i in range(height) for j in range(width))
            entries = [at for at in every if self.owns(k, family.free or (1, 1), *at)]
            moves = {name: self.program(program, copies) for name, program in family.moves.items()}
            own.append(replace(family, free=family.free and free, entries=entries, moves=moves, owns=owns))
        return part, own, partial(self.weights, network, copies)

    def network(self, network: Network, copies: int) -> Network:
        """Return the network of the hub and some copies."""
        tensors = {name: self.shape(sizes, copies) for name, sizes in network.tensors.items()}
        shape, program = self.shape(network.input_shape, copies), self.program(network.program, copies)
        small = replace(network, program=program, tensors=tensors, input_shape=shape, units=shape)
        if small.parameters > MOST_IN_PIECE or sum(math.prod(one.sizes) for one in program) > 2 * MOST_NUMBERS:
            should = f"with {MOST_IN_PIECE} parameters and {2 * MOST_NUMBERS} entries of results at most"
            raise too_large("claims.cuts", "with more in a piece", should)
        return small

    def weights(self, network: Network, copies: int, field: Any, drawn: dict[str, Matrix]) -> dict[str, Matrix]:
        """Return weights of the hub and some copies over a field: those of the hub and one, and zero between parts."""
        found = {}
        for name, sizes in network.tensors.items():
            height, width = self.shape(sizes, copies)
            rows, columns = (
                [self.place(size, k) for k in range(n)] for size, n in zip(sizes, (height, width), strict=True)
            )
            inside = [(part == other or 1 in sizes, (i, j)) for part, i in rows for other, j in columns]
            found[name] = field.matrix(height, width, [drawn[name][at] if own else 0 for own, at in inside])
        return found

    def check_orders(self, program: Sequence[Instruction], least: int) -> tuple[int, int]:
        """Check that a program is of parts, and return in which orders its value vanishes with one index outside of S,
        and with both.

        Entries vanish in order 0 if they may be anything, 1 if their values are zero, 2 if their derivatives are, too.
        So orders of factors are added, and of summands the least one counts; for each result they are a matrix: a row
        for those in S, one for those outside if rows are cut, and so for columns. What a product sums over outside of S
        has to vanish in order 2, or 1 if derivatives are not asked for. So entries in S are those of S, by induction.

        Raises
        ------
        Refused
            If it has an operation that does more.
        """
        orders, varying = list[Orders](), depending(program, "input")
        for number, one in enumerate(program):
            (height, width), cut = one.sizes, [size in self.sizes for size in one.sizes]
            before, one_index, both = [orders[k] for k in one.operands], 0, 0
            match one.operation:
                case "product" if len(before[1]) > 1 and before[0][0][1] + before[1][1][0] < least:
                    raise unlike(number, "a sum over what does not vanish outside of parts")
                case "input":
                    one_index, both = 2, 2
                case "tensor":
                    one_index = int(1 not in one.sizes)
                case "constant" if any(cut):
                    row, column = one.argument[:width], one.argument[::width]
                    spread = tuple(entry for entry in column for _ in range(width))
                    if all(cut) or one.argument != (row * height if cut[0] else spread):
                        raise unlike(number, "a constant that is not the same along an axis that is cut")
                case "reciprocal" if not all(cut) and number not in varying:
                    pass  # in all copies it has the value that it has in the first
                case name if any(cut) and name not in REGULAR:
                    raise unlike(number, f"{name} along an axis that is cut")
            rows = [[0, one_index], [one_index, both]][: 1 + cut[0]]
            orders.append(combined(one.operation, before) or [row[: 1 + cut[1]] for row in rows])
        _, *outside = (order for row in orders[-1] for order in row)
        return min(outside[:2], default=2), [2, *outside][-1]


def combined(operation: str, orders: Sequence[Orders]) -> Orders | None:
    """Return the orders of the result of a ring operation, given those of its operands; None for other operations."""
    match operation:
        case "transpose":
            return list(zip(*orders[0], strict=True))
        case "product":
            columns = list(zip(*orders[1], strict=True))
            return [[min(2, *map(sum, zip(row, one, strict=True))) for one in columns] for row in orders[0]]
        case "add" | "multiply":
            least = min if operation == "add" else sum
            pairs = [zip(*rows, strict=True) for rows in zip(*orders, strict=True)]
            return [[min(2, least(pair)) for pair in row] for row in pairs]
    return None


def cut_of(network: Network, claims: Any, families: Sequence[Directions] = ()) -> Cut:
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
    for family in families:
        orders = [order for program in family.moves.values() for order in cut.check_orders(program, 1)]
        if family.entries or not (all(orders) or sizes.keys().isdisjoint(family.free or ())):
            raise Refused("claims.families", "with one that moves all parts", "of those that move what S reaches")
    return cut


def unlike(number: int, was: str) -> Refused:
    """Return the refusal of a program that is not of parts."""
    return Refused("claims.cuts", f"of a program with {was} (elementary operation {number})", "of a program of parts")
