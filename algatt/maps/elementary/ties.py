"""Exponents that depend on others: found modulo p, and proved by evaluation over a ring of polynomials."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import ConditionFailed
from algatt.fields import Elements, Polynomials, PrimeField
from algatt.linalg import RowSpace
from algatt.linalg.systems import solve
from algatt.maps.elementary.conditions import IDLE, SPARE, observe, other_weights, size_of
from algatt.maps.elementary.reading import ChoosingProgram, ExponentTies
from algatt.programs import Program
from algatt.programs.interpret import Results

MOST_EXPONENTS = 1024
"""Relations are looked for among so many exponents at most."""

LARGEST = 64
"""Maximum of the numerators and denominators of coefficients."""

DEPTH = 6
"""Maximum number of operations between results and those that are taken for unknowns."""

MOST_TERMS = 20000
"""Maximum number of terms of a polynomial."""

EXPANDED = {"add", "negate", "multiply", "product", "transpose", "take", "concatenate", "column_products", "centre"}
EXPANDED |= {"constant"}
"""Operations that are evaluated over polynomials; the results of others are unknowns."""

Term = tuple[int, int, Fraction]
"""The number of an instruction, an entry of its result by its position in rows, and a coefficient."""


def tie_exponents(reading: ChoosingProgram, field: PrimeField, gates: Mapping[int, np.ndarray]) -> ChoosingProgram:
    """Return a program with its exponents tied to those of which they are combinations with rational coefficients.

    Such relations are seen modulo p, and proved over polynomials. Where one is not proved, nothing is tied: then
    condition (E) fails, and says so.
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
        ties=ExponentTies(
            key=min(reading.bases),
            powers={base: integers[part] for base, part in parts.items()},
            free={base: chosen[part] for base, part in parts.items()},
        ),
    )


def exponents_at_places(
    reading: ChoosingProgram, field: PrimeField, gates: Mapping[int, np.ndarray], total: int
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


def is_zero(program: Program, terms: Sequence[Term]) -> bool:
    """Return whether a linear combination of entries of results is proved to be zero: as a polynomial in the results
    that are so many operations away, of ever earlier ones. False says that no proof was found.
    """
    for depth in range(1, DEPTH + 1):
        combined = combination(program, terms, depth)
        if combined is None or not combined:
            return combined is not None
    return False


def combination(program: Program, terms: Sequence[Term], depth: int) -> Any:
    """Return a linear combination as a polynomial in results that are so many operations away; None if it, or a result
    before it, has too many terms.
    """
    ends = {number for number, _, _ in terms}
    expanded = near(program, ends, depth)
    operands = {operand for number in expanded for operand in program.instructions[number].operands}
    unknown = sorted((ends | operands) - expanded)
    shapes = [program.instructions[number].shape for number in unknown]
    starts = np.cumsum([0, *map(prod, shapes)]).tolist()
    field = Polynomials(max(1, starts[-1]))
    results = Results(program, field, {})
    for number, shape, start in zip(unknown, shapes, starts[:-1], strict=True):
        results.found[number] = Elements(field, field.unknowns(shape, start))
    for number in sorted(expanded):
        if results[number].raw.size and max(map(len, results[number].raw.flat)) > MOST_TERMS:
            return None
    return sum(results[number].raw.ravel()[entry] * field.scalar(coefficient) for number, entry, coefficient in terms)


def near(program: Program, numbers: set[int], depth: int) -> set[int]:
    """Return the instructions that are evaluated: those less than `depth` operations away, if they can be."""
    expanded: set[int] = set()
    front = numbers
    for _ in range(depth):
        front = {number for number in front if program.instructions[number].operation in EXPANDED}
        expanded |= front
        front = {operand for number in front for operand in program.instructions[number].operands}
    return expanded | {number for number in front if program.instructions[number].operation == "constant"}
