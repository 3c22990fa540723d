"""The families of a network that a certificate has, and the columns in which their directions are independent."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.families import Velocity, velocities
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.make.words import Factor, has_free
from algatt.errors import CertificateError, DivisionByZero, InvalidArgument
from algatt.fields import Elements, Field, PrimeField
from algatt.files import shorten
from algatt.geometry.dimensions.ambient import AMBIENT, ambient_dimension
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry.arrows.members import symmetries_to_first_order
from algatt.symmetry.base import Symmetry

__all__ = ["check_families", "families_of", "independent"]

Claim = dict[str, Any]


def families_of(arch: Architecture, seed: int, source: str = "arch") -> tuple[list[Claim], list[int]]:
    """Return the claims of all families of symmetries of a network, without what raises no rank, and columns in which
    their directions are independent.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int
        The seed of weights at which columns are chosen.
    source : str
        The name of the argument in errors.

    Raises
    ------
    InvalidArgument
        If the dimension is less by something that there are no words for: other families, or the ambient space.
    """
    checked, unchecked = checked_families(arch)
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=seed)
    space = RowSpace(PrimeField(), arch.parameters)
    claims = independent(checked, theta, space)
    columns = [int(column) for column in space.pivot_columns]
    missing = []
    for family in unchecked:
        before = space.rank
        space.add(family.tangent_elements(theta))
        if space.rank > before:
            missing.append(repr(family.name))
    ambient = ambient_dimension(arch)
    if ambient is not None and ambient < arch.parameters - len(columns):
        missing.append(f"the {AMBIENT}")
    if missing:
        was = f"{shorten(str(arch))}, whose dimension is bounded by {', '.join(missing)}"
        raise InvalidArgument(source, was, "a network whose bound from above the verifier of certificates can check")
    return claims, columns


def check_families(arch: Architecture, seed: int, source: str) -> None:
    """Refuse a network of whose dimension there is no certificate, before the dimension is computed.

    Raises
    ------
    InvalidArgument
        If the dimension is less by something that there are no words for: other families, or the ambient space.
    """
    families_of(arch, seed, source)


def checked_families(arch: Architecture) -> tuple[list[tuple[str, Velocity]], list[Symmetry]]:
    """Return the directions of all families that the verifier accepts, with names, and the other families."""
    found: list[tuple[str, Velocity]] = []
    unchecked: list[Symmetry] = []
    head = {"kind": "dimension", **claims_of_network(arch)}
    for family in symmetries_to_first_order(arch):
        listed = velocities(family)
        names = [family.name] if len(listed) == 1 else [f"{family.name} {k + 1}" for k in range(len(listed))]
        named = [one for one in zip(names, listed, strict=True) if one[1].moved]
        if named and is_accepted(arch, head, named):
            found += named
        else:
            unchecked.append(family)
    return found, unchecked


def is_accepted(arch: Architecture, head: Claim, named: Sequence[tuple[str, Velocity]]) -> bool:
    """Return whether the verifier finds that the value does not move along those directions that are independent."""
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=0)
    space = RowSpace(PrimeField(), arch.parameters)
    families = independent(named, theta, space)
    columns = [int(column) for column in space.pivot_columns]
    claims: Claim = {**head, "rows": [], "columns": [], "families": families, "directions": columns}
    if "tokens" in head["reads"]:
        claims["inputs"] = []
    try:
        return bool(verbs.verify(Certificate(claims, "")).ok)
    except CertificateError:
        return False


def independent(named: Sequence[tuple[str, Velocity]], theta: Weights, space: RowSpace) -> list[Claim]:
    """Return claims with those directions alone that are independent of each other and of those in a space, which they
    are added to.
    """
    claims = []
    for name, velocity in named:
        before, start = space.rank, space.rows
        try:
            space.add(tangents(velocity, theta))
        except DivisionByZero:  # a gain has a zero at these weights
            continue
        kept = sorted(row - start for row in space.pivot_rows[before:])
        if kept:
            entries = velocity.units
            some = [entries[row] for row in kept] if len(kept) < len(entries) else velocity.entries
            claims.append(replace(velocity, entries=some).claim(name))
    return claims


def tangents(velocity: Velocity, theta: Weights) -> Elements:
    """Return the directions at weights over a prime field, as rows."""
    field = theta.field
    parts = []
    for name, W in theta.tensors.items():
        height, width = ((1, 1) + W.shape)[-2:]
        total = Elements.of(field, np.zeros((len(velocity.units), height * width), dtype=np.int64))
        if name in velocity.moves:
            for c, word in velocity.moves[name].raw.terms:
                term = along(field, word, theta, velocity.units, velocity.free)
                total = total + Elements(field, term.raw.reshape(len(velocity.units), -1)) * c
        parts.append(total.raw)
    return Elements(field, np.concatenate(parts, axis=1))


def along(
    field: Field, word: tuple[Factor, ...], theta: Weights, units: Sequence[tuple[int, int]], free: Any
) -> Elements:
    """Return a word for each unit matrix in the place of the free one, as a stack of matrices."""
    k = next((k for k, one in enumerate(word) if has_free((one,))), None)
    if k is None:
        value = valued(field, word, theta)
        return Elements(field, value.raw[None])
    left, right = (valued(field, part, theta) if part else None for part in (word[:k], word[k + 1 :]))
    if word[k][0] == "diagonal":
        middle = along(field, word[k][1], theta, units, free)
        stack = np.zeros((len(units), middle.shape[1], middle.shape[1]), dtype=middle.raw.dtype)
        for i in range(middle.shape[1]):
            stack[:, i, i] = middle.raw[:, i, 0]
    else:
        stack = np.zeros((len(units), *free), dtype=valued(field, (("ones", 1, 1),), theta).raw.dtype)
        for number, place in enumerate(units):
            stack[(number, *place)] = 1
        if word[k][0] == "free turned":
            stack = stack.transpose(0, 2, 1)
    found = Elements(field, np.ascontiguousarray(stack))
    if left is not None:
        found = left @ found
    return found if right is None else found @ right


def valued(field: Field, word: tuple[Factor, ...], theta: Weights) -> Elements:
    """Return the value of a word without the free matrix."""
    values = [factor_value(field, one, theta) for one in word]
    return functools.reduce(lambda left, right: left @ right, values)


def factor_value(field: Field, one: Factor, theta: Weights) -> Elements:
    """Return the value of a factor."""
    match one:
        case ("tensor" | "turned" as kind, name):
            W = theta.tensors[name]
            W = Elements(field, W.raw.reshape(((1, 1) + W.shape)[-2:]))
            return W.T if kind == "turned" else W
        case ("ones", height, width):
            return Elements.of(field, np.ones((height, width), dtype=np.int64))
        case ("constant", height, width, listed):
            return Elements(field, verbs.embed(field, constant_array(height, width, listed)))
        case ("diagonal", word, exponent):
            column = valued(field, word, theta)
            column = column**exponent
            n = column.shape[0]
            raw = np.zeros((n, n), dtype=column.raw.dtype)
            raw[range(n), range(n)] = column.raw[:, 0]
            return Elements(field, raw)
    raise AssertionError(one)


def constant_array(height: int, width: int, listed: Sequence[Any]) -> np.ndarray:
    """Return the entries of a constant."""
    found = np.array([[Fraction(0)] * width for _ in range(height)], dtype=object)
    for k in range(0, len(listed), 3):
        found[listed[k], listed[k + 1]] = Fraction(listed[k + 2])
    return found
