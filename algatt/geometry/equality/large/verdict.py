"""Whether two points over the reals are one function up to rounding, of a network of any size.

*Equal* up to rounding says that the second point may be the image of the first one under an element of the group, but
for rounding of the numbers that are stored. It asks for two things. An element was found that carries the first point
to the second, tensor by tensor, as near as rounding leads if its errors are independent: by a quarter of what is
allowed where a difference would be told, or no farther than in pairs that were made equal but for rounding. And values
at inputs, among them the tokens that are met worst, differ by no more than rounding of what is stored changes them by,
in each of the points: a symmetry changes no value, so that this is of first order in the digits of the sources, however
large the condition of the element is.

*Different* asks for entries that no element found reaches, and for an input at which these alone change the value by
more than rounding of them does; or for an input at which the values of the points differ by far more than rounding of
what is stored changes them by. All else is undecided. The bounds are those of docs/theory/elements.md.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.geometry.equality.large.arrays import Matrices, largest, replaced
from algatt.geometry.equality.large.comparison import Comparison, SpaceResult, TensorResult
from algatt.geometry.equality.large.culprits import Culprits, fewest_tensors
from algatt.geometry.equality.large.difference import SAFETY, Fit, fit_weights
from algatt.geometry.equality.large.half_precision import (
    HALF,
    MOST,
    Stayed,
    copied,
    known_exactly,
)
from algatt.geometry.equality.large.hypotheses import name_hypothesis
from algatt.geometry.equality.large.small_parts import COARSEST, lines_agree, short_rows_agree, tables_of
from algatt.geometry.equality.large.twins import doubt_of, unexplained_tensors
from algatt.geometry.equality.large.values import (
    COMPUTED,
    MARGIN,
    Changes,
    Share,
    ValuePair,
    bits_of,
    by_entries,
    by_shares,
    changes_of_entries,
    draw_public_inputs,
    effect_of_changes,
    in_storage,
    largest_ratio,
    unit_of,
    values_at,
)
from algatt.parameters import Weights
from algatt.symmetry import ProductElement

FAR = 16.0
"""Values that differ by more than this many times what rounding of what is stored explains decide, whatever fits."""

ASTRAY = 4.0
"""Entries that change values by this many times what those of the points differ by are no reason for that."""

FURTHER = 16
"""If entries change no value at the inputs that are tried first, those of so many times more that tell most are."""


def compare_weights(
    arch: Architecture,
    one: Weights,
    two: Weights,
    seed: int = 0,
    *,
    hypotheses: bool = True,
    unseen: bool = True,
) -> Comparison:
    """Return whether two points over the reals are one function up to rounding of their sources.

    Parameters
    ----------
    arch : Architecture
        The network.
    one, two : Weights
        The points.
    seed : int, optional
        Of the inputs.
    hypotheses : bool, optional
        Whether rewrites that are no symmetries are tried if they differ, each of which is another comparison.
    unseen : bool, optional
        Whether entries that no value depends on may differ. If more tokens than the network has see them, they may not:
        points are equal for these, too, then.
    """
    if 8 <= bits_of(one, two) <= HALF and one != two:
        return compare_half(arch, one, two, seed, hypotheses=hypotheses, unseen=unseen)
    told = answer_in_place(arch, one, two, seed)
    if told is not None:
        return told
    return compare_as_known(arch, one, two, seed, hypotheses=hypotheses, unseen=unseen)


def answer_in_place(arch: Architecture, one: Weights, two: Weights, seed: int) -> Comparison | None:
    """Return that two points differ in one tensor, of which most entries are the same and all others far apart, if
    these change values by more than rounding of them does: no element has to be found for that; None if this is not so.
    """
    pairs = zip(one.tensors.items(), two.elements, strict=True)
    apart = {name: a.raw != b.raw for (name, a), b in pairs if not np.array_equal(a.raw, b.raw)}
    if len(apart) != 1:
        return None
    ((name, places),) = apart.items()
    share, second = SAFETY * unit_of(one, two), two.tensors[name].raw
    far = np.abs(one.tensors[name].raw - second) > share * largest(second)
    if places.ndim < 2 or places.mean() >= MOST or np.any(places & ~far):
        return None
    pair = ValuePair.of(
        arch, one, two, draw_public_inputs(arch, seed, rows_of_tables(arch, Matrices(one.tensors), apart))
    )
    if pair is None:
        return None
    explained = rounding_of_places(arch, two, apart, pair, seed, by_shares({name: share}))
    if not pair.exceeds(explained):
        return None
    figures = pair.figures(explained, pair.distances, differ=True)
    tensors = results_in_place(one, two)
    return Comparison(False, ProductElement(()), (), tensors, broken=(name,), precision=bits_of(one, two), **figures)


def rounding_of_places(
    arch: Architecture, theta: Weights, places: Mapping[str, np.ndarray], pair: ValuePair, seed: int, rounding: Changes
) -> np.ndarray:
    """Return for each input what rounding of some entries of the second point, and float64, make of its values."""

    def changes(name: str, matrix: np.ndarray) -> tuple[Share, Share]:
        lost = COMPUTED * largest(matrix)
        if name not in places:
            return 0.0, lost
        there = places[name].reshape(matrix.shape)
        of_size, beside = rounding(name, matrix)
        return of_size * there, lost + beside * there

    return effect_of_changes(arch, theta, pair.inputs, seed, changes, values=pair.second)


def results_in_place(one: Weights, two: Weights) -> tuple[TensorResult, ...]:
    """Return how far the tensors of two points are from each other where nothing moves them."""
    bound = 2.0 ** (1 - bits_of(one, two))
    return tuple(
        TensorResult(name, largest(a.raw - b.raw) / (largest(b.raw) or 1.0), bound)
        for (name, a), b in zip(one.tensors.items(), two.elements, strict=True)
    )


def compare_half(
    arch: Architecture, one: Weights, two: Weights, seed: int, *, hypotheses: bool, unseen: bool
) -> Comparison:
    """Return whether two points are one function, one of which was float16 or bfloat16: as one is the other, rounded;
    or as numbers are stored; or up to rounding.
    """
    copy = copied(one, two)
    stayed = None if copy else Stayed.of(one, two)
    if stayed is not None and stayed.first == two:
        copy = stayed.words
    told = None if copy is None else answer_of_copy(arch, one, two, seed, copy)
    if told is not None:
        return told
    first = one if stayed is None else stayed.first
    stored = known_exactly(first), known_exactly(two)
    exact = compare_as_known(arch, *stored, seed, culprits=False, unseen=unseen)
    if exact.equal and stayed is not None and stayed.changed:
        return dataclasses.replace(exact, precision=bits_of(one, two))
    if exact.equal:
        return exact
    X = exact.separating_input
    pair = None if stayed is None or X is None else ValuePair.of(arch, stayed.first, two, X[None])
    if (
        stayed is not None
        and pair is not None
        and pair.exceeds(rounding_of_places(arch, two, stayed.apart, pair, seed, in_storage(unit_of(one, two))))
    ):
        return compare_as_known(arch, *stored, seed, hypotheses=hypotheses, unseen=unseen)
    found = compare_as_known(arch, first, two, seed, hypotheses=hypotheses, unseen=unseen, half=True)
    if found.equal and stayed is not None and stayed.few:
        return dataclasses.replace(found, equal=None, broken=stayed.few)
    if found.equal is None and found.broken and stayed is not None and X is not None:
        return compare_as_known(arch, *stored, seed, hypotheses=hypotheses, unseen=unseen)
    return found


def answer_of_copy(arch: Architecture, one: Weights, two: Weights, seed: int, copy: str) -> Comparison | None:
    """Return that two points are the same, rounded entry by entry, in words; None if values differ by far more."""
    pair = ValuePair.of(arch, one, two, draw_public_inputs(arch, seed))
    figures: dict[str, Any] = {}
    if pair is not None:
        explained = effect_of_both(arch, one, two, pair, seed)
        if pair.exceeds(FAR * explained):
            return None
        figures = pair.figures(explained)
    tensors = results_in_place(one, two)
    return Comparison(True, ProductElement(()), (), tensors, precision=bits_of(one, two), copy=copy, **figures)


def compare_as_known(
    arch: Architecture,
    one: Weights,
    two: Weights,
    seed: int,
    *,
    hypotheses: bool = True,
    unseen: bool = True,
    half: bool = False,
    culprits: bool = True,
) -> Comparison:
    """Return whether two points are one function, up to rounding to the bits that are known; if few are, as in `half`
    precision, residuals are compared with those of twins and not with bounds. The fewest tensors that differ are looked
    for if `culprits` are asked for.
    """
    fit = fit_weights(arch, one, two, unseen=unseen)
    pair = ValuePair.of(arch, one, two, draw_public_inputs(arch, seed, tokens_of(arch, fit)))
    if pair is None:
        return answer(fit, one, two, None)
    told = functools.partial(answer, fit, one, two, pair=pair)
    if not fit.beyond:
        explained = effect_of_both(arch, one, two, pair, seed)
        if pair.exceeds(FAR * explained):
            far = max(fit.residuals, key=lambda name: fit.residuals[name] / fit.bounds[name])
            broken = unexplained_tensors(arch, fit, one, two) or (far,)
            return told(False, explained=explained, effect=pair.distances, broken=broken)
        agree = (
            not pair.exceeds(explained)
            and (half or one == two or max(fit.coarseness.values()) <= COARSEST)
            and is_symmetric(arch, fit, pair, seed)
            and short_rows_agree(arch, fit, one, two, seed)
            and (half or lines_agree(arch, fit, one, two, seed))
        )
        undecided = told(None, explained=explained)
        doubt = doubt_of(fit, half=half) if agree or (half and not pair.exceeds(explained)) else None
        del fit, told  # points in standard position may be gigabytes, and so are their twins
        broken = () if doubt is None else doubt.confirmed(arch, one, two)
        equal = True if agree and not broken else None
        return dataclasses.replace(undecided, equal=equal, broken=broken if half else ())
    effect, explained = effect_of_the_rest(arch, fit, two, pair, seed)
    if np.all(effect <= explained):  # as of a neuron that is at rest at all these inputs
        further = ValuePair.of(arch, one, two, telling_inputs(arch, fit, seed))
        if further is not None:
            pair = further
            effect, explained = effect_of_the_rest(arch, fit, two, pair, seed)
            told = functools.partial(answer, fit, one, two, pair=pair)
    worst = largest_ratio(effect, explained)
    tells = effect[worst] > explained[worst] and pair.distances[worst] > 0
    astray = pair.distances[worst] < effect[worst] / ASTRAY  # then the element that was found tells nothing
    both = None if tells and not astray else effect_of_both(arch, one, two, pair, seed)
    if both is not None and not (tells and effect[worst] <= both[worst]):
        differ = pair.exceeds(FAR * both)
        return told(
            False if differ else None,
            explained=both if differ else explained,
            worst=largest_ratio(pair.distances, both) if differ else worst,
        )
    found = fewest_tensors(arch, fit, two) if culprits else Culprits(fit.beyond)
    named = name_hypothesis(arch, one, two, fit, found.names) if hypotheses and culprits else None
    return told(
        False,
        explained=explained,
        worst=worst,
        effect=effect,
        broken=found.names if named is None else named[1],
        alternatives=found.alternatives if named is None else (),
        hypothesis=None if named is None else named[0],
    )


def effect_of_both(arch: Architecture, one: Weights, two: Weights, pair: ValuePair, seed: int) -> np.ndarray:
    """Return for each input by how much rounding of what is stored of two points may make their values differ."""
    first, second = (
        effect_of_changes(arch, theta, pair.inputs, seed, in_storage(unit_of(theta)), values=values)
        for theta, values in ((one, pair.first), (two, pair.second))
    )
    return first + second


def is_symmetric(arch: Architecture, fit: Fit, pair: ValuePair, seed: int) -> bool:
    """Return whether the element that was found keeps the values of the first point, up to rounding of float64: that it
    is a symmetry rests on rules for spaces, which this tries.
    """
    image = fit.image
    moved = values_at(arch, image, pair.inputs)
    if moved is None:
        return False
    shares = {name: COMPUTED / fit.unit * bound for name, bound in fit.bounds.items()}
    found, lost = ValuePair(pair.inputs, moved, pair.first), by_shares(shares)
    return any(
        not found.exceeds(MARGIN * changed.max(axis=1))
        for changed in changes_of_entries(arch, image, pair.inputs, seed, lost, values=moved)
    )


def entries_beyond(fit: Fit) -> Iterator[tuple[str, np.ndarray]]:
    """Iterate over the tensors that rounding does not explain, each with where it is too far from its image."""
    for name in fit.beyond:
        size = fit.resolution.sizes[name][1] or 1.0
        yield name, fit.resolution.distances(name) > fit.bounds[name] * size


def effect_of_the_rest(
    arch: Architecture, fit: Fit, two: Weights, pair: ValuePair, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much the entries that rounding does not explain change the values at inputs, and what rounding of
    these entries explains of that, together with rounding of float64.

    Values are those in the coordinates of the second point, as what is large in standard position may cancel. Of
    float64 counts what rounding of each entry by its own size does there, which is what products of matrices lose
    (Higham, Accuracy and Stability of Numerical Algorithms, section 3.5), and what is lost on the way to standard
    position and back.
    """
    inputs, given = pair.inputs, pair.second
    values, others = values_with_and_without(arch, fit, inputs)
    if values is None or others is None:
        return np.zeros(len(inputs)), np.full(len(inputs), np.inf)
    bounds = {name: fit.bounds[name] * place for name, place in entries_beyond(fit)}
    explained = effect_of_changes(arch, fit.second.theta, inputs, seed, by_shares(bounds), fit.back, values)
    lost = MARGIN * np.abs(given - values).max(axis=1)
    computed = effect_of_changes(arch, two, inputs, seed, by_entries(COMPUTED), values=given)
    return np.abs(values - others).max(axis=1), explained + lost + computed


