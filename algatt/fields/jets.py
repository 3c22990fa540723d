"""Jets: values with their mixed derivatives at one point, by several variables, each at most once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DomainError, InvalidArgument
from algatt.fields.base import Field
from algatt.fields.functions import Exp, Sigmoid, Sqrt
from algatt.fields.prime import PrimeField, canonical


@dataclass(frozen=True)
class Jets(Field):
    r"""The ring :math:`\mathrm{GF}(p)[\eta_1, \dots, \eta_n] / (\eta_1^2, \dots, \eta_n^2)`: the coefficient of
    :math:`\prod_{i \in S} \eta_i` is the derivative by the variables in S, at zero.

    Exponentials, logistic functions and roots have rational Taylor coefficients at 0, 0 and 1, and there alone they
    have values here.

    Parameters
    ----------
    base : PrimeField
        The field of the coefficients, with p below 2^31.
    variables : int
        The number n of variables.

    Notes
    -----
    Raw arrays are structured, with one field ``S`` of 2^n coefficients: bit i of the index says whether variable i is
    in S.
    """

    base: PrimeField
    variables: int

    def __post_init__(self) -> None:
        if self.base.dtype is not np.float64:
            raise InvalidArgument("base", str(self.base), "a PrimeField with p below 2^31")

    @property
    def characteristic(self) -> int:
        return self.base.p

    @property
    def exact(self) -> bool:
        return True

    @property
    def dtype(self) -> np.dtype:
        """The numpy type of raw arrays."""
        return np.dtype([("S", np.float64, (2**self.variables,))])

    def __str__(self) -> str:
        return f"jets in {self.variables} variables over {self.base}"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(PrimeField(31), 2), cls(PrimeField(), 3))


def jets(field: Jets, coefficients: Any) -> np.ndarray:
    """Return the raw array of coefficients, of shape (subsets, ...); one alone is that of constants."""
    if len(coefficients) == 1:
        return of_constants(field, coefficients[0])
    raw = np.empty(np.shape(coefficients)[1:], dtype=field.dtype)
    raw["S"] = np.moveaxis(coefficients, 0, -1)
    return raw


def derivatives(raw: np.ndarray) -> np.ndarray:
    """Return the coefficients of a raw array: shape (subsets, ...)."""
    return np.moveaxis(raw["S"], -1, 0)


def of_constants(field: Jets, values: Any) -> np.ndarray:
    """Return jets without derivatives."""
    raw = np.zeros(np.shape(values), dtype=field.dtype)
    raw["S"][..., 0] = values
    return raw


def is_constant(raw: np.ndarray) -> bool:
    """Return whether all derivatives vanish."""
    return not raw["S"][..., 1:].any()


@verbs.encode.method
def encode_jets(field: Jets, array: object, *, argument: str = "array") -> np.ndarray:
    if isinstance(array, np.ndarray) and array.dtype == field.dtype:
        return array
    return of_constants(field, verbs.encode(field.base, array, argument=argument))


@verbs.embed.method
def embed_in_jets(field: Jets, constants: object) -> np.ndarray:
    return of_constants(field, verbs.embed(field.base, constants))


@verbs.decode.method
def decode_jets(field: Jets, raw: np.ndarray) -> Any:
    """Without the derivatives."""
    return verbs.decode(field.base, raw["S"][..., 0])


@verbs.draw_array.method
def draw_jets(field: Jets, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    size = (2**field.variables, *shape)
    return jets(field, verbs.draw_array(field.base, shape=size, seed=seed, label=label))


@verbs.add.method
def add_jets(field: Jets, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return jets(field, verbs.add(field.base, *aligned(left, right)))


def aligned(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of two arrays, with as many axes."""
    most = max(left.ndim, right.ndim)
    one, other = (derivatives(raw.reshape((1,) * (most - raw.ndim) + raw.shape)) for raw in (left, right))
    return one, other


@verbs.negate.method
def negate_jets(field: Jets, raw: np.ndarray) -> np.ndarray:
    return jets(field, verbs.negate(field.base, derivatives(raw)))


@verbs.transpose.method
def transpose_jets(field: Jets, raw: np.ndarray) -> np.ndarray:
    return np.swapaxes(raw, -1, -2)


