r"""The degree of one lightning layer, by a formula.

**Proposition.** Let :math:`t \ge 2`. The functions of one layer with widths d and d' and rank a are, over the complex
numbers, a cone of degree

.. math:: \frac{1}{s} \binom{n + m}{n} \prod_{i=0}^{d-a-1} \binom{d+i}{a} \Big/ \binom{a+i}{a}, \qquad
    n = d d' - 1, \quad m = 2 a d - a^2 - 1,

with s = 2 for d' = a = 1 < d, and s = 1 else. Its dimension is n + m + 1, in a span of dimension d' d d (d + 1) / 2.

The functions are a linear projection, whose centre it does not meet, of the product of all V and all A of rank at most
a; the proof is on the page "Beyond the dimension". The product is the degree of the matrices A (Giambelli; Harris,
Algebraic Geometry, Example 19.10).
"""

from __future__ import annotations

import math
from fractions import Fraction

from algatt.architectures import Architecture, Lightning


def degree_of_single_layer(arch: Architecture) -> tuple[int, int, int] | None:
    """Return the degree, the dimension, and the dimension of the span of one lightning layer on at least two tokens;
    None for other networks.
    """
    if not isinstance(arch, Lightning) or arch.layers > 1 or arch.tokens == 1:
        return None
    (d, rows), a = arch.dims, min(arch.ranks[0], arch.dims[0])
    n, m = d * rows - 1, 2 * a * d - a**2 - 1
    matrices = math.prod(Fraction(math.comb(d + i, a), math.comb(a + i, a)) for i in range(d - a))
    pairs = 2 if rows == a == 1 < d else 1
    return int(math.comb(n + m, n) * matrices / pairs), n + m + 1, rows * d * d * (d + 1) // 2
