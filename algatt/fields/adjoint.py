"""Arrays that remember how they were computed, so that derivatives can be carried backwards.

Dual numbers carry the derivatives by all parameters forwards and give all rows of a Jacobian at once; carried
backwards, the derivatives of one entry of the value cost no more than a few evaluations, whatever the number of
parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Differential, Field
from algatt.fields.functions import Function
from algatt.fields.prime import PrimeField
from algatt.fields.real import Reals

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
        What it was computed from, each with the linear map that carries derivatives by this array to derivatives by the
        source.
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
class Adjoint(Differential):
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

    def constant(self, value: Any) -> AdjointArray:
        return AdjointArray(value)

    def value(self, raw: AdjointArray) -> Any:
        return raw.value


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
    wanted = {source.time for source in sources}  # and what was computed from these: not, say, the inputs
    for time in sorted(reached):
        if any(source.time in wanted for source, _ in reached[time].sources):
            wanted.add(time)
    cotangents = {value.time: cotangent}
    for time in sorted(reached, reverse=True):
        for source, pullback in reached[time].sources:
            if source.time not in wanted:
                continue
            part = pullback(cotangents[time])
            before = cotangents.get(source.time)
            cotangents[source.time] = part if before is None else verbs.add(base, before, part)
    return [cotangents.get(source.time) for source in sources]


@verbs.draw_array.method
def draw_adjoints(field: Adjoint, *, shape: tuple[int, ...], seed: int, label: str) -> AdjointArray:
    return AdjointArray(verbs.draw_array(field.base, shape=shape, seed=seed, label=label))


def collapse(base: Field, shape: tuple[int, ...], cotangent: Any) -> Any:
    """Add up the derivatives over the last two axes in which an operand of the given shape was broadcast."""
    rows, columns = ((1, 1) + shape)[-2:]
    if cotangent.shape[-2] != rows:
        cotangent = verbs.product(base, ones(base, (1, cotangent.shape[-2])), cotangent)
    if cotangent.shape[-1] != columns:
        cotangent = verbs.product(base, cotangent, ones(base, (cotangent.shape[-1], 1)))
    return cotangent


def ones(base: Field, shape: tuple[int, ...]) -> Any:
    """Return a raw array of ones."""
    return verbs.embed(base, np.ones(shape, dtype=np.int64))


@verbs.add.method
def add_adjoints(field: Adjoint, left: AdjointArray, right: AdjointArray) -> AdjointArray:
    sources = tuple(
        (operand, lambda G, shape=operand.shape: collapse(field.base, shape, G)) for operand in (left, right)
    )
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
    return AdjointArray(
        value, ((raw, lambda G: verbs.negate(base, verbs.multiply(base, G, verbs.multiply(base, value, value)))),)
    )


@verbs.entrywise.method
def entrywise_adjoint(field: Adjoint, function: Function, raw: AdjointArray) -> AdjointArray:
    base = field.base
    value = verbs.entrywise(base, function, raw.value)
    slope = verbs.slope(base, function, raw.value, value)
    return AdjointArray(value, () if slope is None else ((raw, lambda G: verbs.multiply(base, G, slope)),))


@verbs.take.method
def take_adjoint(field: Adjoint, raw: AdjointArray, *, rows: Any, columns: Any) -> AdjointArray:
    value = verbs.take(field.base, raw.value, rows=rows, columns=columns)
    return AdjointArray(value, ((raw, lambda G: put(G, raw.shape[-2:], rows, columns)),))


def put(raw: np.ndarray, shape: tuple[int, ...], rows: Any, columns: Any) -> np.ndarray:
    """Write raw matrices into the rows and columns of zero matrices of a shape: the transpose of `take`."""
    wide = np.zeros((*raw.shape[:-1], shape[1]), dtype=raw.dtype)
    wide[..., columns] = raw
    result = np.zeros((*raw.shape[:-2], *shape), dtype=raw.dtype)
    result[..., rows, :] = wide
    return result


@verbs.concatenate.method
def concatenate_adjoints(field: Adjoint, parts: tuple, *, axis: int) -> AdjointArray:
    base = field.base
    ends = list(itertools.accumulate((part.shape[axis] for part in parts), initial=0))
    sources = []
    for part, (start, stop) in zip(parts, itertools.pairwise(ends), strict=True):
        index = {"rows": slice(None), "columns": slice(None), ("rows" if axis == -2 else "columns"): slice(start, stop)}
        sources.append((part, lambda G, index=index: verbs.take(base, G, **index)))
    return AdjointArray(verbs.concatenate(base, tuple(part.value for part in parts), axis=axis), tuple(sources))
