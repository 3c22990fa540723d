"""Shifts: what is added to the rows or columns of tensors, so that the value stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from .claims import Network, whole_numbers
from .gains import Unfolded, fold_all, gains_of_claim
from .interpreter import Interpreter, NoValue
from .limits import MOST_PARAMETERS, Refused, in_a_line, whole_number
from .modular import Matrix
from .movements import Move, MovedAway, Movement
from .program import sizes
from .vectors import inverses_of

__all__ = ["Shift", "check_shift", "read_moves", "shift_of_claim", "tangents_of_shift"]


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
    over : mapping of str to int, optional
        Tensors whose columns are divided by the entries of another one, each with its instruction.
    """

    gains: tuple[tuple[int, str], ...]
    size: int
    units: tuple[int, ...]
    moves: tuple[tuple[str, str, Any], ...]
    over: Mapping[str, int] = MappingProxyType({})


def shift_of_claim(where: str, claim: Mapping[str, Any], network: Network) -> Shift:
    """Read a family of shifts.

    Raises
    ------
    Refused
        If it is malformed.
    """
    size = whole_number(f"{where}.size", claim["size"], 1, MOST_PARAMETERS)
    units = whole_numbers(f"{where}.units", claim["units"], 0, size - 1)
    if len(set(units)) < len(units):
        raise Refused(f"{where}.units", "a list with an entry twice", "one with each entry once")
    for listed in claim["moves"]:
        if not isinstance(listed, list) or len(listed) not in (3, 4) or listed[1] not in ("rows", "columns"):
            raise Refused(f"{where}.moves", in_a_line(listed), "a tensor, 'rows' or 'columns', and a vector")
        if not isinstance(listed[0], str) or listed[0] not in network.tensors:
            raise Refused(f"{where}.moves", in_a_line(listed[0]), "a tensor of the network")
    moves = tuple((name, kind, vector) for name, kind, vector, *_ in claim["moves"])
    over: dict[str, int] = {}
    for name, kind, _, *gains in claim["moves"]:
        for gain in gains:
            number = whole_number(f"{where}.moves", gain, most=len(network.program) - 1)
            one = network.program[number]
            if kind != "columns" or one.operation != "tensor" or sizes(one.shape) != (network.tensors[name][1], 1):
                was = f"{in_a_line(name)} over instruction {number}"
                raise Refused(f"{where}.moves", was, "columns over a tensor with one column, an entry for each of them")
            over[name] = number
    if len({name for name, _, _ in moves}) < len(moves):
        raise Refused(f"{where}.moves", "a list with a tensor twice", "one with each tensor once")
    return Shift(gains_of_claim(f"{where}.gains", claim["gains"]), size, tuple(units), moves, over)


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
        movement = Movement(fold_all(network.program, shift.gains), units=network.units)
        for name, _, _ in shift.moves:
            if name in movement.folded.gains:
                return f"{in_a_line(name)} moves, which is folded into what other tensors are"
        for number in shift.over.values():
            if movement.program[number].argument in movement.folded.gains:
                return f"instruction {number} is folded into what other tensors are"
        movement.follow(read_moves(movement, shift, network.tensors), shift.over)
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
    movement = Movement(folded, units=network.units)
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
            across = inverses_of(result(shift.over[name])) if name in shift.over else None
            for place in range(height * width):
                entry = place % width if along_rows else place // width
                for j, row in enumerate(numbers):
                    value = values[entry * count + j]
                    if across is not None:
                        value *= across[place % width]
                    if value != 0:
                        found[row][start + place] = value if factors is None else value / factors[place]
    yield from found.items()
