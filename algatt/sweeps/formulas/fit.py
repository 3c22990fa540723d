"""Finding a formula from exact integers over a family."""

from __future__ import annotations

import dataclasses
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument, NoFormula
from algatt.randomness import check_seed
from algatt.sweeps.family import evaluator
from algatt.sweeps.formulas.fitting import agreeing, coefficients, is_consistent, odd_one_out, predicted_among, rank_of
from algatt.sweeps.formulas.formula import FittedFormula
from algatt.sweeps.formulas.shape import FormulaShape, Minimum, shapes
from algatt.sweeps.store import Row
from algatt.sweeps.sweep import Sweep

Known = Sequence[tuple[Mapping[str, int], int]]

Condition = Callable[[Mapping[str, int]], bool]

DEGREES = (1, 2, 3)
"""The degrees that are tried."""

LEAST = 12
"""Minimum number of distinct points."""

SPARE = 8
"""Minimum number of distinct points beyond the number of unknowns: what fits by chance fits no more."""

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
        Names the random choices of rows where some may be wrong.
    progress : callable, optional
        Called with the number of shapes that were tried, and that number plus one.

    Returns
    -------
    FittedFormula
        A conjecture: the number of distinct points that it gives, of those that it predicts, and the rows that refute
        it.

    Raises
    ------
    InvalidArgument
        If there are fewer than 12 rows, or two rows with the same sizes differ.
    NoFormula
        If nothing that is tried fits, or what fits predicts nothing: a polynomial of degree k in a size fits any k + 1
        values of that size.

    Notes
    -----
    The shapes that are tried are polynomials of each degree in the sizes; with all minima of two sizes; and with one or
    two minima of a size and a sum, or a number, besides. For each, the coefficients solve a linear system over Q with a
    row for each value, which has more rows than unknowns. Minima and powers of sizes that are not needed are left out.
    If no shape fits but one gives nineteen rows of twenty and more, or with a sum in a minimum all rows but one, the
    others refute it: they may be wrong, or lie beyond a wall that no minimum has.

    What counts is not the number of rows but that of distinct points in the sizes on which the formula depends, which
    are 12 at least, and 8 more than the unknowns. Every value of every size is held out in turn, with all points that
    have it; a point is predicted if its value follows from the others each time. Some have to be.

    Examples
    --------
    >>> from algatt.sweeps import fit_formula
    >>> sizes = [{"d": d, "a": a} for d in range(1, 8) for a in range(1, 8)]
    >>> found = fit_formula([(one, min(one["a"], one["d"]) * one["d"] + 3) for one in sizes])
    >>> print(found, "|", found.statement)
    d*min(d, a) + 3 | conjecture: fits 49 distinct points, predicted 49, refuted by none
    """
    condition = None if where is None else evaluator(where, "where")
    rows = known_rows(results)
    check_seed(seed)
    varying = [name for name in rows[0][0] if len({sizes[name] for sizes, _ in rows}) > 1]
    tried = list(shapes(varying, degrees, len(rows) - SPARE))
    allowed = max(1, len(rows) // WRONG)
    best: FittedFormula | None = None
    for number, shape in enumerate(tried):
        if progress is not None:
            progress(number, number + 1)
        if is_consistent(shape, rows):
            return formula_of(shape, rows, (), condition)
        if shape.whole:
            found = among_wrong_ones(shape, rows, allowed, seed, condition)
            if found is not None and (best is None or len(found.refuted) < len(best.refuted)):
                best = found
                if len(best.refuted) <= FEW:
                    return best
    found = without_one(tried, rows, condition) or best
    if found is not None:
        return found
    raise NoFormula(
        f"no polynomial of degree {max(degrees)} in {', '.join(varying)} and their minima gives the {len(rows)} values"
    )


def among_wrong_ones(
    shape: FormulaShape, rows: Known, allowed: int, seed: int, where: Condition | None
) -> FittedFormula | None:
    """Return the formula of a shape that all rows but a few agree with, which refute it; None if there are more."""
    hits = set(agreeing(shape, rows, TRIES, seed, len(rows) - allowed))
    if len(rows) - len(hits) > allowed:
        return None
    wrong = [row for place, row in enumerate(rows) if place not in hits]
    with suppress(NoFormula):
        return formula_of(shape, [rows[place] for place in sorted(hits)], wrong, where)
    return None


def without_one(tried: Iterable[FormulaShape], rows: Known, where: Condition | None) -> FittedFormula | None:
    """Return the formula of the first shape that gives all rows but one, which refutes it."""
    for shape in tried:
        place = odd_one_out(shape, rows)
        if place is not None:
            with suppress(NoFormula):
                return formula_of(shape, [*rows[:place], *rows[place + 1 :]], [rows[place]], where)
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
    order: dict[str, int] = {}  # the sizes in the order of the first row, which names the same point in any order
    for pair in pairs:
        try:
            sizes, given_value = pair
            named = dict(sizes)
            order = order if order.keys() == named.keys() else named
            key, value = tuple((name, named[name]) for name in order), operator.index(given_value)
        except (TypeError, ValueError):
            raise InvalidArgument("results", f"with {pair!r}", "pairs of sizes and an integer") from None
        if found.setdefault(key, value) != value:
            raise InvalidArgument("results", f"with {found[key]} and {value} at {dict(key)}", "one value at each sizes")
    rows = [(dict(key), value) for key, value in found.items()]
    if len(rows) < LEAST or len({tuple(sizes) for sizes, _ in rows}) > 1 or not rows[0][0]:
        was = f"{len(rows)} values" if len(rows) < LEAST else "values of different sizes, or of none"
        raise InvalidArgument("results", was, "12 or more, of one family with names of sizes")
    return rows


def pruned(shape: FormulaShape, rows: Known) -> FormulaShape:
    """Return a shape of which no minimum can be left out."""
    for minimum in reversed(shape.minima):
        fewer = FormulaShape(shape.sizes, tuple(one for one in shape.minima if one != minimum), shape.degree)
        if is_consistent(fewer, rows):
            shape = fewer
    return shape


def narrowed(shape: FormulaShape, rows: Known) -> FormulaShape:
    """Return a shape whose degree in no size can be less."""
    most = [shape.degree] * len(shape.sizes)
    for place in range(len(most)):
        while most[place]:
            fewer = dataclasses.replace(shape, most=(*most[:place], most[place] - 1, *most[place + 1 :]))
            if not is_consistent(fewer, rows):
                break
            most[place] -= 1
    return dataclasses.replace(shape, most=tuple(most))


def formula_of(shape: FormulaShape, rows: Known, refuted: Known, where: Condition | None) -> FittedFormula:
    """Return the formula of a shape that is consistent, written with few terms.

    Raises
    ------
    NoFormula
        If the rows are too few for it to predict anything.
    """
    shape = pruned(shape, rows)
    narrow = narrowed(shape, rows)
    found = dict(zip(narrow.monomials, coefficients(narrow, rows), strict=True))
    short = shortened(shape, [found.get(places, Fraction(0)) for places in shape.monomials])
    names = narrow.used or shape.sizes  # a constant says that none of them matters
    points = list({tuple(sizes[name] for name in names): sizes for sizes, _ in rows}.values())
    predicted = {name: predicted_points(narrow, points, name) for name in names}
    always = set.intersection(*predicted.values())
    unique = is_unique(shape, rows, where)
    formula = FittedFormula(shape, short, len(rows), len(points), len(always), tuple(refuted), unique)
    if always and len(points) >= max(LEAST, rank_of(narrow, points) + SPARE):
        return formula
    doubt = "they are too few"
    for name in names:
        if not predicted[name]:
            levels = len({sizes[name] for sizes in points})
            doubt = f"{levels} values of {name} are too few, since none is predicted from the others"
    raise NoFormula(f"{formula} gives the {len(rows)} values, which are {len(points)} distinct points: {doubt}")


def predicted_points(shape: FormulaShape, points: Sequence[Mapping[str, int]], name: str) -> set[int]:
    """Return the places of the points whose values follow from those with other values of a size."""
    predicted = set()
    for level in {sizes[name] for sizes in points}:
        held = [place for place, sizes in enumerate(points) if sizes[name] == level]
        others = [sizes for sizes in points if sizes[name] != level]
        told = predicted_among(shape, [points[place] for place in held], others)
        predicted |= {place for place, follows in zip(held, told, strict=True) if follows}
    return predicted


def is_unique(shape: FormulaShape, rows: Known, where: Condition | None) -> bool:
    """Whether all polynomials of a shape with the values of the rows agree in the box of sizes, and a step beyond."""
    points = [sizes for sizes, _ in rows]
    ranges = [range(min(p[name] for p in points), max(p[name] for p in points) + 2) for name in shape.sizes]
    others = {name: size for name, size in points[0].items() if name not in shape.sizes}
    grid = (others | dict(zip(shape.sizes, values, strict=True)) for values in itertools.product(*ranges))
    box = list(itertools.islice((one for one in grid if where is None or where(one)), GRID))
    return rank_of(shape, points) == rank_of(shape, [*points, *box])


def shortened(shape: FormulaShape, found: Sequence[Fraction]) -> tuple[Fraction, ...]:
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


def relations_of(shape: FormulaShape, minimum: Minimum) -> list[dict[tuple[int, ...], Fraction]]:
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
