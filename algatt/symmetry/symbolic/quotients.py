"""What quotients remove from the weights of networks of any size: gains, shifts, biases of norms and entries that are
not
seen, without matrices.

docs/theory/motions.md has the proof that the dimensions are lower bounds of those of the families together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Rationals
from algatt.fields.motions import Selection, Word
from algatt.fields.motions.words import EMPTY, Vector
from algatt.programs import Program
from algatt.programs.uses import bypass, renumber
from algatt.symmetry.motions.several import stem
from algatt.symmetry.motions.shift import Shift
from algatt.symmetry.motions.shifts import ShiftSolutions, array_of, solve_shifts
from algatt.symmetry.quotients.gains import find_gains
from algatt.symmetry.quotients.norms import find_norm_biases
from algatt.symmetry.quotients.sight import Unseen, find_choosing, find_unseen
from algatt.symmetry.quotients.stretched import find_stretches
from algatt.symmetry.quotients.stretches import Stretch
from algatt.symmetry.quotients.terms import find_mixtures

MOST_ENTRIES = 2**26
"""Results that depend on the input are not looked at entry by entry if they have more in all: more of all tensors may
be unseen.
"""


ENTIRE = (0, 0)
"""From this row and column on columns of the input are unit vectors if all that is read are tokens: of sequences there
are finitely many then.
"""


@dataclass(frozen=True)
class QuotientFamily:
    """A family of changes of weights that no output sees.

    Parameters
    ----------
    name : str
        That of the family in `symmetries`.
    moves : tuple of (str, str)
        The tensors that it moves and how: ``rows``, T + 1 v^T, ``columns``, T + v 1^T, or T + v (1/g)^T with a gain g
        that stays, ``scale``, or some of its ``entries``, or ``all entries``; first the one that may move by any v, or
        by any multiple of 1/g.
    dimension : int
        The number of entries of v.
    unseen : int, optional
        By so many of them it moves nothing but entries of its own tensor that are not seen, with what others absorb.
    ray : bool, optional
        Whether v is a multiple of one vector, which the weights say.
    own : int, optional
        The number of tensors, the first ones, to which parts of v are added as they are.
    """

    name: str
    moves: tuple[tuple[str, str], ...]
    dimension: int
    unseen: int = 0
    ray: bool = False
    own: int = 1

    @property
    def tensors(self) -> tuple[str, ...]:
        """The tensors that it moves."""
        return tuple(tensor for tensor, _ in self.moves)


@dataclass(frozen=True)
class QuotientFamilies:
    """All quotients of a program.

    Parameters
    ----------
    gains : tuple of QuotientFamily
        What moves gains, with all that they are folded into.
    shifts : tuple of QuotientFamily
        What moves the weights without gains: shifts, biases of norms, and entries that are not seen.
    others : tuple of str
        Tensors of which `symmetries` may move more, as no rule without matrices says how much that is: by shifts with
        conditions that do what no others do, and mixtures; of programs with too many entries all.
    steady : tuple of bool
        For each stack of blocks whether further blocks do with every change what the last one does.
    crowded : bool
        Whether more heads may be shifted together than those of the program.
    """

    gains: tuple[QuotientFamily, ...] = ()
    shifts: tuple[QuotientFamily, ...] = ()
    others: tuple[str, ...] = ()
    steady: tuple[bool, ...] = ()
    crowded: bool = False

    @property
    def all(self) -> tuple[QuotientFamily, ...]:
        """All of them, in the order of `symmetries`."""
        return *self.gains, *self.shifts

    @property
    def dimension(self) -> int:
        """The sum of their dimensions."""
        return sum(one.dimension for one in self.all)

    @property
    def unseen(self) -> dict[str, frozenset[str]]:
        """For each tensor that shifts move the kinds of its changes: behind the quotients nothing is seen of these."""
        return kinds_of(self.shifts)

    @property
    def rank(self) -> int:
        """The dimension of what they move weights by, at least.

        Take shifts in the order of `in_order`, and a combination that moves nothing. What others absorb into the first
        tensor is known, so its own vectors are, and so on; only where both rows and columns of a tensor may move by
        any vector, these are known up to c and -c, and where entries move, up to the rows or columns that these fill.
        """
        kept = in_order(self.shifts)
        own = Counter(
            quotient.tensors[0] for quotient in kept if quotient.moves[0][1] in ("rows", "columns") and not quotient.ray
        )
        known = sum(quotient.dimension - quotient.unseen for quotient in (*self.gains, *kept))
        return known - sum(count > 1 for count in own.values())


def kinds_of(shifts: Iterable[QuotientFamily]) -> dict[str, frozenset[str]]:
    """Return for each tensor that shifts move the kinds of its changes."""
    kinds: dict[str, set[str]] = {}
    for quotient in shifts:
        for tensor, kind in quotient.moves:
            kinds.setdefault(tensor, set()).add(kind)
    return {tensor: frozenset(found) for tensor, found in kinds.items()}


def in_order(shifts: Iterable[QuotientFamily]) -> list[QuotientFamily]:
    """Return shifts in an order in which none absorbs into the tensor of an earlier one; of a cycle one is left out."""
    left, kept = list(shifts), list[QuotientFamily]()
    while left:
        absorbing = {tensor for quotient in left for tensor in quotient.tensors[quotient.own :]}
        free = [quotient for quotient in left if absorbing.isdisjoint(quotient.tensors[: quotient.own])]
        kept += free
        gone = free or [quotient for quotient in left if quotient.moves[quotient.own :]][:1]
        left = [quotient for quotient in left if quotient not in gone]
    return kept


def quotients_of_program(
    program: Program,
    *,
    units: tuple[int, int] | None,
    boundaries: Sequence[tuple[int, int]] = (),
    full: Iterable[str] = (),
) -> QuotientFamilies:
    """Return the quotients of a program.

    Parameters
    ----------
    program : Program
        The program of a network, with gains.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    boundaries : sequence of (int, int)
        For each stack the results before and after its last block.
    full : iterable of str
        The names of the tensors of the network for which that of the program stands, if that is another one.
    """
    shapes = program.tensors
    fold, aliases = find_gains(program)
    gains = [
        QuotientFamily(
            gain.name, tuple((tensor, "scale") for tensor in (gain.name, *gain.tensors)), shapes[gain.name][0]
        )
        for gain in fold.gains
    ]
    uses = program.uses
    of_input = [uses[number].shape for number in range(len(uses)) if not uses.is_rational(number)]
    few = sum(map(prod, of_input)) <= MOST_ENTRIES
    hidden = find_unseen(program) if few else ()
    choosing = find_choosing(program) if few and units == ENTIRE else ()
    hidden = (*(one for one in hidden if all(one.tensor != other.tensor for other in choosing)), *choosing)
    places = renumber(program, aliases)
    program = bypass(program, aliases)
    others = [*mixed(program), *(() if few else shapes)]
    others += [one.tensor for one in hidden if any(one.tensor in gain.tensors[:1] for gain in gains)]
    unseen = {one.tensor: one for one in hidden if one.tensor not in others}
    of_choices = {one.tensor for one in choosing} & unseen.keys()
    whole = {one.tensor for one in unseen.values() if len(one.rows) == prod(shapes[one.tensor])}
    shifts = list[QuotientFamily]()
    conditional, joint, free = list[Shift](), list[Shift](), list[Shift]()
    solved = solve_shifts(program, units=units)
    steady = [alike(solved, places[before], places[after]) for before, after in boundaries]
    for shift in solved.shifts:
        if {one.tensor for one in shift.moves} <= whole:
            continue  # all entries of these tensors may change
        if shift.conditions:
            (joint if shift.several else conditional).append(shift)
            continue
        quotient = quotient_of(shift, shapes, hidden)
        over = any(one.row is not None for one in shift.absorbed)  # which no rule without matrices has
        if (
            quotient is None
            or over
            or (shift.tensor in unseen and any(shift.tensor == one.tensors[0] for one in shifts))
        ):
            others.append(shift.tensor)
            continue
        shifts.append(quotient)
        if shift.gain is None:
            free.append(shift)
    shifted = {quotient.tensors[0] for quotient in shifts}
    biases = find_norm_biases(program, units=units)
    for bias in biases:
        size = shapes[bias.name][0]
        lost = len(unseen[bias.name].rows) if bias.name in unseen else 0
        if bias.name not in shifted and lost < size:
            moves = tuple((tensor, "columns") for tensor in (bias.name, *bias.matrices))
            shifts.append(QuotientFamily(bias.name, moves, size, lost))
    constant = tensors_with_constants(free)
    readers = {bias.name: bias.matrices for bias in biases}
    counted = set[tuple[str, str]]()
    for shift in joint:
        several = quotient_of(shift, shapes, ()) if stands_alone(shift, shifts, unseen) else None
        others += [] if several else [one.tensor for one in shift.parts]
        shifts += [several] if several else []
        counted.update(several.moves[: several.own] if several else ())
    for shift in conditional:
        if (shift.tensor, shift.kind) in counted or is_done_by_others(shift, shapes, unseen, constant):
            continue
        entries = quotient_of_entries(shift, shapes)
        if entries is not None and shift.tensor not in shifted and shift.tensor not in unseen:
            shifts.append(entries)
            shifted.add(shift.tensor)
        elif not is_of_norm_bias(shift, readers.get(shift.tensor, ())):
            others.append(shift.tensor)
    shifts += [quotient_of_unseen(one, shapes, one.tensor in of_choices) for one in unseen.values()]
    stretches = [(one, quotient_of_stretch(one, shapes, shifts)) for one in find_stretches(program, units=units)]
    others += [one.written[0] for one, quotient in stretches if quotient is None]
    shifts += [quotient for _, quotient in stretches if quotient is not None]
    if stretches:  # of which nothing says what further blocks do with them
        steady = [False] * len(boundaries)
    crowded = solved.several.crowded(Counter(map(stem, full)))
    return QuotientFamilies(tuple(gains), tuple(shifts), tuple(dict.fromkeys(others)), tuple(steady), crowded)


def mixed(program: Program) -> list[str]:
    """Return the tensors of the terms that mix in a program."""
    return [part.tensor for one in find_mixtures(program) for parts in one.parts for part in parts]


def quotient_of(shift: Shift, shapes: Mapping[str, tuple[int, ...]], hidden: Sequence[Unseen]) -> QuotientFamily | None:
    """Return the quotient of a shift; None if nothing is seen of its own tensor."""
    height, width = shapes[shift.tensor]
    lost = 0
    for one in hidden:
        if one.tensor == shift.tensor:
            if len(one.rows) == height * width:
                return None
            lines, length = (one.columns, height) if shift.kind == "rows" else (one.rows, width)
            lost = sum(count == length for count in Counter(lines).values())
    moves = tuple((one.tensor, one.kind) for one in sorted(shift.moves, key=lambda one: one not in shift.parts))
    size = shift.size - shift.rank
    return QuotientFamily(shift.name, moves, size, 0 if shift.ray else lost, own=len(shift.parts))


def stands_alone(shift: Shift, others: Iterable[QuotientFamily], unseen: Collection[str]) -> bool:
    """Return whether the tensors that a shift moves at once are seen, and no others are named after one of them."""
    parts = {one.tensor for one in shift.parts}
    taken = {*unseen, *(name for one in others for name in one.tensors[: one.own])}
    absorbed = {one.tensor for one in shift.moves if one not in shift.parts}
    return parts.isdisjoint(taken | absorbed) and all(one.row is None for one in shift.moves)


def quotient_of_stretch(
    stretch: Stretch, shapes: Mapping[str, tuple[int, ...]], others: Iterable[QuotientFamily]
) -> QuotientFamily | None:
    """Return the quotient of a stretch, with a matrix T as its own tensor to whose rows nothing else adds a row, and of
    which all is seen: then T + 1 (T^T / g)^T is told from T + v 1^T by two columns of T. None if there is no such.
    """
    taken = {name for quotient in others for name, kind in quotient.moves if kind != "columns"}
    own = next((name for name in stretch.written if shapes[name][1] > 1 and name not in taken), None)
    if own is None:
        return None
    moves = sorted(stretch.moves, key=lambda move: move[0] != own)
    return QuotientFamily(stretch.name, tuple(moves), 1, ray=True)


def tensors_with_constants(free: Iterable[Shift]) -> set[str]:
    """Return the tensors to all entries of which one number may be added, whatever else moves: by a shift of each
    alone, or with others of which the same is known, so that these may be moved back.
    """
    found: set[str] = set()
    before = -1
    pending = [shift for shift in free if adds_multiples(shift)]
    while before < len(found):
        before = len(found)
        for shift in pending:
            beside = {one.tensor for one in shift.moves} - {shift.tensor}
            found.update({shift.tensor} if beside <= found else ())
    return found


def adds_multiples(shift: Shift) -> bool:
    """Return whether multiples of its vector are added to all tensors that a shift moves."""
    return all(set(one.words) == {EMPTY} for one in shift.moves)


def is_of_norm_bias(shift: Shift, matrices: Collection[str]) -> bool:
    """Return whether a shift with conditions moves the bias of a norm alone, by vectors that all matrices which read it
    map to zero: then it is one of the changes of the bias with these, which stay.
    """
    instructions = shift.program.instructions
    words = [word.letters for one in shift.conditions if len(one.words) == 1 for word in one.words]
    letters = [letters[0] for letters in words if len(letters) == 1 and not letters[0].kind]
    killed = {instructions[one.of].argument for one in letters if isinstance(one.of, int)}
    return bool(matrices) and len(shift.moves) == 1 and shift.kind == "columns" and killed >= set(matrices)


def quotient_of_entries(shift: Shift, shapes: Mapping[str, tuple[int, ...]]) -> QuotientFamily | None:
    """Return the quotient of a shift of a tensor alone by vectors of which some entries have to stay, as those that
    rotary
    positions turn do, and the others are any numbers; None for others.
    """
    free = free_entries(shift)
    height, width = shapes[shift.tensor]
    kind = "entries" if shift.size == height * width else shift.kind
    return QuotientFamily(f"{shift.kind} of {shift.tensor}", ((shift.tensor, kind),), len(free)) if free else None


def free_entries(shift: Shift) -> set[int]:
    """Return the entries of its vector that may be any numbers, of a shift of a tensor alone by vectors of which the
    others have to stay; none of other shifts.
    """
    if len(shift.moves) > 1 or shift.gain is not None:
        return set()
    free = set(range(shift.size))
    for condition in shift.conditions:
        taken = [word.letters[0].of for word in condition.words if len(word.letters) == 1]
        (one, *_) = [*taken, None]
        if len(condition.words) > 1 or not isinstance(one, Selection) or one.transposed:
            return set()
        free.difference_update(one.chosen)
    return free


def is_done_by_others(
    shift: Shift, shapes: Mapping[str, tuple[int, ...]], unseen: Mapping[str, Unseen], constant: Collection[str]
) -> bool:
    """Return whether all that a shift of a tensor alone adds is one number to all entries that are seen, which is zero
    if others do not add it.
    """
    if len(shift.moves) > 1 or shift.gain is not None or shift.tensor not in {*unseen, *constant}:
        return False
    seen = np.ones(shapes[shift.tensor], dtype=bool)
    if shift.tensor in unseen:
        seen[list(unseen[shift.tensor].rows), list(unseen[shift.tensor].columns)] = False
    seen = seen if shift.kind == "columns" else seen.T
    free = free_entries(shift)
    if free:
        return not seen[sorted(free)].any()
    if not all(word.is_constant for one in shift.conditions for word in one.words):
        return False
    for vector in vectors_of_constants(shift):
        added = np.broadcast_to(vector[:, None], seen.shape)[seen]
        if added.any() and not (shift.tensor in constant and (added == added[0]).all()):
            return False
    return True


def vectors_of_constants(shift: Shift) -> Iterator[np.ndarray]:
    """Iterate over a basis of the vectors that satisfy conditions which are constants."""
    if shift.is_centred:
        yield np.ones(shift.size, dtype=object)
        return
    rows = [array_of(one.words, shift.size) for one in shift.conditions]
    yield from verbs.kernel(Elements(Rationals(), verbs.embed(Rationals(), np.concatenate(rows)))).raw.T


def quotient_of_unseen(one: Unseen, shapes: Mapping[str, tuple[int, ...]], chooses: bool) -> QuotientFamily:
    """Return the quotient of entries that are not seen, or are seen in choices alone."""
    count = len(one.rows)
    height, width = shapes[one.tensor]
    kind = "all entries" if count == height * width else "entries"
    return QuotientFamily(f"{'choices by' if chooses else 'entries of'} {one.tensor}", ((one.tensor, kind),), count)


def alike(solved: ShiftSolutions, before: int, after: int) -> bool:
    """Return whether all that enters a block leaves it as it is, but for the matrices in its words, or not at all, so
    that another block would do the same with it.
    """
    one, two = described(solved, before), described(solved, after)
    same = all(one[vector] == two[vector] for vector in one.keys() & two.keys())
    return same and solved.moving[before].total() == solved.moving[after].total()


def described(solved: ShiftSolutions, number: int) -> dict[Vector, object]:
    """Return what the rules ask of how a result moves by each vector in one word; of several words they might ask how
    these are related.
    """
    found: dict[Vector, list[tuple[str, Word, int | Fraction]]] = defaultdict(list)
    for kind in ("left", "right", "row_factors", "column_factors"):
        for word, form in solved.solved.resolve(getattr(solved.moving[number], kind)).items():
            for vector, value in form.items():
                found[vector].append((kind, word, value))
    return {
        vector: (changes[0][0], changes[0][2], solved.field.is_known(changes[0][1])) if len(changes) == 1 else changes
        for vector, changes in found.items()
    }
