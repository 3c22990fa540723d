"""What a dimension rests on: bounds from both sides, and the minors that prove them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt.architectures import Architecture

if TYPE_CHECKING:
    from algatt.maps.elementary.conditions import Conditions


@dataclass(frozen=True)
class Minor:
    """A square submatrix whose determinant does not vanish modulo p.

    Parameters
    ----------
    rows, columns : tuple of int
        Its rows and columns, in order.
    determinant : int
        The determinant modulo p.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    determinant: int


@dataclass(frozen=True)
class EnclosedMinor:
    """A square submatrix of a real matrix that is regular, and so is all that balls around its entries hold.

    Parameters
    ----------
    rows, columns : tuple of int
        Its rows and columns, in order.
    bits : int
        The precision with which it was enclosed.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    bits: int


@dataclass(frozen=True)
class FamilyRank:
    """What one symmetry family removes from the number of parameters.

    Parameters
    ----------
    name : str
        Name of the family.
    removes : int
        By how much its tangents raise the rank of those of the families before it.
    basis : str, optional
        On what that rests: ``equivariant`` (each operation carries it on), ``quotient`` (the function depends on fewer
        numbers), ``choice`` (it does so near almost all weights), ``ambient`` (all values lie in a space of a
        dimension) or ``declared`` (by a theorem).
    """

    name: str
    removes: int
    basis: str = "declared"


@dataclass(frozen=True)
class UpperBound:
    """An upper bound of the dimension: parameters less the rank of the tangents of all symmetries, or the dimension of
    a space in which all functions lie.

    Parameters
    ----------
    value : int
        The bound.
    families : tuple of FamilyRank
        The families in order; the last one may be what the ambient space leaves less of.
    minor : Minor or Pieces
        A minor of the stacked tangents, as large as their rank, or of several pieces of them.
    """

    value: int
    families: tuple[FamilyRank, ...]
    minor: Minor | Pieces


@dataclass(frozen=True)
class LowerBound:
    """A lower bound of the dimension: the rank of the Jacobian at some weights and inputs.

    Parameters
    ----------
    value : int
        The bound.
    inputs : int
        The number of inputs used.
    minor : Minor, EnclosedMinor, Pieces or Parts
        A minor of the Jacobian of this order: as large as its rank over GF(p); or those of several pieces; or what the
        parts of the network show, by a theorem.
    complete : bool
        Whether no other input can raise the rank at these weights, since the network reads tokens and all inputs were
        used.
    conditions : Conditions or None
        What was checked so that residues stand for exponentials, roots and gates; None without them.
    """

    value: int
    inputs: int
    minor: Minor | EnclosedMinor | Pieces | Parts
    complete: bool = False
    conditions: Conditions | None = None


@dataclass(frozen=True)
class DiagonalBlock:
    """A diagonal block of a Jacobian that is block triangular, which occurs several times.

    Parameters
    ----------
    name : str
        ``hub and copy``, ``copy`` or ``pair of copies``.
    architecture : Architecture
        The network of the hub and the copies that its inputs reach.
    times : int
        How often it occurs.
    columns : int
        How many parameters are its own.
    lower : LowerBound
        The rank of the Jacobian of that network in these.
    upper : UpperBound
        What the symmetries leave of these.
    """

    name: str
    architecture: Architecture
    times: int
    columns: int
    lower: LowerBound
    upper: UpperBound


@dataclass(frozen=True)
class Pieces:
    """The diagonal blocks of a Jacobian that is block triangular.

    Parameters
    ----------
    copies : int
        The number of copies.
    pieces : tuple of DiagonalBlock
        The blocks that are different.
    sizes : tuple of (int, (int, int))
        Each size of an axis that is cut, with those of the hub and of a copy.
    """

    copies: int
    pieces: tuple[DiagonalBlock, ...]
    sizes: tuple[tuple[int, tuple[int, int]], ...]

    def __str__(self) -> str:
        ranks = " + ".join(f"{piece.times} * {piece.lower.value}" for piece in self.pieces)
        return f"a hub and {self.copies} copies: {ranks}"

    def to_list(self) -> list[dict[str, Any]]:
        """Return the pieces as plain values for JSON."""
        return [
            {
                "name": piece.name,
                "times": piece.times,
                "parameters": piece.columns,
                "lower": piece.lower.value,
                "upper": piece.upper.value,
            }
            for piece in self.pieces
        ]


@dataclass(frozen=True)
class RepeatedPart:
    """A part of a network, such as its neurons, which occurs several times.

    Parameters
    ----------
    name : str
        What it is.
    times : int
        How often it occurs.
    lower : int
        What each adds to the dimension at least.
    """

    name: str
    times: int
    lower: int

    def __str__(self) -> str:
        return f"{self.times} * {self.lower:,}" if self.times > 1 else f"{self.lower:,}"


@dataclass(frozen=True)
class Parts:
    """Parts of a network to whose sum the rank of the Jacobian comes up by a theorem.

    Parameters
    ----------
    parts : tuple of Part
        The parts that are different.
    """

    parts: tuple[RepeatedPart, ...]

    def __str__(self) -> str:
        return ", ".join(f"{one.name} {one}" for one in self.parts)

    @property
    def value(self) -> int:
        """The sum."""
        return sum(one.times * one.lower for one in self.parts)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the parts as plain values for JSON."""
        return [dataclasses.asdict(one) for one in self.parts]
