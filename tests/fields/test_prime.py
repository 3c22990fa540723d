"""GF(p) against plain Python integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import isqrt, prod
from multiprocessing.reduction import ForkingPickler
from typing import Any

import flint
import galois
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import PrimeField, Reals, verbs
from algatt.errors import InvalidArgument
from algatt.fields import DEFAULT_PRIME, Elements
from algatt.fields.prime import SMALL, canonical, is_prime, reduce_floats, residues_of_floats

NINE = galois.GF(9, compile="python-calculate", verify=False)
"""No prime field; nothing is compiled for it."""

PRIMES = (2, 3, 31, 3191, 1048583, 8388593, 2147483647, 2305843009213693951)
# Primes p with p * (1 / p) < 1 in floating point, the primes on either side of each size at which the arithmetic
# changes its method, primes some way above, and the largest prime below 2^63.
BORDER_PRIMES = (
    103,
    107,
    16777213,
    16777259,
    33554393,
    33554467,
    134217689,
    268435399,
    2147483659,
    9223372036854775783,
)


def residues(p: int) -> st.SearchStrategy[int]:
    return st.one_of(st.sampled_from([0, 1, p - 1, p // 2, (p // 2 + 1) % p]), st.integers(0, p - 1))


def matrices(p: int, *shape: int) -> st.SearchStrategy[np.ndarray]:
    size = prod(shape)
    return st.lists(residues(p), min_size=size, max_size=size).map(
        lambda entries: np.array(entries, dtype=object).reshape(shape)
    )


def integers(elements: Elements) -> list[Any]:
    """Return the entries as plain integers, and see to it that they are residues."""
    raw = elements.raw
    assert raw.dtype == elements.field.dtype  # type: ignore[attr-defined]
    values = np.array([int(x) for x in raw.ravel()], dtype=object).reshape(raw.shape)
    assert (raw == values).all()
    assert all(0 <= x < elements.field.p for x in values.flat)  # type: ignore[attr-defined]
    return list(values.tolist())


def plain_product(left: np.ndarray, right: np.ndarray, p: int) -> list[list[int]]:
    return [[sum(int(x) * int(y) for x, y in zip(row, column, strict=True)) % p for column in right.T] for row in left]


# ----- arithmetic


@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
@given(data=st.data())
def test_arithmetic_is_that_of_integers_modulo_p(p: int, data: st.DataObject) -> None:
    field = PrimeField(p)
    a, b = data.draw(matrices(p, 2, 3)), data.draw(matrices(p, 2, 3))
    x, y = Elements.of(field, a), Elements.of(field, b)
    assert integers(x + y) == ((a + b) % p).tolist()
    assert integers(x - y) == ((a - b) % p).tolist()
    assert integers(x * y) == ((a * b) % p).tolist()
    assert integers(-x) == (-a % p).tolist()
    assert integers(x.T) == a.T.tolist()
    assert integers(x.T @ y) == plain_product(a.T, b, p)


@pytest.mark.parametrize("p", PRIMES)
@given(data=st.data())
def test_matrices_form_a_ring(p: int, data: st.DataObject) -> None:
    field = PrimeField(p)
    x, y, z = (Elements.of(field, data.draw(matrices(p, 3, 3))) for _ in range(3))
    one = Elements.of(field, np.eye(3, dtype=int))
    zero = integers(x - x)
    assert zero == [[0] * 3] * 3
    assert integers((x + y) + z) == integers(x + (y + z))
    assert integers(x + y) == integers(y + x)
    assert integers((x @ y) @ z) == integers(x @ (y @ z))
    assert integers(x @ (y + z)) == integers(x @ y + x @ z)
    assert integers((x + y) @ z) == integers(x @ z + y @ z)
    assert integers(one @ x) == integers(x @ one) == integers(x)
    assert integers((x @ y).T) == integers(y.T @ x.T)
    assert integers(x * (y + z)) == integers(x * y + x * z)


@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
def test_fermats_little_theorem(p: int) -> None:
    x = Elements.of(PrimeField(p), [1 % p, p - 1, p // 2 + p % 2, 2 % p or 1])
    power, square = x, x
    for bit in bin(p - 1)[:1:-1]:  # the least significant bit first
        if bit == "1":
            power = power * square
        square = square * square
    assert integers(power) == integers(x)


@pytest.mark.parametrize("p", PRIMES)
def test_shapes_broadcast_as_in_numpy(p: int) -> None:
    a = np.arange(6, dtype=object).reshape(2, 1, 3) % p
    b = np.arange(12, dtype=object).reshape(4, 3) % p
    x, y = Elements.of(PrimeField(p), a), Elements.of(PrimeField(p), b)
    assert integers(x + y) == ((a + b) % p).tolist()
    assert integers(x * y) == ((a * b) % p).tolist()


# ----- reductions of floats


@st.composite
def float_integers(draw: st.DrawFn, bound: int, p: int) -> int:
    """An integer of size at most `bound`, often within 2 of a multiple of p or of the middle between two of them."""
    if draw(st.booleans()):
        return draw(st.integers(-bound, bound))
    near = (
        draw(st.integers(-bound // p, bound // p)) * p + draw(st.sampled_from([0, p // 2])) + draw(st.integers(-2, 2))
    )
    return max(-bound, min(bound, near))


@pytest.mark.sample(6)
@pytest.mark.parametrize("p", [p for p in PRIMES + BORDER_PRIMES if p < 2**31])
@given(data=st.data())
def test_reductions_of_floats_agree_with_integers(p: int, data: st.DataObject) -> None:
    values = data.draw(st.lists(float_integers(2**53 - p, p), min_size=4, max_size=4)) + [2**53 - p, p - 2**53]
    for value, reduced in zip(values, reduce_floats(np.array(values, dtype=np.float64), p).tolist(), strict=True):
        assert (int(reduced) - value) % p == 0
        assert reduced == int(reduced)
        assert abs(reduced) <= p / 2 + 2
        assert (reduced == 0) == (value % p == 0)
    values = data.draw(st.lists(float_integers(2**51 - 1, p), min_size=4, max_size=4)) + [2**51 - 1, 1 - 2**51]
    assert canonical(np.array(values, dtype=np.float64), p).tolist() == [value % p for value in values]


# ----- galois arrays outside


@pytest.mark.sample(1)
@pytest.mark.parametrize("p", PRIMES)
def test_galois_arrays_go_in_and_come_out(p: int) -> None:
    family = galois.GF(p)
    array = family([[0, 1, p - 1], [p // 2, (p // 2 + 1) % p, 1]])
    x = Elements.of(PrimeField(p), array)
    assert x.field.galois is family  # type: ignore[attr-defined]
    assert type(x.public()) is family
    assert np.array_equal(x.public(), array)
    assert type((x + x).public()) is type((x @ x.T).public()) is family


def test_a_class_is_made_without_a_compilation_and_compiles_what_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The primes are those of no other test, so that galois has no classes of them."""

    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("numba compiles")

    with monkeypatch.context() as patched:
        patched.setattr(numba, "jit", refuse)
        made = [PrimeField(p).galois for p in (1009, 8388571)]
    assert made == [galois.GF(1009), galois.GF(8388571)]
    assert [one.ufunc_mode for one in made] == [galois.GF(p).ufunc_mode for p in (1013, 8388547)]
    assert (made[0]([1000]) * made[0]([999])).tolist() == [90]  # (-9)(-10)


