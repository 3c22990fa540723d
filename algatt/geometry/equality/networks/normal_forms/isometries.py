r"""Matrices with given products of rows: for Gram matrices G and B an R with :math:`R B R^T = G`, always the same one.

Over the reals it is made of Cholesky factors. Over GF(p) two forms of one discriminant are equivalent: G and B are made
diagonal without roots, and diagonal forms are matched one number at a time, with the square roots of numbers that have
one. Which of two roots is taken is a convention.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import NoNormalForm
from algatt.fields import Elements, PrimeField, Reals


def isometry(G: Elements, B: Elements, space: str) -> Elements:
    """Return a matrix R with R B R^T = G that depends on G and B only.

    Raises
    ------
    NoNormalForm
        Over Q, where there may be none without roots; and where a leading minor of G or B vanishes, or nearly so.
    """
    field = G.field
    if isinstance(field, Reals):
        return real_isometry(G, B, space)
    if not isinstance(field, PrimeField):
        raise NoNormalForm(f"{space} is moved by orthogonal matrices: over {field} a normal form asks for square roots")
    (L, d), (M, e) = (without_roots(form, space) for form in (G, B))
    S = matched_diagonals(field, d, e, space)  # S diag(e) S^T = diag(d)
    return L @ S @ verbs.inverse(M)


def real_isometry(G: Elements, B: Elements, space: str) -> Elements:
    """Return the product of the Cholesky factors."""
    try:
        L, M = (np.linalg.cholesky(form.raw) for form in (G, B))
    except np.linalg.LinAlgError:
        raise NoNormalForm(
            f"the tensors that {space} moves are nearly dependent: floats do not tell their frame"
        ) from None
    return Elements(G.field, L @ np.linalg.inv(M))


def without_roots(G: Elements, space: str) -> tuple[Elements, list[int]]:
    """Return a lower triangular matrix L with ones, and d, with L diag(d) L^T = G."""
    field, n = G.field, G.shape[0]
    p = field.characteristic
    A = [[int(entry) for entry in row] for row in G.raw.tolist()]
    L = [[int(i == j) for j in range(n)] for i in range(n)]
    for k in range(n):
        if not A[k][k]:
            raise NoNormalForm(
                f"the tensors that {space} moves have no generic frame: a minor of their products vanishes"
            )
        inverse = pow(A[k][k], -1, p)
        for i in range(k + 1, n):
            L[i][k] = A[i][k] * inverse % p
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                A[i][j] = (A[i][j] - L[i][k] * A[k][j]) % p
    return Elements.of(field, np.array(L)), [A[k][k] for k in range(n)]


def matched_diagonals(field: PrimeField, d: list[int], e: list[int], space: str) -> Elements:
    """Return S with S diag(e) S^T = diag(d).

    Where d_k / e_k is a square, row k has one entry. Else two rows are taken together: x^2 e_1 + y^2 e_2 = d_1 has a
    solution, and the row (-y e_2, x e_1) is orthogonal to it.
    """
    p, n = field.p, len(d)
    S = [[0] * n for _ in range(n)]
    for k in range(n):
        root = square_root(field, d[k] * pow(e[k], -1, p))
        if root is not None:
            S[k][k] = root
            continue
        if k + 1 == n:
            raise NoNormalForm(f"{space} has another discriminant than its frame")
        x, y = represented(field, e[k], e[k + 1], d[k])
        S[k][k], S[k][k + 1] = x, y
        # on the complement of that row the form is e_k e_{k+1} / d_k times a square, which takes the place of e_{k+1}
        tail = [[-y * e[k + 1] % p, x * e[k] % p]]
        norm = (tail[0][0] ** 2 * e[k] + tail[0][1] ** 2 * e[k + 1]) % p
        basis = Elements.of(field, np.array([*S[k][k : k + 2], *tail[0]]).reshape(2, 2))
        rest = matched_diagonals(field, d[k + 1 :], [norm, *e[k + 2 :]], space)
        for i in range(k + 1, n):
            first = int(rest.raw[i - k - 1, 0])
            S[i][k], S[i][k + 1] = (first * int(entry) % p for entry in basis.raw[1])
            for j in range(k + 2, n):
                S[i][j] = int(rest.raw[i - k - 1, j - k - 1])
        break
    return Elements.of(field, np.array(S))


def represented(field: PrimeField, a: int, b: int, c: int) -> tuple[int, int]:
    """Return the first x, and a y, with a x^2 + b y^2 = c; y is not zero."""
    for x in range(field.p):
        y = square_root(field, (c - a * x * x) * pow(b, -1, field.p))
        if y:
            return x, y
    raise NoNormalForm(f"no number of {field} is represented by a form of two squares")  # there is one for p > 3


def square_root(field: PrimeField, number: int) -> int | None:
    """Return the smaller square root of a number, or None."""
    raw = verbs.root(field, Elements.of(field, [[number % field.p]]).raw, 2) if number % field.p else np.array([[0]])
    if raw is None:
        return None
    root = int(raw[0, 0])
    return min(root, field.p - root) if root else 0
