"""Whether two points of any network are one function, by their values alone: no symmetry is looked for.

Two points are called different for their values at an input. They are called equal if they are the same, if their
values over GF(p) agree at so many random inputs that different ones hardly would, or at all sequences of tokens.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import EquivalenceUndecided
from algatt.fields.real import tolerance_of
from algatt.geometry.dimensions.question import Progress
from algatt.geometry.equality.enclosed_values import compared_by_balls, enclosing_steps
from algatt.geometry.equality.equivalence import Equivalence, check_existence, check_pair, enclosed_difference
from algatt.geometry.equality.separation import difference_at, separating_input
from algatt.geometry.equality.source_rounding import OTHER_TOLERANCE
from algatt.geometry.equality.steps import Steps
from algatt.maps.existence import check_values_exist
from algatt.parameters import Parameters
from algatt.randomness import check_seed

__all__: list[str] = []

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
        found = Equivalence(True, "proven", None, None, None, None, None, "the parameters are the same")
    elif theta1.field.exact:
        found = equivalence_of_exact_values(arch, theta1, theta2, all(existence), seed, error)
    else:
        found = equivalence_of_real_values(arch, theta1, theta2, seed, tolerance, progress)
    return found.about(arch, theta1, theta2)


def equivalence_of_exact_values(
    arch: Architecture, one: Parameters, two: Parameters, have_functions: bool, seed: int, error: float
) -> Equivalence:
    """Compare values over GF(p)."""
    separated = separating_input(arch, one, two, seed, error)
    if isinstance(separated, np.ndarray):
        return difference_at(separated)
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
    X = values.separating_input
    return enclosed_difference(np.argmax(X, axis=0) if arch.tokens_alone else X, values.difference)
