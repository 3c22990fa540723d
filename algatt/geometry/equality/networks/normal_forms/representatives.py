r"""Numbers that are normalised by entries: an entry that is multiplied by a product of unknown numbers becomes 1.

Entries are taken together where permutations exchange them, as the first of each neuron, so that the choice is the same
before and after. A choice is taken if the exponents of all entries so far are part of a basis of the lattice of all
exponents: then the numbers have one solution, without roots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.linalg.row_form import first_largest

Row = tuple[int, ...]

SMALLEST = 3 / 4, 1 / 2
"""Powers of the unit of rounding: floats that are smaller than the first beside the largest entry of their tensor are
taken for zero, and of those that are smaller than the second rounding may decide; 1e-12 and 1e-8 for float64.
"""


@dataclass(frozen=True, eq=False)
class TermEntry:
    """An entry, with the exponents of the numbers that multiply it.

    Parameters
    ----------
    exponents : tuple of int
        The exponents.
    value : Elements
        Shape (1, 1).
    """

    exponents: Row
    value: Elements


@dataclass
class Chosen:
    """Exponents that are part of a basis of a lattice.

    Parameters
    ----------
    modulus : int
        0 for integers; 2 for the signs.

    Attributes
    ----------
    rows : list
        The exponents.
    """

    modulus: int = 0
    rows: list[Row] = field(default_factory=list)

    def rank(self, rows: Iterable[Row]) -> int:
        """Return the rank of exponents, modulo 2 for signs."""
        return int(self.matrix(list(rows)).rank())

    def matrix(self, rows: list[Row]) -> Any:
        """Return a matrix of FLINT."""
        import flint

        if not rows:
            return flint.fmpz_mat(0, 0)
        if self.modulus:
            return flint.nmod_mat([[entry % self.modulus for entry in row] for row in rows], self.modulus)
        return flint.fmpz_mat([list(map(int, row)) for row in rows])

    def spans(self, row: Row) -> bool:
        """Return whether exponents are a combination, over Q, of those that were chosen."""
        return self.rank([*self.rows, row]) == len(self.rows)

    def accept(self, rows: list[Row]) -> bool:
        """Choose further rows, if all together are part of a basis, and return whether they are."""
        together = [*self.rows, *rows]
        matrix = self.matrix(together)
        if matrix.rank() < len(together):
            return False
        if not self.modulus:
            form = matrix.snf()
            if any(abs(int(form[k, k])) != 1 for k in range(len(together))):
                return False
        self.rows = together
        return True


def chosen_entries(
    tensors: Mapping[str, Elements],
    exponents: Mapping[str, tuple[np.ndarray, np.ndarray]],
    permuted: Mapping[str, tuple[bool, bool]],
    colours: Iterable[tuple[str, ...]],
    chosen: Chosen,
) -> list[TermEntry]:
    """Return entries that determine numbers, as many as there are such choices.

    Parameters
    ----------
    tensors : mapping of str to Elements
        The weights.
    exponents : mapping of str to (ndarray, ndarray)
        For the rows and columns of a tensor, the exponents of the numbers.
    permuted : mapping of str to (bool, bool)
        Whether rows and columns of a tensor are permuted by what is not chosen yet.
    colours : iterable of tuple of str
        The tensors, those together that may be exchanged, in an order that no symmetry changes.
    chosen : Chosen
        What was chosen before; what is chosen is added.
    """
    found: list[TermEntry] = []
    for names in colours:
        batch: list[TermEntry] = []
        for name in names:
            entries = entries_of(tensors[name], exponents[name], permuted[name])
            batch += [one for one in entries if any(one.exponents) and not chosen.spans(one.exponents)]
        rows = [one.exponents for one in batch]
        if rows and len(set(rows)) == len(rows) and chosen.accept(rows):
            found += batch
    return found


def entries_of(W: Elements, exponents: tuple[np.ndarray, np.ndarray], permuted: tuple[bool, bool]) -> list[TermEntry]:
    """Return for each product of numbers an entry of a tensor that it multiplies: the first that is not zero; over the
    reals the largest. Products that multiply entries which may be permuted are left out.

    Raises
    ------
    NoNormalForm
        If rounding could choose another entry.
    """
    rows, columns = exponents
    keys: dict[Row, int] = {}
    numbers = np.array([[keys.setdefault(tuple(both), len(keys)) for both in (row + columns).tolist()] for row in rows])
    largest = float(np.abs(W.raw).max(initial=0.0)) if isinstance(W.field, Reals) else 0.0
    found = []
    for key, number in keys.items():
        places = np.argwhere(numbers == number)
        if any(hidden and len(set(places[:, axis].tolist())) > 1 for axis, hidden in enumerate(permuted)):
            continue
        values = W.raw[places[:, 0], places[:, 1]]
        if isinstance(W.field, Reals):
            place = largest_float(np.abs(values), largest, W.field.unit)
        else:
            place = next(iter(np.flatnonzero(values != 0).tolist()), None)
        if place is not None:
            found.append(TermEntry(key, Elements(W.field, values[place : place + 1].reshape(1, 1))))
    return found


def largest_float(sizes: np.ndarray, beside: float, unit: float) -> int | None:
    """Return the place of the first of the largest sizes; None if all of them are rounding beside a larger one."""
    zero, clear = (unit**power * beside for power in SMALLEST)
    if sizes.max() <= zero:
        return None
    place, told = first_largest(sizes, unit)
    if sizes[place] < clear or not told:
        raise NoNormalForm(
            f"floats do not decide which entries fix numbers: {sizes[place]:.3g} may be rounding, or tie"
        )
    return place


def is_negative(number: Elements) -> bool:
    """Return whether a number is negative; over GF(p), by convention, whether it is larger than its negative."""
    entry = number.raw[0, 0]
    if isinstance(number.field, PrimeField):
        return 2 * int(entry) > number.field.p
    return bool(entry < 0)


def one_or_minus_one(field: Field, number: Elements) -> Elements:
    """Return the sign of a number, as one of a field."""
    sign = -1 if is_negative(number) else 1
    return Elements(field, verbs.embed(field, np.array([[sign]])))
