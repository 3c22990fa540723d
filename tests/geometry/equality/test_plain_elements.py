"""Group elements as JSON: the action is computed again from the text, in Python's integers and fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.plain_elements import plain_element
from algatt.layers import Heads, Residual, RMSNorm, Unnormalized
from algatt.symmetry import GainSymmetry, ShiftSymmetry

F = algatt.PrimeField(31)

LINEAR = algatt.Network(Residual(Heads(2, score=Unnormalized())), tokens=2, width=2)

BIASED = algatt.Network(Residual(RMSNorm() >> Heads(1, biases="K")), tokens=2, width=2)


def numbers(entries: Any) -> np.ndarray:
    """Return the numbers of a JSON array, which are integers or texts."""
    return np.array([[Fraction(entry) for entry in row] for row in entries], dtype=object)


def tensors(theta: algatt.Weights) -> dict[str, np.ndarray]:
    """Return tensors as fractions."""
    return {name: numbers([list(map(str, row)) for row in one.raw.tolist()]) for name, one in theta.tensors.items()}


def moved(told: dict[str, Any], arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Act on tensors by what is told of an element that has sides."""
    images = dict(arrays)
    for name, side in told["sides"].items():
        image = arrays[side["source"]]
        image = image if side["left"] is None else numbers(side["left"]) @ image
        images[name] = image if side["right"] is None else image @ numbers(side["right"])
    return images


@pytest.mark.parametrize("field", [F, Rationals()], ids=str)
def test_the_sides_of_tensors(field: algatt.fields.Field) -> None:
    theta = algatt.sample(LINEAR, algatt.Weights, field=F, seed=0)
    theta = theta.replace([Elements.of(field, one.raw.astype(np.int64)) for one in theta.elements])
    names = list(theta.names())
    other = theta.replace([theta.elements[names.index(name[:-1] + str(3 - int(name[-1])))] for name in names])
    for family in algatt.symmetries(LINEAR):
        other = algatt.act(family.element(other, seed=1), other)
    answer = algatt.same_function(LINEAR, theta, other)
    assert answer.equal
    told = json.loads(json.dumps(answer.to_dict()))["element"]
    assert told["name"] == "TensorsElement"
    images = moved(told, tensors(theta))
    for name, expected in tensors(other).items():
        difference = images[name] - expected
        assert not (difference % 31 if field == F else difference).any()


def test_a_rational_input_that_separates() -> None:
    """Where all weights are 1, the value is X + 2 J X X^T J X, for J of ones; where they are 2, 16 times the sum is."""
    one = algatt.sample(LINEAR, algatt.Weights, field=F)
    one = one.replace([Elements.of(Rationals(), np.ones(part.shape, dtype=np.int64)) for part in one.elements])
    told = json.loads(
        json.dumps(algatt.same_function(LINEAR, one, one.replace([W * 2 for W in one.elements])).to_dict())
    )
    assert not told["equal"]
    X, J = numbers(told["separating_input"]), np.ones((2, 2), dtype=object)
    assert (J @ X @ X.T @ J @ X).any()


def test_a_vector_beside_folded_gains() -> None:
    """The key bias b of scores K (g * Y) + b is moved by any vector, whatever the gain g is."""
    theta = algatt.sample(BIASED, algatt.Weights, field=F, seed=0)
    (family,) = (one for one in algatt.symmetries(BIASED) if isinstance(one, ShiftSymmetry))
    (gain,) = (one for one in algatt.symmetries(BIASED) if isinstance(one, GainSymmetry))
    element = family.element(theta, seed=1)
    told = json.loads(json.dumps(plain_element(element)))
    assert (told["name"], told["element"]["name"]) == ("FoldedElement", "VectorElement")
    assert told["element"]["family"] == "columns of heads.b_K_1"
    assert [one["name"] for one in told["fold"]["gains"]] == [gain.name]
    assert set(told["fold"]["gains"][0]["columns"]) == {"heads.Q_1", "heads.K_1", "heads.V_1"}
    bias = "heads.b_K_1"
    difference = tensors(algatt.act(element, theta))[bias] - tensors(theta)[bias] - numbers(told["element"]["vector"])
    assert not (difference % 31).any()
