"""Finding a formula from exact integers over a family."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument, NoFormula
from algatt.randomness import check_seed
from algatt.sweeps.family import evaluator
from algatt.sweeps.formulas.fitting import agreeing, coefficients, is_consistent, odd_one_out, rank_of
from algatt.sweeps.formulas.formula import FittedFormula
from algatt.sweeps.formulas.shape import Minimum, Shape, shapes
from algatt.sweeps.store import Row
from algatt.sweeps.sweep import Sweep

__all__ = ["fit_formula"]

Known = Sequence[tuple[Mapping[str, int], int]]

Condition = Callable[[Mapping[str, int]], bool]

DEGREES = (1, 2, 3)
"""The degrees that are tried."""

SHARE = 4
"""One row of so many is held back."""

SPARE = 8
"""A shape has so many monomials fewer than there are rows to fit: what fits by chance fits no more."""

TRIES = 8
"""So many random choices of rows are made where some row may be wrong."""

WRONG = 20
"""If more than one row of so many does not agree, there is no formula."""

FEW = 2
"""If so many rows do not agree, it is not looked for a longer formula with which they do."""

GRID = 4000
"""Uniqueness is seen at so many points of the box of sizes at most."""


def fit_formula(
    results: Sweep | Iterable[Row] | Iterable[tuple[Mapping[str, int], int]],
    *,
    degrees: Sequence[int] = DEGREES,
    where: str | Callable[..., bool] | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> FittedFormula:
    """Find the polynomial in sizes, and in minima of sizes, that gives all exact integers of a family.

    Parameters
    ----------
    results : Sweep, rows of a record, or pairs of sizes and a value
        Proven or probable values; rows that failed, and floats, are left out.
    degrees : sequence of int, optional
        The degrees that are tried, the least first.
    where : str or callable, optional
        The condition on the sizes under which the formula is meant; uniqueness is looked at under it.
    seed : int, optional
        Names the rows that are held back, a quarter of them.
    progress : callable, optional
        Called with the number of shapes that were tried, and that number plus one.

    Returns
    -------
    FittedFormula
        A conjecture: the number of rows that it was found from, of those that it predicted, and those that refute it.

    Raises
    ------
    InvalidArgument
        If there are fewer than 12 rows, or two rows with the same sizes differ.
    NoFormula
        If nothing that is tried fits.

    Notes
    -----
    The shapes that are tried are polynomials of each degree in the sizes; with all minima of two sizes; and with one or
    two minima of a size and a sum, or a number, besides. For each, the coefficients solve a linear system over Q with a
    row for each value, which has more rows than unknowns. Minima that are not needed are left out. If no shape fits but
    one gives nineteen rows of twenty and more, or with a sum in a minimum all rows but one, the others refute it: they
    may be wrong, or lie beyond a wall that no minimum has.

    Examples
    --------
    >>> from algatt.sweeps import fit_formula
    >>> sizes = [{"d": d, "a": a} for d in range(1, 8) for a in range(1, 8)]
    >>> found = fit_formula([(one, min(one["a"], one["d"]) * one["d"] + 3) for one in sizes])
    >>> print(found, "|", found.statement)
    d*min(d, a) + 3 | conjecture: fits 36 rows, predicted 13, refuted by none
    """
    condition = None if where is None else evaluator(where, "where")
    rows = known_rows(results)
    varying = [name for name in rows[0][0] if len({sizes[name] for sizes, _ in rows}) > 1]
    kept, held = split(rows, check_seed(seed))
    allowed = max(1, len(rows) // WRONG)
    best: FittedFormula | None = None
    for number, shape in enumerate(shapes(varying, degrees, len(kept) - SPARE)):
        if progress is not None:
            progress(number, number + 1)
        found = settled(shape, kept, held, condition)
        if found is not None and not found.refuted:
            return found
        if found is not None or shape.whole:
            found = among_wrong_ones(shape, rows, allowed, seed, condition)
        if found is not None and (best is None or len(found.refuted) < len(best.refuted)):
            best = found
            if len(best.refuted) <= FEW:
                return best
    found = without_one(shapes(varying, degrees, len(kept) - SPARE), rows, seed, condition) or best
    if found is not None:
        return found
    raise NoFormula(
        f"no polynomial of degree {max(degrees)} in {', '.join(varying)} and their minima gives the {len(rows)} values"
    )


def settled(shape: Shape, kept: Known, held: Known, where: Condition | None) -> FittedFormula | None:
    """Return the formula of a shape that gives the rows to fit and then those that were held back; None if it has none
    for the first.

    Of a shape as few minima are kept as the rows to fit ask for. A row that was held back and is not given then is one
    to fit, for as long as the shape has a formula for these.
    """
    if not is_consistent(shape, kept):
        return None
    while True:
        found = formula_of(pruned(shape, kept), kept, held, where)
        if not found.refuted or not is_consistent(shape, [*kept, *found.refuted]):
            return found
        kept = [*kept, *found.refuted]
        held = [row for row in held if row not in found.refuted]


def among_wrong_ones(
    shape: Shape, rows: Known, allowed: int, seed: int, where: Condition | None
) -> FittedFormula | None:
    """Return the formula of a shape that all rows but a few agree with, which refute it; None if there are more."""
    hits = set(agreeing(shape, rows, TRIES, seed, len(rows) - allowed))
    if len(rows) - len(hits) > allowed:
        return None
    wrong = tuple(row for place, row in enumerate(rows) if place not in hits)
    kept, held = split([rows[place] for place in sorted(hits)], seed)
    found = settled(shape, kept, held, where)
    return None if found is None else dataclasses.replace(found, refuted=(*found.refuted, *wrong))


def without_one(tried: Iterable[Shape], rows: Known, seed: int, where: Condition | None) -> FittedFormula | None:
    """Return the formula of the first shape that gives all rows but one, which refutes it."""
    for shape in tried:
        place = odd_one_out(shape, rows)
        if place is not None:
            kept, held = split([*rows[:place], *rows[place + 1 :]], seed)
            found = settled(shape, kept, held, where)
            if found is not None:
                return dataclasses.replace(found, refuted=(*found.refuted, rows[place]))
    return None


def known_rows(results: Any) -> Known:
    """Return sizes and values, each sizes once."""
    given = results.rows if isinstance(results, Sweep) else list(results)
    pairs: list[Any] = []
    for one in given:
        if not isinstance(one, Row):
            pairs.append(one)
        elif one.status in ("proven", "probable"):
            pairs.append((dict(one.sizes), one.value))
    found: dict[tuple[tuple[str, int], ...], int] = {}
    for pair in pairs:
        try:
            sizes, given_value = pair
            key, value = tuple(dict(sizes).items()), operator.index(given_value)
        except (TypeError, ValueError):
            raise InvalidArgument("results", f"with {pair!r}", "pairs of sizes and an integer") from None
        if found.setdefault(key, value) != value:
            raise InvalidArgument("results", f"with {found[key]} and {value} at {dict(key)}", "one value at each sizes")
    rows = [(dict(key), value) for key, value in found.items()]
    if len(rows) < 12 or len({tuple(sizes) for sizes, _ in rows}) > 1 or not rows[0][0]:
        was = f"{len(rows)} values" if len(rows) < 12 else "values of different sizes, or of none"
        raise InvalidArgument("results", was, "12 or more, of one family with names of sizes")
    return rows


def split(rows: Known, seed: int) -> tuple[Known, Known]:
    """Return the rows to fit and those to predict: every fourth one in a random order."""
    order = random.Random(seed).sample(  # noqa: S311  the same on every platform
        range(len(rows)), len(rows)
    )
    held = set(order[::SHARE])
    return [row for k, row in enumerate(rows) if k not in held], [rows[k] for k in sorted(held)]


def pruned(shape: Shape, rows: Known) -> Shape:
    """Return a shape of which no minimum can be left out, nor the degree be less."""
    for minimum in reversed(shape.minima):
        fewer = Shape(shape.sizes, tuple(one for one in shape.minima if one != minimum), shape.degree)
        if is_consistent(fewer, rows):
            shape = fewer
    return shape


def formula_of(shape: Shape, kept: Known, held: Known, where: Condition | None) -> FittedFormula:
    """Return the formula of a shape that is consistent, written with few terms."""
    short = shortened(shape, coefficients(shape, kept))
    formula = FittedFormula(shape, short, len(kept), 0, (), is_unique(shape, kept, where))
    refuted = formula.check(held)
    return dataclasses.replace(formula, predicted=len(held) - len(refuted), refuted=refuted)


def is_unique(shape: Shape, rows: Known, where: Condition | None) -> bool:
    """Whether all polynomials of a shape with the values of the rows agree in the box of sizes, and a step beyond."""
    points = [sizes for sizes, _ in rows]
    ranges = [range(min(p[name] for p in points), max(p[name] for p in points) + 2) for name in shape.sizes]
    others = {name: size for name, size in points[0].items() if name not in shape.sizes}
    grid = (others | dict(zip(shape.sizes, values, strict=True)) for values in itertools.product(*ranges))
    box = list(itertools.islice((one for one in grid if where is None or where(one)), GRID))
    return rank_of(shape, points) == rank_of(shape, [*points, *box])


def shortened(shape: Shape, found: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the same function with fewer terms, where (m - x)(m - y) = 0 for a minimum m of x and y gives any.

    Multiples of that equation, and of it times another size, are added as long as a term goes away.
    """
    terms = {places: factor for places, factor in zip(shape.monomials, found, strict=True) if factor}
    relations = [relation for one in shape.minima for relation in relations_of(shape, one)]
    while True:
        best = terms
        for relation in relations:
            for places, factor in relation.items():
                if places not in terms:
                    continue
                scale = terms[places] / factor
                changed = dict(terms)
                for other, amount in relation.items():
                    changed[other] = changed.get(other, Fraction(0)) - scale * amount
                changed = {other: amount for other, amount in changed.items() if amount}
                if weight(changed) < weight(best):
                    best = changed
        if best is terms:
            return tuple(terms.get(places, Fraction(0)) for places in shape.monomials)
        terms = best


