"""The fibres of networks: where the Jacobian at a point has no kernel but the tangents of the symmetries, the fibre is
the orbit of these near the point, and has its dimension.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import check_fits, draw_inputs
from algatt.architectures.recognition import named_attention
from algatt.errors import InvalidArgument, ScoreOverflow, SymmetryError
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.geometry.equality.rounding import check_point
from algatt.geometry.fibres.fiber import Fiber, coin
from algatt.parameters import Weights

WORDS = 4
"""So many times as there are permutations that generate the discrete symmetries, one of them moves a random point."""


@verbs.fiber.method
def fiber_of_network(arch: Network, theta: Weights, *, gap: float | None = None) -> Fiber:
    """A network of layers that is one of HMK by another name has the fibre that their theorems describe."""
    check_fits(arch, theta)
    arrangement = named_attention(arch)
    if arrangement is not None:
        named: Fiber = verbs.fiber(arrangement.network, arrangement.forth(theta), gap=gap)
        return replace(named, arch=arch, theta=theta, draw=lambda seed: arrangement.back(named.draw(seed)))
    check_point(arch, theta)
    draw = functools.partial(moved_at_random, arch, theta)
    unknown = Fiber(arch, theta, "larger than the orbit of the known symmetries, or not known", draw)
    field = theta.field
    if isinstance(field, Reals):
        orbit = int(verbs.orbit_dimension(arch, theta, gap=gap))
        missing = arch.parameters - real_rank(arch, theta, gap) - orbit
    elif not isinstance(field, PrimeField | Rationals):
        raise InvalidArgument("theta", f"over {field}", "over a PrimeField, Rationals() or Reals()")
    elif not arch.algebraic:
        reason = f"values over {field}, which the network does not have: no Jacobian tells more than its symmetries"
        return replace(unknown, failing_hypotheses=(reason,))
    else:
        kernel = verbs.unexplained_kernel(arch, theta)
        orbit, missing = kernel.explained, kernel.dimension
    if missing:
        reason = f"a Jacobian that sees all but the symmetries, but there are {missing} more directions that it misses"
        return replace(unknown, failing_hypotheses=(reason,))
    theorem = "the Jacobian's kernel at the point is spanned by the symmetries of the types"
    return Fiber(arch, theta, "one orbit near the point", draw, theorem, orbit)


def real_rank(arch: Network, theta: Weights, gap: float | None) -> int:
    """Return the rank of the Jacobian over the reals at more random inputs than there are parameters."""
    inputs = 2 + -(-arch.parameters // arch.outputs)
    X = Elements(theta.field, draw_inputs(arch, theta.field, 0, 0, inputs))
    matrix = verbs.jacobian(arch, theta, X)
    if not np.isfinite(matrix.raw).all():
        raise ScoreOverflow("the Jacobian is too large for float64")
    verdict: Any = verbs.rank(matrix, gap=gap)
    return int(verdict.rank)


def moved_at_random(arch: Network, theta: Weights, seed: int) -> Weights:
    """Move weights by random elements of all symmetries of which elements are known, and by random permutations."""
    for family in verbs.symmetries(arch):
        with contextlib.suppress(SymmetryError):
            theta = verbs.act(family.element(theta, seed), theta)
    permutations = [one for family in verbs.discrete_symmetries(arch) for one in family.elements(theta.field)]
    for number in range(WORDS * len(permutations)):
        chosen = coin(seed, f"fiber/permutation/{number}", len(permutations))
        theta = verbs.act(permutations[chosen], theta)
    return theta
