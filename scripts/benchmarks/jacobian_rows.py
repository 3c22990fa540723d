"""What the rows of the Jacobian cost, beside their elimination."""

from __future__ import annotations

import numpy as np

import algatt
from algatt.architectures.base import draw_inputs
from algatt.fields import Elements
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.question import Question
from algatt.maps import gradients
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import say
from benchmarks.timing import interleaved, seconds_of

__all__ = ["measure_rows"]

ARCHITECTURES = (
    algatt.Lightning((24, 24, 24), (10, 10), 4),
    algatt.Lightning((32, 32, 32), (16, 16), 4),
    algatt.Lightning((48, 48, 48), (24, 24), 4),
)
"""Of 2112, 4096 and 9216 parameters."""


def measure_rows(runs: int, quick: bool) -> list[Figure]:
    """Measure as many rows as the dimension needs: their computation, and the growth of the row space; the smallest
    alone if quick.
    """
    return [figure for arch in ARCHITECTURES[: 1 if quick else None] for figure in one_architecture(arch, runs)]


def one_architecture(arch: algatt.Lightning, runs: int) -> list[Figure]:
    """Measure one architecture."""
    say(f"Jacobian rows, {arch.parameters} parameters")
    field = algatt.PrimeField()
    theta = algatt.sample(arch, algatt.Weights, field=field)
    upper = upper_bound(Question(arch), field, theta)
    columns = np.setdiff1d(np.arange(arch.parameters), upper.minor.columns)
    inputs = Elements(field, draw_inputs(arch, field, 0, 0, upper.value))
    outputs = np.arange(upper.value) % (arch.dims[-1] * arch.tokens)
    rows = Elements(field, gradients(arch, theta, inputs, outputs=outputs).raw[:, columns])
    seconds = interleaved(
        {
            "building": lambda: seconds_of(lambda: gradients(arch, theta, inputs, outputs=outputs)),
            "eliminating": lambda: seconds_of(lambda: algatt.linalg.RowSpace(field, len(columns)).add(rows)),
        },
        runs,
    )
    name = f"{arch.parameters} parameters, {upper.value} rows"
    return [
        median_of(f"building the Jacobian, {name}", seconds["building"], "s"),
        median_of(f"eliminating it, {name}", seconds["eliminating"], "s"),
        ratio_of(f"building / eliminating, {name}", seconds["building"], seconds["eliminating"], 1.0),
    ]
