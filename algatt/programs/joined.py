"""Programs in which tensors that are read together are one: [A X; B X] = [A; B] X, and T + K for a constant K."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.programs.trace import Instruction, Program
from algatt.programs.uses import Uses, needed, with_operands

__all__ = ["Joined", "joined_tensors"]


@dataclass(frozen=True)
class Joined:
    """A tensor that is made of others.

    Parameters
    ----------
    names : tuple of str
        The tensors that stand below each other, from top to bottom.
    added : tuple of Fraction, optional
        The entries of a constant that is added, row by row; nothing unless given.
    """

    names: tuple[str, ...]
    added: tuple[Fraction, ...] | None = None

    def of(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the tensor, given the others by name."""
        found = concatenate([tensors[name] for name in self.names])
        return found if self.added is None else found + np.array(self.added, dtype=object).reshape(found.shape)


def joined_tensors(program: Program) -> tuple[Program, dict[str, Joined]]:
    """Return a program with fewer texts for one function, and what each of its new tensors is made of.

    Tensors whose products with one matrix are joined below each other, some of them turned, and used for nothing else,
    are one tensor, as the queries of all heads before a norm of all their rows. T + K is a tensor if nothing else reads
    T, as in a gain 1 + w.
    """
    uses = program.uses
    writing = Writing(uses)
    for number, one in enumerate(program.instructions):
        parts, added = products_below_each_other(uses, number), with_constant(uses, number)
        if added is not None:
            made = writing.tensor(f"{added.names[0]}.added", added, one.shape)
        elif parts:
            made = writing.joined(one, parts)
        else:
            made = writing.append(with_operands(one, (writing.numbers[operand] for operand in one.operands)))
        writing.numbers.append(made)
    return needed(writing.made, writing.numbers[-1]), writing.found


class Writing:
    """A program that is written anew.

    Parameters
    ----------
    uses : Uses
        The program that is there.
    """

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self.made: list[Instruction] = []
        self.numbers: list[int] = []
        self.found: dict[str, Joined] = {}

    def append(self, one: Instruction) -> int:
        """Write an instruction and return its number."""
        self.made.append(one)
        return len(self.made) - 1

    def write(self, operation: str, *operands: int, argument: Any = None, shape: tuple[int, ...]) -> int:
        """Write an instruction by its parts."""
        return self.append(Instruction(operation, operands, argument, shape))

    def tensor(self, name: str, joined: Joined, shape: tuple[int, ...]) -> int:
        """Write a tensor that is made of others."""
        self.found[name] = joined
        return self.write("tensor", argument=name, shape=shape)

    def joined(self, one: Instruction, products: tuple[int, ...]) -> int:
        """Write products with one matrix that are joined: the product with one tensor, or its parts, some turned."""
        uses = self.uses
        names = tuple(str(uses[uses[product].operands[0]].argument) for product in products)
        right = uses[products[0]].operands[1]
        tensor = self.tensor(f"{names[0]}.to.{names[-1]}", Joined(names), (one.shape[0], uses.height(right)))
        whole = self.write("product", tensor, self.numbers[right], shape=one.shape)
        if one.operands == products:
            return whole
        pieces, start, columns = [], 0, tuple(range(one.shape[1]))
        for part, product in zip(one.operands, products, strict=True):
            stop = start + uses.height(product)
            piece = self.write("take", whole, argument=(tuple(range(start, stop)), columns), shape=uses[product].shape)
            turned = part != product
            pieces.append(self.append(with_operands(uses[part], (piece,))) if turned else piece)
            start = stop
        return self.write("concatenate", *pieces, argument=0, shape=one.shape)


def products_below_each_other(uses: Uses, number: int) -> tuple[int, ...]:
    """Return the products of tensors that a result joins, as they are or turned, if it could read one tensor; or
    nothing.
    """
    one = uses[number]
    if one.operation != "concatenate" or one.argument != 0 or len(set(one.operands)) < len(one.operands):
        return ()
    if not all(uses.is_used_by(part, number) for part in one.operands):
        return ()
    products = tuple(uses[part].operands[0] if uses[part].operation == "rotate" else part for part in one.operands)
    if any(uses[product].operation != "product" or len(uses.users[product]) != 1 for product in products):
        return ()
    if any(uses[product].operands[1] != uses[products[0]].operands[1] for product in products):
        return ()
    tensors = [uses[product].operands[0] for product in products]
    alone = all(uses.is_used_by(tensor, product) for tensor, product in zip(tensors, products, strict=True))
    return products if alone and all(uses[tensor].operation == "tensor" for tensor in tensors) else ()


def with_constant(uses: Uses, number: int) -> Joined | None:
    """Return the tensor and the constant that a result is the sum of, if nothing else reads the tensor."""
    one = uses[number]
    for tensor, constant in (one.operands, one.operands[::-1]) if one.operation == "add" else ():
        is_sum = uses[tensor].operation == "tensor" and uses[constant].operation == "constant"
        if is_sum and uses[tensor].shape == one.shape and uses.is_used_by(tensor, number):
            entries = np.empty(len(uses[constant].argument), dtype=object)
            entries[:] = uses[constant].argument
            spread = np.broadcast_to(entries.reshape(uses[constant].shape), one.shape)
            return Joined((str(uses[tensor].argument),), tuple(spread.ravel().tolist()))
    return None
