"""That nothing is unexplained at a real point of a network with normalised scores, proven by balls."""

from __future__ import annotations

import contextlib

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.architectures.base import draw_inputs
from algatt.arguments import check_over
from algatt.errors import DivisionByZero, InvalidArgument, ScoreOverflow
from algatt.fields import Balls, Elements, PrimeField, Reals
from algatt.geometry.equality.enclosed_values import BITS, over_balls
from algatt.geometry.fibres.unexplained import UnexplainedKernel, unexplained_kernel_of_weights
from algatt.linalg.rank import rank_from_below
from algatt.maps.gradient import gradients
from algatt.parameters import VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import UnseenSymmetry
from algatt.symmetry.named.spaces import NamedSpaces

SPARE = 16
"""So many more inputs than rows are drawn."""


@verbs.unexplained_kernel.method
def unexplained_kernel_of_normalized(arch: Normalized, theta: Weights, *, seed: int = 0) -> UnexplainedKernel:
    """Over GF(p) as for other networks. Over the reals only an empty answer can be proven, and others are refused.

    If r tangents at the point are independent, and the Jacobian of the other parameters but r of these has full rank,
    by enclosures that exclude zero, then the kernel has dimension r.
    """
    if isinstance(theta.field, PrimeField):
        return unexplained_kernel_of_weights(arch, theta, seed=seed)
    check_over("theta", theta.field, Reals, "over a PrimeField or Reals()")
    verbs.has_function(arch, theta).check("theta")
    families = verbs.symmetries(arch)
    hidden = [family.name for family in families if not isinstance(family, NamedSpaces | UnseenSymmetry)]
    if hidden:
        raise InvalidArgument(
            "arch",
            f"{arch}, with the symmetries {', '.join(hidden)}",
            "without them over the reals, where their tangents are rounded",
        )
    left = arch.parameters
    for bits in BITS:
        field = Balls(bits)
        lifted = over_balls(theta, field)
        tangents = rank_from_below(field, np.concatenate([family.tangent_elements(lifted).raw for family in families]))
        columns = np.setdiff1d(np.arange(arch.parameters), tangents.columns)
        rows = ball_rows(arch, lifted, len(columns) + SPARE, check_seed(seed), input_scale(theta))
        left = len(columns) - rank_from_below(field, rows[:, columns]).rank
        if left == 0:
            return UnexplainedKernel(0, (), tangents.rank, tangents.rank, len(rows), "proven", None)
    should = "generic weights, or over a PrimeField with an algebraic score"
    raise InvalidArgument("theta", f"a point where balls of {BITS[-1]} bits leave {left} directions undecided", should)


def ball_rows(arch: Normalized, theta: Weights, count: int, seed: int, scale: float) -> np.ndarray:
    """Return a row of the Jacobian for each of `count` inputs that has a value; for every second one scores have size
    one.
    """
    rows = []
    for number in range(count):
        X = draw_inputs(arch, Reals(), seed, number, 1) * (scale if number % 2 else 1.0)
        outputs = np.array([number % arch.dims[-1] * arch.tokens + number // arch.dims[-1] % arch.tokens])
        with contextlib.suppress(DivisionByZero, ScoreOverflow):
            rows.append(
                gradients(arch, theta, Elements(theta.field, verbs.encode(theta.field, X)), outputs=outputs).raw
            )
    return np.concatenate([np.empty((0, arch.parameters), dtype=object), *rows])


def input_scale(theta: Weights) -> float:
    """Return the power of two that, multiplied with inputs of size one, lets the largest scores have about size one."""
    sizes = [float(np.linalg.norm(M.raw, 2)) for M in verbs.convert(theta, VirtualWeights).M_elements]
    return float(2.0 ** np.rint(-np.log2(max(sizes)) / 2)) if max(sizes) > 0 else 1.0
