"""Minors of the Jacobian modulo a prime."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .conditions import check_conditions
from .dimension_claim import DimensionClaim, tensors_of
from .elementary import Refuted
from .gradients import evaluated, gradient_of
from .interpreter import Interpreter, NoValue
from .limits import in_a_line
from .modular import Matrix
from .places import Places
from .verdict import Progress

__all__ = ["wrong_determinant", "wrong_residue"]


def wrong_determinant(bound: str, claim: Any, minor: Matrix) -> Iterator[str]:
    """Compare a determinant modulo the prime with the claimed one, and with zero."""
    value = int(minor.det()) if minor.nrows() else 1
    if value == 0:
        yield f"the minor of the {bound} bound vanishes"
    elif value != claim["determinant"]:
        yield f"the minor of the {bound} bound is {value}, not {in_a_line(claim['determinant'])}"


def wrong_residue(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compute the minor of the Jacobian."""
    tensors = tensors_of(claim)
    network, field, seed = claim.network, claim.field, claim.seed
    places = None
    if "elementary" in claim.claims:
        try:
            places = Places(network, field, seed, claim.claims["elementary"], tensors)
        except Refuted as error:
            yield str(error)
            return
        yield from check_conditions(places)
    lower = claim.claims["lower_bound"]
    minor = field.zeros(len(lower["rows"]), len(lower["columns"]))
    interpreter = Interpreter(network.program, field, tensors)
    before: Any = None
    for done, row in enumerate(lower["rows"]):
        number, output = divmod(row, network.outputs)
        if before is None or before[0] != number:
            try:
                before = number, *evaluated(interpreter, network, field, seed, number, places)
            except (NoValue, Refuted) as error:
                yield f"the input {number} of the lower bound's minor has no value modulo the prime: {error}"
                return
        gradient = gradient_of(interpreter, network, field, before[1], before[2], output)
        for j, column in enumerate(lower["columns"]):
            minor[done, j] = gradient[column]
        if progress is not None:
            progress(done + 1, len(lower["rows"]))
    yield from wrong_determinant("lower", lower, minor)
    if places is not None:
        yield from places.reasons()
