"""Certificates of a dimension as values, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algatt import verbs
from algatt.display import html_of
from algatt.errors import CertificateError
from algatt.files import write_atomically

__all__ = ["FORMAT", "VERSION", "Certificate", "read"]

FORMAT = "algatt dimension certificate"

VERSION = 1

STREAM = (
    "Random residues: SHAKE-256 of the ASCII text algatt/1/SEED/LABEL, read as 64-bit words, least significant byte first; a word w counts if "
    "w < p * floor(2^64 / p), and gives w mod p. Label 'weights' gives Q_1, K_1, V_1, Q_2, ... row by row; label 'input/k' gives input k, row by row."
)


REAL_STREAM = (
    f"{STREAM} These residues are for the upper bound. Random reals for the lower bound, from the same words and labels, none being skipped: "
    "a word w gives (2 * floor(w / 2^40) + 1 - 2^24) / 2^23 exactly, an odd multiple of 2^-23 between -2 and 2. "
    "The entries of a weight matrix with d columns are then multiplied by 2^-e, e = log2(d) / 2 rounded to the nearest integer, and to the even one "
    "where two are equally near; inputs stay as they are. Where the temperature of an Exponential score is n/m in lowest terms, and m has k >= 2 "
    "binary digits more than n, Q and K are also multiplied by 2^-floor(k / 2). "
    "The determinant is written in decimals as [midpoint +/- radius], and bits is the precision with which it was enclosed."
)
"""The same for certificates whose lower bound is computed over the reals."""


@dataclass(frozen=True)
class Certificate:
    """A certificate of the dimension of a neuromanifold: two minors at points that a seed names, both modulo a prime, or one of them real.

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

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate that `save` wrote, without verifying it.

        Raises
        ------
        CertificateError
            If the file cannot be read, is not JSON, or not a certificate of this version.
        """
        return read(path)

    @property
    def dimension(self) -> int:
        """The dimension; a lower bound of it unless the status is ``proven``."""
        return int(self.claims["dimension"])

    @property
    def status(self) -> str:
        """``proven`` if the bounds meet; else ``probable`` if both are computed modulo a prime, ``numerical`` if the lower one is a real minor."""
        return str(self.claims["status"])

    def to_json(self) -> str:
        """Return the text of the file: a line for each claim."""
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in self.claims.items())
        lower = self.claims.get("lower_bound")
        stream = REAL_STREAM if isinstance(lower, dict) and "bits" in lower else STREAM
        head = {"format": FORMAT, "version": VERSION, "made_with": self.made_with, "stream": stream}
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


def read(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate.

    Raises
    ------
    CertificateError
        If the file cannot be read, is not JSON, or not a certificate of this version.
    """
    name = os.fspath(path)
    should = f"a JSON file with the format {FORMAT!r}, version {VERSION}"
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CertificateError("certificate", f"{name!r}, which cannot be read ({error.strerror})", should) from error
    except (ValueError, RecursionError) as error:
        raise CertificateError("certificate", f"{name!r}, which is not JSON ({error})", should) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CertificateError("certificate", f"{name!r}, which has another format", should)
    if document.get("version") != VERSION or type(document.get("version")) is not int:
        raise CertificateError("certificate", f"{name!r} of version {document.get('version')!r}", should)
    if not isinstance(document.get("claims"), dict):
        raise CertificateError("certificate", f"{name!r}, which has no claims", should)
    return Certificate(document["claims"], str(document.get("made_with", "")))
