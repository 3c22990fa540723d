"""The command ``algatt compare``."""

from __future__ import annotations

import argparse
import re
import sys

import algatt
from algatt.cli.checkpoints import is_parameters
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.networks import import_network
from algatt.cli.options import add_architecture, add_error, architecture_of
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.files import check_writable, write_atomically

NAMED = re.compile(r"\.py:\w+$")
"""A name in a Python file."""

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)
"""The coordinate systems, the finest first."""


def add_options(parser: Parser) -> None:
    """Add the files, the architecture, and what counts as equal."""
    parser.add_argument(
        "first",
        metavar="FILE",
        help="weights saved by Python, as algatt.Weights.of([(Q, K, V), ...]).save(FILE); or a "
        "checkpoint: a folder with a config.json and tensors, or a file of safetensors, PyTorch, GGUF or ONNX; or "
        "model.py:NAME, a module of torch, or a function that returns one and an example",
    )
    parser.add_argument(
        "second",
        metavar="FILE",
        help="weights to compare with, over the same field, in any coordinates; or a checkpoint of the same network",
    )
    add_architecture(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random inputs (default 0)")
    add_error(parser, "a missed difference")
    tolerance = "relative, for floating point (default 1e-8, or what the precision of the weights allows)"
    parser.add_argument("--tolerance", type=float, metavar="E", help=tolerance)
    add_json(parser, ", with the group element or the separating input")
    what = "where they differ, write a certificate of the input that shows it, which 'algatt verify' checks"
    add_output(parser, what, ["json"], "--save")
    what = "write an HTML report of which spaces and tensors match (large networks and checkpoints only)"
    parser.add_argument("--report", metavar="FILE", help=what)


def run(options: argparse.Namespace) -> int:
    """Compare two files; the exit code is 1 if the functions differ, and 5 if that is undecided."""
    from algatt.views.tables import print_summary

    output = Output.of(options)  # errors now, not after the work
    if options.report is not None:
        check_writable(options.report)
    answer = compared(options)
    if options.report is not None:
        write_atomically(options.report, page_of(answer).encode())
    if options.json:
        print_json("compare", answer.to_dict())
    elif output is None or not output.on_stdout:
        print_summary(answer, sys.stdout)
    if output is not None and answer.separating_input is not None:
        output.write(algatt.certify(answer).to_json().encode("ascii"))
    elif output is not None:
        print("no certificate is written: no input is known at which the values differ", file=sys.stderr)
    return {None: ExitCode.UNDECIDED, True: ExitCode.DONE, False: ExitCode.NO}[answer.equal]


def compared(options: argparse.Namespace) -> algatt.geometry.Equivalence:
    """Compare two checkpoints, or two files of parameters of an architecture."""
    from algatt.views.progress import ProgressBar

    paths = options.first, options.second
    if not any(map(is_parameters, paths)):
        for name in ("network", "width", "dims", "ranks", "score", "tolerance"):
            if getattr(options, name) is not None:
                raise InvalidArgument(f"--{name}", "given with checkpoints", "given without: they have a network")
        models = [import_network(path) if NAMED.search(path) else path for path in paths]
        return algatt.compare(*models, tokens=options.tokens, seed=options.seed)
    for place, path in zip(("first", "second"), paths, strict=True):
        if not is_parameters(path):
            raise InvalidArgument(place, f"{path}, a checkpoint", "a file of parameters, as the other is")
    points = [algatt.parameters.load(path) for path in paths]
    arch = architecture_of(min(points, key=lambda theta: COORDINATES.index(type(theta))), options)
    named = {"seed": options.seed, "error": options.error, "tolerance": options.tolerance}
    with ProgressBar("steps") as progress:
        return algatt.compare(arch, *points, **named, progress=progress)


def page_of(answer: algatt.geometry.Equivalence) -> str:
    """Return the page of a comparison of spaces and tensors."""
    from algatt.views.comparison import page

    if answer.comparison is None:
        should = "given for weights of more than 4096 parameters over the reals, or for checkpoints"
        raise InvalidArgument("--report", "given", should)
    return page(answer.comparison)


COMMAND = Command(
    description="Decide whether two files of weights define the same function. Exit code 0: they do; 1: they do not; "
    "5: undecided.",
    examples=("one two", "one.npz two.npz --tokens 3 --json"),
    add_options=add_options,
    run=run,
)
