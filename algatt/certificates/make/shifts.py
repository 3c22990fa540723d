"""Shifts and biases of norms as certificates have them: how much of a free vector each tensor takes up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.gains import FoldedProgram, fold_all
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.movements import Move, MovedAway, Movement
from algatt.certificates.verifier.shifts import Shift, check_shift, read_moves, shift_of_claim
from algatt.certificates.verifier.vectors import LinearVector, Word, combined
from algatt.programs import Program
from algatt.symmetry.arrows import shifts
from algatt.symmetry.arrows.gains import Fold, find_gains
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry
from algatt.symmetry.arrows.shifts import ShiftSymmetry

__all__ = ["claim_of_norm_bias", "claim_of_shift"]

Claim = dict[str, Any]

KINDS_OF_TRANSPOSE = {"rows": "columns", "columns": "rows"}


def claim_of_shift(family: ShiftSymmetry, program: Program, network: Network) -> Claim | None:
    """Return what is claimed of a shift for all vectors v, if the verifier accepts it.

    What tensors take up is found by following the changes as the verifier does: at the first sum where this is possible
    a tensor takes up what the other summand changes by.
    """
    shift = family.shift
    if shift.conditions:
        return None
    takers = {one.tensor: one.kind for one in shift.absorbed}
    free, over = free_move(shift, network)
    for gains in candidates(family.fold, program):
        folded = fold_all(network.program, [tuple(one) for one in gains])
        moves = found_moves(folded, free, over, takers, network)
        if moves is not None:
            size = 1 if shift.ray else network.tensors[shift.tensor][shift.kind == "rows"]
            return accepted(family.name, gains, size, moves, network)
    return None


def free_move(shift: shifts.Shift, network: Network) -> tuple[list[Any], dict[str, int]]:
    """Return how the tensor of a shift moves, in the words of a claim, and over which gain."""
    if shift.gain is None:
        return [shift.tensor, shift.kind, [[1, []]]], {}
    gains = [k for k, one in enumerate(network.program) if (one.operation, one.argument) == ("tensor", shift.gain)]
    if not shift.ray:
        return [shift.tensor, shift.kind, [[1, []]], gains[0]], {shift.tensor: gains[0]}
    height, _ = network.tensors[shift.gain]
    return [shift.tensor, shift.kind, [[1, [["spread", height], ["over", gains[0]]]]]], {}


def claim_of_norm_bias(family: NormBiasSymmetry, program: Program, network: Network) -> Claim | None:
    """Return what is claimed of a bias b of a norm, if the verifier accepts it: the columns of a matrix W move by -W v
    / 1^T b.
    """
    number = {one.argument: k for k, one in enumerate(network.program) if one.operation == "tensor"}
    bias = family.bias
    moves: list[Any] = [[bias.name, "columns", [[1, []]]]]
    for name in bias.matrices:
        moves.append([name, "columns", [[-1, [["left", number[name]], ["sum", number[bias.name], -1]]]]])
    for gains in candidates(family.fold, program):
        claim = accepted(family.name, gains, network.tensors[bias.name][0], moves, network)
        if claim is not None:
            return claim
    return None


def candidates(fold: Fold, program: Program) -> Iterator[list[Any]]:
    """Iterate over the gains that may be folded: none, and all."""
    yield []
    _, aliases = find_gains(program)
    if fold.gains:
        pairs = zip(aliases, fold.gains, strict=True)
        yield [[number, "writers" if gain.rows else "readers"] for number, gain in pairs]


def accepted(name: str, gains: list[Any], size: int, moves: list[Any], network: Network) -> Claim | None:
    """Return a claim that the verifier accepts, or None."""
    claim = {"name": name, "by": "shift", "gains": gains, "size": size, "units": list(range(size)), "moves": moves}
    try:
        reason = check_shift(network, shift_of_claim("shift", claim, network))
    except Refused:
        return None
    return claim if reason is None else None


def found_moves(
    folded: FoldedProgram, start: list[Any], over: Mapping[str, int], takers: Mapping[str, str], network: Network
) -> list[Any] | None:
    """Return how tensors move, in the words of a claim; None if the value does."""
    tensor, kind, words, *_ = start
    movement = Movement(folded, units=network.units)
    size = network.tensors[tensor][kind == "rows"] if words == [[1, []]] else 1
    moves = read_moves(movement, Shift((), size, (), ((tensor, kind, words),)), network.tensors)
    taken: set[tuple[str, int]] = set()
    while True:
        try:
            movement.follow(moves, over)
            break
        except MovedAway:
            found = next(absorbed(movement, takers, taken), None)
        if found is None:
            return None
        name, number, vector = found
        taken.add((name, number))
        earlier = moves.get(name, Move())
        total = combined(earlier.rows if takers[name] == "rows" else earlier.columns, vector, Fraction(-1))
        moves[name] = Move(rows=total) if takers[name] == "rows" else Move(columns=total)
    return [
        [name, "rows" if move.rows else "columns", words_of(movement, move.rows or move.columns), *beside(over, name)]
        for name, move in moves.items()
        if any(move)
    ]


def beside(over: Mapping[str, int], name: str) -> list[int]:
    """Return the gain of a tensor, if it has one, as a list."""
    return [over[name]] if name in over else []


def absorbed(
    movement: Movement, takers: Mapping[str, str], taken: set[tuple[str, int]]
) -> Iterator[tuple[str, int, LinearVector]]:
    """Iterate over tensors that may take up what one summand of a sum moves by, each with the sum and that vector."""
    for number in sorted(movement.folded.users):
        one = movement.program[number]
        if one.operation != "add" or len(set(one.operands)) == 1:
            continue
        for operand, other in (one.operands, one.operands[::-1]):
            move = movement.moves.get(operand)
            if move is None or other in movement.moves or move.scale or (move.rows and move.columns):
                continue
            height, width = movement.shape(number)
            rows, columns, _ = movement.widened(operand, move, (height, width))
            vectors = [("rows", rows) if rows else ("columns", columns)]
            equal, rest = movement.vectors.split(rows, width)
            if equal and not rest:  # what all entries move by is a column as well
                vectors.append(("columns", movement.vectors.spread(equal, height)))
            for kind, vector in vectors:
                for name, side in summands(movement, other, number, kind, vector):
                    if takers.get(name) == side and (name, number) not in taken:
                        yield name, number, vector


def summands(movement: Movement, number: int, user: int, kind: str, vector: LinearVector) -> Iterator[tuple[str, str]]:
    """Iterate over the tensors in a sum, each with the kind of change by which it changes all of the sum."""
    if not all(is_known(movement, word) for word in vector):
        return
    size = movement.shape(user)[kind == "rows"]
    pending = [(number, kind)]
    while pending:
        here, side = pending.pop()
        one = movement.program[here]
        if movement.shape(here)[side == "rows"] != size:
            continue
        if one.operation == "tensor":
            yield one.argument, side
        elif here in movement.moves:
            continue
        elif one.operation == "transpose":
            pending.append((one.operands[0], KINDS_OF_TRANSPOSE[side]))
        elif one.operation in ("take", "add"):
            pending += [(operand, side) for operand in one.operands]


def is_known(movement: Movement, word: Word) -> bool:
    """Return whether a word is made of quotients of polynomials in the weights."""
    numbers = [factor[1] for factor in word.factors if factor[0] in ("left", "right", "times")]
    sums = [number for number, _ in word.numbers if number < len(movement.program)]  # others are of known columns
    return movement.vectors.known.issuperset([*numbers, *sums])


def words_of(movement: Movement, vector: LinearVector) -> list[Any]:
    """Return a vector as a certificate has it."""
    found: list[Any] = []
    for word, coefficient in vector.items():
        value = int(coefficient) if coefficient.denominator == 1 else str(coefficient)
        factors: list[Any] = []
        for number, exponent in word.numbers:
            if number < len(movement.program):
                factors.append(["sum", number, exponent])
            else:
                factors += [["sum_over", *movement.vectors.overs[number - len(movement.program)]]] * exponent
        for kind, *numbers in word.factors:
            factors.append(["take", list(movement.vectors.parts[numbers[0]])] if kind == "take" else [kind, *numbers])
        found.append([value, factors])
    return found
