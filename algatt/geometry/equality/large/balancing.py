"""Matrices and numbers that balance the tensors of a network, so that only isometries are left of its group.

For a space in which a general g acts, let X be the rows that g multiplies, of all its tensors side by side, and Y those
that g^-T multiplies, so that Y^T X is what the network sees. With X = R^T (..) and Y = S^T (..) and the singular values
s of S R^T = W s U^T, the matrix g = s^(1/2) U^T R^-T makes X X^T = Y Y^T = s. All this is constant under isometries
of the other sides of the tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algatt.errors import NoNormalForm
from algatt.geometry.equality.large.change import CoordinateChange, Pair
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace
from algatt.symmetry.discrete.symmetry import Side

APART = 2.0**-40
"""Numbers nearer than this to each other, beside the largest, are not told apart by float64."""

SWEEPS = 200
"""Numbers of which one changes what another one has to be are found in so many rounds at most."""

CONVERGED = 1e-15
"""A round that changes numbers by less is the last."""


@dataclass(frozen=True, eq=False)
class Balancing:
    """The element that balances the tensors of a point, and what it found on the way that no symmetry changes.

    Parameters
    ----------
    change : CoordinateChange
        The element.
    spectra : dict of MatrixSpace to ndarray
        The singular values of what the network sees of each space: of products of queries and keys, or of values and
        what reads them; of a pair that is turned the product of the norms.
    """

    change: CoordinateChange
    spectra: Mapping[MatrixSpace, np.ndarray]


def balance(motions: LargeMotions, tensors: Mapping[str, np.ndarray], *, decided: bool = True) -> Balancing:
    """Return the element that balances tensors in standard position.

    Parameters
    ----------
    motions : LargeMotions
        How tensors move.
    tensors : dict of str to ndarray
        The tensors.
    decided : bool, optional
        Whether singular values that coincide are refused, as they leave a choice of the element.

    Raises
    ------
    NoNormalForm
        If a space has a tensor whose other side moves by more than isometries, or tensors of less rank than it has
        dimensions, or singular values coincide.
    """
    matrices: dict[MatrixSpace, Pair] = {}
    numbers: dict[Factors, np.ndarray] = {}
    spectra: dict[MatrixSpace, np.ndarray] = {}
    for space in motions.spaces:
        if not space.rigid:
            for side in space.sides:
                check_isometric(motions, space.name, (side.tensor, 1 - side.axis))
            matrices[space], spectra[space] = balanced_space(space, tensors)
            if decided:
                check_decided(space, spectra[space])
    for one in motions.coordinates:
        numbers.update(balanced_numbers(motions, one, tensors))
    return Balancing(CoordinateChange(motions, {}, matrices, {}, numbers), spectra)


def check_isometric(motions: LargeMotions, name: str, side: Side) -> None:
    """Raise `NoNormalForm` unless a side of a tensor moves by isometries only."""
    other = next((one for one, _ in motions.spaces_by_side.get(side, ()) if not one.rigid), None)
    found = motions.coordinates_by_side.get(side)
    factors = () if found is None else found.factors
    numbers = any(factor.exponents.get(side, 0) and not factor.signs for factor in factors)
    if other is not None or numbers:
        raise NoNormalForm(f"no balanced form is known for the {name}: {side[0]} moves on its other side as well")


def is_read(space: MatrixSpace) -> bool:
    """Return whether a network sees a general space: it has tensors on both sides. What is seen of others, a single
    vector, is a unit vector in the balanced form.
    """
    return space.rigid or len({side.inverse for side in space.sides}) > 1


def is_transposed(space: MatrixSpace) -> bool:
    """Return whether tensors of a space are multiplied by h = g^T and its inverse transpose, and not by h = g."""
    found = {side.inverse != side.turned for side in space.sides}
    if len(found) > 1:
        raise NoNormalForm(f"no balanced form is known for the {space.name}: a matrix and its transpose act in it")
    return found.pop()


def matrix_of(space: MatrixSpace, h: np.ndarray, inverse: np.ndarray) -> Pair:
    """Return the matrix of a space, and its inverse, that multiplies rows by h, or by its inverse transpose."""
    return (h.T, inverse.T) if is_transposed(space) else (h, inverse)


def both_kinds(space: MatrixSpace, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the rows that h multiplies, those that its inverse transpose does, and whether the first are rows of
    tensors and the second columns (1), the other way round (-1), or neither (0).
    """
    rows: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    axes: tuple[set[int], set[int]] = (set(), set())
    for side in space.sides:
        rows[side.inverse].append(side.rows(tensors[side.tensor]))
        axes[side.inverse].add(side.axis)
    none = [np.zeros((space.size, 0))]
    first, second = np.concatenate(rows[0] or none, axis=1), np.concatenate(rows[1] or none, axis=1)
    return first, second, int(axes == ({0}, {1})) - int(axes == ({1}, {0}))


