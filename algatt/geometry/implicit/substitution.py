"""Whether a form in the coefficients of a network vanishes, by substitution of the parametrisation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from algatt.geometry.implicit.expansion import BITS, Expansion

PROVEN, PROBABLE = "proven", "probable"
"""What it is worth that a form vanishes identically in the weights, and that it does at random weights."""

MOST_PRODUCTS = 2**24
"""Maximum number of products of terms that are multiplied out; beyond it integers are substituted for the weights."""


def substitute(expansion: Expansion, terms: Iterable[tuple[tuple[int, ...], int]]) -> str | None:
    """Return what it is worth that a form in coefficients of a network is zero; None if it is not.

    Parameters
    ----------
    expansion : Expansion
        The coefficients.
    terms : iterable of (places, number)
        The places of the coefficients in each product, with repetitions, and the number before it.
    """
    terms = list(terms)
    sizes = [len(one) for one in expansion.polynomials]
    work = sum(math.prod(sizes[place] for place in places) for places, _ in terms)
    coefficients = expansion.polynomials if work <= MOST_PRODUCTS else expansion.at_integers
    total: Any = 0
    for places, number in terms:
        product: Any = number
        for place in places:
            product = product * coefficients[place]
        total = total + product
    if total != 0:
        return None
    return PROVEN if work <= MOST_PRODUCTS else PROBABLE


def error_of(expansion: Expansion, degree: int) -> float:
    """Bound the probability that a form of a degree vanishes at the random integers, but not identically
    (Schwartz-Zippel).
    """
    return degree * expansion.degree / 2.0**BITS
