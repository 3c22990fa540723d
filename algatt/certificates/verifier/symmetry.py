"""Claims that a network does not change along families of directions, verified for all weights and inputs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .claims import Network, check_count_of_families, fields_of, network_of
from .directions import Directions, directions_of
from .independence import dependence
from .limits import Refused, in_a_line
from .types import MOST_TYPED_TOGETHER
from .values import lacking_value
from .verdict import Verdict

__all__ = ["hash_of_families", "symmetry_in_words", "verify_symmetry"]

MOST_TOLD = 6
"""So many families, and of each of them so many tensors that it moves, are told in words."""


PLAIN = re.compile("(?=.*[A-Za-z_])[A-Za-z0-9_.]{1,60}")
"""Names of tensors that are not quoted."""

OF_MATRIX = re.compile("C|D|S|S_[0-9]+|S_i")
"""Names of matrices in words."""


@dataclass(frozen=True)
class SymmetryClaim:
    """The claims of a certificate, with values that make sense.

    Parameters
    ----------
    network : Network
        The network.
    families : list of Directions
        The families.
    listed : list of dict
        The families as they are claimed.
    sha256 : str
        The hash of the families.
    """

    network: Network
    families: list[Directions]
    listed: list[Any]
    sha256: str

    @property
    def in_words(self) -> str:
        """What is claimed."""
        told = []
        for family, listed in zip(self.families, self.listed, strict=True):
            count = f"{family.rows} direction{'s' * (family.rows != 1)}"
            told.append(f"the {count} of {in_a_line(family.name)} ({described(listed, self.network)})")
        return (
            f"For all weights and inputs the value of {self.network.in_words} does not change along "
            f"{listed_in_words(told, ('family', 'families'))}; the families have the SHA-256 {self.sha256[:16]}"
        )


def verify_symmetry(claims: Any, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Verify claims that a network does not change along families of directions.

    Raises
    ------
    Refused
        If they are none, or too large to be verified.
    """
    claim = symmetry_claim(claims)
    reasons = tuple(moving_families(claim, progress))
    for missing in (lacking_value, lambda network: dependence(network, claim.families)):
        if not reasons and (reason := missing(claim.network)) is not None:
            reasons = (reason,)
    return Verdict(claim.in_words, reasons, ())


def symmetry_claim(claims: Any) -> SymmetryClaim:
    """Return what is claimed.

    Raises
    ------
    Refused
        If it makes no sense, or is too large to be verified.
    """
    texts, lists = ("kind", "sha256", "reads", "families_sha256"), ("program", "tensors", "families")
    fields_of("claims", claims, {**dict.fromkeys(texts, str), **dict.fromkeys(lists, list)})
    if claims["kind"] != "symmetry":
        raise Refused("claims.kind", in_a_line(claims["kind"]), "'symmetry'")
    network = network_of(claims)
    if not claims["families"]:
        raise Refused("claims.families", "empty", "a list of families")
    check_count_of_families(network, len(claims["families"]))
    families = []
    for number, listed in enumerate(claims["families"]):
        where = f"claims.families[{number}]"
        if not isinstance(listed, dict) or listed.get("by") == "choice" or "removes" in listed:
            raise Refused(where, in_a_line(listed), "a family that is checked for all weights, without 'removes'")
        families.append(directions_of(where, {**listed, "removes": 0}, network))
    sha256 = hash_of_families(claims["tensors"], claims["families"])
    if claims["families_sha256"] != sha256:
        raise Refused("claims.families_sha256", in_a_line(claims["families_sha256"]), f"{sha256}, the hash of families")
    return SymmetryClaim(network, families, claims["families"], sha256)


def hash_of_families(tensors: Any, families: Any) -> str:
    """Return the SHA-256 of the list of the tensors and the families as JSON, with sorted keys and without spaces."""
    text = json.dumps([tensors, families], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def moving_families(claim: SymmetryClaim, progress: Callable[[int, int], object] | None) -> Iterator[str]:
    """Check that the value does not change along each family."""
    budget = [MOST_TYPED_TOGETHER]
    for number, family in enumerate(claim.families):
        reason = family.refutation(claim.network, budget)
        if reason is not None:
            yield f"the family {in_a_line(family.name)}: {reason}"
        if progress is not None:
            progress(number + 1, len(claim.families))


def described(family: Any, network: Network) -> str:
    """Return in words how a family moves the tensors of a network."""
    if family["by"] == "unseen":
        parts = [f"{len(entries)} of the entries of {shown(name)}" for name, entries in family["entries"].items()]
        return f"{listed_in_words(parts, ('tensor', 'tensors'))}, which no value depends on"
    if family["by"] == "shift":
        parts = []
        for name, kind, _, *over in family["moves"]:
            by = "".join(f" divided by its entry of {shown(network.program[number].argument)}" for number in over)
            parts.append(f"each {kind[:-1]} of {shown(name)} by one vector{by}")
        folded = f", after {len(family['gains'])} of the gains are folded into tensors" if family["gains"] else ""
        told = listed_in_words(parts, ("tensor", "tensors")) + folded
        return f"{told}, these being linear in {len(family['units'])} numbers"
    sizes, basis = family["spaces"], family["basis"]
    names = ["S"] if len(sizes) == 1 else [f"S_{number + 1}" for number in range(len(sizes))]
    parts = []
    for name, axes in family["axes"].items():
        moved = f"({shown(name)} + C)" if name in family.get("offsets", ()) else shown(name)
        parts.append(f"d {shown(name)} = {derivative(moved, axes, names)}")
    if basis == "free":
        return f"{listed_in_words(parts, ('tensor', 'tensors'))}, for every matrix S, {sizes[0]} x {sizes[0]}"
    what = f"of S, {sizes[0]} x {sizes[0]}" if len(sizes) == 1 else f"of the {len(sizes)} matrices S_i"
    what += ", with a constant C for each tensor" if family["by"] == "constants" else ""
    return f"{listed_in_words(parts, ('tensor', 'tensors'))}, for {len(basis)} choice{'s' * (len(basis) != 1)} {what}"


def listed_in_words(parts: list[str], names: tuple[str, str]) -> str:
    """Return parts with commas between them, the first ones if there are many, with the number of the others."""
    more = len(parts) - MOST_TOLD
    return ", ".join(parts[:MOST_TOLD]) + (f" and {more} other {names[more != 1]}" if more > 0 else "")


def derivative(name: str, axes: Any, names: list[str]) -> str:
    """Return how a tensor moves."""
    text = ""
    for side, space, coefficient, transposed, gains in axes:
        matrix = f"{names[space]}^T" if transposed else names[space]
        if gains:
            matrix = f"(D {matrix} D^-1)"
        negative = str(coefficient).startswith("-")
        size = str(coefficient).lstrip("-")
        product = f"{matrix} {name}" if side == "rows" else f"{name} {matrix}"
        product = product if size == "1" else f"{size} {product}"
        sign = ("-" if negative else "") if not text else (" - " if negative else " + ")
        text += sign + product
    return text


def symmetry_in_words(claims: Any) -> str:
    """Return what is claimed of families of directions.

    Raises
    ------
    Refused
        If it makes no sense, or is too large to be verified.
    """
    return symmetry_claim(claims).in_words


def shown(name: str) -> str:
    """Return the name of a tensor, between quotes unless it is plain, and could not be that of a matrix."""
    return name if PLAIN.fullmatch(name) and not OF_MATRIX.fullmatch(name) else in_a_line(name)
