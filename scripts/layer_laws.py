"""Measure how far whole layers of softmax attention are from their laws, print the tables and draw the figure, as svg
and png.

    python scripts/layer_laws.py -o docs/figures        2000 tokens, two draws each: about seven minutes on one core

For each layer: the Wasserstein-1 distance to the law divided by the mean of the law, the Kolmogorov distance, and by
how much the first three moments differ from those of the law, in parts of them, for softmax attention, and at the
smaller beta for the linear model; first the row of attention itself. Then the effective rank, the square of the sum of
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
    Skip,
    SpectrumReport,
    Stack,
    SumOfHeads,
    TiedValues,
    Values,
    limit_law,
    moments,
    sample_expression,
    spectrum_report,
)
from algatt.views.progress import ProgressBar
from algatt.views.spectra import layers_figure

TOKENS, DRAWS = 2000, 2

BETAS = (0.5, 1.0)

LAYERS = {
    "values": Values(),
    "tied values": TiedValues(),
    "two heads": SumOfHeads(2),
    "skip": Skip(1.0),
    "three layers": Stack(3),
    "two layers, skips": Stack(2, 0.5),
}

DEPTH, TOKENS_OF_DEPTH = 6, 500

STRENGTHS = (0.0, 0.5, 1.0)


def ensembles(beta: float) -> dict[str, Ensemble]:
    """Return what is drawn, by name."""
    sizes = (TOKENS, TOKENS, TOKENS, beta)
    layers = {name: LayerEnsemble(*sizes, layer) for name, layer in LAYERS.items()}
    return {"attention": AttentionEnsemble(*sizes), **layers, "causal": CausalEnsemble(*sizes)}


def deviations(values: np.ndarray, law: Any) -> str:
    """Return by how much the first three moments of values differ from those of a law, in parts of them."""
    return " ".join(f"{(values**q).mean() / m - 1:+.4f}" for q, m in enumerate(moments(law, 3), start=1))


def linear_values(ensemble: Ensemble, draw: int) -> np.ndarray | None:
    """Return the squared singular values of the linear model of a layer, or None where there is none."""
    if isinstance(ensemble, AttentionEnsemble):
        sizes = (ensemble.tokens, ensemble.width, ensemble.key_dim, ensemble.beta)
        return algatt.spectra.squared_singular_values(LinearEnsemble(*sizes), seed=draw, drop=0)
    if isinstance(ensemble, LayerEnsemble):
        matrix = sample_expression(limit_law(ensemble).expression, ensemble.tokens, seed=draw)
        return algatt.spectra.squared_singular_values(matrix)
    return None


def measure(beta: float) -> dict[str, SpectrumReport]:
    """Make the reports of one beta and print their rows."""
    reports = {}
    print(f"beta = {beta:g}, {TOKENS} tokens, {DRAWS} draws", flush=True)
    print("layer", "W1 / mean", "W1 MP / mean", "KS", "moments", "linear model: W1 / mean", "moments", sep="\t")
    for name, ensemble in ensembles(beta).items():
        report = spectrum_report(ensemble, draws=DRAWS)
        mean = moments(report.law, 1)[0]
        drawn = range(DRAWS if beta == BETAS[0] else 0)
        linear = [values for draw in drawn if (values := linear_values(ensemble, draw)) is not None]
        cells = [f"{report.wasserstein / mean:.5f}", f"{report.wasserstein_marchenko_pastur / mean:.3f}"]
        cells += [f"{report.kolmogorov:.4f}", deviations(report.values, report.law)]
        if linear:
            pooled = np.concatenate(linear)
            distance = algatt.spectra.wasserstein_distance(pooled, report.law) / mean
            cells += [f"{distance:.5f}", deviations(pooled, report.law)]
        print(name, *cells, sep="\t", flush=True)
        reports[name] = report
    return reports


def effective_ranks(beta: float, strength: float) -> tuple[list[float], list[float]]:
    """Return the effective ranks of stacks of layers, measured and predicted."""
    measured, predicted = [], []
    for layers in range(1, DEPTH + 1):
        sizes = (TOKENS_OF_DEPTH,) * 3
        ensemble = LayerEnsemble(*sizes, beta, Stack(layers, strength))
        squares = algatt.spectra.squared_singular_values(ensemble, seed=0, drop=0)
        measured.append(float(squares.mean() ** 2 / (squares**2).mean()))
        first, second = moments(limit_law(ensemble), 2)
        predicted.append(first**2 / second)
    return measured, predicted


def figure() -> Any:
    """Measure, print and draw."""
    warnings.simplefilter("ignore", FiniteSizeWarning)
    reports = {beta: measure(beta) for beta in BETAS}
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
