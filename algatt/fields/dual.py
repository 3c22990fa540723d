"""Dual numbers over a field: a value and its derivatives in several directions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Differential, Field
from algatt.fields.functions import Function
from algatt.fields.prime import PrimeField
from algatt.fields.real import Reals


@dataclass(frozen=True, eq=False)
class DualArray:
    """An array of dual numbers.

    Parameters
    ----------
    value : object
        Raw array of the base field, of shape s.
    tangent : object or None
        Raw array of shape ``(directions, *s)``, or None for a constant, whose derivatives all vanish.
    """

    value: Any
    tangent: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value."""
        return tuple(self.value.shape)


@dataclass(frozen=True)
class Dual(Differential):
    r"""The ring :math:`K[\varepsilon_1, \dots, \varepsilon_k]/(\varepsilon_i \varepsilon_j)` over a field K: its
    arithmetic differentiates.

    Parameters
    ----------
    base : Field
        The field K.
    """

    base: Field

    def __str__(self) -> str:
        return f"dual numbers over {self.base}"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(PrimeField(31)), cls(PrimeField()), cls(Reals()))

    def constant(self, value: Any) -> DualArray:
        return DualArray(value)

    def value(self, raw: DualArray) -> Any:
        return raw.value


def aligned(operand: DualArray, other: DualArray) -> Any:
    """Return the tangent with its axes spread so that the direction axis stays in front of all batch axes of the other
    operand.
    """
    tangent = operand.tangent
    missing = len(other.shape) - len(operand.shape)
    if tangent is None or missing <= 0:
        return tangent
    return tangent.reshape(tangent.shape[0], *(1,) * missing, *operand.shape)


def total(base: Field, parts: list[Any]) -> Any:
    """Add tangents over the base field; there are at most two, and none at all means zero."""
    if len(parts) == 2:
        return verbs.add(base, *parts)
    return parts[0] if parts else None


@verbs.draw_array.method
def draw_duals(field: Dual, *, shape: tuple[int, ...], seed: int, label: str) -> DualArray:
    """Two directions, each as random as the value."""
    draw = [
        verbs.draw_array(field.base, shape=size, seed=seed, label=f"{label}/{part}")
        for part, size in enumerate((shape, (2, *shape)))
    ]
    return DualArray(*draw)


@verbs.add.method
def add_duals(field: Dual, left: DualArray, right: DualArray) -> DualArray:
    value = verbs.add(field.base, left.value, right.value)
    parts = [
        np.broadcast_to(tangent, (tangent.shape[0], *value.shape))
        for tangent in (aligned(left, right), aligned(right, left))
        if tangent is not None
    ]
    return DualArray(value, total(field.base, parts))


@verbs.negate.method
def negate_duals(field: Dual, raw: DualArray) -> DualArray:
    return DualArray(
        verbs.negate(field.base, raw.value), None if raw.tangent is None else verbs.negate(field.base, raw.tangent)
    )


@verbs.transpose.method
def transpose_duals(field: Dual, raw: DualArray) -> DualArray:
    return DualArray(
        verbs.transpose(field.base, raw.value),
        None if raw.tangent is None else verbs.transpose(field.base, raw.tangent),
    )


@verbs.multiply.method
def multiply_duals(field: Dual, left: DualArray, right: DualArray) -> DualArray:
    return leibniz(field, verbs.multiply, left, right)


@verbs.product.method
def product_duals(field: Dual, left: DualArray, right: DualArray) -> DualArray:
    return leibniz(field, verbs.product, left, right)


def leibniz(field: Dual, times: Any, left: DualArray, right: DualArray) -> DualArray:
    """Apply the product rule to a bilinear verb."""
    parts = []
    if left.tangent is not None:
        parts.append(times(field.base, aligned(left, right), right.value))
    if right.tangent is not None:
        parts.append(times(field.base, left.value, aligned(right, left)))
    return DualArray(times(field.base, left.value, right.value), total(field.base, parts))


@verbs.take.method
def take_duals(field: Dual, raw: DualArray, *, rows: Any, columns: Any) -> DualArray:
    parts = (raw.value, raw.tangent)
    return DualArray(
        *(None if part is None else verbs.take(field.base, part, rows=rows, columns=columns) for part in parts)
    )


@verbs.concatenate.method
def concatenate_duals(field: Dual, parts: tuple, *, axis: int) -> DualArray:
    value = verbs.concatenate(field.base, tuple(part.value for part in parts), axis=axis)
    count = max((len(part.tangent) for part in parts if part.tangent is not None), default=0)
    if not count:
        return DualArray(value)
    batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    zero = verbs.encode(field.base, 0)
    tangents = []
    for part in parts:
        tangent = (
            zero
            if part.tangent is None
            else part.tangent.reshape(count, *(1,) * (len(batch) + 2 - len(part.shape)), *part.shape)
        )
        tangents.append(np.broadcast_to(tangent, (count, *batch, *part.shape[-2:])))
    return DualArray(value, verbs.concatenate(field.base, tuple(tangents), axis=axis))


@verbs.reciprocal.method
def reciprocal_duals(field: Dual, raw: DualArray) -> DualArray:
    value = verbs.reciprocal(field.base, raw.value)
    return chain(field, raw, value, lambda: verbs.negate(field.base, verbs.multiply(field.base, value, value)))


@verbs.entrywise.method
def entrywise_duals(field: Dual, function: Function, raw: DualArray) -> DualArray:
    value = verbs.entrywise(field.base, function, raw.value)
    return chain(field, raw, value, lambda: verbs.slope(field.base, function, raw.value, value))


def chain(field: Dual, inner: DualArray, value: Any, slope: Callable[[], Any]) -> DualArray:
    """Apply the chain rule to a function of the entries, given its value and its derivative, which is None if it is
    locally constant.
    """
    outer = None if inner.tangent is None else slope()
    return DualArray(value, None if outer is None else verbs.multiply(field.base, outer, inner.tangent))
