"""The error function."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields.ball import Balls, entrywise
from algatt.fields.functions.base import Function
from algatt.fields.real import Reals

__all__ = ["Erf"]


@dataclass(frozen=True)
class Erf(Function):
    r"""The error function :math:`2 / \sqrt\pi \int_0^x e^{-s^2} ds`, with the derivative
    :math:`2 / \sqrt\pi\, e^{-x^2}`.
    """


@verbs.entrywise.method
def erf_of_reals(field: Reals, function: Erf, raw: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return np.asarray(erf(raw))


@verbs.slope.method
def slope_of_erf(field: Reals, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    return np.asarray(2 / np.sqrt(np.pi) * np.exp(-(argument**2)))


@verbs.entrywise.method
def erf_of_balls(field: Balls, function: Erf, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: entry.erf(), raw)


@verbs.slope.method
def slope_of_erf_of_balls(field: Balls, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    import flint

    return field.compute(entrywise, lambda entry: 2 / flint.arb.pi().sqrt() * (-(entry**2)).exp(), argument)
