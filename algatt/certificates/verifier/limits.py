"""What a file may hold: JSON of a bounded size, numbers within bounds, and texts that are shown in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 2**23  # of a file
MOST_NESTED = 10**6  # lists, objects, names and entries that are parsed; each takes some hundred bytes of memory
MOST_NUMBERS = 10**6  # parameters; half as many as the entries of all results of a program
MOST_BITS = 2048  # of an integer
MOST_WORK = 3 * 10**8  # with words for one certificate, about a minute; a multiplication of rational numbers is 1
STEP, ENTRY = 100, 75  # the work for a factor that is looked at, and for an entry of a new constant
NO_CERTIFICATE, TOO_LARGE = 2, 3  # exit codes: what is given is no certificate, or larger than what is verified


class Refused(Exception):
    """What was given is no certificate, or too large to be verified: what is meant, what it was, and should be."""

    def __init__(self, argument: str, was: str, should: str, code: int = NO_CERTIFICATE) -> None:
        self.argument, self.was, self.should = (printable(text, 400) for text in (argument, was, should))
        self.code = code
        super().__init__(f"{self.argument} is {self.was}; it should be {self.should}")


def too_large(argument: str, was: str, should: str) -> Refused:
    """Return the refusal of something that is larger than what is verified."""
    return Refused(argument, was, should, TOO_LARGE)


class Work:
    """The work with words that may still be done for a certificate."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def spend(self, units: int, what: str) -> None:
        """Do some work; refuse more than there may be."""
        self.left -= units
        if self.left < 0:
            raise too_large("words", f"too much work, at last {what}", "fewer, or smaller ones")


def printable(text: str, most: int = 10**6) -> str:
    """Return the beginning of a text that a file may have chosen, with what would steer a terminal as escapes."""
    beginning = text if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in beginning)


def in_a_line(value: Any) -> str:
    """Return a value in a line; a text between single quotes that it cannot end, all but printable ASCII as escapes."""
    if isinstance(value, str):
        text = "'" + value[:100].encode("unicode_escape").decode("ascii").replace("'", "\\'") + "'"
        return text if len(text) <= 80 else f"{text[:60]}... ({len(value)} characters)"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a very long integer"
    if isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'object'} of {len(value)} entries"
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:60]}..."


def whole_number(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """Return a value that is an integer within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise Refused(name, in_a_line(value), f"an integer from {least} to {most}")
    return value


def whole_numbers(name: str, value: Any, least: int, most: int) -> list[int]:
    """Return a list of integers within bounds."""
    if not isinstance(value, list):
        raise Refused(name, in_a_line(value), "a list of integers")
    return [whole_number(name, entry, least, most) for entry in value]


def fields_of(name: str, value: Any, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> None:
    """Refuse all but an object of JSON that has the names that are required, and perhaps others, with their types."""
    known = {**required, **(optional or {})}
    if not isinstance(value, dict) or not required.keys() <= value.keys():
        raise Refused(name, in_a_line(value), f"an object with {', '.join(sorted(required))}")
    for key, part in value.items():
        if key not in known:
            raise Refused(name, f"an object with {in_a_line(key)}", f"an object with {', '.join(sorted(known))} alone")
        if type(part) is not known[key]:
            raise Refused(f"{name}.{key}", in_a_line(part), f"of type {known[key].__name__}")


def parse_document(content: bytes) -> dict[str, Any]:
    """Return the object of JSON of a file; refuse names twice in an object, other numbers than integers, and much."""
    if len(content) > MOST_BYTES:
        raise too_large("the file", f"one of {len(content)} bytes or more", f"one of at most {MOST_BYTES} bytes")
    nested = sum(map(content.count, (b"[", b"{", b":", b",")))
    if nested > MOST_NESTED:
        raise too_large("the file", f"one with {nested} lists, names and entries", f"one with {MOST_NESTED} at most")
    try:
        text = content.decode("utf-8")
        document = json.loads(text, object_pairs_hook=without_repetition, parse_constant=refuse, parse_float=refuse)
    except (ValueError, RecursionError) as error:
        raise Refused("the file", f"no certificate ({str(error)[:100]})", "an object of JSON") from None
    if not isinstance(document, dict):
        raise Refused("the file", in_a_line(document), "an object of JSON")
    return document


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; another reader may take another one of two values with one name."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def refuse(text: str) -> Any:
    raise ValueError(f"{text[:40]} is no integer")
