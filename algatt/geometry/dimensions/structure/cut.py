"""A network cut into a hub and copies of one small network."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Network, Normalized
from algatt.architectures.network import Computed
from algatt.architectures.network import program as program_of
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.programs import Instruction, Program

PIECES = ("hub and copy", 1), ("copy", 1), ("pair of copies", 2)
"""The pieces, each with the number of copies that its inputs reach."""

REGULAR = {"exp", "erf", "sigmoid"}
"""Functions with a value and a derivative at zero."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A network whose axes are cut into a hub, part 0, and copies of equal sizes, parts 1, 2, ...

    An axis of a size that is not cut is in the hub, but one of length 1 in all parts.

    Parameters
    ----------
    arch : Architecture
        The network.
    count : int
        The number of copies.
    sizes : mapping of int to (int, int)
        For each size of an axis that is cut those of the hub and of a copy.
    """

    arch: Architecture
    count: int
    sizes: Mapping[int, tuple[int, int]]

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Iterate over the numbers of the pieces that occur, and how often they do."""
        times = 1, self.count - 1, math.comb(self.count, 2)
        return ((piece, often) for piece, often in enumerate(times) if often)

    def shape(self, shape: Sequence[int], copies: int) -> tuple[int, ...]:
        """Return the shape of a result in the network of the hub and some copies."""
        return tuple(hub + copies * one for hub, one in (self.sizes.get(size, (size, 0)) for size in shape))

    def program(self, program: Program, copies: int) -> Program:
        """Return the program of the hub and some copies, with the constants of the whole one."""
        found = []
        for one in program.instructions:
            shape, argument = self.shape(one.shape, copies), one.argument
            if one.operation == "constant" and shape != one.shape:
                entries = np.empty(len(argument), dtype=object)
                entries[:] = argument
                some = entries.reshape(one.shape)[tuple(slice(size) for size in shape)]
                argument = type(argument)(some.ravel())
            found.append(dataclasses.replace(one, argument=argument, shape=shape))
        return Program(tuple(found))

    def network(self, copies: int) -> Architecture:
        """Return the network of the hub and some copies."""
        arch = self.arch
        if isinstance(arch, Lightning | Normalized):
            return dataclasses.replace(arch, dims=self.shape(arch.dims, copies), ranks=self.shape(arch.ranks, copies))
        height, width = self.shape(arch.input_shape, copies)
        shapes = tuple((name, self.shape(shape, copies)) for name, shape in self.tensors.items())
        text = f"the hub and {copies} of {self.count} copies of {arch}"
        layer = Computed(self.program(program_of(arch), copies), (height, width), shapes, text)
        return Network(layer, tokens=width, width=height)

    @property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the tensors of the whole network."""
        return {name: ((1, 1) + tuple(shape))[-2:] for name, shape in verbs.coordinates(self.arch).items()}

    @functools.cached_property
    def matrices(self) -> frozenset[str]:
        """The names of the tensors that are factors of matrix products, others of length 1 being spread over parts."""
        program = program_of(self.arch)
        uses, found = program.uses, set[str]()
        for number, one in enumerate(program.instructions):
            if one.operation == "tensor":
                turned = [user for user in uses.users[number] if uses[user].operation == "transpose"]
                users = (user for start in (number, *turned) for user in uses.users[start])
                if any(uses[user].operation == "product" for user in users):
                    found.add(one.argument)
        return frozenset(found)

    def obstacle(self) -> str | None:
        """Say which operation makes results in a set S of copies and the hub depend on others, at inputs that are zero
        outside of S; or return None.

        An entry vanishes in order 1 if its value is zero, in order 2 if its derivatives are, too, and else in order 0.
        The table of a result has these orders of its entries in S and of those outside, by row and by column. Orders of
        factors are added, and of summands the least one counts. What a sum takes from outside of S has to vanish in
        order 2; then entries in S and their derivatives are those of the network of S, by induction.
        """
        tables, arch = list[np.ndarray](), self.arch
        if isinstance(arch, Lightning | Normalized):  # sizes say which axes are cut, and tokens are not
            arch = dataclasses.replace(arch, tokens=next(size for size in itertools.count(2) if size not in self.sizes))
        for one in program_of(arch).instructions:
            cut = [size in self.sizes for size in ((1, 1) + one.shape)[-2:]]
            before = [tables[operand] for operand in one.operands]
            table, terms = np.zeros((1 + cut[0], 1 + cut[1]), dtype=np.int64), np.zeros((1, 1, 1), dtype=np.int64)
            match one.operation:
                case "input" if not cut[1]:
                    table[1:] = 2
                case "tensor" if one.argument in self.matrices or 1 not in one.shape:
                    table[1:, :1] = table[:1, 1:] = 1
                case "add" | "multiply":
                    table = np.minimum(*before) if one.operation == "add" else np.add(*before)
                case "transpose" | "negate":
                    table = before[0].T if one.operation == "transpose" else before[0]
                case "product" | "column_products":
                    by_columns = one.operation == "column_products"
                    terms = (before[0] + before[1])[None] if by_columns else before[0][:, :, None] + before[1]
                    table = terms.min(axis=1)
                case "constant" if is_same_along(one, cut):
                    pass
                case name if name not in {"tensor", *REGULAR} and max([table.size, *(one.size for one in before)]) > 1:
                    return f"{name} along an axis that is cut"
            if (terms[0, 1:, 0] < 2).any():
                return "a sum over an axis that is cut, of what does not vanish"
            tables.append(np.minimum(table, 2))
        return None

    def parts(self, shape: Sequence[int], copies: int) -> np.ndarray:
        """Return in which parts the row and the column of each entry of a tensor are, in the network of the hub and
        some copies; the shape is that in the whole network.
        """
        labels = []
        for size, some in zip(shape, self.shape(shape, copies), strict=True):
            hub, one = self.sizes.get(size, (some, 1))
            labels.append(np.maximum(0, (np.arange(some) - hub) // one + 1))
        return np.stack(np.broadcast_arrays(labels[0][:, None], labels[1][None]), axis=-1)

    def owned(self, shape: Sequence[int], piece: int) -> np.ndarray:
        """Return which entries of a tensor are of a piece: others of its network stand left of them in the order."""
        parts = self.parts(shape, PIECES[piece][1])
        smaller, larger = parts.min(axis=-1), parts.max(axis=-1)
        return [larger <= 1, larger == 1, (smaller == 1) & (larger == 2)][piece]

    def own(self, piece: int) -> np.ndarray:
        """Return which parameters of the network of a piece are its own."""
        return np.concatenate([self.owned(shape, piece).ravel() for shape in self.tensors.values()])

    def weights(self, copies: int, field: Field, seed: int) -> Weights:
        """Return weights of the hub and some copies, which are zero between parts and equal in all copies: those of all
        numbers of copies belong to one point.
        """
        drawn = verbs.sample(self.network(1), Weights, field=field, seed=seed)
        elements = []
        for one, (name, shape) in zip(drawn.elements, self.tensors.items(), strict=True):
            parts = self.parts(shape, copies)
            back = [np.maximum(0, parts[..., axis] - 1) * self.sizes.get(shape[axis], (0, 0))[1] for axis in (0, 1)]
            rows, columns = np.indices(parts.shape[:2])
            raw = one.raw[rows - back[0], columns - back[1]]
            if name in self.matrices or 1 not in shape:
                raw = raw * (parts[..., 0] == parts[..., 1])
            elements.append(Elements(field, raw))
        return Weights(tuple(elements), tuple(self.tensors))


def is_same_along(constant: Instruction, cut: Sequence[bool]) -> bool:
    """Return whether the entries of a constant are the same along the axes that are cut."""
    entries = np.array(constant.argument, dtype=object).reshape(((1, 1) + constant.shape)[-2:])
    return all((entries == entries.take([0], axis)).all() for axis in (0, 1) if cut[axis])


def part_sizes(size: int, copies: int) -> tuple[int, int]:
    """Return how many coordinates of an axis are in the hub, which has what is left over, and in each copy."""
    one = size // (copies + 1)
    return size - copies * one, one


def cut_attention(arch: Lightning | Normalized, copies: int) -> Cut:
    """Return a network of layers of one head each, all of whose spaces are cut alike.

    Raises
    ------
    InvalidArgument
        If a width but the last one is too small for so many parts.
    """
    most = min(arch.dims[:-1]) - 1
    if copies > most:
        raise InvalidArgument("points", f"Copies({copies}) of {arch}", f"of at most {most} copies")
    sizes = {size: part_sizes(size, copies) for size in (*arch.dims, *arch.ranks)}
    return Cut(arch, copies, {size: parts for size, parts in sizes.items() if parts[1]})


def cut_blocks(arch: Network, copies: int, one: int, hidden: Sequence[int]) -> Cut:
    """Return a network of blocks whose stream and neurons are cut; each copy has `one` coordinates of the stream."""
    width = arch.input_shape[0]
    ones = {width: one, **{size: size * one // width for size in hidden}}
    return Cut(arch, copies, {size: (size - copies * one, one) for size, one in ones.items() if one})
