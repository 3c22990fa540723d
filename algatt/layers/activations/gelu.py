"""The Gaussian error linear unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.fields import Elements, Erf, Sigmoid
from algatt.layers.activations.base import Activation

__all__ = ["GELU", "TanhGELU"]

ROOT_HALF = Fraction(math.sqrt(0.5))
"""Libraries multiply by this float."""

TWICE_ROOT = 2 * Fraction(math.sqrt(2 / math.pi))
CUBIC = Fraction(0.044715)


@dataclass(frozen=True, repr=False)
class GELU(Activation):
    r"""The activation :math:`x (1 + \mathrm{erf}(x / \sqrt 2)) / 2` (Hendrycks and Gimpel, arXiv 1606.08415)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@dataclass(frozen=True, repr=False)
class TanhGELU(Activation):
    r"""The approximation :math:`x\, \sigma(2 \sqrt{2 / \pi}\, (x + 0.044715\, x^3))` of GELU, as in GPT-2.

    Hendrycks and Gimpel, arXiv 1606.08415.
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_gelu(activation: GELU, x: Elements) -> Elements:
    return x * ((x * ROOT_HALF).entrywise(Erf()) + 1) * Fraction(1, 2)


@verbs.activate.method
def activate_tanh_gelu(activation: TanhGELU, x: Elements) -> Elements:
    return x * ((x + x**3 * CUBIC) * TWICE_ROOT).entrywise(Sigmoid())
