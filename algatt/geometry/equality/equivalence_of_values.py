"""Whether two points of any network are one function, by their values alone: no symmetry is looked for.

Two points are called different for their values at an input. They are called equal if they are the same, if their
values over GF(p) agree at so many random inputs that different ones hardly would, or at all sequences of tokens.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.errors import DivisionByZero, EquivalenceUndecided
from algatt.fields import Elements
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.bounds import Progress, known_degree
from algatt.geometry.dimensions.token_inputs import all_inputs
from algatt.geometry.equality.compared_values import MOST_INPUTS
from algatt.geometry.equality.enclosed_values import compared_by_balls, enclosing_steps
from algatt.geometry.equality.equivalence import Equivalence, check_pair, enclosed_difference
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE
from algatt.geometry.equality.steps import Steps
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters
from algatt.randomness import check_seed

__all__ = ["check_existence", "separating_input"]

SMALLER = 0.25
"""Every second input over the reals is multiplied by this."""


@verbs.same_function.method
def same_function_of_architecture(
    arch: Architecture,
    theta1: Parameters,
    theta2: Parameters,
    *,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float | None = None,
    progress: Progress | None = None,
) -> Equivalence:
    tolerance = tolerance_of(theta1.field, theta2.field) if tolerance is None else tolerance
    check_pair(arch, theta1, theta2, error, tolerance)
    check_values_exist(arch, "theta1", theta1)
    seed = check_seed(seed)
    existence = [verbs.has_function(arch, theta, seed=seed) for theta in (theta1, theta2)]
    for number, answer in enumerate(existence, start=1):
        answer.check(f"theta{number}")
    if theta1 == theta2:
        check_existence(all(existence))
        return Equivalence(True, "proven", None, None, None, None, None, "the parameters are the same")
    if theta1.field.exact:
        return equivalence_of_exact_values(arch, theta1, theta2, all(existence), seed, error)
    return equivalence_of_real_values(arch, theta1, theta2, seed, tolerance, progress)


def equivalence_of_exact_values(
    arch: Architecture, one: Parameters, two: Parameters, have_functions: bool, seed: int, error: float
) -> Equivalence:
    """Compare values over GF(p)."""
    look = separating_input if arch.vocabulary is None else separating_tokens
    separated = look(arch, one, two, seed, error)
    if isinstance(separated, np.ndarray):
        return Equivalence(False, "proven", None, None, separated, None, None, "the functions differ at an input")
    check_existence(have_functions)
    if separated == 0 and arch.vocabulary is not None:
        reason = "the functions agree at all sequences of tokens"
        return Equivalence(True, "proven", None, None, None, None, None, reason)
    if separated > error:
        raise EquivalenceUndecided(
            "no input that was tried separates the functions; "
            f"over {one.field} those that were tried miss a difference with a probability of up to {separated:.2g}"
        )
    return Equivalence(True, "probable", None, None, None, separated, None, "the functions agree at random inputs")


def equivalence_of_real_values(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float, progress: Progress | None
) -> Equivalence:
    """Compare values over the reals that balls enclose; where they agree, the functions may differ by less."""
    steps = Steps(progress, enclosing_steps(arch, one))
    scale = SMALLER if arch.vocabulary is None else 1.0  # tokens have no size
    values = compared_by_balls(arch, one, two, seed, tolerance, steps, scale)
    if not values.differ:
        raise EquivalenceUndecided(
            f"the values at random inputs differ by {values.difference:.3g} of their size at most, and no symmetry is "
            f"looked for in {type(arch).__name__}, so that the functions may differ by less or be the same; "
            f"{OTHER_TOLERANCE}, or compare over a PrimeField"
        )
    found = enclosed_difference(values)
    if arch.vocabulary is None:
        return found
    return dataclasses.replace(found, separating_input=np.argmax(found.separating_input, axis=0))


def separating_tokens(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, error: float
) -> np.ndarray | float:
    """Return a sequence of tokens at which the values over GF(p) differ; or 0 if they agree at all sequences, and 1 if
    not all could be compared.
    """
    every = all_inputs(arch, seed)
    compared = 0
    for start in range(MOST_INPUTS) if every is None else every.tolist():
        X = Elements(one.field, draw_inputs(arch, one.field, seed, start, 1))
        with contextlib.suppress(DivisionByZero):
            if (verbs.evaluate(arch, one, X).raw != verbs.evaluate(arch, two, X).raw).any():
                separating: np.ndarray = draw_tokens(arch, seed, start, 1)[0]
                return separating
            compared += 1
    return 0.0 if every is not None and compared == len(every) else 1.0


def check_existence(have_functions: bool) -> None:
    """Raise `EquivalenceUndecided` unless both points are known to have functions: what follows looks at no values."""
    if not have_functions:
        raise EquivalenceUndecided("no input was found at which both networks have values, and none is excluded")


def separating_input(
    arch: Architecture, theta1: Parameters, theta2: Parameters, seed: int, error: float
) -> np.ndarray | float:
    """Return an input at which the values over GF(p) differ, or else a bound on the probability of missing one.

    With numerators of degree n and denominators of degree e in the inputs, the difference at one token has a numerator
    of degree n + e. That an input is drawn again unless everything that both networks divide by has an inverse adds at
    most the degrees of all of it. `verbs.degree` is n + e and those of one network, so that the sum is at most twice
    that.
    """
    field = theta1.field
    order = field.characteristic or math.inf
    degree = known_degree(arch)
    missed_by_one = 1.0 if degree is None else min(1.0, 2 * degree.inputs / order)
    missed = 1.0
    for start in range(MOST_INPUTS):
        X = Elements(field, draw_inputs(arch, field, seed, start, 1))
        with contextlib.suppress(DivisionByZero):
            one, two = verbs.evaluate(arch, theta1, X), verbs.evaluate(arch, theta2, X)
            if (one.raw != two.raw).any():
                separating: np.ndarray = Elements(field, X.raw[0]).public()
                return separating
            missed *= missed_by_one
        if missed <= error:
            break
    return missed
