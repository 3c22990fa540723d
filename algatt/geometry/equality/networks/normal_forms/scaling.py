"""Numbers and signs are fixed by entries: the weights are multiplied so that these become 1, or positive."""

from __future__ import annotations

import numpy as np

from algatt.errors import NoNormalForm
from algatt.fields import Elements, PrimeField, Rationals
from algatt.geometry.equality.networks.monomials import solve_monomials
from algatt.geometry.equality.networks.normal_forms.network_form import NetworkNormalForm
from algatt.geometry.equality.networks.normal_forms.representatives import (
    Chosen,
    TermEntry,
    chosen_entries,
    is_negative,
    one_or_minus_one,
)
from algatt.symmetry.tensors_element import Sides


def fix_numbers(form: NetworkNormalForm) -> bool:
    """Fix numbers by entries, and return whether any were."""
    return fix(form, form.numbers, signs=False)


def fix_signs(form: NetworkNormalForm) -> bool:
    """Fix signs by entries, and return whether any were."""
    return fix(form, form.signs, signs=True)


def fix(form: NetworkNormalForm, chosen: Chosen, signs: bool) -> bool:
    """Choose entries, and multiply the weights so that they become 1, or positive if signs are fixed."""
    before, mask = list(chosen.rows), np.zeros(form.motions.numbers, dtype=np.int64)
    mask[list(form.motions.signs)] = 1
    mask = mask if signs else 1 - mask
    exponents = {
        name: (form.motions.exponents[name, 0] * mask, form.motions.exponents[name, 1] * mask)
        for name in form.theta.names()
    }
    if signs:
        exponents = {name: (rows % 2, columns % 2) for name, (rows, columns) in exponents.items()}
    permuted = {name: (form.open_class((name, 0)), form.open_class((name, 1))) for name in form.theta.names()}
    steady = [
        tuple(name for name in names if not form.open_space((name, 0)) and not form.open_space((name, 1)))
        for names in form.colours()
    ]
    entries = chosen_entries(form.theta.tensors, exponents, permuted, steady, chosen)
    if not entries:
        return False
    field = Rationals() if signs else form.scalars
    values = [Elements.of(field, [[1]])] * len(before)
    values += [one_or_minus_one(field, entry.value) if signs else target(form, entry) for entry in entries]
    rows = [*before, *(entry.exponents for entry in entries)]
    found = solve_monomials(field, np.array(rows, dtype=object), values, form.motions.positive)
    if found is None:
        raise NoNormalForm("numbers that entries ask for are no numbers of the field")
    if signs:
        found = [one_or_minus_one(form.scalars, sign) for sign in found]
    check_positive(form, found)
    multiply(form, found)
    return True


def target(form: NetworkNormalForm, entry: TermEntry) -> Elements:
    """Return what an entry has to be multiplied by to become 1, or 1 or -1 if the numbers are positive."""
    inverse = entry.value.reciprocal()
    ones = {scale for space, scale in form.motions.spaces.items() if space.rigid}
    positive = all(k in form.motions.positive or k in ones for k, e in enumerate(entry.exponents) if e)
    if positive and not isinstance(form.scalars, PrimeField):
        return inverse * one_or_minus_one(form.scalars, entry.value)
    return inverse


def check_positive(form: NetworkNormalForm, numbers: list[Elements]) -> None:
    """Raise `NoNormalForm` if a number that has to be positive is not."""
    if not isinstance(form.scalars, PrimeField):
        for place in form.motions.positive:
            if is_negative(numbers[place]):
                raise NoNormalForm(f"no entry fixes the numbers of {form.motions.owners[place]} by their sizes alone")


def multiply(form: NetworkNormalForm, numbers: list[Elements]) -> None:
    """Move the weights by numbers."""
    moved: dict[str, Sides] = {}
    for name in form.theta.names():
        pair = [form.motions.factors((name, axis), numbers) for axis in (0, 1)]
        if pair != [None, None]:
            moved[name] = Sides(name, *(one if one is None else diagonal(one) for one in pair))
    form.act(moved)


def diagonal(column: Elements) -> Elements:
    """Return the diagonal matrix with the entries of a column."""
    return Elements.of(column.field, np.eye(column.shape[0], dtype=np.int64)) * column
