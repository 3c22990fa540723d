"""The element of the group of a network that carries one point to another, with its permutations, if there is one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Field, PrimeField, Rationals, Reals
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.geometry.equality.networks.closeness import vanishes
from algatt.geometry.equality.networks.idle import remove_idle
from algatt.geometry.equality.networks.linear_system import keeps_its_group
from algatt.geometry.equality.networks.monomials import product_of_powers, solve_monomials
from algatt.geometry.equality.networks.motions import GroupMotions, motions_of
from algatt.geometry.equality.networks.newton import improved
from algatt.geometry.equality.networks.resolution import Resolution
from algatt.geometry.equality.networks.standard import bound_by_weights, on_folded, to_standard_position, without_means
from algatt.parameters import Weights
from algatt.symmetry import GroupElement, ProductElement
from algatt.symmetry.discrete.moves import Moves, TensorMove, is_same_program, permutation_matrix
from algatt.symmetry.discrete.renaming import Trial
from algatt.symmetry.discrete.symmetry import moves_of_renaming, term_graph
from algatt.symmetry.tensors_element import Sides, TensorsElement


def element_between(arch: Architecture, one: Weights, two: Weights) -> GroupElement | None:
    """Return an element that may carry one point to another, or None if none was found; who asks has to check that it
    does.

    Its matrices satisfy the equations of their spaces, exactly over GF(p) and Q, and its permutations leave the program
    of the network the same, so that it is a symmetry wherever it leads.

    Raises
    ------
    RankUndecided
        Of floats that are too close to others of a smaller rank.
    """
    if isinstance(one.field, Reals):  # rounding of either point may explain a difference
        field = one.field.meet(two.field)
        one, two = (theta.replace([Elements(field, part.raw) for part in theta.elements]) for theta in (one, two))
    (before, first), (after, second) = (to_standard_position(arch, theta) for theta in (one, two))
    motions = motions_of(arch)
    (idle, start, reached), (also, end, others) = (
        remove_idle(arch, motions, theta, checked=True) for theta in (first, second)
    )
    one, two = (without_means(arch, theta) for theta in (start, end))
    element = found_element(arch, motions, one, two, reached) if reached == others else None
    if element is None:
        return None
    if not motions.passed:
        element = improved(arch, element, one, two)
    if not (before or idle):
        return element
    whole = on_folded(arch, element)
    again: tuple[GroupElement, ...] = ()
    with contextlib.suppress(DivisionByZero):  # with a zero in a gain vectors stay where they are
        if motions.passed or bound_by_weights(arch):
            again, settled = (to_standard_position(arch, theta)[0] for theta in (verbs.act(whole, start), end))
            also = (*settled, *also)
    back = [verbs.inverse(factor) for factor in reversed((*also, *after))]
    return ProductElement((*back, *again, whole, *idle, *before))


def found_element(
    arch: Architecture, motions: GroupMotions, one: Weights, two: Weights, reached: Mapping[MatrixSpace, int]
) -> TensorsElement | None:
    """Return an element of the group that some motions say, between points in standard position, with the same idle
    coordinates, on which it does not act.
    """
    graph = term_graph(arch)
    first, second = one.tensors, two.tensors
    taken = {
        name
        for name, number in graph.of_tensor.items()
        if any(graph.classes.is_taken((number, axis)) for axis in (0, 1))
    }
    if isinstance(one.field, PrimeField) and not all(keeps_its_group(one.field, space) for space in motions.spaces):
        return None
    alone = [names[0] for names in graph.alike.values() if len(names) == 1]
    base = Resolution(motions, first, second, {name: TensorMove(name) for name in alone if name not in taken}, reached)
    if not base.run(whole=False):
        return None

    def accept(trial: Trial, decided: Iterable[str]) -> bool:
        touched = {part for name in decided for part in parts_of(motions, name)}
        together = [
            name for name in trial.tensors if name in decided or not touched.isdisjoint(parts_of(motions, name))
        ]
        moves = {name: TensorMove(trial.tensors[name]) for name in together if name not in taken}
        return moves.items() <= base.moves.items() or base.extended(moves).run(whole=False)

    renaming = graph.search({name: name for name in alone}, accept)
    if renaming is None:
        return None
    moves = {name: TensorMove(name) for name in one.names()} | dict(moves_of_renaming(arch, renaming))
    # floats are solved for anew if more tensors are known
    kept = base.moves.items() <= moves.items() if one.field.exact else base.moves == moves
    whole = base.extended(moves) if kept else Resolution(motions, first, second, moves, reached)
    if not whole.run(whole=True):
        return None
    numbers = solved_numbers(whole)
    if numbers is None:
        return None
    permutations = {name: complete_move(whole, name) for name in moves}
    if not is_same_program(program(arch), permutations):
        return None
    return TensorsElement(dict(moved_sides(whole, numbers, permutations)))


def parts_of(motions: GroupMotions, name: str) -> set[MatrixSpace | int]:
    """Return the spaces and classes that the sides of a tensor belong to."""
    parts: set[MatrixSpace | int] = set()
    for side in ((name, 0), (name, 1)):
        parts.update(space for space, _ in motions.by_side.get(side, ()))
        if side in motions.class_of:
            parts.add(motions.class_of[side])
    return parts


def field_of(resolution: Resolution) -> Field:
    """Return the field of the points."""
    return next(iter(resolution.one.values())).field


def solved_numbers(resolution: Resolution) -> list[Elements] | None:
    """Return the unknown numbers, from what all entries are multiplied by and from the equations of the spaces; None
    if there are none. Linear equations between matrices hold, as the matrices solve them, but for these numbers.
    """
    motions, field = resolution.motions, field_of(resolution)
    entries: dict[tuple[int, ...], Elements] = {}
    for name in resolution.moves:
        ratios = resolution.ratios(name)
        if ratios is None:
            return None
        entries = {**entries, **ratios, **entries}
    conditions = []
    for row, value in conditions_on_numbers(resolution):
        if value is None:
            return None
        conditions.append((row, value))
    rows, values = zip(*entries.items(), *conditions, strict=True) if entries or conditions else ((), ())
    exponents = np.array(rows, dtype=object).reshape(len(rows), motions.numbers)
    numbers = solve_monomials(field, exponents, values, motions.positive)
    if numbers is None:
        return None
    one = Elements.of(field, [[1]])
    for number in motions.signs:
        numbers[number] = next((sign for sign in (one, -one) if vanishes(numbers[number] - sign, one)), one * 0)
    if isinstance(field, Reals | Rationals) and any(numbers[place].raw[0, 0] <= 0 for place in motions.positive):
        return None
    products = ((product_of_powers(one, numbers, row), value) for row, value in conditions)
    return numbers if all(vanishes(product - value, value) for product, value in products) else None


def conditions_on_numbers(resolution: Resolution) -> Iterator[tuple[tuple[int, ...], Elements | None]]:
    """Iterate over the products of powers of numbers that have to be something for matrices to be in their groups, and
    signs to be signs; None for what no number can make of a matrix.
    """
    motions = resolution.motions

    def power(number: int, exponent: int) -> tuple[int, ...]:
        return tuple(exponent * int(k == number) for k in range(motions.numbers))

    for space, scale in motions.spaces.items():
        if space.rigid:
            factor = square_factor(resolution, space)
            yield power(scale, 2), None if factor is None else factor.reciprocal()
        if space.group == "centred" or motions.before_means.get(space, space) is None:
            yield power(scale, 1), resolution.units[space].reciprocal()
    for sign in motions.signs:
        yield power(sign, 2), Elements.of(field_of(resolution), [[1]])


def square_factor(resolution: Resolution, space: MatrixSpace) -> Elements | None:
    """Return the number that g g^T is a multiple of the identity by, or None if it is no multiple, or g not known."""
    g = resolution.matrices.get(space)
    if g is None:  # nothing said which matrix it is
        return None
    square = g @ g.T
    factor = Elements(square.field, square.raw[:1, :1])
    if factor.raw[0, 0] == 0:
        return None
    identity = np.eye(space.size, dtype=np.int64)
    return factor if vanishes(square - factor * identity, factor) else None


def complete_move(resolution: Resolution, name: str) -> TensorMove:
    """Return the permutations of a tensor: those that were found for its coordinates, and those of a renaming."""
    move = resolution.moves[name]
    orders = []
    for axis, order in enumerate((move.rows, move.columns)):
        number = resolution.motions.class_of.get((name, axis))
        orders.append(order if number is None else resolution.orders.get(number))
    return TensorMove(move.source, *orders)


def moved_sides(resolution: Resolution, numbers: list[Elements], permutations: Moves) -> Iterable[tuple[str, Sides]]:
    """Iterate over the tensors that move, each with the matrices on its sides."""
    motions, field = resolution.motions, field_of(resolution)
    for name, move in permutations.items():
        sides: list[Elements | None] = []
        for axis, order in enumerate((move.rows, move.columns)):
            size = len(motions.exponents[name, axis])
            total: Elements | None = resolution.matrix((name, axis))
            if (name, axis) in motions.passed:
                space, side = motions.passed[name, axis]
                total = (resolution.inverses if side.inverse else resolution.matrices)[space]
                total = total.T if side.transposed else total
                within = sum(one.sign for _, one in motions.by_side.get((name, axis), ()))  # standard position
                total = total * numbers[motions.spaces[space]] ** (side.sign - within)
            if order is not None and order != tuple(range(size)):
                P = permutation_matrix(field, order)
                P = P if axis == 0 else P.T
                total = P if total is None else total @ P if axis == 0 else P @ total
            factors = motions.factors((name, axis), numbers)
            if factors is not None:
                whole = Elements.of(field, np.eye(size, dtype=np.int64)) if total is None else total
                total = (factors if axis == 0 else factors.T) * whole
            sides.append(total)
        if move.source != name or sides != [None, None]:
            yield name, Sides(move.source, *sides)