@verbs.multiply.method
def multiply_jets(field: Jets, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return convolve(field, verbs.multiply, left, right)


@verbs.product.method
def product_jets(field: Jets, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return convolve(field, verbs.product, left, right)


def convolve(field: Jets, times: Callable[..., Any], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Apply a bilinear verb: the coefficient of S is the sum over all pairs of disjoint sets whose union is S.

    Sums over all subsets turn unions into products of numbers, and the sizes of the sets say which are disjoint
    (A. Björklund, T. Husfeldt, P. Kaski, M. Koivisto, *Fourier meets Möbius: fast subset convolution*, STOC 2007).
    """
    one, other = aligned(left, right)
    if is_constant(left) or is_constant(right):
        constant = slice(0, 1)
        return jets(
            field,
            times(
                field.base, one[constant] if is_constant(left) else one, other if is_constant(left) else other[constant]
            ),
        )
    sizes = sizes_of_subsets(field.variables)
    ones, others = ({k: subset_sums(field, part) for k, part in by_size(raw, sizes)} for raw in (one, other))
    result = None
    for size in range(field.variables + 1):
        parts = [times(field.base, ones[k], others[size - k]) for k in ones if size - k in others]
        if not parts:
            continue
        total = parts[0]
        for part in parts[1:]:
            total = verbs.add(field.base, total, part)
        total = subset_sums(field, total, -1)
        if result is None:
            result = np.zeros_like(total)
        result[sizes == size] = total[sizes == size]
    if result is None:  # one of them is zero
        result = 0 * times(field.base, one, other)
    return jets(field, result)


def sizes_of_subsets(variables: int) -> np.ndarray:
    """Return the number of elements of each subset."""
    return np.array([subset.bit_count() for subset in range(2**variables)])


def by_size(coefficients: np.ndarray, sizes: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the coefficients of the sets of each size, zeros elsewhere, for sizes that have some."""
    for size in range(int(sizes.max()) + 1):
        if coefficients[sizes == size].any():
            part = np.zeros_like(coefficients)
            part[sizes == size] = coefficients[sizes == size]
            yield size, part


def subset_sums(field: Jets, coefficients: np.ndarray, sign: int = 1) -> np.ndarray:
    """Return for each set the sum over its subsets; or, with the sign -1, what these are the sums of."""
    result = np.array(coefficients, order="C")
    for variable in range(field.variables):
        pairs = result.reshape(-1, 2, 2**variable, *result.shape[1:])
        pairs[:, 1] += sign * pairs[:, 0]
    return canonical(result, field.base.p)


@verbs.reciprocal.method
def reciprocal_jets(field: Jets, raw: np.ndarray) -> np.ndarray:
    inverse = of_constants(field, verbs.reciprocal(field.base, raw["S"][..., 0]))
    signs = (Fraction((-1) ** k) for k in itertools.count())
    return verbs.multiply(field, inverse, series(field, signs, verbs.multiply(field, raw, inverse), 1))


def series(field: Jets, coefficients: Iterator[Fraction], raw: np.ndarray, point: int) -> np.ndarray:
    """Return the sum of c_k (x - a)^k, for x whose constants are all a; powers beyond the variables vanish."""
    step = verbs.add(field, raw, verbs.embed(field, -point))
    if step["S"][..., 0].any():
        raise DomainError(f"functions have values over {field} at {point} alone")
    first, *others = reversed(list(itertools.islice(coefficients, field.variables + 1)))
    result = np.broadcast_to(verbs.embed(field, first), raw.shape)
    for coefficient in others:
        result = verbs.add(field, verbs.multiply(field, result, step), verbs.embed(field, coefficient))
    return result


@verbs.entrywise.method
def exp_of_jets(field: Jets, function: Exp, raw: np.ndarray) -> np.ndarray:
    factorials = itertools.accumulate(itertools.count(1), lambda value, k: value / k, initial=Fraction(1))
    return series(field, factorials, raw, 0)


@verbs.entrywise.method
def sigmoid_of_jets(field: Jets, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    """From the differential equation s' = s - s^2, at s = 1 / 2."""
    found = [Fraction(1, 2)]
    for k in range(field.variables):
        square = sum(found[i] * found[k - i] for i in range(k + 1))
        found.append((found[k] - square) / (k + 1))
    return series(field, iter(found), raw, 0)


@verbs.entrywise.method
def sqrt_of_jets(field: Jets, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    binomials = itertools.accumulate(
        itertools.count(), lambda value, k: value * (Fraction(1, 2) - k) / (k + 1), initial=Fraction(1)
    )
    return series(field, binomials, raw, 1)


@verbs.circle_points.method
def circle_points_of_jets(
    field: Jets, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    cosines, sines = verbs.circle_points(field.base, angles=angles, positions=positions)
    return of_constants(field, cosines), of_constants(field, sines)
