"""How many samples learning needs: bounds of the pseudo-dimension by the dimension, the parameters and the degree."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_architecture
from algatt.display import Rows, Summary, html_of
from algatt.errors import MethodError
from algatt.fields import Degree, Degrees, Elements, Positive
from algatt.geometry.dimensions.dimension import dimension
from algatt.parameters import Weights
from algatt.randomness import check_seed

__all__ = ["PseudoDimension", "pseudo_dimension"]


@dataclass(frozen=True)
class PseudoDimension:
    """Bounds of the pseudo-dimension of a network; `algatt.geometry.pseudo_dimension` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    lower : int
        The proven lower bound of the dimension of its set of functions.
    upper : int or None
        The upper bound; None for networks that are no polynomials in their weights between gates.
    parameters : int
        The number of parameters.
    degree : int or None
        The degree of the values in the weights, at most, for each pattern of gates.
    gates : int
        The number of gates for one input.
    status : str
        ``proven``, or that of the dimension where its lower bound is a rank in floating point.
    """

    architecture: Architecture
    lower: int
    upper: int | None
    parameters: int
    degree: int | None
    gates: int
    status: str

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "lower": self.lower,
            "upper": self.upper,
            "parameters": self.parameters,
            "degree": self.degree,
            "gates": self.gates,
            "status": self.status,
        }


def pseudo_dimension(arch: Architecture, *, seed: int = 0) -> PseudoDimension:
    r"""Return bounds of the pseudo-dimension of the functions :math:`(x, i) \mapsto f_i(x; \theta)`: the largest number
    of samples (x, i), with thresholds, that the signs of the values less the thresholds shatter.

    It is at least the dimension D: where D values have independent gradients they take all values near those at one
    point, above and below.

    For polynomials of degree d in n weights it is at most :math:`2 n \log_2(8 e d)`, since each sample is a single
    inequality (P. Goldberg, M. Jerrum, *Bounding the Vapnik-Chervonenkis dimension of concept classes parameterized by
    real numbers*, Machine Learning 18, 1995, Theorem 2.2). With gates, as of ReLU, let the gates of one input be
    computed in layers of :math:`k_1, \ldots, k_L`, whose arguments are polynomials of degrees
    :math:`d_1, \ldots, d_L` for each pattern of the gates before, and the value one of degree :math:`d_{L+1}`, and let
    :math:`k_{L+1} = 1`. At most :math:`2 (2 e m d / n)^n` patterns of signs belong to :math:`m \ge n` polynomials of
    degree d (M. Anthony, P. Bartlett, *Neural Network Learning*, 1999, Theorem 8.3). Layer by layer, m samples that are
    shattered satisfy

    .. math:: 2^m \le \prod_{\ell=1}^{L+1} 2 \left( \frac{2 e m k_\ell d_\ell}{n} \right)^n

    or m < n, as in P. Bartlett, N. Harvey, C. Liaw, A. Mehrabian, *Nearly-tight VC-dimension and pseudodimension bounds
    for piecewise linear neural networks*, JMLR 20, 2019; there the exponents are the numbers of weights up to each
    layer, which are at most n. The largest such m is the bound. Of networks with exponentials, roots or denominators
    none is computed. Cost: that of the dimension.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the point of the dimension.

    Raises
    ------
    InvalidArgument
        If it is no network, or the seed no integer >= 0.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.geometry.pseudo_dimension(algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2))
    >>> found.lower, found.upper, found.parameters, found.degree
    (16, 143, 21, 3)
    """
    check_architecture(arch)
    check_seed(seed)
    report = dimension(arch, seed=seed)
    n, layers = arch.parameters, layers_of_signs(arch)
    d = None if layers is None else layers[-1][1]
    upper = None if layers is None else largest_shattered(n, layers)
    if layers is not None and len(layers) == 1:
        upper = min(largest_shattered(n, layers), math.floor(2 * n * math.log2(8 * math.e * layers[0][1])))
    gates = sum(count for count, _ in (layers or ())[:-1])
    proven = report.lower is not None
    lower = report.value if report.lower is None else report.lower
    return PseudoDimension(arch, lower, upper, n, d, gates, "proven" if proven else report.status)


@dataclass(frozen=True)
class GatedDegrees(Degrees):
    """Degrees for each pattern of gates.

    Parameters
    ----------
    gates : list of (int, int)
        Where the layers of gates are collected: how many there are, and the degree of their arguments in the weights.
    """

    gates: list[tuple[int, int]] = field(default_factory=list, compare=False, repr=False)


@verbs.entrywise.method
def degrees_of_gates(base: GatedDegrees, function: Positive, raw: Degree) -> Degree:
    base.gates.append((math.prod(raw.shape), max(1, raw.weights)))
    return Degree(0, 0, raw.shape)


def layers_of_signs(arch: Architecture) -> list[tuple[int, int]] | None:
    """Return how many gates each layer has, and the degree of their arguments in the weights, with the value as the
    last layer; None if values are no polynomials between gates.
    """
    degrees, shapes = GatedDegrees(), verbs.coordinates(arch)
    theta = Weights(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in shapes.values()), tuple(shapes))
    try:
        value = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, arch.input_shape))).raw
    except MethodError:
        return None
    return None if degrees.denominators else [*degrees.gates, (1, max(1, value.weights))]


def largest_shattered(n: int, layers: list[tuple[int, int]]) -> int:
    """Return the largest number of samples, at least n, that satisfies the inequality."""

    def holds(m: int) -> bool:
        return m <= sum(1 + n * math.log2(2 * math.e * m * count * d / n) for count, d in layers)

    most, least_failing = n, 2 * n
    while holds(least_failing):
        most, least_failing = least_failing, 2 * least_failing
    while least_failing - most > 1:  # the right side is concave in m, so that the inequality fails for good
        middle = (most + least_failing) // 2
        most, least_failing = (middle, least_failing) if holds(middle) else (most, middle)
    return most


@verbs.summarize.method
def summary_of_pseudo_dimension(found: PseudoDimension) -> Summary:
    upper = "no bound is known here" if found.upper is None else f"at most {found.upper}"
    rows: Rows = [("pseudo-dimension", f"at least {found.lower}, {upper}"), ("parameters", f"{found.parameters}")]
    if found.degree is not None:
        rows.append(("degree in the weights", f"{found.degree}"))
    if found.gates:
        rows.append(("gates of an input", f"{found.gates}"))
    rows.append(("status", found.status))
    return Summary(f"{found.architecture}", rows)
