"""The symmetries of networks of any size: dimensions of their groups and orbits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.symbolic.measure import Measure, measure
from algatt.symmetry.symbolic.stacks import measure_stacked
from algatt.symmetry.typed.naming import name_spaces

__all__ = ["SymbolicSpace", "SymbolicSymmetries"]


@dataclass(frozen=True)
class SymbolicSpace:
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
class SymbolicSymmetries:
    """The symmetries of a network that its types find, without their vector fields.

    Parameters
    ----------
    architecture : Architecture
        The network.
    spaces : tuple of SymbolicSpace
        Its spaces, in the order of its tensors.
    numbers : int
        What is added by numbers that multiply tensors, less what these have in common with the spaces.
    dimension : int
        The dimension of the group; where a space has none, a lower bound.
    orbit : int
        The dimension of its orbits at generic weights; where tensors are `undecided`, a lower bound.
    undecided : tuple of str
        Tensors of spaces of which no rule tells how much of them moves no tensor.
    """

    architecture: Architecture
    spaces: tuple[SymbolicSpace, ...]
    numbers: int
    dimension: int
    orbit: int
    undecided: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether `dimension` is that of all symmetries that types find."""
        return all(space.dimension is not None for space in self.spaces)

    @property
    def free(self) -> bool:
        """Whether all of the group moves generic weights, so that its orbits are as large as it is."""
        return self.complete and self.orbit == self.dimension

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self.architecture.parameters

    @property
    def upper(self) -> int:
        """The upper bound of the dimension of the set of functions: parameters less the dimension of the orbits."""
        return self.parameters - self.orbit

    def __repr__(self) -> str:
        worth = "" if self.complete else " at least"
        orbit = "free" if self.free else f"orbit={self.orbit}{' at least' if self.undecided else ''}"
        return f"SymbolicSymmetries(dimension={self.dimension}{worth}, {orbit}, upper={self.upper})"


@verbs.symbolic_symmetries.method
def symbolic_symmetries_of_architecture(arch: Architecture) -> SymbolicSymmetries:
    found = measure(arch)
    return report(arch, found, found.dimension, found.orbit, {})


@verbs.symbolic_symmetries.method
def symbolic_symmetries_of_network(arch: Network) -> SymbolicSymmetries:
    """Stacks of equal blocks are measured by one and two of them."""
    stacked = measure_stacked(arch)
    if stacked is None:
        return symbolic_symmetries_of_architecture(arch)
    return report(arch, stacked.first, stacked.dimension, stacked.orbit, stacked.paths)


def report(
    arch: Architecture, found: Measure, dimension: int, orbit: int, paths: Mapping[str, int]
) -> SymbolicSymmetries:
    """Return the answer for an architecture, of which a network with fewer blocks was measured perhaps."""
    names = name_spaces([block.tensors for block in found.blocks], [block.size for block in found.blocks])
    spaces = []
    for name, block in zip(names, found.blocks, strict=True):
        inside = [count for path, count in paths.items() if all(tensor.startswith(path) for tensor in block.tensors)]
        spaces.append(SymbolicSpace(name, block.tensors, block.group, block.dimension, inside[0] if inside else 1))
    numbers = dimension - sum((space.dimension or 0) * space.copies for space in spaces)
    return SymbolicSymmetries(arch, tuple(spaces), numbers, dimension, orbit, tuple(sorted(found.moved)))
