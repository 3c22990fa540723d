"""Families of directions along which the function does not change, as certificates have them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .claims import Network, fields_of, whole_numbers
from .families import TypedFamily, tangents_of_types, typed_family
from .limits import MOST_ORDER, MOST_PARAMETERS, Refused, in_a_line, whole_number
from .modular import Matrix, Residues
from .offsets import Offsets, check_beside_constants, offsets_of_claim, tangents_beside_constants
from .shifts import Shift, check_shift, shift_of_claim, tangents_of_shift
from .sight import check_unseen
from .types import check_types

__all__ = ["THEOREMS", "Directions", "Tangent", "directions_of"]

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

    ambient: ClassVar[bool] = False
    """Whether it bounds the dimension by a space of functions, and has no directions."""

    @property
    def whole(self) -> bool:
        """Whether it is a whole group, of which some directions may remove nothing; others have none of these."""
        return False

    @property
    def claimed_tangents(self) -> tuple[Tangent, ...]:
        """Directions that are claimed by a theorem, at the point."""
        return ()

    @property
    def rests_on(self) -> str | None:
        """What of it is not checked."""
        return None

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


@dataclass(frozen=True)
class TheoremFamily(Directions):
    """Directions that are claimed by a theorem: what is verified is that the value does not change along them at the
    point.
    """

    theorem: str
    directions: tuple[Tangent, ...]

    @property
    def claimed_tangents(self) -> tuple[Tangent, ...]:
        return self.directions

    @property
    def rests_on(self) -> str:
        return f"{self.name}: {self.theorem}"

    @property
    def rows(self) -> int:
        return len(self.directions)

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return None

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        for row in wanted:
            yield row, self.directions[row]


@dataclass(frozen=True)
class AmbientFamily(Directions):
    """A space in which all functions lie, up to one of them: it is compared with values at random weights."""

    ambient: ClassVar[bool] = True

    @property
    def rests_on(self) -> str:
        return "the dimension of a space in which all functions lie, which was compared with values at random weights"

    @property
    def rows(self) -> int:
        return 0

    def refutation(self, network: Network, budget: list[int] | None = None) -> str | None:
        return None

    def tangents(
        self, network: Network, field: Residues, tensors: Mapping[str, Matrix], wanted: set[int]
    ) -> Iterator[tuple[int, Tangent]]:
        return iter(())


HEAD = {"name": str, "removes": int, "by": str}


def directions_of(where: str, claim: Any, network: Network) -> Directions:
    """Return a family of claims, if it makes sense."""
    by = claim.get("by") if isinstance(claim, dict) else None
    if not isinstance(by, str) or by not in KINDS_OF_FAMILIES:
        raise Refused(where, in_a_line(claim), f"a family by {', '.join(KINDS_OF_FAMILIES)}")
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


THEOREMS = (
    "biases of norms before matrices without a bias",
    "constants that are a part of a tensor",
    "directions that nothing reaches",
    "directions that nothing reads",
    "rows that are divided by themselves",
    "scores that nobody sees",
    "shifts",
    "stretches of what is written into a stream",
    "terms that mix",
    "tokens that are parallel",
    "types of results",
)
"""Statements that this verifier does not check, with proofs in the documentation of algatt."""

DECLARED = re.compile(r"declared by [A-Za-z0-9_.<>]{1,200}")
"""What is said of families that somebody declared for a network."""


def theorem_family(where: str, claim: Any, network: Network) -> TheoremFamily:
    """Return directions that are claimed by a theorem."""
    if claim["theorem"] not in THEOREMS and DECLARED.fullmatch(claim["theorem"]) is None:
        raise Refused(f"{where}.theorem", in_a_line(claim["theorem"]), "a known theorem, or 'declared by' a class")
    directions = []
    for number, flat in enumerate(claim["tangents"]):
        whole_numbers(f"{where}.tangents[{number}]", flat, 0, 2**63)
        if len(flat) % 2 or any(column >= network.parameters for column in flat[::2]):
            raise Refused(f"{where}.tangents[{number}]", in_a_line(flat), "numbers of parameters, each with a residue")
        if len(set(flat[::2])) < len(flat) // 2:
            raise Refused(f"{where}.tangents[{number}]", in_a_line(flat), "each parameter once")
        directions.append(dict(zip(flat[::2], flat[1::2], strict=True)))
    return TheoremFamily(claim["name"], claim["removes"], claim["theorem"], tuple(directions))


def ambient_family(where: str, claim: Any, network: Network) -> AmbientFamily:
    """Return what the space of functions leaves less."""
    return AmbientFamily(claim["name"], claim["removes"])


KINDS_OF_FAMILIES: dict[str, tuple[dict[str, Any], Any]] = {
    "types": ({"spaces": list, "axes": dict, "images": dict, "basis": object}, changes_of_coordinates),
    "unseen": ({"entries": dict}, unseen_family),
    "choice": ({"entries": dict}, unseen_family),
    "constants": (
        {"offsets": dict, "spaces": list, "axes": dict, "images": dict, "basis": list},
        changes_beside_constants,
    ),
    "shift": ({"gains": list, "size": int, "units": list, "moves": list}, shift_family),
    "theorem": ({"theorem": str, "tangents": list}, theorem_family),
    "ambient": ({}, ambient_family),
}
"""What each kind of family has beside its name, and how it is read."""
