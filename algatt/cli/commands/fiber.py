"""Describe the fibre of the parametrization through a point: its case, dimension, components, or the hypotheses that
fail.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_architecture, architecture_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser

EXAMPLES = ("theta.npz --tokens 3", "theta.npz --network net.json -o other.npz")


def add_options(parser: Parser) -> None:
    """Add the file, the architecture, and the point that is written."""
    parser.option("parameters FILE", "weights saved by Python: algatt.Weights.of([(Q, K, V), ...]).save(FILE)")
    add_architecture(parser)
    parser.option("--seed N", "seed of the random point of -o (default 0)", int, 0)
    add_output(parser, "write a random point of the fibre, which 'algatt compare' reads", ["npz"], "--sample")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Describe a fibre, and write a point of it."""
    theta = algatt.parameters.load(options.parameters)
    answer = algatt.fiber(architecture_of(theta, options), theta)
    return CommandAnswer.of(answer, content=lambda kind: answer.sample(options.seed).to_bytes())
