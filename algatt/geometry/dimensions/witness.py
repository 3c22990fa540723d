r"""The rank of what a function sees of its weights at random points: an upper bound of the dimension, but no proof.

A function depends on the weights :math:`\theta` through the numbers :math:`s(\theta)` of its virtual form alone. So its
derivative vanishes along the kernel K of :math:`ds`, and along the tangents F of the symmetries, and

.. math:: \dim \le n - \dim(K + F) = \operatorname{rank} ds - \operatorname{rank}(ds\, F).

At a random point modulo a prime the first rank may be less than the generic one, so this is no proof.
docs/theory/virtual_form.md has the probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import NoValue
from algatt.fields import Elements, PrimeField
from algatt.fields.tangents import TooManyTangents
from algatt.maps.seen import Seen, seen_of
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, tangents_in_turn

PRIMES = (2147483629, 2147483587, 2147483579)
"""The primes of the points, the largest below 2^31 - 1."""

MOST_WORK = 2**16
"""Maximum number of parameters times instructions."""

MOST_DERIVATIVES = 2**24
"""Maximum number of seen numbers times parameters."""

BLOCK = 256
"""Maximum number of tangents of a family that are computed at a time."""


@dataclass(frozen=True)
class Witness:
    """An upper bound of the dimension that holds but for an accident at all of its random points; no proof.

    Parameters
    ----------
    value : int
        The bound: the rank of what is seen of the weights, less that along the symmetries; the largest of all points.
    points : tuple of int
        The seeds of the weights.
    primes : tuple of int
        The primes modulo which they were drawn.
    error : float
        Bound of the probability that the generic value over the fields of the points is larger.
    """

    value: int
    points: tuple[int, ...]
    primes: tuple[int, ...]
    error: float

    def __str__(self) -> str:
        points = f"{len(self.points)} random point{'s' * (len(self.points) > 1)}"
        return f"rank {self.value} at {points}, which is too small with probability {self.error:.1g}"

    def to_dict(self) -> dict[str, Any]:
        """Return the witness as plain values for JSON."""
        plain = {"points": list(self.points), "primes": list(self.primes)}
        return {"value": self.value, **plain, "error": self.error}


def witness_of(
    arch: Architecture,
    symmetries: Sequence[Symmetry],
    seed: int,
    progress: Callable[[int, int], object] | None = None,
) -> Witness | None:
    """Return the witness of a network with known symmetries, at three points; None if the work is too large, or if the
    function has no virtual form.
    """
    if arch.parameters * len(program(arch).instructions) > MOST_WORK:
        return None
    found: dict[tuple[int, int], tuple[int, float]] = {}
    for point, p in enumerate(PRIMES, start=seed):
        theta = verbs.sample(arch, Weights, field=PrimeField(p), seed=point)
        try:
            seen = seen_of(arch, theta, MOST_DERIVATIVES, progress)
        except NoValue:  # modulo this prime
            continue
        except TooManyTangents:
            return None
        if seen is None:
            return None
        found[point, p] = rank_beside(seen, symmetries, theta), seen.accidents + arch.parameters * seen.degree
    if not found:
        return None
    points, primes = zip(*found, strict=True)
    most = 2 ** math.ceil(math.log2(1 + max(cost for _, cost in found.values())))
    error = min(1.0, 2 * math.prod(most / p for p in primes))
    return Witness(max(value for value, _ in found.values()), points, primes, error)


def rank_beside(seen: Seen, symmetries: Sequence[Symmetry], theta: Weights) -> int:
    """Return the rank of the derivatives of what is seen, less that of those along the symmetries."""
    blocks = [block for family in symmetries for block in tangents_in_turn(family, theta, BLOCK)[1]]
    rank: int = verbs.rank_over(theta.field, seen.jacobian.raw)
    if not blocks or not rank:
        return rank
    along = seen.jacobian @ Elements(theta.field, np.ascontiguousarray(np.concatenate(blocks).T))
    removed: int = verbs.rank_over(theta.field, along.raw)
    return rank - removed
