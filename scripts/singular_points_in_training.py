"""Train layers of lightning and softmax attention and draw how far their weights are from the singular points.

    python scripts/singular_points_in_training.py -o docs/figures
    python scripts/singular_points_in_training.py --seeds 10 --steps 300 --json

Teachers and students are one layer of width 4 with values of width 3, rank 2 and 3 tokens, their gradients closed forms
in numpy; students start small or large and take steps of Adam on fresh inputs. Along the way the script measures the
distances of (A, V), A and V divided by their Frobenius norms so that the scale between them plays no part, from

- the singular points of HMK Theorem 3.4: A and V of rank one (the crossings), or A of lower rank than a (the rank);
- the critical points of HMK Lemma A.3: A = u q^T and V = v u^T (the boundary).

The strata are those of lightning attention; of softmax attention they are measured for comparison. The null is random
weights: Q, K and V with independent normal entries, whose distances do not depend on their norms. A share is the share
of seeds that are closer than 19 of 20 random weights: 0.05 says nothing. About two minutes on one core.

Exit code: 0 when done, 2 for bad arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from options import Parser, positive

import algatt
from algatt.files import check_writable, write_atomically
from algatt.views.plotting import PAGE, new_figure, render

WIDTH, VALUES, RANK, TOKENS = 4, 3, 2, 3

INPUTS = 64
"""Inputs of one step."""

RATE = 0.003
"""Of Adam."""

STARTS = {"small": 0.05, "large": 1.0}
"""Standard deviation of the entries of a student at the start."""

STRATA = ("crossings", "rank", "boundary")

QUANTILE = 0.05
"""Of the null, below which a distance is small."""

RANDOM = 2000
"""Random weights of the null."""

Weights = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Course:
    """Distances along the training of many students.

    Parameters
    ----------
    kind, start : str
        ``lightning`` or ``softmax``, ``small`` or ``large``.
    steps : list of int
        Steps that are measured.
    loss : list of float
        The median of the relative error.
    distances : dict of str to list of float
        The median distance from each stratum.
    shares : dict of str to list of float
        The share of students that are closer to each than 19 of 20 random weights.
    closest : dict of str to float
        The share of students that are so at any measured step.
    """

    kind: str
    start: str
    steps: list[int]
    loss: list[float]
    distances: dict[str, list[float]]
    shares: dict[str, list[float]]
    closest: dict[str, float]


def forward(kind: str, weights: Weights, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the values, and the matrix that mixes tokens; the first axis is seeds, the second inputs."""
    Q, K, V = (matrix[:, None] for matrix in weights)
    scores = (K @ X).swapaxes(-1, -2) @ (Q @ X)  # key, query
    if kind == "softmax":
        scores = np.exp(scores - scores.max(axis=-2, keepdims=True))
        scores /= scores.sum(axis=-2, keepdims=True)
    return V @ X @ scores, scores


def gradients(kind: str, weights: Weights, X: np.ndarray, target: np.ndarray) -> tuple[Weights, np.ndarray]:
    """Return the gradients of half the mean square error in Q, K and V, and the error relative to the target."""
    Q, K, V = (matrix[:, None] for matrix in weights)
    values, mixing = forward(kind, weights, X)
    error = values - target
    in_mixing = (V @ X).swapaxes(-1, -2) @ error
    in_scores = in_mixing
    if kind == "softmax":
        in_scores = mixing * (in_mixing - (mixing * in_mixing).sum(axis=-2, keepdims=True))
    in_V = (error @ (X @ mixing).swapaxes(-1, -2)).mean(axis=1)
    in_Q = (K @ X @ in_scores @ X.swapaxes(-1, -2)).mean(axis=1)
    in_K = (Q @ X @ in_scores.swapaxes(-1, -2) @ X.swapaxes(-1, -2)).mean(axis=1)
    axes = (1, 2, 3)
    return (in_Q, in_K, in_V), np.sqrt((error**2).sum(axis=axes) / (target**2).sum(axis=axes))


def distances(weights: Weights) -> dict[str, np.ndarray]:
    """Return the distances of the pairs (A, V), of norm one each, from the strata."""
    Q, K, V = weights
    A = K.swapaxes(-1, -2) @ Q
    A = A / np.linalg.norm(A, axis=(-2, -1), keepdims=True)
    V = V / np.linalg.norm(V, axis=(-2, -1), keepdims=True)
    of_A, of_V = (np.linalg.svd(matrix, compute_uv=False) for matrix in (A, V))
    common = np.linalg.svd(np.concatenate([A, V.swapaxes(-1, -2)], axis=-1), compute_uv=False)
    squares = {
        "crossings": 2 - of_A[..., 0] ** 2 - of_V[..., 0] ** 2,
        "rank": of_A[..., RANK - 1] ** 2,
        "boundary": 2 - common[..., 0] ** 2,
    }
    return {name: np.sqrt(np.maximum(square, 0)) for name, square in squares.items()}


def random_weights(generator: np.random.Generator, count: int, size: float) -> Weights:
    """Return Q, K and V with independent normal entries."""
    shapes = (RANK, WIDTH), (RANK, WIDTH), (VALUES, WIDTH)
    Q, K, V = (size * generator.standard_normal((count, *shape)) for shape in shapes)
    return Q, K, V


