"""Numbers with one derivative: a ring over a field whose raw arrays numpy indexes, and over itself for higher ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Differential, Field
from algatt.fields.functions import Erf, Function, Given
from algatt.fields.prime import PrimeField
from algatt.fields.real import Reals


@dataclass(frozen=True)
class FirstOrder(Differential):
    r"""The ring :math:`K[\eta] / (\eta^2)`: values with one derivative. Over itself it has the mixed derivatives by
    several variables, each at most once.

    Parameters
    ----------
    base : Field
        The ring K.

    Notes
    -----
    Raw arrays are structured, with the fields ``value`` and ``tangent`` of raw numbers of K.
    """

    base: Field

    def __str__(self) -> str:
        return f"{self.base} with a derivative"

    def constant(self, value: Any) -> np.ndarray:
        """Return numbers without derivatives."""
        return pair(np.asarray(value), verbs.encode(self.base, np.zeros(np.shape(value), dtype=np.int64)))

    def value(self, raw: np.ndarray) -> Any:
        return raw["value"]

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(PrimeField(31)), cls(cls(PrimeField())), cls(Reals()))

    def lift(self, raw: np.ndarray) -> np.ndarray:
        return self.constant(self.base.lift(raw))


def pair(value: np.ndarray, tangent: np.ndarray) -> np.ndarray:
    """Return numbers with their derivatives."""
    raw = np.empty(value.shape, dtype=[("value", value.dtype), ("tangent", value.dtype)])
    raw["value"], raw["tangent"] = value, tangent
    return raw


def join(coefficients: np.ndarray) -> np.ndarray:
    """Return numbers with m derivatives of their 2^m coefficients: bit i of an index is for the i-th variable."""
    if len(coefficients) == 1:
        return coefficients[0]
    half = len(coefficients) // 2
    return pair(join(coefficients[:half]), join(coefficients[half:]))


def split(raw: np.ndarray) -> np.ndarray:
    """Return the coefficients of numbers with derivatives, the inverse of `join`."""
    if raw.dtype.names is None or "tangent" not in raw.dtype.names:
        return raw[None]
    return np.concatenate([split(raw["value"]), split(raw["tangent"])])


@verbs.encode.method
def encode_first_order(field: FirstOrder, array: object, *, argument: str = "array") -> np.ndarray:
    if isinstance(array, np.ndarray) and array.dtype.names is not None and "tangent" in array.dtype.names:
        return array
    return field.constant(verbs.encode(field.base, array, argument=argument))


@verbs.draw_array.method
def draw_first_order(field: FirstOrder, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    parts = [verbs.draw_array(field.base, shape=shape, seed=seed, label=f"{label}/{part}") for part in range(2)]
    return pair(*parts)


@verbs.add.method
def add_first_order(field: FirstOrder, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    parts = [verbs.add(field.base, left[part], right[part]) for part in ("value", "tangent")]
    return pair(*parts)


@verbs.negate.method
def negate_first_order(field: FirstOrder, raw: np.ndarray) -> np.ndarray:
    return pair(verbs.negate(field.base, raw["value"]), verbs.negate(field.base, raw["tangent"]))


@verbs.multiply.method
def multiply_first_order(field: FirstOrder, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return leibniz(field.base, verbs.multiply, left, right)


@verbs.product.method
def product_first_order(field: FirstOrder, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return leibniz(field.base, verbs.product, left, right)


def leibniz(base: Field, times: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Apply the product rule to a bilinear verb."""
    parts = times(base, left["value"], right["tangent"]), times(base, left["tangent"], right["value"])
    return pair(times(base, left["value"], right["value"]), verbs.add(base, *parts))


@verbs.reciprocal.method
def reciprocal_first_order(field: FirstOrder, raw: np.ndarray) -> np.ndarray:
    base, value = field.base, verbs.reciprocal(field.base, raw["value"])
    square = verbs.multiply(base, value, value)
    return pair(value, verbs.negate(base, verbs.multiply(base, square, raw["tangent"])))


@verbs.entrywise.method
def entrywise_first_order(field: FirstOrder, function: Function, raw: np.ndarray) -> np.ndarray:
    base, value = field.base, verbs.entrywise(field.base, function, raw["value"])
    slope = verbs.slope(base, function, raw["value"], value)
    return field.constant(value) if slope is None else pair(value, verbs.multiply(base, slope, raw["tangent"]))


@verbs.slope.method
def slope_of_given_first_order(field: FirstOrder, function: Given, argument: np.ndarray, value: object) -> Any:
    """The derivatives that are given are below; above them it is the function that its values stand for."""
    if function.derivative is None or function.function is None:
        return None
    if isinstance(function.function, Erf):
        return slope_by_density(field, function, argument)
    return verbs.slope(field, function.function, argument, value)


@verbs.slope.method
def slope_of_erf_first_order(field: FirstOrder, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    return slope_by_density(field, function, argument)


def slope_by_density(field: FirstOrder, function: Function, argument: np.ndarray) -> np.ndarray:
    """Return the derivative d of the error function, which has the derivative -2 x d."""
    base, x = field.base, argument["value"]
    density = verbs.slope(base, function, x, None)
    change = verbs.multiply(base, verbs.multiply(base, verbs.add(base, x, x), density), argument["tangent"])
    return pair(density, verbs.negate(base, change))
