r"""Changes of weights that no output sees: what is added to a tensor, row by row or column by column, is taken up by
other tensors or vanishes.

Biases of keys under softmax, biases of values beside a bias of the output, biases of norms before other biases,
positions beside embeddings, what a LayerNorm's mean takes away, and rows that a softmax does not see are such. They are
read off the motions of a program by whole vectors (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Rationals
from algatt.fields.motions import Letter, Motions, Moving, Word
from algatt.fields.motions.equations import over
from algatt.fields.motions.moving import sizes
from algatt.fields.motions.words import (
    EMPTY,
    Centring,
    Constant,
    Entries,
    Ones,
    Selection,
    Sum,
    Vector,
)
from algatt.fields.motions.words import Shift as WordsOfVectors
from algatt.programs import Program
from algatt.symmetry.motions.collecting import collect_motions, groups_by_input, with_open_products
from algatt.symmetry.motions.elimination import Elimination, are_multiples, ends_with
from algatt.symmetry.motions.several import SeveralVectors
from algatt.symmetry.motions.shift import AddedTerm, Condition, Shift

Moves = dict[tuple[str, str, Letter | None], dict[Word, Any]]
"""What is added to tensors by a vector, by the tensor, the kind and the row."""

KINDS = {"left": "columns", "right": "rows"}
"""What is added to columns or rows of a tensor."""


@dataclass(frozen=True, eq=False)
class ShiftSolutions:
    """The shifts of a program, with what they do to its results.

    Parameters
    ----------
    program : Program
        The program.
    field : Motions
        The equations.
    moving : list of Moving
        How the results move.
    solved : Elimination
        The solutions of the equations.
    """

    program: Program
    field: Motions
    moving: list[Moving]
    solved: Elimination
    known: dict[int, frozenset[str]] = dataclass_field(default_factory=dict)

    @functools.cached_property
    def shifts(self) -> tuple[Shift, ...]:
        """The shifts, in the order of the tensors; at last those of several at once."""
        return (*self.find(), *self.several.shifts)

    @functools.cached_property
    def several(self) -> SeveralVectors:
        """The vectors that conditions join."""
        return SeveralVectors(self)

    @functools.cached_property
    def moves(self) -> dict[Vector, Moves]:
        """What is added to tensors by each vector that moves one by itself."""
        moves: dict[Vector, Moves] = defaultdict(dict)
        for taken in self.field.taken:
            for word, form in self.solved.resolve(taken.shift).items():
                for vector, value in form.items():
                    words = moves[vector].setdefault((taken.tensor, KINDS[taken.kind], taken.row), {})
                    words[word] = words.get(word, 0) + value
        return {one: moved for one, moved in moves.items() if one in self.solved.order}

    @functools.cached_property
    def apart(self) -> dict[Vector, Shift]:
        """The shifts by each vector alone."""
        found: dict[Vector, Shift] = {}
        for one, moved in self.moves.items():
            parts = [
                {word: {one: form[one]} for word, form in each.items() if one in form}
                for each in self.solved.conditions
            ]
            shift = self.shift_of(one, moved, [part for part in parts if part])
            if shift is not None and (shift.ray or set(shift.own.words) == {EMPTY}):
                found[one] = shift
        return found

    def rows(self, word: Word) -> int:
        """Return the number of rows of a word; zero if it has none of its own."""
        full = [one for one in word.letters if one.kind not in ("diagonal", "inverse")]
        return self.solved.shape(full[0])[0] if full else 0

    def find(self) -> Iterator[Shift]:
        """Iterate over the shifts by one vector."""
        found = self.apart
        others = [one for vector, one in found.items() if not self.is_number(vector) and not one.conditions]
        kept = list[Shift]()
        for vector, shift in sorted(found.items(), key=lambda pair: self.place(pair[1])):
            if not self.is_number(vector) or not self.is_one_of(shift.moves, others):
                kept.append(shift)
                others += [shift] if self.is_number(vector) else []
        kept = [one for one in kept if not (one.is_centred and self.is_one_of(one.by_ones, others))]
        whole: set[str] = set()
        for shift in kept:
            alone = len(shift.moves) == 1
            if not (alone and shift.tensor in whole):
                yield shift
            height, width = sizes(self.program.tensors[shift.tensor])
            if alone and not shift.conditions and (width if shift.kind == "columns" else height) == 1:
                whole.add(shift.tensor)  # all of its entries may change, whatever else

    def place(self, shift: Shift) -> tuple[int, int]:
        """Return what the shifts are sorted by: the tensor, and how it moves."""
        return self.places[shift.tensor], 2 * (shift.gain is not None) + (shift.kind == "rows")

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """The numbers of the tensors."""
        return {
            one.argument: number for number, one in enumerate(self.program.instructions) if one.operation == "tensor"
        }

    def is_number(self, vector: Vector) -> bool:
        """Return whether a vector is a number that is added to all entries of a row, or of a column, or a multiple of a
        row that is added to all rows.
        """
        tensor, kind, _ = self.solved.origin[vector]
        return vector.size == 1 and (kind == "rows" or max(sizes(self.program.tensors[tensor])) > 1)

    def is_one_of(self, moves: Sequence[AddedTerm], others: Iterable[Shift]) -> bool:
        """Return whether moves by a number are those of one of some shifts, by a vector with equal entries, or by one
        that is added to the same tensor.
        """
        mine, own = self.by_words(moves), moves[0]
        moved = {one.tensor for one in moves}
        for other in others:
            vectors = [other.by_ones] if other.tensor in moved else []
            if (other.tensor, other.kind, other.own.row) == (own.tensor, own.kind, own.row) and other.size > 1:
                vectors.append(other.by_multiples(own.words))
            if any(are_multiples(mine, self.by_words(one)) for one in vectors):
                return True
        return False

    def by_words(self, moves: Iterable[AddedTerm]) -> dict[tuple[str, str, Letter | None, Word], Any]:
        """Return what is added to tensors, by words, numbers that are added to all entries in one way."""
        found: dict[tuple[str, str, Letter | None, Word], Any] = {}
        for one in moves:
            height, width = sizes(self.program.tensors[one.tensor])
            for word, value in one.words.items():
                kind, row, rest = without_ones(one.kind, one.row, word, height, width)
                key = one.tensor, kind, row, rest
                found[key] = found.get(key, 0) + value
        return {key: value for key, value in found.items() if value}

    def shift_of(self, vector: Vector, moves: Any, given: Iterable[WordsOfVectors]) -> Shift | None:
        """Return the shift by a vector, under conditions under which nothing is added that depends on what moves; None
        if it moves nothing.
        """
        listed = [AddedTerm(tensor, kind, words, row) for (tensor, kind, row), words in moves.items()]
        listed = self.without_both(listed)
        given = list(given)
        while True:
            moved = {one.tensor for one in listed}
            bad = [one for one in listed if not moved.isdisjoint(self.below_words([one.words], one.row))]
            if not bad:
                break
            given += [{word: {vector: value} for word, value in one.words.items()} for one in bad]
            listed = [one for one in listed if one not in bad]
        origin = self.solved.origin[vector]
        parts = [part for one in given for part in self.solved.parts(one)]
        conditions = self.without_killed([{word: form[vector] for word, form in one.items()} for one in parts])
        listed.sort(key=lambda one: ((one.tensor, one.kind, one.row) != origin, one.tensor != origin[0]))
        if not listed or not moved.isdisjoint(self.below_words(conditions)):
            return None
        found = tuple(
            Condition(one, rank)
            for one in together(conditions, vector.size)
            if (rank := self.rank_of_sum(one, vector.size))
        )
        if sum(one.rank for one in found) >= vector.size:
            return None
        return Shift(self.program, vector.size, self.in_order(listed, self.solved.origin[vector]), found)

    def in_order(self, moves: list[AddedTerm], origin: tuple[str, str, Letter | None]) -> tuple[AddedTerm, ...]:
        """Return moves in the order of the tensors, behind that of the tensor to which the vector is added itself: of
        several the first one.
        """
        moves = sorted(moves, key=lambda one: self.places[one.tensor])
        whole = [one for one in moves if one.row is None and set(one.words) == {EMPTY}]
        mine = [one for one in moves if (one.tensor, one.kind, one.row) == origin]
        own = whole[0] if whole and (not mine or mine[0] in whole) else (mine or moves)[0]
        factor = next(iter(own.words.values()))
        return tuple(
            replace(one, words={word: over(value, factor) for word, value in one.words.items()})
            for one in (own, *(one for one in moves if one is not own))
        )

    def below_words(self, sums: Iterable[Sum], row: Letter | None = None) -> set[str]:
        """Return the tensors that words are made of, and a row."""
        letters = {letter for words in sums for word in words for letter in self.letters(word)}
        letters |= {row} if row else set()
        return {name for one in letters if not isinstance(one.of, Constant) for name in self.below(one.of)}

    def without_both(self, moves: list[AddedTerm]) -> list[AddedTerm]:
        """Return moves in which numbers that are added to all entries of a tensor are added in one way alone, where
        both rows and columns of it move.
        """
        kinds: dict[str, set[str]] = defaultdict(set)
        for one in moves:
            kinds[one.tensor].add(one.kind)
        both = self.by_words(one for one in moves if len(kinds[one.tensor]) > 1)
        found: dict[tuple[str, str, Letter | None], dict[Word, Any]] = {}
        for (tensor, kind, row, word), value in both.items():
            found.setdefault((tensor, kind, row), {})[word] = value
        kept = [
            replace(one, words=words)
            for one in moves
            if len(kinds[one.tensor]) == 1 and (words := {word: value for word, value in one.words.items() if value})
        ]
        return [*kept, *(AddedTerm(tensor, kind, words, row) for (tensor, kind, row), words in found.items())]

    def without_killed(self, conditions: list[Sum]) -> list[Sum]:
        """Return conditions without words that others kill, each once, and without what follows from another one."""
        killed = [next(iter(one)) for one in conditions if len(one) == 1]
        kept: dict[frozenset[Any], Sum] = {}
        for one in conditions:
            rest = {
                word: value
                for word, value in one.items()
                if not any(ends_with(word, end) and (len(one) > 1 or word != end) for end in killed)
            }
            if rest:
                first = next(iter(rest.values()))
                kept.setdefault(frozenset((word, value / first) for word, value in rest.items()), rest)
        found = list(kept.values())
        return [
            one
            for one in found
            if not any(are_multiples(rest, other) for rest in behind_letters(one) for other in found)
        ]

    def rank_of_sum(self, words: Sum, size: int) -> int:
        """Return what the rank of a sum of words is at most: the number of its rows, and the rank of letters with which
        all words begin, are bounds.
        """
        rows = self.rows(next(iter(words))) or size
        whole = min(rows, sum(self.rank(word, size) for word in words))
        for count, letters in enumerate(zip(*(word.letters for word in words), strict=False), start=1):
            if len(set(letters)) > 1:
                break
            whole = min(whole, self.rank(Word(next(iter(words)).letters[:count]), size))
        return whole

    def rank(self, word: Word, size: int) -> int:
        """Return what the rank of a word is at most."""
        found = size
        for letter in word.letters:
            if isinstance(letter.of, Constant) and not letter.kind:
                found = min(found, rank_of(letter.of))
            elif letter.kind not in ("diagonal", "inverse"):
                found = min(found, *self.solved.shape(letter))
        return found

    def letters(self, word: Word) -> Iterator[Letter]:
        """Iterate over the letters of a word and of its numbers."""
        yield from word.letters
        for number, _ in word.numbers:
            yield from self.letters(number)

    def below(self, number: int) -> frozenset[str]:
        """Return the tensors that a result is made of."""
        if number not in self.known:
            seen, pending, names = set[int](), [number], set[str]()
            while pending:
                one = pending.pop()
                if one not in seen:
                    seen.add(one)
                    instruction = self.program.instructions[one]
                    pending += instruction.operands
                    if instruction.operation == "tensor":
                        names.add(instruction.argument)
            self.known[number] = frozenset(names)
        return self.known[number]


def behind_letters(words: Sum) -> Iterator[Sum]:
    """Iterate over what is behind first letters that all words of a sum share."""
    while all(word.letters for word in words) and len({word.letters[0] for word in words}) == 1:
        words = {Word(word.letters[1:], word.numbers): value for word, value in words.items()}
        yield words


def together(conditions: Sequence[Sum], size: int) -> list[Sum]:
    """Return conditions with those of constants alone as one, so that its rank is known: if it is that some entries
    vanish, as the matrix that takes these.
    """
    constants = [one for one in conditions if all(word.is_constant for word in one)]
    if not constants or (len(constants) == 1 and is_named(constants[0])):
        return list(conditions)
    if all(is_named(one) and isinstance(next(iter(one)).letters[0].of, Selection) for one in constants):
        rows = {row for one in constants for row in next(iter(one)).letters[0].of.chosen}
        whole: Constant = Selection(size, tuple(sorted(rows)))
    else:
        array = np.concatenate([array_of(one, size) for one in constants])
        seen = np.flatnonzero(array.any(axis=0)).tolist()
        stay = (np.count_nonzero(array, axis=1) <= 1).all()
        whole = Entries.of(array[array.any(axis=1)])
        if stay or rank_of(whole) == len(seen):
            whole = Selection(size, tuple(seen))
    return [{Word((Letter(whole),)): 1}, *(one for one in conditions if one not in constants)]


def is_named(words: Sum) -> bool:
    """Return whether a sum is one constant that takes entries, or subtracts the mean."""
    (word, *others) = words
    one = word.letters[0].of if len(word.letters) == 1 else None
    return not others and (isinstance(one, Centring) or (isinstance(one, Selection) and not one.transposed))


def array_of(words: Sum, size: int) -> np.ndarray:
    """Return the matrix of a sum of words of constants, which multiplies vectors of a size."""
    parts: list[np.ndarray] = []
    for word, value in words.items():
        product = np.eye(size, dtype=np.int64)
        for letter in reversed(word.letters):
            product = letter.of.array @ product
        factor: Any = value.numerator if value.denominator == 1 else value
        parts.append(product * factor)
    return functools.reduce(np.add, parts)


def without_ones(kind: str, row: Letter | None, word: Word, height: int, width: int) -> tuple[str, Letter | None, Word]:
    """Return how a number times a row is added to all rows of a tensor: to rows, or to columns if it is one column."""
    first, other, size, beside = ("columns", "rows", height, width) if width > 1 else ("rows", "columns", width, height)
    begins = word.letters[:1] == (Letter(Ones(size, 1)),)
    if kind != first or not (size == 1 or begins):
        return kind, row, word
    ones = (Letter(Ones(beside, 1)),) if beside > 1 else ()
    return other, None, Word((*((row,) if row else ()), *ones, *word.letters[begins:]), word.numbers)


def rank_of(constant: Constant) -> int:
    """Return the rank of a constant matrix."""
    if isinstance(constant, Centring):
        return constant.size - 1
    if isinstance(constant, Ones):
        return 1
    if isinstance(constant, Selection):
        return len(constant.chosen)
    return int(verbs.rank(Elements(Rationals(), verbs.embed(Rationals(), constant.array))))


@functools.lru_cache(maxsize=16)
def solve_shifts(
    program: Program, *, units: tuple[int, int] | None, still: frozenset[str] = frozenset()
) -> ShiftSolutions:
    """Return the shifts of all tensors that leave the value of a program unchanged, solved by whole vectors.

    Parameters
    ----------
    program : Program
        The program.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    still : frozenset of str, optional
        Tensors that stay.
    """
    motions, results = collect_motions(program, units=units, still=still)

    def shape(letter: Letter) -> tuple[int, int]:
        if isinstance(letter.of, Constant):
            return letter.of.shape
        height, width = sizes(program.instructions[letter.of].shape)
        return (width, height) if letter.kind == "transposed" else (height, width)

    places = {one.argument: number for number, one in enumerate(program.instructions) if one.operation == "tensor"}
    solved = Elimination(shape, {})
    for taken in motions.taken:
        name = (taken.tensor, KINDS[taken.kind], taken.row)
        for word, form in taken.shift.items():
            is_ray = any(letter.kind == "inverse" for letter in word.letters)
            if (word == EMPTY or is_ray) and len(form) == 1 and next(iter(form)) not in solved.order:
                (vector,) = form
                way = (taken.row is not None) * 2 + is_ray * 2 + (taken.kind == "right")
                solved.order[vector] = (places[taken.tensor], way, vector.number)
                solved.origin[vector] = name
    # rows of a matrix that is used once take part in the changes of coordinates of the space that it reads
    users = program.uses.users
    open_for = [
        vector for vector, (name, kind, _) in solved.origin.items() if kind == "columns" or len(users[places[name]]) > 1
    ]
    shifts = [with_open_products(one, open_for, motions, program) for one in motions.equations.shifts.values()]
    groups = [group for one in shifts for group in groups_by_input(one, motions)]
    solved.solve(groups)
    return ShiftSolutions(program, motions, results, solved)
