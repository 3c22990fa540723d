"""The logistic function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.ball import Balls, entrywise
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.real import Reals

__all__ = ["Sigmoid"]


@dataclass(frozen=True)
class Sigmoid(Function):
    r"""The logistic function :math:`\sigma(x) = 1 / (1 + e^{-x})`, with the derivative :math:`\sigma (1 - \sigma)`."""


@verbs.entrywise.method
def sigmoid_of_reals(field: Reals, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    from scipy.special import expit

    return np.asarray(expit(raw))


@verbs.entrywise.method
def sigmoid_of_balls(field: Balls, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: 1 / (1 + (-entry).exp()), raw)


@verbs.slope.method
def slope_of_sigmoid(field: Field, function: Sigmoid, argument: object, value: object) -> Any:
    return verbs.add(field, value, verbs.negate(field, verbs.multiply(field, value, value)))
