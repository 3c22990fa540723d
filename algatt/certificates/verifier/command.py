"""The verifier as a program: it verifies the certificate in a file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from .document import MOST_BYTES, parse_document
from .kinds import verify_document
from .limits import Refused, printable

__all__ = ["main"]

USAGE = "usage: python verify.py CERTIFICATE; exit code 0: verified; 1: refuted; 2: no certificate, or too large"


def main(arguments: Sequence[str]) -> int:
    """Verify the certificate in a file, print the verdict, and return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        with Path(arguments[0]).open("rb") as stream:
            verdict = verify_document(parse_document(stream.read(MOST_BYTES + 1)))
    except OSError as error:
        sys.stderr.write(f"{arguments[0]!r} cannot be read: {error.strerror}\n")
        return 2
    except ValueError as error:
        sys.stderr.write(f"{arguments[0]!r} {printable(str(error))}\n")
        return 2
    except Refused as error:
        sys.stderr.write(f"{error}\n")
        return 2
    print("refuted:" if verdict.reasons else "verified:", verdict.claim)
    for reason in verdict.reasons:
        print(f"  {reason}")
    for text in () if verdict.reasons else verdict.rests_on:
        print(f"  it rests on what is not checked here: {text}")
    return 1 if verdict.reasons else 0
