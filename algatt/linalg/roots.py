"""Roots of numbers within a field."""

from __future__ import annotations

from math import gcd

import numpy as np

from algatt import verbs
from algatt.fields import PrimeField, Rationals, Reals


@verbs.root.method
def root_of_residue(field: PrimeField, raw: np.ndarray, degree: int) -> np.ndarray | None:
    import flint

    value, p = int(raw[0, 0]), field.p
    if gcd(degree, p - 1) == 1:
        return np.array([[pow(value, pow(degree, -1, p - 1) if p > 2 else 1, p)]], dtype=field.dtype)
    polynomial = flint.nmod_poly([-value % p, *[0] * (degree - 1), 1], p)
    found = sorted(int(-factor[0]) for factor, _ in polynomial.factor()[1] if factor.degree() == 1)
    return np.array([[found[0]]], dtype=field.dtype) if found else None


@verbs.root.method
def root_of_rational(field: Rationals, raw: np.ndarray, degree: int) -> np.ndarray | None:
    value = field.scalar(raw[0, 0])
    parts = [integer_root(abs(int(part)), degree) for part in (value.p, value.q)]
    if None in parts or (value < 0 and degree % 2 == 0):
        return None
    sign = -1 if value < 0 else 1
    return np.array([[sign * field.scalar(parts[0]) / field.scalar(parts[1])]], dtype=object)


def integer_root(value: int, degree: int) -> int | None:
    """Return the root of an integer that is not negative, or None if it is no integer."""
    low, high = 0, 1
    while high**degree < value:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**degree < value else (low, middle)
    return low if low**degree == value else None


@verbs.root.method
def real_root(field: Reals, raw: np.ndarray, degree: int) -> np.ndarray | None:
    value = float(raw[0, 0])
    if value < 0 and degree % 2 == 0:
        return None
    return np.array([[np.sign(value) * abs(value) ** (1 / degree)]])
