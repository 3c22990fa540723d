"""Weights moved while all gains that can be folded are 1: then no element has to fold them by itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.symmetry import ShiftSymmetry


def with_unit_gains(family: ShiftSymmetry, theta: Weights, move: Callable[[Weights], Weights]) -> Weights:
    """Return weights after they were moved with the gains folded that a family folds, which are taken out again.

    Raises
    ------
    DivisionByZero
        If an entry of a gain is zero.
    """
    quotient = family.fold
    ones = {
        gain.name: Elements.of(theta.field, np.ones(theta.tensors[gain.name].shape, dtype=np.int64))
        for gain in quotient.gains
    }
    folded = {**quotient.fold(theta), **ones}
    moved = move(theta.replace([kept(folded[name]) for name in theta.names()]))
    gains = {name: theta.tensors[name] for name in ones}
    tensors = {**quotient.unfold(moved.tensors, theta), **gains}
    return theta.replace([kept(tensors[name]) for name in theta.names()])


def kept(element: Elements) -> Elements:
    """Return elements that were made here, and are not written to any more, so that no copy is made of them."""
    element.raw.setflags(write=False)
    return element
