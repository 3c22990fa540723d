"""What arrows remove from the weights of networks of any size: gains, shifts, biases of norms and entries that are not
seen, without matrices.

docs/theory/symbolic_types.md has the proof that the dimensions are lower bounds of those of the families together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from algatt.programs import Program
from algatt.programs.uses import bypass, renumber
from algatt.symmetry.arrows import Stretch, Unseen, find_mixtures, find_norm_biases, find_stretches, find_unseen
from algatt.symmetry.arrows.changes import Change, Flow
from algatt.symmetry.arrows.constants import tensors_beside_constants
from algatt.symmetry.arrows.gains import find_gains
from algatt.symmetry.arrows.members import find_unseen_rows, with_rows
from algatt.symmetry.arrows.shifts import Shift, shifts_with_flows
from algatt.symmetry.arrows.sight import find_choosing

__all__ = ["Arrow", "Arrows", "arrows_of_program"]


MOST_ENTRIES = 2**26
"""Results that depend on the input are not looked at entry by entry if they have more in all: more of all tensors may
be unseen.
"""


ENTIRE = (0, 0)
"""From this row and column on columns of the input are unit vectors if all that is read are tokens: of sequences there
are finitely many then.
"""

START = 1
"""The number of the vector of the tensor at the beginning of a flow, which is numbered first."""

Parts = Mapping[int, Fraction]
"""A combination of vectors by their numbers."""


@dataclass(frozen=True)
class Arrow:
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
    """

    name: str
    moves: tuple[tuple[str, str], ...]
    dimension: int
    unseen: int = 0
    ray: bool = False

    @property
    def tensors(self) -> tuple[str, ...]:
        """The tensors that it moves."""
        return tuple(tensor for tensor, _ in self.moves)


@dataclass(frozen=True)
class Arrows:
    """All arrows of a program.

    Parameters
    ----------
    gains : tuple of Arrow
        What moves gains, with all that they are folded into.
    shifts : tuple of Arrow
        What moves the weights without gains: shifts, biases of norms, and entries that are not seen.
    others : tuple of str
        Tensors of which `symmetries` may move more, as no rule without matrices says how much that is: by shifts with
        conditions that do what no others do, mixtures, and together with constants of the code; of programs with too
        many entries all.
    steady : tuple of bool
        For each stack of blocks whether further blocks do with every change what the last one does.
    """

    gains: tuple[Arrow, ...] = ()
    shifts: tuple[Arrow, ...] = ()
    others: tuple[str, ...] = ()
    steady: tuple[bool, ...] = ()

    @property
    def all(self) -> tuple[Arrow, ...]:
        """All of them, in the order of `symmetries`."""
        return *self.gains, *self.shifts

    @property
    def dimension(self) -> int:
        """The sum of their dimensions."""
        return sum(one.dimension for one in self.all)

    @property
    def unseen(self) -> dict[str, frozenset[str]]:
        """For each tensor that shifts move the kinds of its changes: behind the arrows nothing is seen of these."""
        return kinds_of(self.shifts)

    @property
    def rank(self) -> int:
        """The dimension of what they move weights by, at least.

        Take shifts in the order of `in_order`, and a combination that moves nothing. What others absorb into the first
        tensor is known, so its own vectors are, and so on; only where both rows and columns of a tensor may move by
        any vector, these are known up to c and -c, and where entries move, up to the rows or columns that these fill.
        """
        kept = in_order(self.shifts)
        own = Counter(arrow.tensors[0] for arrow in kept if arrow.moves[0][1] in ("rows", "columns") and not arrow.ray)
        known = sum(arrow.dimension - arrow.unseen for arrow in (*self.gains, *kept))
        return known - sum(count > 1 for count in own.values())


def kinds_of(shifts: Iterable[Arrow]) -> dict[str, frozenset[str]]:
    """Return for each tensor that shifts move the kinds of its changes."""
    kinds: dict[str, set[str]] = {}
    for arrow in shifts:
        for tensor, kind in arrow.moves:
            kinds.setdefault(tensor, set()).add(kind)
    return {tensor: frozenset(found) for tensor, found in kinds.items()}


