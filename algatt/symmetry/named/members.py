"""Lightning and normalised attention: the spaces of these have the names that HMK give them."""

from __future__ import annotations

from inspect import isabstract

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.errors import MethodError
from algatt.symmetry.arrows.gains import GainSymmetry
from algatt.symmetry.arrows.mixtures import MixtureSymmetry
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry
from algatt.symmetry.arrows.shifts import ShiftSymmetry
from algatt.symmetry.arrows.stretches import StretchSymmetry
from algatt.symmetry.base import Symmetry, families_below
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.table import Symmetries
from algatt.symmetry.typed.symmetry import SpaceSymmetry, warn_of_no_types

__all__: list[str] = []

ORDER = (
    "interlayer",
    "key-query",
    "rescaling",
    "score rescaling",
)
"""The families with names, in their order: it decides which of them removes what several do."""


@verbs.members.method
def spaces_with_names(family: type[NamedSpaces], arch: Lightning | Normalized) -> tuple[NamedSpaces, ...]:
    """What the types of the network allow, if there is anything to move."""
    members = [kind(arch) for kind in (families_below(family) if isabstract(family) else (family,))]
    try:
        return tuple(member for member in members if member.places and member.found)
    except MethodError as error:
        warn_of_no_types(arch, error)
        return ()


@verbs.members.method
def no_other_spaces(family: type[SpaceSymmetry], arch: Lightning | Normalized) -> tuple[SpaceSymmetry, ...]:
    """All of their spaces have names."""
    return ()


@verbs.members.method
def no_gains(family: type[GainSymmetry], arch: Lightning | Normalized) -> tuple[GainSymmetry, ...]:
    """They have no norms, and no word of their program, which may be long, has to be read."""
    return ()


@verbs.members.method
def no_norm_biases(family: type[NormBiasSymmetry], arch: Lightning | Normalized) -> tuple[NormBiasSymmetry, ...]:
    return ()


@verbs.members.method
def no_shifts(family: type[ShiftSymmetry], arch: Lightning | Normalized) -> tuple[ShiftSymmetry, ...]:
    """They have no biases."""
    return ()


@verbs.members.method
def no_mixtures(family: type[MixtureSymmetry], arch: Lightning | Normalized) -> tuple[MixtureSymmetry, ...]:
    """A layer has one head, and nothing mixes."""
    return ()


@verbs.members.method
def no_stretches(family: type[StretchSymmetry], arch: Lightning | Normalized) -> tuple[StretchSymmetry, ...]:
    """They have no norms with gains."""
    return ()


@verbs.symmetries.method
def symmetries_in_order(arch: Lightning | Normalized) -> Symmetries:
    members = [member for family in families_below(Symmetry) for member in verbs.members(family, arch)]
    return Symmetries(sorted(members, key=lambda one: ORDER.index(one.name) if one.name in ORDER else len(ORDER)))
