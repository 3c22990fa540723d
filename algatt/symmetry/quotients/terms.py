r"""Terms of a sum that are the same bilinear function of tensors of their own, as the heads of a group whose scores are
not normalised: the sum of :math:`t(L_h, R_h)` over h is that of :math:`t(\sum_k L_k g^{-1}_{kh}, \sum_k g_{hk} R_k)`
(derived, see docs/theory/motions.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from algatt.programs import Program
from algatt.programs.uses import Uses

MOST_SLOTS = 8
"""Terms with more tensors of their own are left as they are: each is tried on either side."""

SAME = ("negate", "transpose", "take", "centre", "rotate")
"""Linear operations with one operand."""

TIMES = ("product", "multiply", "column_products")
"""Bilinear operations."""

JOINS = ("add", "concatenate")
"""Operations that are linear in all operands together."""

Degree = tuple[int, int]
"""Degrees in the tensors on the left and in those on the right."""


@dataclass(frozen=True)
class TermPart:
    """A tensor, or some of its rows and columns.

    Parameters
    ----------
    tensor : str
        Its name.
    rows, columns : tuple of int
        The rows and columns.
    """

    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Mixture:
    """Terms of a sum that are one bilinear function of different tensors.

    Parameters
    ----------
    left, right : tuple of tuple of Part
        The arguments on each side: for each of them the parts of tensors that it is in the terms, in their order.
    fixed_left, fixed_right : tuple of tuple of Fraction
        Rows of constants, a number for each term, that stand on a side as well.
    """

    left: tuple[tuple[TermPart, ...], ...]
    right: tuple[tuple[TermPart, ...], ...]
    fixed_left: tuple[tuple[Fraction, ...], ...] = ()
    fixed_right: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def count(self) -> int:
        """The number of terms."""
        return len(self.left[0])

    @property
    def parts(self) -> tuple[tuple[TermPart, ...], ...]:
        """The arguments on both sides."""
        return self.left + self.right


@dataclass(frozen=True)
class Alike:
    """Terms that are the same operations on different tensors.

    Parameters
    ----------
    places : tuple of tuple of int
        The results that differ between the terms, of each operation one for each term, in the order of the program.
    slots : tuple of int
        Which of these are tensors, parts of one, or constants.
    """

    places: tuple[tuple[int, ...], ...]
    slots: tuple[int, ...]


def find_mixtures(program: Program) -> tuple[Mixture, ...]:
    """Return the terms of sums in a program that are one bilinear function of tensors that nothing else uses."""
    uses = program.uses
    found = []
    for number, one in enumerate(program.instructions):
        if one.operation == "add" and not is_partial_sum(uses, number):
            groups: list[tuple[list[int], Mixture | None]] = []
            for term in terms_of(uses, number):
                for place, (members, _) in enumerate(groups):
                    mixture = mixture_of(uses, [*members, term])
                    if mixture is not None:
                        groups[place] = [*members, term], mixture
                        break
                else:
                    groups.append(([term], None))
            found += [mixture for _, mixture in groups if mixture is not None]
    return tuple(found)


def is_partial_sum(uses: Uses, number: int) -> bool:
    """Return whether a sum is used as a term of another one, and for nothing else."""
    users = uses.users[number]
    return len(users) == 1 and uses[users[0]].operation == "add"


def terms_of(uses: Uses, number: int) -> Iterator[int]:
    """Iterate over the terms of a sum that are used once."""
    pending = [number]
    while pending:
        total = pending.pop()
        for operand in reversed(uses[total].operands):
            if uses.is_used_by(operand, total):
                if uses[operand].operation == "add":
                    pending.append(operand)
                else:
                    yield operand


def mixture_of(uses: Uses, terms: Sequence[int]) -> Mixture | None:
    """Return how terms mix; None if they do not."""
    alike = compared(uses, terms)
    if alike is None or not all(is_private(uses, terms, alike, member) for member in range(len(terms))):
        return None
    parts = {slot: parts_of(uses, alike.places[slot]) for slot in alike.slots}
    if len(alike.slots) > MOST_SLOTS or not are_apart(part for found in parts.values() for part in found):
        return None
    for sides in itertools.product((0, 1), repeat=len(alike.slots)):
        ones = bilinear(uses, alike, dict(zip(alike.slots, sides, strict=True)))
        on_sides = [[slot for slot, side in zip(alike.slots, sides, strict=True) if side == one] for one in (0, 1)]
        left, right = (tuple(parts[slot] for slot in slots if parts[slot]) for slots in on_sides)
        if ones is not None and left and right:
            fixed = [constants_of(uses, [alike.places[slot] for slot in slots]) for slots in on_sides]
            for side in ones:
                fixed[side] += ((Fraction(1),) * len(terms),)
            return Mixture(left, right, *fixed)
    return None


def compared(uses: Uses, terms: Sequence[int]) -> Alike | None:
    """Return what differs between terms, if they are the same linear and bilinear operations; None if they are not."""
    found: dict[tuple[int, ...], bool] = {}
    pending = [tuple(terms)]
    while pending:
        place = pending.pop()
        if place in found or len(set(place)) == 1:
            continue
        ones = [uses[number] for number in place]
        if len({(one.operation, one.shape) for one in ones}) > 1:
            return None
        if ones[0].operation in ("tensor", "constant") or are_parts(uses, place):
            found[place] = True
            continue
        linear = ones[0].operation in (*SAME, *TIMES, *JOINS)
        if not linear or len({(one.argument, len(one.operands)) for one in ones}) > 1:
            return None
        found[place] = False
        pending += zip(*(one.operands for one in ones), strict=True)
    places = tuple(sorted(found))
    return Alike(places, tuple(number for number, place in enumerate(places) if found[place]))


def are_parts(uses: Uses, place: Sequence[int]) -> bool:
    """Return whether results are parts of one tensor."""
    ones = [uses[number] for number in place]
    return (
        ones[0].operation == "take"
        and len({one.operands for one in ones}) == 1
        and uses[ones[0].operands[0]].operation == "tensor"
    )


def is_private(uses: Uses, terms: Sequence[int], alike: Alike, member: int) -> bool:
    """Return whether what differs in a term is used for nothing but the term; constants may be used."""
    own = {place[member] for place in alike.places}
    return all(
        uses[number].operation == "constant" or number == terms[member] or own.issuperset(uses.users[number])
        for number in own
    )


def parts_of(uses: Uses, place: Sequence[int]) -> tuple[TermPart, ...]:
    """Return the parts of tensors that results are; nothing for constants.

    Parts of a tensor that is used for other things than these do not belong to the terms alone: they are returned
    twice, so that they are not apart.
    """
    parts: list[TermPart] = []
    for number in place:
        one = uses[number]
        if one.operation == "tensor":
            height, width = ((1, 1) + one.shape)[-2:]
            parts.append(TermPart(one.argument, tuple(range(height)), tuple(range(width))))
        elif one.operation == "take":
            (tensor,) = one.operands
            part = TermPart(uses[tensor].argument, *one.argument)
            parts += [part] if set(uses.users[tensor]) == set(place) else [part, part]
    return tuple(parts)


def are_apart(parts: Iterable[TermPart]) -> bool:
    """Return whether no two parts have an entry in common; none has one twice, as rows and columns are taken once."""
    seen: dict[str, list[tuple[set[int], set[int]]]] = {}
    for part in parts:
        rows, columns = set(part.rows), set(part.columns)
        others = seen.setdefault(part.tensor, [])
        if any(not rows.isdisjoint(one) and not columns.isdisjoint(other) for one, other in others):
            return False
        others.append((rows, columns))
    return True


def bilinear(uses: Uses, alike: Alike, sides: Mapping[int, int]) -> list[int] | None:
    """Return None unless the terms are bilinear in what stands on the sides; otherwise the sides on which a one has to
    stand with it, as something that all terms share is added there.
    """
    degrees: dict[int, Degree] = {}
    ones: set[int] = set()
    for number, place in enumerate(alike.places):
        one = uses[place[0]]
        if number in sides:
            degrees[place[0]] = (1, 0) if sides[number] == 0 else (0, 1)
            continue
        below = [degrees.get(operand, (0, 0)) for operand in one.operands]
        if one.operation in TIMES:
            degree = (below[0][0] + below[1][0], below[0][1] + below[1][1])
        elif one.operation in SAME:
            degree = below[0]
        else:
            different = set(below) - {(0, 0)}
            if len(different) != 1:
                return None
            (degree,) = different
            if (0, 0) in below and sum(degree) == 1:
                ones.add(degree.index(1))
        degrees[place[0]] = degree
    return sorted(ones) if degrees[alike.places[-1][0]] == (1, 1) else None


def constants_of(uses: Uses, places: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the entries of constants, for each a row with one number for each term."""
    rows: list[tuple[Fraction, ...]] = []
    for place in places:
        if uses[place[0]].operation == "constant":
            rows += zip(*(uses[number].argument for number in place), strict=True)
    return tuple(dict.fromkeys(rows))
