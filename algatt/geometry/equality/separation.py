"""Inputs at which the values of two points over an exact field differ, and how likely random ones are to miss a
difference.
"""

from __future__ import annotations

import contextlib
import math

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import DivisionByZero, EquivalenceUndecided
from algatt.fields import Elements, Field
from algatt.fields.scalar import ScalarField
from algatt.geometry.dimensions.bounds import all_inputs
from algatt.geometry.dimensions.question import known_degree
from algatt.geometry.equality.equivalence import Equivalence
from algatt.parameters import Parameters

MOST_INPUTS = 64
"""At most so many random inputs are tried to separate two functions."""


def separating_input(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, error: float, missed_by_one: float | None = None
) -> np.ndarray | float:
    """Return an input at which the values of two points over an exact field differ, or else a bound on the probability
    of missing one.

    Of networks that read tokens all sequences are tried, if they are not too many: the bound is 0 then, and 1 if not
    all could be compared.

    Parameters
    ----------
    arch : Architecture
        The network.
    one, two : Parameters
        The points.
    seed : int
        Of the inputs.
    error : float
        No more inputs are tried where the bound is at most this.
    missed_by_one : float, optional
        A bound for one random input; by default that of `chance_of_missing`.
    """
    if arch.vocabulary is not None:
        return separating_tokens(arch, one, two, seed)
    if missed_by_one is None:
        missed_by_one = chance_of_missing(arch, one.field)
    missed = 1.0
    for number in range(MOST_INPUTS):
        X = Elements(one.field, draw_inputs(arch, one.field, seed, number, 1))
        with contextlib.suppress(DivisionByZero):
            if differ_at(arch, one, two, X):
                return public_input(arch, X)
            missed *= missed_by_one
        if missed <= error:
            break
    return missed


def separating_tokens(arch: Architecture, one: Parameters, two: Parameters, seed: int) -> np.ndarray | float:
    """Return a sequence of tokens at which the values differ; or 0 if they agree at all sequences, and 1 if not all
    could be compared.
    """
    every = all_inputs(arch, seed)
    compared = 0
    for number in range(MOST_INPUTS) if every is None else every.tolist():
        X = Elements(one.field, draw_inputs(arch, one.field, seed, number, 1))
        with contextlib.suppress(DivisionByZero):
            if differ_at(arch, one, two, X):
                return public_input(arch, X)
            compared += 1
    return 0.0 if every is not None and compared == len(every) else 1.0


def differ_at(arch: Architecture, one: Parameters, two: Parameters, X: Elements) -> bool:
    """Return whether the values of two points differ at an input."""
    return bool(np.any(verbs.evaluate(arch, one, X).raw != verbs.evaluate(arch, two, X).raw))


def chance_of_missing(arch: Architecture, field: Field) -> float:
    """Bound the probability that two different functions agree at a random input, by the lemma of Schwartz and Zippel.

    With numerators of degree n and denominators of degree e in the inputs, the difference at one token has a numerator
    of degree n + e. That an input is drawn again unless everything that both networks divide by has an inverse adds at
    most the degrees of all of it. `algatt.degree` is n + e and those of one network, so that the sum is at most twice
    that; of polynomials it is n. Where networks rotate by random points of circles nothing is bounded.
    """
    degree = known_degree(arch)
    return 1.0 if degree is None else min(1.0, (1 if arch.polynomial else 2) * degree.inputs / choices(field))


def choices(field: Field) -> float:
    """Return the number of elements of a field among which an entry of a random input is chosen."""
    return field.drawn if isinstance(field, ScalarField) else field.characteristic or math.inf


def public_input(arch: Architecture, X: Elements) -> np.ndarray:
    """Return the input of a batch of one as `algatt.evaluate` takes it: for networks that read tokens their numbers."""
    if arch.tokens_alone:
        numbers: np.ndarray = np.argmax(X.raw[0] != 0, axis=0)
        return numbers
    public: np.ndarray = Elements(X.field, X.raw[0]).public()
    return public


def difference_at(X: np.ndarray) -> Equivalence:
    """Return the answer that two functions differ at an input, over an exact field."""
    return Equivalence(False, "proven", None, None, X, None, None, "the functions differ at an input")


def check_missed(field: Field, missed: float, error: float) -> None:
    """Raise `EquivalenceUndecided` if random inputs miss a difference with a larger probability than may be, after a
    symmetry was looked for.
    """
    if missed > error:
        raise EquivalenceUndecided(
            "no input that was tried separates the functions, and no symmetry was found between the weights; "
            f"over {field} random inputs miss a difference with a probability of up to {missed:.2g}"
        )
