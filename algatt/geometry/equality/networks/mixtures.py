"""Standard positions of terms that mix.

The tensors R_1, ..., R_h of the terms on one side, each written as a row, are the rows of a matrix N; the matrix g of a
mixture multiplies it from the left, so that one g makes its first independent columns the identity. The groups of the
spaces must not change N by more than a number: where they act on the tensors, N is made of products with another tensor
on which they act inversely, as keys for queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import SymmetryError
from algatt.fields import Elements, Reals
from algatt.linalg import Auto
from algatt.parameters import Weights
from algatt.symmetry import GroupElement, MixtureSymmetry
from algatt.symmetry.arrows.terms import Part
from algatt.symmetry.typed import SpaceSymmetry

__all__: list[str] = []

SMALL = 1e-8
"""A column over the reals depends on others if it is so small beside what it was, once these are subtracted."""


@verbs.standard_element.method
def standard_mixture(family: MixtureSymmetry, theta: Weights) -> GroupElement | None:
    """None if constants stand beside the tensors, or if no rows are known that the spaces leave."""
    count = family.mixture.count
    if len(family.algebra) < count**2:
        return None
    for contraction in contractions(family, theta):
        rows = contraction(family.fold.fold(theta))
        pivots = first_independent_columns(rows)
        if len(pivots) == count and is_left_by_spaces(family.arch, family, theta, contraction):
            block = Elements(theta.field, rows.raw[:, pivots])
            return family.element_of(block.T if contraction.left else verbs.inverse(block))
    return None


@dataclass(frozen=True)
class Contraction:
    """The rows that the tensors of an argument are, alone or multiplied by another tensor.

    Parameters
    ----------
    left : bool
        Whether they stand on the left, where the inverse of g acts, transposed.
    parts : tuple of Part
        The argument in the terms.
    partner : str or None
        The other tensor, by which the transposes are multiplied.
    """

    left: bool
    parts: tuple[Part, ...]
    partner: str | None = None

    def __call__(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the matrix with a row for each term."""
        found = [tensors[part.tensor][part.rows, part.columns] for part in self.parts]
        if self.partner is not None:
            found = [one.T @ tensors[self.partner] for one in found]
        return Elements(found[0].field, np.stack([one.raw.ravel() for one in found]))


def contractions(family: MixtureSymmetry, theta: Weights) -> Iterator[Contraction]:
    """Iterate over what may be left by the spaces."""
    shapes = {name: one.shape for name, one in theta.tensors.items()}
    for left, arguments in ((False, family.mixture.right), (True, family.mixture.left)):
        for parts in arguments:
            yield Contraction(left, parts)
            for name, shape in shapes.items():
                if len(shape) == 2 and shape[0] == len(parts[0].rows) and name not in family.tensors:
                    yield Contraction(left, parts, name)


def is_left_by_spaces(arch: Architecture, family: MixtureSymmetry, theta: Weights, contraction: Contraction) -> bool:
    """Return whether random elements of the groups of the spaces multiply rows by numbers at most, one for each."""
    before = contraction(family.fold.fold(theta))
    for space in verbs.symmetries(arch):
        if isinstance(space, SpaceSymmetry) and not set(space.tensors).isdisjoint(
            {*family.tensors, contraction.partner}
        ):
            try:
                moved = verbs.act(space.element(theta, 0), theta)
            except SymmetryError:  # no exact elements are known
                return False
            after = contraction(family.fold.fold(moved))
            pairs = zip(before.raw, after.raw, strict=True)
            if any(len(first_independent_columns(Elements(before.field, np.stack(pair)))) > 1 for pair in pairs):
                return False
    return True


def first_independent_columns(matrix: Elements) -> list[int]:
    """Return the first columns that span those of a matrix; over the reals up to rounding."""
    if not isinstance(matrix.field, Reals):
        return list(verbs.row_reduce(Auto(), matrix.field, matrix.raw).pivots)
    rest, pivots = matrix.raw.copy(), []
    sizes = np.linalg.norm(rest, axis=0)
    for number in range(rest.shape[1]):
        length = np.linalg.norm(rest[:, number])
        if length > SMALL * sizes[number]:
            pivots.append(number)
            direction = rest[:, number] / length
            rest -= np.outer(direction, direction @ rest)
    return pivots
