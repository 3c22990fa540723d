"""Closed formulas for the dimension: the theorems under their hypotheses, and a conjecture that says that it is one."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.architectures.base import NetworkLike
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.verbs.views import Tabled


@dataclass(frozen=True)
class Formula(Tabled):
    """A closed formula for the dimension of an architecture.

    Parameters
    ----------
    value : int
        Its value.
    source : str
        Where it comes from.
    theorem : bool
        Whether it is proven under hypotheses that this architecture meets; otherwise it is a conjecture.
    """

    value: int
    source: str
    theorem: bool


def determinantal(alpha: int, width: int) -> int:
    """Return the dimension of the square matrices of size `width` and rank at most `alpha`."""
    return alpha * (2 * width - alpha)


def one_layer(arch: Lightning) -> Formula | None:
    """Return HMK Corollary 3.3; it asks for one layer, at least two tokens, and a_1 > 1 or d_1 > 1.

    For a_1 = d_1 = 1 the fibres are two orbits of the rescaling and not one (HMK Theorem 3.2), of the same dimension:
    the value is the same (derived).
    """
    if arch.layers != 1 or arch.tokens < 2:
        return None
    d, e = arch.dims
    source = "HMK Corollary 3.3 (Eq 7)" if max(arch.ranks[0], e) > 1 else "derived from HMK Theorem 3.2, as Eq 7"
    return Formula(determinantal(min(arch.ranks[0], d), d) + d * e - 1, source, theorem=True)


def bottleneck(arch: Lightning) -> Formula | None:
    """Return HMK Corollary 3.8; it asks for equal interior widths, no wider than both ends, ranks of at least two and
    at least two tokens.
    """
    if arch.layers < 2 or arch.tokens < 2 or min(arch.ranks) < 2:
        return None
    interior = set(arch.dims[1:-1])
    delta = max(interior)
    if len(interior) > 1 or delta > min(arch.dims[0], arch.dims[-1]):
        return None
    layers = zip(arch.dims, arch.dims[1:], arch.ranks, strict=False)
    total = sum(determinantal(min(a, d), d) + d * e for d, e, a in layers)
    return Formula(total - (arch.layers - 1) * delta**2 - arch.layers, "HMK Corollary 3.8 (Eq 14)", theorem=True)


def read_widths(arch: Lightning) -> tuple[int, ...]:
    """Return the widths without the directions that no later layer reads: d_i is at most 2 a_{i+1} + d_{i+1}, the
    functions being the same.
    """
    widths = [arch.dims[-1]]
    for d, a in zip(reversed(arch.dims[1:-1]), reversed(arch.ranks[1:]), strict=True):
        widths.append(min(d, 2 * a + widths[-1]))
    return (arch.dims[0], *reversed(widths))


def conjecture(arch: Lightning) -> Formula:
    """Return the formula for any widths and ranks, derived in this project and equal to all exact ranks that were
    tried.
    """
    dims = read_widths(arch)
    r = [min(dims[: i + 1]) for i in range(arch.layers)]  # the rank of L_i, for i < l
    total = 0
    parallel = (
        arch.tokens == 1
    )  # whether the tokens are multiples of one vector, which every rank-one layer before the last makes them
    for i, a in enumerate(arch.ranks):
        alpha = min(a, r[i])
        if not parallel:
            total += determinantal(alpha, r[i])
        else:  # only the symmetric part of M_i counts
            total += r[i] * (r[i] + 1) // 2 if 2 * alpha > r[i] else alpha * (2 * r[i] - 2 * alpha + 1)
        parallel = parallel or alpha == 1
    total += sum(r[i] * (r[i - 1] - r[i]) for i in range(1, arch.layers)) + r[-1] * dims[-1] - arch.layers
    return Formula(total, "derived formula (a conjecture of this project)", theorem=False)


def one_normalized_layer(arch: Normalized) -> Formula | None:
    """Return the dimension of all (A, V), if one layer determines its weights.

    That is so, for at least two tokens, by HMK Theorem 3.9 if the score is injective and positive: if the rank of a
    differentiable map is not full, points in general have others with the same image beside them. Or, derived, if the
    score is sensitive at zero.
    """
    holds = theorem_3_9_holds(arch)
    if arch.layers != 1 or arch.tokens < 2 or not (holds or arch.score.sensitive):
        return None
    d, e = arch.dims
    value = determinantal(min(arch.ranks[0], d), d) + d * e
    return Formula(value, name_of_theorem_3_9(arch.score, holds=holds), theorem=True)


def bottleneck_of_gauges(arch: Normalized) -> Formula | None:
    """Return HMK Eq 16 (Conjecture 3.10), which asks for equal interior widths, no wider than both ends; homogeneous
    scores may be rescaled.
    """
    delta = max(arch.dims[1:-1], default=1)
    if arch.tokens < 2 or len(set(arch.dims[1:-1])) > 1 or delta > min(arch.dims[0], arch.dims[-1]):
        return None
    if arch.score.homogeneous and min(*arch.ranks, *arch.dims) == 1:
        return None  # a layer of rank one does not see its query
    layers = zip(arch.dims, arch.dims[1:], arch.ranks, strict=False)
    total = sum(determinantal(min(a, d), d) + d * e for d, e, a in layers) - (arch.layers - 1) * delta**2
    if arch.score.homogeneous:
        return Formula(
            total - arch.layers,
            "HMK Conjecture 3.10 (Eq 16), less the rescalings of a homogeneous score",
            theorem=False,
        )
    return Formula(total, "HMK Conjecture 3.10 (Eq 16)", theorem=False)


@verbs.formulas.method
def formulas_of_lightning(arch: Lightning) -> tuple[Formula, ...]:
    return tuple(formula for formula in (one_layer(arch), bottleneck(arch), conjecture(arch)) if formula is not None)


@verbs.formulas.method
def formulas_of_normalized(arch: Normalized) -> tuple[Formula, ...]:
    return tuple(formula for formula in (one_normalized_layer(arch), bottleneck_of_gauges(arch)) if formula is not None)


def expected_dimension(arch: NetworkLike) -> int | None:
    """Return the dimension of the neuromanifold by the theorem that covers `arch` (HMK Cor 3.3 or Cor 3.8), or None
    where no hypothesis holds.
    """
    return next((formula.value for formula in verbs.formulas(arch) if formula.theorem), None)
