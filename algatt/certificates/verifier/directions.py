"""Families of directions along which the function does not change, as certificates have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .claims import Network, fields_of, whole_numbers
from .families import TypedFamily, tangents_of_types, typed_family
from .limits import MOST_ORDER, MOST_PARAMETERS, Refused, in_a_line, whole_number
from .modular import Matrix, Residues
from .offsets import Offsets, check_beside_constants, offsets_of_claim, tangents_beside_constants
from .shifts import Shift, check_shift, shift_of_claim, tangents_of_shift
from .sight import check_unseen
from .types import check_types

__all__ = ["Directions", "Tangent", "directions_of"]

Tangent = Mapping[int, int]
"""What is not zero of a direction, by the number of the parameter."""


@dataclass(frozen=True)
class Directions(ABC):
    """Directions in the space of the parameters.

    Parameters
    ----------
    name : str
        Its name.
    removes : int
        By how much it raises the rank of the families before it.
    """

    name: str
    removes: int

    @property
    def whole(self) -> bool:
        """Whether it is a whole group, of which some directions may remove nothing; others have none of these."""
        return False

    @property
    @abstractmethod
    def rows(self) -> int:
        """The number of directions."""

    @abstractmethod
    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        """Say why the function may change along it; None if it does not. Steps are subtracted from a budget."""

    @abstractmethod
    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        """Iterate over some of the directions at a point, each with its number."""


@dataclass(frozen=True)
class CoordinateChanges(Directions):
    """Changes of coordinates: the types of all results prove that the value stays."""

    types: TypedFamily

    @property
    def whole(self) -> bool:
        return self.types.basis is None

    @property
    def rows(self) -> int:
        return self.types.spaces[0] ** 2 if self.types.basis is None else len(self.types.basis)

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return check_types(network.program, self.types, budget)

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        weights = {name: [int(entry) for entry in W.entries()] for name, W in tensors.items()}
        return tangents_of_types(self.types, network.program, network.tensors, weights, field.p, wanted)


@dataclass(frozen=True)
class UnseenFamily(Directions):
    """Entries of tensors that the value does not depend on."""

    entries: tuple[tuple[str, int, int], ...]

    @property
    def rows(self) -> int:
        return len(self.entries)

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return check_unseen(network.program, self.entries)

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        for row in wanted:
            name, i, j = self.entries[row]
            yield row, {network.starts[name] + i * network.tensors[name][1] + j: 1}


@dataclass(frozen=True)
class ChoosingFamily(UnseenFamily):
    """Entries on which the value depends by what they choose alone, of a network with finitely many inputs: at almost
    all weights small changes of them change no choice.
    """

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        if network.units != (0, 0):
            return "the network reads numbers, at some of which every change of a choice is seen"
        return check_unseen(network.program, self.entries, near=True)


@dataclass(frozen=True)
class ChangesBesideConstants(Directions):
    """Changes of coordinates of tensors of which constants of the code are a part."""

    types: TypedFamily
    offsets: Offsets

    @property
    def rows(self) -> int:
        return len(self.types.basis or ())

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return check_beside_constants(network.program, self.types, self.offsets, budget)

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        weights = {name: [int(entry) for entry in W.entries()] for name, W in tensors.items()}
        return tangents_beside_constants(
            self.types, self.offsets, network.program, network.tensors, weights, field.p, wanted
        )


@dataclass(frozen=True)
class ShiftFamily(Directions):
    """Vectors that are added to rows and columns of tensors: how all results move proves that the value stays."""

    shift: Shift

    @property
    def rows(self) -> int:
        return len(self.shift.units)

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return check_shift(network, self.shift)

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        for row, tangent in tangents_of_shift(network, self.shift, field, tensors, wanted):
            yield row, {place: int(value) for place, value in tangent.items()}


HEAD = {"name": str, "removes": int, "by": str}


def directions_of(where: str, claim: Any, network: Network) -> Directions:
    """Return a family of claims, if it makes sense."""
    by = claim.get("by") if isinstance(claim, dict) else None
    if not isinstance(by, str) or by not in KINDS_OF_FAMILIES:
        was = f"a family by {in_a_line(by)}, which is not checked"
        raise Refused(where, was, f"a family by {', '.join(KINDS_OF_FAMILIES)}")
    fields, make = KINDS_OF_FAMILIES[claim["by"]]
    fields_of(where, claim, {**HEAD, **fields})
    whole_number(f"{where}.removes", claim["removes"], 0, MOST_ORDER)
    family: Directions = make(where, claim, network)
    if family.rows > MOST_PARAMETERS:
        raise Refused(where, f"a family of {family.rows} directions", f"one of at most {MOST_PARAMETERS}")
    return family


def changes_of_coordinates(where: str, claim: Any, network: Network) -> CoordinateChanges:
    """Return changes of coordinates."""
    types = typed_family(claim, network.program, network.tensors)
    return CoordinateChanges(claim["name"], claim["removes"], types)


def unseen_family(where: str, claim: Any, network: Network) -> UnseenFamily:
    """Return unseen entries, or such as choose alone."""
    entries = []
    for name, places in claim["entries"].items():
        if name not in network.tensors or not isinstance(places, list):
            raise Refused(f"{where}.entries", in_a_line(name), "a tensor, with a list of rows and columns")
        height, width = network.tensors[name]
        for place in places:
            if len(whole_numbers(f"{where}.entries", place, 0, MOST_PARAMETERS)) != 2:
                raise Refused(f"{where}.entries", in_a_line(place), "a row and a column")
            if place[0] >= height or place[1] >= width:
                raise Refused(f"{where}.entries", in_a_line(place), f"an entry of {name}, {height} x {width}")
            entries.append((name, place[0], place[1]))
    kind = ChoosingFamily if claim["by"] == "choice" else UnseenFamily
    return kind(claim["name"], claim["removes"], tuple(entries))


def changes_beside_constants(where: str, claim: Any, network: Network) -> ChangesBesideConstants:
    """Return changes of coordinates of tensors with constants in them."""
    typed = {key: value for key, value in claim.items() if key != "offsets"}
    types = typed_family(typed, network.program, network.tensors)
    offsets = offsets_of_claim(f"{where}.offsets", claim["offsets"], network.tensors)
    return ChangesBesideConstants(claim["name"], claim["removes"], types, offsets)


def shift_family(where: str, claim: Any, network: Network) -> ShiftFamily:
    """Return a family of shifts."""
    return ShiftFamily(claim["name"], claim["removes"], shift_of_claim(where, claim, network))


KINDS_OF_FAMILIES: dict[str, tuple[dict[str, Any], Any]] = {
    "types": ({"spaces": list, "axes": dict, "images": dict, "basis": object}, changes_of_coordinates),
    "unseen": ({"entries": dict}, unseen_family),
    "choice": ({"entries": dict}, unseen_family),
    "constants": (
        {"offsets": dict, "spaces": list, "axes": dict, "images": dict, "basis": list},
        changes_beside_constants,
    ),
    "shift": ({"gains": list, "size": int, "units": list, "moves": list}, shift_family),
}
"""What each kind of family has beside its name, and how it is read."""
