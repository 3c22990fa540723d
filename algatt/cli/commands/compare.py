"""The command ``algatt compare``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_architecture, add_json, architecture_of
from algatt.cli.output import Output, add_output, print_json
from algatt.cli.parser import Parser

__all__ = ["COMMAND"]

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)
"""The coordinate systems, the finest first."""


def add_options(parser: Parser) -> None:
    """Add the files, the architecture, and what counts as equal."""
    parser.add_argument(
        "first",
        metavar="FILE",
        help="parameters that Parameters.save wrote, as algatt.Weights.of([(Q, K, V), ...]).save(FILE)",
    )
    parser.add_argument(
        "second", metavar="FILE", help="parameters to compare with, over the same field, in any coordinates"
    )
    add_architecture(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="names the random inputs (default 0)")
    parser.add_argument(
        "--error",
        type=float,
        default=1e-9,
        metavar="E",
        help="bound on the probability of a missed difference (default 1e-9)",
    )
    tolerance = "relative, for floating point (default 1e-8, or what the precision of the weights allows)"
    parser.add_argument("--tolerance", type=float, metavar="E", help=tolerance)
    add_json(parser, ", with the group element or the separating input")
    what = "where they differ, write a certificate of the input that shows it, which 'algatt verify' checks"
    add_output(parser, what, ["json"], "--save")


def run(options: argparse.Namespace) -> int:
    """Compare two files of parameters; the exit code is 1 if the functions differ, or if it cannot be told."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_equivalence

    output = Output.of(options)  # errors now, not after the work
    first, second = algatt.load(options.first), algatt.load(options.second)
    finest = min((first, second), key=lambda theta: COORDINATES.index(type(theta)))
    arch = architecture_of(finest, options)
    with ProgressBar("steps") as progress:
        answer = algatt.same_function(
            arch,
            first,
            second,
            seed=options.seed,
            error=options.error,
            tolerance=options.tolerance,
            progress=progress,
        )
    if options.json:
        print_json("compare", answer.to_dict())
    elif output is None or not output.on_stdout:
        print_equivalence(answer, sys.stdout)
    if output is not None and answer.separating_input is not None:
        output.write(algatt.certify(answer).to_json().encode("ascii"))
    elif output is not None:
        print("no certificate is written: no input is known at which the values differ", file=sys.stderr)
    return ExitCode.DONE if answer.equal else ExitCode.NO


COMMAND = Command(
    description="Decide whether two files of parameters define one function. Exit code 0: they do; 1: they do not, or "
    "it cannot be told.",
    add_options=add_options,
    run=run,
)
