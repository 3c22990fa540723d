"""Certificates as values, and their files."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.display import MOST_ROWS, Rows, Summary
from algatt.errors import CertificateError
from algatt.files import read_bytes, write_atomically
from algatt.verbs.views import Summarized

if TYPE_CHECKING:
    from algatt.geometry import DimensionReport

FORMAT, VERSION = "algatt certificate", 4

MOST_BYTES = 2**23
"""Maximum number of bytes of a file, as the verifier has it."""


LONGEST = 80
"""Maximum number of characters of a claim that are shown."""


@dataclass(frozen=True, repr=False)
class Certificate(Summarized):
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
        """What is claimed: a ``dimension``, one by ``pieces`` or of a ``transformer``, a ``symmetry`` or an
        ``inequality``.
        """
        return str(self.claims["kind"])

    @property
    def claim(self) -> str:
        """What is claimed, in short; `algatt.verify` says it with the program that it is about."""
        if self.kind in ("dimension", "pieces", "transformer"):
            if self.status == "proven":
                return f"a dimension of {self.dimension}"
            return f"a dimension of at least {self.dimension} and at most {self.upper}"
        if self.kind == "symmetry":
            count = len(self.claims["directions"])
            return f"{count} independent direction{'s' * (count != 1)} along which the value does not change"
        return "two weights that are two functions"

    @property
    def parameters(self) -> int:
        """The number of parameters of the network."""
        return sum(height * width for _, height, width in self.claims["tensors"])

    @property
    def dimension(self) -> int:
        """The dimension; a lower bound of it unless the status is ``proven``."""
        if self.kind == "transformer":
            return sum(times * each for _, times, each in self.claims["parts"])
        return self.total("rows")

    @property
    def upper(self) -> int:
        """The upper bound of the dimension."""
        return self.dimension if self.kind == "transformer" else self.parameters - self.total("directions")

    def total(self, name: str) -> int:
        """Return how many rows or directions there are; a piece counts as often as it occurs."""
        if self.kind != "pieces":
            return len(self.claims[name])
        copies = int(self.claims["copies"])
        times = 1, copies - 1, math.comb(copies, 2)
        return sum(count * len(part) for count, part in zip(times, self.claims[name], strict=True))

    @property
    def status(self) -> str:
        """``proven`` if the bounds meet; else ``probable`` if both are computed modulo a prime, ``numerical`` if the
        lower one is a real minor.
        """
        if self.dimension == self.upper:
            return "proven"
        return "numerical" if "point" in self.claims else "probable"

    def falls_short_of(self, report: DimensionReport) -> bool:
        """Return whether the bounds that are claimed leave more open than those of a report that it was made of."""
        lower = -1 if report.lower is None else report.lower
        return self.dimension < lower or (report.upper is not None and self.upper > report.upper)

    @property
    def document(self) -> dict[str, Any]:
        """What the file holds."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_with": self.made_with,
            "network": self.network,
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
        document = json.loads(read_bytes(path, MOST_BYTES))
    except OSError as error:
        raise CertificateError("certificate", f"{name!r}, which cannot be read ({error.strerror})", should) from error
    except (ValueError, RecursionError) as error:
        raise CertificateError("certificate", f"{name!r}, which is not JSON ({error})", should) from error
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise CertificateError("certificate", f"{name!r}, which has another format or version", should)
    del document["format"], document["version"]
    if set(document) != {"made_with", "network", "claims"} or not isinstance(document["claims"], dict):
        raise CertificateError("certificate", f"{name!r}, which has other parts", should)
    return Certificate(**document)


@verbs.summarize.method
def summary_of_certificate(certificate: Certificate) -> Summary:
    rows: Rows = [(name, in_short(value)) for name, value in certificate.claims.items()]
    rows.insert(1, ("network", in_short(certificate.network)))
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
