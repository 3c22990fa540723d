"""Count the parameters of a published model that symmetries make redundant, by component."""

from __future__ import annotations

import argparse

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_output
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.views.plotting import PICTURES, render

EXAMPLES = ("llama-3-8b", "model/config.json --prove -o parts.svg")
COUNTS = "rank"


def add_options(parser: Parser) -> None:
    """Add the config, which functions are counted, and what is written."""
    parser.option(
        "config CONFIG",
        "a known model, such as gpt2 or llama-3-8b; the config.json of a model, or a folder that holds one; or "
        "JSON that has it in its field config",
    )
    parser.flag("--probabilities", "count functions to probabilities, not to logits")
    parser.option("--eps E", "0 to drop the epsilon of the norms (default: that of the config)")
    parser.flag("--prove", "prove at two small sizes that no others are redundant")
    add_output(parser, "draw what each component makes redundant", PICTURES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print what parameters are worth; the exit code is 1 if equality is to be proven and is not."""
    from algatt.layers import Probabilities
    from algatt.published import parameters
    from algatt.views.parameter_bars import plot_parameters

    reading = Probabilities() if options.probabilities else None
    named = {"reading": reading, "eps": epsilon_of(options.eps), "prove": options.prove}
    report = parameters(options.config, progress=progress, **named)
    code = ExitCode.NO if options.prove and not all(one.proven for one in report.proofs) else ExitCode.DONE
    return CommandAnswer.of(report, content=lambda kind: render(plot_parameters(report).figure, kind), code=code)


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
