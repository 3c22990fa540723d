"""The command ``algatt jacobian-spectrum``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser
from algatt.geometry.dimensions.spectrum import DRAWS
from algatt.views.plotting import PICTURES, check_installed, render


def add_options(parser: Parser) -> None:
    """Add the network, what is drawn and how large, and what decides."""
    add_network(parser)
    add_seed(parser)
    parser.add_argument(
        "--inputs",
        type=int,
        metavar="N",
        help="number of inputs (default: as many as the rank can be, which is enough)",
    )
    parser.add_argument(
        "--draw", choices=DRAWS, default="uniform", help="distribution of weights and inputs (default uniform)"
    )
    parser.add_argument(
        "--weight-scale", type=float, default=1.0, metavar="C", help="factor of the weights (default 1)"
    )
    parser.add_argument("--input-scale", type=float, default=1.0, metavar="C", help="factor of the inputs (default 1)")
    parser.add_argument(
        "--gap",
        type=float,
        default=1e3,
        metavar="G",
        help="ratio of neighbouring singular values that decides (default 1e3)",
    )
    parser.add_argument("--prove", action="store_true", help="compute the dimension with its proof too")
    add_output(parser, "draw the spectrum", PICTURES)
    add_json(parser, ", with all singular values")


def run(options: argparse.Namespace) -> int:
    """Compute, draw and print the singular values of a Jacobian."""
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_summary

    output = Output.of(options)
    if output is not None:
        check_installed()  # before the work
    with ProgressBar("rank") as progress:
        spectrum = algatt.jacobian_spectrum(
            network_of(options),
            seed=options.seed,
            inputs=options.inputs,
            weight_scale=options.weight_scale,
            input_scale=options.input_scale,
            draw=options.draw,
            gap=options.gap,
            prove=options.prove,
            progress=progress,
        )
    if output is not None:
        output.write(render(algatt.views.plot_spectrum(spectrum).figure, output.kind))
    if options.json:
        print_json("jacobian-spectrum", spectrum.to_dict())
    elif output is None or not output.on_stdout:
        print_summary(spectrum, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Compute the singular values of the Jacobian at a random point in float64 and float32, and draw them.",
    examples=("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json --prove -o spectrum.svg"),
    add_options=add_options,
    run=run,
)
