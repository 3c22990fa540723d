"""Compute the dimension of the neuromanifold of a network, with a proof where the bounds meet."""

from __future__ import annotations

import argparse
from typing import IO

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_error, add_exact_field, add_network, add_seed, exact_field_of, network_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.geometry import Copies, DimensionReport, Points, RandomPoints, SideBySide
from algatt.linalg import Blas, Engine, Gpu

EXAMPLES = ("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.py:net -o cert.json")
COUNTS = "rank"

POINTS = "random, side-by-side, copies, or copies:N for N copies of a small network beside a hub"
"""How points are written."""

ENGINES = "blas, gpu for the device that torch finds, or gpu:NAME for another, as gpu:cuda:1 or gpu:cpu"
"""How engines are written."""


def add_options(parser: Parser) -> None:
    """Add the network, where it is computed, and what is written."""
    add_network(parser)
    add_seed(parser)
    add_exact_field(parser).add_argument(
        "--float",
        action="store_true",
        help="compute in floating point: no proof, and an error unless singular values have a gap",
    )
    add_error(parser, "a missed rank")
    add_output(parser, "write a certificate, which 'algatt verify' checks", ["json"], "--save")
    parser.option("--checkpoint FILE", "file to save a long elimination to and resume it from; removed when it is done")
    parser.option(
        "--points KIND",
        f"where the Jacobian is looked at: {POINTS}; unless given, side-by-side or copies for large networks "
        "of attention, and random points for others",
    )
    parser.option(
        "--engine NAME",
        f"where eliminations modulo a prime are done: {ENGINES}; unless given, on a device for large matrices if "
        "there is one",
    )
    parser.flag("--require-proof", "exit with 1 unless the dimension is proven")


def points_of(text: str | None) -> Points | None:
    """Return the points of a text such as ``random``, ``copies`` or ``copies:15``, or None."""
    if text is None:
        return None
    name, colon, number = text.partition(":")
    if name == "copies" and colon and number.isascii() and number.isdigit():
        return Copies(int(number))
    known: dict[str, Points] = {"copies": Copies(), "random": RandomPoints(), "side-by-side": SideBySide()}
    if text in known:
        return known[text]
    raise InvalidArgument("--points", repr(text), POINTS)


def engine_of(text: str | None) -> Engine | None:
    """Return the engine of a text such as ``blas``, ``gpu`` or ``gpu:cuda:1``, or None."""
    if text is None:
        return None
    name, colon, device = text.partition(":")
    if name == "gpu" and bool(colon) == bool(device):
        return Gpu(device or None)
    if text == "blas":
        return Blas()
    raise InvalidArgument("--engine", repr(text), ENGINES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Compute and print a dimension; the exit code is 1 if a proof is required and there is none."""
    arch = network_of(options)
    field = algatt.Reals() if options.float else exact_field_of(options, arch)
    points, engine = points_of(options.points), engine_of(options.engine)
    if options.output is not None and options.float:
        raise InvalidArgument("--output", "given with --float", "given without: floating point proves nothing")
    report: DimensionReport | None = None
    if options.output is not None and not isinstance(points, Copies | SideBySide):
        from algatt.certificates.make.dimension import check_network, structured_report

        if points is None and field is None:
            report = structured_report(arch, seed=options.seed, error=options.error, progress=progress)
        if report is None:
            check_network(arch, options.seed, "NETWORK")  # before the work
        points = RandomPoints()
    named = {"seed": options.seed, "field": field, "error": options.error, "checkpoint": options.checkpoint}
    report = report or algatt.dimension(arch, points=points, engine=engine, progress=progress, **named)
    code = ExitCode.NO if options.require_proof and report.status != "proven" else ExitCode.DONE
    return CommandAnswer.of(report, code=code) if options.output is None else with_certificate(report, code)


def with_certificate(report: DimensionReport, code: ExitCode) -> CommandAnswer:
    """Return a report with its certificate, and say so if this claims less."""
    from algatt.views.tables import print_summary

    certificate = algatt.certify(report)
    fields = {"claim": certificate.claim, "claims_less": certificate.falls_short_of(report)}

    def text(stream: IO[str]) -> None:
        print_summary(report, stream)
        if fields["claims_less"]:
            stream.write(f"  The certificate claims less than this report: {certificate.claim}.\n")

    content = certificate.to_json().encode("ascii")
    return CommandAnswer(text, lambda: {**report.to_dict(), **fields}, lambda kind: content, code)
