"""Sparse linear forms with rational coefficients: their reduced echelon form, and exact solutions of equations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

LinearForm = dict[Any, int | Fraction]
"""The coefficients that are not zero, by unknown."""


@dataclass
class EchelonOfForms:
    """Linear forms in reduced row echelon form: each has an unknown that no other one has, with coefficient 1.

    Attributes
    ----------
    rows : dict of unknown to LinearForm
        The forms by their pivots, without these.
    """

    rows: dict[Hashable, LinearForm] = field(default_factory=dict)
    holders: dict[Hashable, set[Hashable]] = field(default_factory=dict, repr=False)

    def reduce(self, form: Mapping[Any, int | Fraction]) -> LinearForm:
        """Return a form modulo those that are here: without their pivots."""
        result: LinearForm = {}
        for key, value in form.items():
            row = self.rows.get(key)
            if row is None:
                accumulate(result, key, value)
            else:
                for other, coefficient in row.items():
                    accumulate(result, other, -value * coefficient)
        return result

    def add(self, form: Mapping[Any, int | Fraction], order: Mapping[Any, int] | None = None) -> bool:
        """Add a form and return whether it is independent of those that are here.

        Its pivot is the unknown that is last in the order, or any if none is given.
        """
        rest = self.reduce(form)
        if not rest:
            return False
        pivot = next(iter(rest)) if order is None else max(rest, key=order.__getitem__)
        leading = rest.pop(pivot)
        factor = leading if leading in (1, -1) else 1 / Fraction(leading)  # fractions take longer
        row: LinearForm = {key: value * factor for key, value in rest.items()}
        for holder in self.holders.pop(pivot, set()):
            held = self.rows[holder]
            factor = held.pop(pivot)
            for key, value in row.items():
                accumulate(held, key, -factor * value)
                if key in held:
                    self.holders.setdefault(key, set()).add(holder)
                else:
                    self.holders[key].discard(holder)
        self.rows[pivot] = row
        for key in row:
            self.holders.setdefault(key, set()).add(pivot)
        return True


def accumulate(form: LinearForm, key: Hashable, value: int | Fraction) -> None:
    """Add to a coefficient of a form."""
    total = form.get(key, 0) + value
    if total:
        form[key] = total
    else:
        form.pop(key, None)


def total(parts: Iterable[tuple[Mapping[Any, int | Fraction], int | Fraction]]) -> LinearForm:
    """Return the sum of multiples of forms."""
    form: LinearForm = {}
    for part, factor in parts:
        for key, coefficient in part.items():
            accumulate(form, key, factor * coefficient)
    return form


def solve(forms: Iterable[LinearForm], unknowns: Iterable[Hashable]) -> list[dict[Any, int]]:
    """Return a basis of the common zeros of linear forms over Q, each primitive: integers without a common divisor.

    The unknowns that come later are expressed by the earlier ones.
    """
    order = {unknown: number for number, unknown in enumerate(unknowns)}
    echelon = EchelonOfForms()
    for form in sorted(forms, key=len):
        echelon.add(form, order)
    basis: dict[Any, LinearForm] = {unknown: {unknown: 1} for unknown in order if unknown not in echelon.rows}
    for pivot, row in echelon.rows.items():
        for key, value in row.items():
            basis[key][pivot] = -value
    return [primitive(vector) for vector in basis.values()]


def earliest(vectors: Iterable[LinearForm], unknowns: Sequence[Hashable]) -> list[dict[Any, int]]:
    """Return that basis of the space of some vectors which `solve` returns: each has the earliest unknown that it can
    have, and no other one has it.
    """
    place = {unknown: -number for number, unknown in enumerate(unknowns)}
    echelon = EchelonOfForms()
    for vector in sorted(vectors, key=len):
        echelon.add(vector, place)
    first = sorted(echelon.rows, key=place.__getitem__, reverse=True)
    return [primitive({pivot: 1, **echelon.rows[pivot]}) for pivot in first]


def primitive(vector: LinearForm) -> dict[Any, int]:
    """Return the multiple with integers that have no common divisor."""
    denominator = lcm(*(value.denominator for value in vector.values()))
    integers = {key: int(value * denominator) for key, value in vector.items()}
    common = gcd(*integers.values())
    return integers if common == 1 else {key: value // common for key, value in integers.items()}
