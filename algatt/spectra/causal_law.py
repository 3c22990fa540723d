r"""The law of attention with a causal mask (derived here).

Row i of causal attention is a softmax of i scores, so that its entries are 1/i and a fluctuation, which the linear
model replaces by :math:`(\alpha Z + \beta S)_{ij} / i`, zero beyond j = i. With t = i / l the variance of an entry has
the profile :math:`1_{u \le t} / t^2`. Rows and columns are cut into blocks, and the traces g of the rows and h of the
columns of each block satisfy the matrix Dyson equation of `algatt.spectra.dyson` for the blocks, in which the masked
scores have a letter of queries for each block of rows and one of keys for each block of columns:

.. math::

    \frac{1}{g_a} = w - \frac{\alpha^2 H_a + \beta^2 X_{aa}}{t_a^2}, \qquad
    \frac{1}{h_b} = w - \alpha^2 \sum_{a \ge b} \frac{n_a g_a}{t_a^2} - \frac 1 c Y_b ,

with the sizes n of the blocks, :math:`H_a = \sum_{b \le a} n_b h_b`, :math:`X = (P^{-1} - D)^{-1}`,
:math:`P_{ab} = H_{\min(a, b)}`, D the diagonal matrix of :math:`c \beta^2 n_a g_a / t_a^2`, and :math:`Y_b` the sum
over a, a' >= b of :math:`D (1 - P D)^{-1}`. The inverse of P is tridiagonal: it is a chain of springs of compliance
:math:`n_b h_b` with the admittances -D, and X and Y are read off it in two passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.spectra.laws import checked_parameter
from algatt.spectra.linear_law import noise_variance
from algatt.spectra.mixing import mixed_fixed_point
from algatt.spectra.numerical_law import NumericalLaw
from algatt.spectra.paths import follow

__all__ = ["CausalLaw"]

BLOCKS = 64
"""Of rows and columns, even in the logarithm: twice as many change the distribution function of 1000 tokens at beta =
0.5 by 3e-3 at 0.001, and by 2e-4 from 0.1 on.
"""

LARGEST_BETA = 3.0
"""Beyond, a few entries carry the rows of any number of tokens that a matrix has."""

PRECISION = 1e-11
"""Of the unknowns, in parts of them."""

MOST_STEPS = 10
"""Of mixing, for one of Newton's method."""


