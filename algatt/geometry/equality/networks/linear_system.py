"""Linear equations for the matrix of a space: those of its group, and those of tensors."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, Rationals, Reals
from algatt.fields.motions import Turns
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.geometry.equality.networks.closeness import close, vanishes
from algatt.geometry.equality.networks.echelon import reduction

SAMPLE = 8
"""Number of equations for each unknown whose solutions are tried first in all, over exact fields."""

NEGLIGIBLE = 1e-17
"""Singular values below this are zero where ratios of them are compared."""


@dataclass(frozen=True, eq=False)
class ProductEquations:
    """The equations g A = B diag(m), or g^T A = B diag(m), for a matrix g and numbers m, of which there is one for each
    column, given by its place; or those of the other matrix k of a pair.
    """

    other: bool
    transposed: bool
    A: Elements
    B: Elements
    numbers: np.ndarray


class LinearSystem:
    r"""Homogeneous linear equations for the matrix of a space, and for numbers.

    Columns A of g A = B diag(m) that are independent leave

    .. math:: g = (B \operatorname{diag}(m), Z) (A, E)^{-1}

    with unit vectors E that complete them. So the unknowns are the numbers m and the columns of Z, of which there are
    none where the columns of A span the space; all other equations are linear in these.

    Parameters
    ----------
    field : Field
        The field of the points.
    space : MatrixSpace
        The space. If its matrices h are seen before means are subtracted, there is a second matrix k, with C h = k C
        for the centring matrix C, and k 1 = 1 up to the number of the unit.
    second : MatrixSpace, optional
        That of k; without it k is a number.
    unit : hashable
        The pattern of the number that stands for 1.
    """

    def __init__(
        self, field: Field, space: MatrixSpace, unit: Hashable = None, second: MatrixSpace | None = None
    ) -> None:
        self.field = field
        self.space = space
        self.second = second
        self.unit = unit
        self.numbers: dict[Hashable, int] = {}
        self.products: list[ProductEquations] = []
        self.grouped = False
        self.idle: tuple[int, int] | None = None

    def add(
        self, transposed: bool, A: Elements, B: Elements, patterns: Iterable[Hashable], *, other: bool = False
    ) -> None:
        """Add g A = B diag(m), or g^T A = B diag(m), with the number of its pattern for each column."""
        numbers = np.array([self.number(pattern) for pattern in patterns], dtype=np.int64)
        self.products.append(ProductEquations(other, transposed, A, B, numbers))

    def add_group(self) -> None:
        """Add what is linear in the equations of the group, where 1 is the number of the unit."""
        self.grouped = True
        if self.space.group in ("centred", "before means"):
            self.number(self.unit)

    def add_idle(self, reached: int) -> None:
        """Add that g is diag(h, m 1) with h of a size, for some number m."""
        self.idle = reached, next(iter(self.numbers.values())) if self.numbers else self.number(self.unit)

    def number(self, pattern: Hashable) -> int:
        """Return the place of the number of a pattern."""
        return self.numbers.setdefault(pattern, len(self.numbers))

    @functools.cached_property
    def basis(self) -> np.ndarray:
        """The matrices that g is a combination of, one for each unknown."""
        turned, B, numbers, inverse = self.independent
        size, rank, first = self.space.size, B.shape[1], len(self.numbers)
        zero = Elements.of(self.field, [[0]]).raw
        basis = np.full((first + size * (size - rank), size, size), zero[0, 0], dtype=zero.dtype)
        for number in np.unique(numbers).tolist():
            mine = np.flatnonzero(numbers == number).tolist()
            basis[number] = (B[:, mine] @ inverse[mine]).raw
        for row in range(size):
            basis[first : first + size - rank, row] = inverse.raw[rank:]
            first += size - rank
        found: np.ndarray = basis.swapaxes(1, 2) if turned else basis
        return found

    @functools.cached_property
    def independent(self) -> tuple[bool, Elements, np.ndarray, Elements]:
        """Whether g or its transpose is known best; B and the places of the numbers for independent columns A; and the
        inverse of a matrix that begins with these.
        """
        size = self.space.size
        identity = Elements.of(self.field, np.eye(size, dtype=np.int64))
        best: tuple[bool, Elements, np.ndarray, Elements] = (
            False,
            identity[:, :0],
            np.zeros(0, dtype=np.int64),
            identity,
        )
        for turned in (False, True):
            mine = [one for one in self.products if one.transposed == turned and not one.other]
            if mine and best[1].shape[1] < size:
                A, B = (Elements(self.field, np.hstack([getattr(one, side).raw for one in mine])) for side in "AB")
                columns, inverse = reduction(A)
                if len(columns) > best[1].shape[1]:
                    best = turned, B[:, columns], np.concatenate([one.numbers for one in mine])[columns], inverse
        return best

    def equations(self) -> Elements:
        """Return the matrix of the equations, with a column for each unknown; those of floats relative to the size of
        what they are about.
        """
        count = len(self.basis)
        zero = Elements.of(self.field, [[0]]).raw
        blocks = [np.full((count, 1), zero[0, 0], dtype=zero.dtype)]
        for made, given in self.sides():
            one, other = (part.reshape(count, -1) for part in (made, given))
            block = (Elements(self.field, one) - Elements(self.field, other)).raw
            if isinstance(self.field, Reals):
                block = block / (max(np.abs(one).max(initial=0.0), np.abs(other).max(initial=0.0)) or 1.0)
            blocks.append(block)
        return Elements(self.field, np.hstack(blocks)).T

    def sides(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over the left and the right sides of all equations, a matrix for each unknown."""
        size = self.space.size
        for one in self.products:
            made = self.times(one.A, self.others if one.other else self.basis, transposed=one.transposed)
            given = np.full_like(made, Elements.of(self.field, [[0]]).raw[0, 0])
            given[one.numbers, :, np.arange(len(one.numbers))] = one.B.raw.T
            yield made, given
        if self.grouped and self.space.group == "centred":
            ones = Elements.of(self.field, np.ones((size, 1), dtype=np.int64))
            for transposed in (False, True):
                made = self.times(ones, self.basis, transposed=transposed)
                yield made, self.multiples(ones, self.numbers[self.unit])
        if self.grouped and self.space.group == "before means":  # C h = k C
            yield self.centred_basis, self.times(self.centring, self.others)
        constants = self.space.constants or ((Turns(size, self.space.speeds), False),)
        for constant, transposed in constants if self.grouped and self.space.group in ("turns", "commutant") else ():
            T = Elements(self.field, verbs.embed(self.field, constant.array))
            T = T.T if transposed else T
            yield self.times(T, self.basis), self.times(T.T, self.basis, transposed=True).swapaxes(1, 2)
        if self.idle is not None:
            reached, number = self.idle
            places = np.arange(size)
            idle = np.maximum(places[:, None], places) >= reached
            identity = self.multiples(Elements.of(self.field, np.eye(size, dtype=np.int64)), number)
            yield self.basis[:, idle], identity[:, idle]

    @property
    def centring(self) -> Elements:
        """The matrix that subtracts means, as far as the field has them."""
        size = self.space.size
        mean = Elements(self.field, verbs.embed(self.field, np.full((size, size), size))).reciprocal()
        return Elements.of(self.field, np.eye(size, dtype=np.int64)) - mean

    @functools.cached_property
    def centred_basis(self) -> np.ndarray:
        """The products C h."""
        found: np.ndarray = self.times(self.centring, self.basis, transposed=True).swapaxes(1, 2)
        return found

    @functools.cached_property
    def others(self) -> np.ndarray:
        """The matrices k that belong to those of the basis: C h with ones along the vector of ones, or numbers."""
        identity = Elements.of(self.field, np.eye(self.space.size, dtype=np.int64))
        unit = self.numbers[self.unit]
        if self.second is None:
            return self.multiples(identity, unit)
        along = self.multiples(identity - self.centring, unit)
        found: np.ndarray = (Elements(self.field, self.centred_basis) + Elements(self.field, along)).raw
        return found

    def times(self, A: Elements, basis: np.ndarray, *, transposed: bool = False) -> np.ndarray:
        """Return the products of matrices, or of their transposes, with another one."""
        basis = basis.swapaxes(1, 2) if transposed else basis
        product = Elements(self.field, basis.reshape(-1, self.space.size)) @ A
        made: np.ndarray = product.raw.reshape(len(basis), self.space.size, A.shape[1])
        return made

    def multiples(self, C: Elements, number: int) -> np.ndarray:
        """Return the multiples of a matrix by a number."""
        made = np.full((len(self.basis), *C.shape), Elements.of(self.field, [[0]]).raw[0, 0], dtype=C.raw.dtype)
        made[number] = C.raw
        return made

    def kernel(self) -> Elements:
        """Return a basis of the solutions, as columns: the numbers, and what else is unknown."""
        equations = self.equations()
        if not isinstance(self.field, Reals):
            few = verbs.kernel(equations[:: max(1, equations.shape[0] // (SAMPLE * equations.shape[1]))])
            return few if vanishes(equations @ few, few) else verbs.kernel(equations)
        _, sizes, vectors = np.linalg.svd(np.linalg.qr(equations.raw, mode="r"), full_matrices=True)
        sizes = np.concatenate([[1.0], np.pad(sizes, (0, len(vectors) - len(sizes)))])
        steps = sizes[:-1] / np.maximum(sizes[1:], NEGLIGIBLE) * (sizes[1:] <= close(self.field))
        rank = int(np.argmax(steps)) if steps.any() else len(vectors)
        return Elements(self.field, vectors[rank:].T)

    def matrix(self, solution: Elements, *, other: bool = False) -> Elements:
        """Return the matrix of a solution, given as a column; or the other one."""
        basis = self.others if other else self.basis
        entries = Elements(self.field, basis.reshape(len(basis), -1)).T @ solution
        return Elements(self.field, entries.raw.reshape(self.space.size, self.space.size))


@functools.lru_cache(maxsize=256)
def keeps_its_group(field: Field, space: MatrixSpace) -> bool:
    """Return whether the equations of a group have as many solutions over a field as over Q: a group that is larger
    modulo p than what it is the reduction of is none of the network.
    """
    if space.group == "before means":  # there are no means if the characteristic divides their number
        return not field.characteristic or space.size % field.characteristic != 0
    if space.group not in ("turns", "commutant"):  # the equations of the others are independent in any field
        return True
    systems = [LinearSystem(one, space) for one in (field, Rationals())]
    for system in systems:
        system.add_group()
    over_field, over_rationals = (verbs.rank(system.equations()) for system in systems)
    return bool(over_field == over_rationals)
