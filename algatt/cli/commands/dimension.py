"""The command ``algatt dimension``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_error, add_exact_field, add_network, add_seed, exact_field_of, network_of
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.geometry import Copies, Points, RandomPoints, SideBySide
from algatt.linalg import Blas, Engine, Gpu

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
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="file to save a long elimination to and resume it from; removed when it is done",
    )
    parser.add_argument(
        "--points",
        metavar="KIND",
        help=f"where the Jacobian is looked at: {POINTS}; unless given, side-by-side or copies for large networks "
        "of attention, and random points for others and for certificates",
    )
    parser.add_argument(
        "--engine",
        metavar="NAME",
        help=f"where eliminations modulo a prime are done: {ENGINES}; unless given, on a device for large matrices if "
        "there is one",
    )
    parser.add_argument("--require-proof", action="store_true", help="exit with 1 unless the dimension is proven")
    add_json(parser)


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


def run(options: argparse.Namespace) -> int:
    """Compute and print a dimension; the exit code is 1 if a proof is required and there is none."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_summary

    arch = network_of(options)
    field = algatt.Reals() if options.float else exact_field_of(options, arch)
    points, engine = points_of(options.points), engine_of(options.engine)
    output = Output.of(options)  # errors now, not after hours of work
    if output is not None and options.float:
        raise InvalidArgument("--output", "given with --float", "given without: floating point proves nothing")
    if output is not None:
        if isinstance(points, Copies | SideBySide):
            raise InvalidArgument("--output", f"given with --points {options.points}", "given with --points random")
        from algatt.certificates.make.dimension import check_network

        check_network(arch, options.seed, "NETWORK")  # before the work
        points = RandomPoints()
    with ProgressBar("rank") as progress:
        report = algatt.dimension(
            arch,
            seed=options.seed,
            field=field,
            error=options.error,
            progress=progress,
            checkpoint=options.checkpoint,
            points=points,
            engine=engine,
        )
    if output is not None:  # before printing, which may fail
        output.write(algatt.certify(report).to_json().encode("ascii"))
    if options.json:
        print_json("dimension", report.to_dict())
    elif output is None or not output.on_stdout:
        print_summary(report, sys.stdout)
    return ExitCode.NO if options.require_proof and report.status != "proven" else ExitCode.DONE


COMMAND = Command(
    description="Compute the dimension of the neuromanifold of a network, with a proof where the bounds meet.",
    examples=("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.py:net -o cert.json"),
    add_options=add_options,
    run=run,
)
