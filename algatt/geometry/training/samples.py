"""How many random inputs determine the function of a network, near almost all weights."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.display import Rows, Summary, Worth
from algatt.errors import NoValue
from algatt.fields import Elements, FloatBalls, PrimeField
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.dimensions.real_point import ball_weights, numbered_inputs
from algatt.geometry.training.brackets.real_fields import BallSpace
from algatt.linalg import RowSpace
from algatt.maps.gradient import gradients
from algatt.parameters import Weights
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized

IDLE = 20
"""Number of inputs in a row without a new direction after which no more are drawn."""


MOST = 10_000
"""Maximum number of inputs that are tried."""


@dataclass(frozen=True, repr=False)
class SampleNumber(Summarized):
    """The number of inputs that determine a function; `algatt.geometry.samples` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    dimension : int
        The dimension of its set of functions, or a lower bound of it where `upper` is None.
    ranks : tuple of int
        The rank of the Jacobian at the first 1, 2, ... random inputs.
    lower : int
        Fewer inputs never determine the function: the dimension divided by the number of outputs.
    upper : int or None
        So many random inputs do; None if the rank did not reach the dimension, or this is not proven.
    seed : int
        Names the weights and the inputs.
    """

    architecture: Architecture
    dimension: int
    ranks: tuple[int, ...]
    lower: int
    upper: int | None
    seed: int

    @property
    def status(self) -> str:
        """``proven`` if the bounds meet, otherwise ``probable``: that fewer random inputs do not do is the rank at
        random weights.
        """
        return "proven" if self.upper == self.lower else "probable"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            **written(self, "dimension ranks lower upper status seed"),
        }


def samples(arch: NetworkLike, *, seed: int = 0) -> SampleNumber:
    r"""Return how many random inputs determine the function of a network near almost all weights.

    The values at N inputs determine the function, up to finitely many ways near the weights, if the Jacobian of
    :math:`\theta \mapsto (f_\theta(x_1), \ldots, f_\theta(x_N))` has the rank of the dimension. Whole inputs are added,
    with all outputs of each, until it does: modulo a prime, or for networks with exponentials, roots or gates by balls
    at a real point. So many generic inputs do, with gates those near the ones that were drawn; that is proven, as a
    rank at one point is a lower bound of the generic one. Each input adds at most as many as there are outputs, which
    bounds the number from below. Cost: that of the dimension.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the weights and the inputs.

    Raises
    ------
    InvalidArgument
        If it is no network, or the seed no integer >= 0.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.geometry.samples(algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2))
    >>> found.dimension, found.ranks, found.lower, found.upper
    (16, (6, 12, 16), 3, 3)
    """
    arch = as_architecture(arch)
    check_seed(seed)
    report = dimension(arch, seed=seed)
    space = RowSpace(PrimeField(), arch.parameters, report.value) if arch.algebraic else BallSpace(report.value)
    ranks: list[int] = []
    idle = 0
    for rows in rows_of_inputs(arch, seed):
        gained = space.add(rows)
        idle = 0 if gained else idle + 1
        ranks.append(space.rank)
        if ranks[-1] == report.value or idle == IDLE:
            break
    reached = ranks[-1:] == [report.value] and report.value == report.upper
    lower = -(-(report.lower or report.value) // arch.outputs)
    return SampleNumber(arch, report.value, tuple(ranks), lower, len(ranks) if reached else None, seed)


def rows_of_inputs(arch: Architecture, seed: int) -> Iterator[Elements]:
    """Iterate over all rows of the Jacobian at random inputs, one after the other, where the network has a value."""
    if arch.algebraic:
        prime = PrimeField()
        theta, number = verbs.sample(arch, Weights, field=prime, seed=seed), -1
        while True:
            number, rows = verbs.jacobian_where_defined(prime, arch, theta, seed, number + 1)
            yield rows
    balls = FloatBalls()
    point, outputs = ball_weights(arch, balls, seed), np.arange(arch.outputs)
    for number in range(MOST):
        inputs = numbered_inputs(arch, balls, seed, np.full(arch.outputs, number))
        with contextlib.suppress(NoValue):
            yield gradients(arch, point, inputs, outputs=outputs)


@verbs.summarize.method
def summary_of_samples(found: SampleNumber) -> Summary:
    number = f"{found.lower}" if found.upper == found.lower else f"at least {found.lower}"
    if found.upper is not None and found.upper != found.lower:
        number += f", {found.upper} are enough"
    rows: Rows = [
        ("dimension", f"{found.dimension}"),
        ("ranks", ", ".join(map(str, found.ranks))),
        ("parameters", f"{found.architecture.parameters}"),
        ("point", f"seed {found.seed}"),
    ]
    return Summary(f"{number} random inputs determine the function", rows, Worth(found.status))
