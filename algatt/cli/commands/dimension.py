"""The command ``algatt dimension``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.architectures import Architecture
from algatt.certificates.version_1.make import check_known, report_to_certify
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_json, add_network, network_of
from algatt.cli.output import Output, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.fields import Field

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the network, where it is computed, and what is written."""
    add_network(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--prime",
        type=int,
        metavar="P",
        help="compute modulo this prime first (default 8388593; 8388587 with exponentials, roots or gates)",
    )
    where.add_argument(
        "--bits",
        type=int,
        metavar="B",
        help="prove with real balls of at first so many bits",
    )
    where.add_argument(
        "--float", action="store_true", help="compute in floating point: no proof, and refused without a gap"
    )
    parser.add_argument(
        "--error",
        type=float,
        default=1e-6,
        metavar="E",
        help="without a proof, try points until the probability of a missed rank is at most this (default 1e-6)",
    )
    add_output(parser, "write a certificate, which 'algatt verify' checks", ["json"], "--save")
    parser.add_argument("--require-proof", action="store_true", help="exit with 1 unless the dimension is proven")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Compute and print a dimension; the exit code is 1 if a proof is required and there is none."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_dimension

    arch = network_of(options)
    field = field_of(options, arch)
    output = Output.of(options)  # errors now, not after hours of work
    if output is not None and options.float:
        raise InvalidArgument("--output", "given with --float", "given without: floating point proves nothing")
    if output is not None:
        check_known(arch)
    compute = algatt.dimension if output is None else report_to_certify
    with ProgressBar("rank") as progress:
        report = compute(arch, seed=options.seed, field=field, error=options.error, progress=progress)
    if output is not None:  # before printing, which may fail
        output.write(algatt.certify(report).to_json().encode("ascii"))
    if options.json:
        print_json("dimension", report.to_dict())
    elif output is None or not output.on_stdout:
        print_dimension(report, sys.stdout)
    return ExitCode.NO if options.require_proof and report.status != "proven" else ExitCode.DONE


def field_of(options: argparse.Namespace, arch: Architecture) -> Field | None:
    """Return the field that the options name, or None."""
    if options.prime is not None:
        return (algatt.PrimeField if arch.algebraic else algatt.Elementary)(options.prime)
    if options.bits is not None:
        return algatt.Balls(options.bits)
    return algatt.Reals() if options.float else None


COMMAND = Command(
    description="Compute the dimension of the neuromanifold of a network, with a proof where the bounds meet.",
    add_options=add_options,
    run=run,
)
