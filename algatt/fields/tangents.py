"""Dual numbers over GF(p) that numpy indexes: each entry has its value, its tangent, and bounds of its degree."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import AlgattError
from algatt.fields.base import Field
from algatt.fields.prime import PrimeField


class TooManyTangents(AlgattError):
    """Arrays of tangents are larger than a computation allows."""


@dataclass(frozen=True)
class Tangents(Field):
    r"""The ring of dual numbers over GF(p) with several directions, whose entries are rational functions of the weights
    at a point: a value, its derivatives, and the degrees of a numerator and a denominator.

    Parameters
    ----------
    base : PrimeField
        The field of the values.
    directions : int
        The number of derivatives of an entry.
    most : int
        Maximum number of derivatives of all arrays together.
    tested : list of float
        The degrees of the numerators of arrays that were tested for zero.
    spent : list of int
        The number of derivatives of all arrays so far.

    Notes
    -----
    Raw arrays are structured, so that numpy takes parts, reshapes and joins them. `above` bounds the degree of a
    numerator, and is :math:`-\infty` for constants that are zero; `below` bounds that of a denominator.
    """

    base: PrimeField
    directions: int
    most: int = 2**62
    tested: list[float] = dataclass_field(default_factory=list, compare=False, repr=False)
    spent: list[int] = dataclass_field(default_factory=lambda: [0], compare=False, repr=False)

    __homes__ = ("algatt.linalg.tangents",)

    @property
    def characteristic(self) -> int:
        return self.base.characteristic

    @property
    def exact(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.directions} tangents over {self.base}"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: what is compared are values alone."""
        return ()

    def array(self, value: Any, tangent: Any, above: Any, below: Any) -> np.ndarray:
        """Return a raw array; the tangent has its directions in the last axis, or is None if it vanishes.

        Raises
        ------
        TooManyTangents
            If all arrays together have more derivatives than the field allows.
        """
        value = np.asarray(value)
        self.check(value.size)
        self.spent[0] += value.size * self.directions
        kind = [("value", "f8"), ("tangent", "f8", (self.directions,)), ("above", "f8"), ("below", "f8")]
        raw: np.ndarray = np.zeros(value.shape, dtype=kind)
        raw["value"], raw["above"], raw["below"] = value, above, below
        if tangent is not None:
            raw["tangent"] = tangent
        return raw

    def check(self, size: int) -> None:
        """Refuse an array with so many entries before it is made, if all together have too many derivatives."""
        if self.spent[0] + size * self.directions > self.most:
            raise TooManyTangents(f"more than {self.most} derivatives")


def moving(raw: np.ndarray) -> np.ndarray | None:
    """Return the tangents, or None if they vanish."""
    tangent: np.ndarray = raw["tangent"]
    return tangent if tangent.any() else None


def total(field: Tangents, parts: list[np.ndarray]) -> np.ndarray | None:
    """Return the sum of at most two tangents; None for none."""
    return verbs.add(field.base, *parts) if len(parts) == 2 else parts[0] if parts else None


@verbs.embed.method
def embed_constants(field: Tangents, constants: object) -> np.ndarray:
    value = verbs.embed(field.base, constants)
    return field.array(value, None, np.where(value == 0, -np.inf, 0), 0)


@verbs.add.method
def add_tangents(field: Tangents, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return field.array(
        verbs.add(field.base, left["value"], right["value"]),
        verbs.add(field.base, left["tangent"], right["tangent"]),
        np.maximum(left["above"] + right["below"], right["above"] + left["below"]),
        left["below"] + right["below"],
    )


@verbs.negate.method
def negate_tangents(field: Tangents, raw: np.ndarray) -> np.ndarray:
    value, tangent = (verbs.negate(field.base, raw[name]) for name in ("value", "tangent"))
    return field.array(value, tangent, raw["above"], raw["below"])


@verbs.multiply.method
def multiply_tangents(field: Tangents, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    field.check(math.prod(np.broadcast_shapes(left.shape, right.shape)))
    parts = []
    for one, other in ((left, right), (right, left)):
        tangent = moving(one)
        if tangent is not None:
            parts.append(verbs.multiply(field.base, tangent, other["value"][..., None]))
    return field.array(
        verbs.multiply(field.base, left["value"], right["value"]),
        total(field, parts),
        left["above"] + right["above"],
        left["below"] + right["below"],
    )


@verbs.product.method
def product_of_tangents(field: Tangents, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a product; its common denominators are those of the terms that are not constantly zero."""
    field.check(len(left) * right.shape[1])
    values = [np.ascontiguousarray(one["value"]) for one in (left, right)]
    changes = [moving(one) for one in (left, right)]
    parts = []
    if changes[0] is not None:
        parts.append(verbs.product(field.base, np.ascontiguousarray(values[1].T), np.ascontiguousarray(changes[0])))
    if changes[1] is not None:
        flat = np.ascontiguousarray(changes[1]).reshape(len(right), -1)
        parts.append(verbs.product(field.base, values[0], flat).reshape(len(left), right.shape[1], -1))
    some = [(one["above"] > -np.inf).astype(np.float64) for one in (left, right)]
    below = left["below"] @ some[1] + some[0] @ right["below"]
    most = [(one["above"] - one["below"]).max(axis=axis, initial=-np.inf) for one, axis in ((left, 1), (right, 0))]
    above = np.where(some[0] @ some[1] > 0, most[0][:, None] + most[1][None, :] + below, -np.inf)
    return field.array(verbs.product(field.base, *values), total(field, parts), above, below)


@verbs.reciprocal.method
def reciprocal_of_tangents(field: Tangents, raw: np.ndarray) -> np.ndarray:
    value = verbs.reciprocal(field.base, raw["value"])
    slope = verbs.negate(field.base, verbs.multiply(field.base, value, value))
    tangent = verbs.multiply(field.base, slope[..., None], raw["tangent"])
    return field.array(value, tangent, raw["below"], raw["above"])
