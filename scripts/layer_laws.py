"""Measure how far whole layers of softmax attention are from their laws, print the tables and draw the figure, as svg
and png.

    python scripts/layer_laws.py -o docs/figures        2000 tokens, four draws each: a quarter of an hour on one core

For each layer, first attention itself: the Wasserstein-1 distances of the squared singular values to the limit law, to
the law of so many tokens and to the Marchenko-Pastur law, in parts of the mean of the limit law, the first two also of
its root mean square; the Kolmogorov distance to the limit law; and by how much the first three moments differ from
those of the two laws, in thousandths of them, with the standard error. Where there is one, also the distance of draws
of the linear model, whose entries are Gaussian.

Then how much the first two moments of draws with 500 tokens differ from those of the limit law, times the number of
tokens, with the standard error: differences are of the order 1/l. At last the effective rank, the square of the sum of
the squared singular values over the sum of their squares, of 1 to 6 layers, in parts of the tokens, measured with 500
tokens and predicted by the first two moments.

Exit code: 0 if the files are written, 2 for bad arguments.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from figure_files import run

import algatt
from algatt.spectra import (
    AttentionEnsemble,
    CausalEnsemble,
    Ensemble,
    FiniteSizeWarning,
    LayerEnsemble,
    LinearEnsemble,
    ProductOfLayers,
    Skip,
    SpectrumReport,
    SumOfHeads,
    TiedValues,
    Values,
    finite_law,
    limit_law,
    moments,
    sample_expression,
    spectrum_report,
    squared_singular_values,
)
from algatt.views.progress import ProgressBar
from algatt.views.spectra import layers_figure

TOKENS, DRAWS = 2000, 4

FEWER_TOKENS, MORE_DRAWS = 500, 60
"""For the moments."""

BETAS = (0.5, 1.0)

LAYERS = {
    "values": Values(),
    "tied values": TiedValues(),
    "two heads": SumOfHeads(2),
    "skip": Skip(1.0),
    "three layers": ProductOfLayers(3),
    "two layers, skips": ProductOfLayers(2, 0.5),
}

DEPTH, TOKENS_OF_DEPTH = 6, 500

STRENGTHS = (0.0, 0.5, 1.0)


def ensembles(beta: float, tokens: int) -> dict[str, Ensemble]:
    """Return what is drawn, by name."""
    sizes = (tokens, tokens, tokens, beta)
    layers = {name: LayerEnsemble(*sizes, layer) for name, layer in LAYERS.items()}
    return {"attention": AttentionEnsemble(*sizes), **layers, "causal": CausalEnsemble(*sizes)}


def deviations(values: np.ndarray, law: Any, count: int = 3) -> list[tuple[float, float]]:
    """Return by how much the first moments of draws, a row for each, differ from those of a law, in parts of them, with
    the standard error.
    """
    found = []
    for q, moment in enumerate(moments(law, count), start=1):
        parts = (values**q).mean(axis=1) / moment
        error = parts.std(ddof=1) / len(parts) ** 0.5 if len(parts) > 1 else float("nan")
        found.append((float(parts.mean()) - 1, float(error)))
    return found


def written(found: Sequence[tuple[float, float]], factor: float) -> str:
    """Write deviations times a factor, with their errors."""
    return " ".join(f"{factor * a:+.1f}({factor * b:.1f})" for a, b in found)


def linear_values(ensemble: Ensemble, draw: int) -> np.ndarray | None:
    """Return the squared singular values of the linear model of a layer, or None where there is none."""
    if isinstance(ensemble, AttentionEnsemble):
        sizes = (ensemble.tokens, ensemble.width, ensemble.key_dim, ensemble.beta)
        return squared_singular_values(LinearEnsemble(*sizes), seed=draw, drop=0)
    if isinstance(ensemble, LayerEnsemble):
        matrix = sample_expression(limit_law(ensemble).expression, ensemble.tokens, seed=draw)
        return squared_singular_values(matrix)
    return None


def measure(beta: float) -> dict[str, SpectrumReport]:
    """Make the reports of one beta and print their rows."""
    reports = {}
    print(f"beta = {beta:g}, {TOKENS} tokens, {DRAWS} draws", flush=True)
    headings = ("layer", "W1 / mean", "of so many tokens", "linear model", "Marchenko-Pastur")
    print(*headings, "W1 / rms", "of so many tokens", "KS", "moments", "of so many tokens", sep="\t")
    for name, ensemble in ensembles(beta, TOKENS).items():
        report = spectrum_report(ensemble, draws=DRAWS)
        mean, square = moments(report.law, 2)
        finite = finite_law(ensemble)
        distances = [report.wasserstein, float(algatt.spectra.wasserstein_distance(report.values, finite))]
        linear = [values for draw in range(DRAWS) if (values := linear_values(ensemble, draw)) is not None]
        of_linear = algatt.spectra.wasserstein_distance(np.concatenate(linear), report.law) if linear else float("nan")
        cells = [f"{one / mean:.5f}" for one in (*distances, of_linear, report.wasserstein_marchenko_pastur)]
        cells += [f"{one / square**0.5:.5f}" for one in distances]
        cells += [f"{report.kolmogorov:.4f}"]
        cells += [written(deviations(report.values, law), 1000) for law in (report.law, finite)]
        print(name, *cells, sep="\t", flush=True)
        reports[name] = report
    return reports


def measure_moments(beta: float) -> None:
    """Print by how much the first two moments of draws of fewer tokens differ from those of the limit law, times the
    number of tokens.
    """
    print(f"beta = {beta:g}, {FEWER_TOKENS} tokens, {MORE_DRAWS} draws: deviations of moments, times the tokens")
    for name, ensemble in ensembles(beta, FEWER_TOKENS).items():
        values = [squared_singular_values(ensemble, seed=draw, drop=0) for draw in range(MORE_DRAWS)]
        found = deviations(np.stack(values), limit_law(ensemble), 2)
        print(name, written(found, FEWER_TOKENS), sep="\t", flush=True)


def effective_ranks(beta: float, strength: float) -> tuple[list[float], list[float]]:
    """Return the effective ranks of stacks of layers, measured and predicted."""
    measured, predicted = [], []
    for layers in range(1, DEPTH + 1):
        sizes = (TOKENS_OF_DEPTH,) * 3
        ensemble = LayerEnsemble(*sizes, beta, ProductOfLayers(layers, strength))
        squares = squared_singular_values(ensemble, seed=0, drop=0)
        measured.append(float(squares.mean() ** 2 / (squares**2).mean()))
        first, second = moments(limit_law(ensemble), 2)
        predicted.append(first**2 / second)
    return measured, predicted


def figure() -> Any:
    """Measure, print and draw."""
    warnings.simplefilter("ignore", FiniteSizeWarning)
    reports = {beta: measure(beta) for beta in BETAS}
    for beta in BETAS:
        measure_moments(beta)
    depth = {}
    with ProgressBar("strengths") as progress:
        for number, strength in enumerate(STRENGTHS, start=1):
            name = f"skips, t = {strength:g}" if strength else "no skips"
            depth[name] = effective_ranks(0.5, strength)
            progress(number, len(STRENGTHS))
    print(f"effective rank / tokens, beta = 0.5, {TOKENS_OF_DEPTH} tokens, 1 to {DEPTH} layers: measured, predicted")
    for name, (measured, predicted) in depth.items():
        print(name, *(f"{a:.4f} ({b:.4f})" for a, b in zip(measured, predicted, strict=True)), sep="\t")
    shown = {name: report for name, report in reports[BETAS[-1]].items() if name != "attention"}
    return layers_figure(shown, depth)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and draw, and return the exit code."""
    return run("layer_laws", "Measure the laws of whole layers of attention.", figure, arguments)


if __name__ == "__main__":
    sys.exit(main())
