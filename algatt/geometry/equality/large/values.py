"""Values of two points at inputs, and what rounding of weights makes of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import constant_inputs, draw_inputs, draw_tokens, entered_inputs
from algatt.errors import NoValue
from algatt.fields import Elements, Reals
from algatt.fields.base import Delayed
from algatt.fields.real import precision_of
from algatt.geometry.equality.large.arrays import as_matrix, blocks, largest
from algatt.parameters import Parameters, Weights
from algatt.symmetry import GroupElement

Inputs = np.ndarray
"""A batch of inputs as `algatt.evaluate` takes them: numbers of tokens for networks that read these."""

INPUTS = 3
"""So many random inputs are tried."""

DRAWS = 2
"""So many random roundings are tried."""

COMPUTED = 2.0**-50
"""The unit of rounding of what was computed in float64, by sums of many terms."""

MARGIN = 4.0
"""Values that differ by more than this many times what random roundings change them by differ for another reason."""


def bits_of(*points: Parameters) -> int:
    """Return the number of significant bits that are known of the numbers of all points."""
    return min(precision_of(theta.field) for theta in points)


def unit_of(*points: Parameters) -> float:
    """Return the unit of rounding of the least precise point, or that of what is computed."""
    return max(2.0 ** -bits_of(*points), COMPUTED)


def draw_public_inputs(arch: Architecture, seed: int, tokens: Sequence[int] = ()) -> Inputs:
    """Return random inputs; some tokens come first in the last of them, if any are given."""
    if arch.vocabulary is None:
        drawn_inputs: Inputs = draw_inputs(arch, Reals(), seed, 0, INPUTS)
        return drawn_inputs
    drawn = draw_tokens(arch, seed, 0, INPUTS + (len(tokens) > 0))
    if len(tokens):
        first = 0 if arch.source is None else arch.source[0] * arch.source[1]
        chosen = tokens[: drawn.shape[1] - first]
        drawn[-1, first : first + len(chosen)] = chosen
    return drawn if arch.tokens_alone else constant_inputs(arch, drawn)


def values_at(arch: Architecture, theta: Parameters, inputs: Inputs) -> np.ndarray | None:
    """Return the values at inputs, one row each; None where there are none."""
    try:
        together = [inputs] if arch.source is None else np.split(inputs, len(inputs))  # which may be large
        parts = [verbs.evaluate(arch, theta, entered_inputs(arch, Reals(), some)).raw for some in together]
    except NoValue:
        return None
    values: np.ndarray = np.concatenate(parts).reshape(len(inputs), -1)
    return values if np.all(np.isfinite(values)) else None


def largest_ratio(effect: np.ndarray, explained: np.ndarray) -> int:
    """Return the number of the input at which an effect is largest beside what is explained of it."""
    return int(np.argmax(effect / np.maximum(explained, np.finfo(float).tiny)))


@dataclass(frozen=True, eq=False)
class ValuePair:
    """The values of two points at the same inputs.

    Parameters
    ----------
    inputs : ndarray
        The inputs.
    first, second : ndarray
        The values, a row for each input.
    """

    inputs: Inputs
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(
        cls, arch: Architecture, one: Parameters, two: Parameters, inputs: Inputs, other: Architecture | None = None
    ) -> ValuePair | None:
        """Return the values of two points of a network, or of two networks; None if one has none."""
        first, second = values_at(arch, one, inputs), values_at(arch if other is None else other, two, inputs)
        return None if first is None or second is None else cls(inputs, first, second)

    @property
    def distances(self) -> np.ndarray:
        """The largest distance of two entries for each input."""
        distances: np.ndarray = np.abs(self.first - self.second).max(axis=1)
        return distances

    def exceeds(self, explained: np.ndarray) -> bool:
        """Return whether values at some input differ by more than is explained."""
        return bool(np.any(self.distances > explained))

    def figures(
        self,
        explained: np.ndarray,
        effect: np.ndarray | None = None,
        worst: int | None = None,
        *,
        differ: bool = False,
    ) -> dict[str, Any]:
        """Return the fields of a `Comparison` that are about values: at one input, by default where the values differ
        most beside what is explained, and relative to the values there.
        """
        worst = largest_ratio(self.distances, explained) if worst is None else worst
        size = max(float(max(np.abs(self.first[worst]).max(), np.abs(self.second[worst]).max())), np.finfo(float).tiny)
        return {
            "separating_input": self.inputs[worst] if differ else None,
            "difference": float(self.distances[worst] / size),
            "rounding": float(explained[worst] / size),
            "effect": float("nan") if effect is None else float(effect[worst] / size),
        }


def source_rounding(arch: Architecture, theta: Parameters, inputs: Inputs, seed: int) -> np.ndarray:
    """Return for each input, and each entry of its value, how much may be rounding of what is stored of a point."""
    changes = in_storage(2.0 ** (1 - bits_of(theta)))
    *_, found = changes_of_entries(arch, theta, inputs, seed, changes, draws=2 * DRAWS)
    return MARGIN * found


Share = float | np.ndarray

Changes = Callable[[str, np.ndarray], tuple[Share, Share]]
"""By how much the entries of a tensor change at most, of its name and what it is: by a share of their own size, and by
so much besides.
"""


def in_storage(unit: float) -> Changes:
    """Return the changes by a unit of the size of each entry, and of that of an entry of its tensor in the middle, as
    where numbers are rounded.

    What they make of values is of first order in the entries that are stored, each of which is changed by as much as
    its digits leave open. No group element is involved, and so no condition of one: where theta_2 = g theta_1 but for
    rounding of both, the values differ by the sum of what rounding of each changes, since g changes none. A bound, of
    all entries at their worst together, would be larger by the root of their number. The size of the tensor is that of
    an entry in the middle: sums that were added up in the precision of the source are no better known.
    """
    return lambda _, matrix: (unit, unit * float(np.linalg.norm(matrix)) / np.sqrt(matrix.size))


def by_entries(share: float) -> Changes:
    """Return the changes by a share of the size of each entry."""
    return lambda *_: (share, 0.0)


def by_shares(shares: Mapping[str, Share]) -> Changes:
    """Return the changes by shares of the largest entry of each tensor."""
    return lambda name, matrix: (0.0, shares[name] * largest(matrix) if np.any(shares.get(name, 0.0)) else 0.0)


def effect_of_changes(
    arch: Architecture,
    theta: Weights,
    inputs: Inputs,
    seed: int,
    changes: Changes,
    lead: GroupElement | None = None,
    values: np.ndarray | None = None,
) -> np.ndarray:
    """Return for each input by how much values change if entries do at random, at most; infinity where there are no
    values. If an element is given, values are those after it acted; those of the point may be given.
    """
    *_, found = changes_of_entries(arch, theta, inputs, seed, changes, lead, values)
    effect: np.ndarray = MARGIN * found.max(axis=1)
    return effect


def changes_of_entries(
    arch: Architecture,
    theta: Any,
    inputs: Inputs,
    seed: int,
    changes: Changes,
    lead: GroupElement | None = None,
    values: np.ndarray | None = None,
    draws: int = DRAWS,
) -> Iterator[np.ndarray]:
    """Iterate over the largest of one, two and more random changes, for each input and each entry of its value."""

    def values_of(point: Any) -> np.ndarray | None:
        return values_at(arch, point if lead is None else verbs.act(lead, point), inputs)

    values = values_of(theta) if values is None else values
    found = np.zeros((len(inputs), 1))
    for number in range(draws):
        other = values_of(changed_at_random(theta, seed, f"rounding/{number}", changes))
        if values is None or other is None:
            yield np.full((len(inputs), 1), np.inf)
            return
        found = np.maximum(found, np.abs(other - values))
        yield found


def changed_at_random(theta: Any, seed: int, label: str, changes: Changes) -> Any:
    """Return a point with entries changed at random, each tensor made when it is asked for."""
    labels = (f"{label}/{place}" for place in range(len(theta.elements)))
    return theta.replace(
        [
            Delayed(one.field, one.shape, functools.partial(changed_tensor, one, name, seed, own, changes))
            for name, one, own in zip(theta.names(), theta.elements, labels, strict=True)
        ]
    )


def changed_tensor(one: Elements, name: str, seed: int, label: str, changes: Changes) -> np.ndarray:
    """Return a tensor with entries changed at random.

    The changes are a column of random numbers times a row of them, which is as large as one drawn entry by entry, and
    less to draw.
    """
    matrix = as_matrix(one.raw)
    shares = changes(name, matrix)
    of_size, beside = (np.broadcast_to(share, matrix.shape) for share in shares)
    column, row = (
        verbs.draw_array(Reals(), shape=(size,), seed=seed, label=f"{label}/{axis}") / np.sqrt(3.0)
        for axis, size in enumerate(matrix.shape)
    )
    raw, sized = matrix if isinstance(one, Delayed) else matrix.copy(), np.any(shares[0])
    for rows in blocks(raw):
        change = np.multiply.outer(column[rows], row)
        change *= np.abs(raw[rows]) * of_size[rows] + beside[rows] if sized else beside[rows]
        raw[rows] += change
    return raw.reshape(one.shape)
