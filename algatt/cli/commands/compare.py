"""The command ``algatt compare``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_architecture, architecture_of
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.files import check_writable, write_atomically

if TYPE_CHECKING:
    pass

__all__ = ["COMMAND"]

SUFFIXES = (".safetensors", ".bin", ".pt", ".pth", ".gguf", ".onnx")
"""Of files of checkpoints."""

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)
"""The coordinate systems, the finest first."""


def add_options(parser: Parser) -> None:
    """Add the files, the architecture, and what counts as equal."""
    parser.add_argument(
        "first",
        metavar="FILE",
        help="parameters that Parameters.save wrote, as algatt.Weights.of([(Q, K, V), ...]).save(FILE); or a "
        "checkpoint: a folder with a config.json and tensors, or a file of safetensors, PyTorch, GGUF or ONNX",
    )
    parser.add_argument(
        "second",
        metavar="FILE",
        help="parameters to compare with, over the same field, in any coordinates; or a checkpoint of the same network",
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
    what = "of large networks and checkpoints, write a page with the spaces, green or red, and the tensors"
    parser.add_argument("--report", metavar="FILE", help=what)


def run(options: argparse.Namespace) -> int:
    """Compare two files of parameters; the exit code is 1 if the functions differ, and 5 if that is undecided."""
    from algatt.views.tables import print_equivalence

    output = Output.of(options)  # errors now, not after the work
    if options.report is not None:
        check_writable(options.report)
    try:
        answer = compared(options)
    except EquivalenceUndecided as error:
        answer = algatt.geometry.Equivalence.undecided(error)
    if options.report is not None:
        if answer.comparison is None:
            should = "given for weights of more than 4096 parameters over the reals, or for checkpoints"
            raise InvalidArgument("--report", "given", should)
        from algatt.views.comparison import page

        write_atomically(options.report, page(answer.comparison).encode())
    if options.json:
        print_json("compare", answer.to_dict())
    elif output is None or not output.on_stdout:
        print_equivalence(answer, sys.stdout)
    if output is not None and answer.separating_input is not None:
        output.write(algatt.certify(answer).to_json().encode("ascii"))
    elif output is not None:
        print("no certificate is written: no input is known at which the values differ", file=sys.stderr)
    if answer.equal is None:
        return ExitCode.UNDECIDED
    return ExitCode.DONE if answer.equal else ExitCode.NO


def compared(options: argparse.Namespace) -> algatt.geometry.Equivalence:
    """Compare two files."""
    from algatt.views.progress import ProgressBar

    checkpoints = [is_checkpoint(path) for path in (options.first, options.second)]
    if any(checkpoints):
        return compare_checkpoints(options, checkpoints)
    first, second = algatt.load(options.first), algatt.load(options.second)
    finest = min((first, second), key=lambda theta: COORDINATES.index(type(theta)))
    arch = architecture_of(finest, options)
    with ProgressBar("steps") as progress:
        answer: algatt.geometry.Equivalence = algatt.same_function(
            arch,
            first,
            second,
            seed=options.seed,
            error=options.error,
            tolerance=options.tolerance,
            progress=progress,
        )
    return answer


def is_checkpoint(path: str) -> bool:
    """Return whether a path is that of a checkpoint: a folder, or a file that is not one of `Parameters.save`."""
    return Path(path).is_dir() or Path(path).suffix in SUFFIXES


def compare_checkpoints(options: argparse.Namespace, found: list[bool]) -> algatt.geometry.Equivalence:
    """Compare two checkpoints of one network."""
    from algatt import checkpoints

    if not all(found):
        place, path = ("first", options.first) if not found[0] else ("second", options.second)
        raise InvalidArgument(place, f"{path}, which is no checkpoint", "a checkpoint, as the other is")
    for name in ("network", "width", "dims", "ranks", "score", "tolerance"):
        if getattr(options, name) is not None:
            raise InvalidArgument(f"--{name}", "given with checkpoints", "given without: they have a network")
    return checkpoints.compare(options.first, options.second, tokens=options.tokens, seed=options.seed)


COMMAND = Command(
    description="Decide whether two files of parameters define one function. Exit code 0: they do; 1: they do not; 5: "
    "undecided.",
    add_options=add_options,
    run=run,
)
