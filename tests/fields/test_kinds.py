"""What fields say of themselves: their characteristic, and whether anything is rounded in them."""

from __future__ import annotations

import pytest

from algatt.fields import Adjoint, Balls, Dual, ExtensionField, Field, PrimeField, Rationals, Reals


@pytest.mark.parametrize(
    ("field", "characteristic", "status"),
    [
        (PrimeField(2), 2, "proven"),
        (PrimeField(31), 31, "proven"),
        (ExtensionField(3, 4), 3, "proven"),
        (Rationals(), 0, "proven"),
        (Reals(), 0, "numerical"),
        (Balls(), 0, "numerical"),
        (Dual(PrimeField(5)), 5, "proven"),
        (Adjoint(PrimeField(7)), 7, "proven"),
        (Dual(Reals()), 0, "numerical"),
    ],
    ids=str,
)
def test_kinds(field: Field, characteristic: int, status: str) -> None:
    assert field.characteristic == characteristic
    assert field.exact is (status == "proven")
    assert field.status == status
    zeros = [number for number in range(40) if field.vanishes(number)]
    assert zeros == (list(range(0, 40, characteristic)) if characteristic else [0])
