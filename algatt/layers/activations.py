"""Activations, functions of one variable that are applied entry by entry; and scores, which turn products of keys and
queries into weights, before these are normalised (HMK Section 3.4).
"""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from algatt import fields, verbs
from algatt.arguments import entries, exact, integer, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Erf, Log, Positive
from algatt.layers.base import Layer, Tensors
from algatt.plain import description_of


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


@dataclass(frozen=True, repr=False)
class Score(Activation, ABC):
    """A function S of one variable. A new score is a frozen dataclass with a method of
    `algatt.layers.activate` and the properties below.

    Attributes
    ----------
    algebraic : bool
        Whether S is a quotient of polynomials with integer coefficients, so that it can be computed over GF(p). A class
        attribute, true by default.
    """

    algebraic: ClassVar[bool] = True

    @property
    def homogeneous(self) -> bool:
        """Whether S(c x) is a multiple of S(x), so that a layer does not change if its attention matrix is multiplied
        by a number.
        """
        return False

    @property
    def sensitive(self) -> bool:
        """Whether neither S nor its derivative vanishes at 0, so that one layer determines its weights (derived)."""
        return False

    @property
    def injective_and_positive(self) -> bool:
        """Whether S(x) > 0 for all real x, and S takes no value twice: the hypotheses of HMK Theorem 3.9.

        A user-defined score that declares it makes a hypothesis: nothing proves it, and results that use it name it.
        Values that contradict it are refused. No quotient of polynomials has the property.
        """
        return False

    @property
    def exponent(self) -> int:
        """An integer h, such that derivatives do not vanish where x is about 4^h: proofs by balls take queries and keys
        of about 2^h.
        """
        return 0

    def description(self) -> dict[str, Any]:
        """Return the score as plain values for JSON: its name and all its fields."""
        return description_of(self)

    @classmethod
    def examples(cls) -> Iterable[tuple[Score, tuple[int, int]]]:
        """Return instances on which the conformance tests run, each with the shape of an input."""
        return ()


@dataclass(frozen=True)
class Exponential(Score):
    r"""The score :math:`S(x) = e^{x / \tau}` of softmax attention (HMK Section 3.4).

    Parameters
    ----------
    temperature : int, float or Fraction, optional
        The number :math:`\tau > 0`, by which scores are divided; floats stand for exactly what they are. The usual
        scaling of queries of length a is :math:`\tau = \sqrt a`.

    Raises
    ------
    InvalidArgument
        If the temperature is not a positive finite number.
    """

    temperature: int | float | Fraction = 1

    algebraic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        value = exact("temperature", self.temperature, positive=True)
        object.__setattr__(self, "temperature", value.numerator if value.denominator == 1 else value)

    @property
    def sensitive(self) -> bool:
        return True

    @property
    def injective_and_positive(self) -> bool:
        return True

    @property
    def exponent(self) -> int:
        # Only at low temperatures the weights of tokens tend to 0 and 1; at high ones derivatives are small alike, and
        # do not vanish.
        n, m = Fraction(self.temperature).as_integer_ratio()
        return -(max(m.bit_length() - n.bit_length(), 0) // 2)

    def __repr__(self) -> str:
        return f"Exponential(temperature={self.temperature})"

    def description(self) -> dict[str, Any]:
        return {"name": "Exponential", "temperature": str(self.temperature)}

    @classmethod
    def examples(cls) -> Iterable[tuple[Score, tuple[int, int]]]:
        return ((cls(), (2, 2)), (cls(Fraction(1, 2)), (2, 2)))


@dataclass(frozen=True)
class Affine(Score):
    """The score S(x) = a x + b.

    Parameters
    ----------
    a, b : int
        The coefficients, a not zero.

    Raises
    ------
    InvalidArgument
        If they are not integers, or a is 0.
    """

    a: int = 1
    b: int = 1

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            object.__setattr__(self, name, integer(name, getattr(self, name)))
        if self.a == 0:
            raise InvalidArgument("a", "0", "not 0: a constant score compares nothing")

    @property
    def homogeneous(self) -> bool:
        return self.b == 0

    @property
    def sensitive(self) -> bool:
        return self.b != 0

    @classmethod
    def examples(cls) -> Iterable[tuple[Score, tuple[int, int]]]:
        return ((cls(), (2, 2)), (cls(-2, 3), (2, 2)), (cls(1, 0), (2, 2)))


@dataclass(frozen=True)
class Power(Score):
    """The score S(x) = x^k, which is homogeneous: the attention matrices count up to factors only.

    Parameters
    ----------
    k : int
        The exponent, at least 1.

    Raises
    ------
    InvalidArgument
        If it is not an integer of at least 1.
    """

    k: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole("k", self.k))

    @property
    def homogeneous(self) -> bool:
        return True

    @classmethod
    def examples(cls) -> Iterable[tuple[Score, tuple[int, int]]]:
        return ((cls(1), (2, 2)), (cls(3), (2, 2)))


