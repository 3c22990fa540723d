"""What is known of two points of a large network that were compared: spaces, tensors, values, and what broke."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.symmetry import GroupElement


@dataclass(frozen=True)
class TensorResult:
    """How near the image of the first point is to the second one, for a tensor.

    Parameters
    ----------
    name : str
        The tensor.
    residual : float
        The largest distance of two entries, relative to the largest entry, with gains folded and shifts taken out.
    bound : float
        What rounding of the sources explains of it.
    """

    name: str
    residual: float
    bound: float

    @property
    def fits(self) -> bool:
        """Whether rounding explains the residual."""
        return self.residual <= self.bound


LETTERS = {"general": "GL", "orthogonal": "O", "turns": "C", "commutant": "C"}
"""The letters of groups."""


@dataclass(frozen=True)
class SpaceResult:
    """What acts in a space of a network, and how well it fits.

    Parameters
    ----------
    name, group : str
        The space by the first tensor that it moves, and its group.
    size : int
        The number of its coordinates.
    tensors : tuple of str
        What it moves.
    residual : float or None
        The largest residual of these tensors; None if nothing tells what acts, so that nothing does.
    fits : bool
        Whether rounding explains the residuals.
    """

    name: str
    group: str
    size: int
    tensors: tuple[str, ...]
    residual: float | None
    fits: bool

    @property
    def letter(self) -> str:
        """The group as `algatt symmetries` has it."""
        letter = LETTERS.get(self.group)
        return self.group if letter is None else f"{letter}({self.size})"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Whether two points over the reals are one function up to rounding of their sources, with the evidence.

    Parameters
    ----------
    equal : bool or None
        The decision; None if there is none.
    element : GroupElement
        What carries the first point to the second best.
    spaces : tuple of SpaceResult
        What acts in each space.
    tensors : tuple of TensorResult
        How well each tensor fits.
    broken : tuple of str
        The tensors that differ; the fewest that explain it, if a gain or a bias explains what others show.
    alternatives : tuple of str
        Other tensors, each of which alone explains it as well, in as few entries: no values tell them apart.
    hypothesis : str or None
        What was done to one of the points that is no symmetry, if undoing it makes them equal.
    separating_input : array or None
        If they differ, an input at which the values do: of a network that reads tokens, their numbers.
    difference, rounding : float
        The largest distance of the values there, and an estimate of what rounding makes of it, both beside the values.
    effect : float
        The distance of values that the entries make that rounding does not explain.
    precision : int
        How many bits of the less precise point are known; more if points of half precision are equal, or compared, as
        they are stored.
    copy : str or None
        If one point is the other, rounded entry by entry: how, in words.
    names : mapping of str to str
        The names that files have for tensors.
    """

    equal: bool | None
    element: GroupElement = field(repr=False)
    spaces: tuple[SpaceResult, ...] = field(repr=False)
    tensors: tuple[TensorResult, ...] = field(repr=False)
    broken: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    hypothesis: str | None = None
    separating_input: np.ndarray | None = None
    difference: float = float("nan")
    rounding: float = float("nan")
    effect: float = float("nan")
    precision: int = 53
    copy: str | None = None
    names: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def residual(self) -> float:
        """The largest residual of a tensor."""
        return max((one.residual for one in self.tensors), default=0.0)

    @property
    def reason(self) -> str:
        """The decision in words."""
        if self.equal and self.copy:
            return f"{self.copy}; the values at random inputs differ by {self.difference:.3g} of their size"
        if self.equal:
            return (
                f"a group element carries the first weights to the second, up to {self.residual:.2g} of a tensor's "
                f"largest entry, which rounding to {name_of_precision(self.precision)} explains"
            )
        if self.equal is None:
            return self.doubt
        where = (
            f"no group element carries the first weights to the second: {self.listed(self.broken)} would still differ"
        )
        if self.alternatives:
            where += f", or else {self.listed(self.alternatives)}"
        if self.equal is False and not self.broken:
            where = "the weights agree, but not what their networks do with them"
        what = f"; {self.hypothesis}" if self.hypothesis else ""
        return f"{where}{what}; the values at an input differ by {self.difference:.3g} of their size"

    @property
    def doubt(self) -> str:
        """Why nothing is decided."""
        if np.isnan(self.difference):
            return "undecided: the networks have no values at random inputs"
        values = (
            f"the values at an input differ by {self.difference:.3g} of their size, where rounding to "
            f"{name_of_precision(self.precision)} may make {self.rounding:.3g}"
        )
        if self.broken:
            what = f"; {self.hypothesis}" if self.hypothesis else ""
            where = f"no group element was found that carries {self.listed(self.broken)} there"
            return f"undecided: {where}, but {values}{what}"
        return (
            f"undecided: a group element carries the first weights to the second up to {self.residual:.2g} of a "
            f"tensor's largest entry, and {values}: too much for one function, and too little for two"
        )

    def labels(self, tensors: Iterable[str]) -> list[str]:
        """Return tensors by the names of the file, each with that of the network beside it."""
        return [f"{self.names[one]} ({one})" if self.names.get(one, one) != one else one for one in tensors]

    def listed(self, tensors: tuple[str, ...]) -> str:
        """Return the first three of some tensors by the names of the file."""
        return ", ".join(self.labels(tensors[:3])) + (f" and {len(tensors) - 3} more" if len(tensors) > 3 else "")

    def by_names_of_files(self, names: Mapping[str, str]) -> Comparison:
        """Return the comparison with names that files have for tensors, in the words of the hypothesis too."""
        named = dataclasses.replace(self, names=names)
        words = None if self.hypothesis is None else named.in_words(self.hypothesis)
        return dataclasses.replace(named, hypothesis=words)

    def in_words(self, text: str) -> str:
        """Return a text in which tensors have the names of the file."""
        return re.sub(r"[\w.]*\w", lambda found: self.labels([found[0]])[0], text)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON, without the element."""
        plain = ("equal", "reason", "precision", "copy", "hypothesis", "difference", "rounding", "effect")
        return {
            **{name: getattr(self, name) for name in plain},
            "broken": self.labels(self.broken),
            "alternatives": self.labels(self.alternatives),
            "spaces": [
                dataclasses.asdict(one) | {"name": self.in_words(one.name), "tensors": self.labels(one.tensors)}
                for one in self.spaces
            ],
            "tensors": [
                dataclasses.asdict(one) | {"source": self.names.get(one.name), "fits": one.fits} for one in self.tensors
            ],
        }


NAMES = {8: "bfloat16", 11: "float16"}
"""Types of floats by how many significant bits they have."""


def name_of_precision(bits: int) -> str:
    """Return how precise numbers are, in words."""
    return f"{NAMES[bits]} ({bits} bits)" if bits in NAMES else f"{bits} bits"
