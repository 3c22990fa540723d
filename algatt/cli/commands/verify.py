"""The command ``algatt verify``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json, print_text
from algatt.cli.parser import Parser, UsageError
from algatt.files import write_atomically


def add_options(parser: Parser) -> None:
    """Add the certificate, and the verifier as a file."""
    parser.add_argument("certificate", metavar="FILE", nargs="?", help="a certificate written by 'algatt certify -o'")
    parser.add_argument(
        "--write-verifier",
        metavar="FILE",
        help="write the verifier as one stand-alone Python file, which needs only Python and python-flint",
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Verify a certificate and print the verdict; the exit code is 1 if it is refuted."""
    if options.certificate is None and options.write_verifier is None:
        raise UsageError("the following arguments are required: FILE, or --write-verifier")
    if options.write_verifier is not None:
        from algatt.certificates.standalone import standalone_verifier

        write_atomically(options.write_verifier, standalone_verifier().encode())
    return ExitCode.DONE if options.certificate is None else verify(options)


def verify(options: argparse.Namespace) -> int:
    """Verify a certificate and print the verdict."""
    from algatt.views.progress import ProgressBar

    with ProgressBar("rows of the minor") as progress:
        report = algatt.verify(options.certificate, progress=progress)
    if options.json:
        fields = ("ok", "reasons", "claim", "assumptions")
        print_json("verify", {name: getattr(report, name) for name in fields})
    else:
        print_text("".join(f"{line}\n" for line in lines_of(report)))
    return ExitCode.DONE if report.ok else ExitCode.NO


def lines_of(report: algatt.certificates.VerificationReport) -> list[str]:
    """Return a verdict in lines."""
    if report.ok:
        return [f"verified: {report.claim}", f"  assumptions: {'; '.join(report.assumptions) or 'none'}"]
    return ["refuted", *(f"  {reason}" for reason in report.reasons)]


COMMAND = Command(
    description="Check every claim of a certificate, with code that imports nothing else of this package. Exit code 0: "
    "verified; 1: refuted; 2: no certificate; 3: a certificate that is too large.",
    examples=("cert.json", "cert.json --write-verifier verifier.py"),
    add_options=add_options,
    run=run,
)
