r"""The normal form of the weights of a network: one point of each generic orbit, found space by space.

Weights are brought into standard position; then frames fix the matrices of spaces, entries fix numbers and signs, and
rows are sorted, each as soon as what it is made of is fixed; at last heads and experts are put into order. Every step
is a group element, so that the function stays. Every choice is made of what no symmetry that is left can change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Network, Normalized
from algatt.architectures.network import arrangement_of, own_network
from algatt.architectures.recognition import named_attention
from algatt.errors import InvalidArgument, NoNormalForm
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.geometry.equality.large.motions import MatrixSpace, MovingSide
from algatt.geometry.equality.networks.idle import remove_idle
from algatt.geometry.equality.networks.missing import without_standard_position
from algatt.geometry.equality.networks.motions import motions_of
from algatt.geometry.equality.networks.normal_forms.exchanging import exchange
from algatt.geometry.equality.networks.normal_forms.frames import framed, not_generic
from algatt.geometry.equality.networks.normal_forms.network_form import NetworkNormalForm
from algatt.geometry.equality.networks.normal_forms.scaling import fix_numbers, fix_signs
from algatt.geometry.equality.networks.normal_forms.sorting import beside_largest, sorted_order
from algatt.geometry.equality.networks.standard import bound_by_weights, on_folded, to_standard_position, without_means
from algatt.geometry.equality.rounding import check_point
from algatt.parameters import Parameters, Weights
from algatt.parameters.base import Coordinates
from algatt.symmetry import (
    CompositeSymmetry,
    GroupElement,
    ProductElement,
    QuadraticForm,
    UnseenDirections,
)
from algatt.symmetry.arranged import arranged_element
from algatt.symmetry.discrete.moves import TensorMove, element_of_moves
from algatt.symmetry.discrete.symmetry import Side
from algatt.symmetry.named.factors import with_names

UNMOVED = (CompositeSymmetry, QuadraticForm, UnseenDirections)
"""Families that no step uses: the normal forms of two points that these carry to each other may differ."""


def run(form: NetworkNormalForm) -> None:
    """Fix everything.

    Raises
    ------
    NoNormalForm
        If something cannot be fixed: then it is named.
    """
    for space, scale in form.motions.spaces.items():
        if space.rigid:  # multiples of its matrices are not in the group, but perhaps for their negatives
            form.numbers.accept([tuple(int(k == scale) for k in range(form.motions.numbers))])
    for name in (*form.motions.unsolved, *map(form.motions.name, form.motions.before_means)):
        raise NoNormalForm(f"no normal form is known for the space {name}")
    steps = (fix_spaces, sort_classes, fix_numbers, fix_signs)
    while any(step(form) for step in steps):  # numbers only where nothing else can be fixed
        pass
    check_finished(form)
    exchange(form)


def check_finished(form: NetworkNormalForm) -> None:
    """Raise `NoNormalForm` if something is left."""
    for space in form.motions.spaces:
        if space not in form.fixed:
            raise form.problems.get(space, not_generic(form.motions.name(space)))
    everything = list(form.exponents_of_entries())
    signs = form.motions.signs
    whole = [tuple(0 if k in signs else e for k, e in enumerate(row)) for row in everything]
    if form.numbers.rank(whole) > len(form.numbers.rows):
        left = next(row for row in whole if not form.numbers.spans(row))
        place = next(k for k, e in enumerate(left) if e)
        raise NoNormalForm(f"no entry fixes the numbers of {form.motions.owners[place]} without roots")
    if form.signs.rank(map(form.of_signs, everything)) > len(form.signs.rows):
        raise NoNormalForm("no entry fixes all signs of coordinates")
    for number, sides in enumerate(form.motions.classes):
        if number not in form.sorted:
            raise NoNormalForm(f"no tensor tells the order of the rows that {sides[0][0]} shares")


def fix_spaces(form: NetworkNormalForm) -> bool:
    """Fix the matrices of the spaces that have a frame, and return whether there are any."""
    found = False
    for space in form.motions.spaces:
        matrices = None if space in form.fixed else matrices_of(form, space)
        if matrices is not None:
            form.act(form.motions.sides_of(matrices))
            form.fixed.add(space)
            found = True
    return found


def matrices_of(form: NetworkNormalForm, space: MatrixSpace) -> Mapping[MatrixSpace, Elements] | None:
    """Return the matrix of a space by one of its frames, if it is not the identity; None if it has no frame now."""
    reached = form.reached.get(space)
    if reached == 0:
        return {}
    found = []
    for side in frames(form, space):
        found.append((side, side.rows(form.theta.tensors[side.tensor])[:reached]))
    for first in range(len(found)):
        try:
            return {space: framed(space, form.motions.name(space), found[first:])}
        except NoNormalForm as error:  # another frame may do, now or later
            if not first:
                form.problems[space] = error
    return None


def frames(form: NetworkNormalForm, space: MatrixSpace) -> Iterator[MovingSide]:
    """Iterate over the sides of tensors that may be frames of a space: nothing else moves these, and none of them
    may be exchanged with another one of the space.
    """
    for names in form.colours():
        sides = [side for name in names for side in space.sides if side.tensor == name]
        if len(sides) == 1:
            other = (sides[0].tensor, 1 - sides[0].axis)
            if not form.open_space(other) and not form.open_class(other) and form.uniform(other):
                yield sides[0]


def sort_classes(form: NetworkNormalForm) -> bool:
    """Sort the coordinates of the classes that have entries to compare, and return whether there are any."""
    found = False
    for number, sides in enumerate(form.motions.classes):
        if number in form.sorted:
            continue
        keys = list(keys_of(form, sides))
        if not keys:
            continue
        order, distinct = sorted_order(Elements(form.scalars, np.hstack([beside_largest(key).raw for key in keys])))
        if not distinct and len(keys) < len(sides):
            continue  # what is not fixed yet may tell them apart
        moves: dict[str, list[tuple[int, ...] | None]] = {}
        for name, axis in sides:
            moves.setdefault(name, [None, None])[axis] = order
        element = element_of_moves({name: TensorMove(name, *pair) for name, pair in moves.items()}, form.scalars)
        form.act(dict(element.sides))
        form.sorted.add(number)
        found = True
    return found


def keys_of(form: NetworkNormalForm, sides: tuple[Side, ...]) -> Iterator[Elements]:
    """Iterate over matrices whose rows are compared: nothing moves them but the permutation."""
    own = [name for name, _ in sides]
    for names in form.colours():
        inside = [name for name in names if name in own]
        for name, axis in sides:
            if inside == [name] and own.count(name) == 1:
                other = (name, 1 - axis)
                patterns = form.motions.patterns(name)[0]
                if (
                    not form.open_space(other)
                    and not form.open_class(other)
                    and all(form.is_fixed(row) for row in patterns if any(row))
                ):
                    W = form.theta.tensors[name]
                    yield W if axis == 0 else W.T


@verbs.normal_form_map.method
def normal_form_map_of_architecture(arch: Architecture, theta: Parameters) -> GroupElement:
    check_point(arch, theta)
    if not isinstance(theta.field, PrimeField | Rationals | Reals):
        raise InvalidArgument("theta", f"over {theta.field}", "over a PrimeField, Rationals() or Reals()")
    if isinstance(arch, Network) and isinstance(theta, Weights):
        arrangement = arrangement_of(arch) or named_attention(arch)
        if arrangement is not None:
            return arranged_element(arrangement, verbs.normal_form_map(arrangement.network, arrangement.forth(theta)))
    network, weights = own_network(arch, theta)
    before: tuple[GroupElement, ...] = ()
    standard = weights
    if not isinstance(arch, Lightning | Normalized):  # in these, what else is not seen stays as it is
        before, standard = to_standard_position(network, weights)
        seen = [one for one in verbs.symmetries(arch) if not isinstance(one, UNMOVED)]
        for reason in without_standard_position(seen, standard):
            raise NoNormalForm(reason)
    motions = motions_of(network)
    idle, start, reached = remove_idle(network, motions, standard)
    form = NetworkNormalForm(network, motions, without_means(network, start), reached)
    run(form)
    factors = tuple(on_folded(network, one) for one in form.factors)
    again: tuple[GroupElement, ...] = ()
    if bound_by_weights(network):
        again, _ = to_standard_position(network, verbs.act(ProductElement((*factors, *idle, *before)), weights))
    element = ProductElement((*again, *factors, *idle, *before))
    named = with_names(arch, theta, element)
    if idle and (arch.algebraic or not theta.field.characteristic):
        try:
            has_function = verbs.has_function(arch, verbs.act(named, theta))
        except InvalidArgument:  # a translation is not small enough beside what is seen
            raise NoNormalForm("floats do not decide which coordinates are idle") from None
        if not has_function:
            raise NoNormalForm("the weights are not generic: without their idle coordinates there is no function")
    return named


@verbs.canonical.method
def canonical_of_architecture(arch: Architecture, theta: Coordinates) -> Coordinates:
    return verbs.act(verbs.normal_form_map(arch, theta), theta)
