"""Whether residuals are small beside the parts of tensors that they are in: rows of tables, lines, entries of vectors.

Bounds of rounding are relative to the largest entry of a tensor, so that beside it a small part could be all wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from algatt.architectures import Architecture
from algatt.geometry.equality.large.arrays import as_matrix
from algatt.geometry.equality.large.difference import SAFETY, Fit
from algatt.geometry.equality.large.standard import SHARE, brought_to_rest
from algatt.geometry.equality.large.values import ValuePair, by_entries, by_shares, changed_at_random, effect_of_changes
from algatt.parameters import Weights

COARSEST = 1e-2
"""Where rounding would explain a larger part of a tensor than this, equality is not decided."""

ROUNDINGS = 2
"""Random changes of entries that are brought to standard position, of which the largest counts."""

MOST_SHORT_ROWS = 64
"""If more tokens than this have rows that rounding would explain as a whole, equality is not decided."""


def short_rows_agree(arch: Architecture, fit: Fit, one: Weights, two: Weights, seed: int) -> bool:
    """Return whether tokens whose own row differs by more than rounding of that row have the same values, up to what
    rounding of both rows, and of all other tensors, makes of these.

    Rounding is measured by the largest entry of a tensor, so that of a row of a table that is much shorter than others
    it would explain all; and a norm makes such a row as long as the others.
    """
    tables = tables_of(arch, fit.resolution.two.shapes)
    tokens: dict[int, None] = {}
    for name in tables:
        share = min(fit.bounds[name], COARSEST)
        sizes = np.abs(fit.resolution.two[name]).max(axis=1)
        apart = fit.resolution.distances(name).max(axis=1) > share * sizes
        tokens.update(dict.fromkeys(np.flatnonzero(apart).tolist()))
    if not tokens:
        return True
    if len(tokens) > MOST_SHORT_ROWS or not arch.tokens_alone:
        return False
    inputs = np.repeat(np.array([*tokens])[:, None], arch.input_shape[-1], axis=1)
    pair = ValuePair.of(arch, one, two, inputs)
    if pair is None:
        return False
    explained = [
        effect_of_changes(arch, theta, inputs, seed, by_shares(shares | rounding_of_rows(theta, tables, fit.unit)))
        for theta, shares in ((one, dict.fromkeys(fit.bounds, SAFETY * fit.unit)), (two, dict(fit.bounds)))
    ]
    return not pair.exceeds(np.sum(explained, axis=0))


def lines_agree(arch: Architecture, fit: Fit, one: Weights, two: Weights, seed: int) -> bool:
    """Return whether what is left is a small part of each row and of each column of tensors that are no tables, or for
    single entries what rounding of their own summands makes.

    Rounding is measured by the largest entry of a tensor, so that beside a large output or input it would explain all
    of another one. An entry in standard position is a sum that may cancel, by chance or by construction, and then its
    rounding is that of what was added up for it. So an entry is measured beside itself and beside that, and no other
    entry of its tensor, however large, excuses it: if it differs from its image by more than `SAFETY`
    times what changes of all stored numbers by a unit of their own sizes make of it, in one point or in the other, the
    points are not called equal. Where rounding explains a whole tensor, as over gains that are all but zero, only
    values tell.
    """
    tables = tables_of(arch, fit.resolution.two.shapes)
    asked: list[str] = []
    for name in fit.bounds:
        if name not in tables and fit.bounds[name] <= COARSEST:
            sizes = np.abs(fit.resolution.two[name])
            beside = np.minimum(sizes.max(axis=1, keepdims=True), sizes.max(axis=0, keepdims=True))
            if np.any(fit.resolution.distances(name) > COARSEST * beside):
                asked.append(name)
    apart = {name: fit.resolution.distances(name) for name in asked}
    floors = {name: COARSEST * np.abs(fit.resolution.two[name]) for name in asked}
    return not asked or any(
        all(np.all(apart[name] <= np.maximum(explained[name], floors[name])) for name in asked)
        for explained in rounding_of_entries(arch, fit, one, two, asked, seed)
    )


def rounding_of_entries(
    arch: Architecture, fit: Fit, one: Weights, two: Weights, names: Sequence[str], seed: int
) -> Iterator[dict[str, np.ndarray]]:
    """Iterate over how far entries of tensors may be from those of their images, as all entries of the points are
    stored to a unit of their own size: by as much as such changes move them in standard position, and their images,
    which is more with each change that is tried.
    """
    most = {name: np.zeros((2, *fit.resolution.two.shapes[name])) for name in names}
    for draw in range(ROUNDINGS):
        for number, (theta, rest) in enumerate(((one, fit.first), (two, fit.second))):
            near = changed_at_random(theta, seed, f"entries/{draw}", by_entries(SHARE))
            there = brought_to_rest(arch, near, unseen=rest.unseen)[1].tensors
            for name, found in most.items():
                source = name if number else fit.resolution.sources[name]
                change = as_matrix(there[source].raw - rest.theta.tensors[source].raw)
                change = change if number else fit.change.image(name, change)
                found[number] = np.maximum(found[number], np.abs(change) / SHARE)
            yield {name: SAFETY * fit.unit * found.sum(axis=0) for name, found in most.items()}


def rounding_of_rows(theta: Weights, tables: list[str], unit: float) -> dict[str, np.ndarray | float]:
    """Return what rounding makes of each row of some tensors, beside the largest entry of the tensor."""
    sizes = {name: np.abs(theta.tensors[name].raw).max(axis=1, keepdims=True) for name in tables}
    return {name: SAFETY * unit * rows / (rows.max() or 1.0) for name, rows in sizes.items()}


def tables_of(arch: Architecture, shapes: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Return the tensors that have a row for each token; where tokens have types, one for each of the first type."""
    rows = {name: shape[0] for name, shape in shapes.items()}
    types = (arch.vocabulary or 0) // rows["embedding.E"] if "embedding.E" in rows else 1
    return [name for name, count in rows.items() if arch.vocabulary in (count, count * types)]
