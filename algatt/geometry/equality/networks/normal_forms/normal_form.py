r"""The normal form of the weights of a network: one point of each generic orbit, found space by space.

Weights are brought into standard position; then frames fix the matrices of spaces, entries fix numbers and signs, and
rows are sorted, each as soon as what it is made of is fixed; at last heads and experts are put into order. Every step
is a group element, so that the function stays. Every choice is made of what no symmetry that is left can change.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import check_fits
from algatt.errors import DivisionByZero, InvalidArgument, NoNormalForm
from algatt.fields import Elements, Field, PrimeField, Rationals, Reals
from algatt.fields.types import Space
from algatt.geometry.equality.networks.element import on_folded
from algatt.geometry.equality.networks.monomials import product_of_powers, solve_monomials
from algatt.geometry.equality.networks.motions import Block, Motions, motions_of
from algatt.geometry.equality.networks.normal_forms.frames import check_block, framed, is_orthogonal, not_generic
from algatt.geometry.equality.networks.normal_forms.representatives import (
    Chosen,
    Entry,
    chosen_entries,
    is_negative,
    one_or_minus_one,
)
from algatt.geometry.equality.networks.normal_forms.sorting import comparable, compare, sorted_order
from algatt.geometry.equality.networks.standard import to_standard_position
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.parameters import Weights
from algatt.symmetry import ProductElement, SpaceSymmetry
from algatt.symmetry.discrete.moves import Move, element_of_moves
from algatt.symmetry.discrete.symmetry import Side, moves_of_renaming, term_graph
from algatt.symmetry.tensors_element import Sides, TensorsElement

__all__ = ["NetworkNormalForm"]


@dataclass
class NetworkNormalForm:
    """What is fixed so far on the way to a normal form.

    Parameters
    ----------
    arch : Network
        The network.
    motions : Motions
        How its tensors move.
    theta : Weights
        The weights so far.
    factors : list of TensorsElement
        What led there, the last one first.

    Attributes
    ----------
    fixed : set of int
        The blocks whose matrices are fixed.
    sorted : set of int
        The classes whose coordinates are in order.
    numbers, signs : Chosen
        The exponents of the entries that fix numbers, and those that fix signs.
    problems : dict of int to NoNormalForm
        Why frames of blocks were none.
    """

    arch: Network
    motions: Motions
    theta: Weights
    factors: list[TensorsElement] = field(default_factory=list)
    fixed: set[int] = field(default_factory=set)
    sorted: set[int] = field(default_factory=set)
    numbers: Chosen = field(default_factory=Chosen)
    signs: Chosen = field(default_factory=lambda: Chosen(2))
    problems: dict[int, NoNormalForm] = field(default_factory=dict)

    @property
    def scalars(self) -> Field:
        """The field of the weights."""
        return self.theta.field

    def act(self, sides: dict[str, Sides]) -> None:
        """Move the weights."""
        element = TensorsElement(sides)
        self.theta = verbs.act(element, self.theta)
        self.factors.insert(0, element)

    def run(self) -> None:
        """Fix everything.

        Raises
        ------
        NoNormalForm
            If something cannot be fixed: then it is named.
        """
        for block in self.motions.blocks:
            check_block(block, block.moving.name, block.moving.group)
            if is_orthogonal(block):  # multiples of its matrices are not in the group, but perhaps for their negatives
                self.numbers.accept([tuple(int(k == block.scale) for k in range(self.motions.numbers))])
        self.check_unsolved()
        steps = (self.fix_blocks, self.sort_classes, self.fix_numbers, self.fix_signs)
        while any(step() for step in steps):  # numbers only where nothing else can be fixed
            pass
        self.check_finished()
        self.exchange()

    def check_unsolved(self) -> None:
        """Raise `NoNormalForm` if a space is not solved for."""
        if self.motions.unsolved:
            raise NoNormalForm(f"no normal form is known for the space {self.motions.unsolved[0]}")

    def check_finished(self) -> None:
        """Raise `NoNormalForm` if something is left."""
        for number, block in enumerate(self.motions.blocks):
            if number not in self.fixed:
                raise self.problems.get(number, not_generic(block.moving.name))
        everything = list(self.exponents_of_entries())
        signs = self.sign_numbers()
        whole = [tuple(0 if k in signs else e for k, e in enumerate(row)) for row in everything]
        if self.numbers.rank(whole) > len(self.numbers.rows):
            left = next(row for row in whole if not self.numbers.spans(row))
            place = next(k for k, e in enumerate(left) if e)
            raise NoNormalForm(f"no entry fixes the numbers of {self.motions.owners[place]} without roots")
        if self.signs.rank(map(self.of_signs, everything)) > len(self.signs.rows):
            raise NoNormalForm("no entry fixes all signs of coordinates")
        for number, sides in enumerate(self.motions.classes):
            if number not in self.sorted:
                raise NoNormalForm(f"no tensor tells the order of the rows that {sides[0][0]} shares")

    def exponents_of_entries(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the exponents that entries have which are not zero: others are not multiplied by anything."""
        for name, W in self.theta.tensors.items():
            keys, groups = self.motions.patterns(name)
            for number in np.unique(groups[(W.raw != 0).reshape(groups.shape)]).tolist():
                yield keys[number]

    def open_class(self, side: Side) -> bool:
        """Return whether the coordinates on a side of a tensor may be permuted still."""
        number = self.motions.class_of.get(side)
        return number is not None and number not in self.sorted

    def open_block(self, side: Side) -> bool:
        """Return whether the matrix on a side is not fixed."""
        matrix = self.motions.matrices.get(side)
        return matrix is not None and self.motions.block_of[matrix.space] not in self.fixed

    def colours(self) -> Iterator[tuple[str, ...]]:
        """Iterate over the tensors, those together that may be exchanged."""
        graph = term_graph(self.arch)
        seen: dict[int, list[str]] = {}
        for name in verbs.coordinates(self.arch):
            if name in graph.of_tensor:
                seen.setdefault(graph.colours[graph.of_tensor[name]], []).append(name)
        yield from map(tuple, seen.values())

    def uniform(self, side: Side) -> bool:
        """Return whether all coordinates on a side are multiplied by the same numbers, but for those that are fixed."""
        exponents = self.motions.exponents[side]
        free = exponents - exponents[:1]
        return not any(any(row) and not self.is_fixed(tuple(row)) for row in free.tolist())

    def is_fixed(self, row: tuple[int, ...]) -> bool:
        """Return whether a product of numbers is 1 by what was chosen."""
        signs = self.sign_numbers()
        plain = tuple(0 if k in signs else e for k, e in enumerate(row))
        return self.numbers.spans(plain) and self.signs.spans(self.of_signs(row))

    def sign_numbers(self) -> set[int]:
        """Return the numbers that are signs."""
        return {number for family in self.motions.signs for number in family.numbers}

    def of_signs(self, row: tuple[int, ...]) -> tuple[int, ...]:
        """Return the exponents of signs, modulo 2."""
        signs = self.sign_numbers()
        return tuple(e % 2 if k in signs else 0 for k, e in enumerate(row))

    def fix_blocks(self) -> bool:
        """Fix the matrices of the spaces that have a frame, and return whether there are any."""
        found = False
        for number, block in enumerate(self.motions.blocks):
            if number in self.fixed:
                continue
            for name, axis in self.frames(block):
                side = self.motions.matrices[name, axis]
                W = self.theta.tensors[name]
                transposed = dataclasses.replace(side, transposed=side.transposed != (axis == 1))
                try:
                    matrices = framed(block, block.moving.name, transposed, W if axis == 0 else W.T)
                except NoNormalForm as error:  # another frame may do, now or later
                    self.problems[number] = error
                    continue
                self.move_block(block, matrices)
                self.fixed.add(number)
                found = True
                break
        return found

    def frames(self, block: Block) -> Iterator[Side]:
        """Iterate over the sides of tensors that may be frames of a block: nothing else moves these, and none of them
        may be exchanged with another one of the block.
        """
        for names in self.colours():
            sides = [
                side
                for name in names
                for side in ((name, 0), (name, 1))
                if side in self.motions.matrices and self.motions.matrices[side].space in block.spaces
            ]
            if len(sides) == 1:
                name, axis = sides[0]
                other = (name, 1 - axis)
                if not self.open_block(other) and not self.open_class(other) and self.uniform(other):
                    yield name, axis

    def move_block(self, block: Block, matrices: Mapping[Space, Elements]) -> None:
        """Move the weights by the matrices of a block."""
        inverses = {space: verbs.inverse(g) for space, g in matrices.items()}
        sides: dict[str, list[Elements | None]] = {}
        for (name, axis), side in self.motions.matrices.items():
            if side.space in matrices:
                g = (matrices if side.sign == 1 else inverses)[side.space]
                sides.setdefault(name, [None, None])[axis] = g.T if side.transposed else g
        self.act({name: Sides(name, *pair) for name, pair in sides.items()})

    def fix_numbers(self) -> bool:
        """Fix numbers by entries, and return whether any were."""
        return self.fix(self.numbers, signs=False)

    def fix_signs(self) -> bool:
        """Fix signs by entries, and return whether any were."""
        return self.fix(self.signs, signs=True)

    def fix(self, chosen: Chosen, signs: bool) -> bool:
        """Choose entries, and multiply the weights so that they become 1, or positive if signs are fixed."""
        before, mask = list(chosen.rows), np.zeros(self.motions.numbers, dtype=np.int64)
        mask[list(self.sign_numbers())] = 1
        mask = mask if signs else 1 - mask
        exponents = {
            name: (self.motions.exponents[name, 0] * mask, self.motions.exponents[name, 1] * mask)
            for name in self.theta.names()
        }
        if signs:
            exponents = {name: (rows % 2, columns % 2) for name, (rows, columns) in exponents.items()}
        permuted = {name: (self.open_class((name, 0)), self.open_class((name, 1))) for name in self.theta.names()}
        steady = [
            tuple(name for name in names if not self.open_block((name, 0)) and not self.open_block((name, 1)))
            for names in self.colours()
        ]
        entries = chosen_entries(self.theta.tensors, exponents, permuted, steady, chosen)
        if not entries:
            return False
        one = Elements.of(self.scalars, [[1]])
        if signs:
            rows = [*before, *(tuple(e % 2 for e in entry.exponents) for entry in entries)]
            negative = [False] * len(before) + [is_negative(entry.value) for entry in entries]
            found = [-one if flip else one for flip in solved_modulo_two(rows, negative, self.motions.numbers)]
        else:
            rows = [*before, *(entry.exponents for entry in entries)]
            values = [one] * len(before) + [self.target(entry) for entry in entries]
            solution = solve_monomials(self.scalars, np.array(rows, dtype=object), values, self.motions.positive)
            if solution is None:
                raise NoNormalForm("numbers that entries ask for are no numbers of the field")
            found = solution
            self.check_positive(found)
        self.multiply(found)
        return True

    def target(self, entry: Entry) -> Elements:
        """Return what an entry has to be multiplied by to become 1, or 1 or -1 if the numbers are positive."""
        inverse = entry.value.reciprocal()
        ones = {block.scale for block in self.motions.blocks if is_orthogonal(block)}
        positive = all(k in self.motions.positive or k in ones for k, e in enumerate(entry.exponents) if e)
        if positive and not isinstance(self.scalars, PrimeField):
            return inverse * one_or_minus_one(entry.value)
        return inverse

    def check_positive(self, numbers: list[Elements]) -> None:
        """Raise `NoNormalForm` if a number that has to be positive is not."""
        if not isinstance(self.scalars, PrimeField):
            for place in self.motions.positive:
                if is_negative(numbers[place]):
                    raise NoNormalForm(
                        f"no entry fixes the numbers of {self.motions.owners[place]} by their sizes alone"
                    )

    def multiply(self, numbers: list[Elements]) -> None:
        """Move the weights by numbers."""
        one = Elements.of(self.scalars, [[1]])
        moved: dict[str, Sides] = {}
        for name in self.theta.names():
            pair: list[Elements | None] = []
            for axis in (0, 1):
                exponents = self.motions.exponents[name, axis]
                factors = [product_of_powers(one, numbers, row).raw[0, 0] for row in exponents.tolist()]
                column = Elements(self.scalars, np.array(factors).reshape(-1, 1).astype(one.raw.dtype))
                unit = Elements.of(self.scalars, np.eye(len(factors), dtype=np.int64))
                pair.append(unit * column if exponents.any() else None)
            if pair != [None, None]:
                moved[name] = Sides(name, *pair)
        self.act(moved)

    def sort_classes(self) -> bool:
        """Sort the coordinates of the classes that have entries to compare, and return whether there are any."""
        found = False
        for number, sides in enumerate(self.motions.classes):
            if number in self.sorted:
                continue
            keys = list(self.keys_of(sides))
            if not keys:
                continue
            order, distinct = sorted_order(Elements(self.scalars, np.hstack([key.raw for key in keys])))
            if not distinct and len(keys) < len(sides):
                continue  # what is not fixed yet may tell them apart
            moves: dict[str, list[tuple[int, ...] | None]] = {}
            for name, axis in sides:
                moves.setdefault(name, [None, None])[axis] = order
            element = element_of_moves({name: Move(name, *pair) for name, pair in moves.items()}, self.scalars)
            self.act(dict(element.sides))
            self.sorted.add(number)
            found = True
        return found

    def keys_of(self, sides: tuple[Side, ...]) -> Iterator[Elements]:
        """Iterate over matrices whose rows are compared: nothing moves them but the permutation."""
        own = [name for name, _ in sides]
        for names in self.colours():
            inside = [name for name in names if name in own]
            for name, axis in sides:
                if inside == [name] and own.count(name) == 1:
                    other = (name, 1 - axis)
                    patterns = self.motions.patterns(name)[0]
                    if (
                        not self.open_block(other)
                        and not self.open_class(other)
                        and all(self.is_fixed(row) for row in patterns if any(row))
                    ):
                        W = self.theta.tensors[name]
                        yield W if axis == 0 else W.T

    def exchange(self) -> None:
        """Put tensors that may take each other's place into order: each place in turn gets the smallest that fits."""
        graph = term_graph(self.arch)
        fixed: dict[str, str] = {}
        renaming = None
        for names in self.colours():
            if len(names) == 1 or any(graph.classes.is_taken((graph.of_tensor[names[0]], axis)) for axis in (0, 1)):
                continue
            keys = {
                name: comparable(Elements(self.scalars, self.theta.tensors[name].raw.reshape(1, -1)))[0]
                for name in names
            }
            order = in_order(keys)
            if any(not compare(keys[one], keys[other]) for one, other in itertools.pairwise(order)):
                continue  # others tell them apart
            for name in names:
                for source in order:
                    found = None if source in fixed.values() else graph.search({**fixed, name: source})
                    if found is not None:
                        renaming, fixed[name] = found, source
                        break
        if renaming is not None:
            moves = moves_of_renaming(self.arch, renaming)
            self.act(dict(element_of_moves(moves, self.scalars).sides))


