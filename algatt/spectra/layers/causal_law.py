r"""The law of attention with a causal mask (derived here).

Row i of causal attention is a softmax of i scores, so that its entries are 1/i and a fluctuation, which the linear
model replaces by :math:`(\alpha Z + \beta S)_{ij} / i`, zero beyond j = i. With t = i / l the variance of an entry has
the profile :math:`1_{u \le t} / t^2`. Of the first rows, of few scores, the variance is less: that of a softmax of i
scores (`algatt.spectra.softmax_rows`) is put in its place, and :math:`\alpha_a^2, \beta_a^2` are those of row a. Rows
and columns are cut into blocks, and the traces g of the rows and h of the columns of each block satisfy the matrix
Dyson equation of `algatt.spectra.layers.dyson` for the blocks, in which the masked scores have a letter of queries for
each block of rows and one of keys for each block of columns:

.. math::

    \frac{1}{g_a} = w - \frac{\alpha_a^2 H_a + \beta_a^2 X_{aa}}{t_a^2}, \qquad
    \frac{1}{h_b} = w - \sum_{a \ge b} \frac{\alpha_a^2 n_a g_a}{t_a^2} - \frac 1 c Y_b ,

with the sizes n of the blocks, :math:`H_a = \sum_{b \le a} n_b h_b`, :math:`X = (P^{-1} - D)^{-1}`,
:math:`P_{ab} = H_{\min(a, b)}`, D the diagonal matrix of :math:`c \beta_a^2 n_a g_a / t_a^2`, and :math:`Y_b` the sum
over a, a' >= b of :math:`D (1 - P D)^{-1}`. The inverse of P is tridiagonal: it is a chain of springs of compliance
:math:`n_b h_b` with the admittances -D, and X and Y are read off it in two passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.spectra.laws import checked_parameter
from algatt.spectra.layers.mixing import mixed_fixed_point
from algatt.spectra.layers.paths import follow
from algatt.spectra.numerical_law import NumericalLaw
from algatt.spectra.softmax_rows import expected_power_sum

BLOCKS = 64
"""Of rows and columns, even in the logarithm: twice as many change the distribution function of 1000 tokens at beta =
0.5 by 3e-3 at 0.001, and by 2e-4 from 0.1 on.
"""

KNOWN_ROWS = 200
"""Rows whose variances are computed one by one; those of the others are interpolated between the ends of blocks."""

LARGEST_BETA = 3.0
"""Beyond, a few entries carry the rows of any number of tokens that a matrix has."""

PRECISION = 1e-11
"""Of the unknowns, in parts of them."""

MOST_STEPS = 10
"""Of mixing, for one of Newton's method."""


@dataclass(frozen=True, eq=False)
class RowBlocks:
    r"""The blocks of rows, which are also those of columns.

    Parameters
    ----------
    sizes : numpy.ndarray
        Their parts of all tokens.
    noise, signal : numpy.ndarray
        The variances :math:`\alpha_a^2 / t_a^2` and :math:`\beta_a^2 / t_a^2` of their rows.
    front : numpy.ndarray
        The part of its own columns that a row sees, in the mean: a half of large blocks, and all of a single row.
    """

    sizes: np.ndarray
    noise: np.ndarray
    signal: np.ndarray
    front: np.ndarray


