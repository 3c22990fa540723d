"""The derivative of a program along velocities of its tensors, by the rule of Leibniz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import flint

from .fields import ones
from .limits import Work, too_large
from .program import Instruction
from .words import COLUMN, MOST_WORDS, ONE, ROW, Factor, Sum, Term, Word, Words, axes, fresh, indices_of, relabel

MOST_OPENED = 100  # times that results are opened in a sum, and words that it may have then
LINEAR = ("constant", "add", "transpose", "product", "multiply")  # in all operands together, or in each of two

Velocities = Mapping[str, Sequence[Instruction]]  # the programs by whose values tensors move


class Moves(Exception):
    """A result is not found to move in a way that can be followed, or the value moves."""


class Leibniz(Words):
    """The derivative of a program along the velocities of its tensors. Gates stay, whatever they are of, if there are
    `tokens` alone: they do at almost all weights, since there are finitely many inputs.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int], work: Work, *, tokens: bool) -> None:
        super().__init__(program, units, work)
        self.tokens = tokens
        self.tensors = {one.argument: number for number, one in enumerate(program) if one.operation == "tensor"}
        self.values: dict[int, Sum] = {}
        self.moved: dict[int, Sum] = {}
        self.still: dict[int, tuple[list[Sum], Sum, Sum | None]] = {}  # of results that do not move, by their operands

    def run(self, free: tuple[int, int], velocities: Velocities) -> None:
        """Find that the value does not move, or raise `Moves`: tensors move by the values of programs, which read
        tensors, and as their input S, of the shape `free`.
        """
        self.dims[self.free] = tuple(size for size in free if size > 1)
        self.values, self.moved, self.known = {}, {}, {}
        for number, one in enumerate(self.program):
            operands = [self.values[operand] for operand in one.operands]
            self.moved[number] = {}
            if one.operation == "tensor" and one.argument in velocities:
                self.moved[number] = self.written(velocities[one.argument])[-1]
            elif any(self.moved[operand] for operand in one.operands):
                self.moved[number] = self.sum(self.derivative(number, one))
            before, value, known = self.still.get(number, ([], None, None))
            if self.moved[number] or value is None or list(map(id, before)) != list(map(id, operands)):
                value, known = self.value(number, one)
            self.values[number] = value
            if known is not None:
                self.known[number] = known
            if not self.moved[number]:
                self.still[number] = operands, value, known
        if value := self.expanded(self.moved[len(self.program) - 1]):
            raise Moves(f"the value moves by a sum of {len(value)} words")

    def written(self, words: Sequence[Instruction]) -> list[Sum]:
        """Return the results of the program of a velocity in words."""
        found: list[Sum] = []
        for one in words:
            if one.operation in ("tensor", "input"):
                leaf = self.free if one.operation == "input" else self.tensors[one.argument]
                found.append({((leaf, axes(one.sizes), 1),): ONE})
            elif one.operation == "reciprocal":
                if (made := self.reciprocal(found[one.operands[0]])) is None:
                    raise Moves("a velocity divides by zero, or by no single word")
                found.append(made)
            else:
                found.append(self.sum(self.terms(one, [found[k] for k in one.operands], words)))
        return found

    # ----- values

    def itself(self, number: int) -> Sum:
        """Return a result as a word."""
        return {((number, axes(self.shapes[number]), 1),): ONE}

    def value(self, number: int, one: Instruction) -> tuple[Sum, Sum | None]:
        """Return the words of a result: itself, if it is a function, does not move or moves by multiples of itself; and
        what it is in words of others, if it is no function.
        """
        if one.operation == "reciprocal":
            return (self.over(one.operands[0]),) * 2
        if one.operation not in LINEAR:
            return self.itself(number), None
        known = self.sum(self.terms(one, [self.values[k] for k in one.operands], self.program), opening=False)
        made = self.sum((c, word, {}) for word, c in known.items())
        if len(made) < 2 and sum(leaf not in self.constants for word in made for leaf, _, _ in word) < 2:
            return made, known
        if self.moved[number]:
            if (closed := self.closed(number, made)) is None:
                return made, known
            self.moved[number] = closed
        return self.itself(number), known

    def expanded(self, total: Sum) -> Sum:
        """Return a sum with what results are made of in their place, as far as there are not too many."""
        for _ in range(MOST_OPENED):
            terms: list[Term] = []
            for word, c in total.items():
                one = next((factor for factor in word if factor[2] == 1 and factor[0] in self.known), None)
                if one is None:
                    terms.append((c, word, {}))
                else:
                    rest = [other for other in word if other is not one]
                    known = self.substituted(rest, one[0], one[1], self.known[one[0]])
                    terms += [(c * x, *term) for x, *term in known]
            before, total = total, self.sum(terms)
            if total == before or len(total) > MOST_OPENED:
                break
        return total

    def over(self, number: int) -> Sum:
        """Return one over the entries of a result."""
        return self.reciprocal(self.values[number]) or {((number, axes(self.shapes[number]), -1),): ONE}

    def reciprocal(self, total: Sum) -> Sum | None:
        """Return one over a sum that is a single word without sums over indices and zeros; None if it is not."""
        if len(total) != 1:
            return None
        ((word, c),) = total.items()
        found: list[Factor] = []
        for leaf, at, e in word:
            M = self.constants[leaf] if leaf in self.constants else ones(1, 1)
            if any(i >= 0 for i in at) or not all(M.entries()):
                return None
            inverse = flint.fmpq_mat(M.nrows(), M.ncols(), [1 / x for x in M.entries()])
            found += self.constant(at, inverse)[1] if leaf in self.constants else [(leaf, at, -e)]
        return self.sum([(1 / c, found, {})])

    def terms(self, one: Instruction, sums: Sequence[Sum], program: Sequence[Instruction]) -> Iterator[Term]:
        """Iterate over what an operation makes of sums: it is linear in all of them together, or in each of two."""
        inner = program[one.operands[0]].sizes[1] if one.operation == "product" else 1
        if one.operation == "constant":
            M, at = flint.fmpq_mat(*one.sizes, one.argument), axes(one.sizes)
            yield *self.constant(at, M if one.sizes[0] > 1 else M.transpose()), {}
        elif one.operation in ("add", "transpose"):
            names = {ROW: COLUMN, COLUMN: ROW} if one.operation == "transpose" else {}
            yield from ((c, relabel(word, names), {}) for x in sums for word, c in x.items())
        elif inner == 1:
            yield from self.times(*sums)
        else:
            for left, c, right, x in self.pairs(*sums):
                k = fresh(left)
                yield c * x, [*relabel(left, {COLUMN: k}), *relabel(right, {ROW: k}, k + 1)], {k: inner}

    def times(self, left: Sum, right: Sum, c: Any = ONE) -> Iterator[Term]:
        """Iterate over a multiple of the products of the entries of two sums."""
        for one, x, other, y in self.pairs(left, right):
            yield c * x * y, [*one, *relabel(other, {}, fresh(one))], {}

    def pairs(self, left: Sum, right: Sum) -> Iterator[tuple[Word, Any, Word, Any]]:
        """Iterate over the words of two sums, with their coefficients."""
        if len(left) * len(right) > MOST_WORDS:
            raise too_large("words", f"a product of sums of {len(left)} and {len(right)} words", "smaller")
        return ((*one, *other) for one in left.items() for other in right.items())

    # ----- derivatives

    def derivative(self, number: int, one: Instruction) -> Iterator[Term]:
        """Iterate over the derivative of a result by those of its operands."""
        E, D = ([at[operand] for operand in one.operands] for at in (self.values, self.moved))
        match one.operation:
            case "product" | "multiply":
                yield from self.terms(one, [D[0], E[1]], self.program)
                yield from self.terms(one, [E[0], D[1]], self.program)
            case "add" | "transpose":
                yield from self.terms(one, D, self.program)
            case "reciprocal":
                X = self.over(one.operands[0])
                yield from self.times(self.sum(self.times(X, X)), D[0], -ONE)
            case "sqrt":
                yield from self.times(self.itself(number), self.factors(one, D[0]), ONE / 2)
            case "exp":
                yield from self.times(self.itself(number), D[0])
            case "positive" | "largest":
                self.factors(one, D[0])
            case _:
                raise Moves(f"the operand of {one.operation} moves")

    def factors(self, one: Instruction, moved: Sum) -> Sum:
        """Return by what the operand of a root, a gate or an order is multiplied as it moves. It has to be of weights
        alone, so that no sign and no branch changes: it could have a pole where the operand is zero if it were of the
        input, as the derivative of x / sqrt(x x) is zero, and this is the sign of x. An order does not change either if
        what is added has no row; and factors have none.
        """
        largest = one.operation == "largest"
        if largest:
            moved = {word: c for word, c in moved.items() if ROW in indices_of(word)}
        found = self.sum(self.times(moved, self.over(one.operands[0])))
        for word in found if not self.tokens else ():
            if any(leaf in self.varying for leaf, _, _ in word) or (largest and ROW in indices_of(word)):
                raise Moves(f"the operand of {one.operation} moves by more than multiples that weights give")
        return found

    # ----- results that move by multiples of themselves

    def closed(self, number: int, made: Sum) -> Sum | None:
        """Return the derivative of a result in words of itself, if it is a sum of products with it: words are looked
        for in which one of the result's is, with all others of the result in its place.
        """
        core, indices = next(iter(made), ()), axes(self.shapes[number])
        if not made or {i for i in indices_of(core) if i < 0} != set(indices):
            return None
        found: list[Term] = []
        rest = dict(self.moved[number])
        for word in self.moved[number]:
            for left, names in self.ways(core, word, {}) if word in rest else ():
                at, x = tuple(names[i] for i in indices), rest[word] / made[core]
                minus = [(-c * x, *term) for c, *term in self.substituted(left, number, at, made)]
                after = self.sum([*((c, w, {}) for w, c in rest.items()), *minus])
                if len(after) < len(rest) and word not in after:
                    rest = after
                    found.append((x, [*left, (number, at, 1)], {}))
                    break
        return None if rest else self.sum(found)
