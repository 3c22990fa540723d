r"""The degree of the closure of a neuromanifold by Groebner bases modulo a prime.

With D free weights u and the others fixed, such that the functions of u are dense in the closure X of dimension D, and
the coordinates :math:`\varphi(u) \in K^N`, the solutions of D random affine linear equations
:math:`A \varphi(u) = b` are finitely many: almost all sections :math:`A c = b` meet X in deg X points, all of them
values, each at as many u as a generic function has. So

.. math:: \deg X = \frac{\dim K[u] / (A \varphi(u) - b)}{\dim K[u] / (\varphi(u) - \varphi(u_0))}.

Nothing has to be removed: where a coordinate is no polynomial there is no network here, and where infinitely many u
have one function, the functions have a dimension of at most D - 1, and a generic section misses them.
"""

from __future__ import annotations

from typing import Any

from algatt.errors import DegreeUndecided
from algatt.geometry.degrees.charts import Chart, chart
from algatt.geometry.implicit.expansion import Expansion, residue_of
from algatt.geometry.implicit.singular import run_singular
from algatt.randomness import random_residues

PRIME = 32003
"""Prime of the equations: the largest whose products Singular looks up in tables."""


def degree_modulo_prime(expansion: Expansion, dimension: int, seed: int) -> int:
    """Return the number of points of a random section of the closure of a neuromanifold, modulo a prime.

    Raises
    ------
    MissingProgram
        If Singular is not installed.
    DegreeUndecided
        If a system has infinitely many solutions, or the numbers of solutions do not divide.
    """
    slice_of_weights = chart(expansion, dimension, seed)
    names = [f"u({number})" for number in range(1, dimension + 1)]
    functions = [written(one, slice_of_weights, names) for one in expansion.polynomials]
    printed = run_singular(program_text(names, functions, seed))
    lines = printed.split()
    if len(lines) != 2 or not all(line.lstrip("-").isdigit() for line in lines):
        raise DegreeUndecided(f"Singular ended with {printed[-80:]!r}", 0, float("inf"))
    section, fiber = map(int, lines)
    if min(section, fiber) < 1 or section % fiber:
        reason = f"a section has {section} points and a fibre {fiber} modulo {PRIME}; take another seed"
        raise DegreeUndecided(reason, 0, float("inf"))
    return section // fiber


def written(polynomial: Any, weights: Chart, names: list[str]) -> str:
    """Write a coordinate as a polynomial in the free weights, modulo the prime."""
    terms = []
    for exponents, number in polynomial.terms():
        factor = residue_of(number, PRIME)
        for place, value in weights.fixed.items():
            factor = factor * pow(value, int(exponents[place]), PRIME) % PRIME
        powers = [
            f"{name}^{exponents[place]}" for name, place in zip(names, weights.free, strict=True) if exponents[place]
        ]
        if factor:
            terms.append("*".join([str(factor), *powers]))
    return "+".join(terms) or "0"


def program_text(names: list[str], functions: list[str], seed: int) -> str:
    """Write the program that prints the numbers of solutions of a section and of a fibre."""
    count, size = len(names), len(functions)

    def random(label: str, number: int) -> list[str]:
        return [str(one) for one in random_residues(seed, f"degrees/modular/{label}", number, PRIME).tolist()]

    numbers, sides, point = random("forms", count * size), random("sides", count), random("point", count)
    forms = [
        "+".join(f"{numbers[row * size + column]}*c[{column + 1}]" for column in range(size)) + f"+{sides[row]}"
        for row in range(count)
    ]
    lines = [
        f"ring R = {PRIME}, ({', '.join(names)}), dp;",
        f"ideal c = {','.join(functions)};",
        f"ideal section = {','.join(forms)};",
        "print(vdim(slimgb(section)));",
        f"map at = R, {', '.join(point)};",
        "ideal values = at(c);",
        "ideal fiber;",
        f"for (int k = 1; k <= {size}; k++) {{ fiber[k] = c[k] - values[k]; }}",
        "print(vdim(slimgb(fiber)));",
    ]
    return "\n".join(lines) + "\n"
