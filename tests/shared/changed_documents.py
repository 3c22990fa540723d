"""Documents of certificates with one leaf changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import algatt
from algatt.certificates import Certificate
from algatt.certificates.verifier.kinds import verify_bytes
from algatt.certificates.verifier.limits import Refused

Document = dict[str, Any]

INFORMATIONAL = ("made_with", "network")
"""What a certificate says and does not claim."""


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over the places of all leaves, of empty lists and objects too."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not parts or not value:
        yield place
    for key, part in parts:
        yield from places(part, (*place, key))


def others(value: Any) -> list[Any]:
    """Return other values for a leaf, of its type and of others."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, str(value), float(value), None]
    if isinstance(value, str):
        return [f"{value}x", value[:-1] + ("0" if value[-1:] != "0" else "1"), "", 0, None]
    return [[0], {"x": 0}, None, 0]


def changed(document: Document) -> Iterator[tuple[tuple[Any, ...], Any, Document]]:
    """Iterate over the documents with one leaf changed, each with the place and the new value; what is informational
    stays.
    """
    for place in places(document):
        if place[0] in INFORMATIONAL:
            continue
        for value in others(at(document, place)):
            if value != at(document, place) or type(value) is not type(at(document, place)):
                yield place, value, replaced(document, place, value)


ODD: list[Any] = [None, True, 0, -1, 10**400, 0.5, "", "x", "\ud800\x1b", [], [None], [[]], {}, {"x": 1}]
"""What no claim should be."""


def malformed(document: Document) -> Iterator[tuple[tuple[Any, ...], Any, Document]]:
    """Iterate over the documents with something odd in one place, which may be a list or an object."""
    for place in every_place(document):
        for value in ODD:
            before = at(document, place)
            if value != before or type(value) is not type(before):
                yield place, value, replaced(document, place, value)


def every_place(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over all places, of lists the first two entries."""
    if place:
        yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        yield from every_place(part, (*place, key))


def at(document: Document, place: tuple[Any, ...]) -> Any:
    """Return what is at a place."""
    value: Any = document
    for key in place:
        value = value[key]
    return value


def replaced(document: Document, place: tuple[Any, ...], value: Any) -> Document:
    """Return a document with another value at a place."""
    document = copy.deepcopy(document)
    at(document, place[:-1])[place[-1]] = value
    return document


def verdict(document: Document) -> str:
    """Return why a document is not accepted; nothing if it is."""
    try:
        told = "; ".join(verify_bytes(json.dumps(document).encode("ascii")).reasons)
    except Refused as error:
        told = f"no certificate: {error}"
    assert told.isprintable() or not told
    return told


def reasons(certificate: Certificate) -> str:
    """Return why the verifier refutes a certificate; nothing if it does not."""
    return "; ".join(algatt.verify(certificate).reasons)
