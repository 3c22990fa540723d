"""One template for each system: the text that a file of it holds."""

from __future__ import annotations

import re

from algatt.exports.parametrization import CoordinateMap, Notation

CARET = Notation(lambda name, e: f"{name}^{e}", lambda p, q: f"{p}/{q}")
"""Macaulay2, Sage and Singular."""

JULIA = Notation(lambda name, e: f"{name}^{e}", lambda p, q: f"{p}//{q}")

PYTHON = Notation(lambda name, e: f"{name}**{e}", lambda p, q: f"Fraction({p}, {q})")

SYMPY = Notation(lambda name, e: f"{name}**{e}", lambda p, q: f"sympy.Rational({p}, {q})")

TEX = Notation(lambda name, e: f"{name}^{{{e}}}", lambda p, q: rf"\tfrac{{{p}}}{{{q}}}", r"\,")


def lines(texts: list[str], indent: str = "    ") -> str:
    """Write texts one below the other, with commas between them."""
    return ",\n".join(f"{indent}{text}" for text in texts)


def numbered(given: CoordinateMap, pattern: str) -> list[str]:
    """Return names of the coordinates."""
    return [pattern.format(number) for number in range(1, len(given.coordinates) + 1)]


def sympy(given: CoordinateMap) -> str:
    """Python with SymPy: `parameters`, `coordinates` and `equations`."""
    names = list(given.variables)
    cs = numbered(given, "c_{}")
    return (
        f"{given.comments('#')}import sympy\n\n"
        f"parameters = {', '.join(names)}, = sympy.symbols({' '.join(names)!r}, seq=True)\n"
        f"symbols = {', '.join(cs)}, = sympy.symbols({' '.join(cs)!r}, seq=True)\n"
        f"coordinates = [\n{lines(given.polynomials(SYMPY, names))},\n]\n"
        f"equations = [\n{lines(given.relations(SYMPY, cs))}\n]\n"
    )


def python(given: CoordinateMap) -> str:
    """Python alone: a function of the weights that returns the coordinates, and one of these for the equations."""
    cs = numbered(given, "c_{}")
    return (
        f"{given.comments('#')}from fractions import Fraction\n\n\n"
        f"def coordinates(weights):\n    {', '.join(given.variables)}, = weights\n"
        f"    return [\n{lines(given.polynomials(PYTHON, given.variables), ' ' * 8)},\n    ]\n\n\n"
        f"def equations(coordinates):\n    {', '.join(cs)}, = coordinates\n"
        f"    return [\n{lines(given.relations(PYTHON, cs), ' ' * 8)}\n    ]\n"
    )


def macaulay2(given: CoordinateMap) -> str:
    """Macaulay2: the rings R of weights and S of coordinates, the map phi, and the ideal I of the equations. An
    underscore is an operator there, so names have apostrophes in its place.
    """
    names = [name.replace("_", "'") for name in given.variables]
    cs = numbered(given, "c_{}")
    return (
        f"{given.comments('--')}R = QQ[{', '.join(names)}]\nS = QQ[{', '.join(cs)}]\n"
        f"phi = map(R, S, {{\n{lines(given.polynomials(CARET, names))}}})\n"
        f"I = ideal({lines(given.relations(CARET, cs), '') or '0_S'})\n"
        "-- ker phi is the ideal of the closure of the neuromanifold\n"
    )


def singular(given: CoordinateMap) -> str:
    """Singular: the rings S of coordinates and R of weights, the map phi, and the ideal I of the equations in S."""
    cs = numbered(given, "c_{}")
    return (
        f"{given.comments('//')}ring S = 0, ({', '.join(cs)}), dp;\n"
        f"ideal I = {lines(given.relations(CARET, cs), '') or '0'};\n"
        f"ring R = 0, ({', '.join(given.variables)}), dp;\n"
        f"map phi = S,\n{lines(given.polynomials(CARET, given.variables))};\n"
        "// setring S; kernel(R, phi); is the ideal of the closure of the neuromanifold\n"
    )


def sage(given: CoordinateMap) -> str:
    """Sage: the rings R of weights and S of coordinates, the map phi, and the ideal I of the equations."""
    cs = numbered(given, "c_{}")
    return (
        f"{given.comments('#')}R = PolynomialRing(QQ, {' '.join(given.variables)!r}.split())\n"
        f"S = PolynomialRing(QQ, {' '.join(cs)!r}.split())\n"
        "R.inject_variables(verbose=False)\nS.inject_variables(verbose=False)\n"
        f"phi = S.hom([\n{lines(given.polynomials(CARET, given.variables))}], R)\n"
        f"I = S.ideal([{lines(given.relations(CARET, cs), '')}])\n"
        "# phi.kernel() is the ideal of the closure of the neuromanifold\n"
    )


def oscar(given: CoordinateMap) -> str:
    """Oscar: the rings R of weights and S of coordinates, the map phi, and the ideal I of the equations."""
    cs = numbered(given, "c_{}")
    quoted = ", ".join(f'"{name}"' for name in given.variables)
    return (
        f"{given.comments('#')}using Oscar\n\n"
        f"R, ({', '.join(given.variables)},) = polynomial_ring(QQ, [{quoted}])\n"
        f"S, ({', '.join(cs)},) = polynomial_ring(QQ, [{', '.join(f'{chr(34)}{c}{chr(34)}' for c in cs)}])\n"
        f"phi = hom(S, R, [\n{lines(given.polynomials(JULIA, given.variables))}])\n"
        f"I = ideal(S, [{lines(given.relations(JULIA, cs), '') or 'zero(S)'}])\n"
        "# kernel(phi) is the ideal of the closure of the neuromanifold\n"
    )


def latex(given: CoordinateMap) -> str:
    """LaTeX: an equation for each coordinate, then the equations between them, for amsmath."""
    names = [subscripted(name) for name in given.variables]
    cs = numbered(given, "c_{{{}}}")
    rows = [f"  {c} &= {text}" for c, text in zip(cs, given.polynomials(TEX, names), strict=True)]
    rows += [f"  0 &= {text}" for text in given.relations(TEX, cs)]
    return f"{given.comments('%')}\\begin{{align*}}\n" + " \\\\\n".join(rows) + "\n\\end{align*}\n"


def subscripted(name: str) -> str:
    """Write the name of a weight with a subscript, as Q_{1,2,1}; powers of it are those of the whole."""
    head, *rest = name.split("_")
    word = rf"\mathrm{{{head}}}" if len(head) > 1 else head
    letters = [part if part.isdigit() else rf"\mathrm{{{re.escape(part)}}}" for part in rest]
    return f"{{{word}_{{{','.join(letters)}}}}}"