def in_order(keys: Mapping[str, tuple[Any, ...]]) -> list[str]:
    """Return names in the order of their keys."""

    def compared(one: str, other: str) -> int:
        return compare(keys[one], keys[other])

    return sorted(keys, key=functools.cmp_to_key(compared))


def solved_modulo_two(rows: list[tuple[int, ...]], values: list[bool], width: int) -> list[bool]:
    """Return a solution of linear equations modulo 2 whose rows are independent."""
    pivots: list[tuple[int, list[int], bool]] = []
    for row, value in zip(rows, values, strict=True):
        rest = list(row)
        for pivot, other, known in pivots:
            if rest[pivot]:
                rest, value = [a ^ b for a, b in zip(rest, other, strict=True)], value ^ known
        place = rest.index(1)
        pivots = [
            (pivot, [a ^ b for a, b in zip(other, rest, strict=True)], known ^ value)
            if other[place]
            else (pivot, other, known)
            for pivot, other, known in pivots
        ]
        pivots.append((place, rest, value))
    solution = [False] * width
    for pivot, _, value in pivots:
        solution[pivot] = value
    return solution


@verbs.normal_form_map.method
def normal_form_map_of_network(arch: Network, theta: Weights) -> ProductElement:
    check_fits(arch, theta)
    if not isinstance(theta.field, PrimeField | Rationals | Reals):
        raise InvalidArgument("theta", f"over {theta.field}", "over a PrimeField, Rationals() or Reals()")
    check_float_sizes(theta)
    before, standard = to_standard_position(arch, theta)
    for family in verbs.symmetries(arch):
        try:
            element = verbs.standard_element(family, standard)
        except DivisionByZero:
            raise NoNormalForm(
                f"the weights are not generic: the fibre of {family.name} has no standard position"
            ) from None
        if element is None and not isinstance(family, SpaceSymmetry):
            raise NoNormalForm(f"no standard position is known for the {family.name}")
    form = NetworkNormalForm(arch, motions_of(arch, keeps_means=True), standard)
    form.run()
    return ProductElement((*(on_folded(arch, one) for one in form.factors), *before))


@verbs.canonical.method
def canonical_of_network(arch: Network, theta: Weights) -> Weights:
    return verbs.act(verbs.normal_form_map(arch, theta), theta)
