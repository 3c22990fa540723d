"""Arrays that remember how they were computed, so that derivatives can be carried backwards.

Dual numbers carry the derivatives by all parameters forwards and give all rows of a Jacobian at once; carried backwards, the derivatives of one
entry of the value cost no more than a few evaluations, whatever the number of parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Field
from algatt.fields.prime import PrimeField
from algatt.fields.real import Reals

__all__ = ["Adjoint", "AdjointArray", "pull_back"]

Pullback = Callable[[Any], Any]

clock = itertools.count()


@dataclass(frozen=True, eq=False)
class AdjointArray:
    """An array with its history.

    Parameters
    ----------
    value : object
        Raw array of the base field.
    sources : tuple of (AdjointArray, callable)
        What it was computed from, each with the linear map that carries derivatives by this array to derivatives by the source.
    time : int
        Later arrays have larger numbers.
    """

    value: Any
    sources: tuple[tuple[AdjointArray, Pullback], ...] = ()
    time: int = field(default_factory=lambda: next(clock))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value."""
        return tuple(self.value.shape)


@dataclass(frozen=True)
class Adjoint(Field):
    """Arrays over a field K that remember how they were computed.

    Parameters
    ----------
    base : Field
        The field K.
    """

    base: Field

    def __str__(self) -> str:
        return f"adjoints over {self.base}"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(PrimeField(31)), cls(PrimeField()), cls(Reals()))


def pull_back(base: Field, value: AdjointArray, cotangent: Any, sources: Sequence[AdjointArray]) -> list[Any]:
    """Carry derivatives by `value` back to derivatives by `sources`.

    Parameters
    ----------
    base : Field
        The field of the raw arrays.
    value : AdjointArray
        A result, whose batch axes are independent of each other.
    cotangent : object
        Raw array of the shape of `value`.
    sources : sequence of AdjointArray
        Matrices that the result was computed from; a matrix without batch axes counts as one copy for each batch index.

    Returns
    -------
    list
        For each source a raw array of shape (batch, rows, columns), or None if the result does not depend on it.
    """
    reached = {value.time: value}
    pending = [value]
    while pending:
        for source, _ in pending.pop().sources:
            if source.time not in reached:
                reached[source.time] = source
                pending.append(source)
    cotangents = {value.time: cotangent}
    for time in sorted(reached, reverse=True):
        for source, pullback in reached[time].sources:
            part = pullback(cotangents[time])
            before = cotangents.get(source.time)
            cotangents[source.time] = part if before is None else verbs.add(base, before, part)
    return [cotangents.get(source.time) for source in sources]


@verbs.encode.method
def encode_constants(field: Adjoint, array: object, *, argument: str = "array") -> AdjointArray:
    return AdjointArray(verbs.encode(field.base, array, argument=argument))


@verbs.embed.method
def embed_constants(field: Adjoint, constants: object) -> AdjointArray:
    return AdjointArray(verbs.embed(field.base, constants))


@verbs.decode.method
def decode_values(field: Adjoint, raw: AdjointArray) -> Any:
    return verbs.decode(field.base, raw.value)


@verbs.draw_array.method
def draw_adjoints(field: Adjoint, *, shape: tuple[int, ...], seed: int, label: str) -> AdjointArray:
    return AdjointArray(verbs.draw_array(field.base, shape=shape, seed=seed, label=label))


def collapse(base: Field, shape: tuple[int, ...], cotangent: Any) -> Any:
    """Add up the derivatives over the last two axes in which an operand of the given shape was broadcast."""
    rows, columns = ((1, 1) + shape)[-2:]
    if cotangent.shape[-2] != rows:
        cotangent = verbs.product(base, np.ones((1, cotangent.shape[-2]), dtype=cotangent.dtype), cotangent)
    if cotangent.shape[-1] != columns:
        cotangent = verbs.product(base, cotangent, np.ones((cotangent.shape[-1], 1), dtype=cotangent.dtype))
    return cotangent


@verbs.add.method
def add_adjoints(field: Adjoint, left: AdjointArray, right: AdjointArray) -> AdjointArray:
    sources = tuple((operand, lambda G, shape=operand.shape: collapse(field.base, shape, G)) for operand in (left, right))
    return AdjointArray(verbs.add(field.base, left.value, right.value), sources)


@verbs.negate.method
def negate_adjoint(field: Adjoint, raw: AdjointArray) -> AdjointArray:
    return AdjointArray(verbs.negate(field.base, raw.value), ((raw, lambda G: verbs.negate(field.base, G)),))


@verbs.transpose.method
def transpose_adjoint(field: Adjoint, raw: AdjointArray) -> AdjointArray:
    return AdjointArray(verbs.transpose(field.base, raw.value), ((raw, lambda G: verbs.transpose(field.base, G)),))


@verbs.multiply.method
def multiply_adjoints(field: Adjoint, left: AdjointArray, right: AdjointArray) -> AdjointArray:
    base = field.base
    sources = (
        (left, lambda G: collapse(base, left.shape, verbs.multiply(base, G, right.value))),
        (right, lambda G: collapse(base, right.shape, verbs.multiply(base, G, left.value))),
    )
    return AdjointArray(verbs.multiply(base, left.value, right.value), sources)


@verbs.product.method
def product_adjoints(field: Adjoint, left: AdjointArray, right: AdjointArray) -> AdjointArray:
    base = field.base
    sources = (
        (left, lambda G: verbs.product(base, G, verbs.transpose(base, right.value))),
        (right, lambda G: verbs.product(base, verbs.transpose(base, left.value), G)),
    )
    return AdjointArray(verbs.product(base, left.value, right.value), sources)


@verbs.reciprocal.method
def reciprocal_adjoint(field: Adjoint, raw: AdjointArray) -> AdjointArray:
    base = field.base
    value = verbs.reciprocal(base, raw.value)
    return AdjointArray(value, ((raw, lambda G: verbs.negate(base, verbs.multiply(base, G, verbs.multiply(base, value, value)))),))


@verbs.exp.method
def exp_adjoint(field: Adjoint, raw: AdjointArray) -> AdjointArray:
    value = verbs.exp(field.base, raw.value)
    return AdjointArray(value, ((raw, lambda G: verbs.multiply(field.base, G, value)),))


@verbs.column_maximum.method
def column_maximum_adjoint(field: Adjoint, raw: AdjointArray) -> AdjointArray:
    return AdjointArray(verbs.column_maximum(field.base, raw.value))