def values_with_and_without(
    arch: Architecture, fit: Fit, inputs: np.ndarray
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the values of the second point, from standard position, and those with the entries of the image where
    rounding does not explain the difference; None where there are none.
    """
    second, arrays = fit.second.theta, {}
    for name, place in entries_beyond(fit):
        arrays[name] = fit.resolution.two[name].copy()
        arrays[name][place] = fit.resolution.moved(name)[place]
    try:  # one point after the other, as each may be large
        values, others = (
            values_at(arch, verbs.act(fit.back, theta), inputs) for theta in (second, replaced(second, arrays))
        )
    except DivisionByZero:
        return None, None
    return values, others


def telling_inputs(arch: Architecture, fit: Fit, seed: int) -> np.ndarray:
    """Return those of further random inputs at which the entries that rounding does not explain change values most."""
    inputs = np.concatenate([draw_public_inputs(arch, seed + turn) for turn in range(1, 1 + FURTHER)])
    values, others = values_with_and_without(arch, fit, inputs)
    effect = np.zeros(len(inputs)) if values is None or others is None else np.abs(values - others).max(axis=1)
    found: np.ndarray = inputs[np.argsort(-effect, kind="stable")[: len(inputs) // FURTHER]]
    return found


def tokens_of(arch: Architecture, fit: Fit) -> list[int]:
    """Return the tokens that the rows with the most distant entries of tensors belong to that have a row for each."""
    if fit.beyond:
        return rows_of_tables(arch, fit.resolution.two, dict(entries_beyond(fit)))
    tables = tables_of(arch, fit.resolution.two.shapes)
    return list(dict.fromkeys(int(np.argmax(fit.resolution.distances(name).max(axis=1))) for name in tables))


def rows_of_tables(arch: Architecture, tensors: Matrices, places: Mapping[str, np.ndarray]) -> list[int]:
    """Return for each tensor with a row for each token the row that has most of some places, each row once."""
    tables = [name for name in tables_of(arch, tensors.shapes) if name in places]
    return list(dict.fromkeys(int(np.argmax(places[name].sum(axis=1))) for name in tables))


def answer(
    fit: Fit,
    one: Weights,
    two: Weights,
    equal: bool | None,
    *,
    pair: ValuePair | None = None,
    explained: np.ndarray | None = None,
    worst: int | None = None,
    effect: np.ndarray | None = None,
    broken: tuple[str, ...] | None = None,
    alternatives: tuple[str, ...] = (),
    hypothesis: str | None = None,
) -> Comparison:
    """Return a comparison with what a fit says of spaces and tensors, and values at the input that is worst."""
    tensors = {name: TensorResult(name, residual, fit.bounds[name]) for name, residual in fit.residuals.items()}
    figures: dict[str, Any] = {}
    if pair is not None and explained is not None:
        figures = pair.figures(explained, effect, worst, differ=equal is False)
    return Comparison(
        equal=equal,
        element=fit.element,
        spaces=tuple(spaces_of(fit, tensors)),
        tensors=tuple(tensors.values()),
        broken=fit.beyond if broken is None else broken,
        alternatives=alternatives,
        hypothesis=hypothesis,
        precision=bits_of(one, two),
        **figures,
    )


def spaces_of(fit: Fit, tensors: dict[str, TensorResult]) -> Iterator[SpaceResult]:
    """Iterate over what acts in the spaces of a network."""
    motions, found = fit.resolution.motions, fit.resolution
    for space in motions.spaces:
        names = tuple(dict.fromkeys(side.tensor for side in space.sides))
        yield result_of(space.name, space.group, space.size, names, tensors, known=space in found.matrices)
    for one in motions.coordinates:
        names = tuple(dict.fromkeys(name for name, _ in one.sides))
        parts = ["order"] * one.permuted
        parts += ["signs" if each.signs else "positive numbers" if each.positive else "numbers" for each in one.factors]
        known = one in found.orders and all(each in found.numbers for each in one.factors)
        yield result_of(one.name, " and ".join(dict.fromkeys(parts)), one.size, names, tensors, known=known)


def result_of(
    name: str, group: str, size: int, names: tuple[str, ...], tensors: dict[str, TensorResult], *, known: bool
) -> SpaceResult:
    """Return what is known of a space."""
    residual = max((tensors[one].residual for one in names), default=0.0)
    fits = all(tensors[one].fits for one in names)
    return SpaceResult(name, group, size, names, residual if known else None, fits)