@dataclass(frozen=True)
class CausalLaw(NumericalLaw):
    r"""The law of the squared singular values of :math:`\sqrt l (A - C)`, A causal attention of l tokens, C its mean,
    of entries 1/i up to the diagonal.

    The linear model of HCK with the mask is put in place of the softmax, which is not proven, and the equation is
    solved for blocks: numerical, derived here. The rows of the first tokens are long, of squared norm
    :math:`l \theta_1 / i`, so that there is no law of compact support for infinitely many tokens: the largest values
    grow with l, and those of the first rows, of few scores, are not Gaussian. The law is about the others. The first
    row is constant, and zero has the mass 1 / l; the blocks leave the first column out too, so that row i has the
    variance :math:`\theta_1 (i - 1) / i^2` of a softmax of i scores.

    Parameters
    ----------
    beta : float
        The inverse temperature, > 0 and at most 3.
    ratio : float
        c, l / d_qk, from 1e-4 to 1e4.
    tokens : int
        l, at least 16.

    Raises
    ------
    InvalidArgument
        If a number is out of its range.

    Examples
    --------
    >>> import algatt
    >>> law = algatt.spectra.CausalLaw(beta=0.5, ratio=1, tokens=1000)
    >>> round(algatt.spectra.moments(law, 1)[0], 3)
    1.677
    """

    beta: float
    ratio: float
    tokens: int

    unresolved: ClassVar[float] = 2.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", checked_parameter("beta", self.beta, least=1e-3, most=LARGEST_BETA))
        object.__setattr__(self, "ratio", checked_parameter("ratio", self.ratio, least=1e-4, most=1e4))
        object.__setattr__(self, "tokens", whole("tokens", self.tokens))
        if self.tokens < 16:
            raise InvalidArgument("tokens", f"{self.tokens}", "at least 16: the rows of fewer are no random matrix")

    @property
    def mass_at_zero(self) -> float:
        return 1.0 / self.tokens

    @property
    def span(self) -> float:
        return float(np.sqrt(self.tokens * np.expm1(self.beta**2)))

    def blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sizes of the blocks and the 1 / t^2 of their middles."""
        ends = np.geomspace(1.0 / self.tokens, 1.0, BLOCKS + 1)
        return np.diff(ends), 4 / (ends[1:] + ends[:-1]) ** 2

    def transform(self, w: np.ndarray) -> np.ndarray:
        sizes, weights = self.blocks()

        def begin(w: np.ndarray) -> np.ndarray:
            unknowns = np.repeat(1 / w[:, None], 2 * BLOCKS, axis=1)
            for _ in range(100):
                unknowns = (unknowns + equation(self, sizes, weights, w, unknowns)) / 2
            return unknowns

        def solve(w: np.ndarray, guess: np.ndarray, precision: float, most: int) -> tuple[np.ndarray, np.ndarray]:
            def step(unknowns: np.ndarray, left: np.ndarray) -> np.ndarray:
                return equation(self, sizes, weights, w[left], unknowns)

            return mixed_fixed_point(step, guess, max(precision, PRECISION), MOST_STEPS * most)

        def read_off(w: np.ndarray, unknowns: np.ndarray) -> np.ndarray:
            rows: np.ndarray = unknowns[:, :BLOCKS] @ sizes
            return rows + self.mass_at_zero / w

        return follow(begin, solve, read_off, w, 3 * self.span)

    @classmethod
    def examples(cls) -> Iterable[CausalLaw]:
        return (cls(0.5, 1.0, 200),)


def equation(law: CausalLaw, sizes: np.ndarray, weights: np.ndarray, w: np.ndarray, unknowns: np.ndarray) -> np.ndarray:
    """Return the right sides of the equations of g and h. A row in the middle of its block sees half of it."""
    noise, signal = noise_variance(law.beta), law.beta**2
    g, h = unknowns[:, :BLOCKS], unknowns[:, BLOCKS:]
    compliance = sizes * h
    shunt = signal * law.ratio * sizes * weights * g  # D
    seen = np.cumsum(compliance, axis=1) - compliance / 2
    long_rows = sizes * weights * g
    above = np.cumsum(long_rows[:, ::-1], axis=1)[:, ::-1] - long_rows / 2
    X, Y = chain(compliance, shunt)
    rows = w[:, None] - weights * (noise * seen + signal * X)
    columns = w[:, None] - noise * above - Y / law.ratio
    return 1 / np.concatenate([rows, columns], axis=1)


def chain(compliance: np.ndarray, shunt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the diagonals X and Y of a chain of springs, half a compliance before each node and half behind it."""
    half = compliance / 2
    points, count = compliance.shape
    left = np.zeros((points, count), complex)  # of the chain up to a node, its shunt included
    below, last = np.zeros(points, complex), np.zeros(points, complex)
    for a in range(count):
        before = below + last + half[:, a]
        below = left[:, a] = before / (1 - shunt[:, a] * before)
        last = half[:, a]
    right = np.zeros((points, count), complex)  # the admittance behind a node
    springs = np.zeros((points, count + 1), complex)
    for a in reversed(range(count)):
        if a < count - 1:
            after = right[:, a + 1] - shunt[:, a + 1]
            right[:, a] = after / (1 + (half[:, a] + half[:, a + 1]) * after)
        admittance = right[:, a] - shunt[:, a]
        before = left[:, a - 1] + half[:, a - 1] + half[:, a] if a else half[:, 0]
        springs[:, a] = -admittance / (1 + before * admittance)
    return left / (1 + right * left), (springs[:, :-1] + springs[:, 1:]) / 2
