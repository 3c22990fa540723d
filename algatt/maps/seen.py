"""The derivatives of what the function of a network sees of its weights."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from algatt.architectures import Architecture
from algatt.fields import Elements, PrimeField, Tangents, Virtual
from algatt.fields.virtual.forms import Name, NumberContent, SignContent, VirtualForm
from algatt.maps.virtual_form import virtual_value
from algatt.parameters import Weights

DIRECTIONS = 128
"""Maximum number of directions that are computed at a time."""

MOST_TANGENTS = 2**27
"""Maximum number of derivatives of all numbers at a time, those of results between them included."""


@dataclass(frozen=True)
class Seen:
    """What a function sees of the weights, at a point over GF(p).

    Parameters
    ----------
    jacobian : Elements
        The derivatives of the numbers that are seen, a row for each, by all weights.
    degree : float
        Bound of the degrees of the numbers: of the numerator and the denominator together.
    accidents : float
        Bound of p times the probability that a zero, or two equal contents, at the random point are none for variables.
    """

    jacobian: Elements
    degree: float
    accidents: float


def seen_numbers(field: Virtual, form: VirtualForm) -> list[Elements]:
    """Return the numbers in the content of a form, and in those of the atoms that it is made of."""
    contents = {name: content for alike in field.table.values() for content, name in alike}
    found: list[Elements] = []
    asked: list[Hashable] = [field.content(form)]
    done: set[Name] = set()
    while asked:
        one = asked.pop()
        if isinstance(one, NumberContent):
            found.append(one.numbers)
        elif isinstance(one, Name) and one not in done:
            done.add(one)
            asked.append(contents[one])
        elif isinstance(one, tuple):
            asked.extend(one)
    return found


def seen_of(
    arch: Architecture, theta: Weights, most: int, progress: Callable[[int, int], object] | None = None
) -> Seen | None:
    """Return what the function of a network sees of weights over GF(p); None if an operation has no form, or if there
    are more than `most` derivatives.

    Raises
    ------
    DivisionByZero
        If a denominator is zero for every input.
    TooManyTangents
        If the forms of the results are too large.
    """
    base = PrimeField(theta.field.characteristic)
    size, count = sum(one.raw.size for one in theta.elements), min(DIRECTIONS, arch.parameters)
    rows: list[np.ndarray] = []
    degree = accidents = 0.0
    for start in range(0, size, count):
        ring = Tangents(base, count, MOST_TANGENTS)
        field = Virtual(ring)
        value = virtual_value(field, arch, moved(theta, ring, start))
        if value is None:
            return None
        parts = [one.raw.ravel() for one in seen_numbers(field, value)]
        numbers = np.concatenate(parts) if parts else ring.array(np.zeros(0), None, 0, 0)
        if len(numbers) * size > most:
            return None
        if not start:
            degree = float(numbers["above"].max(initial=0) + numbers["below"].max(initial=0))
            accidents = sum(ring.tested) + equal_by_accident(field)
        rows.append(numbers["tangent"][:, : size - start])
        if progress is not None:
            progress(min(start + count, size), size)
    jacobian = np.concatenate(rows, axis=1)
    return Seen(Elements(base, jacobian[jacobian.any(axis=1)]), degree, accidents)


def moved(theta: Weights, field: Tangents, start: int) -> Weights:
    """Return weights with the unit tangents from number `start` on."""
    elements = []
    for one in theta.elements:
        units = np.zeros((one.raw.size, field.directions))
        own = np.arange(max(start, 0), min(start + field.directions, one.raw.size))
        units[own, own - start] = 1
        start -= one.raw.size
        elements.append(Elements(field, field.array(one.raw, units.reshape(*one.shape, -1), 1, 0)))
    return theta.replace(elements)


def equal_by_accident(field: Virtual) -> float:
    """Bound the degrees of the numerators whose zeros make two different contents equal, added up over all pairs of
    contents that differ in their numbers alone.
    """
    groups: Counter[Hashable] = Counter()
    degree = {"above": 0.0, "below": 0.0}

    def without_numbers(content: Hashable) -> Hashable:
        if isinstance(content, NumberContent):
            for name in degree:
                degree[name] = max(degree[name], content.numbers.raw[name].max(initial=0))
            return content.numbers.shape
        if isinstance(content, SignContent):
            return None
        return tuple(map(without_numbers, content)) if isinstance(content, tuple) else content

    for content, _ in itertools.chain.from_iterable(field.table.values()):
        groups[without_numbers(content)] += 1
    return sum(math.comb(count, 2) for count in groups.values()) * sum(degree.values())
