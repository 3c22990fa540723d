"""Symmetric motions as conservation laws with names: quantities such as Q_1 Q_1^T - K_1 K_1^T."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of
from algatt.geometry.training.law import ConservationLaw
from algatt.geometry.training.symmetric_motions import AffineMotion, symmetric_motions

Matrix = Mapping[tuple[int, int], int]
"""The entries of a matrix that are not zero."""


class ConservedTerm(NamedTuple):
    """A multiple of T T^T (``rows``), T^T T (``columns``), the squared norm of T (``norm``), or T (``shift``)."""

    tensor: str
    side: str
    factor: Fraction


Pattern = tuple[list[ConservedTerm], tuple[int, ...] | None]
"""The terms of a quantity, and which entry of it is meant."""


@functools.lru_cache(maxsize=64)
def laws_of(arch: Architecture) -> tuple[ConservationLaw, ...]:
    """Return the laws of the symmetric motions of a network, those of one quantity together."""
    places = places_of(arch)
    laws = [law_of(arch, motion, places) for motion in symmetric_motions(arch)]
    first: dict[str, int] = {}
    for law in laws:
        least = int(min(*law.products[:, 0], *law.multiples[:, 0], arch.parameters))
        first[law.quantity] = min(first.get(law.quantity, least), least)
    return tuple(sorted(laws, key=lambda law: (first[law.quantity], law.quantity, law.entry or ())))


def places_of(arch: Architecture) -> dict[str, np.ndarray]:
    """Return for each tensor of the normal form where its entries are among all weights."""
    places, start = {}, 0
    for name, shape in verbs.coordinates(arch).items():
        height, width = ((1, 1) + tuple(shape))[-2:]
        places[name] = np.arange(start, start + height * width).reshape(height, width)
        start += height * width
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    for part in () if arrangement is None else arrangement.parts:
        block = places[part.tensor][np.array(part.rows)[:, None], np.array(part.columns)]
        places[part.name] = block.T if part.turned else block
    return places


def law_of(arch: Architecture, motion: AffineMotion, places: Mapping[str, np.ndarray]) -> ConservationLaw:
    """Return the law of a motion: a multiple of it whose quantity has integers as coefficients."""
    products, multiples = polynomial(motion, places)
    common = Fraction(gcd(*(c.numerator for c in (*products.values(), *multiples.values()))), 1)
    common /= max(c.denominator for c in (*products.values(), *multiples.values()))
    pattern = pattern_of(motion, places)
    quantity, entry, latex = name_of(motion, pattern)
    if pattern is not None and pattern[0][0].factor < 0:  # the first term of a quantity is positive
        common = -common
    return ConservationLaw(
        arch,
        quantity,
        entry,
        latex,
        np.array([(*pair, int(c / common)) for pair, c in sorted(products.items())], dtype=np.int64).reshape(-1, 3),
        np.array([(i, int(c / common)) for i, c in sorted(multiples.items())], dtype=np.int64).reshape(-1, 2),
    )


def polynomial(
    motion: AffineMotion, places: Mapping[str, np.ndarray]
) -> tuple[dict[tuple[int, int], Fraction], dict[int, Fraction]]:
    """Return the coefficients of h, where the velocity is the gradient of h."""
    products: dict[tuple[int, int], Fraction] = {}
    multiples: dict[int, Fraction] = {}
    for (name, side, i, j), value in motion.entries.items():
        place = places[name]
        if side == "shift":
            at = int(place[i, j])
            multiples[at] = multiples.get(at, Fraction(0)) + value
            continue
        lines = zip(*((place[i], place[j]) if side == "rows" else (place[:, i], place[:, j])), strict=True)
        for one, other in lines:
            pair = (min(int(one), int(other)), max(int(one), int(other)))
            products[pair] = products.get(pair, Fraction(0)) + Fraction(value, 2)
    return {pair: c for pair, c in products.items() if c}, {i: c for i, c in multiples.items() if c}


def scale_of(terms: list[ConservedTerm]) -> Fraction:
    """Return what makes the factors of terms integers without a common divisor, the first one positive."""
    common = Fraction(
        gcd(*(term.factor.numerator for term in terms)), lcm(*(term.factor.denominator for term in terms))
    )
    return (1 if terms[0].factor > 0 else -1) / common


def name_of(motion: AffineMotion, pattern: Pattern | None) -> tuple[str, tuple[int, ...] | None, str]:
    """Return the quantity of a motion, its entry, and the quantity in LaTeX."""
    if pattern is None:
        names = ", ".join(dict.fromkeys(name for name, *_ in motion.entries))
        text = f"quadratic form in {names}" if any(key[1] != "shift" for key in motion.entries) else f"sum in {names}"
        return text, None, rf"\text{{{text.replace('_', chr(92) + '_')}}}"
    terms, entry = pattern
    scale = scale_of(terms)
    text, symbols = join(terms, scale, plain), join(terms, scale, latex)
    if terms[0].side.endswith(", trace"):
        return f"partial traces of {text}", entry, rf"\operatorname{{tr}}_I ({symbols})"
    return text, entry, symbols


def pattern_of(motion: AffineMotion, places: Mapping[str, np.ndarray]) -> Pattern | None:
    """Return the terms of a motion that moves all of its tensors by multiples of one matrix, with the entry of the
    quantity; None of others.
    """
    sides = {side: motion.matrices(side) for side in ("rows", "columns", "shift")}
    if sides["shift"]:
        return None if sides["rows"] or sides["columns"] else pattern_of_shift(sides["shift"], places)
    moved = [(name, side, matrix) for side in ("rows", "columns") for name, matrix in sides[side].items()]
    order = {name: number for number, name in enumerate(places)}
    moved.sort(key=lambda one: order[one[0]])
    norms = [norm for name, side, matrix in moved if (norm := scalar(matrix, places[name].shape[side == "columns"]))]
    if len(norms) == len(moved):
        return [ConservedTerm(name, "norm", norm) for (name, *_), norm in zip(moved, norms, strict=True)], None
    base = moved[0][2]
    sign = 1 if next(iter(base.values())) > 0 else -1
    terms = []
    for name, side, matrix in moved:
        factor = ratio(matrix, base)
        if factor is None:
            return None
        terms.append(ConservedTerm(name, side, sign * factor))
    entry: tuple[int, ...] | None = unit(base)
    if entry is None and len(set(base.values())) == 1 and all(i == j for i, j in base):
        terms = [term._replace(side=f"{term.side}, trace") for term in terms]
        entry = tuple(sorted(i for i, _ in base))
    return None if entry is None else (terms, entry)


def pattern_of_shift(shifts: Mapping[str, Matrix], places: Mapping[str, np.ndarray]) -> Pattern | None:
    """Return the terms of a shift of one entry, or of all entries of one row or one column, of each tensor."""
    found = [line_of(name, matrix, places[name].shape) for name, matrix in shifts.items()]
    if any(one is None for one in found):
        return None
    lines = [one for one in found if one is not None]
    if len({(term.side, entry) for term, entry in lines}) > 1:
        return None
    return [term for term, _ in lines], lines[0][1]


def line_of(name: str, matrix: Matrix, shape: tuple[int, ...]) -> tuple[ConservedTerm, tuple[int, ...]] | None:
    """Return the term of a shift of one entry, one row or one column of a tensor by one number, and which."""
    if len(set(matrix.values())) > 1:
        return None
    factor = Fraction(next(iter(matrix.values())))
    if len(matrix) == 1:
        return ConservedTerm(name, "shift", factor), next(iter(matrix))
    for side, length, line in (("sums of rows", shape[1], 0), ("sums of columns", shape[0], 1)):
        lines = {place[line] for place in matrix}
        if len(lines) == 1 and len(matrix) == length:
            return ConservedTerm(name, side, factor), (lines.pop(),)
    return None


def scalar(matrix: Matrix, size: int) -> Fraction | None:
    """Return the number of which a matrix is a multiple of the identity."""
    values = set(matrix.values())
    if len(values) != 1 or set(matrix) != {(i, i) for i in range(size)}:
        return None
    return Fraction(values.pop())


def ratio(matrix: Matrix, base: Matrix) -> Fraction | None:
    """Return the factor by which one matrix is a multiple of another."""
    if set(matrix) != set(base):
        return None
    ratios = {Fraction(matrix[key], base[key]) for key in matrix}
    return ratios.pop() if len(ratios) == 1 else None


def unit(matrix: Matrix) -> tuple[int, int] | None:
    """Return the entry of a symmetric matrix that has one entry, or two opposite ones."""
    pairs = {(min(pair), max(pair)) for pair in matrix}
    return pairs.pop() if len(pairs) == 1 else None


def join(terms: list[ConservedTerm], scale: Fraction, write: Callable[[ConservedTerm], str]) -> str:
    """Write a multiple of a sum of terms."""
    text = ""
    for number, term in enumerate(terms):
        factor = term.factor * scale
        size = "" if abs(factor) == 1 else f"{abs(factor)} "
        mark = ("" if number == 0 else " + ") if factor > 0 else ("-" if number == 0 else " - ")
        text += mark + size + write(term)
    return text


def plain(term: ConservedTerm) -> str:
    """Write a term as text."""
    name = term.tensor
    return {
        "rows": f"{name} {name}^T",
        "columns": f"{name}^T {name}",
        "norm": f"|{name}|^2",
        "shift": name,
        "sums of rows": f"{name} 1",
        "sums of columns": f"1^T {name}",
    }[term.side.removesuffix(", trace")]


def latex(term: ConservedTerm) -> str:
    """Write a term in LaTeX."""
    name = symbol(term.tensor)
    return {
        "rows": rf"{name} {name}^\top",
        "columns": rf"{name}^\top {name}",
        "norm": rf"\lVert {name} \rVert^2",
        "shift": name,
        "sums of rows": rf"{name} \mathbf{{1}}",
        "sums of columns": rf"\mathbf{{1}}^\top {name}",
    }[term.side.removesuffix(", trace")]


def symbol(name: str) -> str:
    """Return the name of a tensor in LaTeX: a letter with its index and the path of its layer."""
    *path, last = name.split(".")
    letter, _, index = last.partition("_")
    below = ", ".join([*(index.split("_") if index else []), *path]).replace("_", r"\_")
    text = letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    return rf"{text}_{{\mathrm{{{below}}}}}" if below else text
