"""The families of a network that a certificate has, and the columns in which their directions are independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.families import Velocity, velocities
from algatt.certificates.make.network import claims_of_network
from algatt.errors import CertificateError, DivisionByZero, InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.files import shorten
from algatt.geometry.dimensions.ambient import AMBIENT, ambient_dimension
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import interpret
from algatt.symmetry import ShiftSymmetry, Symmetry
from algatt.symmetry.quotients.members import symmetries_to_first_order

Claim = dict[str, Any]


def families_of(arch: Architecture, seed: int, source: str = "arch") -> tuple[list[Claim], list[int]]:
    """Return the claims of all families of symmetries of a network, without what raises no rank, and columns in which
    their directions are independent. Shifts of several tensors at once for which there are no words are left out.

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
        If the dimension is less by something else that there are no words for: other families, or the ambient space.
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
        if space.rank > before and not (isinstance(family, ShiftSymmetry) and family.shift.several):
            missing.append(repr(family.name))
    ambient = ambient_dimension(arch)
    if ambient is not None and ambient < arch.parameters - len(columns):
        missing.append(f"the {AMBIENT}")
    if missing:
        was = f"{shorten(str(arch))}, whose dimension is bounded by {', '.join(missing)}"
        raise InvalidArgument(source, was, "a network whose bound from above the verifier of certificates can check")
    return claims, columns


def checked_families(arch: Architecture) -> tuple[list[tuple[str, Velocity]], list[Symmetry]]:
    """Return the directions of all families that the verifier accepts, with names, and the other families."""
    found: list[tuple[str, Velocity]] = []
    unchecked: list[Symmetry] = []
    head = {"kind": "dimension", **claims_of_network(arch)}
    for family in symmetries_to_first_order(arch):
        listed = velocities(family)
        names = [family.name] if len(listed) == 1 else [f"{family.name} {k + 1}" for k in range(len(listed))]
        named = [one for one in zip(names, listed, strict=True) if one[1].moves]
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
    """Return the directions of a family at weights over a prime field, as rows."""
    return rows_of(velocity.programs, velocity.free, velocity.units, theta)


def rows_of(
    programs: Mapping[str, Program], free: tuple[int, ...] | None, units: Sequence[tuple[int, int]], theta: Weights
) -> Elements:
    """Return directions at weights over a prime field, as rows: how tensors move, by programs of velocities, as one of
    some entries of S after the other is one.
    """
    field = theta.field
    tensors = {name: Elements(field, W.raw.reshape(((1, 1) + W.shape)[-2:])) for name, W in theta.tensors.items()}
    stack = np.zeros((len(units), *(free or (1, 1))), dtype=np.int64)
    for number, place in enumerate(units):
        stack[(number, *place)] = 1
    parts = []
    for name, W in tensors.items():
        raw = np.zeros(W.shape, dtype=W.raw.dtype)
        if name in programs:
            raw = interpret(programs[name], field, tensors, Elements.of(field, stack)).raw
        parts.append(np.broadcast_to(raw, (len(units), *W.shape)).reshape(len(units), -1))
    return Elements(field, np.concatenate(parts, axis=1))
