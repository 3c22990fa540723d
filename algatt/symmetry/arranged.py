"""Symmetries of a network that are those of its normal form."""

from __future__ import annotations

from dataclasses import dataclass, field

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.network import Arrangement, arrangement_of
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.symmetry.base import GroupElement, Symmetry, symmetries_of_architecture
from algatt.symmetry.discrete.symmetry import DiscreteSymmetry, discrete_symmetries_of_architecture
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.table import Symmetries


@dataclass(frozen=True, eq=False)
class ArrangedElement(GroupElement):
    """An element that acts on the tensors of a normal form.

    Parameters
    ----------
    arrangement : Arrangement
        The network and its normal form.
    element : GroupElement
        What acts on weights of the normal form.
    """

    arrangement: Arrangement
    element: GroupElement

    @property
    def field(self) -> Field | None:
        return self.element.field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrangedElement) and self.element == other.element

    def __hash__(self) -> int:
        return hash(self.element)


def arranged_element(arrangement: Arrangement, element: GroupElement) -> GroupElement:
    """Return an element that acts on weights of a network as another one does on those of the normal form."""
    return ArrangedElement(arrangement, element) if arrangement.parts else element


@verbs.act.method
def act_on_arranged(element: ArrangedElement, theta: Weights) -> Weights:
    moved: Weights = verbs.act(element.element, element.arrangement.forth(theta))
    return element.arrangement.back(moved)


@verbs.compose.method
def compose_arranged(left: ArrangedElement, right: ArrangedElement) -> ArrangedElement:
    return ArrangedElement(left.arrangement, verbs.compose(left.element, right.element))


@verbs.inverse.method
def inverse_of_arranged(matrix: ArrangedElement) -> ArrangedElement:
    return ArrangedElement(matrix.arrangement, verbs.inverse(matrix.element))


@dataclass(frozen=True)
class ArrangedSymmetry(Symmetry):
    """A family of the normal form of a network.

    Parameters
    ----------
    arch : Network
        The network.
    arrangement : Arrangement
        Its normal form.
    family : Symmetry
        The family.
    """

    arrangement: Arrangement
    family: Symmetry

    @property
    def name(self) -> str:
        return self.family.name

    @property
    def basis(self) -> str:
        return self.family.basis

    @property
    def group(self) -> MatrixGroup | None:
        return self.family.group

    @property
    def dimension(self) -> int:
        return self.family.dimension

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        return ArrangedElement(self.arrangement, self.family.element(self.arrangement.forth(theta), seed))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        return [self.arrangement.together(part) for part in self.family.tangent_parts(self.arrangement.forth(theta))]


@verbs.identity.method
def identity_of_arranged(family: ArrangedSymmetry, field: Field) -> ArrangedElement:
    return ArrangedElement(family.arrangement, verbs.identity(family.family, field))


@dataclass(frozen=True)
class DiscreteArrangedSymmetry(DiscreteSymmetry):
    """A discrete symmetry of the normal form of a network.

    Parameters
    ----------
    arrangement : Arrangement
        The network and its normal form.
    symmetry : DiscreteSymmetry
        The symmetry.
    """

    arrangement: Arrangement = field(repr=False)
    symmetry: DiscreteSymmetry

    def elements(self, field: Field) -> tuple[GroupElement, ...]:
        return tuple(ArrangedElement(self.arrangement, one) for one in self.symmetry.elements(field))


@verbs.symmetries.method
def symmetries_of_network(arch: Network) -> Symmetries:
    arrangement = arrangement_of(arch)
    if arrangement is None:
        return symmetries_of_architecture(arch)
    found = Symmetries(verbs.symmetries(arrangement.network))
    return Symmetries(ArrangedSymmetry(arch, arrangement, one) for one in found) if arrangement.parts else found


@verbs.discrete_symmetries.method
def discrete_symmetries_of_network(arch: Network) -> tuple[DiscreteSymmetry, ...]:
    arrangement = arrangement_of(arch)
    if arrangement is None:
        return discrete_symmetries_of_architecture(arch)
    found: tuple[DiscreteSymmetry, ...] = verbs.discrete_symmetries(arrangement.network)
    return tuple(DiscreteArrangedSymmetry(one.name, arrangement, one) for one in found) if arrangement.parts else found
