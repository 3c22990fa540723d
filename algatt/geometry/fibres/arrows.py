"""What each arrow of the tower Weights -> AttentionMatrix -> VirtualWeights -> function of HMK's networks forgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.fields import Dual, DualArray, Elements, PrimeField
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.linalg import RowSpace
from algatt.maps.gradient import directions
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import Interlayer, KeyQuery, Symmetry, UnseenDirections


@dataclass(frozen=True)
class Arrow:
    """One arrow of the tower and the dimension of its generic fibre.

    Parameters
    ----------
    source, target : str
        The coordinate systems between which it goes; the last target is ``function``.
    theorem : int or None
        The theorem's value, or None where its hypotheses fail.
    reference : str
        The theorem.
    measured : int
        The rank of the derivative up to the source less that up to the target.
    status : str
        ``proven`` if both ranks are, else ``probable``.
    """

    source: str
    target: str
    theorem: int | None
    reference: str
    measured: int
    status: str


def jacobian_of_arrow(theta: Weights, coordinates: type[Parameters]) -> Elements:
    """Return the derivative of the conversion to other coordinates: rows as `flatten` lists the target, columns as it
    lists the weights.
    """
    field = theta.field
    dual = Dual(field)
    constants = [Elements(dual, DualArray(element.raw)) for element in theta.elements]
    blocks = []
    for position, element in enumerate(theta.elements):
        seeded = list(constants)
        size = element.raw.size
        seeded[position] = Elements(dual, DualArray(element.raw, directions(field, element.shape, 0, size)))
        rows = []
        for part in verbs.convert(theta.replace(seeded), coordinates).elements:
            tangent = part.raw.tangent
            shape = (size, *part.raw.shape)
            rows.append(
                np.zeros(shape, dtype=element.raw.dtype) if tangent is None else np.broadcast_to(tangent, shape)
            )
        blocks.append(np.hstack([row.reshape(size, -1) for row in rows]))
    return Elements(field, np.vstack(blocks).T)


def rank_between(
    arch: Lightning | Normalized, theta: Weights, coordinates: type[Parameters], families: Sequence[Symmetry]
) -> tuple[int, bool]:
    """Return the rank of a conversion's derivative at a point over GF(p), and whether the orbits of families prove that
    it is the generic one.
    """
    field = theta.field
    if not isinstance(field, PrimeField):
        raise TypeError("ranks modulo p are bounds; others are not")
    rank = int(verbs.rank(jacobian_of_arrow(theta, coordinates)))
    orbits = RowSpace(field, arch.parameters)
    for family in families:
        orbits.add(family.tangent_elements(theta))
    return rank, rank == arch.parameters - orbits.rank


def theorem_of_gauge(arch: Lightning | Normalized) -> int | None:
    """Return (l - 1) delta^2 under the hypotheses of HMK Lemma 3.5."""
    interior = set(arch.dims[1:-1])
    if not interior:
        return 0
    delta = max(interior)
    return (arch.layers - 1) * delta**2 if len(interior) == 1 and delta <= min(arch.dims[0], arch.dims[-1]) else None


def theorem_of_torus(arch: Lightning) -> int | None:
    """Return l where generic virtual weights of the architecture meet the hypotheses of HMK Theorem 3.2 (one layer) or
    Theorem 3.7.
    """
    if arch.tokens < 2:
        return None
    reach = [min(arch.dims[: i + 1]) for i in range(arch.layers)]
    ranks = [min(a, r) for a, r in zip(arch.ranks, reach, strict=True)]
    return arch.layers if all(rank >= 2 for rank in ranks[:-1]) else None


def theorem_of_scores(arch: Normalized) -> tuple[int | None, str]:
    """Return the dimension of generic fibres of a network with normalised scores, where it is known, and
    the theorem.
    """
    if arch.layers > 1:
        return (0 if arch.tokens > 1 and arch.score.sensitive else None), "derived, as HMK Conjecture 3.10 asks"
    d, alpha = arch.dims[0], min(arch.ranks[0], arch.dims[0])
    if arch.tokens == 1:
        return alpha * (2 * d - alpha), "HMK Theorem 3.9"
    if arch.score.homogeneous:
        return d if alpha == 1 else 1, "derived, as HMK Theorem 3.9"
    holds = theorem_3_9_holds(arch)
    return 0 if holds or arch.score.sensitive else None, name_of_theorem_3_9(arch.score, holds=holds)


@verbs.fiber_dimensions.method
def fiber_dimensions_of_lightning(arch: Lightning, *, seed: int = 0) -> tuple[Arrow, ...]:
    return arrows(arch, seed, (theorem_of_torus(arch), "HMK Theorem 3.2" if arch.layers == 1 else "HMK Theorem 3.7"))


@verbs.fiber_dimensions.method
def fiber_dimensions_of_normalized(arch: Normalized, *, seed: int = 0) -> tuple[Arrow, ...]:
    return arrows(arch, seed, theorem_of_scores(arch))


def arrows(arch: Lightning | Normalized, seed: int, last: tuple[int | None, str]) -> tuple[Arrow, ...]:
    """Measure the arrows and set the theorems beside them, of which the last one is given."""
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=check_seed(seed))
    converted = verbs.symmetries(
        Lightning(arch.dims, arch.ranks, arch.tokens)
    )  # the conversion sees all queries and keys, whatever the score
    hidden = [family for family in converted if isinstance(family, UnseenDirections)]
    gauges = [family for family in verbs.symmetries(arch) if isinstance(family, KeyQuery)]
    ranks = [(arch.parameters, True), rank_between(arch, theta, AttentionMatrix, gauges)]
    interlayer = [family for family in verbs.symmetries(arch) if isinstance(family, Interlayer)]
    ranks.append(rank_between(arch, theta, VirtualWeights, [*gauges, *interlayer, *hidden]))
    report: DimensionReport = dimension(arch, seed=seed)
    ranks.append((report.value, report.status == "proven"))
    names = [cls.__name__ for cls in (Weights, AttentionMatrix, VirtualWeights)] + ["function"]
    theorems = [
        (
            KeyQuery(arch).dimension,
            "HMK Lemma 3.1"
            if all(a <= d for a, d in zip(arch.ranks, arch.dims, strict=False))
            else "derived, as a > d",
        ),
        (theorem_of_gauge(arch), "HMK Lemma 3.5"),
        last,
    ]
    return tuple(
        Arrow(
            names[k],
            names[k + 1],
            value,
            reference,
            ranks[k][0] - ranks[k + 1][0],
            "proven" if ranks[k][1] and ranks[k + 1][1] else "probable",
        )
        for k, (value, reference) in enumerate(theorems)
    )
