"""Equations between products of powers of unknown numbers, solved by the Smith normal form of their exponents."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field


def solve_monomials(
    field: Field, exponents: np.ndarray, values: Sequence[Elements], late: Container[int] = ()
) -> list[Elements] | None:
    r"""Return numbers :math:`x_k` with :math:`\prod_k x_k^{a_{ik}} = v_i` for all i, or None if there are none.

    Numbers that are `late` are 1 if others can be solved for in place of them. Rows and columns of the exponents
    are combined over the integers until they are diagonal; what is left are roots. Equations that have to hold of
    the values alone are left to who checks the solution, as over the reals they hold up to rounding.
    """
    A = [[int(entry) for entry in row] for row in exponents]
    b = list(values)
    height, width = exponents.shape
    V = [[int(i == j) for j in range(width)] for i in range(width)]
    numbers = list(range(width))
    done = 0
    while done < min(height, width):
        places = [
            (abs(A[i][j]), numbers[j] in late, i, j) for i in range(done, height) for j in range(done, width) if A[i][j]
        ]
        if not places:
            break
        *_, i, j = min(places)
        numbers[done], numbers[j] = numbers[j], numbers[done]
        A[done], A[i] = A[i], A[done]
        b[done], b[i] = b[i], b[done]
        for rows in (A, V):
            for row in rows:
                row[done], row[j] = row[j], row[done]
        pivot = A[done][done]
        for i in range(done + 1, height):
            quotient = A[i][done] // pivot
            if quotient:
                A[i] = [one - quotient * other for one, other in zip(A[i], A[done], strict=True)]
                b[i] = b[i] * b[done] ** -quotient
        for j in range(done + 1, width):
            quotient = A[done][j] // pivot
            if quotient:
                for rows in (A, V):
                    for row in rows:
                        row[j] -= quotient * row[done]
        if not any(A[i][done] for i in range(done + 1, height)) and not any(A[done][done + 1 :]):
            done += 1
    one = Elements.of(field, [[1]])
    solution = [one] * width
    for k in range(done):
        degree = A[k][k]
        value = b[k] if degree > 0 else b[k].reciprocal()
        raw = value.raw if abs(degree) == 1 else verbs.root(field, value.raw, abs(degree))
        if raw is None:
            return None
        solution[k] = Elements(field, raw)
    return [product_of_powers(one, solution, V[k]) for k in range(width)]


def product_of_powers(one: Elements, numbers: Sequence[Elements], exponents: Sequence[int]) -> Elements:
    """Return a product of powers."""
    result = one
    for number, exponent in zip(numbers, exponents, strict=True):
        if exponent:
            result = result * number**exponent
    return result
