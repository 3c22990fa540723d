"""The command ``algatt attention-spectrum``: spectra of random attention matrices, or of given ones."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_beta, add_json, beta_of
from algatt.cli.output import Output, add_output, print_json
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument
from algatt.files import read_array, shorten
from algatt.spectra import SpectrumReport
from algatt.views.plotting import PICTURES, check_installed, render

if TYPE_CHECKING:
    import numpy as np

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the ensemble or the file, and what is written."""
    parser.add_argument("--tokens", type=int, metavar="L", help="number of tokens, at most the width")
    parser.add_argument(
        "--width",
        type=int,
        metavar="D",
        help="width of a token (default: the number of tokens); no result depends on it",
    )
    parser.add_argument(
        "--key-dim", type=int, metavar="K", help="width of queries and keys (default: the number of tokens)"
    )
    add_beta(parser, "1; with --matrix, estimated from it")
    parser.add_argument("--draws", type=int, metavar="N", help="random matrices of each model (default 10)")
    parser.add_argument("--degree", type=int, metavar="N", help="degree of the polynomial model (default 10)")
    parser.add_argument("--seed", type=int, metavar="N", help="names the first draw (default 0)")
    parser.add_argument(
        "--matrix",
        metavar="FILE",
        help="instead of random matrices, one of shape (L, L) or several of shape (heads, L, L) in an .npy file",
    )
    add_output(parser, "draw the spectra", PICTURES)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print, draw and write spectra."""
    return of_ensemble(options) if options.matrix is None else of_matrices(options)


def of_ensemble(options: argparse.Namespace) -> int:
    """Draw attention matrices and the models that lead to a linear one."""
    from algatt.spectra import chain_distances, chain_reports
    from algatt.views import spectra
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_spectra

    if options.tokens is None:
        raise InvalidArgument("--tokens", "not given", "given, or --matrix FILE")
    output = Output.of(options)
    if output is not None:
        check_installed()  # before the work
    beta = beta_of(options)
    width, key_dim = (options.tokens if value is None else value for value in (options.width, options.key_dim))
    with warnings_in_a_line():
        ensemble = algatt.spectra.AttentionEnsemble(options.tokens, width, key_dim, 1.0 if beta is None else beta)
    given = {name: value for name in ("draws", "seed", "degree") if (value := getattr(options, name)) is not None}
    with warnings_in_a_line(), ProgressBar("matrices") as progress:
        reports = chain_reports(ensemble, progress=progress, **given)
    if output is not None:
        output.write(render(spectra.chain_figure(reports), output.kind))
    if options.json:
        distances = chain_distances(reports)
        chain = [{**report.to_dict(), "wasserstein_attention": d} for report, d in zip(reports, distances, strict=True)]
        print_json("attention-spectrum", {"reports": chain})
    elif output is None or not output.on_stdout:
        print_spectra(reports, sys.stdout)
    return ExitCode.DONE


def of_matrices(options: argparse.Namespace) -> int:
    """Compare the matrices of a file with the limit law."""
    from algatt.views import spectra
    from algatt.views.tables import print_matrices

    for name in ("tokens", "width", "draws", "degree", "seed"):
        if getattr(options, name) is not None:
            raise InvalidArgument(f"--{name}", "given with --matrix", "left out: nothing is drawn")
    if options.key_dim is None:
        raise InvalidArgument("--key-dim", "not given", "given with --matrix: the width of the queries and keys")
    matrices = stored_matrices(options.matrix)
    output = Output.of(options)
    if output is not None:  # before the work
        check_installed()
        spectra.check_panels(len(matrices))
    with warnings_in_a_line():
        reports = tuple(reports_of(matrices, options))
    if output is not None:
        output.write(render(spectra.matrices_figure(reports), output.kind))
    if options.json:
        print_json("attention-spectrum", {"reports": [report.to_dict() for report in reports]})
    elif output is None or not output.on_stdout:
        print_matrices(reports, sys.stdout)
    return ExitCode.DONE


def reports_of(matrices: Sequence[np.ndarray], options: argparse.Namespace) -> Iterator[SpectrumReport]:
    """Yield the report of each matrix, and show how far it is."""
    from algatt.spectra import matrix_report
    from algatt.views.progress import ProgressBar

    beta = beta_of(options)
    with ProgressBar("matrices") as progress:
        for number, matrix in enumerate(matrices, start=1):
            try:
                yield matrix_report(matrix, key_dim=options.key_dim, beta=beta)
            except InvalidArgument as error:
                if error.argument != "attention":
                    raise
                raise InvalidArgument(f"matrix {number} of {options.matrix}", error.was, error.should) from None
            progress(number, len(matrices))


def stored_matrices(path: str) -> Sequence[np.ndarray]:
    """Return the matrices of an .npy file, which holds one, or a stack of them."""
    should = "an .npy file of numpy with one attention matrix of shape (l, l), or several of shape (heads, l, l)"
    try:
        array = read_array(path)
    except OSError as error:
        raise InvalidArgument(
            "--matrix", f"{path!r}, which cannot be read ({error.strerror or error})", should
        ) from error
    except ValueError as error:  # text, other formats, pickled objects
        raise InvalidArgument(
            "--matrix", f"{path!r}, which holds no array of numbers ({shorten(str(error), 200)})", should
        ) from error
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise InvalidArgument("--matrix", f"{path!r} with shape {array.shape}", should)
    return [array] if array.ndim == 2 else list(array)


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Write each warning about too few tokens as one line on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", algatt.spectra.FiniteSizeWarning)
        yield
    for warning in caught:
        sys.stderr.write(f"algatt: warning: {warning.message}\n")


COMMAND = Command(
    description="Draw random attention matrices and the models that lead to a linear one, or read given matrices, and "
    "compare their spectra with "
    "the limit law.",
    add_options=add_options,
    run=run,
)
