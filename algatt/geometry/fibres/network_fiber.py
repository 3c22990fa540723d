"""The fibres of networks: where the Jacobian at a point has no kernel but the tangents of the symmetries, the fibre is
the orbit of these near the point, and has its dimension.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.arrangement import Arrangement
from algatt.architectures.base import check_fits, draw_inputs
from algatt.architectures.recognition import named_attention
from algatt.errors import InvalidArgument, ScoreOverflow, SymmetryError
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.geometry.equality.rounding import check_point
from algatt.geometry.fibres.factorizations import Factorizations
from algatt.geometry.fibres.fiber import Fiber, UnknownFiber, coin
from algatt.parameters import Weights
from algatt.randomness import check_seed

__all__ = ["NetworkFiber", "RecognizedFiber", "UnknownNetworkFiber"]

WORDS = 4
"""So many times as there are permutations that generate the discrete symmetries, one of them moves a random point."""


@dataclass(frozen=True, eq=False, repr=False)
class NetworkFiber(Fiber):
    """The fibre of a point at which the tangents of the symmetries are all that the Jacobian does not see.

    Near the point the fibre is the orbit. Elsewhere it has further points: at least those to which permutations lead.

    Parameters
    ----------
    orbit : int
        The dimension of the orbit.
    """

    arch: Any
    theta: Any
    orbit: int

    @property
    def case(self) -> str:
        return "one orbit near the point"

    @property
    def theorem(self) -> str | None:
        return "the Jacobian's kernel at the point is spanned by the symmetries of the types"

    @property
    def dimension(self) -> int:
        """The dimension at the point: that of the orbit."""
        return self.orbit

    @property
    def components(self) -> int | None:
        return None

    @property
    def projective_cardinality(self) -> int | None:
        return None

    def sample(self, seed: int = 0) -> Weights:
        """Return a random point of the orbit, after random permutations."""
        return moved_at_random(self.arch, self.theta, check_seed(seed))


@dataclass(frozen=True, eq=False, repr=False)
class UnknownNetworkFiber(UnknownFiber):
    """The fibre of a point at which not all that the Jacobian does not see, or nothing of it, is known to come from
    symmetries.
    """

    arch: Any
    theta: Any

    @property
    def case(self) -> str:
        return "larger than the orbit of the known symmetries, or not known"

    def sample(self, seed: int = 0) -> Weights:
        """Return a random point of the orbit, after random permutations; the fibre may be larger."""
        return moved_at_random(self.arch, self.theta, check_seed(seed))


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


@dataclass(frozen=True, eq=False, repr=False)
class RecognizedFiber(Fiber):
    """The fibre of a network of layers that is one of HMK by another name: that which their theorems describe.

    Parameters
    ----------
    arrangement : Arrangement
        Both networks.
    named : Fiber
        The fibre of the one with a name.
    """

    arch: Any
    arrangement: Arrangement
    named: Fiber

    @property
    def case(self) -> str:
        return self.named.case

    @property
    def theorem(self) -> str | None:
        return self.named.theorem

    @property
    def dimension(self) -> int | None:
        return self.named.dimension

    @property
    def components(self) -> int | None:
        return self.named.components

    @property
    def projective_cardinality(self) -> int | None:
        return self.named.projective_cardinality

    @property
    def failing_hypotheses(self) -> tuple[str, ...]:
        return self.named.failing_hypotheses

    @property
    def finite_up_to_scale(self) -> bool:
        return self.named.finite_up_to_scale

    @property
    def gauges(self) -> int:
        return self.named.gauges

    @property
    def factorizations(self) -> tuple[Factorizations, ...]:
        return self.named.factorizations

    def to_dict(self) -> dict[str, Any]:
        return self.named.to_dict()

    def sample(self, seed: int = 0) -> Weights:
        return self.arrangement.back(self.named.sample(seed))


@verbs.fiber.method
def fiber_of_network(arch: Network, theta: Weights, *, gap: float | None = None) -> Fiber:
    check_fits(arch, theta)
    arrangement = named_attention(arch)
    if arrangement is not None:
        named: Fiber = verbs.fiber(arrangement.network, arrangement.forth(theta), gap=gap)
        return RecognizedFiber(arch, theta, named.ranks, arrangement, named)
    check_point(arch, theta)
    field = theta.field
    if isinstance(field, Reals):
        orbit = int(verbs.orbit_dimension(arch, theta, gap=gap))
        missing = arch.parameters - real_rank(arch, theta, gap) - orbit
    elif not isinstance(field, PrimeField | Rationals):
        raise InvalidArgument("theta", f"over {field}", "over a PrimeField, Rationals() or Reals()")
    elif not arch.algebraic:
        reason = f"values over {field}, which the network does not have: no Jacobian tells more than its symmetries"
        return UnknownNetworkFiber(arch, theta, (), (reason,))
    else:
        kernel = verbs.unexplained_kernel(arch, theta)
        orbit, missing = kernel.explained, kernel.dimension
    if missing:
        reason = f"a Jacobian that sees all but the symmetries, but there are {missing} more directions that it misses"
        return UnknownNetworkFiber(arch, theta, (), (reason,))
    return NetworkFiber(arch, theta, (), orbit)


def real_rank(arch: Network, theta: Weights, gap: float | None) -> int:
    """Return the rank of the Jacobian over the reals at more random inputs than there are parameters."""
    inputs = 2 + -(-arch.parameters // arch.outputs)
    X = Elements(theta.field, draw_inputs(arch, theta.field, 0, 0, inputs))
    matrix = verbs.jacobian(arch, theta, X)
    if not np.isfinite(matrix.raw).all():
        raise ScoreOverflow("the Jacobian is too large for float64")
    verdict: Any = verbs.rank(matrix, gap=gap)
    return int(verdict.rank)