def weight(terms: Mapping[tuple[int, ...], Fraction]) -> tuple[int, Fraction]:
    """Return how long a formula is."""
    return len(terms), sum((abs(factor) for factor in terms.values()), Fraction(0))


def relations_of(shape: Shape, minimum: Minimum) -> list[dict[tuple[int, ...], Fraction]]:
    """Return (m - x)(m - y), and its products with m and each size where the degree has room, by monomials."""
    place = {name: k for k, name in enumerate(shape.sizes)}
    m = len(shape.sizes) + shape.minima.index(minimum)
    basic: dict[tuple[int, ...], int] = {(): 1}
    for form in minimum.forms:
        basic = times(basic, {(m,): 1, **{((place[name],) if name else ()): -factor for name, factor in form}})
    if shape.degree < len(minimum.forms):
        return []
    several = [basic]
    if shape.degree > len(minimum.forms):
        several += [times(basic, {(k,): 1}) for k in (*range(len(shape.sizes)), m)]
    return [{places: Fraction(factor) for places, factor in one.items() if factor} for one in several]


def times(left: Mapping[tuple[int, ...], int], right: Mapping[tuple[int, ...], int]) -> dict[tuple[int, ...], int]:
    """Return the product of two polynomials."""
    product: dict[tuple[int, ...], int] = {}
    for (first, a), (second, b) in itertools.product(left.items(), right.items()):
        places = tuple(sorted((*first, *second)))
        product[places] = product.get(places, 0) + a * b
    return product
