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
class SymbolicFamily(Tabled):
    """A space of a network, or several that are joined, whose coordinates may be changed; or a quotient: a gain that is
    folded, a shift that no output sees, or entries that are not seen.

    Parameters
    ----------
    name : str
        That of the family in `symmetries`: a space is named after the tensors that it joins. Of equal blocks that of
        the first.
    tensors : tuple of str
        The tensors that move; of equal blocks those of the first.
    dimension : int or None
        The dimension of the group of all of its matrices together, or the number of entries of the vector by which a
        quotient moves tensors; None if no rule tells it.
    copies : int
        In so many equal blocks there is one such family.
    group : MatrixGroup or None, optional
        The group of the largest of its matrices; None if it has none, or no rule tells it.
    """

    name: str
    tensors: tuple[str, ...]
    dimension: int | None
    copies: int
    group: MatrixGroup | None = None

    @property
    def total(self) -> int:
        """The dimension of all copies together; zero if no rule tells it."""
        return (self.dimension or 0) * self.copies


@dataclass(frozen=True)
class SymbolicSymmetries(Summarized):
    """The symmetries of a network that its types and quotients find, without their vector fields.

    Directions that narrow widths hide (`UnseenDirections`, `QuadraticForm`) are not among them.

    Parameters
    ----------
    architecture : Architecture
        The network.
    spaces : tuple of SymbolicFamily
        Its spaces, in the order of its tensors.
    quotients : tuple of SymbolicFamily
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
    spaces: tuple[SymbolicFamily, ...]
    quotients: tuple[SymbolicFamily, ...]
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
    def families(self) -> tuple[SymbolicFamily, ...]:
        """The spaces, and then the quotients."""
        return *self.spaces, *self.quotients

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The letters of groups that occur, and what families rest on, each with what it means."""
        return explain([str(one.group) for one in self.families if one.group], ["symbols"])

    def to_dict(self) -> dict[str, Any]:
        """Return the symmetries as plain values for JSON."""
        families = [
            (one.name, one.group and str(one.group), one.dimension, None, one.copies, list(one.tensors), "symbols")
            for one in self.families
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
    for one in found.families:
        size = "unknown" if one.dimension is None else f"{one.dimension:,}"
        times = f"{one.copies} times " if one.copies > 1 else ""
        group = f"{one.group}, " if one.group else ""
        rows.append((f"  - {one.name}", f"{times}{group}dimension {size}: {list_names(one.tensors)}"))
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
        SymbolicFamily(name, block.tensors, block.dimension, copies(block.tensors), block.group)
        for name, block in zip(names, found.blocks, strict=True)
    )
    quotients = tuple(
        SymbolicFamily(one.name, one.tensors, one.dimension, copies(one.tensors[:1])) for one in found.quotients.all
    )
    counted = sum(one.total for one in (*spaces, *quotients))
    undecided, others = tuple(sorted(found.moved)), found.quotients.others
    return SymbolicSymmetries(arch, spaces, quotients, dimension - counted, dimension, orbit, undecided, others)
