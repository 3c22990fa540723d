"""Which instructions of a program take the result of which, which results are read in parts, and the signs of entries
as far as they are seen without values.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from algatt.programs.interpret import Instruction, Program, common_entry

RATIONAL = {
    "tensor",
    "constant",
    "add",
    "negate",
    "multiply",
    "transpose",
    "product",
    "column_products",
    "centre",
    "rotate",
    "take",
    "concatenate",
    "reciprocal",
}
"""Operations by which quotients of polynomials are made."""


@dataclasses.dataclass(frozen=True, eq=False)
class Uses:
    """A program with the uses of its results.

    Parameters
    ----------
    program : Program
        The program.

    Attributes
    ----------
    users : list of list of int
        The instructions that take each result, one that takes it twice two times.
    rational : list of bool
        Which results are quotients of polynomials in the weights.
    """

    program: Program

    def __post_init__(self) -> None:
        users: list[list[int]] = [[] for _ in self.program.instructions]
        for number, one in enumerate(self.program.instructions):
            for operand in one.operands:
                users[operand].append(number)
        object.__setattr__(self, "users", users)
        rational: list[bool] = []
        for one in self.program.instructions:
            rational.append(one.operation in RATIONAL and all(rational[operand] for operand in one.operands))
        object.__setattr__(self, "rational", rational)

    users: list[list[int]] = dataclasses.field(init=False, repr=False)
    rational: list[bool] = dataclasses.field(init=False, repr=False)

    def __getitem__(self, number: int) -> Instruction:
        """Return an instruction."""
        return self.program.instructions[number]

    def __len__(self) -> int:
        return len(self.program)

    def is_used_by(self, number: int, user: int) -> bool:
        """Return whether a result is used once, by one instruction; the value, which is the last, is used by none."""
        return self.users[number] == [user]

    def is_rational(self, number: int) -> bool:
        """Return whether a result is a quotient of polynomials in the weights alone, which exists over every field."""
        return self.rational[number]

    def height(self, number: int) -> int:
        """Return the number of rows of a result."""
        shape = self[number].shape
        return shape[-2] if len(shape) > 1 else 1

    def width(self, number: int) -> int:
        """Return the number of columns of a result."""
        shape = self[number].shape
        return shape[-1] if shape else 1

    def constant(self, number: int) -> Fraction | None:
        """Return the number that all entries of a constant are, or None."""
        one = self[number]
        if one.operation == "reciprocal":
            below = self.constant(one.operands[0])
            return 1 / below if below else None
        return common_entry(one.argument) if one.operation == "constant" else None


def renumber(program: Program, aliases: Mapping[int, int]) -> dict[int, int]:
    """Return the numbers of the results of a program that are still needed where some are replaced by earlier ones: by
    the old numbers those in the program that `bypass` returns; what is replaced has the number of what replaces it.
    """
    needed = {alias_of(len(program) - 1, aliases)}
    for number in range(len(program) - 1, -1, -1):
        if number in needed:
            needed.update(alias_of(operand, aliases) for operand in program.instructions[number].operands)
    anew = {number: position for position, number in enumerate(sorted(needed))}
    replaced = {number: alias_of(number, aliases) for number in aliases}
    return anew | {number: anew[other] for number, other in replaced.items() if other in anew}


def alias_of(number: int, aliases: Mapping[int, int]) -> int:
    """Return the result by which one is replaced in the end."""
    while number in aliases:
        number = aliases[number]
    return number


def with_operands(one: Instruction, operands: Iterable[int]) -> Instruction:
    """Return an instruction that takes other results."""
    return Instruction(one.operation, tuple(operands), one.argument, one.shape)


def bypass(program: Program, aliases: Mapping[int, int]) -> Program:
    """Return a program in which results are replaced by earlier ones, without the instructions that are not needed."""
    anew = renumber(program, aliases)
    return Program(
        tuple(
            with_operands(one, (anew[operand] for operand in one.operands))
            for number, one in enumerate(program.instructions)
            if number in anew and number not in aliases
        )
    )


def needed(instructions: Sequence[Instruction], value: int) -> Program:
    """Return the program of a result: the instructions that it needs, numbered anew."""
    return bypass(Program(tuple(instructions[: value + 1])), {})


def parted_results(uses: Uses, together: Mapping[int, tuple[int, ...]]) -> set[int]:
    """Return the results of which nothing but parts is used, if these are not joined to the whole again."""
    across = ("product", "column_products", "centre", "rotate", "largest")
    found: set[int] = set()
    for number in range(len(uses) - 1, -1, -1):
        users, height = uses.users[number], uses.height(number)
        if any(len(together.get(user, ())) == height for user in users):
            continue
        if users and all(
            uses[user].operation == "take" or (user in found and uses[user].operation not in across) for user in users
        ):
            found.add(number)
    return found


def joined_parts(uses: Uses) -> dict[int, tuple[int, ...]]:
    """Return the parts of results that are joined with others again, each moved by itself, with the rows of all of
    these, as of rows of which some are turned.
    """
    groups: dict[tuple[int, int, tuple[int, ...]], dict[int, int]] = {}
    for number, one in enumerate(uses.program.instructions):
        if one.operation == "take":
            join, operand = join_of(uses, number)
            if join is not None:
                groups.setdefault((join, one.operands[0], one.argument[1]), {})[operand] = number
    found: dict[int, tuple[int, ...]] = {}
    for parts in groups.values():
        rows = sorted(row for part in parts.values() for row in uses[part].argument[0])
        if len(parts) > 1 and len(set(rows)) == len(rows):
            found.update(dict.fromkeys(parts.values(), tuple(rows)))
    return found


def join_of(uses: Uses, number: int) -> tuple[int | None, int]:
    """Return where a result stands below others, each column by itself having been moved, with the operand that it is
    there; None if more is made of it.
    """
    while len(uses.users[number]) == 1:
        (user,) = uses.users[number]
        if uses[user].operation == "concatenate" and uses[user].argument == 0:
            return user, number
        turned = uses[user].operation == "take" and uses[user].shape == uses[number].shape
        if not turned and uses[user].operation not in ("rotate", "negate", "multiply"):
            break
        number = user
    return None, number


MOST_ENTRIES = 4096
"""Maximum number of entries of a constant that are looked at one by one."""


class KnownSign(enum.IntEnum):
    """What is known of all entries of a result, where it has values."""

    ANY = 0
    NOT_NEGATIVE = 1
    POSITIVE = 2


def has_real_values(program: Program) -> bool:
    """Return whether all roots and logarithms are of what is positive, by signs alone: so there are values at almost
    all real points, where nothing that is divided by vanishes.
    """
    signs = list[KnownSign]()
    for one in program.instructions:
        signs.append(sign_of(one, signs))
    return all(
        signs[one.operands[0]] is KnownSign.POSITIVE for one in program.instructions if one.operation in ("sqrt", "log")
    )


def sign_of(one: Instruction, known: Sequence[KnownSign]) -> KnownSign:
    """Return the sign of a result, given those of earlier ones."""
    given = [known[operand] for operand in one.operands]
    match one.operation:
        case "constant" if one.argument:
            number = common_entry(one.argument)
            least = number if number is not None else min(one.argument) if len(one.argument) <= MOST_ENTRIES else -1
            return KnownSign.POSITIVE if least > 0 else KnownSign.NOT_NEGATIVE if least == 0 else KnownSign.ANY
        case "exp" | "sigmoid":
            return KnownSign.POSITIVE
        case "positive" | "largest":
            return KnownSign.NOT_NEGATIVE
        case "add":
            return max(given) if min(given) > KnownSign.ANY else KnownSign.ANY
        case "multiply" | "column_products" if one.operands[0] == one.operands[1]:
            return max(given[0], KnownSign.NOT_NEGATIVE)
        case "multiply" | "column_products" | "product" | "reciprocal" | "sqrt" | "transpose" | "take" | "concatenate":
            return min(given)
    return KnownSign.ANY
