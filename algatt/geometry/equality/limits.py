"""The operations that limit an answer about two points that is not proven: values at both points are the same behind
them, and not before, and no rule of the virtual form says why.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.architectures.network import program
from algatt.errors import AlgattError
from algatt.fields import Elements, Reals, Virtual
from algatt.geometry.equality.rounding import clear_difference
from algatt.maps.endings import endings, in_words, results_of
from algatt.maps.quotients import as_weights
from algatt.maps.virtual_form import rounded, virtual_input
from algatt.parameters import Parameters, Weights

MOST_PARAMETERS = 4096
"""Maximum number of parameters."""

INPUTS = 3
"""Number of inputs at which results are compared."""


def said_of_limits(arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float) -> str:
    """Return what has to be added where two points are not proven to be one function: the operations at which their
    difference ends; nothing if no operation is known.
    """
    (wide, first), (_, second) = (as_weights(arch, theta) for theta in (one, two))
    if wide.parameters > MOST_PARAMETERS:
        return ""
    found = program(wide)
    try:
        differ = different_results(wide, first, second, seed, tolerance)
    except AlgattError:
        return ""
    numbers = endings(found, differ)
    alike = alike_by_content(wide, first, second, numbers, tolerance) if numbers else set()
    said = [in_words(found, number, differ) for number in numbers if number not in alike]
    return f"; limited by {' and '.join(said)}" if said else ""


def different_results(arch: Architecture, one: Weights, two: Weights, seed: int, tolerance: float) -> set[int]:
    """Return the numbers of the results that differ at some random inputs, of floats by more than rounding."""
    points, field = [list(theta.elements) for theta in (one, two)], one.field
    if not (field.exact and arch.algebraic):
        field = Reals()
        points = [[Elements(field, one.raw.astype(np.float64)) for one in elements] for elements in points]
    differ: set[int] = set()
    for X in draw_inputs(arch, field, seed, 0, INPUTS):
        with np.errstate(over="ignore", invalid="ignore"):  # infinite numbers are not told apart
            first, second = (results_of(arch, point, Elements(field, X)) for point in points)
            for number in range(len(first.program)):
                a, b = first[number].raw, second[number].raw
                least = 0 if field.exact else clear_difference(tolerance) * max(np.abs(a).max(initial=0.0), 1e-300)
                if np.any(abs(a - b) > least):
                    differ.add(number)
    return differ


def alike_by_content(arch: Architecture, one: Weights, two: Weights, numbers: list[int], tolerance: float) -> set[int]:
    """Return those of some results that have one content in the virtual form, so that it is known why they agree."""
    points: list[Any] = [one, two] if one.field.exact else [rounded(theta, tolerance) for theta in (one, two)]
    field = Virtual(points[0].field)
    alike: set[int] = set()
    with contextlib.suppress(AlgattError):
        first, second = (
            results_of(
                arch, [Elements(field, field.tensor(element)) for element in theta.elements], virtual_input(field, arch)
            )
            for theta in points
        )
        for number in numbers:
            contents = [field.content(results[number].raw) for results in (first, second)]
            if contents[0] == contents[1]:
                alike.add(number)
    return alike
