"""The virtual weights of two layers from values over GF(p): the proof of HMK Theorem 3.7 as an algorithm.

With P_0 = X X^T and Z = P_0 M_1 X the function is L P_1 M_2 Z, and P_1 = Z Z^T: the second layer is one layer with A
= M_2, V = L at the tokens Z.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements, Field
from algatt.geometry.identification.factor import solution
from algatt.geometry.identification.identification import NotIdentified, not_of_rank_one
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms

BATCHES = 4
"""At most so many batches of random inputs are tried until a linear system has its full rank."""

ODD_POWERS = (1, 3, 5, 7, 9)
"""The powers of lambda in the column of the token lambda y."""


def linear_part_weights(field: Field) -> tuple[Elements, Elements]:
    """Return 1, ..., 5 and weights w_i with sum w_i f(i) the linear coefficient of odd polynomials f of degree nine."""
    numbers = Elements.of(field, list(range(1, len(ODD_POWERS) + 1)))  # their squares differ if p > 9
    columns, power = [], numbers
    for _ in ODD_POWERS:
        columns.append(power.raw)
        power = power * numbers * numbers
    inverse = verbs.inverse(Elements(field, np.stack(columns, axis=1)))
    return numbers, Elements(field, inverse.raw[:1])


def inputs_of_pairs(arch: Lightning, tokens: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the raw inputs x, lambda y, 0, ... for all tokens x, unit vectors y and numbers lambda: the first axes."""
    count, d = tokens.shape
    X = np.zeros((count, d, len(numbers), d, arch.tokens), dtype=tokens.dtype)
    X[..., 0] = tokens[:, None, None, :]
    for i in range(d):
        X[:, i, :, i, 1] = numbers
    return X


def linear_parts(oracle: Oracle, arch: Lightning, tokens: Elements) -> Elements:
    """Return for each token x the matrix B(x) with B(x) y the linear part of the column of y at tokens x, y, 0, ...

    For two layers it is q_1(x)^2 q_2(x) (L x) (x^T M_1), with q_i(x) = x^T M_i x: of rank at most one.
    """
    field = tokens.field
    numbers, weights = linear_part_weights(field)
    X = inputs_of_pairs(arch, tokens.raw, numbers.raw)
    values = oracle.values(arch, Elements(field, X.reshape(-1, *X.shape[-2:])))
    columns = values.raw[:, :, 1].reshape(*X.shape[:3], arch.dims[-1])
    return Elements(field, np.swapaxes((weights @ Elements(field, columns)).raw[:, :, 0], 1, 2))


def direction(part: Elements) -> np.ndarray:
    """Return a vector that spans the rows of a matrix of rank one; raise `NotIdentified` if its rank is larger."""
    if int(verbs.rank(part)) > 1:
        raise not_of_rank_one()
    row: np.ndarray = part.raw[(part.raw != 0).any(axis=1)][0]
    return row


def parallel_equations(tokens: Elements, directions: Elements) -> Elements:
    """Return the equations of "x^T M is parallel to r" for the entries of M, row by row: d of them for each (x, r)."""
    field, (count, d) = tokens.field, tokens.shape
    pivots = np.argmax(directions.raw != 0, axis=1)
    numbers = np.arange(count)
    annihilators = np.zeros((count, d, d), dtype=directions.raw.dtype)
    annihilators[:, range(d), range(d)] = directions.raw[numbers, pivots][:, None]
    annihilators[numbers, :, pivots] = (Elements(field, annihilators[numbers, :, pivots]) - directions).raw
    equations = Elements(field, annihilators[:, :, None, :]) * Elements(field, tokens.raw[:, None, :, None])
    return Elements(field, equations.raw.reshape(count * d, d * d))


