"""Measure how fast attention spectra approach their limit law; print the table and draw the figure, as svg and png.

    python scripts/attention_convergence.py -o docs/figures     up to 4000 tokens: about five minutes on one core

First the distances at 1000 tokens for several ratios and beta, 10 draws each, of attention and of the linear model;
then the growth of the number of tokens at fixed beta. All distances are those of whole spectra, none of the largest
values left out.

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from figure_files import run
from rich.console import Console
from rich.table import Table

import algatt
from algatt.spectra import SpectrumReport, predicted_top_singular_value, spectrum_report
from algatt.views.progress import ProgressBar
from algatt.views.spectra import convergence_figure

TOKENS, DRAWS = 1000, 10

SETTINGS = tuple((beta, ratio) for beta in (0.5, 1.0) for ratio in (1 / 3, 1.0, 2.0))

GROWTH = {250: 16, 500: 8, 1000: 4, 2000: 2, 4000: 1}
"""Draws for each number of tokens."""

BETAS = (0.5, 1.0, 1.5, 2.0)

WIDTH = 130
"""In a file or a pipe, where there is no terminal to fit in, the tables are this wide."""


def attention(tokens: int, ratio: float, beta: float) -> algatt.spectra.AttentionEnsemble:
    """Return an ensemble; that beta may be too large for the tokens is what is measured here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", algatt.spectra.FiniteSizeWarning)
        return algatt.spectra.AttentionEnsemble(tokens, tokens, round(tokens / ratio), beta)


def ensembles() -> Iterator[tuple[str, Any, int]]:
    """Iterate over what is to be measured, with the number of draws."""
    for beta, ratio in SETTINGS:
        yield "settings", attention(TOKENS, ratio, beta), DRAWS
        yield "settings", algatt.spectra.LinearEnsemble(TOKENS, TOKENS, round(TOKENS / ratio), beta), DRAWS
    for beta in BETAS:
        for tokens, draws in GROWTH.items():
            yield "growth", attention(tokens, 1.0, beta), draws


def measure() -> dict[str, list[SpectrumReport]]:
    """Make all reports."""
    reports: dict[str, list[SpectrumReport]] = {"settings": [], "growth": []}
    planned = list(ensembles())
    with ProgressBar("spectra") as progress:
        for number, (part, ensemble, draws) in enumerate(planned, start=1):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", algatt.spectra.FiniteSizeWarning)
                reports[part].append(spectrum_report(ensemble, draws=draws))
            progress(number, len(planned))
    return reports


def table(title: str, reports: Sequence[SpectrumReport]) -> Table:
    """Lay reports out, one in each row."""
    laid_out = Table(title=title, title_justify="left")
    for heading in (
        "model",
        "tokens",
        "l / d_qk",
        "beta",
        "draws",
        "W1 law",
        "W1 MP",
        "KS law",
        "KS MP",
        "edge",
        "beyond",
        "top",
        "predicted",
    ):
        laid_out.add_column(heading, justify="right")
    for report in reports:
        ensemble = report.ensemble
        name = type(ensemble).__name__.removesuffix("Ensemble")
        distances = (
            report.wasserstein,
            report.wasserstein_marchenko_pastur,
            report.kolmogorov,
            report.kolmogorov_marchenko_pastur,
        )
        top, predicted = ("", "")
        if isinstance(ensemble, algatt.spectra.AttentionEnsemble):
            top, predicted = f"{report.top_singular_value:.5f}", f"{predicted_top_singular_value(ensemble):.5f}"
        numbers = (
            ensemble.tokens,
            f"{ensemble.ratio:.3g}",
            f"{ensemble.beta:g}",
            report.draws,
            *(f"{distance:.3g}" for distance in distances),
        )
        laid_out.add_row(
            name,
            *map(str, numbers),
            f"{algatt.spectra.edge(report.law):.5g}",
            f"{report.beyond_edge:.3g}",
            top,
            predicted,
        )
    return laid_out


def figure() -> Any:
    """Measure, print and draw."""
    reports = measure()
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    for title, some in reports.items():
        console.print(table(title, some))
    return convergence_figure(reports["growth"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and draw, and return the exit code."""
    return run("attention_convergence", "Measure the convergence of attention spectra.", figure, arguments)


if __name__ == "__main__":
    sys.exit(main())
