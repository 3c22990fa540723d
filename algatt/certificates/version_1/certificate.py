"""Certificates of the format "algatt dimension certificate" as values, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.display import html_of
from algatt.errors import CertificateError
from algatt.files import shorten, write_atomically

__all__ = [
    "FORMAT",
    "DimensionCertificate",
    "certificate_in",
    "has_exponentials",
    "has_real_minor",
    "in_a_line",
]

FORMAT = "algatt dimension certificate"

STREAM = (
    "Random residues: SHAKE-256 of the ASCII text algatt/1/SEED/LABEL, read as 64-bit words, least significant byte "
    "first; a word w counts if "
    "w < p * floor(2^64 / p), and gives w mod p. Label 'weights' gives Q_1, K_1, V_1, Q_2, ... row by row; label "
    "'input/k' gives input k, row by row."
)


REAL_STREAM = (
    f"{STREAM} These residues are for the upper bound. Random reals for the lower bound, from the same words and "
    f"labels, none being skipped: "
    "a word w gives (2 * floor(w / 2^40) + 1 - 2^24) / 2^23 exactly, an odd multiple of 2^-23 between -2 and 2. "
    "The entries of a weight matrix with d columns are then multiplied by 2^-e, e = log2(d) / 2 rounded to the nearest "
    "integer, and to the even one "
    "where two are equally near; inputs stay as they are. Where the temperature of an Exponential score is n/m in "
    "lowest terms, and m has k >= 2 "
    "binary digits more than n, Q and K are also multiplied by 2^-floor(k / 2). "
    "The determinant is written in decimals, rounded to ten digits."
)
"""The same for certificates whose lower bound is computed over the reals."""


EXPONENTIAL_STREAM = (
    f"{STREAM} Residues for the exponentials of layer i at input k: label 'exp/LINE/k', where LINE is entry i of the "
    "claimed lines, modulo p - 1 in place of p, and 1 is added; the t^2 of them stand for the exponentials of the "
    "scores s_ji = (K x_j)^T (Q x_i) over the temperature, row j by row j. Exponentials of functions that are linearly "
    "independent over Q modulo constants are algebraically independent of everything before them (Ax 1971, Theorem "
    "3): a minor that is not zero modulo p at any such residues is not zero as a function, if the differences between "
    "the scores of all layers at the claimed number of inputs, from input 0 on, and those at input 0 have full rank "
    "modulo p."
)
"""The same for certificates in which residues stand for exponentials."""


def has_exponentials(claims: dict[str, Any]) -> bool:
    """Return whether residues stand for exponentials."""
    return "exponentials" in claims


def has_real_minor(claims: dict[str, Any]) -> bool:
    """Return whether the lower bound is a real minor, whose determinant is a text: residues are integers."""
    lower = claims.get("lower_bound")
    return isinstance(lower, dict) and isinstance(lower.get("determinant"), str)


def head_of(claims: dict[str, Any]) -> dict[str, Any]:
    """Return what a file with these claims says before them. Real minors had a precision in version 1, which nothing
    depended on.
    """
    version, stream = 1, STREAM
    if has_real_minor(claims):
        version, stream = 2, REAL_STREAM
    elif has_exponentials(claims):
        version, stream = 3, EXPONENTIAL_STREAM
    return {"format": FORMAT, "version": version, "stream": stream}


@dataclass(frozen=True)
class DimensionCertificate:
    """A certificate of the dimension of a neuromanifold: two minors at points that a seed names, both modulo a prime,
    or one of them real.

    Parameters
    ----------
    claims : dict
        What is claimed, as plain values; `algatt.verify` recomputes every number in it.
    made_with : str
        The program that made it; not a claim.
    """

    claims: dict[str, Any]
    made_with: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", json.loads(json.dumps(self.claims)))  # a copy, with lists as in the file

    def __hash__(self) -> int:
        return hash(self.to_json())

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    @property
    def dimension(self) -> int:
        """The dimension; a lower bound of it unless the status is ``proven``."""
        return int(self.claims["dimension"])

    @property
    def status(self) -> str:
        """``proven`` if the bounds meet; else ``probable`` if both are computed modulo a prime, ``numerical`` if the
        lower one is a real minor.
        """
        return str(self.claims["status"])

    def to_json(self) -> str:
        """Return the text of the file: a line for each claim."""
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in self.claims.items())
        head = head_of(self.claims)
        stream = head.pop("stream")
        head |= {"made_with": self.made_with, "stream": stream}
        top = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
        return f'{{\n{top}  "claims": {{\n{lines}\n  }}\n}}\n'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON.

        Raises
        ------
        OutputError
            If the path cannot be written; nothing is half-written.
        """
        write_atomically(path, self.to_json().encode("ascii"))


def certificate_in(document: dict[str, Any], name: str) -> DimensionCertificate:
    """Return the certificate that an object of JSON is, which has the format of such certificates.

    Parameters
    ----------
    document : dict
        The object.
    name : str
        Where it was found, for errors.

    Raises
    ------
    CertificateError
        If it is not one of these versions: it says which program made it, and nothing else but claims and what belongs
        to every certificate with such claims.
    """
    should = f"a JSON file with the format {FORMAT!r}, version 1, 2 with a real minor, or 3 with exponentials"

    def refused(was: str) -> CertificateError:
        return CertificateError("certificate", f"{name!r}{was}", should)

    version = document.get("version")
    if version not in (1, 2, 3) or type(version) is not int:
        raise refused(f" of version {in_a_line(version)}")
    if not isinstance(document.get("claims"), dict):
        raise refused(", which has no claims")
    certificate = DimensionCertificate(document["claims"], str(document.get("made_with", "")))
    head = head_of(certificate.claims)
    if version != head["version"]:
        raise refused(f" of version {version}, whose claims are those of version {head['version']}")
    if document.get("stream") != head["stream"]:
        raise refused(", which describes another random stream")
    if set(document) - {"made_with"} != {*head, "claims"}:
        raise refused(f", with {in_a_line(sorted(set(document) - {*head, 'claims', 'made_with'}))} beside the claims")
    return certificate


def in_a_line(value: Any) -> str:
    """Return a value in at most a line."""
    return shorten(repr(value))
