"""Certificates as values, and their files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.verifier.document import MOST_BYTES, parse_document
from algatt.certificates.verifier.kinds import FORMAT, STREAM, VERSION, claim_in_words
from algatt.certificates.verifier.limits import Refused
from algatt.display import MOST_ROWS, Rows, Summary, html_of
from algatt.errors import CertificateError, InvalidArgument
from algatt.files import read_bytes, shorten, write_atomically
from algatt.version import __version__

__all__ = ["FORMAT", "VERSION", "Certificate", "certificate_of", "read", "verified"]


LONGEST = 80
"""Maximum number of characters of a claim that are shown."""


@dataclass(frozen=True)
class Certificate:
    """A certificate: the program of a network, what is claimed of it, and the evidence.

    Parameters
    ----------
    claims : dict
        What is claimed, as plain values; `algatt.verify` recomputes every number in it.
    claim : str
        The same in words; `algatt.verify` compares it with the claims.
    made_with : str
        The program that made it; not a claim.
    network : str
        The network, as this package describes it; not a claim, since the claims are about the program that they hold.
    """

    claims: dict[str, Any]
    claim: str
    made_with: str
    network: str = ""

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

    @property
    def document(self) -> dict[str, Any]:
        """What the file holds."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_with": self.made_with,
            "network": self.network,
            "claim": self.claim,
            "stream": STREAM,
            "claims": self.claims,
        }

    def to_json(self) -> str:
        """Return the text of the file: a line for each claim, and for each instruction of the program."""
        document = self.document
        claims = document.pop("claims")
        top = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in document.items())
        lines = ",\n".join(f"    {json.dumps(key)}: {lines_of(key, value)}" for key, value in claims.items())
        return f'{{\n{top}  "claims": {{\n{lines}\n  }}\n}}\n'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON.

        Raises
        ------
        OutputError
            If the path cannot be written; nothing is half-written.
        """
        write_atomically(path, self.to_json().encode("ascii"))


def lines_of(key: str, value: Any) -> str:
    """Return a claim as JSON, a program with a line for each instruction."""
    if key != "program":
        return json.dumps(value)
    instructions = ",\n".join(f"      {json.dumps(instruction)}" for instruction in value)
    return f"[\n{instructions}\n    ]"


def certificate_of(source: str, network: Architecture, claims: dict[str, Any]) -> Certificate:
    """Return the certificate with some claims, which were made of an argument of the name `source`.

    Raises
    ------
    InvalidArgument
        If it could not be verified, as it is too large.
    """
    try:
        claim = claim_in_words(json.loads(json.dumps(claims)))
    except Refused as error:
        was = f"one whose certificate has {error.argument} {error.was}"
        raise InvalidArgument(source, was, f"one whose certificate has {error.argument} {error.should}") from None
    certificate = Certificate(claims, claim, f"algatt {__version__}", str(network))
    size = len(certificate.to_json())
    if size > MOST_BYTES:
        was = f"one whose certificate has {size} bytes"
        raise InvalidArgument(source, was, f"of a smaller network: at most {MOST_BYTES} bytes are read")
    return certificate


def verified(source: str, certificate: Certificate) -> Certificate:
    """Return a certificate that was made of an argument of the name `source`, if the verifier accepts it.

    Raises
    ------
    InvalidArgument
        If it does not: it takes too long, or something is missing at the points at which the verifier looks.
    """
    try:
        reasons = verbs.verify(certificate).reasons
    except CertificateError as error:
        reasons = (str(error),)
    if reasons:
        was = f"one whose certificate is not accepted: {'; '.join(reasons)}"
        raise InvalidArgument(source, was, "one that the verifier can check")
    return certificate


def read(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate, without verifying it.

    Raises
    ------
    CertificateError
        If the file cannot be read, is not JSON, or not a certificate of a version that this program knows.
    """
    name = os.fspath(path)
    should = f"a JSON file with the format {FORMAT!r}, version {VERSION}"
    try:
        document = parse_document(read_bytes(path, MOST_BYTES))
    except OSError as error:
        raise CertificateError("certificate", f"{name!r}, which cannot be read ({error.strerror})", should) from error
    except ValueError as error:
        raise CertificateError("certificate", f"{name!r}, which {error}", should) from error
    if document.get("format") != FORMAT:
        raise CertificateError("certificate", f"{name!r}, which has another format", should)
    return certificate_in(document, name)


def certificate_in(document: dict[str, Any], name: str) -> Certificate:
    """Return the certificate that an object of JSON is."""

    def refused(was: str) -> CertificateError:
        return CertificateError("certificate", f"{name!r}{was}", f"a JSON file with the format {FORMAT!r}")

    version = document.pop("version", None)
    if version != VERSION or type(version) is not int:
        raise refused(f" of version {shorten(repr(version))}")
    if document.pop("stream", None) != STREAM:
        raise refused(", which describes another random stream")
    del document["format"]
    if set(document) != {"made_with", "network", "claim", "claims"}:
        raise refused(f", with {shorten(repr(sorted(document)))} beside its format")
    if not isinstance(document["claims"], dict):
        raise refused(", which has no claims")
    texts = {key: value for key, value in document.items() if key != "claims"}
    if not all(isinstance(text, str) for text in texts.values()):
        raise refused(", which says in other things than texts what it is")
    return Certificate(document["claims"], **texts)


@verbs.summarize.method
def summary_of_certificate(certificate: Certificate) -> Summary:
    rows: Rows = [(name, in_short(value)) for name, value in certificate.claims.items()]
    rows.append(("made with", in_short(certificate.made_with)))
    return Summary("a certificate: these are claims, which algatt.verify checks", rows)


def in_short(value: Any) -> str:
    """Return a claim in one line: lists by their lengths where they are long."""
    if isinstance(value, dict):
        return "; ".join(f"{name}: {in_short(part)}" for name, part in value.items())[: 3 * LONGEST]
    if isinstance(value, list) and len(value) > MOST_ROWS:
        return f"{len(value)} entries"
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