def test_a_class_that_is_there_keeps_its_mode() -> None:
    family = galois.GF(1019, compile="python-calculate")
    assert PrimeField(1019).galois is family
    assert family.ufunc_mode == "python-calculate"


# galois compiles each operation for each prime, so two primes do.
@pytest.mark.parametrize("p", [3191, 2305843009213693951])
def test_galois_computes_the_same(p: int) -> None:
    array = galois.GF(p)([[0, 1, p - 1], [p // 2, p // 2 + 1, 1]])
    x = Elements.of(PrimeField(p), array)
    assert np.array_equal((x + x).public(), array + array)
    assert np.array_equal((x * x).public(), array * array)
    assert np.array_equal((x @ x.T).public(), array @ array.T)
    assert np.array_equal((-x).public(), -array)


def test_the_caller_keeps_the_array() -> None:
    for p, kind in ((7, np.int64), (2305843009213693951, object)):
        array = np.array([[1, 2], [3, 4]], dtype=kind)
        x = Elements.of(PrimeField(p), array)
        array[:] = 0
        assert integers(x) == [[1, 2], [3, 4]]
    family = galois.GF(7)([[1, 2]])
    y = Elements.of(PrimeField(7), family)
    family[:] = 0
    assert integers(y) == [[1, 2]]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, object])
def test_integers_of_every_kind_are_taken(kind: type) -> None:
    assert integers(Elements.of(PrimeField(7), np.array([[0, 6]], dtype=kind))) == [[0, 6]]
    assert integers(Elements.of(PrimeField(7), [[0, 6]])) == [[0, 6]]


def test_an_empty_list_has_no_wrong_type() -> None:
    assert Elements.of(PrimeField(7), np.zeros((0, 3))).shape == (0, 3)
    assert Elements.of(PrimeField(7), []).shape == (0,)


@pytest.mark.parametrize("p", PRIMES)
def test_random_residues_fill_the_shape_row_by_row(p: int) -> None:
    from algatt.randomness import random_residues

    raw = verbs.draw_array(PrimeField(p), shape=(2, 3), seed=4, label="test")
    assert (
        integers(Elements(PrimeField(p), raw))
        == np.array(random_residues(4, "test", 6, p).tolist()).reshape(2, 3).tolist()
    )


# ----- the field itself


def test_the_default_is_the_largest_prime_below_2_to_the_23() -> None:
    def is_prime(n: int) -> bool:
        return all(n % d for d in range(2, isqrt(n) + 1))

    assert next(n for n in count(2**23 - 1, -1) if is_prime(n)) == DEFAULT_PRIME == PrimeField().p


def test_fields_are_values() -> None:
    names: list[Any] = [31, np.int64(31), np.uint8(31), galois.GF(31)]
    for name in names:
        assert PrimeField(name) == PrimeField(31)
        assert hash(PrimeField(name)) == hash(PrimeField(31))
        assert type(PrimeField(name).p) is int
    assert len({PrimeField(31), PrimeField(3191), Reals()}) == 3
    assert repr(PrimeField(31)) == "PrimeField(31)"
    assert str(PrimeField(31)) == "GF(31)"
    assert ForkingPickler.loads(ForkingPickler.dumps(PrimeField(31))) == PrimeField(31)


@pytest.mark.parametrize("p", PRIMES + BORDER_PRIMES)
def test_primes_below_2_to_the_63_are_fields(p: int) -> None:
    assert PrimeField(p).p == p


# 561 is a Carmichael number; the next two pass the strong test to the bases 2, 3, 5, 7 and 2, ..., 23 (Jaeschke 1993);
# then squares and products.
@pytest.mark.parametrize(
    "p", [561, 3215031751, 3825123056546413051, 4, 8388593**2, 2147483647 * 2147483629, 2**62, 1, 0, -7]
)
def test_other_integers_are_refused(p: int) -> None:
    with pytest.raises(InvalidArgument) as caught:
        PrimeField(p)
    assert (
        str(caught.value)
        == f"p was {p}, which is not prime; it should be a prime below 2^63, or a galois class whose order is one"
    )


@pytest.mark.parametrize("p", [2**63 + 29, 2**63, 2**89 - 1])  # the first and the last are primes
def test_large_integers_are_refused(p: int) -> None:
    with pytest.raises(InvalidArgument, match=f"p was {p}, which is too large; it should be a prime below 2"):
        PrimeField(p)


@pytest.mark.parametrize("p", [True, 7.0, "7", None, np.float64(7), [7], 1j])
def test_what_is_no_integer_is_refused(p: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        PrimeField(p)
    assert caught.value.argument == "p"
    assert caught.value.was == repr(p)


@pytest.mark.parametrize(("cls", "name"), [(NINE, "GF(3^2)"), (int, "int")])
def test_other_classes_are_refused(cls: Any, name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        PrimeField(cls)
    assert str(caught.value) == f"p was {name}; it should be a prime below 2^63, or a galois class whose order is one"


# ----- bad arrays


@pytest.mark.parametrize("p", [7, 2305843009213693951])
def test_entries_that_are_no_residues_are_refused(p: int) -> None:
    field = PrimeField(p)
    for low, high in ((-1, 0), (0, p), (3, 2 * p)):
        for array in ([low, high], np.array([low, high]), np.array([low, high], dtype=object)):
            with pytest.raises(InvalidArgument) as caught:
                Elements.of(field, array, "Q")
            assert (
                str(caught.value)
                == f"Q was with entries from {low} to {high}; it should be with entries 0..{p - 1} of GF({p})"
            )
    with pytest.raises(InvalidArgument, match=f"array was with entries from 0 to {2**70}"):
        Elements.of(field, [0, 2**70])


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.0, 2.0]),
        [0.5],
        np.array([np.nan]),
        np.array([True, False]),
        True,
        [True, False],
        np.array([1j]),
        np.array(["1"]),
        np.array([1, 2.0], dtype=object),
    ],
    ids=repr,
)
def test_arrays_of_other_things_are_refused(array: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Elements.of(PrimeField(7), array, "K")
    assert str(caught.value).startswith("K was an array of ")
    assert "; it should be a galois array over GF(7), or integers 0..6" in str(caught.value)


def test_truth_values_among_python_integers_are_refused() -> None:
    with pytest.raises(InvalidArgument):
        Elements.of(PrimeField(7), np.array([True, 3], dtype=object))


@pytest.mark.parametrize(("array", "was"), [(1.5, "an array of float64"), ("1", "'1'"), (None, "None")])
def test_single_things_that_are_no_integers_are_refused(array: Any, was: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Elements.of(PrimeField(7), array, "K")
    assert str(caught.value).startswith(f"K was {was}; it should be a galois array over GF(7), or integers 0..6")


def test_arrays_over_other_fields_are_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"V was over GF\(31\); it should be over GF\(7\)"):
        Elements.of(PrimeField(7), galois.GF(31)([1, 2]), "V")
    with pytest.raises(InvalidArgument, match=r"over GF\(3\^2\); it should be over a prime field"):
        Elements.of(PrimeField(3), NINE([1, 2]))


@given(st.sampled_from([3, 31, 8388593, 2147483647]), st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=8))
def test_floats_are_reduced_as_the_fractions_that_they_are(p, values):
    expected = [Fraction(x).numerator * pow(Fraction(x).denominator, -1, p) % p for x in values]
    assert residues_of_floats(np.array(values), p).tolist() == expected


def test_small_primes_are_those_of_flint() -> None:
    """Integers around the bound, squares of primes, and the first ones: an independent test of primality decides."""
    around = [*range(-3, 3000), *range(SMALL - 500, SMALL + 500), *(q * q for q in (3, 4093, 4091)), 8388593]
    assert [is_prime(p) for p in around] == [p > 1 and bool(flint.fmpz(p).is_prime()) for p in around]
