"""The command ``algatt parameters``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.views.plotting import PICTURES, check_installed, render


def add_options(parser: Parser) -> None:
    """Add the config, which functions are counted, and what is written."""
    parser.add_argument(
        "config",
        metavar="CONFIG",
        help="a known model, such as gpt2 or llama-3-8b; the config.json of a model, or a folder that holds one; or "
        "JSON that has it in its field config",
    )
    parser.add_argument("--probabilities", action="store_true", help="count functions to probabilities, not to logits")
    parser.add_argument("--eps", metavar="E", help="0 to drop the epsilon of the norms (default: that of the config)")
    parser.add_argument("--prove", action="store_true", help="prove at two small sizes that no others are redundant")
    add_output(parser, "draw what each component makes redundant", PICTURES)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print what parameters are worth; the exit code is 1 if equality is to be proven and is not."""
    from algatt.layers import Probabilities
    from algatt.published import parameters
    from algatt.views.parameter_bars import plot_parameters
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_summary

    output = Output.of(options)
    if output is not None:
        check_installed()  # before the work
    reading = Probabilities() if options.probabilities else None
    with ProgressBar("rank") as progress:
        report = parameters(
            options.config, reading=reading, eps=epsilon_of(options.eps), prove=options.prove, progress=progress
        )
    if output is not None:
        output.write(render(plot_parameters(report).figure, output.kind))
    if options.json:
        print_json("parameters", report.to_dict())
    elif output is None or not output.on_stdout:
        print_summary(report, sys.stdout)
    return ExitCode.NO if options.prove and not all(one.proven for one in report.proofs) else ExitCode.DONE


def epsilon_of(text: str | None) -> int | None:
    """Return what ``--eps`` says."""
    if text is None:
        return None
    try:
        if float(text) == 0:
            return 0
    except ValueError:
        pass
    raise InvalidArgument("--eps", repr(text), "0, or not given for what the config says")


COMMAND = Command(
    description="Count the parameters of a published model that symmetries make redundant, by component.",
    examples=("llama-3-8b", "model/config.json --prove -o parts.svg"),
    add_options=add_options,
    run=run,
)
