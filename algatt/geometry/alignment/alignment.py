"""A point that was moved near to another one by a symmetry, with what is known of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.display import Rows, Summary, Worth
from algatt.parameters import Weights
from algatt.symmetry import GroupElement
from algatt.verbs.views import Summarized

WORST = 3
"""Number of tensors whose distances are printed."""


@dataclass(frozen=True, eq=False, repr=False)
class Alignment(Summarized):
    """The nearest point to a target that was found on the orbit of another point.

    It is a local minimum of the distance, the least of those that were reached from several starts; that no other
    point of the orbit is nearer is not proven.

    Parameters
    ----------
    weights : Weights
        The point: the same function as before.
    element : GroupElement
        What moved it there.
    distance, before : float
        The distance from the target, and that at the start: the root of the sum of the squares of the differences of
        all entries.
    distances : dict of str to float
        The distance for each tensor.
    before_by_tensor : dict of str to float
        That at the start.
    change : float
        The largest difference of values at random inputs before and after, beside the largest value; rounding alone
        makes it.
    left : tuple of str
        The spaces of the network whose groups no rule gives, so that they were not used.
    starts : dict of str to float
        The distance that was reached from each start.
    sizes : dict of str to float
        The root of the sum of the squares of the entries of the target for each tensor.
    refused : dict of str to float
        The starts, or steps, that led to points which change values by more than rounding, so that these points were
        not taken, with the change.
    names : dict of str to str
        The names that files have for tensors.
    config : dict of str to object
        Of a checkpoint, the fields of the config whose network has the weights.
    rewritten : tuple of str
        How one of two checkpoints was rewritten before, so that both have one network.
    """

    weights: Weights
    element: GroupElement = field(repr=False)
    distance: float
    before: float
    distances: Mapping[str, float] = field(repr=False)
    before_by_tensor: Mapping[str, float] = field(repr=False)
    change: float
    left: tuple[str, ...]
    starts: Mapping[str, float]
    sizes: Mapping[str, float] = field(repr=False)
    refused: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict, repr=False)
    config: Mapping[str, Any] = field(default_factory=dict, repr=False)
    rewritten: tuple[str, ...] = ()

    def share(self, tensor: str) -> tuple[float, float]:
        """Return the distance of a tensor relative to the size of the target's, and that at the start."""
        size = self.sizes[tensor] or 1.0
        return self.distances[tensor] / size, self.before_by_tensor[tensor] / size

    def to_dict(self) -> dict[str, Any]:
        """Return the alignment as plain values for JSON, without weights and element."""
        return {
            "distance": self.distance,
            "before": self.before,
            "change": self.change,
            "left": list(self.left),
            "rewritten": list(self.rewritten),
            "starts": [{"name": name, "distance": distance} for name, distance in self.starts.items()],
            "refused": [{"name": name, "change": change} for name, change in self.refused.items()],
            "tensors": [
                {
                    "name": name,
                    "source": self.names.get(name),
                    "distance": distance,
                    "before": self.before_by_tensor[name],
                    "size": self.sizes[name],
                }
                for name, distance in self.distances.items()
            ],
        }


@verbs.summarize.method
def summary_of_alignment(found: Alignment) -> Summary:
    length = math.hypot(*found.sizes.values())
    rows: Rows = [
        ("distance", f"{found.distance:.6g}, before {found.before:.6g}; the target has length {length:.6g}"),
        ("change of values", f"{found.change:.1e}, relative"),
        ("reached from", ", ".join(f"{name}: {distance:.6g}" for name, distance in found.starts.items())),
    ]
    worst = sorted(found.distances, key=lambda name: -found.share(name)[0])[:WORST]
    for place, name in enumerate(worst):
        near, before = found.share(name)
        told = f"{near:.1%} of the size of {found.names.get(name, name)}, before {before:.1%}"
        rows.append(("" if place else "farthest tensors", told))
    if found.rewritten:
        rows.append(("rewritten", ", ".join(found.rewritten)))
    for name, change in found.refused.items():
        rows.append(("not taken", f"what {name} led to, as it changes values by {change:.1e}"))
    if found.left:
        rows.append(("not searched", ", ".join(found.left)))
    return Summary("alignment", rows, Worth("numerical"))
