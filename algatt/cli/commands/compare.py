"""Decide whether two files of weights define the same function. Exit code 0: they do; 1: they do not; 5: undecided."""

from __future__ import annotations

import argparse
import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import algatt
from algatt.cli.checkpoints import NAMED, is_parameters
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.networks import import_network
from algatt.cli.options import add_architecture, add_error, architecture_of
from algatt.cli.output import add_output, digest, files_of
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.files import check_writable, write_atomically

EXAMPLES = ("one two", "one.npz two.npz --tokens 3 --json")
COUNTS = "steps"

KEEPING = {-4: 0, -1: 2**31 - 1}
"""Numbers for glibc's mallopt: no array has pages of its own, and two gigabytes that were freed are kept."""

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)
"""The coordinate systems, the finest first."""


def add_options(parser: Parser) -> None:
    """Add the files, the architecture, and what counts as equal."""
    parser.option(
        "first FIRST",
        "weights saved by Python, as algatt.Weights.of([(Q, K, V), ...]).save(FILE); or a "
        "checkpoint: a folder with a config.json and tensors, or a file of safetensors, PyTorch, GGUF or ONNX; or "
        "model.py:NAME, a module of torch, or a function that returns one and an example",
    )
    parser.option(
        "second SECOND",
        "weights to compare with, over the same field, in any coordinates; or a checkpoint of the same network",
    )
    add_architecture(parser)
    parser.option("--seed N", "seed of the random inputs (default 0)", int, 0)
    add_error(parser, "a missed difference")
    tolerance = "relative, for floating point (default 1e-8, or what the precision of the weights allows)"
    parser.option("--tolerance E", tolerance, float)
    what = "where they differ, write a certificate of the input that shows it, which 'algatt verify' checks"
    add_output(parser, what, ["json"], "--save")
    what = "write an HTML report of which spaces and tensors match (large networks and checkpoints only)"
    parser.option("--report FILE", what)


def keep_memory() -> None:
    """Have glibc keep the memory of arrays for those that follow: to give it back to Linux and to ask for it again took
    a tenth to a sixth of the time of a comparison of GPT-2 with itself, moved.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for name, number in KEEPING.items():
            mallopt(name, number)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Compare two files; the exit code is 1 if the functions differ, and 5 if that is undecided."""
    keep_memory()
    if options.report is not None:
        check_writable(options.report)
    answer = compared(options, progress)
    if options.report is not None:
        write_atomically(options.report, page_of(answer, [options.first, options.second]).encode())
    code = {None: ExitCode.UNDECIDED, True: ExitCode.DONE, False: ExitCode.NO}[answer.equal]
    more: dict[str, Any] = {"code": code, "written": [] if options.report is None else [options.report]}
    if options.output is None:
        return CommandAnswer.of(answer, **more)
    if answer.separating_input is None:
        print("no certificate is written: no input is known at which the values differ", file=sys.stderr)
        return CommandAnswer.of(answer, **more)
    written = algatt.certify(answer).to_json().encode("ascii")
    return CommandAnswer.of(answer, content=lambda kind: written, **more)


def compared(options: argparse.Namespace, progress: Progress) -> algatt.geometry.Equivalence:
    """Compare two checkpoints, or two files of parameters of an architecture."""
    paths = options.first, options.second
    if not any(map(is_parameters, paths)):
        for name in ("network", "width", "dims", "ranks", "score", "tolerance"):
            if getattr(options, name) is not None:
                raise InvalidArgument(f"--{name}", "given with checkpoints", "left out: it is read off their files")
        models = [import_network(path) if NAMED.search(path) else path for path in paths]
        return algatt.compare(*models, tokens=options.tokens, seed=options.seed)
    for place, path in zip(("first", "second"), paths, strict=True):
        if not is_parameters(path):
            raise InvalidArgument(place, f"{path}, a checkpoint", "a file of parameters, as the other is")
    points = [algatt.parameters.load(path) for path in paths]
    arch = architecture_of(min(points, key=lambda theta: COORDINATES.index(type(theta))), options)
    named = {"seed": options.seed, "error": options.error, "tolerance": options.tolerance}
    return algatt.compare(arch, *points, **named, progress=progress)


def page_of(answer: algatt.geometry.Equivalence, paths: Sequence[str]) -> str:
    """Return the page of a comparison of spaces and tensors of what is at two paths."""
    from algatt.views.comparison import page

    if answer.comparison is None:
        should = "given for weights that differ, of checkpoints or of more than 4096 parameters over the reals"
        raise InvalidArgument("--report", "given where no spaces were compared", should)
    return page(answer.comparison, {str(file): digest(file) for path in paths for file in files_of(Path(path))})
