"""What the file of a certificate holds, parsed in bounded time and memory."""

from __future__ import annotations

import json

__all__ = ["MOST_BYTES", "parse_document"]

MOST_BYTES = 2**23
"""A file of so many bytes is parsed; the largest certificate of a network within reach has about two million."""

MOST_NESTED = 2 * 10**5
"""So many lists, objects and names are parsed; each takes some hundred bytes of memory."""

DEEPEST = 20
"""So many lists and objects may stand within each other; in a certificate eight do."""


def parse_document(content: bytes) -> dict[str, object]:
    """Return the object that the bytes of a file are in JSON.

    Raises
    ------
    ValueError
        If they are not an object of JSON, hold what no certificate does (names twice in an object, numbers that are not
        finite), or more than is parsed; the text says what follows ``which``.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"has {len(content)} bytes, at most {MOST_BYTES} are read")
    try:
        text = content.decode("utf-8")
    except ValueError as error:
        raise ValueError(f"is not JSON ({error})") from error
    nested = sum(text.count(sign) for sign in "[{:")
    if nested > MOST_NESTED:
        raise ValueError(f"has {nested} lists, objects and names, where at most {MOST_NESTED} are parsed")
    try:
        document = json.loads(text, object_pairs_hook=without_repetition, parse_constant=refuse_constant)
        level: list[object] = [document]
        for _ in range(DEEPEST):
            level = [part for value in level for part in parts_of(value)]
        if level:
            raise RecursionError
    except RecursionError:
        raise ValueError(f"has more than {DEEPEST} lists and objects within each other") from None
    except ValueError as error:
        raise ValueError(f"is not JSON ({error})") from error
    if not isinstance(document, dict):
        raise ValueError("is no object of JSON")
    return document


def parts_of(value: object) -> list[object]:
    """Return what is in a list or an object."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; another reader may take another one of two values with one name."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def refuse_constant(name: str) -> object:
    """Refuse NaN and infinities, which JSON has not."""
    raise ValueError(f"{name} is no number")
