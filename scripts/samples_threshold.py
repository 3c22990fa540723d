"""Learn teachers of small dimension from m numbers, for m around the dimension, and draw from how many on the student
is the teacher.

    python scripts/samples_threshold.py -o docs/figures
    python scripts/samples_threshold.py --seeds 5 --json

A sample is one number: a random linear form of the teacher's value at random tokens of length one. Students start at
random weights and fit their samples by steps of Levenberg and Marquardt, in numpy alone, until the error is rounding.
Among the students that fit, those are counted whose error at fresh inputs is rounding as well. With fewer samples than
`algatt.dimension` the functions that fit are a set of positive dimension, so almost none of them is the teacher. With
as many they are isolated, and there may be several. With one more, generic samples leave the teacher alone where the
student is not stuck. About six minutes on one core.

Exit code: 0 if no student that fits fewer samples than the dimension is the teacher, and some student of each network
is with each larger number; 1 if not; 2 for bad arguments.
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

NETWORKS: dict[str, Any] = {
    "lightning 2, 1": algatt.Lightning((2, 1), (2,), 2),
    "lightning 3, 2": algatt.Lightning((3, 2), (1,), 2),
    "lightning 2, 2, 2": algatt.Lightning((2, 2, 2), (2, 2), 2),
    "softmax 2, 2": algatt.Softmax((2, 2), (2,), 2),
}
"""The teachers, by name: widths of lightning or softmax networks."""

OFFSETS = range(-3, 5)
"""Numbers of samples, less the dimension."""

STEPS = 200
"""Maximum number of steps of one student."""

STARTS = 4
"""Maximum number of random starts of a student until it fits."""

FITS = 1e-9
"""Relative error from which on samples are fitted."""

IS_TEACHER = 1e-5
"""Relative error at fresh inputs from which on a student is the teacher."""

FRESH = 30
"""Fresh inputs."""


@dataclass(frozen=True)
class Count:
    """What came of the students with one number of samples.

    Parameters
    ----------
    network : str
        The name of the network.
    parameters, dimension, samples : int
        Their numbers.
    students, fit, found : int
        How many students there were, how many fit their samples, and how many of these are the teacher.
    """

    network: str
    parameters: int
    dimension: int
    samples: int
    students: int
    fit: int
    found: int


class Readings:
    """Numbers that are read off a network: linear forms of its values at inputs.

    Parameters
    ----------
    arch : Lightning or Normalized
        The network.
    seed : int
        Of inputs and forms.
    count : int
        How many.
    """

    def __init__(self, arch: Any, seed: int, count: int) -> None:
        generator = np.random.default_rng(seed)
        self.arch = arch
        inputs = generator.standard_normal((count, arch.dims[0], arch.tokens))
        self.inputs = inputs / np.linalg.norm(inputs, axis=1, keepdims=True)
        self.forms = generator.standard_normal((count, arch.dims[-1] * arch.tokens))

    def values(self, weights: np.ndarray) -> np.ndarray:
        """Return the numbers, shape (count,)."""
        theta = algatt.unflatten(self.arch, algatt.Weights, weights)
        values = algatt.evaluate(self.arch, theta, self.inputs).reshape(self.forms.shape)
        read: np.ndarray = (self.forms * values).sum(axis=1)
        return read

    def derivatives(self, weights: np.ndarray) -> np.ndarray:
        """Return their gradients, shape (count, parameters)."""
        theta = algatt.unflatten(self.arch, algatt.Weights, weights)
        rows = algatt.jacobian(self.arch, theta, self.inputs).reshape(*self.forms.shape, -1)
        read: np.ndarray = (self.forms[:, :, None] * rows).sum(axis=1)
        return read


def fit(readings: Readings, target: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, bool]:
    """Fit the weights of a student by steps of Levenberg and Marquardt; return them, and whether they fit."""
    damping, error = 1e-2, readings.values(weights) - target
    goal = FITS * np.linalg.norm(target)
    for _ in range(STEPS):
        if np.linalg.norm(error) <= goal:
            return weights, True
        rows = readings.derivatives(weights)
        while damping < 1e12:
            gram = rows @ rows.T + damping * np.eye(len(rows))
            tried = weights - rows.T @ np.linalg.solve(gram, error)
            left = readings.values(tried) - target
            if np.linalg.norm(left) < np.linalg.norm(error):
                weights, error, damping = tried, left, max(damping / 5, 1e-12)
                break
            damping *= 4
        else:
            return weights, False
    return weights, bool(np.linalg.norm(error) <= goal)


def is_teacher(arch: Any, teacher: np.ndarray, student: np.ndarray) -> bool:
    """Return whether two weights have the same values at fresh inputs, to rounding."""
    fresh = Readings(arch, 10**6, FRESH)
    expected = fresh.values(teacher)
    return bool(np.linalg.norm(fresh.values(student) - expected) <= IS_TEACHER * np.linalg.norm(expected))


def learn(name: str, seeds: int) -> list[Count]:
    """Teach students of one network with each number of samples."""
    arch = NETWORKS[name]
    report = algatt.dimension(arch)
    counts = []
    for samples in (report.value + offset for offset in OFFSETS):
        fitted = found = 0
        for seed in range(seeds):
            generator = np.random.default_rng([seed, samples])
            teacher = generator.standard_normal(report.parameters)
            readings = Readings(arch, seed, samples)
            target = readings.values(teacher)
            for _ in range(STARTS):
                student, fits = fit(readings, target, generator.standard_normal(report.parameters))
                if fits:
                    fitted += 1
                    found += is_teacher(arch, teacher, student)
                    break
        counts.append(Count(name, report.parameters, report.value, samples, seeds, fitted, found))
    return counts


def draw(counts: Sequence[Count]) -> Any:
    """Draw the share of students that are the teacher, over the number of samples less the dimension."""
    figure = new_figure(PAGE, 2.6)
    axes = figure.add_axes((0.09, 0.18, 0.58, 0.72))
    for name, marker, shade in zip(NETWORKS, "os^D", ("#08306b", "#3b7ab5", "#9ecae1", "#e6862e"), strict=True):
        rows = [count for count in counts if count.network == name]
        label = f"{name}: dimension {rows[0].dimension} of {rows[0].parameters}"
        shares = [count.found / max(count.fit, 1) for count in rows]
        axes.plot([count.samples - count.dimension for count in rows], shares, marker=marker, color=shade, label=label)
    axes.axvline(0, color="0.6", linewidth=0.8, linestyle="--")
    axes.set_xlabel("samples less the dimension")
    axes.set_ylabel("students that are the teacher")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, fontsize=7)
    return figure


def is_sound(counts: Sequence[Count]) -> bool:
    """Return whether the thresholds are where the dimensions say: nobody below, somebody above."""
    below = all(not count.found for count in counts if count.samples < count.dimension)
    return below and all(count.found for count in counts if count.samples > count.dimension)


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, print a line for each number of samples, draw, and return the exit code."""
    parser = Parser(prog="samples_threshold", description="Learn teachers from samples around their dimension.")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write samples_threshold.svg and .png there")
    parser.add_argument("--only", choices=sorted(NETWORKS), metavar="NETWORK", help="one network, and no figure")
    parser.add_argument("--seeds", type=positive, default=12, metavar="N", help="teachers for each number (default 12)")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    options = parser.parse_args(arguments)
    if options.output and options.only:
        parser.error("argument -o: a figure shows all networks, so it does not go with --only")
    names = [options.only] if options.only else list(NETWORKS)
    files = [options.output / f"samples_threshold.{suffix}" for suffix in ("svg", "png")] if options.output else []
    try:
        for file in files:
            check_writable(file)
        counts = [count for name in names for count in learn(name, options.seeds)]
        if options.json:
            print(json.dumps([asdict(count) for count in counts], indent=2))
        else:
            for count in counts:
                print(
                    f"{count.network:18} dimension {count.dimension:2} samples {count.samples:2}: "
                    f"{count.found:2} of {count.fit:2} that fit are the teacher ({count.students} students)"
                )
        for file in files:
            write_atomically(file, render(draw(counts), file.suffix.removeprefix(".")))
    except algatt.AlgattError as error:
        print(f"samples_threshold: {error}", file=sys.stderr)
        return 2
    return 0 if is_sound(counts) else 1


if __name__ == "__main__":
    sys.exit(main())
