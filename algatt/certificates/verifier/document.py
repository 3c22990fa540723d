"""Certificates as text: read, and verified by their kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .dimension import Verdict, verify_dimension
from .inequality import verify_inequality
from .limits import Refused, in_a_line
from .symmetry import verify_symmetry

__all__ = ["FORMAT", "MOST_BYTES", "STREAM", "VERSION", "read_document", "verify_document"]

FORMAT = "algatt certificate"

VERSION = 2

MOST_BYTES = 2**24
"""A file of so many bytes is read."""

MOST_NESTED = 10**6
"""So many lists, objects and names are read."""

STREAM = (
    "Random residues: SHAKE-256 of the ASCII text algatt/1/SEED/LABEL, read as 64-bit words, least significant byte "
    "first; a word w counts if w < p * floor(2^64 / p), and gives w mod p. Label 'weights' gives all tensors in their "
    "order, row by row; label 'input/k' gives input k, row by row, or for token number j of input k word j modulo the "
    "vocabulary, no word being skipped. Random reals, from the same words and labels, none being skipped: a word w "
    "gives (2 * floor(w / 2^40) + 1 - 2^24) / 2^23 exactly, and each tensor is multiplied by two to the power of its "
    "scale. Real determinants are written in decimals, rounded to ten digits."
)
"""How the random numbers of a certificate are drawn."""

KINDS = {"dimension": verify_dimension, "inequality": verify_inequality, "symmetry": verify_symmetry}
"""What verifies claims, by their kind."""


def read_document(text: str) -> dict[str, Any]:
    """Return a certificate as an object of JSON.

    Raises
    ------
    Refused
        If it is none of this format and version, or has a name twice, or more than belongs to it.
    """
    if len(text) > MOST_BYTES:
        raise Refused("certificate", f"of {len(text)} characters", f"of at most {MOST_BYTES}")
    if sum(text.count(sign) for sign in "[{:") > MOST_NESTED:
        raise Refused("certificate", "one with too many lists, objects and names", f"one with at most {MOST_NESTED}")
    try:
        document = json.loads(text, object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        raise Refused("certificate", f"not JSON ({error})", "JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refused("certificate", "of another format", f"of the format {FORMAT!r}")
    if document.get("version") != VERSION or type(document["version"]) is not int:
        raise Refused("certificate", f"of version {in_a_line(document.get('version'))}", f"of version {VERSION}")
    names = {"format", "version", "made_with", "network", "claim", "stream", "claims"}
    if set(document) != names:
        raise Refused("certificate", in_a_line(sorted(document)), f"an object with {', '.join(sorted(names))}")
    for name in ("made_with", "network", "claim"):
        if not isinstance(document[name], str):
            raise Refused(name, in_a_line(document[name]), "a text")
    if document["stream"] != STREAM:
        raise Refused("stream", "a description of another random stream", "that of this version")
    return document


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; another reader may take another one of two values with one name."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def verify_document(document: dict[str, Any], progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Verify a certificate.

    Raises
    ------
    Refused
        If its claims are none, or too large to be verified.
    """
    claims = document["claims"]
    kind = claims.get("kind") if isinstance(claims, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused("claims.kind", in_a_line(kind), f"one of {', '.join(KINDS)}")
    verdict = KINDS[kind](claims, progress)
    if document["claim"] != verdict.claim:
        reason = f"the claim in words is not what is claimed: {verdict.claim}"
        return Verdict(verdict.claim, (*verdict.reasons, reason), verdict.rests_on)
    return verdict
