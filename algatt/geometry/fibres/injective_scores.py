"""Scores that are injective and positive on the reals: one layer determines its weights (HMK Theorem 3.9).

A user-defined score declares that it is so. It is a hypothesis here, which no program can prove from values;
values that contradict it are refused.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.errors import DivisionByZero, InvalidArgument, ScoreOverflow
from algatt.fields import Balls, Elements, Field, Reals
from algatt.layers.activations import Exponential, Score

NUMBERS = [Fraction(k, 4) for k in range(-16, 17)]
"""At these numbers a declaration is compared with the values."""

BITS = 256
"""Precision of these values."""


def theorem_3_9_holds(arch: Normalized, field: Field | None = None) -> bool:
    """Return whether the hypotheses of HMK Theorem 3.9 hold, over the reals unless a field is given, for V != 0.

    Raises
    ------
    InvalidArgument
        If the score declares that it is injective and positive, and values show that it is not.
    """
    real = isinstance(field, Reals | Balls | None)
    if arch.layers != 1 or arch.tokens < 2 or not real or not arch.score.injective_and_positive:
        return False
    check_injective_and_positive(arch.score)
    return True


def name_of_theorem_3_9(score: Score, *, holds: bool) -> str:
    """Return how a result cites the theorem; a declaration that it rests on is named."""
    if not holds:
        return "derived, as HMK Theorem 3.9"
    declared = "" if isinstance(score, Exponential) else ", the score being injective and positive as it declares"
    return f"HMK Theorem 3.9{declared}"


def check_injective_and_positive(score: Score) -> None:
    """Raise `InvalidArgument` if enclosures of values show that a score is not injective or not positive.

    Scores are continuous where they have values, so that an injective one only rises or only falls.
    """
    values = [(number, ball) for number in NUMBERS if (ball := enclosed_value(score, number)) is not None]
    for number, ball in values:
        if ball <= 0:
            raise false_declaration(score, f"S({number}) is not positive")
    neighbours = list(pairwise(values))
    rises = any(before < after for (_, before), (_, after) in neighbours)
    falls = any(before > after for (_, before), (_, after) in neighbours)
    if rises and falls:
        raise false_declaration(score, "it neither rises nor falls everywhere")
    for (first, before), (second, after) in neighbours:
        if before == after:  # of balls: both are exact
            raise false_declaration(score, f"S({first}) = S({second})")


def enclosed_value(score: Score, number: Fraction) -> Any:
    """Return a ball around the value of a score, or None where there is none."""
    field = Balls(BITS)
    x = Elements(field, verbs.encode(field, np.zeros((1, 1)))) + number
    try:
        return verbs.activate(score, x).raw[0, 0]
    except (DivisionByZero, ScoreOverflow):
        return None


def false_declaration(score: Score, fact: str) -> InvalidArgument:
    """Return what to raise if a declaration is false."""
    was = f"{score!r}, which declares that it is injective and positive, although {fact}"
    return InvalidArgument("score", was, "a score whose declared properties hold")
