"""Dimensions of softmax networks: how long a proof by balls takes, beside a float rank that proves nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

import algatt
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import seconds_of

__all__ = ["measure"]

FIGURE_3 = tuple(algatt.Softmax((delta,) * 3, (2, 2), 3) for delta in range(3, 11))

DEEP = algatt.Softmax((4,) * 7, (2,) * 6, 3)

WIDE = algatt.Softmax((16, 16, 16), (4, 4), 4)


def measure(plan: Plan) -> list[Figure]:
    """Time the proofs of Figure 3, of six layers, and of width 16, which is left out if quick."""
    cases: list[tuple[str, tuple[Any, ...], float]] = [
        ("HMK Figure 3, delta = 3..10", FIGURE_3, 120.0),
        ("6 layers, d = 4, a = 2, 3 tokens", (DEEP,), 120.0),
        ("2 layers, d = 16, a = 4, 4 tokens", (WIDE,), 600.0),
    ]
    figures = []
    for name, networks, target in cases[:2] if plan.quick else cases:
        say(name)
        figures += proofs(name, networks, target, plan.runs)
    return figures


def proofs(name: str, networks: tuple[Any, ...], target: float, runs: int) -> list[Figure]:
    """Prove the dimensions of some networks, and compute the float ranks in turn."""
    proving, floating = [], []
    right = 0
    for _ in range(runs):
        reports: list[Any] = []
        proving.append(seconds_of(lambda reports=reports: reports.extend(algatt.dimension(arch) for arch in networks)))
        floating.append(seconds_of(lambda: [float_rank(arch) for arch in networks]))
        right += sum(report.status == "proven" and report.value == report.conjecture for report in reports)
    asked = runs * len(networks)
    return [
        median_of(f"{name}: all proofs", proving, "s", target),
        Figure(f"{name}: proven, and equal to HMK Eq 16", right, "proofs", asked, target=asked, at_least=True),
        ratio_of(f"{name}: proofs / float64 rank of as many rows", proving, floating),
    ]


def float_rank(arch: Any) -> int:
    """Return the rank by numpy's default tolerance of a Jacobian with a few rows more than it has columns."""
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals())
    inputs = algatt.sample_inputs(
        arch, field=algatt.Reals(), count=-(-arch.parameters // (arch.dims[-1] * arch.tokens)) + 1
    )
    return int(np.linalg.matrix_rank(algatt.jacobian(arch, theta, inputs)))
