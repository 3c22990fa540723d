"""What is fixed so far on the way to a normal form of the weights of a network, and what may still be moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import NoNormalForm
from algatt.fields import Field
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.geometry.equality.networks.motions import GroupMotions
from algatt.geometry.equality.networks.normal_forms.representatives import Chosen
from algatt.parameters import Weights
from algatt.symmetry.discrete.symmetry import Side, term_graph
from algatt.symmetry.tensors_element import Sides, TensorsElement


@dataclass
class NetworkNormalForm:
    """What is fixed so far on the way to a normal form.

    Parameters
    ----------
    arch : Architecture
        The network.
    motions : Motions
        How its tensors move.
    theta : Weights
        The weights so far.
    reached : dict of MatrixSpace to int
        The number of coordinates of spaces that have idle ones, but for these.
    factors : list of TensorsElement
        What led there, the last one first.

    Attributes
    ----------
    fixed : set of MatrixSpace
        The spaces whose matrices are fixed.
    sorted : set of int
        The classes whose coordinates are in order.
    numbers, signs : Chosen
        The exponents of the entries that fix numbers, and those that fix signs.
    problems : dict of MatrixSpace to NoNormalForm
        Why frames of spaces were none.
    """

    arch: Architecture
    motions: GroupMotions
    theta: Weights
    reached: Mapping[MatrixSpace, int] = field(default_factory=dict)
    factors: list[TensorsElement] = field(default_factory=list)
    fixed: set[MatrixSpace] = field(default_factory=set)
    sorted: set[int] = field(default_factory=set)
    numbers: Chosen = field(default_factory=Chosen)
    signs: Chosen = field(default_factory=lambda: Chosen(2))
    problems: dict[MatrixSpace, NoNormalForm] = field(default_factory=dict)

    @property
    def scalars(self) -> Field:
        """The field of the weights."""
        return self.theta.field

    def act(self, sides: dict[str, Sides]) -> None:
        """Move the weights."""
        element = TensorsElement(sides)
        self.theta = verbs.act(element, self.theta)
        self.factors.insert(0, element)

    def exponents_of_entries(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the exponents that entries have which are not zero: others are not multiplied by anything."""
        for name, W in self.theta.tensors.items():
            keys, groups = self.motions.patterns(name)
            for number in np.unique(groups[(W.raw != 0).reshape(groups.shape)]).tolist():
                yield keys[number]

    def open_class(self, side: Side) -> bool:
        """Return whether the coordinates on a side of a tensor may be permuted still."""
        number = self.motions.class_of.get(side)
        return number is not None and number not in self.sorted

    def open_space(self, side: Side) -> bool:
        """Return whether a matrix on a side is not fixed."""
        return any(space not in self.fixed for space, _ in self.motions.by_side.get(side, ()))

    def colours(self) -> Iterator[tuple[str, ...]]:
        """Iterate over the tensors, those together that may be exchanged."""
        graph = term_graph(self.arch)
        seen: dict[int, list[str]] = {}
        for name in verbs.coordinates(self.arch):
            if name in graph.of_tensor:
                seen.setdefault(graph.colours[graph.of_tensor[name]], []).append(name)
        yield from map(tuple, seen.values())

    def uniform(self, side: Side) -> bool:
        """Return whether all coordinates on a side are multiplied by the same numbers, but for those that are fixed."""
        exponents = self.motions.exponents[side]
        free = exponents - exponents[:1]
        return not any(any(row) and not self.is_fixed(tuple(row)) for row in free.tolist())

    def is_fixed(self, row: tuple[int, ...]) -> bool:
        """Return whether a product of numbers is 1 by what was chosen."""
        signs = self.motions.signs
        plain = tuple(0 if k in signs else e for k, e in enumerate(row))
        return self.numbers.spans(plain) and self.signs.spans(self.of_signs(row))

    def of_signs(self, row: tuple[int, ...]) -> tuple[int, ...]:
        """Return the exponents of signs, modulo 2."""
        signs = self.motions.signs
        return tuple(e % 2 if k in signs else 0 for k, e in enumerate(row))
