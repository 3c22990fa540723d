"""Write the map from the weights of a network to the coefficients of its function for a computer algebra system, with
the equations between these. Of a certificate (cert.json): the minor, to be computed again.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.certificates import Certificate
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser

EXAMPLES = (
    "cert.json --to macaulay2 -o minor.m2",
    "--dims 2,1 --ranks 2 --tokens 2 --to macaulay2 --degree 4 -o figure_1.m2",
)


def add_options(parser: Parser) -> None:
    """Add the network, the system, and what is written."""
    add_network(parser)
    parser.option("--to SYSTEM", ", ".join(algatt.exports.SYSTEMS), required=True)
    parser.option("--degree D", "also write the equations up to this degree (default: none)", int, 0)
    add_output(parser, "where to write, instead of stdout", ["txt"])


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Write the parametrization of a network for a computer algebra system."""
    text = algatt.export(source_of(options), options.to, degree=options.degree)
    printed = text if options.output is None else ""
    return CommandAnswer(
        printed, lambda: {"to": options.to, "text": printed or None}, lambda kind: text.encode("utf-8")
    )


def source_of(options: argparse.Namespace) -> algatt.architectures.Architecture | Certificate:
    """Return the certificate that a file holds, or the network that the options name."""
    if len(options.network) == 1 and options.network[0].endswith(".json"):
        from algatt.sources.front_door import fields_of_file

        fields = fields_of_file(options.network[0], "network")
        if isinstance(fields, dict) and "format" in fields:
            return Certificate.load(options.network[0])
    return network_of(options)
