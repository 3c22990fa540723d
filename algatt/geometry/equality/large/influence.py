"""What becomes of a change of a bias where a point is brought into standard position: others take it up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.fields import Elements
from algatt.geometry.equality.large.difference import Fit
from algatt.geometry.equality.networks.standard import PASSES
from algatt.parameters import Weights
from algatt.symmetry import ShiftSymmetry

Change = tuple[str, np.ndarray, float]
"""The name of a tensor, what it is instead, and the number of entries that are others."""

NEGLIGIBLE = 0.03
"""Entries that change by less than this, beside the largest change, are taken to stay."""


@dataclass(frozen=True, eq=False)
class Influence:
    """How tensors in standard position depend on a bias.

    Parameters
    ----------
    kind : str
        Whether a change adds one vector to all ``columns`` of a tensor, or to all ``rows``.
    matrix : Elements
        What this vector is multiplied by.
    """

    kind: str
    matrix: Elements


def biases_that_explain(arch: Architecture, fit: Fit, two: Weights) -> Iterator[Change]:
    """Iterate over the biases such that a change of one alone may explain all that rounding does not."""
    families = [one for one in verbs.members(ShiftSymmetry, arch) if one.shift.gain is None]
    if not fit.beyond or not families:
        return
    beyond, fold = set(fit.beyond), families[0].fold
    try:
        folded = fold.fold(two)
    except DivisionByZero:
        return
    for family in families:
        name = family.shift.tensor
        if family.shift.conditions or family.shift.kind != "columns" or folded[name].shape[1] != 1:
            continue
        if not beyond <= reach(families, name):
            continue
        found = solved(fit, influences(families, folded, name))
        if found is None:
            continue
        tensors = fold.unfold(folded | {name: folded[name] - found}, two)
        yield name, tensors[name].raw, entries_of_change(found.raw)


def reach(families: list[ShiftSymmetry], name: str) -> set[str]:
    """Return the tensors that may take a change of a tensor up, and itself."""
    found, before = {name}, 0
    while len(found) > before:
        before = len(found)
        found.update(one.tensor for family in families if family.shift.tensor in found for one in family.shift.absorbed)
    return found


def influences(families: list[ShiftSymmetry], folded: Mapping[str, Elements], name: str) -> dict[str, Influence]:
    """Return how tensors in standard position depend on a bias: what is shifted away is taken up by others."""
    size = folded[name].shape[0]
    found = {name: Influence("columns", Elements.of(folded[name].field, np.eye(size, dtype=np.int64)))}
    for family in families * PASSES:
        shift = family.shift
        own = found.get(shift.tensor)
        if own is None or not (own.kind == shift.kind or folded[shift.tensor].shape[1] == 1):
            continue
        vector = -own.matrix if own.kind == shift.kind else -(own.matrix.sum(axis=0) * (1 / len(own.matrix.raw)))
        if shift.conditions:
            A = shift.matrix_of_conditions(folded).raw
            vector = vector - Elements(vector.field, np.linalg.pinv(A) @ A @ vector.raw)
        for move, change in shift.columns(folded, vector):
            other, kind = move.tensor, move.kind
            before = found.get(other)
            if other == shift.tensor:
                kind = own.kind
            if before is not None and before.kind != kind:
                return {}
            found[other] = Influence(kind, change if before is None else before.matrix + change)
    return found


def solved(fit: Fit, found: Mapping[str, Influence]) -> Elements | None:
    """Return the change of a bias that explains the distances in standard position; None if there is none."""
    if not set(fit.beyond) <= found.keys():
        return None
    matrices, targets, allowed = [], [], []
    for name, one in found.items():
        axis = 1 if one.kind == "columns" else 0
        difference = fit.resolution.two[name] - fit.resolution.moved(name)
        means = difference.mean(axis=axis, keepdims=True)
        size = fit.resolution.sizes[name][1] or 1.0
        if (
            fit.resolution.distances_between(name, difference, means).max() > 2 * fit.bounds[name] * size
        ):  # no vector fits
            return None
        matrices.append(one.matrix.raw)
        targets.append(means.ravel())
        allowed.append(np.full(len(targets[-1]), fit.bounds[name] * size))
    A, b = np.concatenate(matrices), np.concatenate(targets)
    weights = 1 / np.concatenate(allowed)
    change = np.linalg.lstsq(weights[:, None] * A, weights * b, rcond=None)[0]
    both = (change, change - np.median(change))  # where no value sees means, least squares spread them over all entries
    met = [one for one in both if one.any() and np.abs(weights * (A @ one - b)).max() <= 1]
    if not met:
        return None
    change = min(met, key=entries_of_change)
    return Elements(next(iter(found.values())).matrix.field, change[:, None])


def entries_of_change(change: np.ndarray) -> float:
    """Return how many entries change by more than a small part of the largest change."""
    sizes = np.abs(change)
    return float(np.sum(sizes > NEGLIGIBLE * sizes.max()))
