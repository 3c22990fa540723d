"""Whether any complex weights have given coefficients, by a Groebner basis over the rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algatt.errors import NoSolution
from algatt.geometry.implicit.expansion import Expansion
from algatt.geometry.implicit.singular import run_singular


def has_complex_weights(expansion: Expansion, values: list[Fraction]) -> bool:
    """Return whether complex weights have these coefficients: whether the ideal of all differences is not all
    polynomials (Hilbert's Nullstellensatz). Singular decides this exactly.

    Raises
    ------
    MissingProgram
        If Singular is not installed.
    NoSolution
        If Singular ends without an answer.
    """
    names = [f"w({number})" for number in range(1, expansion.arch.parameters + 1)]
    equations = [f"{written(one, names)}-({value})" for one, value in zip(expansion.polynomials, values, strict=True)]
    answer = run_singular(
        f"ring R = 0, ({','.join(names)}), dp;\nideal I = {','.join(equations)};\n"
        "ideal G = slimgb(I);\nprint(reduce(1, G) == 0);\n"
    )
    if answer not in ("0", "1"):
        raise NoSolution(f"Singular ended with {answer[-80:]!r}")
    return answer == "0"


def written(polynomial: Any, names: list[str]) -> str:
    """Write a coefficient as a polynomial in the weights."""
    terms = []
    for exponents, number in polynomial.terms():
        powers = [f"{name}^{exponent}" for name, exponent in zip(names, exponents, strict=True) if exponent]
        terms.append("*".join([f"({number})", *powers]))
    return "+".join(terms) or "0"
