"""Activations: functions of one variable as layers."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import fields, verbs
from algatt.arguments import integer
from algatt.fields import Elements, Erf, Log, Positive
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class Activation(Layer, ABC):
    """A function S of one variable, applied to arrays entry by entry.

    It stands in a slot of another layer, as in ``Feedforward(16, Tanh())``, and is a layer without tensors itself, as
    in ``Linear(16) >> Tanh() >> Linear(4)``. A concrete activation is a frozen dataclass with a method of
    `algatt.layers.activate`.
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        """Return instances on which the conformance tests run, each with the shape of an input."""
        return ()


@verbs.tensors.method
def tensors_of_activation(layer: Activation, shape: tuple) -> dict[str, TensorShape]:
    return {}


@verbs.apply.method
def apply_activation(layer: Activation, w: Tensors, X: Elements) -> Elements:
    values: Elements = verbs.activate(layer, X)
    return values


@dataclass(frozen=True, repr=False)
class ReLU(Activation):
    r"""The activation :math:`\max(x, 0)` (Nair and Hinton, 2010, Rectified linear units)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_relu(activation: ReLU, x: Elements) -> Elements:
    return x * x.entrywise(Positive())


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
    return x * ((x + x**3 * CUBIC) * TWICE_ROOT).entrywise(fields.Sigmoid())


@dataclass(frozen=True, repr=False)
class SiLU(Activation):
    r"""The activation :math:`x / (1 + e^{-x})`, also called swish (Elfwing et al., arXiv 1702.03118)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_silu(activation: SiLU, x: Elements) -> Elements:
    return x * x.entrywise(fields.Sigmoid())


@dataclass(frozen=True, repr=False)
class Sigmoid(Activation):
    r"""The activation :math:`1 / (1 + e^{-x})`, as of gates (Hochreiter and Schmidhuber, 1997, Long short-term
    memory).
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_sigmoid(activation: Sigmoid, x: Elements) -> Elements:
    return x.entrywise(fields.Sigmoid())


@dataclass(frozen=True, repr=False)
class Tanh(Activation):
    r"""The activation :math:`\tanh x = 2 \sigma(2 x) - 1` (LeCun et al., 1998, Efficient backprop)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


def tanh(x: Elements) -> Elements:
    """Return the hyperbolic tangents of the entries."""
    return 2 * (2 * x).entrywise(fields.Sigmoid()) - 1


@verbs.activate.method
def activate_tanh(activation: Tanh, x: Elements) -> Elements:
    return tanh(x)


@dataclass(frozen=True, repr=False)
class Softplus(Activation):
    r"""The activation :math:`\log(1 + e^x)` (Dugas et al., 2000, Incorporating second-order functional knowledge)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_softplus(activation: Softplus, x: Elements) -> Elements:
    return (x.exp() + 1).entrywise(Log())


@dataclass(frozen=True, repr=False)
class ELU(Activation):
    r"""The activation x for :math:`x > 0` and :math:`e^x - 1` else (Clevert et al., arXiv 1511.07289), plus a number.

    Parameters
    ----------
    shift : int, optional
        The number; 0 unless given. With 1 all values are positive.

    Raises
    ------
    InvalidArgument
        If it is no integer.
    """

    shift: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", integer("shift", self.shift))

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)), (cls(shift=1), (2, 2)))


@verbs.activate.method
def activate_elu(activation: ELU, x: Elements) -> Elements:
    """The exponential is that of -|x|: it cannot overflow, and its exponent is never constant."""
    positive = x.entrywise(Positive())
    size = x * (positive * 2 - 1)
    value = positive * x + (1 - positive) * ((-size).exp() - 1)
    return value + activation.shift if activation.shift else value
