"""The symmetries of networks of any size: dimensions of their groups and orbits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of
from algatt.display import Rows, Summary, list_names
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.legend import explain
from algatt.symmetry.spaces import name_spaces
from algatt.symmetry.symbolic.measure import Measure, measure
from algatt.symmetry.symbolic.stacks import Scope, measure_stacked
from algatt.symmetry.table import symmetries_as_dict
from algatt.verbs.views import Summarized, Tabled


@dataclass(frozen=True)
class SymbolicSpace(Tabled):
    """A space of a network, or several that are joined, whose coordinates may be changed.

    Parameters
    ----------
    name : str
        Named after the tensors that it joins.
    tensors : tuple of str
        These tensors; of equal blocks those of the first.
    group : MatrixGroup or None
        The group of the largest of its matrices; None if no rule tells it.
    dimension : int or None
        The dimension of the group of all of them together.
    copies : int
        In so many equal blocks there is one such space.
    """

    name: str
    tensors: tuple[str, ...]
    group: MatrixGroup | None
    dimension: int | None
    copies: int


@dataclass(frozen=True)
class SymbolicQuotient(Tabled):
    """A gain that is folded, a shift that no output sees, or entries that are not seen.

    Parameters
    ----------
    name : str
        That of the family in `symmetries`; of equal blocks that of the first.
    tensors : tuple of str
        The tensors that it moves; of equal blocks those of the first.
    dimension : int
        The number of entries of the vector by which it moves them.
    copies : int
        In so many equal blocks there is one such family.
    """

    name: str
    tensors: tuple[str, ...]
    dimension: int
    copies: int


@dataclass(frozen=True)
class SymbolicSymmetries(Summarized):
    """The symmetries of a network that its types and quotients find, without their vector fields.

    Directions that narrow widths hide (`UnseenDirections`, `QuadraticForm`) are not among them.

    Parameters
    ----------
    architecture : Architecture
        The network.
    spaces : tuple of SymbolicSpace
        Its spaces, in the order of its tensors.
    quotients : tuple of SymbolicQuotient
        Gains that are folded, shifts, and entries that are not seen.
    numbers : int
        What is added by numbers that multiply tensors, less what these have in common with the spaces.
    dimension : int
        The dimension of the group, and those of the quotients, but for shifts by vectors with conditions; where a space
        has none, or there are `others`, a lower bound.
    orbit : int
        The dimension of the orbits of all of them together at generic weights: what quotients and spaces have in common
        counts once. Never more than that; where tensors are `undecided`, or there are `others`, perhaps less.
    undecided : tuple of str
        Tensors of spaces of which no rule tells how much of them moves no tensor.
    others : tuple of str
        Tensors that `symmetries` may move by more, which needs matrices: by shifts with conditions, and mixtures of
        terms; of equal blocks those of the first. All, if there are too many tokens to
        look at all pairs of them.
    """

    architecture: Architecture
    spaces: tuple[SymbolicSpace, ...]
    quotients: tuple[SymbolicQuotient, ...]
    numbers: int
    dimension: int
    orbit: int
    undecided: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing but shifts that do what others do is left out of what types and quotients find."""
        return not self.others and all(space.dimension is not None for space in self.spaces)

    @property
    def free(self) -> bool:
        """Whether all of the group moves generic weights, and quotients others than it does."""
        return self.complete and self.orbit == self.dimension

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self.architecture.parameters

    @property
    def upper(self) -> int:
        """The upper bound of the dimension of the set of functions: parameters less the dimension of the orbits."""
        return self.parameters - self.orbit

    @property
    def families(self) -> list[tuple[str, MatrixGroup | None, int | None, tuple[str, ...], int]]:
        """Name, group, dimension, tensors and number of copies of each space and of each quotient."""
        spaces = [(one.name, one.group, one.dimension, one.tensors, one.copies) for one in self.spaces]
        return [*spaces, *((one.name, None, one.dimension, one.tensors, one.copies) for one in self.quotients)]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The letters of groups that occur, and what families rest on, each with what it means."""
        return explain([str(group) for _, group, *_ in self.families if group], ["symbols"])

    def to_dict(self) -> dict[str, Any]:
        """Return the symmetries as plain values for JSON."""
        families = [
            (name, None if group is None else str(group), dimension, None, copies, list(tensors), "symbols")
            for name, group, dimension, tensors, copies in self.families
        ]
        return symmetries_as_dict(self.architecture, self.orbit, None, families, None)

    def __repr__(self) -> str:
        worth = "" if self.complete else " at least"
        orbit = "free" if self.free else f"orbit={self.orbit}{' at least' if self.undecided or self.others else ''}"
        return f"SymbolicSymmetries(dimension={self.dimension}{worth}, {orbit}, upper={self.upper})"


@verbs.summarize.method
def summary_of_symbolic_symmetries(found: SymbolicSymmetries) -> Summary:
    worth = "" if found.free else ", a lower bound"
    rows: Rows = [("parameters", f"{found.parameters:,}"), ("symmetries", f"{found.orbit:,}, all together{worth}")]
    for name, group, dimension, tensors, copies in found.families:
        size = "unknown" if dimension is None else f"{dimension:,}"
        times = f"{copies} times " if copies > 1 else ""
        rows.append((f"  - {name}", f"{times}{f'{group}, ' if group else ''}dimension {size}: {list_names(tensors)}"))
    return Summary(f"{found.architecture}", [*rows, *found.legend])


@verbs.symbolic_symmetries.method
def symbolic_symmetries_of_architecture(arch: Architecture) -> SymbolicSymmetries:
    found = measure(arch)
    return report(arch, found, found.dimension, found.orbit, ())


@verbs.symbolic_symmetries.method
def symbolic_symmetries_of_network(arch: Network) -> SymbolicSymmetries:
    """Stacks of equal blocks are measured by one and two of them, and few experts, heads and tokens stand for all."""
    stacked = measure_stacked(arch)
    if stacked is None:
        arrangement = arrangement_of(arch)
        found = symbolic_symmetries_of_architecture(arch if arrangement is None else arrangement.network)
        return replace(found, architecture=arch)
    return report(arch, stacked.first, stacked.dimension, stacked.orbit, stacked.scopes)


def report(
    arch: Architecture, found: Measure, dimension: int, orbit: int, scopes: Sequence[Scope]
) -> SymbolicSymmetries:
    """Return the answer for an architecture, of which a network with fewer blocks was measured perhaps."""

    def copies(tensors: Sequence[str]) -> int:
        inside = [count for those, count in scopes if those >= set(tensors)]
        return inside[-1] if inside else 1

    names = name_spaces([block.tensors for block in found.blocks], [block.size for block in found.blocks])
    spaces = tuple(
        SymbolicSpace(name, block.tensors, block.group, block.dimension, copies(block.tensors))
        for name, block in zip(names, found.blocks, strict=True)
    )
    quotients = tuple(
        SymbolicQuotient(one.name, one.tensors, one.dimension, copies(one.tensors[:1])) for one in found.quotients.all
    )
    counted = sum((one.dimension or 0) * one.copies for one in spaces) + sum(
        one.dimension * one.copies for one in quotients
    )
    undecided, others = tuple(sorted(found.moved)), found.quotients.others
    return SymbolicSymmetries(arch, spaces, quotients, dimension - counted, dimension, orbit, undecided, others)
