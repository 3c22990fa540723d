"""How the results of a program move when rows and columns of tensors do.

Tensors move with a free vector v: the rows of T by the same row, dT = 1 r^T, or its columns by the same column, dT = c
1^T, where r and c are linear in v; or a tensor W that is nothing but the left factor of products moves by dW = c
(1/g)^T for another tensor g with one column. By induction over the program each result n then moves by

    dn = 1 r^T + c 1^T + n diag(s)

with vectors r, c, s that are linear in v. The rules are the derivatives of those of "Shifts" in docs/theory/arrows.md:
as derivatives are linear, those of an operation of which several operands move are added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from .gains import FoldedProgram
from .program import Instruction, sizes
from .vectors import LinearVector, Vectors, combined

__all__ = ["Move", "MovedAway", "Movement"]


class MovedAway(Exception):
    """The value moves, or a result in a way that is not followed.

    Parameters
    ----------
    number : int
        The instruction.
    reason : str
        What is the matter.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"instruction {number}: {reason}")
        self.number = number


NOTHING: LinearVector = {}


class Move(NamedTuple):
    """How a result moves, by 1 r^T + c 1^T + n diag(s).

    Parameters
    ----------
    rows, columns, scale : LinearVector
        The vectors r, c and s.
    """

    rows: LinearVector = NOTHING
    columns: LinearVector = NOTHING
    scale: LinearVector = NOTHING


