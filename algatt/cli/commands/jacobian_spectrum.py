"""Compute the singular values of the Jacobian at a random point in float64 and float32, and draw them."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser
from algatt.geometry.dimensions.spectrum import DRAWS
from algatt.views.plotting import PICTURES, render

EXAMPLES = ("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json --prove -o spectrum.svg")
COUNTS = "rank"


def add_options(parser: Parser) -> None:
    """Add the network, what is drawn and how large, and what decides."""
    add_network(parser)
    add_seed(parser)
    parser.option("--inputs N", "number of inputs (default: as many as the rank can be, which is enough)", int)
    parser.add_argument(
        "--draw", choices=DRAWS, default="uniform", help="distribution of weights and inputs (default uniform)"
    )
    parser.option("--weight-scale C", "factor of the weights (default 1)", float, 1.0)
    parser.option("--input-scale C", "factor of the inputs (default 1)", float, 1.0)
    parser.option("--gap G", "ratio of neighbouring singular values that decides (default 1e3)", float, 1e3)
    parser.flag("--prove", "compute the dimension with its proof too")
    add_output(parser, "draw the spectrum", PICTURES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Compute, draw and print the singular values of a Jacobian."""
    names = ("seed", "inputs", "weight_scale", "input_scale", "draw", "gap", "prove")
    named = {name: getattr(options, name) for name in names}
    spectrum = algatt.jacobian_spectrum(network_of(options), progress=progress, **named)
    return CommandAnswer.of(spectrum, content=lambda kind: render(algatt.views.plot_spectrum(spectrum).figure, kind))
