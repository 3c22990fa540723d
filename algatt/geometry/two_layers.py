"""The virtual weights of two layers from values: the proof of HMK Theorem 3.7 as an algorithm.

With P_0 = X X^T and Z = P_0 M_1 X the function is L P_1 M_2 Z, and P_1 = Z Z^T: the second layer is one layer with A = M_2, V = L at the tokens Z.
"""

from __future__ import annotations

import math

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements, Field, PrimeField
from algatt.geometry.factor import relative_error, solution
from algatt.geometry.quadratic_forms import Oracle, QuadraticForms

__all__ = ["NotIdentified", "attention_of_first_layer", "forms_of_second_layer", "numerical_rank"]

BATCHES = 4
"""At most so many batches of random inputs are tried until a linear system has its full rank."""

ODD_POWERS = (1, 3, 5, 7, 9)
"""The powers of lambda in the column of the token lambda y."""

VANISHING = 1e-11
"""Over the reals: a linear part that is smaller than this part of the values is rounding."""

GAP = 1e3
"""Over the reals: the least ratio of the singular values on both sides of a rank."""


class NotIdentified(Exception):
    """Why no parameters were found.

    Parameters
    ----------
    reason : str
        In words.
    undecided : bool
        Whether there may still be some.
    difference : float, optional
        Over the reals: how far the values are from those of the nearest member that was tried.
    """

    def __init__(self, reason: str, undecided: bool = False, difference: float | None = None) -> None:
        super().__init__(reason)
        self.undecided = undecided
        self.difference = difference


def numerical_rank(matrix: Elements, tolerance: float) -> int:
    """Return the rank: exact over GF(p); over the reals the number of singular values above the tolerance times the largest."""
    if isinstance(matrix.field, PrimeField):
        return int(verbs.rank(matrix))
    values = np.linalg.svd(matrix.raw, compute_uv=False)
    return int((values > tolerance * values[0]).sum()) if values.any() else 0


def nodes(field: Field) -> Elements:
    """Return five numbers with different squares: 1, ..., 5 over GF(p), p > 9; over the reals their squares are Chebyshev nodes of [0, 1]."""
    numbers = range(1, len(ODD_POWERS) + 1)
    if isinstance(field, PrimeField):
        return Elements.of(field, list(numbers))
    return Elements.of(field, [math.sin((2 * i - 1) * math.pi / (4 * len(ODD_POWERS))) for i in numbers])


def linear_part_weights(field: Field) -> tuple[Elements, Elements]:
    """Return numbers lambda_i and weights w_i such that sum w_i f(lambda_i) is the linear coefficient of every odd polynomial f of degree nine."""
    numbers = nodes(field)
    columns, power = [], numbers
    for _ in ODD_POWERS:
        columns.append(power.raw)
        power = power * numbers * numbers
    inverse = verbs.inverse(Elements(field, np.stack(columns, axis=1)))
    return numbers, Elements(field, inverse.raw[:1])


def linear_parts(oracle: Oracle, arch: Lightning, tokens: Elements) -> tuple[Elements, np.ndarray]:
    """Return for each token x the matrix B(x) with B(x) y the part, linear in y, of the column of y at tokens x, y, 0, ...; and whether it vanishes.

    For two layers it is q_1(x)^2 q_2(x) (L x) (x^T M_1), with q_i(x) = x^T M_i x: of rank at most one.
    """
    field, (count, d) = tokens.field, tokens.shape
    numbers, weights = linear_part_weights(field)
    powers = len(ODD_POWERS)
    X = np.zeros((count, d, powers, d, arch.tokens), dtype=tokens.raw.dtype)  # x, the number of the unit vector y, lambda
    X[..., 0] = tokens.raw[:, None, None, :]
    for i in range(d):
        X[:, i, :, i, 1] = numbers.raw
    values = oracle.values(arch, Elements(field, X.reshape(-1, d, arch.tokens)))
    columns = values.raw[:, :, 1].reshape(count, d, powers, arch.dims[-1])
    parts = (weights @ Elements(field, columns)).raw[:, :, 0]
    largest = np.abs(columns).max(axis=(1, 2, 3))
    small = 0 if isinstance(field, PrimeField) else VANISHING * largest
    return Elements(field, np.swapaxes(parts, 1, 2)), np.abs(parts).max(axis=(1, 2)) <= small


def direction(part: Elements, tolerance: float) -> np.ndarray:
    """Return a vector that spans the rows of a matrix of rank one; raise `NotIdentified` if its rank is larger."""
    if numerical_rank(part, math.sqrt(tolerance)) > 1:
        raise NotIdentified("the linear part of the column of one token, next to a second token, has rank two or more; two layers have rank one")
    if isinstance(part.field, PrimeField):
        row: np.ndarray = part.raw[(part.raw != 0).any(axis=1)][0]
        return row
    vector: np.ndarray = np.linalg.svd(part.raw)[2][0]
    return vector


