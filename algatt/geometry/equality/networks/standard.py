"""Standard positions of the fibres of arrows: gains are 1, and what is not seen; and what may be added to a tensor is
chosen so that its rows or columns add up to zero. Entries of a gain that are zero are 1 as well, and what they hid is
zero instead.

All this is kept by the groups of the spaces and by permutations, so that two points of one function that are brought
there are carried to each other by these alone.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero, SingularMatrix
from algatt.fields import Elements, Reals, concatenate
from algatt.fields.motions import Letter
from algatt.geometry.equality.networks.echelon import without_rows
from algatt.parameters import Weights
from algatt.parameters.base import Coordinates
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, Symmetry, UnseenSymmetry
from algatt.symmetry.motions.shift import AddedTerm, Shift
from algatt.symmetry.quotients.folded import FoldedElement, VectorElement, through
from algatt.symmetry.quotients.gains import Fold, Gain, fold_gains, fold_once
from algatt.symmetry.quotients.sight import Unseen
from algatt.symmetry.tensors_element import TensorsElement

ROUNDING = 1e-13
"""Floats that are smaller than this beside what they were made of are taken for zero."""

ROUNDED = 2.0**-50
"""A shift that is smaller than this beside its tensor is what rounding of sums leaves."""

SMALLEST = 2.0**-52
"""A share that float64 changes numbers by itself."""

PASSES = 2
"""What one tensor takes up may have to be passed on by another."""


def to_standard_position(arch: Architecture, theta: Weights) -> tuple[tuple[GroupElement, ...], Weights]:
    """Return the elements that bring a point into standard position, the last of which acts first, and what it is
    there.
    """
    return brought_to_rest(families_of(arch) * PASSES, theta, without_rounding)


def brought_to_rest(
    families: Sequence[Symmetry], theta: Weights, moved: Callable[[Weights, Weights], Weights], *, unseen: bool = True
) -> tuple[tuple[GroupElement, ...], Weights]:
    """Return the elements that bring a point into standard position for families, one after the other, the last of
    which acts first, and what it is there. Each step is what `moved` makes of the points after it and before.

    Shifts of a bias b that may be anything are left out: one by v is the change of b by v, and of the matrices W that
    read it by W v 1^T / 1^T b, after shifts of these; and it would take b away from where that change brings it.
    """
    biases = {family.bias.name for family in families if isinstance(family, NormBiasSymmetry)}
    factors: list[GroupElement] = []
    hidden = hidden_in(families[0].arch) if families and unseen else {}
    factors[:0], theta = without_zero_gains(families, theta)
    times: Counter[str] = Counter()  # that a tensor was moved
    settled: dict[int, int] = {}  # that the tensor of a shift had been moved when it was last looked at
    for family in families:
        shift = family.shift if isinstance(family, ShiftSymmetry) else None
        if shift is not None and (
            not biases.isdisjoint(one.tensor for one in shift.parts) or settled.get(id(family)) == times[shift.tensor]
        ):
            continue
        if isinstance(family, GainSymmetry) and np.all(theta.tensors[family.gain.name].raw == 1):
            continue
        with contextlib.suppress(DivisionByZero):
            filled = with_means(family, theta, hidden) if isinstance(family, ShiftSymmetry) else theta
            element = verbs.standard_element(family, filled)
            if element is not None and not is_rounding(family, element, theta):
                before = theta.tensors
                theta = moved(verbs.act(element, theta), theta)
                times.update(name for name, one in theta.tensors.items() if one is not before[name])
                factors.insert(0, element)
        if shift is not None and not shift.conditions:
            settled[id(family)] = times[shift.tensor]
    fold_once.cache_clear()  # which holds the last point, that may be large
    return tuple(factors), theta


def without_zero_gains(families: Sequence[Symmetry], theta: Weights) -> tuple[tuple[GroupElement, ...], Weights]:
    """Return the elements that make zeros of gains 1, the last of which acts first, and the point that they lead to.

    Where an entry of a gain g is zero, so are the products of it with the column of each matrix W in W (g * Y + b),
    after a shift has made the entry of b zero; and with the row in g * (W Y + b). So these columns and rows may be
    zero, and then the entry of the gain may be anything. A gain stays as it is where no shift makes b zero.
    """
    factors: list[GroupElement] = []
    for name, gain in gains_of(families).items():
        zero = theta.tensors[name].raw == 0
        if not zero.any():
            continue
        there, added = theta, []
        for bias, shift in shifts_beside(families, theta, gain):
            added.append(shift(-(there.tensors[bias] * zero.astype(np.int64))))
            there = verbs.act(added[-1], there)
        if any((there.tensors[bias].raw[zero] != 0).any() for bias in gain.divided):
            continue
        for tensor in (*gain.columns, *gain.rows, name):
            W = there.tensors[tensor]
            places = np.broadcast_to(zero.T if tensor in gain.columns else zero, W.shape)
            change = -W if tensor != name else W * 0 + 1
            added.append(translation(families[0].arch, tensor, places, change))
            there = verbs.act(added[-1], there)
        theta = there
        factors[:0] = reversed(added)
    return tuple(factors), theta


def gains_of(families: Iterable[Symmetry]) -> dict[str, Gain]:
    """Return the gains that families multiply, by name."""
    return {family.gain.name: family.gain for family in families if isinstance(family, GainSymmetry)}


def shifts_beside(
    families: Sequence[Symmetry], theta: Weights, gain: Gain
) -> Iterator[tuple[str, Callable[[Elements], GroupElement]]]:
    """Iterate over the biases b in W (g * Y + b), with the shift of b by a vector.

    As W diag(g) (b / g) is W b, neither g nor another gain with a zero is folded for it: so a shift is left out if it
    uses what other gains with zeros multiply. So is a number that is added to all entries of b.
    """
    gains = gains_of(families)
    zeros = {name for name in gains if (theta.tensors[name].raw == 0).any()} | {gain.name}
    others = {tensor for name in zeros - {gain.name} for tensor in gains[name].tensors}
    fold = Fold(tuple(one for name, one in gains.items() if name not in zeros))
    for family in dict.fromkeys(one for one in families if isinstance(one, ShiftSymmetry)):
        shift = family.shift
        whole = shift.tensor in gain.divided and shift.size == theta.tensors[shift.tensor].shape[0]
        if whole and not shift.conditions and others.isdisjoint(used_by(family)):
            yield shift.tensor, functools.partial(shift_through, fold, family)


def shift_through(fold: Fold, family: ShiftSymmetry, vector: Elements) -> GroupElement:
    """Return a shift by a vector that acts through a quotient."""
    return through(fold, VectorElement(family, vector))


def used_by(family: ShiftSymmetry) -> set[str]:
    """Return the tensors that a shift moves, and those of which its matrices are made."""
    instructions, found = family.shift.program.instructions, set(family.tensors)
    pending = dict.fromkeys(one.of for move in family.shift.moves for one in letters_of(move))
    numbers = [number for number in pending if isinstance(number, int)]
    for number in numbers:
        one = instructions[number]
        numbers += set(one.operands).difference(numbers)
        found |= {one.argument} if one.operation == "tensor" else set()
    return found


def letters_of(term: AddedTerm) -> Iterator[Letter]:
    """Iterate over the letters of all words of what is added to a tensor."""
    pending = [*term.words]
    for word in pending:
        pending += (number for number, _ in word.numbers)
        yield from word.letters
    if term.row is not None:
        yield term.row


def translation(arch: Architecture, tensor: str, places: np.ndarray, change: Elements) -> VectorElement:
    """Return the element that adds a change to entries of a tensor; it acts on points at which these are not seen."""
    rows, columns = (tuple(axis.tolist()) for axis in np.nonzero(places))
    family = UnseenSymmetry(arch, Unseen(tensor, rows, columns))
    return VectorElement(family, Elements(change.field, change.raw[places][:, None]))


def is_rounding(family: Symmetry, element: GroupElement, theta: Weights) -> bool:
    """Return whether an element adds no more to its tensor than rounding of that: the second time most do."""
    moving = element.element if isinstance(element, FoldedElement) else element
    if not isinstance(family, ShiftSymmetry) or not isinstance(moving, VectorElement):
        return False
    if not isinstance(theta.field, Reals):
        return not np.any(moving.vector.raw != 0)
    shift, tensors = family.shift, family.fold.folded(theta)
    size = np.abs(moving.vector.raw).max()
    if shift.gain is not None:
        size = size * np.abs(tensors[shift.gain].reciprocal().raw).max()
    arrays = [tensors[one.tensor].raw for one in shift.parts]
    return bool(size <= ROUNDED * max(max(raw.max(), -raw.min()) for raw in arrays))


@functools.lru_cache(maxsize=64)
def families_of(arch: Architecture) -> tuple[Symmetry, ...]:
    """Return the symmetries of an architecture, which many points are asked about."""
    return tuple(verbs.symmetries(arch))


def without_rounding(moved: Coordinates, theta: Coordinates) -> Coordinates:
    """Return weights without what is left over the reals, beside what there was before, where entries become zero."""
    if not isinstance(theta.field, Reals):
        return moved
    arrays = []
    for one, before in zip(moved.elements, theta.elements, strict=True):
        seen = np.abs(one.raw) > ROUNDING * np.abs(before.raw).max(initial=0.0)
        arrays.append(Elements(one.field, one.raw * seen))
    return moved.replace(arrays)


def on_folded(arch: Architecture, element: TensorsElement) -> GroupElement:
    """Return an element that acts through the quotient that folds gains, from one that moves weights in standard
    position,
    whose gains are 1, in whatever order.
    """
    _, fold = fold_gains(program(arch))
    gone = {gain.name for gain in fold.gains}
    moved = TensorsElement({name: sides for name, sides in element.sides.items() if name not in gone})
    return through(fold, moved)


@verbs.standard_element.method
def no_standard_position(family: Symmetry, theta: Weights) -> GroupElement | None:
    return None


@verbs.standard_element.method
def standard_gain(family: GainSymmetry, theta: Weights) -> GroupElement | None:
    return family.element_of(theta.tensors[family.gain.name].reciprocal())


@verbs.standard_element.method
def standard_shift(family: ShiftSymmetry, theta: Weights) -> GroupElement | None:
    """Where only vectors v with A v = 0 may be added, the sum is a combination of the rows of A: this is kept by
    permutations, and by orthogonal matrices, but not by others. What is divided by a gain is summed after it is
    multiplied by it; over the reals the sum of squares is made smallest, as all that is added is large where an entry
    of the gain is small.
    """
    tensors = family.fold.folded(theta)
    mean = mean_vector(family.shift, tensors)
    if not family.shift.conditions:
        return family.element_of(-mean)
    try:
        return family.element_of(-without_rows(family.shift.matrix_of_conditions(tensors), mean))
    except SingularMatrix:
        return None


def without_means(arch: Architecture, theta: Weights) -> Weights:
    """Return weights in standard position without the means of what vectors are added to that satisfy conditions made
    of weights, as if these had to satisfy nothing. The function is another one, but groups and permutations keep these
    weights, while the standard position for such a vector depends on its coordinates. With a zero in a gain they stay.
    """
    moving = bound_by_weights(arch)
    for family in moving:
        with contextlib.suppress(DivisionByZero):
            theta = verbs.act(family.element_of(-mean_vector(family.shift, family.fold.folded(theta))), theta)
    return to_standard_position(arch, theta)[1] if moving else theta


def bound_by_weights(arch: Architecture) -> list[ShiftSymmetry]:
    """Return the shifts by vectors that satisfy conditions made of weights."""
    return [one for one in verbs.members(ShiftSymmetry, arch) if one.shift.bound_by_weights]


def mean_vector(shift: Shift, tensors: Mapping[str, Elements]) -> Elements:
    """Return the vector v, or the number, that is taken away where the columns or rows of the tensors of a shift are to
    add up to zero, whatever v has to satisfy.
    """
    return concatenate([mean_of_part(shift, one, tensors) for one in shift.parts])


def mean_of_part(shift: Shift, part: AddedTerm, tensors: Mapping[str, Elements]) -> Elements:
    """Return the entries of that vector that are taken away from one of the tensors."""
    tensor, gain = tensors[part.tensor], shift.gain_beside(part)
    if gain is None:
        return mean_of(part.kind, tensor)
    g = tensors[gain]
    if isinstance(g.field, Reals):
        return projection(shift, tensor, g)
    mean = mean_of(part.kind, tensor * (g if shift.ray and part.kind == "columns" else g.T))
    return mean_of("rows", mean) if shift.ray else mean


def mean_of(kind: str, tensor: Elements) -> Elements:
    """Return the mean of the columns or rows of a tensor, as a column."""
    lines = tensor if kind == "columns" else tensor.T
    return lines.sum(axis=1) * (Elements.of(tensor.field, [[1]]) * lines.shape[1]).reciprocal()


def projection(shift: Shift, tensor: Elements, gain: Elements) -> Elements:
    """Return the vector v, or the number, of which v (1/g)^T, or what a multiple of 1/g adds, is nearest to a tensor
    of floats.

    Raises
    ------
    DivisionByZero
        If an entry of the gain is zero.
    """
    inverse = gain.reciprocal().raw.ravel()
    size = np.abs(inverse).max()  # squares of which stay within float64
    weights = inverse / size
    squares = size * np.sum(weights**2)
    matrix = tensor.raw.T if shift.ray and shift.kind == "columns" else tensor.raw
    products = matrix @ weights[:, None]
    vector = products.mean(axis=0, keepdims=True) if shift.ray else products
    return Elements(tensor.field, vector / squares)


def hidden_in(arch: Architecture) -> dict[str, list[Unseen]]:
    """Return the entries that nothing sees, by tensor: to look a large network up takes as long as a family takes."""
    found: dict[str, list[Unseen]] = {}
    for family in verbs.members(UnseenSymmetry, arch):
        found.setdefault(family.unseen.tensor, []).append(family.unseen)
    return found


def with_means(family: ShiftSymmetry, theta: Weights, hidden: Mapping[str, Sequence[Unseen]]) -> Weights:
    """Return a point in which entries of the tensor of a shift that nothing sees, as `hidden_in` lists them, are the
    means of the others in their row or column, so that the shift to sums zero does not depend on them.

    Raises
    ------
    DivisionByZero
        If the characteristic of the field divides the number of the others.
    """
    arrays = theta.tensors
    for part in family.shift.parts:
        if part.tensor in hidden:
            element = arrays[part.tensor]
            seen = np.ones(element.shape, dtype=np.int64)
            for one in hidden[part.tensor]:
                seen[list(one.rows), list(one.columns)] = 0
            axis = 1 if part.kind == "columns" else 0
            counts = Elements.of(theta.field, np.maximum(seen.sum(axis=axis, keepdims=True), 1))
            means = (element * seen).sum(axis=axis) * counts.reciprocal()
            arrays = arrays | {part.tensor: element * seen + means * (1 - seen)}
    return theta.replace(list(arrays.values()))


@verbs.standard_element.method
def standard_bias(family: NormBiasSymmetry, theta: Weights) -> GroupElement | None:
    ones = np.ones((family.dimension, 1), dtype=np.int64)
    return family.element_of(ones - theta.tensors[family.bias.name])


@verbs.standard_element.method
def standard_unseen(family: UnseenSymmetry, theta: Weights) -> GroupElement | None:
    """Entries that are not seen are 1: there may be no value where they are 0."""
    entries = theta.tensors[family.unseen.tensor].raw[list(family.unseen.rows), list(family.unseen.columns)]
    return family.element_of(1 - Elements(theta.field, entries[:, None]))