def null() -> dict[str, np.ndarray]:
    """Return the distances of random weights."""
    return distances(random_weights(np.random.default_rng(0), RANDOM, 1.0))


def train(kind: str, start: str, seeds: int, steps: int) -> Course:
    """Train students side by side, one for each seed, with a teacher each."""
    generator = np.random.default_rng([len(kind), len(start)])
    teacher = random_weights(generator, seeds, WIDTH**-0.5)
    weights = random_weights(generator, seeds, STARTS[start] * WIDTH**-0.5)
    bounds = {name: np.quantile(values, QUANTILE) for name, values in null().items()}
    measured = sorted({int(step) for step in np.geomspace(1, steps + 1, 40)} | {1})
    first, second = ([np.zeros_like(matrix) for matrix in weights] for _ in range(2))
    loss, rows = [], []
    for step in range(1, steps + 2):
        X = generator.standard_normal((seeds, INPUTS, WIDTH, TOKENS))
        slopes, error = gradients(kind, weights, X, forward(kind, teacher, X)[0])
        if step in measured:
            loss.append(float(np.median(error)))
            rows.append(distances(weights))
        moved = []
        for index, (matrix, slope) in enumerate(zip(weights, slopes, strict=True)):
            first[index] = 0.9 * first[index] + 0.1 * slope
            second[index] = 0.999 * second[index] + 0.001 * slope**2
            mean, square = first[index] / (1 - 0.9**step), second[index] / (1 - 0.999**step)
            moved.append(matrix - RATE * mean / (np.sqrt(square) + 1e-8))
        weights = (moved[0], moved[1], moved[2])
    close = {name: np.array([row[name] < bounds[name] for row in rows]) for name in STRATA}
    return Course(
        kind,
        start,
        [step - 1 for step in measured],
        loss,
        {name: [float(np.median(row[name])) for row in rows] for name in STRATA},
        {name: [float(share) for share in close[name].mean(axis=1)] for name in STRATA},
        {name: float(close[name].any(axis=0).mean()) for name in STRATA},
    )


def draw(courses: Sequence[Course]) -> Any:
    """Draw the median distances over the steps, with the median of the null and its quantile."""
    figure = new_figure(PAGE, 4.1)
    random = null()
    for index, course in enumerate(courses):
        axes = figure.add_axes((0.08 + 0.5 * (index % 2), 0.57 - 0.46 * (index // 2), 0.4, 0.32))
        for name, shade in zip(STRATA, ("#08306b", "#3b7ab5", "#e6862e"), strict=True):
            axes.plot([step + 1 for step in course.steps], course.distances[name], color=shade, label=name)
            axes.axhline(float(np.median(random[name])), color=shade, linewidth=0.6, linestyle="--")
            axes.axhline(float(np.quantile(random[name], QUANTILE)), color=shade, linewidth=0.6, linestyle=":")
        axes.plot([step + 1 for step in course.steps], course.loss, color="0.6", label="error")
        axes.set_xscale("log")
        axes.set_ylim(0, 1.2)
        axes.set_title(f"{course.kind}, {course.start} start", fontsize=8)
        if index // 2:
            axes.set_xlabel("steps + 1")
        if not index % 2:
            axes.set_ylabel("median distance")
        if not index:
            figure.legend(*axes.get_legend_handles_labels(), loc="upper center", ncols=4, frameon=False, fontsize=7)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, print the distances at the start, in the middle and in the end, draw, and return the exit code."""
    parser = Parser(prog="singular_points_in_training", description="Distances from singular points along training.")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write the figure there, as svg and png")
    parser.add_argument("--seeds", type=positive, default=50, metavar="N", help="students of each kind (default 50)")
    parser.add_argument("--steps", type=positive, default=1500, metavar="N", help="of Adam (default 1500)")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    options = parser.parse_args(arguments)
    name = "singular_points_in_training"
    files = [options.output / f"{name}.{suffix}" for suffix in ("svg", "png")] if options.output else []
    try:
        for file in files:
            check_writable(file)
        kinds = [(kind, start) for kind in ("lightning", "softmax") for start in STARTS]
        courses = [train(kind, start, options.seeds, options.steps) for kind, start in kinds]
        if options.json:
            print(json.dumps([asdict(course) for course in courses], indent=2))
        else:
            report(courses)
        for file in files:
            write_atomically(file, render(draw(courses), file.suffix.removeprefix(".")))
    except algatt.AlgattError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0


def report(courses: Sequence[Course]) -> None:
    """Print the median distance and the share of students that are close, at some steps."""
    for name, values in null().items():
        print(f"random weights: {name:9} median {np.median(values):.3f}, 5% below {np.quantile(values, QUANTILE):.3f}")
    for course in courses:
        print(f"{course.kind}, {course.start} start")
        shown = sorted({0, len(course.steps) // 2, 3 * len(course.steps) // 4, len(course.steps) - 1})
        for index in shown:
            parts = [f"{n} {course.distances[n][index]:.3f} (share {course.shares[n][index]:.2f})" for n in STRATA]
            print(f"  step {course.steps[index]:5} error {course.loss[index]:.3f}: {', '.join(parts)}")
        print(f"  ever close: {', '.join(f'{n} {course.closest[n]:.2f}' for n in STRATA)}")


if __name__ == "__main__":
    sys.exit(main())
