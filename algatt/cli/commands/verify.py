"""Check every claim of a certificate, with code that imports nothing else of this package. Exit code 0: verified; 1:
refuted; 2: no certificate; 3: a certificate that is too large.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.parser import Parser, UsageError
from algatt.files import write_atomically

EXAMPLES = ("cert.json", "cert.json --write-verifier verifier.py")
COUNTS = "rows of the minor"


def add_options(parser: Parser) -> None:
    """Add the certificate, and the verifier as a file."""
    parser.option("certificate FILE", "a certificate written by 'algatt certify -o'", nargs="?")
    parser.option(
        "--write-verifier FILE",
        "write the verifier as one stand-alone Python file, which needs only Python and python-flint",
    )


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Verify a certificate and print the verdict; the exit code is 1 if it is refuted."""
    if options.certificate is None and options.write_verifier is None:
        raise UsageError("the following arguments are required: FILE, or --write-verifier")
    if options.write_verifier is not None:
        from algatt.certificates.standalone import standalone_verifier

        write_atomically(options.write_verifier, standalone_verifier().encode())
    verifier = [] if options.write_verifier is None else [options.write_verifier]
    if options.certificate is None:
        return CommandAnswer(written=verifier)
    report = algatt.verify(options.certificate, progress=progress)
    refuted = ["refuted", *(f"  {reason}" for reason in report.reasons)]
    verified = [f"verified: {report.claim}", f"  assumptions: {'; '.join(report.assumptions) or 'none'}"]
    fields = {name: getattr(report, name) for name in ("ok", "reasons", "claim", "assumptions")}
    code = ExitCode.DONE if report.ok else ExitCode.NO
    text = "".join(f"{line}\n" for line in (verified if report.ok else refuted))
    return CommandAnswer(text, lambda: fields, code=code, written=verifier)