def in_order(shifts: Iterable[Arrow]) -> list[Arrow]:
    """Return shifts in an order in which none absorbs into the tensor of an earlier one; of a cycle one is left out."""
    left, kept = list(shifts), list[Arrow]()
    while left:
        absorbing = {tensor for arrow in left for tensor in arrow.tensors[1:]}
        free = [arrow for arrow in left if arrow.tensors[0] not in absorbing]
        kept += free
        gone = free or [arrow for arrow in left if arrow.moves[1:]][:1]
        left = [arrow for arrow in left if arrow not in gone]
    return kept


def arrows_of_program(
    program: Program, *, units: tuple[int, int] | None, boundaries: Sequence[tuple[int, int]] = ()
) -> Arrows:
    """Return the arrows of a program.

    Parameters
    ----------
    program : Program
        The program of a network, with gains.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    boundaries : sequence of (int, int)
        For each stack the results before and after its last block.
    """
    shapes = program.tensors
    fold, aliases = find_gains(program)
    gains = [
        Arrow(gain.name, tuple((tensor, "scale") for tensor in (gain.name, *gain.tensors)), shapes[gain.name][0])
        for gain in fold.gains
    ]
    uses = program.uses
    of_input = [uses[number].shape for number in range(len(uses)) if not uses.is_rational(number)]
    few = sum(map(prod, of_input)) <= MOST_ENTRIES
    hidden = find_unseen(program) if few else ()
    choosing = find_choosing(program) if few and units == ENTIRE else ()
    hidden = with_rows(hidden, choosing)
    places = renumber(program, aliases)
    program = bypass(program, aliases)
    hidden = with_rows(hidden, find_unseen_rows(program))
    others = [*mixed(program), *tensors_beside_constants(program), *(() if few else shapes)]
    others += [one.tensor for one in hidden if any(one.tensor in gain.tensors[:1] for gain in gains)]
    unseen = {one.tensor: one for one in hidden if one.tensor not in others}
    of_choices = {one.tensor for one in choosing} & unseen.keys()
    whole = {one.tensor for one in unseen.values() if len(one.rows) == prod(shapes[one.tensor])}
    shifts, steady = list[Arrow](), [True] * len(boundaries)
    conditional, free = list[tuple[Shift, Flow]](), list[tuple[Shift, Flow]]()
    for shift, flow in shifts_with_flows(program, units=units):
        if shift.conditions:
            conditional.append((shift, flow))
        else:
            arrow = arrow_of(shift, shapes, hidden)
            if {shift.tensor, *(one.tensor for one in shift.absorbed)} <= whole:
                continue  # all entries of these tensors may change
            if arrow is None or (shift.tensor in unseen and any(shift.tensor == one.tensors[0] for one in shifts)):
                others.append(shift.tensor)
                continue
            shifts.append(arrow)
            if shift.gain is None:
                free.append((shift, flow))
        for number, (before, after) in enumerate(boundaries):
            steady[number] &= alike(flow, places[before], places[after])
    shifted = {arrow.tensors[0] for arrow in shifts}
    biases = find_norm_biases(program)
    for bias in biases:
        if bias.name not in shifted:
            moves = tuple((tensor, "columns") for tensor in (bias.name, *bias.matrices))
            shifts.append(Arrow(bias.name, moves, shapes[bias.name][0]))
    constant = tensors_with_constants(free)
    readers = {bias.name: bias.matrices for bias in biases}
    for shift, flow in conditional:
        entries = arrow_of_entries(shift, flow, shapes)
        if entries is not None and shift.tensor not in shifted and shift.tensor not in unseen:
            shifts.append(entries)
            shifted.add(shift.tensor)
        elif not (is_made_of(shift, flow, constant) or is_of_norm_bias(shift, flow, readers.get(shift.tensor, ()))):
            others.append(shift.tensor)
    shifts += [arrow_of_unseen(one, shapes, one.tensor in of_choices) for one in unseen.values()]
    stretches = [(one, arrow_of_stretch(one, shapes, shifts)) for one in find_stretches(program, units=units)]
    others += [one.written[0] for one, arrow in stretches if arrow is None]
    shifts += [arrow for _, arrow in stretches if arrow is not None]
    if stretches:  # of which nothing says what further blocks do with them
        steady = [False] * len(boundaries)
    return Arrows(tuple(gains), tuple(shifts), tuple(dict.fromkeys(others)), tuple(steady))


