"""Where stretches are found in a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from algatt.fields.motions import Letter
from algatt.programs import Instruction, Program
from algatt.programs.uses import Uses, with_operands
from algatt.symmetry.motions.shift import Shift
from algatt.symmetry.motions.shifts import solve_shifts
from algatt.symmetry.quotients.gains import is_vector, writers
from algatt.symmetry.quotients.stretches import Stretch

Units = tuple[int, int] | None


def find_stretches(program: Program, *, units: Units) -> tuple[Stretch, ...]:
    """Return the stretches that leave the value of a program unchanged, of each sum one at most.

    Parameters
    ----------
    program : Program
        The program.
    units : (int, int) or None
        As for `solve_shifts`.
    """
    uses = program.uses
    return tuple(found for number in range(len(uses)) if (found := stretch_of(uses, number, units)) is not None)


def stretch_of(uses: Uses, number: int, units: Units) -> Stretch | None:
    """Return the stretch of a result X; None if there is none."""
    written = tensors_written(uses, number)
    products = [user for user in uses.users[number] if is_read_by_tensor(uses, user, number)]
    readers = tuple(dict.fromkeys(uses[user].operands[0] for user in products))
    if not written or not all(is_left_factor(uses, reader) for reader in readers):
        return None
    gains = dict.fromkeys(gain for reader in readers for gain in gains_beside(uses, reader))
    if not gains or sees_means(uses, number, products, units):
        return None
    return next(filter(None, (over_gain(uses, number, written, readers, gain, units) for gain in gains)), None)


def tensors_written(uses: Uses, number: int) -> tuple[str, ...]:
    """Return the tensors of which a result is the sum, or of their products with something, if they and all partial
    sums are used for nothing else; none otherwise.
    """
    one = uses[number]
    if one.operation == "product":
        matrix = one.operands[0]
        alone = uses[matrix].operation == "tensor" and uses.is_used_by(matrix, number)
        return (uses[matrix].argument,) if alone else ()
    if one.operation != "add":
        return ()
    parts = [writers(uses, number, operand, one.shape[:-1]) for operand in one.operands]
    return tuple(name for part in parts if part for name in part.rows) if all(parts) else ()


def is_read_by_tensor(uses: Uses, user: int, number: int) -> bool:
    """Return whether an instruction is the product of a tensor with a result."""
    one = uses[user]
    return one.operation == "product" and one.operands[1] == number and uses[one.operands[0]].operation == "tensor"


def is_left_factor(uses: Uses, number: int) -> bool:
    """Return whether a tensor is used as the left factor of products alone."""
    return all(uses[user].operation == "product" and uses[user].operands[1] != number for user in uses.users[number])


def sees_means(uses: Uses, number: int, products: Sequence[int], units: Units) -> bool:
    """Return whether the value may change if a row is added to all rows of a result where it is used, but for some
    products.
    """
    program = with_result_as_tensor(uses.program, number, products)
    name = program.instructions[0].argument
    found = solve_shifts(program, units=units, still=frozenset(program.tensors) - {name}).shifts
    return not any(one.kind == "rows" and not one.conditions for one in found)


def over_gain(
    uses: Uses, number: int, written: tuple[str, ...], readers: tuple[int, ...], gain: int, units: Units
) -> Stretch | None:
    """Return the stretch of X that fixes all columns x with a sum s of x / g, if all that its readers read else are
    such columns, and others take up what these make of s; or None.
    """
    names = tuple(uses[reader].argument for reader in readers)
    products = [user for reader in readers for user in uses.users[reader]]
    solved = solve_shifts(uses.program, units=units)
    others = {uses[user].operands[1] for user in products} - {number}
    total, *rest = [solved.moving[other].total(Letter(gain, "inverse")) for other in others] or [None]
    if total is None or any(one != total for one in rest):
        return None
    terms = [uses[letter.of] for word in total for letter in solved.letters(word) if isinstance(letter.of, int)]
    if any(one.operation != "tensor" for one in terms):
        return None
    kept = {uses[gain].argument, *(one.argument for one in terms)}  # none writes or reads, as each has another use
    stretch = Stretch(uses.program, written, None, names, uses[gain].argument, total, ())
    if not total:
        return stretch
    bias = next((name for name in written if not is_factor(uses, name)), None)
    shifts = shifts_beside(uses, readers, frozenset({*kept, *written, *names}), units)
    return None if bias is None or shifts is None else dataclasses.replace(stretch, bias=bias, shifts=shifts)


def gains_beside(uses: Uses, number: int) -> list[int]:
    """Return the gains g of the products g * Y, or sums with these, that are read by a matrix."""
    found: dict[int, None] = {}
    for user in uses.users[number]:
        if uses[user].operation == "product" and uses[user].operands[0] == number:
            right = uses[user].operands[1]
            while uses[right].operation == "take":
                (right,) = uses[right].operands
            for one in uses[right].operands if uses[right].operation == "add" else (right,):
                operands = uses[one].operands if uses[one].operation == "multiply" else ()
                height = uses.height(one)
                found |= {g: None for g in operands if height > 1 and is_vector(uses, g, (height,))}
    return list(found)


def is_factor(uses: Uses, name: str) -> bool:
    """Return whether a tensor is used in products."""
    (number,) = (place for place, one in enumerate(uses.program.instructions) if one.argument == name)
    return any(uses[user].operation == "product" for user in uses.users[number])


def shifts_beside(
    uses: Uses, readers: Sequence[int], avoided: frozenset[str], units: Units
) -> tuple[Shift, ...] | None:
    """Return the shifts by any columns that are added to all products with each of some tensors, where others than
    these columns, and those to avoid, take them up; None if not all are taken up.
    """
    beside = {user: reader for reader in readers for user in uses.users[reader]}
    within = with_columns(uses.program, beside).uses
    columns = [within[place].argument for place in range(len(readers))]
    found = {
        one.tensor: one
        for one in solve_shifts(within.program, units=units, still=avoided).shifts
        if one.kind == "columns" and not one.conditions
    }
    shifts = tuple(found[name] for name in columns if name in found)
    shifts = tuple(one for one in shifts if not {move.tensor for move in one.absorbed} & set(columns))
    return shifts if len(shifts) == len(readers) else None


def with_columns(program: Program, beside: Mapping[int, int]) -> Program:
    """Return a program in which a column, a new tensor, is added to each of some products: the same one to those that
    have one factor, which is given. The columns come first.
    """
    factors = dict.fromkeys(beside.values())
    instructions = [
        Instruction(
            "tensor", (), f"beside {program.instructions[one].argument}", (program.instructions[one].shape[0], 1)
        )
        for one in factors
    ]
    column = dict(zip(factors, range(len(factors)), strict=True))
    anew: list[int] = []
    for number, one in enumerate(program.instructions):
        instructions.append(with_operands(one, (anew[operand] for operand in one.operands)))
        if number in beside:
            operands = (len(instructions) - 1, column[beside[number]])
            instructions.append(Instruction("add", operands, None, one.shape))
        anew.append(len(instructions) - 1)
    return Program(tuple(instructions))


def with_result_as_tensor(program: Program, number: int, kept: Collection[int]) -> Program:
    """Return a program in which all but some instructions take a new tensor, the first one, in place of a result."""
    instructions = [Instruction("tensor", (), f"result {number}", program.instructions[number].shape)]
    for place, one in enumerate(program.instructions):
        taken = (0 if operand == number and place not in kept else operand + 1 for operand in one.operands)
        instructions.append(with_operands(one, taken))
    return Program(tuple(instructions))
