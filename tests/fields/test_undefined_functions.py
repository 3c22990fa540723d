"""Functions of somebody else without values: one line that names them and says what to define."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import MethodError
from algatt.fields import Balls, Elements, Exp, Function, PrimeField, Reals
from written_networks import written


@dataclass(frozen=True)
class Bump(Function):
    """A function without any methods."""


@dataclass(frozen=True)
class Cube(Function):
    """A function without a derivative."""


@verbs.entrywise.method
def cubes(field: Reals, function: Cube, raw: np.ndarray) -> np.ndarray:
    return raw**3


def network(function):
    return written({"A": (1, 2)}, lambda w, X: (w.A @ X).entrywise(function), width=2)


def check_line(error, *parts):
    assert "\n" not in str(error)
    assert len(str(error)) < 200
    assert all(part in str(error) for part in parts)
    assert not getattr(error, "__notes__", [])


def test_a_dimension_names_the_function_and_what_to_define():
    with pytest.raises(MethodError) as caught:
        algatt.dimension(network(Bump()))
    check_line(caught.value, "Bump has no values", "define a method of algatt.verbs.entrywise for Balls and Bump")


@pytest.mark.parametrize("field", [Reals(), Balls(), PrimeField()])
def test_so_do_values(field):
    with pytest.raises(MethodError) as caught:
        Elements.of(field, [[1, 2]]).entrywise(Bump())
    check_line(caught.value, f"algatt.verbs.entrywise for {type(field).__name__} and Bump")


def test_so_do_derivatives():
    net = network(Cube())
    theta = algatt.sample(net, algatt.Weights, field=Reals())
    X = algatt.sample_inputs(net, field=Reals())
    assert np.isfinite(algatt.evaluate(net, theta, X)).all()
    with pytest.raises(MethodError) as caught:
        algatt.jacobian(net, theta, X)
    check_line(caught.value, "Cube has no derivatives", "algatt.verbs.slope for Reals and Cube")


def test_nothing_is_to_be_defined_for_functions_of_this_package():
    with pytest.raises(MethodError) as caught:
        Elements.of(PrimeField(31), [[1, 2]]).entrywise(Exp())
    assert str(caught.value) == "no method fits entrywise(PrimeField, Exp): Exp has no values over GF(31)"
    assert "have values over the reals" in caught.value.__notes__[0]
