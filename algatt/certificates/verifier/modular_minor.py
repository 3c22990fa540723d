"""Minors of the Jacobian modulo a prime, and what is tested beside them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from .claims import Network
from .conditions import check_conditions
from .dimension_claim import DimensionClaim, tensors_of
from .directions import Tangent
from .elementary import Refuted
from .gradients import evaluated, gradient_in_order, gradient_of, input_of
from .interpreter import Interpreter, NoValue
from .limits import MOST_STEPS, in_a_line
from .modular import Matrix
from .places import Places
from .program import cost_of
from .stream import residues
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
    """Compute the minor of the Jacobian, and test what is not proven beside it."""
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
    if claim.theorems:
        yield from wrong_theorems(claim, interpreter, places, claim.theorems)


FRESH = 4
"""So many inputs that nobody chose are looked at along families that are claimed by theorems."""

TRIED = 4096
"""So many inputs are tried for these, where roots have to exist."""


def wrong_theorems(
    claim: DimensionClaim, interpreter: Interpreter, places: Any, theorems: Sequence[Tangent]
) -> Iterator[str]:
    """Look at the derivatives of random linear forms of the value along what is claimed by theorems, at inputs that a
    hash of all claims names, so that nobody could choose them: where the value changes, they vanish with a probability
    of about one in the prime.
    """
    network, field, p = claim.network, claim.field, claim.field.p
    seed = int(hashlib.sha256(json.dumps(claim.claims, sort_keys=True).encode("ascii")).hexdigest()[:12], 16)
    height, width = network.output_shape
    found = 0
    tried = max(FRESH, min(TRIED, MOST_STEPS // cost_of(network.program)))
    for number in range(seed, seed + tried):
        try:
            results, slopes = fresh(interpreter, network, field, claim.seed, number, places)
        except NoValue:
            continue
        form = field.matrix(height, width, residues(seed, f"form/{number}", height * width, p))
        by = interpreter.backward(results, form, slopes)
        gradient = gradient_in_order(network, by)
        if any(sum(gradient[column] * value for column, value in tangent.items()) != 0 for tangent in theorems):
            yield f"the value changes along a family that is claimed by a theorem, at the input {number}"
            return
        found += 1
        if found == FRESH:
            return
    yield f"families that are claimed by theorems are not tested, as {tried} inputs have no value"


def fresh(interpreter: Interpreter, network: Network, field: Any, seed: int, number: int, places: Any) -> Any:
    """Return the results at an input for which nothing was drawn anew, and the derivatives of functions there."""
    if places is None:
        return interpreter.forward(input_of(network, field, seed, number)), {}
    return places.fresh(number)
