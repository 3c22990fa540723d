"""Follow gradient flow with networks of every kind, and measure how far the conserved quantities move: not at all.

    python scripts/gradient_flow.py
    python scripts/gradient_flow.py --json
    python scripts/gradient_flow.py --only softmax

Each row is a network: the examples of all architectures and layers of the package, and those of
`scripts/conservation_laws.py`. The flow is that of a squared error with random inputs and targets, from random weights,
by a Runge-Kutta method of order 8 with steps that are chosen for a relative error of 1e-12. The row has the number of
laws, the largest change of a law relative to its size, and for comparison the relative change of the weights and that
of their squared norm, which is no law. One minute on one core.

Exit code: 0 if all laws are kept to 1e-10, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import conservation_laws
import numpy as np
from options import Parser
from scipy.integrate import solve_ivp

import algatt
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.fields import Elements, Reals
from algatt.maps import pull_back
from algatt.testing import networks

KEPT = 1e-10
"""Largest relative change of a law that counts as kept."""

LENGTH = 0.1
"""Length of the path, if the gradient kept its size."""

STEPS = 10
"""Minimum number of steps: a first one that is too long would overflow."""

INPUTS = 5
"""Number of inputs of the loss."""


@dataclass(frozen=True)
class Flow:
    """What changed along a flow.

    Parameters
    ----------
    network : str
        The network.
    laws : int
        The number of laws.
    largest : float
        The largest change of a law, relative to the sum of the sizes of its terms.
    moved : float
        The distance from the first weights to the last ones, relative to the length of these.
    norm : float
        The relative change of the squared norm.
    evaluations : int
        The number of gradients.
    """

    network: str
    laws: int
    largest: float
    moved: float
    norm: float
    evaluations: int


def flow(arch: Architecture, name: str = "", seed: int = 0) -> Flow:
    """Follow the gradient flow of a random loss.

    Weights and vectors are half as large as they are drawn, so that rational scores stay away from their poles.
    """
    field = Reals()
    start = algatt.flatten(algatt.sample(arch, algatt.Weights, field=field, seed=seed)) / 2
    X = Elements(field, draw_inputs(arch, field, seed, 0, INPUTS))
    X = X if arch.vocabulary is not None else X * 0.5
    Y = np.random.default_rng(seed).normal(size=(INPUTS, *arch.output_shape))

    def velocity(_: float, x: np.ndarray) -> np.ndarray:
        theta = algatt.unflatten(arch, algatt.Weights, x)
        errors = algatt.verbs.evaluate(arch, theta, X).raw - Y
        gradient: np.ndarray = pull_back(arch, theta, X, Elements(field, errors)).raw.sum(axis=0)
        return -gradient

    speed = float(np.linalg.norm(velocity(0, start)))
    until = LENGTH / speed if speed else 1.0
    steps = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13, "max_step": until / STEPS}
    run = solve_ivp(velocity, (0, until), start, **steps)
    if not run.success:
        raise RuntimeError(f"{name or arch}: {run.message}")
    end = run.y[:, -1]
    drift = algatt.geometry.drift(arch, [algatt.unflatten(arch, algatt.Weights, x) for x in (start, end)])
    square = max(float(start @ start), np.finfo(np.float64).tiny)
    moved, norm = float(np.linalg.norm(end - start)) / square**0.5, abs(float(end @ end) - square) / square
    return Flow(name or str(arch), len(drift.laws), drift.largest, moved, norm, int(run.nfev))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows and a summary, or JSON."""
    parser = Parser(prog="gradient_flow", description="Measure how far conserved quantities move along gradient flow.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default="", metavar="TEXT", help="networks whose name has this text")
    options = parser.parse_args(arguments)
    named = {**{str(arch): arch for arch in networks()}, **conservation_laws.NETWORKS}
    rows = []
    for name, arch in named.items():
        if options.only in name:
            rows.append(flow(arch, name))
            if not options.json:
                one = rows[-1]
                print(f"{one.laws:4} laws {one.largest:8.1e}  moved {one.moved:7.1e}  norm {one.norm:7.1e}  {name:.90}")
    kept = sum(one.largest < KEPT for one in rows)
    if options.json:
        print(json.dumps([asdict(one) for one in rows]))
    else:
        largest = max((one.largest for one in rows), default=0.0)
        print(f"{kept} of {len(rows)} networks keep their {sum(one.laws for one in rows)} laws; largest {largest:.1e}")
    return 0 if kept == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
