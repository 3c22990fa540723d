"""All affine vector fields on the weights of a small network that leave its function unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count as count_from

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.errors import DivisionByZero, InvalidArgument, SymmetryError
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.bounds import MOST_POLES
from algatt.geometry.dimensions.elementary.dimension import conditions_of
from algatt.geometry.dimensions.question import Question
from algatt.geometry.fibres.affine_fields import AffineField, affine_field
from algatt.geometry.fibres.unexplained import row_form_of_rows
from algatt.geometry.implicit.lifting import fraction_of
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.verbs.views import Tabled

MOST_WEIGHTS = 64
"""Networks have at most so many weights: the elimination has their number times one more columns."""

PRIMES = 8388593, 8388587
"""The fields are found modulo the first, and again modulo the second."""

IDLE = 2
"""So many weights in a row have to add nothing."""


@dataclass(frozen=True, eq=False)
class Discovery(Tabled):
    """The affine vector fields on the weights of a network that leave its function unchanged.

    Parameters
    ----------
    architecture : Architecture
        The network.
    dimension : int
        The dimension of the space of all of them.
    explained : int
        That of those that are tangent to the orbits of the symmetries known here, at random weights.
    fields : tuple of AffineField
        A basis of the others, modulo these: in echelon form, constants first, so that they move few tensors.
    points : int
        The number of weights that were looked at, for each prime.
    status : str
        ``probable``.
    error : float
        A bound on the probability that a field, modulo both primes, changes the function; 1 where no degree is known.
    """

    architecture: Architecture
    dimension: int
    explained: int
    fields: tuple[AffineField, ...]
    points: int
    status: str
    error: float

    def __repr__(self) -> str:
        return (
            f"Discovery(dimension={self.dimension}, explained={self.explained}, status={self.status!r}, "
            f"moves={[', '.join(field.tensors) for field in self.fields]})"
        )


def discover(arch: NetworkLike, *, seed: int = 0) -> Discovery:
    r"""Return all affine vector fields on the weights of a small network that leave its function unchanged.

    The fields :math:`\dot\theta = A \theta + b` with :math:`J(\theta, X)(A \theta + b) = 0` for all weights and
    inputs, by linear algebra over two prime fields at random points, and those of them that are not tangent to the
    orbits of known symmetries. Cost: an elimination with n^2 + n columns for n weights.

    Parameters
    ----------
    arch : Architecture
        A network; with exponentials, roots or gates it is computed over `Elementary`, at gates of real points.
    seed : int, optional
        Names the random points.

    Returns
    -------
    Discovery
        With `dimension`, `explained`, and the `fields` that are not explained; its status is ``probable``.

    Raises
    ------
    InvalidArgument
        If the network has more weights than the limit, or reads tokens.
    ConditionFailed
        If residues cannot stand for its exponentials, roots or gates.
    """
    arch = as_architecture(arch)
    seed, n = check_seed(seed), arch.parameters
    if n > MOST_WEIGHTS:
        raise InvalidArgument("arch", f"a network with {n} weights", f"one with at most {MOST_WEIGHTS}")
    if arch.vocabulary is not None:
        raise InvalidArgument("arch", f"{arch}, which reads tokens", "a network that reads matrices of numbers")
    question = Question(arch)
    degree = question.degree
    found, points = [], 0
    error = 1.0
    for p in PRIMES:
        field = PrimeField(p)
        if not arch.algebraic:
            conditions_of(question, field, verbs.sample(arch, Weights, field=field, seed=seed), seed)
        equations, points = equations_at_points(arch, field, seed)
        found.append(unexplained_part(arch, field, equations, seed))
        if degree is not None:
            missed = (degree.weights + degree.inputs + 1) / p
            error *= min(1.0, points * missed**IDLE)
    (total, explained, first), (_, _, second) = found
    if first.shape != second.shape:
        raise SymmetryError(
            f"modulo {PRIMES[0]} and {PRIMES[1]} there are {first.shape[0]} and {second.shape[0]} fields that "
            f"nothing explains; take another seed"
        )
    rational = [reconstruct(one, two) for one, two in zip(first, second, strict=True)]
    shapes = {name: (1, 1, *shape)[-2:] for name, shape in verbs.coordinates(arch).items()}
    fields = tuple(affine_field(shapes, vector[:n], vector[n:].reshape(n, n)) for vector in rational)
    return Discovery(arch, total, explained, fields, points, "probable", error)


def equations_at_points(arch: Architecture, field: PrimeField, seed: int) -> tuple[Elements, int]:
    """Return independent equations J(theta, X) (A theta + b) = 0 on (b, A) at random points, all that there are, and
    the number of weights that were looked at.
    """
    n = arch.parameters
    space, kept, idle, points = RowSpace(field, n + n * n), [], 0, 0
    while idle < IDLE:
        theta, gradients = point_with_gradients(arch, field, seed, points)
        points += 1
        independent = RowSpace(field, n)
        independent.add(gradients)
        g = gradients.raw[list(independent.pivot_rows)]
        weights = np.concatenate([element.raw.ravel() for element in theta.elements])
        products = Elements(field, g[:, :, None]) * Elements(field, weights[None, None, :])
        rows = np.concatenate([g, products.raw.reshape(len(g), n * n)], axis=1)
        before = space.rank
        gained = space.add(Elements(field, rows))
        kept.append(rows[[row - (space.rows - len(rows)) for row in space.pivot_rows[before:]]])
        idle = 0 if gained else idle + 1
    return Elements(field, np.concatenate(kept)), points


def point_with_gradients(arch: Architecture, field: PrimeField, seed: int, number: int) -> tuple[Weights, Elements]:
    """Return random weights, and a row of the Jacobian for each of as many inputs, at which there are values."""
    n = arch.parameters
    outputs = np.arange(n) % arch.outputs
    source = field if arch.algebraic else Elementary(field.p)
    for attempt in range(MOST_POLES):
        drawn = seed + 1 + number + attempt * MOST_POLES
        theta = verbs.sample(arch, Weights, field=field, seed=drawn)
        _, rows = verbs.gradients_where_defined(source, arch, theta, drawn, np.arange(n), outputs)
        if rows.shape[0]:
            return theta, rows
    raise DivisionByZero(f"denominators vanish at each of {MOST_POLES} random points over {field}")


def unexplained_part(
    arch: Architecture, field: PrimeField, equations: Elements, seed: int
) -> tuple[int, int, np.ndarray]:
    """Return the dimension of the solutions of equations, that of those that are tangent to orbits of known symmetries,
    and a basis of the others modulo these, in reduced echelon form.
    """
    kernel, _ = row_form_of_rows(verbs.kernel(equations).T)
    residues: list[np.ndarray] = []
    left, idle = kernel.shape[0], 0
    coefficients = Elements.of(field, np.eye(left, dtype=np.int64))
    for number in count_from():
        theta = verbs.sample(arch, Weights, field=field, seed=seed + 1 + number)
        residues.append(beside_orbits(arch, theta, kernel).raw)
        coefficients = verbs.kernel(Elements(field, np.concatenate(residues, axis=1)).T).T
        before, left = left, coefficients.shape[0]
        idle = idle + 1 if left == before else 0
        if idle == IDLE or not left:
            break
    form, pivots = row_form_of_rows(coefficients @ kernel)
    rest = kernel - Elements(field, kernel.raw[:, list(pivots)]) @ form
    basis, _ = row_form_of_rows(rest)
    return kernel.shape[0], left, basis.raw


def beside_orbits(arch: Architecture, theta: Weights, fields: Elements) -> Elements:
    """Return the velocities of fields at weights, modulo the tangents of the known symmetries."""
    field, n = theta.field, arch.parameters
    weights = Elements(field, np.concatenate([element.raw.ravel() for element in theta.elements])[:, None])
    count = fields.shape[0]
    linear = Elements(field, fields.raw[:, n:].reshape(count * n, n)) @ weights
    velocities = Elements(field, fields.raw[:, :n]) + Elements(field, linear.raw.reshape(count, n))
    families = verbs.symmetries(arch)
    if not families:
        return velocities
    form, pivots = row_form_of_rows(
        Elements(field, np.concatenate([family.tangent_elements(theta).raw for family in families]))
    )
    return velocities - Elements(field, velocities.raw[:, list(pivots)]) @ form


def reconstruct(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the rational numbers with these residues modulo both primes."""
    values = np.full(len(first), Fraction(0), dtype=object)
    for place in np.flatnonzero(first).tolist():
        found = fraction_of(int(first[place]), PRIMES[0])
        if found is None or (found[0] - int(second[place]) * found[1]) % PRIMES[1]:
            raise SymmetryError(NO_FRACTION)
        values[place] = Fraction(*found)
    if second[first == 0].any():
        raise SymmetryError(NO_FRACTION)
    return values


NO_FRACTION = "a field has no small rational numbers as coefficients; take another seed"
