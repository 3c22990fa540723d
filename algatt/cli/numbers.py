"""Numbers as they are written on the command line."""

from __future__ import annotations

import math
from fractions import Fraction

from algatt.errors import InvalidArgument


def integer_list(argument: str, text: str) -> tuple[int, ...]:
    """Return the integers of a text such as ``4,3,4``."""
    try:
        return tuple(int(entry) for entry in text.split(","))
    except ValueError:
        raise InvalidArgument(argument, repr(text), "integers separated by commas, as 4,3,4") from None


def number_list(argument: str, text: str) -> tuple[float, ...]:
    """Return the numbers of a text such as ``1,0.5``."""
    try:
        return tuple(float(entry) for entry in text.split(","))
    except ValueError:
        raise InvalidArgument(argument, repr(text), "numbers separated by commas, as 1,0.5") from None


def exact_number(text: str) -> Fraction | float:
    """Return a number that is written as 0.5 or 1/2, exactly if it is positive; 1e999999999 would take all memory."""
    if "/" not in text:
        rounded = float(text)
        return Fraction(text) if 0 < rounded < math.inf else rounded
    exact = Fraction(text)
    return exact if exact > 0 else float(exact)
