"""Signs of the entries of results, as far as they are seen without values."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from algatt.programs.trace import Instruction, common_entry

MOST_ENTRIES = 4096
"""Maximum number of entries of a constant that are looked at one by one."""


class Sign(enum.IntEnum):
    """What is known of all entries of a result, where it has values."""

    ANY = 0
    NOT_NEGATIVE = 1
    POSITIVE = 2


def sign_of(one: Instruction, known: Sequence[Sign]) -> Sign:
    """Return the sign of a result, given those of earlier ones."""
    given = [known[operand] for operand in one.operands]
    match one.operation:
        case "constant" if one.argument:
            number = common_entry(one.argument)
            least = number if number is not None else min(one.argument) if len(one.argument) <= MOST_ENTRIES else -1
            return Sign.POSITIVE if least > 0 else Sign.NOT_NEGATIVE if least == 0 else Sign.ANY
        case "exp" | "sigmoid":
            return Sign.POSITIVE
        case "positive" | "largest":
            return Sign.NOT_NEGATIVE
        case "add":
            return max(given) if min(given) > Sign.ANY else Sign.ANY
        case "multiply" | "column_products" if one.operands[0] == one.operands[1]:
            return max(given[0], Sign.NOT_NEGATIVE)
        case "multiply" | "column_products" | "product" | "reciprocal" | "sqrt" | "transpose" | "take" | "concatenate":
            return min(given)
    return Sign.ANY