def mixed(program: Program) -> list[str]:
    """Return the tensors of the terms that mix in a program."""
    return [part.tensor for one in find_mixtures(program) for parts in one.parts for part in parts]


def arrow_of(shift: Shift, shapes: Mapping[str, tuple[int, ...]], hidden: Sequence[Unseen]) -> Arrow | None:
    """Return the arrow of a shift without conditions; None if nothing is seen of its own tensor."""
    height, width = shapes[shift.tensor]
    lost = 0
    for one in hidden:
        if one.tensor == shift.tensor:
            if len(one.rows) == height * width:
                return None
            lines, length = (one.columns, height) if shift.kind == "rows" else (one.rows, width)
            lost = sum(count == length for count in Counter(lines).values())
    moves = ((shift.tensor, shift.kind), *((one.tensor, one.kind) for one in shift.absorbed))
    if shift.ray:
        return Arrow(shift.name, moves, 1)
    return Arrow(shift.name, moves, width if shift.kind == "rows" else height, lost)


def arrow_of_stretch(stretch: Stretch, shapes: Mapping[str, tuple[int, ...]], others: Iterable[Arrow]) -> Arrow | None:
    """Return the arrow of a stretch, with a matrix T as its own tensor to whose rows nothing else adds a row, and of
    which all is seen: then T + 1 (T^T / g)^T is told from T + v 1^T by two columns of T. None if there is no such.
    """
    taken = {name for arrow in others for name, kind in arrow.moves if kind != "columns"}
    own = next((name for name in stretch.written if shapes[name][1] > 1 and name not in taken), None)
    if own is None:
        return None
    moves = sorted(stretch.moves, key=lambda move: move[0] != own)
    return Arrow(stretch.name, tuple(moves), 1, ray=True)


def tensors_with_constants(free: Iterable[tuple[Shift, Flow]]) -> set[str]:
    """Return the tensors to all entries of which one number may be added, whatever else moves: by a shift of each
    alone, or with others of which the same is known, so that these may be moved back.
    """
    found: set[str] = set()
    before = -1
    pending = [(shift, flow) for shift, flow in free if all(set(one.parts) <= {START} for one in flow.moves.values())]
    while before < len(found):
        before = len(found)
        for shift, flow in pending:
            beside = {flow.uses[number].argument for number in flow.moves} - {shift.tensor}
            found.update({shift.tensor} if beside <= found else ())
    return found


def is_made_of(shift: Shift, flow: Flow, constant: Collection[str]) -> bool:
    """Return whether a shift with conditions does what others do without: if it is one of vectors that vanish when they
    are centred, it adds one number to all entries of each tensor that it moves, if multiples of its vector are added;
    and so may others to each of these.
    """
    return (
        shift.gain is None
        and any(set(one.parts) <= centred(flow, START) for one in shift.conditions)
        and all(set(flow.vanishing.reduced(move.parts)) <= {START} for move in flow.moves.values())
        and all(flow.uses[number].argument in constant for number in flow.moves)
    )


def is_of_norm_bias(shift: Shift, flow: Flow, matrices: Collection[str]) -> bool:
    """Return whether a shift with conditions moves the bias of a norm alone, by vectors that all matrices which read it
    map to zero: then it is one of the changes of the bias with these, which stay.
    """
    killed = {killed_by(flow, vector) for one in shift.conditions if len(one.parts) == 1 for vector in one.parts}
    return bool(matrices) and len(flow.moves) == 1 and shift.kind == "columns" and killed >= set(matrices)


