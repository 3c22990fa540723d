"""What tests of layers share: the value of a layer over several fields, beside what a formula says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from algatt.fields import Balls, Elements, Field, PrimeField, Reals
from algatt.layers import Layer
from algatt.layers.base import Arrays, layout, run, tensor_shapes

PRIMES = (8388593, 2305843009213693951)

ROUNDING = 1e-13
"""Sums of a few products in another order differ by no more, as a part of the largest entry."""


def value_of(layer: Layer, tensors: Mapping[str, Any], X: Any, field: Field) -> np.ndarray:
    """Evaluate a layer, after a check that its tensors have these names and shapes."""
    shapes, out = tensor_shapes(layer, np.shape(X)[-2:])
    assert shapes == {name: np.shape(tensor) for name, tensor in tensors.items()}
    arrays = {name: Elements(field, entered(field, tensor)) for name, tensor in tensors.items()}
    value = run(layout(layer), Arrays(arrays), Elements(field, entered(field, X)))
    assert value.shape[-2:] == out
    return value.raw


def entered(field: Field, array: Any) -> Any:
    """Take integers, fractions or floats into a field."""
    if isinstance(field, PrimeField):
        residues = [residue(entry, field.p) for entry in np.array(array, dtype=object).flat]
        return np.array(residues, dtype=field.dtype).reshape(np.shape(array))
    return Elements.of(field, np.array(array, dtype=float)).raw


def residue(entry: Any, p: int) -> int:
    """Return a rational number modulo p."""
    number = Fraction(int(entry)) if isinstance(entry, np.integer) else Fraction(entry)
    return number.numerator * pow(number.denominator, -1, p) % p


def close(value: np.ndarray, expected: Any) -> bool:
    """Compare floats up to rounding."""
    expected = np.array(expected, dtype=float)
    return value.shape == expected.shape and bool(
        np.abs(value - expected).max() <= ROUNDING * max(1, np.abs(expected).max())
    )


def check_everywhere(layer: Layer, tensors: Mapping[str, Any], X: Any, expected: Any) -> None:
    """Compare the value at rational points with rational numbers: modulo two primes, in floats and in balls."""
    for p in PRIMES:
        residues = [residue(entry, p) for entry in np.array(expected, dtype=object).flat]
        assert value_of(layer, tensors, X, PrimeField(p)).ravel().tolist() == residues
    check_reals(layer, tensors, X, expected)


def check_reals(layer: Layer, tensors: Mapping[str, Any], X: Any, expected: Any) -> None:
    """Compare the value in floats and in balls with numbers."""
    assert close(value_of(layer, tensors, X, Reals()), expected)
    balls = value_of(layer, tensors, X, Balls())
    assert close(np.array([float(ball) for ball in balls.flat]).reshape(balls.shape), expected)
    assert max(float(ball.rad()) for ball in balls.flat) < 1e-20 * max(1, np.abs(np.array(expected, dtype=float)).max())


@pytest.fixture(scope="session")
def value() -> Callable[..., np.ndarray]:
    return value_of


@pytest.fixture(scope="session")
def is_value() -> Callable[..., None]:
    return check_everywhere


@pytest.fixture(scope="session")
def is_real_value() -> Callable[..., None]:
    return check_reals
