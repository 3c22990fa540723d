"""Certificates of all kinds, verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dimension import dimension_in_words, verify_dimension
from .inequality import inequality_in_words, verify_inequality
from .limits import Refused, in_a_line, printable
from .symmetry import symmetry_in_words, verify_symmetry
from .verdict import Verdict

__all__ = ["FORMAT", "STREAM", "VERSION", "claim_in_words", "verify_document"]

FORMAT = "algatt certificate"

VERSION = 2
"""Version 1 was that of another format, "algatt dimension certificate"."""

STREAM = (
    "Random residues: SHAKE-256 of the ASCII text algatt/1/SEED/LABEL, read as 64-bit words, least significant byte "
    "first; a word w counts if w < p * floor(2^64 / p), and gives w mod p. Label 'weights' gives all tensors in their "
    "order, row by row; label 'input/k' gives input k, row by row, or for token number j of input k word j modulo the "
    "vocabulary, no word being skipped. Random reals, from the same words and labels, none being skipped: a word w "
    "gives (2 * floor(w / 2^40) + 1 - 2^24) / 2^23 exactly, and each tensor is multiplied by two to the power of its "
    "scale. Real determinants are written in decimals, rounded to ten digits."
)
"""How the random numbers of a certificate are drawn."""

KINDS_OF_CLAIMS: dict[str, tuple[Callable[[Any], str], Callable[..., Verdict]]] = {
    "dimension": (dimension_in_words, verify_dimension),
    "inequality": (inequality_in_words, verify_inequality),
    "symmetry": (symmetry_in_words, verify_symmetry),
}
"""What says in words what is claimed, and what verifies it, by the kind of claims."""

NAMES = {"format", "version", "made_with", "network", "claim", "stream", "claims"}
"""What a certificate has."""


def claim_in_words(claims: Any) -> str:
    """Return what is claimed.

    Raises
    ------
    Refused
        If it is nothing that can be verified, or too large.
    """
    return printable(kind_of(claims)[0](claims))


def kind_of(claims: Any) -> tuple[Callable[[Any], str], Callable[..., Verdict]]:
    """Return what belongs to the kind of claims."""
    kind = claims.get("kind") if isinstance(claims, dict) else None
    if not isinstance(kind, str) or kind not in KINDS_OF_CLAIMS:
        raise Refused("claims.kind", in_a_line(kind), f"one of {', '.join(KINDS_OF_CLAIMS)}")
    return KINDS_OF_CLAIMS[kind]


def verify_document(document: Any, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Verify a certificate, given as an object of JSON.

    Raises
    ------
    Refused
        If it is none of this format and version, or too large to be verified.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refused("certificate", "of another format", f"of the format {FORMAT!r}")
    if document.get("version") != VERSION or type(document["version"]) is not int:
        raise Refused("certificate", f"of version {in_a_line(document.get('version'))}", f"of version {VERSION}")
    if set(document) != NAMES:
        raise Refused("certificate", in_a_line(sorted(document)), f"an object with {', '.join(sorted(NAMES))}")
    for name in ("made_with", "network", "claim"):
        if not isinstance(document[name], str):
            raise Refused(name, in_a_line(document[name]), "a text")
    if document["stream"] != STREAM:
        raise Refused("stream", "a description of another random stream", "that of this version")
    _, verify = kind_of(document["claims"])
    verdict = verify(document["claims"], progress)
    if document["claim"] != verdict.claim:
        reason = f"the claim in words is not what is claimed: {verdict.claim}"
        return Verdict(verdict.claim, (*verdict.reasons, reason), verdict.rests_on)
    return verdict
