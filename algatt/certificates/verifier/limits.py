"""How large a certificate may be: a forged one must cost bounded time and memory."""

from __future__ import annotations

from typing import Any

__all__ = [
    "MOST_BITS",
    "MOST_INSTRUCTIONS",
    "MOST_NUMBERS",
    "MOST_ORDER",
    "MOST_PARAMETERS",
    "MOST_REAL_ORDER",
    "MOST_REAL_STEPS",
    "MOST_STEPS",
    "Refused",
    "in_a_line",
    "printable",
    "whole_number",
]

MOST_INSTRUCTIONS = 20_000
"""A program has so many instructions at most."""

MOST_NUMBERS = 10**7
"""All results of a program together have so many entries at most."""

MOST_PARAMETERS = 10**7
"""All tensors together have so many entries at most."""

MOST_ORDER = 12_000
"""A minor has so many rows at most: its residues take 8 times the square of that in bytes."""

MOST_REAL_ORDER = 190
"""Maximum number of rows of a real minor, which takes about a second at the lowest precision."""

MOST_REAL_STEPS = 10**7
"""Maximum number of steps for the rows of a real minor; a million steps take some seconds."""

MOST_STEPS = 10**9
"""So many steps are taken at most, of which a million takes about a second: an entry of a result is one, and so are a
hundred multiplications within products of matrices.
"""

MOST_BITS = 2048
"""The longest integer, in bits."""


class Refused(Exception):
    """What was given is no certificate, or too large to be verified.

    Parameters
    ----------
    argument, was, should : str
        What is meant, what it was, and what it should be.
    """

    def __init__(self, argument: str, was: str, should: str) -> None:
        self.argument, self.was, self.should = (printable(text, 400) for text in (argument, was, should))
        super().__init__(f"{self.argument} is {self.was}; it should be {self.should}")


def printable(text: str, most: int = 10**6) -> str:
    """Return the beginning of a text that a file may have chosen, with what would steer a terminal as escapes."""
    beginning = text if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in beginning)


def in_a_line(value: Any) -> str:
    """Return a value in at most a line, a text as `quoted` does."""
    text = quoted(value) if isinstance(value, str) else ascii(value)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


def quoted(text: str) -> str:
    """Return a text between single quotes that it cannot end: these, and all but printable ASCII, become escapes."""
    return "'" + text.encode("unicode_escape").decode("ascii").replace("'", "\\'") + "'"


def whole_number(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """Return a value that is an integer within bounds."""
    if type(value) is not int or not least <= value <= most:
        was = in_a_line(value) if type(value) is not int or value.bit_length() <= MOST_BITS else "a very long integer"
        raise Refused(name, was, f"an integer from {least} to {most}")
    return value
