"""Points of two networks that have the same tensors, and other numbers in their norms, or other angles."""

from __future__ import annotations

import dataclasses

import numpy as np

from algatt.architectures import Architecture
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.difference import SAFETY
from algatt.geometry.equality.large.values import (
    COMPUTED,
    ValuePair,
    by_shares,
    draw_public_inputs,
    effect_of_changes,
    unit_of,
)
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.parameters import Weights


def compare_networks(
    first: Architecture,
    one: Weights,
    second: Architecture,
    two: Weights,
    what: str,
    seed: int = 0,
    found: Comparison | None = None,
) -> Comparison:
    """Return whether two points of two networks are different functions; that they are equal is never told.

    Parameters
    ----------
    first : Architecture
        A network.
    one : Weights
        A point of it.
    second : Architecture
        A network with the same tensors.
    two : Weights
        A point of that.
    what : str
        How the networks differ, in words: the hypothesis, if the points are equal as points of the first network.
    seed : int, optional
        Of the inputs.
    found : Comparison, optional
        That of the points as points of one network that reads fewer tokens; made unless given. Then values are
        compared at one input.
    """
    inputs = draw_public_inputs(first, seed)
    if found is None:
        found = compare_weights(first, one, two, seed)
    else:
        inputs = inputs[:1]
    pair = ValuePair.of(first, one, two, inputs, second)
    if pair is None:
        return dataclasses.replace(found, equal=None)
    same = all(np.array_equal(a.raw, b.raw) for a, b in zip(one.elements, two.elements, strict=True))
    shares = dict.fromkeys(two.tensors, COMPUTED if same else SAFETY * unit_of(one, two))
    explained = effect_of_changes(second, two, inputs, seed, by_shares(shares))
    differ = pair.exceeds(explained)
    return dataclasses.replace(
        found,
        equal=False if differ else None,
        hypothesis=what if found.equal else found.hypothesis,
        **pair.figures(explained, pair.distances if differ else None, differ=differ),
    )