def killed_by(flow: Flow, vector: int) -> str | None:
    """Return the matrix W of a vector W v, of the vector v at the beginning, or of one to which tensors map it that map
    no vector to zero at generic weights; None if it is another vector.
    """
    made = {number: key for key, number in flow.vectors.items()}
    while True:
        operation, *rest = made[vector]
        if operation != "product":
            return None
        matrix, changed = rest[1]
        if not isinstance(matrix, int) or flow.uses[matrix].operation != "tensor" or len(changed[1]) != 1:
            return None
        ((vector, _),) = changed[1]
        if vector == START:
            return flow.uses[matrix].argument
        height, width = flow.uses[matrix].shape
        if height < width:
            return None


def centred(flow: Flow, start: int) -> set[int]:
    """Return the vectors that are multiples of a vector, centred."""
    found = set()
    for (operation, *made), vector in flow.vectors.items():
        if operation == "centre":
            _, ((_, parts, _),), _ = made
            if {number for number, _ in parts} == {start}:
                found.add(vector)
    return found


def arrow_of_entries(shift: Shift, flow: Flow, shapes: Mapping[str, tuple[int, ...]]) -> Arrow | None:
    """Return the arrow of a shift of a tensor alone by vectors of which some entries have to stay, as those that rotary
    positions turn do, and the others are any numbers; None for others.
    """
    height, width = shapes[shift.tensor]
    size = height if shift.kind == "columns" else width
    if len(flow.moves) > 1 or shift.gain is not None:
        return None
    made = {vector: key for key, vector in flow.vectors.items()}
    kept: set[int] = set()
    for condition in shift.conditions:
        taken = entries_taken(made, condition.parts, size)
        if taken is None:
            return None
        kept.update(taken)
    name = f"{shift.kind} of {shift.tensor}"
    kind = "entries" if size == height * width else shift.kind
    return Arrow(name, ((shift.tensor, kind),), size - len(kept)) if len(kept) < size else None


def entries_taken(made: Mapping[int, tuple[Any, ...]], parts: Parts, size: int) -> Sequence[int] | None:
    """Return which entries of the vector at the beginning a vector is made of, which is a part of it, or of a multiple;
    None if it is none.
    """
    if len(parts) != 1:
        return None
    (vector,) = parts
    if vector == START:
        return range(size)
    operation, *rest = made[vector]
    if operation == "multiple":  # (L + c 1^T) R = L R + c (1^T R), in which all entries of 1^T R are one number
        return entries_taken(made, dict(rest[0]), size)
    if operation != "take":
        return None
    (rows, columns), ((kind, below, _),), *_ = rest
    inner = entries_taken(made, dict(below), size)
    return None if inner is None else [inner[place] for place in (rows if kind == "columns" else columns)]


def arrow_of_unseen(one: Unseen, shapes: Mapping[str, tuple[int, ...]], chooses: bool) -> Arrow:
    """Return the arrow of entries that are not seen, or are seen in choices alone."""
    count = len(one.rows)
    height, width = shapes[one.tensor]
    kind = "all entries" if count == height * width else "entries"
    return Arrow(f"{'choices by' if chooses else 'entries of'} {one.tensor}", ((one.tensor, kind),), count)


def alike(flow: Flow, before: int, after: int) -> bool:
    """Return whether a change that enters a block leaves it as it is, but for the numbers of its vectors, or not at
    all, so that another block would do the same with it.
    """
    one, two = flow.changes.get(before), flow.changes.get(after)
    same = one is None or two is None or described(flow, one) == described(flow, two)
    return same and flow.sums[before] == flow.sums[after]


def described(flow: Flow, change: Change) -> tuple[object, ...]:
    """Return what the rules ask of a change of one vector; of several they might ask how these are related."""
    if len(change.parts) > 1:
        return (change,)
    return change.kind, tuple(change.parts.values()), change.recipe is None, flow.is_positive(change)
