"""What a result can be in the virtual form."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from algatt.fields.base import Elements

Size: TypeAlias = "tuple[int, int]"


class SignContent(int):
    """The sign of a number in a content, or its value where numbers have no signs: of the number nothing else is
    seen.
    """


class Name(int):
    """The number of a content, which is found in other contents by its type."""


@dataclass(frozen=True)
class NumberContent:
    """Numbers in a content, equal where their values are.

    Parameters
    ----------
    entries : tuple or Near
        Their shape and their values, exact or within rounding.
    numbers : Elements
        The numbers.
    """

    entries: Hashable
    numbers: Elements = field(compare=False, repr=False)


@dataclass(frozen=True)
class Atom:
    """A matrix that depends on the input, named by its content.

    Parameters
    ----------
    number : int
        The number of its content in the table of the field; it decides alone which atoms are equal.
    height : int
        The number of its rows.
    total : bool
        Whether each of its columns adds up to one.
    factors : tuple of Atom
        The atoms whose rows it multiplies entrywise, sorted by their numbers; none if it is no such product.
    constant : bool
        Whether all of its columns are equal.
    one_hot : bool
        Whether its columns are unit vectors, so that the products of different rows are zero.
    exponent : Columns or None
        Of an exponential, the row that it is that of.
    """

    number: int
    height: int
    total: bool = False
    factors: tuple[Atom, ...] = ()
    constant: bool = False
    one_hot: bool = False
    exponent: Columns | None = None

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and other.number == self.number


class VirtualForm:
    """A result in the virtual form, with its numbers of rows and columns."""

    shape: Size


@dataclass(frozen=True, eq=False)
class Numbers(VirtualForm):
    """A matrix made of weights and constants alone."""

    value: Elements

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", ((1, 1) + self.value.shape)[-2:])


@dataclass(frozen=True, eq=False)
class Columns(VirtualForm):
    """The sum of A_k B_k with matrices A_k made of weights and atoms B_k.

    Parameters
    ----------
    shape : tuple of int
        Numbers of rows and columns.
    terms : mapping of Atom to Elements
        The A_k by their atoms; none is zero.
    """

    shape: Size
    terms: Mapping[Atom, Elements]


@dataclass(frozen=True, eq=False)
class Scores(VirtualForm):
    """The sum of the transposed B_k times M_kl times B_l, entrywise times a mask of numbers.

    Parameters
    ----------
    shape : tuple of int
        Numbers of rows and columns.
    terms : mapping of pair of Atom to Elements
        The M_kl by the atoms on the left and on the right; none is zero.
    mask : Elements or None
        The mask, of the same shape; None without one.
    """

    shape: Size
    terms: Mapping[tuple[Atom, Atom], Elements]
    mask: Elements | None = None


@dataclass(frozen=True, eq=False)
class Exponentials(VirtualForm):
    """The exponentials of scores, entrywise times a mask of numbers, which is None without one."""

    scores: Scores
    mask: Elements | None = None

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", self.scores.shape)


@dataclass(frozen=True, eq=False)
class Sums(VirtualForm):
    """The row of what the columns of scores or exponentials add up to, times a number."""

    of: Scores | Exponentials
    factor: Elements

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", (1, self.of.shape[1]))


@dataclass(frozen=True, eq=False)
class Quotients(VirtualForm):
    """The row of the reciprocals of such sums, times a number."""

    of: Scores | Exponentials
    factor: Elements

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", (1, self.of.shape[1]))


@dataclass(frozen=True, eq=False)
class Mixing(VirtualForm):
    """A matrix whose columns add up to one, as the weights of attention; an atom of its own."""

    shape: Size
    atom: Atom


@dataclass(frozen=True, eq=False)
class Moments(VirtualForm):
    """The product of a matrix with a transposed one, which a third is multiplied with later."""

    left: Columns
    right: Columns

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", (self.left.shape[0], self.right.shape[0]))


@dataclass(frozen=True, eq=False)
class Transposed(VirtualForm):
    """The transpose of a form."""

    of: Columns | Sums | Quotients | Mixing

    shape: Size = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", self.of.shape[::-1])
