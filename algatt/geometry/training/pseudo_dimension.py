"""How many samples learning needs: bounds of the pseudo-dimension by the dimension, the parameters and the degree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.display import Rows, Summary
from algatt.errors import MethodError
from algatt.fields import Elements
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.training.pfaffian_degrees import NotPositive, PfaffianDegree, PfaffianDegrees
from algatt.parameters import Weights
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized


@dataclass(frozen=True, repr=False)
class PseudoDimension(Summarized):
    """Bounds of the pseudo-dimension of a network; `algatt.geometry.pseudo_dimension` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    lower : int
        The proven lower bound of the dimension of its set of functions.
    upper : int or None
        The upper bound; None where a denominator, or what a root or a logarithm is taken of, is not seen to be positive
        for all weights.
    parameters : int
        The number of parameters.
    degree : int or None
        The degree of the values in the weights, at most, for each pattern of gates; None where they are no polynomials.
    gates : int
        The number of gates for one input.
    functions : int
        The number of exponentials and the like, reciprocals and roots for one input.
    status : str
        ``proven``, or that of the dimension where its lower bound is a rank in floating point.
    """

    architecture: Architecture
    lower: int
    upper: int | None
    parameters: int
    degree: int | None
    gates: int
    functions: int
    status: str

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain values for JSON."""
        names = "lower upper parameters degree gates functions status"
        return {"architecture": self.architecture.description(), **written(self, names)}


def pseudo_dimension(arch: NetworkLike, *, seed: int = 0) -> PseudoDimension:
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
    layer, which are at most n. The largest such m is the bound.

    With exponentials, logistic functions, error functions and logarithms, r for each input, and reciprocals and roots,
    R for each input, a factor is :math:`B (e m k_\ell / n)^n`, where B bounds the number of components of what at most
    n equations for as many inputs have in common (M. Karpinski, A. Macintyre, *Polynomial bounds for VC dimension of
    sigmoidal and general Pfaffian neural networks*, JCSS 54, 1997). In the weights and a variable for each reciprocal
    and root these are N = n (1 + R) variables and a Pfaffian chain of length q = n r, with derivatives of degree alpha.
    With the sum of squares of the equations, of degree D, and Khovanskii's bound of the critical points of a linear
    function on its level sets,

    .. math:: B = \tfrac12\, 2^{q (q-1)/2}\, D\, (D+\alpha-1)^N
        \bigl(\min(N+1, q)\, \alpha + D + N (D + \alpha - 1) - N\bigr)^q .

    Denominators, and what roots and logarithms are taken of, have to be positive for all weights, which is read off
    from exponentials, squares and constants. Cost: that of the dimension.

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
    >>> found = algatt.geometry.pseudo_dimension(algatt.Softmax(dims=(3, 3), ranks=(2,), tokens=2))
    >>> found.lower, found.upper, found.functions
    (17, 4614, 6)
    """
    arch = as_architecture(arch)
    check_seed(seed)
    report = dimension(arch, seed=seed)
    n, found = arch.parameters, growth(arch)
    upper, degree, gates, functions = None, None, 0, 0
    if found is not None:
        upper, functions = found.largest_shattered(n), found.chain + found.inverses
        gates = sum(count for count, _ in found.layers[:-1])
        if not functions:
            degree = found.layers[-1][1]
            if not gates:
                upper = min(upper, math.floor(2 * n * math.log2(8 * math.e * degree)))
    proven = report.lower is not None
    lower = report.value if report.lower is None else report.lower
    return PseudoDimension(arch, lower, upper, n, degree, gates, functions, "proven" if proven else report.status)


@dataclass(frozen=True)
class Growth:
    r"""What bounds the number of patterns of signs of a network with n weights; see `pseudo_dimension`.

    Parameters
    ----------
    layers : tuple of (int, int)
        For each layer of gates how many there are for one input, and the degree of their arguments; the value is last.
    chain, degree_of_derivatives : int
        How many exponentials and the like one input needs, and the degree of their derivatives.
    inverses, degree_of_inverses : int
        How many reciprocals and roots one input needs, and the degree of their equations.
    """

    layers: tuple[tuple[int, int], ...]
    chain: int
    degree_of_derivatives: int
    inverses: int
    degree_of_inverses: int

    def bits_of_components(self, n: int, degree: int) -> float:
        """Return the binary logarithm of the bound of the number of components."""
        r, alpha, N = n * self.chain, self.degree_of_derivatives, n * (1 + self.inverses)
        D = max(2 * degree, 2 * self.degree_of_inverses, 4)
        critical = min(N + 1, r) * alpha + D + N * (D + alpha - 1) - N
        return r * (r - 1) / 2 - 1 + math.log2(D) + N * math.log2(D + alpha - 1) + r * math.log2(critical)

    def bits_of_patterns(self, n: int, m: int) -> float:
        """Return the binary logarithm of the bound of the number of patterns of m inputs, at least n."""
        if not (self.chain or self.inverses):
            return sum(1 + n * math.log2(2 * math.e * m * count * degree / n) for count, degree in self.layers)
        return sum(
            self.bits_of_components(n, degree) + n * math.log2(math.e * m * count / n) for count, degree in self.layers
        )

    def largest_shattered(self, n: int) -> int:
        """Return the largest number of samples, at least n, that satisfies the inequality."""
        most, least_failing = n, 2 * n
        while least_failing <= self.bits_of_patterns(n, least_failing):
            most, least_failing = least_failing, 2 * least_failing
        while least_failing - most > 1:  # the right side is concave in m, so that the inequality fails for good
            middle = (most + least_failing) // 2
            most, least_failing = (
                (middle, least_failing) if middle <= self.bits_of_patterns(n, middle) else (most, middle)
            )
        return most


def growth(arch: Architecture) -> Growth | None:
    """Return what bounds the number of patterns of signs; None where a function has no bound here, or a denominator
    or what a root is taken of is not seen to be positive.
    """
    degrees, shapes = PfaffianDegrees(), verbs.coordinates(arch)
    tensors = (Elements(degrees, PfaffianDegree(1, np.zeros(shape, dtype=int))) for shape in shapes.values())
    inputs = Elements(degrees, PfaffianDegree(0, np.zeros(arch.input_shape, dtype=int)))
    try:
        value = verbs.evaluate(arch, Weights(tuple(tensors), tuple(shapes)), inputs).raw
    except (MethodError, NotPositive):
        return None
    return Growth(
        (*degrees.gates, (1, max(1, value.degree))),
        sum(count for count, _ in degrees.chain),
        degrees.degree_of_derivatives,
        sum(count for count, _ in degrees.inverses),
        max((degree for _, degree in degrees.inverses), default=0),
    )


@verbs.summarize.method
def summary_of_pseudo_dimension(found: PseudoDimension) -> Summary:
    upper = "no bound is known here" if found.upper is None else f"at most {found.upper}"
    rows: Rows = [("pseudo-dimension", f"at least {found.lower}, {upper}"), ("parameters", f"{found.parameters}")]
    if found.degree is not None:
        rows.append(("degree in the weights", f"{found.degree}"))
    if found.functions:
        rows.append(("functions of an input", f"{found.functions}"))
    if found.gates:
        rows.append(("gates of an input", f"{found.gates}"))
    rows.append(("status", found.status))
    return Summary(f"{found.architecture}", rows)