def attention_of_first_layer(oracle: Oracle, arch: Lightning, seed: int) -> Elements | None:
    """Return M_1 up to scale, or None if the linear parts vanish at all tokens that were tried.

    Raises
    ------
    NotIdentified
        If there is no M_1, or it is not unique up to scale.
    """
    field, d = oracle.field, arch.dims[0]
    systems: list[np.ndarray] = []
    for batch in range(BATCHES):
        drawn = verbs.draw_array(field, shape=(2 * d + 2, d), seed=seed, label=f"identify/token/{batch}")
        tokens = Elements(field, drawn)
        parts = linear_parts(oracle, arch, tokens)
        seen = np.flatnonzero((parts.raw != 0).any(axis=(1, 2)))
        if not len(seen):
            continue
        directions = Elements(field, np.stack([direction(Elements(field, parts.raw[i])) for i in seen]))
        systems.append(parallel_equations(Elements(field, tokens.raw[seen]), directions).raw)
        basis = verbs.kernel(Elements(field, np.concatenate(systems)))
        if basis.shape[1] == 0:
            raise NotIdentified("no matrix M_1 gives the linear parts of the values in one token")
        if basis.shape[1] == 1:
            return Elements(field, basis.raw.reshape(d, d))
    if not systems:
        return None
    origin = "the linear parts of the values in one token"
    raise NotIdentified(f"M_1 is not determined by {origin}, as if its rank were one", undecided=True)


def equations_of_forms(Z: Elements) -> Elements:
    """Return z_c (Z Z^T)_{ij}, i <= j, in each of the t columns of tokens Z: equations for coefficients."""
    count, d, t = Z.shape
    upper = np.triu_indices(d)
    gram = (Z @ Z.T).raw[:, upper[0], upper[1]]
    rows = Elements(Z.field, Z.T.raw[:, :, :, None]) * Elements(Z.field, gram[:, None, None, :])
    return Elements(Z.field, rows.raw.reshape(count * t, d * len(upper[0])))


def coefficients_of_forms(found: np.ndarray, d: int) -> np.ndarray:
    """Return solutions of `equations_of_forms`, a column for each output, as upper triangles: (d, outputs, d, d)."""
    upper = np.triu_indices(d)
    outputs = found.shape[1]
    coefficients = np.zeros((d, outputs, d, d), dtype=found.dtype)
    coefficients[:, :, upper[0], upper[1]] = found.reshape(d, -1, outputs).swapaxes(1, 2)
    return coefficients


def forms_of_second_layer(oracle: Oracle, arch: Lightning, M1: Elements, seed: int) -> QuadraticForms:
    """Return the forms (m_c . x)(l_o . x) of the columns of M_2 and the rows of L, as values at random inputs say.

    Where M_1 has rank two or more, two tokens Z = X (X^T M_1 X) fill an open set (derived), so the forms are unique;
    the rank of the equations is checked.
    """
    field, (d, _, e), t = oracle.field, arch.dims, arch.tokens
    unknowns = d * d * (d + 1) // 2
    count = unknowns // t + 2
    systems: list[np.ndarray] = []
    for batch in range(BATCHES):
        X = Elements(field, verbs.draw_array(field, shape=(count, d, t), seed=seed, label=f"identify/input/{batch}"))
        rows = equations_of_forms(X @ X.T @ (M1 @ X))
        systems.append(np.concatenate([rows.raw, oracle.values(arch, X).T.raw.reshape(count * t, e)], axis=1))
        found = unique_solution(Elements(field, np.concatenate(systems)), unknowns)
        if found is not None:
            return QuadraticForms(Lightning((d, e), (d,), t), Elements(field, coefficients_of_forms(found.raw, d)))
    equations = "their equations have a kernel"
    raise NotIdentified(f"the values at random inputs do not determine the second layer: {equations}", undecided=True)


def unique_solution(system: Elements, unknowns: int) -> Elements | None:
    """Return the solution of equations with their right sides, or None if there are several; raise if there is none."""
    field, raw = system.field, system.raw
    left, right = Elements(field, raw[:, :unknowns]), Elements(field, raw[:, unknowns:])
    found = solution(left, right)
    if found is None:
        raise NotIdentified("no second layer continues the only M_1 that fits")
    return found if int(verbs.rank(left)) == unknowns else None
