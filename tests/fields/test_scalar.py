"""Fields of FLINT's scalars: constants of layers are rational numbers there too."""

from fractions import Fraction

import flint
import pytest

from algatt.errors import DivisionByZero
from algatt.fields import Elements, ExtensionField, Rationals


def test_fractions_are_constants_of_rational_numbers():
    X = Elements.of(Rationals(), [[1, 2, 3]])
    value = X * Fraction(2, 3) + Fraction(1, 2)
    assert value.raw.tolist() == [[flint.fmpq(7, 6), flint.fmpq(11, 6), flint.fmpq(5, 2)]]
    assert Elements.of(Rationals(), [[1], [2], [6]]).centre().raw.ravel().tolist() == [-2, -1, 3]


def test_fractions_are_constants_of_extension_fields_where_p_does_not_divide_the_denominator():
    X = Elements.of(ExtensionField(7, 2), [[1, 3]])
    assert [int(str(x)) for x in (X * Fraction(1, 2)).raw.ravel()] == [4, 5]  # 2 * 4 = 1 and 2 * 5 = 3 modulo 7
    with pytest.raises(DivisionByZero, match=r"^the denominator of the constant 1/14 is zero in GF\(7\)$"):
        X * Fraction(1, 14)
