"""The derivative of a program along velocities of its tensors, by the rule of Leibniz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .fields import Constant, fmpq, identity, ones
from .limits import too_large
from .program import Instruction
from .words import COLUMN, MOST_WORDS, ONE, ROW, Factor, Moves, Sum, Term, Word, Words, axes, fresh, parts_of, relabel

__all__ = ["Leibniz", "Matrices", "factor_shape"]

Matrices = Sequence[tuple[Any, ...]]
"""A product as files have it: ("n", k, t) is result k, transposed if t; ("c", C) a constant; ("S", t) the free matrix;
("d", product, e) the diagonal matrix of a column to a power.
"""

POWERS = {"reciprocal": Fraction(-1), "sqrt": Fraction(1, 2)}
"""The powers that operations are."""

MOST_OPENED = 100
"""Maximum number of times that results are opened in a sum, and of words that it may have then."""

LINEAR = ("add", "transpose", "product", "multiply")
"""Operations that are linear in all operands together, or in each of two."""


def factor_shape(one: tuple[Any, ...], shapes: Sequence[tuple[int, int]], free: tuple[int, int]) -> tuple[int, int]:
    """Return the shape of a factor of a product."""
    if one[0] == "c":
        return one[1].height, one[1].width
    if one[0] == "d":
        return (factor_shape(one[1][0], shapes, free)[0],) * 2
    shape = free if one[0] == "S" else shapes[one[1]]
    return shape[::-1] if one[-1] else shape


def less(word: Word, A: tuple[int, tuple[int, ...]]) -> list[Factor] | None:
    """Return the factors of a word without an entry; None if it is none of them."""
    for k, (leaf, at, e) in enumerate(word):
        if (leaf, at) == A and e >= 1:
            return [*word[:k], *([(leaf, at, e - 1)] if e > 1 else []), *word[k + 1 :]]
    return None


class Leibniz(Words):
    """The derivative of a program along the velocities of its tensors.

    Parameters
    ----------
    program : sequence of Instruction
        The program, of elementary operations.
    units : (int, int) or None
        From which row and column on the columns of inputs are unit vectors; None if they are not.
    tokens : bool
        Whether gates stay, whatever they are of: they do at almost all weights if there are finitely many inputs.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int] | None, *, tokens: bool) -> None:
        super().__init__(program, units)
        self.tokens = tokens
        self.free_shape = (1, 1)
        self.values: dict[int, Sum] = {}
        self.moved: dict[int, Sum] = {}
        self.known: dict[int, Sum | None] = {}
        self.still: dict[int, tuple[list[Sum], Sum]] = {}  # words of results that do not move, by those of operands
        self.varying: set[int] = set()  # what depends on the input
        for number, one in enumerate(program):
            if one.operation == "input" or not self.varying.isdisjoint(one.operands):
                self.varying.add(number)

    def run(self, free: tuple[int, int], velocities: Mapping[str, Sequence[tuple[Fraction, Matrices]]]) -> None:
        """Find that the value does not move, or raise `Moves`.

        Parameters
        ----------
        free : (int, int)
            The shape of S.
        velocities : mapping of str to list of (coefficient, product)
            How tensors move.
        """
        self.free_shape, self.dims[self.free] = free, tuple(size for size in free if size > 1)
        self.values, self.moved, self.known = {}, {}, {}
        for number, one in enumerate(self.program):
            if one.operation == "tensor":
                listed = velocities.get(one.argument, ())
                self.moved[number] = self.sum(self.indexed(fmpq(c), matrices) for c, matrices in listed)
            elif any(self.moved[operand] for operand in one.operands):
                self.moved[number] = self.sum(self.derivative(number, one))
            else:
                self.moved[number] = {}
            operands = [self.values[operand] for operand in one.operands]
            known = self.still.get(number)
            if self.moved[number] or known is None or any(x is not y for x, y in zip(operands, known[0], strict=True)):
                known = operands, self.value(number, one)
            if not self.moved[number]:
                self.still[number] = known
            self.values[number] = known[1]
        if value := self.moved[len(self.program) - 1]:
            raise Moves(f"the value moves by a sum of {len(value)} words")

    # ----- products of matrices as words

    def indexed(self, c: Any, matrices: Matrices) -> Term:
        """Return a product of matrices as a term: a diagonal matrix is of the index before it."""
        factors: list[Factor] = []
        sizes: dict[int, int] = {}
        rest = sum(one[0] != "d" for one in matrices)
        height = factor_shape(matrices[0], self.shapes, self.free_shape)[0]
        if not rest and height > 1:
            factors.append(self.constant((ROW, COLUMN), identity(height))[1])
        here, start = ROW, 0
        for one in matrices:
            if one[0] == "d":
                x, column = self.column(one[1], one[2])
                c *= x
                factors += relabel(column, {ROW: here}, start)
                start = max(start, fresh(factors))
                continue
            rest -= 1
            there, start = (start, start + 1) if rest else (COLUMN, start)
            shape = factor_shape(one, self.shapes, self.free_shape)
            at = tuple(i for i, size in zip((here, there), shape, strict=True) if size > 1)
            sizes[there] = shape[1]
            here = there
            if one[0] == "c":
                x, factor = self.whole(one[1], at)
                c *= x
                factors += factor
            else:
                factors.append((self.free if one[0] == "S" else one[1], at[::-1] if one[-1] else at, 1))
        return c, factors, {i: size for i, size in sizes.items() if i >= 0}

    def whole(self, M: Constant, at: tuple[int, ...]) -> tuple[Any, list[Factor]]:
        """Return a coefficient and a factor, which a constant is; no factor if it is zero."""
        if M.first is None:
            return ONE * 0, []
        c, factor = self.constant(at, M if M.height > 1 else M.transposed)
        return c, [factor]

    def column(self, matrices: Matrices, exponent: int) -> tuple[Any, list[Factor]]:
        """Return a coefficient and the factors of a column to a power."""
        found = self.normal(*self.indexed(ONE, matrices))
        if len(found) != 1:
            raise Moves("a diagonal matrix of a velocity is zero, or no single word")
        ((c, word),) = found
        self.bounded([c])
        if exponent < 0:
            return c**exponent, list(self.power(word, exponent))
        factors: list[Factor] = []
        for _ in range(exponent):
            factors += relabel(word, {}, fresh(factors))
        return c**exponent, factors

    # ----- values

    def opened(self, number: int) -> Sum | None:
        if number not in self.known:
            self.known[number] = None
            if number in self.values and number not in self.shares:
                made = self.made(self.program[number], [self.values[k] for k in self.program[number].operands])
                self.known[number] = None if made == self.itself(number) else made
        return self.known[number]

    def itself(self, number: int) -> Sum:
        """Return a result as a word."""
        return {((number, axes(self.shapes[number]), 1),): ONE}

    def value(self, number: int, one: Instruction) -> Sum:
        """Return the words of a result: itself, if it moves by multiples of itself or not at all."""
        made = self.made(one, [self.values[operand] for operand in one.operands])
        if made is None:
            return self.itself(number)
        others = [k for k in one.operands if self.program[k].operation != "constant"]
        constant = len(others) < len(one.operands)
        if self.moved[number]:
            placed = constant and any(self.shapes[k] < one.sizes for k in others)  # among zeros, or repeated
            closed = None if placed else self.closed(number, made)
            if closed is None and one.operation == "add" and not self.expanded(self.moved[number]):
                closed = {}
            if closed is None:
                return made
            self.moved[number] = closed
            return self.itself(number)
        alone = one.operation in ("constant", "transpose") or (one.operation != "add" and constant)
        return made if alone or not made else self.itself(number)

    def expanded(self, total: Sum) -> Sum:
        """Return a sum with what results are made of in their place, as far as there are not too many."""
        for _ in range(MOST_OPENED):
            terms: list[Term] = []
            for word, c in total.items():
                one = next((f for f in word if f[2] == 1 and f[0] < self.free and self.opened(f[0]) is not None), None)
                if one is None:
                    terms.append((c, word, {}))
                else:
                    rest = [other for other in word if other is not one]
                    known = self.substituted(rest, one[0], one[1], self.opened(one[0]) or {})
                    terms += [(c * x, *term) for x, *term in known]
            before, total = total, self.sum(terms)
            if total == before or len(total) > MOST_OPENED:
                break
        return total

    def made(self, one: Instruction, sums: Sequence[Sum]) -> Sum | None:
        """Return a result in words of its operands; None if it is none of their products and sums."""
        if one.operation == "constant":
            c, factors = self.whole(Constant(*one.sizes, map(fmpq, one.argument)), axes(one.sizes))
            return self.sum([(c, factors, {})])
        return self.sum(self.terms(one, sums)) if one.operation in LINEAR else None

    def terms(self, one: Instruction, sums: Sequence[Sum]) -> Iterator[Term]:
        """Iterate over what an operation makes of sums: it is linear in all of them together, or in each of two."""
        if one.operation in ("add", "transpose"):
            names = {ROW: COLUMN, COLUMN: ROW} if one.operation == "transpose" else {}
            yield from ((c, relabel(word, names), {}) for x in sums for word, c in x.items())
            return
        if len(sums[0]) * len(sums[1]) > MOST_WORDS:
            raise too_large("words", f"a product of sums of {len(sums[0])} and {len(sums[1])} words", "smaller")
        inner = self.shapes[one.operands[0]][1] if one.operation == "product" else 1
        for left, c in sums[0].items():
            middle = fresh(left)
            for right, x in sums[1].items():
                if inner == 1:
                    yield c * x, [*left, *relabel(right, {}, middle)], {}
                else:
                    parts = relabel(left, {COLUMN: middle}), relabel(right, {ROW: middle}, middle + 1)
                    yield c * x, [*parts[0], *parts[1]], {middle: inner}

    # ----- derivatives

    def derivative(self, number: int, one: Instruction) -> Iterator[Term]:
        """Iterate over the derivative of a result by those of its operands."""
        E, D = ([at[operand] for operand in one.operands] for at in (self.values, self.moved))
        A, X = ((k, axes(self.shapes[number])) for k in (one.operands[0], number))
        match one.operation:
            case "product" | "multiply":
                yield from self.terms(one, [D[0], E[1]])
                yield from self.terms(one, [E[0], D[1]])
            case "add" | "transpose":
                yield from self.terms(one, D)
            case "reciprocal" | "sqrt":
                for word, c in D[0].items():
                    if (rest := less(word, A)) is None or (
                        one.operation == "sqrt" and not self.tokens and not self.scaled(word, A)
                    ):
                        raise Moves(f"the entries of the operand of {one.operation} are not multiplied by numbers")
                    yield c * fmpq(POWERS[one.operation]), [*rest, (*X, 1)], {}
            case "exp":
                for word, c in D[0].items():
                    if any({ROW, COLUMN} <= {i for _, at, _ in part for i in at} for part in parts_of(word)):
                        raise Moves("exponents move by more than rows and columns")
                    yield c, [*word, (*X, 1)], {}
            case "rotate":
                yield from self.turned(number, one)
            case "positive" | "largest":
                for word in D[0]:
                    still = self.tokens or self.scaled(word, A, None if one.operation == "positive" else ROW)
                    if not still and (one.operation == "positive" or any(ROW in at for _, at, _ in word)):
                        raise Moves(f"the operand of {one.operation} moves by more than multiples that weights give")
            case _:
                raise Moves(f"the operand of {one.operation} moves")

    def scaled(self, word: Word, A: tuple[int, tuple[int, ...]], apart: int | None = None) -> bool:
        """Return whether a word is an entry of A times what weights give, which has not the index `apart`. So A has no
        other sign, and a root of it no other branch, if weights move; the factor could have a pole where A is zero if
        it were of the input: the derivative of x / sqrt(x x) is zero, and this is the sign of x.
        """
        rest = less(word, A)
        return rest is not None and all(n not in self.varying and apart not in at for n, at, _ in rest)

    def turned(self, number: int, one: Instruction) -> Iterator[Term]:
        """Iterate over the derivative of turned columns: what commutes with all turns stays before."""
        height = self.shapes[number][0]
        J = [ONE * 0] * (height * height)
        for f, angle in enumerate(one.argument[0]):
            J[2 * f * height + 2 * f + 1], J[(2 * f + 1) * height + 2 * f] = (
                -fmpq(Fraction(angle)),
                fmpq(Fraction(angle)),
            )
        turn = Constant(height, height, J).matrix
        groups: dict[Word, Constant] = {}
        for word, c in self.moved[one.operands[0]].items():
            M, rest = self.before(word, one.operands[0], height)
            M = M.multiplied(c)
            groups[rest] = groups[rest].plus(M) if rest in groups else M
        for rest, C in groups.items():
            if C.matrix * turn != turn * C.matrix:
                raise Moves("what moves the columns that are turned does not commute with turns")
            k = fresh(rest)
            c, factor = self.whole(C, (ROW, k))
            yield c, [*rest, *factor, (number, (k, *axes(self.shapes[number])[1:]), 1)], {k: height}

    def before(self, word: Word, operand: int, height: int) -> tuple[Constant, Word]:
        """Return the constant that is multiplied with the columns of a result in a word, and what else is."""
        for one in word:
            leaf, at, e = one
            if leaf != operand or e != 1 or at[1:] != axes(self.shapes[operand])[1:] or at[0] == COLUMN:
                continue
            beside = [other for other in word if other != one and not {ROW, at[0]}.isdisjoint(other[1])]
            rest = [other for other in word if other != one and other not in beside]
            if all(other[0] in self.constants and set(other[1]) <= {ROW, at[0]} for other in beside):
                M = identity(height) if at[0] == ROW else ones(height, height)
                for n, where, _ in beside:
                    K = self.constants[n]
                    if len(where) == 2:
                        M = M.times(K if where[0] == ROW else K.transposed)
                    else:
                        M = M.times(K) if where[0] == ROW else M.transposed.times(K).transposed
                sign, found = self.canonical(rest)
                return M.multiplied(sign), found
        raise Moves("the columns that are turned move by more than products with constants")

    # ----- results that move by multiples of themselves

    def closed(self, number: int, made: Sum) -> Sum | None:
        """Return the derivative of a result in words of itself, if it is a sum of products with it: words are looked
        for in which one of the result's is, with all others of the result in its place.
        """
        core, indices = next(iter(made), ()), axes(self.shapes[number])
        if not made or {i for _, at, _ in core for i in at if i < 0} != set(indices):
            return None
        found: list[Term] = []
        rest = dict(self.moved[number])
        for word in self.moved[number]:
            ways = ((c, *way) for c, one in self.divided(core, word) for way in self.ways(core, one, {}))
            for c, left, names in ways if word in rest else ():
                at = tuple(names[i] for i in indices)
                x = c * rest[word] / made[core]
                minus = [(-c * x, *term) for c, *term in self.substituted(left, number, at, made)]
                after = self.sum([*((c, w, {}) for w, c in rest.items()), *minus])
                if len(after) < len(rest) and word not in after:
                    rest = after
                    found.append((x, [*left, (number, at, 1)], {}))
                    break
        return None if rest else self.sum(found)

    def divided(self, core: Word, word: Word) -> Iterator[tuple[Any, Sequence[Factor]]]:
        """Iterate over a word, and over multiples of it with two constants in the place of their product, of which one
        is before another word.
        """
        yield ONE, word
        for leaf, at, _ in core if len(core) > 1 else ():
            if leaf not in self.constants or len(at) < 2 or ROW not in at:
                continue
            P = self.constants[leaf] if at[0] == ROW else self.constants[leaf].transposed
            for one in word:
                whole = self.constants.get(one[0]) if len(one[1]) == 2 and one[0] != leaf else None
                sides = [(whole, one[1]), (whole.transposed, one[1][::-1])] if whole is not None else []
                for M, (y, k) in sides:
                    if M.width == P.width and (K := self.quotient(M, P)) is not None:
                        z = fresh(word)
                        x, left = self.constant((y, z), K)
                        c, right = self.constant((z, k), P)
                        yield x * c, [*(other for other in word if other != one), left, right]

    def ways(
        self, core: Sequence[Factor], word: Sequence[Factor], names: dict[int, int]
    ) -> Iterator[tuple[list[Factor], dict[int, int]]]:
        """Iterate over the ways in which a word is a product with another one: the other factors, and the indices that
        those of the other word have here.
        """
        self.spend(len(word))
        inner = [n for i, n in names.items() if i >= 0]
        if not core:
            outer = {n for i, n in names.items() if i < 0}
            if not set(inner) & outer.union(*(at for _, at, _ in word)):
                yield list(word), names
            return
        (leaf, at, e), *others = core
        for k, (other, here, x) in enumerate(word):
            if other == leaf and x * e > 0 and abs(x) >= abs(e):
                for there in {here, here[::-1]} if self.signs.get(leaf) == 1 else {here}:
                    more = dict(names)
                    fit = all(more.setdefault(i, n) == n for i, n in zip(at, there, strict=True))
                    inner = [n for i, n in more.items() if i >= 0]
                    if fit and all(n >= 0 for n in inner) and len(set(inner)) == len(inner):
                        left = [(leaf, here, x - e)] if x != e else []
                        yield from self.ways(others, [*word[:k], *left, *word[k + 1 :]], more)
