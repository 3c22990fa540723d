"""Tensors side by side, rows that are taken of a product, and pairs that are turned both ways: counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Elements, PrimeField, concatenate
from algatt.fields.functions import Exp
from algatt.symmetry.spaces import spaces_of
from written_networks import written


def beside(w: Any, X: Any) -> Any:
    return w["U"] @ (concatenate([w["A"], w["B"]], axis=1) @ X)


def taken(w: Any, X: Any) -> Any:
    return w["U"] @ (w["A"] @ X)[[0, 1]]


def turned(w: Any, X: Any) -> Any:
    return (w["A"] @ X).rotate((0.5, -0.5), (0, 1, 2)).T @ (w["B"] @ X).rotate((0.5, -0.5), (0, 1, 2))


CASES = {
    "beside": ({"U": (2, 2), "A": (2, 1), "B": (2, 2)}, beside, 4),  # g A, g B, U g^-1
    "taken": (
        {"U": (2, 2), "A": (3, 3)},
        taken,
        4 + 3,
    ),  # g on the rows that are taken, and any change of the third one
    "turned": ({"A": (4, 4), "B": (4, 4)}, turned, 8),  # complex 2 x 2 matrices, one of the two pairs turned backwards
}


@pytest.mark.parametrize("name", CASES)
def test_spaces_of_written_networks(name: str) -> None:
    tensors, function, dimension = CASES[name]
    net = written(tensors, function, tensors["A"][1] if name != "beside" else 3, 3)
    theta = algatt.sample(net, algatt.Weights, field=PrimeField(), seed=0)
    X = verbs.draw_array(PrimeField(), shape=(12, *net.input_shape), seed=1, label="inputs")
    jacobian = Elements.of(PrimeField(), np.asarray(algatt.jacobian(net, theta, Elements(PrimeField(), X).public())))
    families = spaces_of(net)
    assert sum(one.dimension for one in families) == dimension
    for family in families:
        tangents = family.tangent_elements(theta)
        assert not (jacobian @ tangents.T).raw.any()
        for one in (name for name in family.tensors if family.beside(name, frozenset()) is None):
            (part,) = family.tangent_parts(theta)
            there = Elements(PrimeField(), part[one].raw.reshape(len(tangents.raw), -1))
            assert algatt.rank(there.public()) == family.dimension


def test_factors_of_rows_are_equal_in_a_sum() -> None:
    """Rows of a sum of two exponentials that are divided by their sums: both biases may grow by one vector together."""

    def function(w: Any, X: Any) -> Any:
        total = (w["A"] @ X + w["b"]).entrywise(Exp()) + (w["B"] @ X + w["d"]).entrywise(Exp())
        return total * (total @ np.ones((3, 1), dtype=np.int64)).reciprocal()

    net = written({"A": (2, 2), "B": (2, 2), "b": (2, 1), "d": (2, 1)}, function, 2, 3)
    (family,) = algatt.symmetries(net)
    assert (set(family.tensors), family.dimension) == ({"b", "d"}, 2)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    X = verbs.draw_array(algatt.Reals(), shape=(2, 3), seed=1, label="inputs")
    moved = algatt.act(family.element(theta, 1), theta)
    assert np.allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X))
    assert not np.allclose(moved.tensors["b"].raw, theta.tensors["b"].raw)
