"""The command ``algatt attention-spectrum``: spectra of random attention matrices, or of given ones."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import algatt
from algatt.cli.output import print_json
from algatt.errors import InvalidArgument
from algatt.files import read_array, shorten
from algatt.spectra import SpectrumReport

if TYPE_CHECKING:
    import numpy as np

__all__ = ["attention_spectrum"]


def attention_spectrum(options: argparse.Namespace) -> int:
    """Run ``algatt attention-spectrum``."""
    return of_ensemble(options) if options.matrix is None else of_matrices(options)


def of_ensemble(options: argparse.Namespace) -> int:
    """Draw attention matrices and the models that lead to a linear one."""
    from algatt.spectra import chain_distances, chain_reports
    from algatt.views import spectra
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_spectra

    if options.tokens is None:
        raise InvalidArgument("--tokens", "not given", "given, or --matrix FILE")
    if options.output is not None:
        spectra.check_target(options.output)  # before the work
    width, key_dim = (options.tokens if value is None else value for value in (options.width, options.key_dim))
    with warnings_in_a_line():
        ensemble = algatt.AttentionEnsemble(options.tokens, width, key_dim, 1.0 if options.beta is None else options.beta)
    given = {name: value for name in ("draws", "seed", "degree") if (value := getattr(options, name)) is not None}
    with ProgressBar("matrices") as progress:
        reports = chain_reports(ensemble, progress=progress, **given)
    if options.output is not None:
        spectra.write_chain(reports, options.output)
    if options.json:
        print_json([{**report.to_dict(), "wasserstein_attention": d} for report, d in zip(reports, chain_distances(reports), strict=True)])
    else:
        print_spectra(reports, sys.stdout)
    return 0


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
    if options.output is not None:
        spectra.check_target(options.output, panels=len(matrices))  # before the work
    with warnings_in_a_line():
        reports = tuple(reports_of(matrices, options))
    if options.output is not None:
        spectra.write_matrices(reports, options.output)
    if options.json:
        print_json([report.to_dict() for report in reports])
    else:
        print_matrices(reports, sys.stdout)
    return 0


def reports_of(matrices: Sequence[np.ndarray], options: argparse.Namespace) -> Iterator[SpectrumReport]:
    """Yield the report of each matrix, and show how far it is."""
    from algatt.spectra import matrix_report
    from algatt.views.progress import ProgressBar

    with ProgressBar("matrices") as progress:
        for number, matrix in enumerate(matrices, start=1):
            try:
                yield matrix_report(matrix, key_dim=options.key_dim, beta=options.beta)
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
        raise InvalidArgument("--matrix", f"{path!r}, which cannot be read ({error.strerror or error})", should) from error
    except ValueError as error:  # text, other formats, pickled objects
        raise InvalidArgument("--matrix", f"{path!r}, which holds no array of numbers ({shorten(str(error), 200)})", should) from error
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise InvalidArgument("--matrix", f"{path!r} with shape {array.shape}", should)
    return [array] if array.ndim == 2 else list(array)


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Write each warning about too few tokens as one line on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", algatt.FiniteSizeWarning)
        yield
    for warning in caught:
        sys.stderr.write(f"algatt: warning: {warning.message}\n")