@dataclass(frozen=True)
class Rational(Score):
    """The score S(x) = (n_0 + n_1 x + ...) / (m_0 + m_1 x + ...), in lowest terms, so that x (1 + x) / (1 + x) is
    homogeneous as x is.

    Parameters
    ----------
    numerator, denominator : sequence of int
        The coefficients n_0, n_1, ... and m_0, m_1, ..., the last of each not zero. Common factors are divided out.

    Raises
    ------
    InvalidArgument
        If they are not integers, or the score is constant or a last coefficient zero.
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...] = (1,)

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            numbers = entries(name, getattr(self, name), "a sequence of integers")
            coefficients = tuple(integer(f"{name}[{i}]", entry) for i, entry in enumerate(numbers))
            if not coefficients or coefficients[-1] == 0:
                raise InvalidArgument(name, repr(coefficients), "integers of which the last is not 0")
            object.__setattr__(self, name, coefficients)
        if proportional(self.numerator, self.denominator):
            raise InvalidArgument(
                "numerator",
                repr(self.numerator),
                "not a multiple of the denominator: a constant score compares nothing",
            )
        for name, coefficients in zip(
            ("numerator", "denominator"), lowest_terms(self.numerator, self.denominator), strict=True
        ):
            object.__setattr__(self, name, coefficients)

    @property
    def homogeneous(self) -> bool:
        return not any(self.numerator[:-1]) and not any(self.denominator[:-1])

    @property
    def sensitive(self) -> bool:
        n, m = ((*coefficients, 0)[:2] for coefficients in (self.numerator, self.denominator))
        return m[0] != 0 and n[0] != 0 and n[1] * m[0] != n[0] * m[1]

    @classmethod
    def examples(cls) -> Iterable[tuple[Score, tuple[int, int]]]:
        return ((cls((1,), (2, 1)), (2, 2)), (cls((1, 1, 1), (3, 0, 1)), (2, 2)))


def proportional(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """Return whether two polynomials are multiples of each other."""
    return len(left) == len(right) and all(a * right[-1] == b * left[-1] for a, b in zip(left, right, strict=True))


def lowest_terms(numerator: tuple[int, ...], denominator: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Divide two polynomials with integer coefficients by their greatest common divisor."""
    import flint

    polynomials = flint.fmpz_poly(list(numerator)), flint.fmpz_poly(list(denominator))
    common = polynomials[0].gcd(polynomials[1])
    reduced, below = (tuple(int(entry) for entry in (one // common).coeffs()) for one in polynomials)
    return reduced, below


def polynomial(coefficients: tuple[int, ...], x: Elements) -> Elements:
    """Evaluate a polynomial by Horner's rule."""
    last = coefficients[-1]
    value = x * 0 + last if len(coefficients) == 1 else x if last == 1 else x * last
    for power, coefficient in enumerate(reversed(coefficients[:-1])):
        value = value * x if power else value
        value = value + coefficient if coefficient else value
    return value


@verbs.activate.method
def values_of_exponential(score: Exponential, products: Elements) -> Elements:
    scaled = products if score.temperature == 1 else products * (1 / Fraction(score.temperature))
    return scaled.exp()


@verbs.activate.method
def values_of_affine(score: Affine, products: Elements) -> Elements:
    value = products if score.a == 1 else products * score.a
    return value + score.b if score.b else value


@verbs.activate.method
def values_of_power(score: Power, products: Elements) -> Elements:
    value = products
    for bit in f"{score.k:b}"[1:]:
        value = value * value
        if bit == "1":
            value = value * products
    return value


@verbs.activate.method
def values_of_rational(score: Rational, products: Elements) -> Elements:
    value = polynomial(score.numerator, products)
    return value if score.denominator == (1,) else value / polynomial(score.denominator, products)


@verbs.attention_weights.method
def weights_of_activation(score: Activation, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    return normalise(verbs.activate(score, products), mask)


@verbs.attention_weights.method
def weights_of_exponential(score: Exponential, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    """Softmax. A constant is subtracted from each column, so that nothing overflows; it changes no weight and no slope.

    Hidden products, which may be larger than all that are seen, become zeros.
    """
    largest = verbs.column_maximum(products.field, products.raw, mask=mask)
    if largest is not None:
        shifted = products - Elements(products.field, largest)
        products = shifted if mask is None else shifted * mask
    return normalise(verbs.activate(score, products), mask)


def normalise(values: Elements, mask: np.ndarray | None) -> Elements:
    """Divide every column by its sum, of the entries that a mask shows."""
    seen = values if mask is None else values * mask
    return seen / seen.sum(axis=0)
