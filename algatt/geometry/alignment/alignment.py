"""A point that was moved near to another one by a symmetry, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.display import Rows, Summary, Worth, html_of
from algatt.parameters import Weights
from algatt.symmetry import GroupElement

__all__ = ["Alignment"]


@dataclass(frozen=True, eq=False)
class Alignment:
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

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the alignment as plain values for JSON, without weights and element."""
        return {
            "distance": self.distance,
            "before": self.before,
            "change": self.change,
            "left": list(self.left),
            "starts": [{"name": name, "distance": distance} for name, distance in self.starts.items()],
            "tensors": [
                {"name": name, "distance": distance, "before": self.before_by_tensor[name]}
                for name, distance in self.distances.items()
            ],
        }


@verbs.summarize.method
def summary_of_alignment(found: Alignment) -> Summary:
    rows: Rows = [
        ("distance", f"{found.distance:.6g}, before {found.before:.6g}"),
        ("change of values", f"{found.change:.1e}, relative"),
        ("starts", ", ".join(f"{name} {distance:.6g}" for name, distance in found.starts.items())),
    ]
    if found.left:
        rows.append(("not used", ", ".join(found.left)))
    return Summary("alignment", rows, Worth("numerical"))
