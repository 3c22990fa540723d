"""Certificates of a dimension as values, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algatt.errors import CertificateError
from algatt.files import write_atomically

__all__ = ["FORMAT", "VERSION", "Certificate", "read"]

FORMAT = "algatt dimension certificate"

VERSION = 1

STREAM = (
    "Random residues: SHAKE-256 of the ASCII text algatt/1/SEED/LABEL, read as 64-bit words, least significant byte first; a word w counts if "
    "w < p * floor(2^64 / p), and gives w mod p. Label 'weights' gives Q_1, K_1, V_1, Q_2, ... row by row; label 'input/k' gives input k, row by row."
)


@dataclass(frozen=True)
class Certificate:
    """A certificate of the dimension of a neuromanifold: two minors modulo a prime, at a point that a seed names.

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
        """``proven`` if the bounds meet, else ``probable``."""
        return str(self.claims["status"])

    def to_json(self) -> str:
        """Return the text of the file: a line for each claim."""
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in self.claims.items())
        head = {"format": FORMAT, "version": VERSION, "made_with": self.made_with, "stream": STREAM}
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
