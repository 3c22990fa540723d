"""Whether the symmetries that an architecture declares leave its function unchanged, to first order at random points.

The upper bound of the dimension rests on what is declared, and nothing here proves it. But what is false is found,
wherever in the value it shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from algatt import verbs
from algatt.fields import Balls, Elements, PrimeField
from algatt.geometry.dimensions.bounds import (
    WITNESSES,
    check_along_symmetries,
    false_symmetry,
    inputs_with_values,
    random_cotangents,
)
from algatt.geometry.dimensions.question import Question
from algatt.maps.gradient import pull_back
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry

RESOLUTION = 2.0**-64
"""A derivative along a symmetry is enclosed up to this part of what it can be at most, or with the highest
precision.
"""


def check_symmetries(question: Question, seed: int) -> None:
    """Raise `SymmetryError` if a declared symmetry changes the function at a random point, over a prime field if the
    function has values there.
    """
    if question.arch.algebraic:
        check_symmetries_over_prime(question, seed)
    else:
        check_symmetries_by_balls(question, Balls(), seed)


def random_direction(tangents: Elements, seed: int, name: str) -> Elements:
    """Return a random combination of tangents, as a column."""
    field = tangents.field
    factors = Elements(
        field, verbs.draw_array(field, shape=(1, tangents.shape[0]), seed=seed, label=f"direction/{name}")
    )
    return (factors @ tangents).T


def check_symmetries_over_prime(question: Question, seed: int, families: Iterable[Symmetry] | None = None) -> None:
    """Raise `SymmetryError` if a declared symmetry, or one of some, changes the function to first order at a random
    point.

    The derivatives of random combinations of all entries of the value, along a random direction of each family, are
    computed at a random point over a large prime, where one that is not zero looks like zero with a probability of
    about one in the prime.
    """
    arch, field = question.arch, PrimeField()
    theta = verbs.sample(arch, Weights, field=field, seed=seed)
    inputs = np.concatenate([X.raw for _, X in islice(inputs_with_values(arch, theta, seed), WITNESSES)])
    rows = pull_back(arch, theta, Elements(field, inputs), random_cotangents(arch, field, seed))
    check_along_symmetries(question.symmetries if families is None else families, rows, theta, seed)


def check_symmetries_by_balls(question: Question, field: Balls, seed: int) -> None:
    """Raise `SymmetryError` if a declared symmetry changes the function to first order at a random point: a derivative
    along it excludes zero.

    The derivatives are those of random combinations of all entries of the value along a random direction of each
    family, enclosed at an exact point with twice as many bits each time. So a false symmetry is not overlooked because
    what it changes is small beside the rest.
    """
    from algatt.geometry.dimensions.real_point import with_enough_bits, with_more_bits

    while True:
        field, derivatives = with_enough_bits(field, lambda field: derivatives_along_symmetries(question, field, seed))
        for name, along, _ in derivatives:
            if any(entry != 0 for entry in along.raw.flat):  # of balls: zero is outside
                raise false_symmetry(name)
        pairs = [zip(along.raw.flat, sizes.raw.flat, strict=True) for _, along, sizes in derivatives]
        longer = with_more_bits(field)
        if longer is None or all(abs(value) <= RESOLUTION * size for pair in pairs for value, size in pair):
            return
        field = longer


def derivatives_along_symmetries(question: Question, field: Balls, seed: int) -> list[tuple[str, Elements, Elements]]:
    """Return for each family its name, the derivatives along a random direction of it, and bounds of their sizes by
    norms.
    """
    from algatt.geometry.dimensions.ball_bounds import numbers_with_values
    from algatt.geometry.dimensions.real_point import ball_weights, numbered_inputs

    arch = question.arch
    theta = ball_weights(arch, field, seed)
    inputs = numbered_inputs(arch, field, seed, numbers_with_values(arch, seed, WITNESSES))
    rows = pull_back(arch, theta, inputs, random_cotangents(arch, field, seed))
    everything = np.ones((arch.parameters, 1), dtype=np.int64)
    derivatives = []
    for family in question.symmetries:
        direction = random_direction(family.tangent_elements(theta), seed, family.name)
        sizes = (absolute(rows) @ everything) * (absolute(direction.T) @ everything)
        derivatives.append((family.name, rows @ direction, sizes))
    return derivatives


def absolute(balls: Elements) -> Elements:
    """Return the absolute values."""
    return Elements(balls.field, np.abs(balls.raw))