@dataclass(frozen=True)
class CausalLaw(NumericalLaw):
    r"""The law of the squared singular values of :math:`\sqrt l (A - C)`, A causal attention of l tokens, C its mean,
    of entries 1/i up to the diagonal.

    The linear model of HCK with the mask is put in place of the softmax, which is not proven, and the equation is
    solved for blocks: numerical, derived here. The rows of the first tokens are long, of squared norm
    :math:`l \theta_1 / i`, so that there is no law of compact support for infinitely many tokens: the largest values
    grow with l, and as those of a few rows they are random for every l. The law is about the others; but all rows have
    the variance of a softmax of i scores, so that its mean is that of draws. The first row is constant, and zero has
    the mass 1 / l.

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
    1.568
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

    def transform(self, w: np.ndarray) -> np.ndarray:
        blocks = blocks_of(self)
        count = len(blocks.sizes)

        def begin(w: np.ndarray) -> np.ndarray:
            unknowns = np.repeat(1 / w[:, None], 2 * count, axis=1)
            for _ in range(100):
                unknowns = (unknowns + equation(self, blocks, w, unknowns)) / 2
            return unknowns

        def solve(w: np.ndarray, guess: np.ndarray, precision: float, most: int) -> tuple[np.ndarray, np.ndarray]:
            def step(unknowns: np.ndarray, left: np.ndarray) -> np.ndarray:
                return equation(self, blocks, w[left], unknowns)

            return mixed_fixed_point(step, guess, max(precision, PRECISION), MOST_STEPS * most)

        def read_off(w: np.ndarray, unknowns: np.ndarray) -> np.ndarray:
            rows: np.ndarray = unknowns[:, :count] @ blocks.sizes
            return rows

        return follow(begin, solve, read_off, w, 3 * self.span)

    @classmethod
    def examples(cls) -> Iterable[CausalLaw]:
        return (cls(0.5, 1.0, 200),)


@lru_cache(maxsize=64)
def blocks_of(law: CausalLaw) -> RowBlocks:
    """Return the blocks of a law. The variances of a block have the sum of those of its rows."""
    rows = np.arange(1, law.tokens + 1)
    ends = np.unique(np.geomspace(1, law.tokens, BLOCKS).round().astype(int))
    known = np.unique(np.concatenate([rows[:KNOWN_ROWS], ends]))
    squares = expected_power_sum(law.beta, known, key_dim=max(1, round(law.tokens / law.ratio)))
    scaled = np.interp(np.log(rows), np.log(known), known * squares)  # nearly constant
    variances = (scaled - 1) / rows
    linear = law.beta**2 * (1 - scaled / rows) ** 2 / rows
    first = np.concatenate([[0], ends[:-1]])
    entries = np.add.reduceat(rows, first) / law.tokens**2
    variances, linear = (np.add.reduceat(one, first) / entries for one in (variances, linear))
    counts = ends - first
    return RowBlocks(counts / law.tokens, variances - linear, linear, (counts + 1) / (2 * counts))


def equation(law: CausalLaw, blocks: RowBlocks, w: np.ndarray, unknowns: np.ndarray) -> np.ndarray:
    """Return the right sides of the equations of g and h."""
    count = len(blocks.sizes)
    g, h = unknowns[:, :count], unknowns[:, count:]
    compliance = blocks.sizes * h
    shunt = law.ratio * blocks.sizes * blocks.signal * g  # D
    seen = np.cumsum(compliance, axis=1) - (1 - blocks.front) * compliance
    long_rows = blocks.sizes * blocks.noise * g
    above = np.cumsum(long_rows[:, ::-1], axis=1)[:, ::-1] - (1 - blocks.front) * long_rows
    X, Y = chain(compliance, shunt, blocks.front)
    rows = w[:, None] - blocks.noise * seen - blocks.signal * X
    columns = w[:, None] - above - Y / law.ratio
    return 1 / np.concatenate([rows, columns], axis=1)


def chain(compliance: np.ndarray, shunt: np.ndarray, front: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the diagonals X and Y of a chain of springs, a part of each compliance before its node and the rest behind
    it.
    """
    before, behind = front * compliance, (1 - front) * compliance
    points, count = compliance.shape
    left = np.zeros((points, count), complex)  # of the chain up to a node, its shunt included
    below, last = np.zeros(points, complex), np.zeros(points, complex)
    for a in range(count):
        reached = below + last + before[:, a]
        below = left[:, a] = reached / (1 - shunt[:, a] * reached)
        last = behind[:, a]
    right = np.zeros((points, count), complex)  # the admittance behind a node
    springs = np.zeros((points, count + 1), complex)
    for a in reversed(range(count)):
        if a < count - 1:
            after = right[:, a + 1] - shunt[:, a + 1]
            right[:, a] = after / (1 + (behind[:, a] + before[:, a + 1]) * after)
        admittance = right[:, a] - shunt[:, a]
        reached = left[:, a - 1] + behind[:, a - 1] + before[:, a] if a else before[:, 0]
        springs[:, a] = -admittance / (1 + reached * admittance)
    return left / (1 + right * left), front * springs[:, :-1] + (1 - front) * springs[:, 1:]