def balanced_space(space: MatrixSpace, tensors: Mapping[str, np.ndarray]) -> tuple[Pair, np.ndarray]:
    """Return the matrix that balances the tensors of a space, with its inverse, and what no matrix changes."""
    first, second, kind = both_kinds(space, tensors)
    if space.group == "general":
        h, inverse, spectrum = balanced(space.name, first, second, kind)
        return matrix_of(space, h, inverse), spectrum
    turned = 2 * len(space.speeds)
    sizes = [np.linalg.norm(one[:turned].reshape(len(space.speeds), -1), axis=1) for one in (first, second)]
    check_positive(space.name, *sizes)
    numbers, spectrum = np.sqrt(sizes[1] / sizes[0]) + 0j, sizes[0] * sizes[1]
    if turned == space.size:
        return matrix_of(space, space.turning(numbers, None), space.turning(1 / numbers, None)), spectrum
    h, inverse, more = balanced(space.name, first[turned:], second[turned:], kind)
    pair = space.turning(numbers, h), space.turning(1 / numbers, inverse)
    return matrix_of(space, *pair), np.concatenate([spectrum, more])


def balanced(name: str, X: np.ndarray, Y: np.ndarray, kind: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the h that makes X X^T and Y Y^T equal and diagonal, or, if one of these are rows and the other columns,
    the rows orthonormal; its inverse; and the singular values of Y^T X.
    """
    size = len(X)
    if not X.shape[1] or not Y.shape[1]:
        Q, triangle = np.linalg.qr(X if X.shape[1] else Y, mode="complete")
        length = triangle[0, 0]
        if X.shape[1] + Y.shape[1] > 1 or not length:
            raise NoNormalForm(f"no balanced form is known for the {name}: its tensors are all on one side of it")
        sizes = np.concatenate([[1 / length if X.shape[1] else length], np.ones(size - 1)])
        return sizes[:, None] * Q.T, Q / sizes, np.zeros(0)
    if min(X.shape[1], Y.shape[1]) < size:
        raise NoNormalForm(f"the {name} has {size} dimensions, which is more than its tensors tell apart")
    R, S = np.linalg.qr(X.T)[1], np.linalg.qr(Y.T)[1]
    _, sizes, Ut = np.linalg.svd(S @ R.T)
    check_positive(name, sizes)
    scales = {0: np.sqrt(sizes), 1: np.ones(size), -1: sizes}[kind]
    h = scales[:, None] * np.linalg.solve(R, Ut.T).T
    inverse = R.T @ Ut.T / scales
    return h, inverse, sizes


def check_decided(space: MatrixSpace, spectrum: np.ndarray) -> None:
    """Raise `NoNormalForm` if two singular values are the same as far as floats tell; norms of pairs may be."""
    check_distinct(f"singular values of the {space.name}", spectrum[len(space.speeds) :])


def check_positive(name: str, *numbers: np.ndarray) -> None:
    """Raise `NoNormalForm` where a number is zero as far as floats tell."""
    if any(one.min() <= APART * one.max() for one in numbers):
        raise NoNormalForm(f"the {name} has more dimensions than its tensors tell apart")


def check_distinct(what: str, numbers: np.ndarray) -> None:
    """Raise `NoNormalForm` if two numbers are the same as far as floats tell."""
    ordered = np.sort(numbers)
    if len(ordered) > 1 and np.diff(ordered).min() <= APART * np.abs(ordered).max():
        raise NoNormalForm(f"two {what} are equal, as far as float64 tells")


def balanced_numbers(
    motions: LargeMotions, one: Coordinates, tensors: Mapping[str, np.ndarray]
) -> dict[Factors, np.ndarray]:
    """Return the numbers that make the norms of what they multiply equal to the norms of what their inverses do."""
    free = [factors for factors in one.factors if not factors.signs]
    numbers = {factors: np.ones(one.size) for factors in free}
    squares: dict[Side, np.ndarray] = {}
    for factors in free:
        for name, axis in factors.exponents:
            check_isometric(motions, one.name, (name, 1 - axis))
            squares[name, axis] = np.sum(tensors[name] ** 2, axis=1 - axis)
    for _ in range(SWEEPS):
        change = 0.0
        for factors in free:
            step = np.exp(step_of(one, factors, squares) / 2)
            change = max(change, float(np.abs(step - 1).max()))
            numbers[factors] *= step
            for side, power in factors.exponents.items():
                squares[side] = squares[side] * step ** (2 * power)
        if change <= CONVERGED or len(free) == 1:
            break
    return numbers


def step_of(one: Coordinates, factors: Factors, squares: Mapping[Side, np.ndarray]) -> np.ndarray:
    """Return the logarithms of the squares of the numbers that balance coordinates, if no others change."""
    powers = set(factors.exponents.values()) - {0}
    sums = {power: sum_of(factors, squares, power) for power in powers}
    if not (powers <= {1, -1}) or any(np.any(total == 0) for total in sums.values()):
        raise NoNormalForm(f"the numbers that multiply the {one.name} are not balanced: they are zero, or powers")
    if len(powers) == 1:
        (power,) = powers
        return -power * np.log(sums[power])
    return (np.log(sums[-1]) - np.log(sums[1])) / 2


def sum_of(factors: Factors, squares: Mapping[Side, np.ndarray], power: int) -> np.ndarray:
    """Return the sums of squares over what is multiplied by a power of numbers, the same for those that are equal."""
    sides: Sequence[Side] = [side for side, its in factors.exponents.items() if its == power]
    total = np.sum([squares[side] for side in sides], axis=0)
    for places in factors.equal:
        total[list(places)] = total[list(places)].sum()
    return total
