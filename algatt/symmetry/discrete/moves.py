"""Moves of tensors: each becomes another one, or itself, with its rows and columns in another order; and whether they
leave a program as it is, for all weights: a proof by its normal form.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt.fields import Elements, Field
from algatt.programs import Instruction, Program
from algatt.programs.digest import digest
from algatt.programs.rewriting import rewritten
from algatt.symmetry.tensors_element import Sides, TensorsElement

Order = tuple[int, ...]
"""Row number i of the result is row number ``order[i]``."""


@dataclass(frozen=True)
class TensorMove:
    """What a tensor becomes: the tensor `source` with the given rows and columns.

    Parameters
    ----------
    source : str
        The name of the other tensor.
    rows, columns : tuple of int or None
        The order of its rows and columns; None if it stays.
    """

    source: str
    rows: Order | None = None
    columns: Order | None = None


Moves = Mapping[str, TensorMove]
"""Moves by the names of the tensors; those that are not here stay."""


def permutation_matrix(field: Field, order: Order) -> Elements:
    """Return the matrix P such that row number i of P W is row number ``order[i]`` of W."""
    return Elements.of(field, np.eye(len(order), dtype=np.int64)[list(order)])


def element_of_moves(moves: Moves, field: Field) -> TensorsElement:
    """Return the group element that moves tensors so."""
    sides = {}
    for name, move in moves.items():
        left = None if move.rows is None else permutation_matrix(field, move.rows)
        right = None if move.columns is None else permutation_matrix(field, move.columns).T
        sides[name] = Sides(move.source, left, right)
    return TensorsElement(sides)


def is_same_program(program: Program, moves: Moves) -> bool:
    """Return whether a program with its tensors moved has the normal form of the program, and so is one function."""
    return digest_of(moved_program(program, moves)) == digest_of(program)


@functools.lru_cache(maxsize=64)
def digest_of(program: Program) -> str:
    """Return the digest of the normal form of a program, in which tensors are told from their transposes."""
    return digest(rewritten(program), apart=True)


def moved_program(program: Program, moves: Moves) -> Program:
    """Return a program that reads tensors moved."""
    made: list[Instruction] = []
    numbers: list[int] = []
    for one in program.instructions:
        made.append(dataclasses.replace(one, operands=tuple(numbers[operand] for operand in one.operands)))
        if one.operation == "tensor" and one.argument in moves:
            move = moves[one.argument]
            made[-1] = dataclasses.replace(one, argument=move.source)
            orders = (move.rows, move.columns)
            if orders != (None, None):
                places = zip(orders, one.shape, strict=True)
                argument = tuple(tuple(range(size)) if order is None else order for order, size in places)
                made.append(Instruction("take", (len(made) - 1,), argument, one.shape))
        numbers.append(len(made) - 1)
    return Program(tuple(made))
