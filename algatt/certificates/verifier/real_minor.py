"""Minors of the Jacobian at real points, enclosed by balls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .balls import RealBalls, Undecided, precision
from .dimension_claim import DimensionClaim
from .gradients import evaluated, gradient_of
from .interpreter import Interpreter, NoValue
from .limits import in_a_line
from .verdict import Progress

__all__ = ["wrong_digits"]

FIRST_BITS = 128
"""The precision with which a real minor is enclosed at first; it is doubled until the claimed digits are decided."""

HIGHEST_PRECISION = 4096
"""The highest such precision: a minor whose digits are not known then cannot be verified here."""

MOST_BITS_OF_MINOR = 10**9
"""Maximum of the third power of the order of a minor times the sum of the precisions, which takes about a second."""

DECIMALS = re.compile(r"-?([1-9])\.([0-9]{9})e(0|-?[1-9][0-9]{0,9})")
"""A number that is rounded to ten digits."""


def wrong_digits(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Enclose the lower bound's minor until it is decided whether it is the claimed number, which is not zero."""
    lower = claim.claims["lower_bound"]
    text, bits = lower["determinant"], FIRST_BITS
    if DECIMALS.fullmatch(text) is None:
        yield f"the determinant {in_a_line(text)} is not a number of ten digits, such as 1.234567890e-12"
        return
    left = MOST_BITS_OF_MINOR
    while bits <= HIGHEST_PRECISION:
        left -= bits * len(lower["rows"]) ** 3
        if left < 0:
            yield f"the minor of the lower bound takes too long to be told from other numbers than {text}"
            return
        try:
            value = enclosed_minor(claim, bits, progress)
            with precision(bits):
                off = units_apart(value, text)
        except (Undecided, NoValue):
            off = None
        if off is not None and off < 0.5:
            return
        if off is not None and off > 0.5:
            yield f"the minor of the lower bound is {value.str(10)}, not {text}"
            return
        bits *= 2
    yield f"the minor of the lower bound is not told from other numbers than {text} with {HIGHEST_PRECISION} bits"


def units_apart(value: Any, text: str) -> Any:
    """Enclose how many units of the last of ten digits a ball is apart from a number."""
    import flint

    digits, exponent = text.split("e")
    return abs(value / flint.arb(10) ** (int(exponent) - 9) - int(digits.replace(".", "")))


def enclosed_minor(claim: DimensionClaim, bits: int, progress: Progress | None) -> Any:
    """Return a ball around the minor of the Jacobian at the real point, computed with so many bits; progress is told
    while others may set their precision.
    """
    import flint

    network, field, lower = claim.network, RealBalls(), claim.claims["lower_bound"]
    with precision(bits):
        weights = field.weights(claim.seed, list(network.tensors.values()), claim.claims["scales"])
    interpreter = Interpreter(network.program, field, dict(zip(network.tensors, weights, strict=True)))
    entries: list[Any] = []
    before: Any = None
    for done, row in enumerate(lower["rows"]):
        number, output = divmod(row, network.outputs)
        with precision(bits):
            if before is None or before[0] != number:
                before = number, *evaluated(interpreter, network, field, claim.seed, number, None)
            gradient = gradient_of(interpreter, network, field, before[1], before[2], output)
        entries += [gradient[column] for column in lower["columns"]]
        if progress is not None:
            progress(done + 1, len(lower["rows"]))
    if not lower["rows"]:
        return flint.arb(1)
    with precision(bits):
        return field.matrix(len(lower["rows"]), len(lower["columns"]), entries).det()
