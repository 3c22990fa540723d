"""Certificates as values, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.certificates import version_1
from algatt.certificates.verifier.document import MOST_BYTES, parse_document
from algatt.display import html_of
from algatt.errors import CertificateError
from algatt.files import read_bytes, shorten, write_atomically

__all__ = ["FORMAT", "VERSION", "Certificate", "read"]

FORMAT = "algatt certificate"

VERSION = 2
"""Version 1 was that of another format, "algatt dimension certificate"."""


@dataclass(frozen=True)
class Certificate:
    """A certificate: the program of a network, what is claimed of it, and the evidence.

    Parameters
    ----------
    claims : dict
        What is claimed, as plain values; `algatt.verify` recomputes every number in it.
    made_with : str
        The program that made it; not a claim.
    network : str
        The network, as this package describes it; not a claim, since the claims are about the program that they hold.
    """

    claims: dict[str, Any]
    made_with: str
    network: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", json.loads(json.dumps(self.claims)))  # a copy, with lists as in the file

    def __hash__(self) -> int:
        return hash(self.to_json())

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate | version_1.DimensionCertificate:
        """Read a certificate that `save` wrote, without verifying it; one of the old format is of another class.

        Raises
        ------
        CertificateError
            If the file cannot be read, is not JSON, or not a certificate of a version that this program knows.
        """
        return read(path)

    @property
    def kind(self) -> str:
        """What is claimed: a ``dimension``, a ``symmetry`` or an ``inequality``."""
        return str(self.claims["kind"])

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
        head = {"format": FORMAT, "version": VERSION, "made_with": self.made_with, "network": self.network}
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


def read(path: str | os.PathLike[str]) -> Certificate | version_1.DimensionCertificate:
    """Read a certificate of the format that its file says.

    Raises
    ------
    CertificateError
        If the file cannot be read, is not JSON, or not a certificate of a version that this program knows.
    """
    name = os.fspath(path)
    should = f"a JSON file with the format {FORMAT!r}, version {VERSION}, or {version_1.FORMAT!r}"
    try:
        document = parse_document(read_bytes(path, MOST_BYTES))
    except OSError as error:
        raise CertificateError("certificate", f"{name!r}, which cannot be read ({error.strerror})", should) from error
    except ValueError as error:
        raise CertificateError("certificate", f"{name!r}, which {error}", should) from error
    if document.get("format") == version_1.FORMAT:
        return version_1.certificate_in(document, name)
    if document.get("format") != FORMAT:
        raise CertificateError("certificate", f"{name!r}, which has another format", should)
    return certificate_in(document, name)


def certificate_in(document: dict[str, Any], name: str) -> Certificate:
    """Return the certificate that an object of JSON is."""
    should = f"a JSON file with the format {FORMAT!r}, version {VERSION}"
    version = document.get("version")
    if version != VERSION or type(version) is not int:
        raise CertificateError("certificate", f"{name!r} of version {shorten(repr(version))}", should)
    if not isinstance(document.get("claims"), dict):
        raise CertificateError("certificate", f"{name!r}, which has no claims", should)
    return Certificate(document["claims"], str(document.get("made_with", "")), str(document.get("network", "")))
