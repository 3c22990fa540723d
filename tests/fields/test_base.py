"""Elements: a field and an array that go together."""

from __future__ import annotations

from typing import Any

import galois
import numpy as np
import pytest

from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.fields import Dual, Elements, Field

FIELDS = (PrimeField(7), PrimeField(2305843009213693951), Reals(), Dual(PrimeField(7)), Dual(Reals()))


def entries(elements: Elements) -> list[Any]:
    return [[int(x) for x in row] for row in elements.public()]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_plain_numbers_are_constants(field: Field) -> None:
    x = Elements.of(field, [[1, 2], [3, 4]])
    assert entries(x * 2 - x) == entries(2 * x - x) == [[1, 2], [3, 4]]
    assert entries(x + 1) == entries(1 + x) == [[2, 3], [4, 5]]


@pytest.mark.parametrize("p", [2, 3, 7, 2305843009213693951])
def test_integers_are_constants_of_every_prime_field_by_the_homomorphism_from_the_integers(p: int) -> None:
    x = Elements.of(PrimeField(p), [[1, 0]])
    for constant in (-1, p, p + 1, -3 * p - 5, 2**62):
        assert entries(x * constant) == entries(constant * x) == [[constant % p, 0]]
        assert entries(x + constant) == [[(1 + constant) % p, constant % p]]
        assert entries(x - constant) == [[(1 - constant) % p, -constant % p]]
    matrix = np.array([[-1, 2**62], [9, -(2**62)]])
    assert entries(x @ matrix) == [[-1 % p, 2**62 % p]]


@pytest.mark.parametrize("constant", [2**70, -(2**70), np.int64(9), np.uint8(9)])
def test_integers_of_any_size_and_kind_are_constants(constant: Any) -> None:
    x = Elements.of(PrimeField(7), [[1, 0]])
    assert entries(x * constant) == entries(constant * x) == [[int(constant) % 7, 0]]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_integer_arrays_are_constants_on_either_side(field: Field) -> None:
    x = Elements.of(field, [[1, 2], [0, 1]])
    swap = np.array([[0, 1], [1, 0]])
    assert entries(x @ swap) == [[2, 1], [1, 0]]
    assert entries(swap @ x) == [[0, 1], [1, 2]]
    assert entries(x * swap) == entries(swap * x) == [[0, 2], [0, 0]]
    assert entries(x + swap) == entries(swap + x) == [[1, 3], [1, 1]]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_a_plain_number_can_be_subtracted(field: Field) -> None:
    assert entries(Elements.of(field, [[1, 2], [3, 4]]) - 1) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_arrays_without_axes_are_elements_too(field: Field) -> None:
    x = Elements.of(field, 3)
    negative = -x
    assert [int(y.public()) for y in (x + x, x * x - x, -negative)] == [6, 6, 3]


def test_a_public_array_may_be_the_left_factor() -> None:
    family = galois.GF(7)
    left, right = family([[1, 2], [3, 4]]), family([[5, 6], [0, 1]])
    result = (left @ Elements.of(PrimeField(7), right)).public()
    assert type(result) is family
    assert np.array_equal(result, left @ right)


@pytest.mark.parametrize("other", [PrimeField(31), Reals(), Dual(PrimeField(7))], ids=str)
def test_fields_do_not_mix(other: Field) -> None:
    x, y = Elements.of(PrimeField(7), [[1]]), Elements.of(other, [[1]])
    for operation in (x.__add__, x.__sub__, x.__mul__, x.__matmul__):
        with pytest.raises(InvalidArgument) as caught:
            operation(y)
        assert str(caught.value) == f"operand was over {other}; it should be over GF(7)"


def test_a_float_is_no_constant_of_a_prime_field() -> None:
    x = Elements.of(PrimeField(7), [[1]])
    with pytest.raises(InvalidArgument, match="operand was an array of float64; it should be a galois array over"):
        x @ np.array([[1.0]])


def test_shape_and_transpose_of_a_batch() -> None:
    array = np.arange(24).reshape(2, 3, 4)
    x = Elements.of(Reals(), array)
    assert x.shape == (2, 3, 4)
    assert x.T.shape == (2, 4, 3)
    assert np.array_equal(x.T.public(), [matrix.T for matrix in array])
