"""Shifts: what is added to the rows or columns of tensors, so that the value stays.

Tensors move with a free vector v: the rows of T by the same row, dT = 1 r^T, or its columns by the same column, dT = c
1^T, where r and c are linear in v. By induction over the program each result n then moves by

    dn = 1 r^T + c 1^T + n diag(s)

with vectors r, c, s that are linear in v, and the value has to stay. The rules are the derivatives of those of "Shifts"
in docs/theory/arrows.md: as derivatives are linear, those of an operation of which several operands move are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .claims import Network, whole_numbers
from .gains import FoldedProgram, Unfolded, fold_all, gains_of_claim
from .interpreter import Interpreter, NoValue
from .limits import MOST_PARAMETERS, Refused, in_a_line, whole_number
from .modular import Matrix
from .program import Instruction, sizes
from .vectors import LinearVector, Vectors, combined

__all__ = ["Move", "MovedAway", "Movement", "Shift", "check_shift", "read_moves", "shift_of_claim", "tangents_of_shift"]


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


class Shift(NamedTuple):
    """A family of shifts.

    Parameters
    ----------
    gains : tuple of (int, str)
        Gains that are folded before.
    size : int
        The size of v.
    units : tuple of int
        The entries of v of which the directions are.
    moves : tuple of (str, str, object)
        Tensors, each with ``rows`` or ``columns`` and the words of a vector.
    """

    gains: tuple[tuple[int, str], ...]
    size: int
    units: tuple[int, ...]
    moves: tuple[tuple[str, str, Any], ...]


def shift_of_claim(where: str, claim: Mapping[str, Any], network: Network) -> Shift:
    """Read a family of shifts.

    Raises
    ------
    Refused
        If it is malformed.
    """
    size = whole_number(f"{where}.size", claim["size"], 1, MOST_PARAMETERS)
    units = whole_numbers(f"{where}.units", claim["units"], 0, size - 1)
    for listed in claim["moves"]:
        if not isinstance(listed, list) or len(listed) != 3 or listed[1] not in ("rows", "columns"):
            raise Refused(f"{where}.moves", in_a_line(listed), "a tensor, 'rows' or 'columns', and a vector")
        if not isinstance(listed[0], str) or listed[0] not in network.tensors:
            raise Refused(f"{where}.moves", in_a_line(listed[0]), "a tensor of the network")
    moves = tuple((name, kind, vector) for name, kind, vector in claim["moves"])
    if len({name for name, _, _ in moves}) < len(moves):
        raise Refused(f"{where}.moves", "a list with a tensor twice", "one with each tensor once")
    return Shift(gains_of_claim(f"{where}.gains", claim["gains"]), size, tuple(units), moves)


class Movement:
    """How the results of a program move along a family of shifts.

    Parameters
    ----------
    folded : FoldedProgram
        The program, its gains being folded.
    one_hot : bool
        Whether the columns of its input are unit vectors.
    """

    def __init__(self, folded: FoldedProgram, *, one_hot: bool) -> None:
        self.folded = folded
        self.program: Sequence[Instruction] = folded.program
        self.vectors = Vectors(self.program, one_hot=one_hot)
        self.moves: dict[int, Move] = {}

    def shape(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        return sizes(self.program[number].shape)

    def normal(self, number: int, move: Move) -> Move:
        """Write what all entries of a result move by as rows, not as columns."""
        height, width = self.shape(number)
        equal, rest = self.vectors.split(move.columns, height)
        return Move(combined(move.rows, self.vectors.spread(equal, width)), rest, move.scale)

    def follow(self, tensors: Mapping[str, Move]) -> None:
        """Find how each result moves, given how tensors do.

        Raises
        ------
        MovedAway
            If the value moves, or a result in another way.
        """
        self.moves = {}
        for number in sorted(self.folded.users):
            one = self.program[number]
            if one.operation == "tensor":
                move = tensors.get(one.argument, Move())
            else:
                operands = [self.moves.get(operand, Move()) for operand in one.operands]
                if not any(map(any, operands)):
                    continue
                rule = MOVES.get(one.operation)
                if rule is None:
                    raise MovedAway(number, f"the operand of {one.operation} moves")
                move = rule(self, number, one, operands)
            move = self.normal(number, move)
            self.vectors.count_words(sum(map(len, move)))
            if any(move):
                self.moves[number] = move
        if self.folded.value in self.moves:
            raise MovedAway(self.folded.value, "the value moves")

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


def read_moves(movement: Movement, shift: Shift, shapes: Mapping[str, tuple[int, int]]) -> dict[str, Move]:
    """Return how tensors move.

    Raises
    ------
    Refused
        If vectors do not have the sizes of tensors.
    """
    found = {}
    for name, kind, words in shift.moves:
        where = f"the move of {in_a_line(name)}"
        vector, size = movement.vectors.read(where, words, shift.size)
        if size != shapes[name][kind == "rows"]:
            raise Refused(where, f"a vector of size {size}", f"one of size {shapes[name][kind == 'rows']}")
        if vector:
            found[name] = Move(rows=vector) if kind == "rows" else Move(columns=vector)
    return found


def check_shift(network: Network, shift: Shift) -> str | None:
    """Say why the value of a program may move along a family of shifts, or return None if it does not.

    Raises
    ------
    Refused
        If the family is malformed, or this takes too many steps.
    """
    try:
        movement = Movement(fold_all(network.program, shift.gains), one_hot=network.tokens)
        for name, _, _ in shift.moves:
            if name in movement.folded.gains:
                return f"{in_a_line(name)} moves, which is folded into what other tensors are"
        movement.follow(read_moves(movement, shift, network.tensors))
    except (MovedAway, Unfolded) as error:
        return str(error)
    return None


def tangents_of_shift(
    network: Network, shift: Shift, field: Any, tensors: Mapping[str, Matrix], wanted: set[int]
) -> Iterator[tuple[int, dict[int, Any]]]:
    """Iterate over some of the directions of a family that was checked, over a field, each with its number.

    Raises
    ------
    Refused
        If something is divided by zero.
    """
    folded = fold_all(network.program, shift.gains)
    movement = Movement(folded, one_hot=network.tokens)
    interpreter = Interpreter(folded.program, field, folded.folded(field, tensors))
    results: dict[int, Matrix] = {}

    def result(number: int) -> Matrix:
        pending = [number]
        while pending:
            here = pending[-1]
            one = folded.program[here]
            missing = [operand for operand in one.operands if operand not in results]
            pending += missing
            if not missing:
                if here not in results:
                    results[here] = interpreter.result(one, results, None)
                pending.pop()
        return results[number]

    numbers = sorted(wanted)
    movement.vectors.require_small(shift.size, len(numbers))
    units = field.matrix(
        shift.size, len(numbers), [int(shift.units[row] == i) for i in range(shift.size) for row in numbers]
    )
    found: dict[int, dict[int, Any]] = {row: {} for row in numbers}
    if numbers:
        for name, move in read_moves(movement, shift, network.tensors).items():
            height, width = network.tensors[name]
            along_rows = bool(move.rows)
            try:
                values = movement.vectors.values(move.rows or move.columns, field, result, units).entries()
            except NoValue:
                raise Refused(
                    "a result that a shift depends on", "without a value modulo the prime", "defined"
                ) from None
            count, start = len(numbers), network.starts[name]
            factors = folded.factors_of(name, height, width, field, tensors) if name in folded.factors else None
            for place in range(height * width):
                entry = place % width if along_rows else place // width
                for j, row in enumerate(numbers):
                    value = values[entry * count + j]
                    if value != 0:
                        found[row][start + place] = value if factors is None else value / factors[place]
    yield from found.items()
