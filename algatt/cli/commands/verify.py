"""The command ``algatt verify``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_json
from algatt.cli.output import print_json
from algatt.cli.parser import Parser

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the certificate."""
    parser.add_argument("certificate", metavar="FILE", help="what 'algatt dimension -o' wrote")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Verify a certificate and print the verdict; the exit code is 1 if it is refuted."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_verification

    with ProgressBar("rows of the minor") as progress:
        report = algatt.verify(options.certificate, progress=progress)
    if options.json:
        print_json("verify", {"ok": report.ok, "reasons": list(report.reasons), "claim": report.claim})
    else:
        print_verification(report, sys.stdout)
    return ExitCode.DONE if report.ok else ExitCode.NO


COMMAND = Command(
    description="Check every claim of a certificate, with code of its own. Exit code 0: verified; 1: refuted; 2: no "
    "certificate.",
    add_options=add_options,
    run=run,
)
