"""Shifts by several vectors at once, of which conditions ask that sums vanish, as those of the values of all heads: the
vectors are parts of one, so that all that is said of one vector holds (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt.fields.motions import Letter, Word
from algatt.fields.motions.words import Selection, Vector, add_shifts
from algatt.fields.motions.words import Shift as WordsOfVectors
from algatt.symmetry.motions.elimination import are_multiples, in_front
from algatt.symmetry.motions.shift import Shift

if TYPE_CHECKING:
    from algatt.symmetry.motions.shifts import Moves, ShiftSolutions


@dataclass(frozen=True, eq=False)
class SeveralVectors:
    """Vectors that conditions join.

    Parameters
    ----------
    alone : ShiftSolutions
        What each of them does by itself.
    """

    alone: ShiftSolutions

    @functools.cached_property
    def shifts(self) -> tuple[Shift, ...]:
        """The shifts by several vectors at once, of which conditions ask that sums vanish, where these leave more than
        those by each vector: parts of one vector, below each other.
        """
        found = []
        for vectors in self.joined():
            shift = self.stacked(vectors)
            apart = [self.alone.apart[one] for one in vectors if one in self.alone.apart]
            if shift is not None and shift.size - shift.rank > sum(one.size - one.rank for one in apart):
                found.append(shift)
        return tuple(found)

    @functools.cached_property
    def conditions(self) -> tuple[WordsOfVectors, ...]:
        """The sums that have to vanish, without sums that vanish by themselves: the stream has those of all blocks
        before.
        """
        found: list[dict[tuple[Word, Vector], Any]] = []
        for condition in sorted(self.alone.solved.conditions, key=len):
            terms = {(word, vector): value for word, form in condition.items() for vector, value in form.items()}
            for other in found:
                if are_multiples({key: value for key, value in terms.items() if key in other}, other):
                    terms = {key: value for key, value in terms.items() if key not in other}
            found += [terms] if terms else []
        return tuple(
            add_shifts([{}, *({word: {vector: value}} for (word, vector), value in terms.items())]) for terms in found
        )

    def joined(self) -> Iterator[list[Vector]]:
        """Iterate over groups of vectors that conditions join, of which none is added to a tensor that another one
        moves, or that its words are made of.
        """
        groups: list[set[Vector]] = []
        beside = {one: {tensor for tensor, *_ in moved} for one, moved in self.alone.moves.items()}
        for one, moved in self.alone.moves.items():
            beside[one] |= self.alone.below_words(moved.values())
        for condition in self.conditions:
            mine = {vector for form in condition.values() for vector in form if vector in self.alone.moves}
            for one in mine:
                sums = [{word: form[one] for word, form in condition.items() if one in form}]
                beside[one] |= self.alone.below_words(sums)
            met = [group for group in groups if group & mine]
            groups = [*(one for one in groups if one not in met), mine.union(*met)]
        own = {one: self.alone.solved.origin[one][0] for one in self.alone.moves}
        for group in groups:
            parts: list[list[Vector]] = []
            for one in sorted(group, key=self.alone.solved.order.__getitem__):
                for part in parts:
                    if not any(own[one] in beside[other] or own[other] in beside[one] for other in part):
                        part.append(one)
                        break
                else:
                    parts.append([one])
            yield from (part for part in parts if len(part) > 1)

    def crowded(self, counts: Mapping[str, int]) -> bool:
        """Return whether vectors that a condition joins would have more entries than it has rows, or as many, if there
        were as many tensors like those they are added to as is counted, by names without the last number.
        """
        for vectors in self.joined():
            sizes = {stem(self.alone.solved.origin[one][0]): one.size for one in vectors}
            entries = sum(counts.get(name, 0) * size for name, size in sizes.items())
            rows = [
                self.alone.rows(next(word for word, form in condition.items() if any(one in form for one in vectors)))
                for condition in self.conditions
                if any(one in form for form in condition.values() for one in vectors)
            ]
            if entries >= min(filter(None, rows), default=0):
                return True
        return False

    def stacked(self, vectors: Sequence[Vector]) -> Shift | None:
        """Return the shift by one vector in place of several, whose entries are below each other."""
        ends = list(itertools.accumulate(one.size for one in vectors))
        whole = Vector(ends[-1], vectors[0].number, "several vectors")
        self.alone.solved.origin[whole] = self.alone.solved.origin[vectors[0]]
        places = {
            one: Word((Letter(Selection(ends[-1], tuple(range(end - one.size, end)))),))
            for one, end in zip(vectors, ends, strict=True)
        }

        def stack(shift: WordsOfVectors) -> WordsOfVectors:
            parts = [
                in_front(word, {places[one]: {whole: value}})
                for word, form in shift.items()
                for one, value in form.items()
                if one in places
            ]
            return add_shifts([{}, *parts])

        moves: Moves = {}
        for key in dict.fromkeys(key for one in vectors for key in self.alone.moves[one]):
            added = {one: self.alone.moves[one].get(key, {}) for one in vectors}
            parts = [stack({word: {one: value} for word, value in words.items()}) for one, words in added.items()]
            moves[key] = {word: form[whole] for word, form in add_shifts([{}, *parts]).items()}
        return self.alone.shift_of(whole, moves, filter(None, map(stack, self.conditions)))


def stem(name: str) -> str:
    """Return the name of a tensor without the number at its end."""
    return name.rstrip("0123456789")