class Movement:
    """How the results of a program move along a family of shifts.

    Parameters
    ----------
    folded : FoldedProgram
        The program, its gains being folded.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    """

    def __init__(self, folded: FoldedProgram, *, units: tuple[int, int] | None) -> None:
        self.folded = folded
        self.program: Sequence[Instruction] = folded.program
        self.vectors = Vectors(self.program, units=units)
        self.moves: dict[int, Move] = {}

    def shape(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        return sizes(self.program[number].shape)

    def normal(self, number: int, move: Move) -> Move:
        """Write what all entries of a result move by as rows, not as columns."""
        height, width = self.shape(number)
        equal, rest = self.vectors.split(move.columns, height)
        return Move(combined(move.rows, self.vectors.spread(equal, width)), rest, move.scale)

    def follow(self, tensors: Mapping[str, Move], over: Mapping[str, int] | None = None) -> None:
        """Find how each result moves, given how tensors do, and by the entries of which others their columns are
        divided.

        Raises
        ------
        MovedAway
            If the value moves, or a result in another way.
        """
        self.moves = {}
        divided: dict[int, tuple[LinearVector, int]] = {}
        for number in sorted(self.folded.users):
            one = self.program[number]
            if one.operation == "tensor":
                move = tensors.get(one.argument, Move())
                if over and one.argument in over:
                    divided[number], move = (move.columns, over[one.argument]), Move()
            else:
                operands = [self.moves.get(operand, Move()) for operand in one.operands]
                apart = not divided.keys().isdisjoint(one.operands)
                if not any(map(any, operands)) and not apart:
                    continue
                rule = MOVES.get(one.operation)
                if rule is None:
                    raise MovedAway(number, f"the operand of {one.operation} moves")
                move = rule(self, number, one, operands)
                if apart:
                    move = added_moves(move, self.divided_product(number, one, divided))
            move = self.normal(number, move)
            self.vectors.count_words(sum(map(len, move)))
            if any(move):
                self.moves[number] = move
        if self.folded.value in self.moves or self.folded.value in divided:
            raise MovedAway(self.folded.value, "the value moves")

    def divided_product(self, number: int, one: Instruction, divided: Mapping[int, tuple[LinearVector, int]]) -> Move:
        """Return by what a product W R moves as W does: (c (1/g)^T) R = c ((1/g)^T R)."""
        if one.operation != "product" or one.operands[1] in divided:
            raise MovedAway(number, "a tensor that moves over a gain is no left factor alone")
        vector, gain = divided[one.operands[0]]
        total = self.vectors.sum_over(one.operands[1], gain)
        if total is None:
            raise MovedAway(number, "what is added over a gain is multiplied by sums of columns that are not known")
        return Move(columns=self.vectors.multiplied(vector, total))

    def widened(self, operand: int, move: Move, shape: tuple[int, int]) -> Move:
        """Return how a result moves that is spread to a shape."""
        rows, columns, scale = move
        if self.shape(operand)[1] < shape[1]:
            rows, scale = (self.vectors.spread(vector, shape[1]) for vector in (rows, scale))
        return Move(rows, columns, scale)  # one row has no columns: they were written as rows


def only_scaled(number: int, move: Move) -> LinearVector:
    """Return by what the columns of an operand are multiplied, if that is how it moves."""
    if move.rows or move.columns:
        raise MovedAway(number, "something is added to its operand")
    return move.scale


def not_scaled(number: int, move: Move) -> Move:
    """Return how an operand moves, if its columns are not multiplied by anything."""
    if move.scale:
        raise MovedAway(number, "columns of its operand are multiplied by numbers")
    return move


def added_moves(one: Move, other: Move) -> Move:
    """Return the sum of two movements of one result."""
    return Move(*(combined(first, second) for first, second in zip(one, other, strict=True)))


def moved_sum(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """Rows and columns are added; columns of both summands may be multiplied by the same numbers."""
    spread = zip(one.operands, operands, strict=True)
    first, second = (movement.widened(operand, move, movement.shape(number)) for operand, move in spread)
    if first.scale != second.scale:
        raise MovedAway(number, "columns of its operands are multiplied by different numbers")
    return added_moves(first, second._replace(scale={}))


def moved_negative(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    rows, columns, scale = operands[0]
    return Move(combined({}, rows, Fraction(-1)), combined({}, columns, Fraction(-1)), scale)


def moved_entrywise_product(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    found = Move()
    for move, operand, other in zip(operands, one.operands, one.operands[::-1], strict=True):
        found = added_moves(found, moved_factor(movement, number, operand, other, move))
    return found


def moved_factor(movement: Movement, number: int, operand: int, other: int, move: Move) -> Move:
    """(n diag(s)) * m = (n * m) diag(s); rows are multiplied by a row, columns by a column, and all by a number."""
    vectors, (height, width) = movement.vectors, movement.shape(number)
    rows, columns, scale = movement.widened(operand, move, (height, width))
    factor = vectors.common_entry(other)
    if factor is not None:
        return Move(vectors.multiplied(rows, factor), vectors.multiplied(columns, factor), scale)
    more: LinearVector = {}
    if rows and movement.shape(other)[0] > 1:  # what all entries move by is a column as well
        equal, rows = vectors.split(rows, width)
        columns = combined(columns, vectors.spread(equal, height))
    if (rows and movement.shape(other)[0] > 1) or (columns and movement.shape(other)[1] > 1):
        raise MovedAway(number, "something is added to one of its operands, and the other one varies")
    if rows:
        more = vectors.times(rows, other)
    return Move(more, vectors.times(columns, other) if columns else {}, scale)


def moved_transpose(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    move = not_scaled(number, operands[0])
    return Move(move.columns, move.rows)


def moved_product(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """(1 r^T) R = 1 (R^T r)^T, (c 1^T) R = c (1^T R), L (c 1^T) = (L c) 1^T, L (1 r^T) = (L 1) r^T."""
    vectors, (left, right) = movement.vectors, one.operands
    first, second = not_scaled(number, operands[0]), operands[1]
    rows = vectors.right(first.rows, right) if first.rows else {}
    columns = vectors.left(second.columns, left) if second.columns else {}
    if first.columns:
        total = vectors.sums.get(right)
        if total is None:
            raise MovedAway(number, "what is added to columns is multiplied by sums of columns that are not known")
        columns = combined(columns, vectors.multiplied(first.columns, total))
    if second.rows:
        total = vectors.sum_of_rows(left)
        if total is not None:
            rows = combined(rows, vectors.multiplied(second.rows, total))
        else:  # what all entries move by is a column as well
            equal, rest = vectors.split(second.rows, movement.shape(right)[1])
            if rest:
                raise MovedAway(number, "what is added to rows is multiplied by sums of rows that are not known")
            columns = combined(columns, vectors.left(vectors.spread(equal, movement.shape(right)[0]), left))
    return Move(rows, columns, second.scale)


def moved_column_products(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """Scales are multiplied; a row that is added to all rows is multiplied by the sums of columns."""
    found, height = Move(), max(movement.shape(operand)[0] for operand in one.operands)
    for move, operand, other in zip(operands, one.operands, one.operands[::-1], strict=True):
        rows, columns, scale = movement.widened(operand, move, (height, movement.shape(number)[1]))
        total = movement.vectors.sums.get(other) if movement.shape(other)[0] == height else None
        if columns or (rows and total is None):
            raise MovedAway(number, "something is added to one of its operands")
        rows = movement.vectors.multiplied(rows, total) if total else {}
        found = added_moves(found, Move(rows, {}, scale))
    return found


def moved_centre(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    _, columns, scale = operands[0]
    return Move({}, movement.vectors.centred(columns), scale)


def moved_turn(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    scale = only_scaled(number, operands[0])
    return movement.widened(one.operands[0], Move(scale=scale), movement.shape(number))


def moved_part(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    (height, width), (down, across) = movement.shape(one.operands[0]), one.argument
    rows, columns, scale = operands[0]
    taken = movement.vectors.taken
    return Move(taken(rows, across, width), taken(columns, down, height), taken(scale, across, width))


def moved_join(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """Below each other rows and scales have to be equal, and columns are joined; side by side columns have to be equal,
    and rows and scales are joined.
    """
    vectors, axis = movement.vectors, one.argument
    along = [movement.shape(operand)[axis] for operand in one.operands]
    across = movement.shape(number)[1 - axis]
    if axis == 1:
        pairs = [vectors.split(move.rows, size) for move, size in zip(operands, along, strict=True)]
        equal, rest = zip(*pairs, strict=True)
        if any(move.columns != operands[0].columns for move in operands):
            raise MovedAway(number, "columns of its operands move differently")
        if all(some == equal[0] for some in equal):
            rows = combined(joined_vectors(vectors, rest, along), vectors.spread(equal[0], sum(along)))
        else:
            rows = joined_vectors(vectors, [move.rows for move in operands], along)
        return Move(rows, operands[0].columns, joined_vectors(vectors, [move.scale for move in operands], along))
    if any(move.scale != operands[0].scale for move in operands):
        raise MovedAway(number, "columns of its operands are multiplied by different numbers")
    columns = [move.columns for move in operands]
    rows = operands[0].rows
    if any(move.rows != rows for move in operands):  # what all entries move by is a column as well
        equal, rest = zip(*(vectors.split(move.rows, across) for move in operands), strict=True)
        rows = rest[0]
        if any(some != rows for some in rest):
            raise MovedAway(number, "rows of its operands move differently")
        columns = [
            combined(column, vectors.spread(some, size))
            for column, some, size in zip(columns, equal, along, strict=True)
        ]
    return Move(rows, joined_vectors(vectors, columns, along), operands[0].scale)


def joined_vectors(vectors: Vectors, parts: Sequence[LinearVector], lengths: Sequence[int]) -> LinearVector:
    """Return vectors below each other."""
    found: LinearVector = {}
    start = 0
    for part, length in zip(parts, lengths, strict=True):
        found = combined(found, vectors.placed(part, start, sum(lengths), length))
        start += length
    return found


def moved_reciprocal(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    return Move(scale=combined({}, only_scaled(number, operands[0]), Fraction(-1)))


def moved_root(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    return Move(scale=combined({}, only_scaled(number, operands[0]), Fraction(1, 2)))


def moved_exponential(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """The derivative of exp(x) is exp(x) dx."""
    move = not_scaled(number, operands[0])
    if move.columns:
        raise MovedAway(number, "something is added to the columns of its operand")
    return Move(scale=move.rows)


def moved_gate(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """Signs stay where entries are multiplied by positive numbers."""
    only_scaled(number, operands[0])
    return Move()


def moved_largest(movement: Movement, number: int, one: Instruction, operands: Sequence[Move]) -> Move:
    """The order in each column stays."""
    if operands[0].columns:
        raise MovedAway(number, "something is added to the columns of its operand")
    return Move()


MOVES: dict[str, Callable[[Movement, int, Instruction, Sequence[Move]], Move]] = {
    "add": moved_sum,
    "negate": moved_negative,
    "multiply": moved_entrywise_product,
    "transpose": moved_transpose,
    "product": moved_product,
    "column_products": moved_column_products,
    "centre": moved_centre,
    "rotate": moved_turn,
    "take": moved_part,
    "concatenate": moved_join,
    "reciprocal": moved_reciprocal,
    "sqrt": moved_root,
    "exp": moved_exponential,
    "positive": moved_gate,
    "largest": moved_largest,
}
"""How a result moves, given how its operands do."""
