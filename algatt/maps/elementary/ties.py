"""Exponents that depend on others: found modulo p, and proved by expansion."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from algatt import verbs
from algatt.errors import ConditionFailed
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.linalg.systems import solve
from algatt.maps.elementary.conditions import IDLE, SPARE, observe, other_weights, size_of
from algatt.maps.elementary.identities import is_zero
from algatt.maps.elementary.reading import Reading, Ties

MOST_EXPONENTS = 1024
"""Relations are looked for among so many exponents at most."""

LARGEST = 64
"""Numerators and denominators of coefficients are at most so large."""


def tie_exponents(reading: Reading, field: PrimeField, gates: Mapping[int, np.ndarray]) -> Reading:
    """Return a program with its exponents tied to those of which they are combinations with rational coefficients.

    Such relations are seen modulo p, and proved by expansion. Where one is not proved, nothing is tied: then condition
    (E) fails, and says so.
    """
    sizes = [size_of(reading, base) for base in reading.bases]
    total = sum(sizes)
    if not 0 < total <= MOST_EXPONENTS:
        return reading
    try:
        values, space = exponents_at_places(reading, field, gates, total)
    except ConditionFailed:  # of roots and denominators: those who ask next are told
        return reading
    if space.rank == total:
        return reading
    free = list(space.pivot_columns)
    coefficients = combinations(field, values, free)
    if len(coefficients) + len(free) < total:
        return reading
    where = [(base, entry) for base, size in zip(reading.bases, sizes, strict=True) for entry in range(size)]
    for column, row in coefficients.items():
        terms = [(*where[column], Fraction(-1)), *((*where[free[j]], value) for j, value in row.items())]
        if not is_zero(reading.program, terms):
            return reading
    scales = {exponent.base: exponent.scale for exponent in reading.exponents.values()}
    rows = coefficients | {column: {j: Fraction(1)} for j, column in enumerate(free)}
    powers = np.full((total, len(free)), Fraction(0), dtype=object)
    for column, row in rows.items():
        for j, value in row.items():
            powers[column, j] = value * scales[where[column][0]]
    integers = np.zeros((total, len(free)), dtype=object)
    for j in range(len(free)):
        common = lcm(*(power.denominator for power in powers[:, j]))
        integers[:, j] = [int(power * common) for power in powers[:, j]]
    ends = np.cumsum([0, *sizes])
    chosen = np.isin(np.arange(total), free)
    parts = {base: slice(ends[k], ends[k + 1]) for k, base in enumerate(reading.bases)}
    return dataclasses.replace(
        reading,
        ties=Ties(
            key=min(reading.bases),
            powers={base: integers[part] for base, part in parts.items()},
            free={base: chosen[part] for base, part in parts.items()},
        ),
    )


def exponents_at_places(
    reading: Reading, field: PrimeField, gates: Mapping[int, np.ndarray], total: int
) -> tuple[np.ndarray, RowSpace]:
    """Return the exponents at inputs for some weights, and the span of their differences."""
    space, values = RowSpace(field, total), []
    weights = idle = 0
    count = total + SPARE
    while space.rank < total and idle < IDLE:
        tensors = other_weights(reading, field, 0, weights)
        seen = observe(reading, field, tensors, 0, gates, count).exponents[:, :total]
        gained = space.add(Elements(field, verbs.add(field, seen[1:], verbs.negate(field, seen[:1]))))
        values.append(seen)
        weights, idle = weights + 1, 0 if gained else idle + 1
    return np.concatenate(values), space


def combinations(field: PrimeField, values: np.ndarray, free: list[int]) -> dict[int, dict[int, Fraction]]:
    """Return all columns but the free ones that are combinations of these with small rational coefficients."""
    rest = [column for column in range(values.shape[1]) if column not in set(free)]
    pivots = RowSpace(field, len(free))
    pivots.add(Elements(field, values[:, free]))
    if pivots.rank < len(free):
        return {}
    rows = list(pivots.pivot_rows)
    of_free, of_rest = (Elements(field, values[np.ix_(rows, columns)]) for columns in (free, rest))
    solved = Elements.of(field, solve(of_free.public(), of_rest.public()))
    off = (Elements(field, values[:, rest]) - Elements(field, values[:, free]) @ solved).raw.any(axis=0)
    found: dict[int, dict[int, Fraction]] = {}
    for number, column in enumerate(rest):
        row = {j: small_fraction(int(solved.raw[j, number]), field.p) for j in np.flatnonzero(solved.raw[:, number])}
        if not off[number] and None not in row.values():
            found[column] = {int(j): value for j, value in row.items() if value is not None}
    return found


def small_fraction(residue: int, p: int) -> Fraction | None:
    """Return the fraction with small numerator and denominator that is a residue modulo p, if there is one."""
    for denominator in range(1, LARGEST + 1):
        numerator = residue * denominator % p
        if min(numerator, p - numerator) <= LARGEST:
            return Fraction(numerator if numerator <= LARGEST else numerator - p, denominator)
    return None
