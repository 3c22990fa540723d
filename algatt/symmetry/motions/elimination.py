"""Equations between whole vectors: sums of words times combinations of unknown vectors that vanish, solved without
entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from algatt.fields.motions import Letter, Word
from algatt.fields.motions.words import Constant, Ones, Selection, Shift, Vector, add_shifts, after, times

Shape = Callable[[Letter], tuple[int, int]]
"""What returns the shape of a letter."""


@dataclass
class Elimination:
    """Vectors that equations make sums of words times others.

    Where a word has to map a vector to zero that it need not map to zero otherwise, this is kept as a condition.

    Parameters
    ----------
    shape : callable
        What returns the shape of a letter.
    order : dict of Vector to int
        Vectors that move a tensor by themselves, in the order in which they are kept; others are solved for first.

    Attributes
    ----------
    solved : dict of Vector to Shift
        What was solved for.
    conditions : list of Shift
        What has to vanish besides.
    killed : dict of Vector to list of Word
        Words that map vectors to zero by the conditions.
    """

    shape: Shape
    order: dict[Vector, tuple[int, ...]]
    solved: dict[Vector, Shift] = field(default_factory=dict)
    conditions: list[Shift] = field(default_factory=list)
    killed: dict[Vector, list[Word]] = field(default_factory=dict)
    origin: dict[Vector, tuple[str, str, Letter | None]] = field(default_factory=dict)

    def resolve(self, shift: Shift) -> Shift:
        """Return a shift in terms of the vectors that were not solved for."""
        while True:
            found = [vector for form in shift.values() for vector in form if vector in self.solved]
            if not found:
                return shift if self.is_condition(shift) else self.without_killed(shift)
            for vector in found:
                self.solved[vector] = self.inserted(self.solved[vector])
            shift = self.inserted(shift)

    def inserted(self, shift: Shift) -> Shift:
        """Return a shift with the solutions of what was solved for; the shift itself if nothing was."""
        if not any(vector in self.solved for form in shift.values() for vector in form):
            return shift
        parts: list[Shift] = [{}]
        for word, form in shift.items():
            parts.append({word: {vector: value for vector, value in form.items() if vector not in self.solved}})
            for vector, value in form.items():
                if vector in self.solved:
                    parts.append(times(in_front(word, self.solved[vector]), value))
        return add_shifts(parts)

    def is_condition(self, shift: Shift) -> bool:
        """Return whether a sum is one word that has to map one vector to zero, and no shorter one does."""
        ((word, form), *others) = shift.items() or [(Word(), {})]
        if others or len(form) != 1:
            return False
        killed = self.killed.get(next(iter(form)), [])
        return word in killed and not any(one != word and ends_with(word, one) for one in killed)

    def without_killed(self, shift: Shift) -> Shift:
        """Return a shift without words that map vectors to zero by the conditions."""
        if not self.killed:
            return shift
        found = {
            word: {
                vector: value
                for vector, value in form.items()
                if not any(ends_with(word, one) for one in self.killed.get(vector, ()))
            }
            for word, form in shift.items()
        }
        return {word: form for word, form in found.items() if form}

    def solve(self, shifts: Iterable[Shift]) -> None:
        """Require sums to vanish."""
        pending = list(shifts)
        wide = False
        while True:
            left, changed = list[Shift](), False
            pending.reverse()
            while pending:
                found = list(self.parts(self.resolve(pending.pop())))
                if len(found) > 1:
                    pending += reversed(found)
                elif found and not (wide and changed) and self.eliminate(found[0], left, wide=wide):
                    changed = True
                else:
                    left += found
            pending = list(
                {frozenset((word, frozenset(form.items())) for word, form in one.items()): one for one in left}.values()
            )
            if not changed and wide and not self.combine(pending):
                break
            wide = not changed
        self.conditions = pending

    def combine(self, shifts: Iterable[Shift]) -> bool:
        """Take multiples of others from a vector that enters sums only where they do, by the same multiple everywhere,
        so that they do not; and return whether there is one. All of them move a tensor by themselves.

        Each time fewer vectors enter sums.
        """
        entered: dict[Vector, dict[tuple[int, Word], Fraction]] = {}
        for number, shift in enumerate(shifts):
            for word, form in shift.items():
                for vector, value in form.items():
                    entered.setdefault(vector, {})[number, word] = Fraction(value)
        own = [one for one in entered if one in self.order]
        for vector in sorted(own, key=self.order.__getitem__, reverse=True):
            mine = entered[vector]
            if vector in self.killed:
                continue
            others = {
                one: ratios.pop()
                for one in own
                if one is not vector
                and one.size == vector.size
                and mine.keys() <= entered[one].keys()
                and len(ratios := {entered[one][place] / value for place, value in mine.items()}) == 1
            }
            if others:
                whole = self.another(vector)
                parts = [times(one.shift, -ratio) for one, ratio in others.items()]
                self.solved[vector] = add_shifts((whole.shift, *parts))
                return True
        return False

    def another(self, vector: Vector) -> Vector:
        """Return a new vector in place of another one."""
        found = Vector(vector.size, vector.number, vector.label)
        if vector in self.order:
            self.order[found], self.origin[found] = self.order[vector], self.origin[vector]
        return found

    def parts(self, shift: Shift) -> Iterator[Shift]:
        """Iterate over sums that vanish if a sum does: without numbers that all words have, without first letters that
        all have and that map nothing to zero, and those of other rows by themselves.
        """
        while shift and all(word.letters for word in shift):
            firsts = {word.letters[0] for word in shift}
            if len(firsts) == 1 and self.is_injective(next(iter(firsts))):
                shift = add_shifts(
                    [{}, *({Word(word.letters[1:], word.numbers): form} for word, form in shift.items())]
                )
            elif len(firsts) > 1 and are_apart([one.of for one in firsts]):
                for first in firsts:
                    yield from self.parts({word: form for word, form in shift.items() if word.letters[0] == first})
                return
            else:
                break
        if shift:
            numbers = frozenset.intersection(*(word.numbers for word in shift))
            yield without_residual({Word(word.letters, word.numbers - numbers): form for word, form in shift.items()})

    def is_injective(self, letter: Letter) -> bool:
        """Return whether a matrix maps no vector to zero, at almost all weights: for others nothing is lost but at
        these.
        """
        if letter.kind in ("diagonal", "inverse"):
            return True
        if isinstance(letter.of, Constant):
            return (isinstance(letter.of, Selection) and letter.of.transposed) or (
                isinstance(letter.of, Ones) and letter.of.width == 1
            )
        height, width = self.shape(letter)
        return height >= width

    def is_killed_like(self, vector: Vector, shift: Shift) -> bool:
        """Return whether the words that map a vector to zero by the conditions map all vectors of a sum to zero, which
        is of one word if there are any.
        """
        words = self.killed.get(vector, [])
        others = [self.killed.get(one, ()) for form in shift.values() for one in form]
        return not words or (len(shift) == 1 and all(word in other for other in others for word in words))

    def eliminate(self, shift: Shift, left: list[Shift], *, wide: bool) -> bool:
        """Solve an equation for a vector, and return whether that is done: for one behind a word with which all others
        begin; if the word may map vectors to zero, only where it is allowed, and up to those.
        """
        found: tuple[Any, Word, Vector] | None = None
        for word, form in shift.items():
            injective = all(self.is_injective(letter) for letter in word.letters)
            if not (injective or wide) or not all(begins_with(other, word) for other in shift):
                continue
            if len(shift) == len(form) == 1 and not injective:
                continue
            for vector in form:
                if not injective and not self.is_killed_like(vector, shift):
                    continue
                if not any(vector in other for key, other in shift.items() if key != word):
                    mine = (injective, vector not in self.order, self.order.get(vector, (vector.number,)))
                    if found is None or mine > found[0]:
                        found = mine, word, vector
        if found is None:
            if len(shift) == 1:
                ((word, form),) = shift.items()
                if len(form) == 1:
                    words = self.killed.setdefault(next(iter(form)), [])
                    if word not in words:
                        words.append(word)
            return False
        (injective, *_), word, vector = found
        rest = {key: dict(form) for key, form in shift.items()}
        value = rest[word].pop(vector)
        behind = add_shifts([{}, *({without_beginning(key, word): form} for key, form in rest.items() if form)])
        solution = times(behind, Fraction(-1) / value)
        if not injective and vector in self.order:
            another = self.another(vector)
            self.killed[another] = [Word(word.letters), *self.killed.get(vector, ())]
            left += [{whole: {another: 1}} for whole in self.killed[another]]
            solution = add_shifts((solution, another.shift))
        self.solved[vector] = solution
        return True


def without_residual(shift: Shift) -> Shift:
    """Return s of a sum s + c A s, with a matrix A: where s vanishes, the sum does, and at almost all weights
    only there, if A may be any matrix.
    """
    for first in dict.fromkeys(word.letters[0] for word in shift if word.letters):
        behind, rest = dict[Any, Any](), dict[Any, Any]()
        for word, form in shift.items():
            begins = word.letters[:1] == (first,)
            key = Word(word.letters[1:], word.numbers) if begins else word
            (behind if begins else rest).update({(key, vector): value for vector, value in form.items()})
        if are_multiples(rest, behind):
            return without_residual({word: form for word, form in shift.items() if word.letters[:1] != (first,)})
    return shift


def are_multiples(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Return whether two sums are the same but for a factor."""
    if one.keys() != other.keys() or not one:
        return False
    return len({Fraction(one[key]) / other[key] for key in one}) == 1


def are_apart(constants: list[Any]) -> bool:
    """Return whether constants put vectors into different rows."""
    seen: set[int] = set()
    for one in constants:
        if not isinstance(one, Selection) or not one.transposed or not seen.isdisjoint(one.chosen):
            return False
        seen.update(one.chosen)
    return True


def in_front(word: Word, shift: Shift) -> Shift:
    """Return the product of a word and a shift."""
    for letter in reversed(word.letters):
        shift = after(letter, shift)
    for number, power in word.numbers:
        shift = {key.times(number, power): form for key, form in shift.items()}
    return shift


def begins_with(word: Word, beginning: Word) -> bool:
    """Return whether the letters of a word begin with those of another one."""
    return word.letters[: len(beginning.letters)] == beginning.letters


def ends_with(word: Word, end: Word) -> bool:
    """Return whether the letters of a word end with those of another one."""
    return word.letters[len(word.letters) - len(end.letters) :] == end.letters


def without_beginning(word: Word, beginning: Word) -> Word:
    """Return what is behind another word that a word begins with, divided by the numbers of that."""
    found = Word(word.letters[len(beginning.letters) :], word.numbers)
    for number, power in beginning.numbers:
        found = found.times(number, -power)
    return found