def parallel_equations(tokens: Elements, directions: Elements) -> Elements:
    """Return the equations of "x^T M is parallel to r" for the entries of M, row by row: d of them for each pair (x, r)."""
    field, (count, d) = tokens.field, tokens.shape
    pivots = np.argmax(directions.raw != 0 if isinstance(field, PrimeField) else np.abs(directions.raw), axis=1)
    numbers = np.arange(count)
    annihilators = np.zeros((count, d, d), dtype=directions.raw.dtype)
    annihilators[:, range(d), range(d)] = directions.raw[numbers, pivots][:, None]
    annihilators[numbers, :, pivots] = (Elements(field, annihilators[numbers, :, pivots]) - directions).raw
    equations = Elements(field, annihilators[:, :, None, :]) * Elements(field, tokens.raw[:, None, :, None])
    return Elements(field, equations.raw.reshape(count * d, d * d))


def null_space(equations: Elements, tolerance: float) -> Elements:
    """Return a basis of the kernel as columns; over the reals singular values below the square root of the tolerance count as zero."""
    if isinstance(equations.field, PrimeField):
        return verbs.kernel(equations)
    width = equations.shape[1]
    _, values, right = np.linalg.svd(equations.raw)
    rank = int((values > math.sqrt(tolerance) * values[0]).sum()) if values.any() else 0
    if 0 < rank < len(values) and values[rank - 1] < GAP * values[rank]:
        raise NotIdentified("the singular values of the equations for M_1 have no gap", undecided=True)
    return Elements(equations.field, right[rank:width].T)


def attention_of_first_layer(oracle: Oracle, arch: Lightning, seed: int, tolerance: float) -> Elements | None:
    """Return M_1 up to scale, or None if the linear parts vanish at all tokens that were tried.

    Raises
    ------
    NotIdentified
        If there is no M_1, or it is not unique up to scale.
    """
    field, d = oracle.field, arch.dims[0]
    equations = Elements(field, np.zeros((0, d * d), dtype=nodes(field).raw.dtype))
    for batch in range(BATCHES):
        tokens = Elements(field, verbs.draw_array(field, shape=(2 * d + 2, d), seed=seed, label=f"identify/token/{batch}"))
        parts, vanishing = linear_parts(oracle, arch, tokens)
        seen = np.flatnonzero(~vanishing)
        if not len(seen):
            continue
        directions = Elements(field, np.stack([direction(Elements(field, parts.raw[i]), tolerance) for i in seen]))
        further = parallel_equations(Elements(field, tokens.raw[seen]), directions)
        equations = Elements(field, np.concatenate([equations.raw, further.raw]))
        basis = null_space(equations, tolerance)
        if basis.shape[1] == 0:
            raise NotIdentified("no matrix M_1 gives the linear parts of the values in one token")
        if basis.shape[1] == 1:
            return Elements(field, basis.raw.reshape(d, d))
    if not len(equations.raw):
        return None
    raise NotIdentified("M_1 is not determined by the linear parts of the values in one token, as if its rank were one", undecided=True)


def forms_of_second_layer(oracle: Oracle, arch: Lightning, M1: Elements, seed: int, tolerance: float) -> QuadraticForms:
    """Return the forms (m_c . x)(l_o . x), with the columns m_c of M_2 and the rows l_o of L, that the values at random inputs determine.

    Where M_1 has rank two or more, two tokens Z = X (X^T M_1 X) fill an open set (derived), so the forms are unique; the rank of the equations is
    checked.
    """
    field, (d, _, e), t = oracle.field, arch.dims, arch.tokens
    upper = np.triu_indices(d)
    unknowns = d * len(upper[0])
    count = unknowns // t + 2 if isinstance(field, PrimeField) else 2 * (unknowns // t + 2)
    systems: list[np.ndarray] = []
    for batch in range(BATCHES):
        X = Elements(field, verbs.draw_array(field, shape=(count, d, t), seed=seed, label=f"identify/input/{batch}"))
        Z = X @ X.T @ (M1 @ X)
        gram = (Z @ Z.T).raw[:, upper[0], upper[1]]
        rows = Elements(field, Z.T.raw[:, :, :, None]) * Elements(field, gram[:, None, None, :])
        values = oracle.values(arch, X).T
        systems.append(np.concatenate([rows.raw.reshape(count * t, unknowns), values.raw.reshape(count * t, e)], axis=1))
        found = unique_solution(Elements(field, np.concatenate(systems)), unknowns, tolerance)
        if found is not None:
            coefficients = np.zeros((d, e, d, d), dtype=found.raw.dtype)
            coefficients[:, :, upper[0], upper[1]] = found.raw.reshape(d, -1, e).swapaxes(1, 2)
            return QuadraticForms(Lightning((d, e), (d,), t), Elements(field, coefficients))
    raise NotIdentified("the values at random inputs do not determine the second layer: their equations have a kernel", undecided=True)


def unique_solution(system: Elements, unknowns: int, tolerance: float) -> Elements | None:
    """Return the solution of equations given with their right sides, or None if there are several; raise `NotIdentified` if there is none."""
    field, raw = system.field, system.raw
    if not isinstance(field, PrimeField):
        size = np.linalg.norm(raw[:, :unknowns], axis=1, keepdims=True)
        raw = raw[size[:, 0] > 0] / size[size[:, 0] > 0]
    left, right = Elements(field, raw[:, :unknowns]), Elements(field, raw[:, unknowns:])
    found = solution(left, right)
    if found is None or relative_error(left @ found, right) > math.sqrt(tolerance):
        raise NotIdentified("no second layer continues the only M_1 that fits")
    return found if numerical_rank(left, tolerance) == unknowns else None
