"""Make a certificate of the dimension of a network, or of one of its symmetries, which 'algatt verify' checks."""

from __future__ import annotations

import argparse

import algatt
from algatt.architectures import Architecture
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_error, add_exact_field, add_network, add_seed, exact_field_of, network_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.symmetry import Symmetry

EXAMPLES = ("--dims 4,3,4 --ranks 2,2 --tokens 3 -o cert.json", "net.json --family key-query -o symmetry.json")
COUNTS = "rank"


def add_options(parser: Parser) -> None:
    """Add the network, where its dimension is computed, and what is written."""
    add_network(parser)
    add_seed(parser)
    add_exact_field(parser)
    add_error(parser, "a missed rank")
    parser.option("--family NAME", "certify that this symmetry leaves the network unchanged, not its dimension")
    add_output(parser, "where to write the certificate, instead of stdout", ["json"], "--save")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Make a certificate, and print it, or write it and print what it claims."""
    arch = network_of(options)
    if options.family is not None:
        certificate = algatt.certify(family_of(arch, options.family))
    else:
        field = exact_field_of(options, arch)
        certificate = algatt.certify(arch, seed=options.seed, field=field, error=options.error, progress=progress)
    text = certificate.to_json()
    printed = text if options.output is None else f"claimed: {certificate.claim}\n"
    fields = {"claim": certificate.claim, **({"certificate": certificate.document} if options.output is None else {})}
    return CommandAnswer(printed, lambda: fields, lambda kind: text.encode("ascii"))


def family_of(arch: Architecture, name: str) -> Symmetry:
    """Return the family of symmetries of a name.

    Raises
    ------
    InvalidArgument
        If there is none.
    """
    families = {family.name: family for family in algatt.symmetries(arch)}
    if name not in families:
        raise InvalidArgument("--family", repr(name), f"one of {', '.join(families)}" if families else "not given")
    return families[name]
