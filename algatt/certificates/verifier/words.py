"""Words: products of entries of matrices, summed over indices; and sums of words in normal form.

A word is a set of factors. A factor is an entry of a leaf (a result of the program, a constant over Q, the free matrix
S, or one over a word) to an integer power. Its indices are the row and the column of the word, or are summed over.
Matrices of one row or column lack that index. So transposes, diagonal matrices, products of entries and numbers are
no cases of their own: product and entrywise product differ in which indices they share. Each rule is one identity, so
a sum that is found empty is zero wherever what it divides by is not. That sums are zero is not always found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import flint

from .fields import Constant, column, identity, ones
from .limits import too_large
from .program import Instruction

__all__ = [
    "COLUMN",
    "MOST_WORDS",
    "ONE",
    "ROW",
    "Factor",
    "Moves",
    "Sum",
    "Term",
    "Word",
    "Words",
    "axes",
    "fresh",
    "parts_of",
    "relabel",
]

ROW, COLUMN = -2, -1
"""Indices of a word that are not summed over; all others are 0, 1, 2, ..."""

Factor = tuple[int, tuple[int, ...], int]
"""The number of a leaf, the indices of its entry, and the exponent, which is 1 for constants."""

Word = tuple[Factor, ...]
Sum = dict[Word, Any]
Term = tuple[Any, Sequence[Factor], Mapping[int, int]]
"""A coefficient, factors, and sizes of indices that are summed over but may be of no factor."""

Powers = Counter[tuple[int, tuple[int, ...]]]
Constants = dict[tuple[int, ...], Constant]
"""Constants by their indices, two of which are in order."""

MOST_STEPS = 10**6
"""Maximum number of factors that are looked at for one certificate, of which a hundred thousand take some seconds."""

MOST_WORDS, MOST_FACTORS_OF_A_WORD = 20_000, 1_000
"""Maximum number of words in a sum, and of factors in a word."""

MOST_MULTIPLICATIONS = 10**8
"""Maximum number of multiplications within constants for one certificate."""

MOST_BITS_IN_WORDS = 2**13
"""Maximum length of numerators and denominators of coefficients and of entries of constants, in bits."""

MOST_CONSTANTS = 4 * 10**6
"""Maximum number of entries of all different constants for one certificate."""

ONE = flint.fmpq(1)


class Moves(Exception):
    """A result is not found to move in a way that can be followed, or the value moves."""


def axes(shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the indices of a result of a shape as a word."""
    return tuple(index for index, size in zip((ROW, COLUMN), shape, strict=True) if size > 1)


def relabel(factors: Iterable[Factor], names: Mapping[int, int], start: int = 0) -> list[Factor]:
    """Return factors with other names of the row and the column, and indices that are summed over from a number on."""
    return [(leaf, tuple(names.get(i, i) if i < 0 else i + start for i in at), e) for leaf, at, e in factors]


def fresh(factors: Iterable[Factor]) -> int:
    """Return the first number from which on there are no indices."""
    return 1 + max((i for _, at, _ in factors for i in at if i >= 0), default=-1)


def parts_of(factors: Sequence[Factor], apart: int | None = None) -> list[list[Factor]]:
    """Return factors in parts that share no index that is summed over, but one that counts as none."""
    parts: list[tuple[set[int], list[Factor]]] = []
    for one in factors:
        indices, members = {i for i in one[1] if i >= 0 and i != apart}, [one]
        for other in [part for part in parts if not indices.isdisjoint(part[0])]:
            parts.remove(other)
            indices |= other[0]
            members += other[1]
        parts.append((indices, members))
    return [members for _, members in parts]


def place(constants: Constants, at: tuple[int, ...], M: Constant) -> None:
    """Multiply a constant, entry by entry, into those that are there."""
    if len(at) == 2 and at[0] == at[1]:
        at, M = at[:1], M.diagonal
    elif len(at) == 2 and at[0] > at[1]:
        at, M = at[::-1], M.transposed
    constants[at] = constants[at].times(M) if at in constants else M


class Words:
    """Sums of words of a program in normal form.

    Parameters
    ----------
    program : sequence of Instruction
        The program, of elementary operations.
    units : (int, int) or None
        From which row and column on the columns of inputs are unit vectors; None if they are not.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int] | None) -> None:
        self.program, self.units = program, units
        self.shapes = [one.sizes for one in program]
        self.free = len(program)  # the number of the leaf S
        self.dims = [tuple(size for size in shape if size > 1) for shape in [*self.shapes, (1, 1)]]
        self.constants: dict[int, Constant] = {}
        self.bodies: dict[int, tuple[int, Word]] = {}
        self.signs: dict[int, int] = {}  # of the transpose, of constants that are symmetric or skew
        self.numbers: dict[Any, int] = {}
        self.shares = {number for number, one in enumerate(program) if one.operation == "multiply" and self.share(one)}
        self.steps = self.multiplications = self.entries = 0

    def opened(self, number: int) -> Sum | None:
        """Return what a result is in words of others, if it is one of their products and sums."""
        return None

    def share(self, one: Instruction) -> bool:
        """Return whether a product is e * 1 (1 / (1^T e)), the columns of which have the sum 1."""
        for e, spread in (one.operands, one.operands[::-1]):
            q = self.times_ones(spread)
            if q is None or self.program[q].operation != "reciprocal" or one.sizes[0] == 1:
                continue
            if self.times_ones(self.program[q].operands[0]) == e:
                return True
        return False

    def times_ones(self, number: int) -> int | None:
        """Return the other operand of a product with a constant row or column of ones before it."""
        one = self.program[number]
        before = self.program[one.operands[0]] if one.operation == "product" else one
        if before.operation == "constant" and one is not before and 1 in before.sizes and set(before.argument) == {1}:
            return one.operands[1]
        return None

    def spend(self, steps: int) -> None:
        """Count factors that are looked at."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise too_large("words", f"such that take more than {MOST_STEPS} steps", "fewer, or shorter ones")

    # ----- leaves

    def leaf(self, key: Any, dims: tuple[int, ...]) -> int:
        """Return the number of a leaf that is no result, from what tells it from others."""
        if key not in self.numbers:
            self.numbers[key] = len(self.dims)
            self.dims.append(dims)
        return self.numbers[key]

    def constant(self, at: tuple[int, ...], M: Constant) -> tuple[Any, Factor]:
        """Return a coefficient and a factor that a constant is, its first entry that is not zero being one: a column
        with one index, or a matrix or its transpose, the first in order.
        """
        sign, turned = 0, M.transposed
        if len(at) == 2 and M.height == M.width and turned.entries in (M.entries, [-x for x in M.entries]):
            sign = 1 if turned.entries == M.entries else -1
        elif len(at) == 2 and (turned.height, turned.entries) < (M.height, M.entries):
            at, M = at[::-1], turned
        first, size = M.entries[M.first or 0], len(self.dims)
        M = Constant(M.height, M.width, [x / first for x in M.entries]) if first != 1 else M
        number = self.leaf((M.height, M.width, *M.entries), (M.height, M.width)[: len(at)])
        if len(self.dims) > size:
            self.bounded(M.entries)
            self.entries += M.height * M.width
            if self.entries > MOST_CONSTANTS:
                raise too_large("words", f"such that take constants of {self.entries} entries", "smaller, or fewer")
            self.constants[number] = M
            if sign:
                self.signs[number] = sign
        return first, (number, at, 1)

    def product_of(self, A: Constant, B: Constant) -> Constant:
        """Return the product of two constants."""
        self.multiplications += A.height * A.width * B.width
        if self.multiplications > MOST_MULTIPLICATIONS:
            raise too_large("words", f"such that take {self.multiplications} multiplications of constants", "smaller")
        return Constant(A.height, B.width, self.bounded((A.matrix * B.matrix).entries()))

    def bounded(self, numbers: Sequence[Any]) -> Sequence[Any]:
        """Return rational numbers; refuse long ones."""
        if any(x.p.bit_length() > MOST_BITS_IN_WORDS or x.q.bit_length() > MOST_BITS_IN_WORDS for x in numbers):
            raise too_large("words", "such that take long fractions", f"such that take {MOST_BITS_IN_WORDS} bits")
        return numbers

    def quotient(self, M: Constant, P: Constant) -> Constant | None:
        """Return K with M = K P, if there is one, for constants P of which P P^T is a multiple of the identity."""
        square = self.product_of(P, P.transposed)
        if not square.is_diagonal or len(set(square.diagonal.entries)) > 1:
            return None
        K = self.product_of(M, P.transposed).multiplied(1 / square.entries[0])
        return K if self.product_of(K, P).entries == M.entries else None

    # ----- normal form

    def sum(self, terms: Iterable[Term]) -> Sum:
        """Return a sum in normal form."""
        found: Sum = {}
        for term in terms:
            self.add(found, self.normal(*term))
            if len(found) > MOST_WORDS:
                raise too_large("words", f"a sum of {len(found)} words", f"one of {MOST_WORDS} at most")
        return self.merged(found)

    def add(self, found: Sum, words: Iterable[tuple[Any, Word]]) -> None:
        """Add words to a sum, in place."""
        for c, word in words:
            (found[word],) = self.bounded([found.get(word, 0) + c])
            if not found[word]:
                del found[word]

    def merged(self, found: Sum) -> Sum:
        """Add the constants of words that are the same but for constants of one index or two."""
        groups: dict[Any, dict[Word, Constant]] = {}
        for word in found:
            constants: Constants = {}
            for leaf, at, _ in word:
                if leaf in self.constants:
                    place(constants, at, self.constants[leaf])
            indices = sorted({i for at in constants for i in at})
            if 0 < len(indices) < 3:
                names = {i: ROW - 1 - k if i >= 0 else i for k, i in enumerate(indices)}
                rest = [(n, tuple(names.get(i, i) for i in at), e) for n, at, e in word if n not in self.constants]
                sign, bare = self.canonical(rest)
                dims = {i: size for n, at, _ in word for i, size in zip(at, self.dims[n], strict=True)}
                M = ones(dims[indices[0]], dims[indices[1]] if len(indices) > 1 else 1).multiplied(sign)
                for at, K in constants.items():
                    M = M.times(K) if at[0] == indices[0] else M.transposed.times(K).transposed
                groups.setdefault((tuple(names.values()), M.height, M.width, bare), {})[word] = M
        for (named, height, width, bare), same in groups.items():
            group = [word for word in same if word in found]
            if len(group) > 1:
                M = ones(height, width).multiplied(0)
                for word in group:
                    M = M.plus(same[word].multiplied(found.pop(word)))
                    self.bounded(M.entries)
                if M.first is not None:
                    back = {i: fresh(bare) + k for k, i in enumerate(named) if i < ROW}
                    c, factor = self.constant(tuple(back.get(i, i) for i in named), M)
                    sizes = dict(zip(factor[1], self.dims[factor[0]], strict=True))
                    self.add(found, self.normal(c, [*relabel(bare, back), factor], sizes))
        return found

    def normal(self, c: Any, factors: Iterable[Factor], sizes: Mapping[int, int]) -> list[tuple[Any, Word]]:
        """Return a word in normal form: coefficients and words, as sums may be put in place of results."""
        powers, constants, sizes = Powers(), Constants(), dict(sizes)
        for k, (leaf, at, e) in enumerate(factors):
            if k > MOST_FACTORS_OF_A_WORD:
                raise too_large("words", "one of too many factors", f"one of {MOST_FACTORS_OF_A_WORD} at most")
            sizes.update(zip(at, self.dims[leaf], strict=True))
            if leaf in self.constants:
                place(constants, at, self.constants[leaf])
            else:
                powers[leaf, at] += e
        while True:
            self.spend(len(powers) + len(constants) + 1)
            for key in [key for key, e in powers.items() if not e]:
                del powers[key]
            c *= self.merge(powers, constants, sizes)
            if not c:
                return []
            if not self.sum_of_ones(powers, constants):
                break
        fixed = [self.constant(at, M) for at, M in constants.items()]
        for x, _ in fixed:
            c *= x
        found = [*((*key, e) for key, e in powers.items()), *(one for _, one in fixed)]
        if (opened := self.sum_of_opened(powers, constants, found)) is not None:
            again = [(c * x, rest, {**sizes, **more}) for x, rest, more in opened]
            return [word for term in again for word in self.normal(*term)]
        if (shorter := self.without_quotient(found)) is not None:
            return self.normal(c, *shorter)
        sign, word = self.canonical(found)
        if -1 in (self.signs.get(leaf) for leaf, _, _ in word) and self.canonical(found, -1) == (-sign, word):
            return []  # it is its own negative, as x^T J x is with a skew J
        return [(c * sign, word)]

    def merge(self, powers: Powers, constants: Constants, sizes: dict[int, int]) -> Any:
        """Merge constants, in place, as long as there is something to merge; return the coefficient, perhaps zero."""
        c = ONE
        while True:
            self.spend(len(powers) + len(constants))
            count = Counter(i for at in (*(at for _, at in powers), *constants) for i in set(at))
            for i in [i for i in sizes if not count[i]]:
                c *= sizes.pop(i) if i >= 0 else 1
            for at, M in constants.items():
                merge_one = self.merge_column if len(at) < 2 else self.merge_matrix
                x = ONE * 0 if M.first is None else merge_one(at, M, powers, constants, count, sizes)
                if x is not None:
                    c *= x
                    break
            else:
                return c
            if not c:
                return c

    def merge_column(
        self, at: tuple[int, ...], M: Constant, powers: Powers, constants: Constants, count: Any, sizes: dict[int, int]
    ) -> Any:
        """Merge a column or a number with others, in place: return a coefficient if something was done."""
        if all(x == M.entries[0] for x in M.entries):
            del constants[at]
            return M.entries[0]
        (a,) = at
        if a >= 0 and count[a] == 1:
            del constants[at], sizes[a]
            return sum(M.entries, ONE * 0)
        for (i, j), K in [(one, K) for one, K in constants.items() if a in one and one != at]:
            if (i, j) != (ROW, COLUMN) or not K.is_diagonal:
                del constants[at]
                constants[i, j] = K.times(M) if i == a else K.transposed.times(M).transposed
                return ONE
        return None

    def merge_matrix(
        self, at: tuple[int, ...], M: Constant, powers: Powers, constants: Constants, count: Any, sizes: dict[int, int]
    ) -> Any:
        """Merge a matrix with others, in place: return a coefficient if something was done."""
        a, b = at
        if M.is_diagonal:
            if b == COLUMN and count[b] == 1 and len(set(M.diagonal.entries)) == 1:
                return None  # the identity, between the row and the column
            del constants[at]
            for leaf, old in [key for key in powers if b in key[1]]:
                powers[leaf, tuple(a if i == b else i for i in old)] += powers.pop((leaf, old))
            for old in [old for old in constants if b in old]:
                place(constants, tuple(a if i == b else i for i in old), constants.pop(old))
            place(constants, (a,), M.diagonal)
            if b == COLUMN:
                constants[at] = identity(M.height)
            else:
                del sizes[b]
            return ONE
        if M.halves is not None:
            del constants[at]
            for i, half in zip(at, M.halves, strict=True):
                place(constants, (i,), half)
            return ONE
        for i, j in (at, at[::-1]):
            K = M if i == a else M.transposed  # from i to j
            other = next((one for one in constants if j in one and one != at and len(one) == 2), None)
            if j < 0 or count[j] > 2 - (other is None):
                continue
            del constants[at], sizes[j]
            if other is None:
                place(constants, (i,), self.product_of(K, ones(K.width, 1)))
            else:
                N = constants.pop(other)
                N, k = (N, other[1]) if other[0] == j else (N.transposed, other[0])
                place(constants, (i, k), self.product_of(K, N))
            return ONE
        return None

    # ----- sums of columns

    def summed(self, powers: Powers, constants: Constants) -> Iterator[tuple[Any, int, bool]]:
        """Iterate over the entries of results, with an index that is summed over and of which all else is a vector; and
        whether that is a constant, or nothing.
        """
        touched: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for key in (*powers, *((-1, at) for at in constants)):
            for i in key[1]:
                touched.setdefault(i, []).append(key)
        for (leaf, at), e in powers.items():
            for i in at if leaf < self.free and e == 1 and len(set(at)) == len(at) else ():
                others = [key for key in touched[i] if key != (leaf, at)]
                if i >= 0 and all(len(key[1]) == 1 for key in others):
                    yield (leaf, at), i, all(key[0] < 0 for key in others)

    def sum_of_ones(self, powers: Powers, constants: Constants) -> bool:
        """Put a number in the place of a sum of a column, in place, where it is known; return whether it is."""
        for (leaf, at), i, alone in self.summed(powers, constants):
            height = self.shapes[leaf][0]
            if alone and i == at[0] and height > 1:
                x = self.sum_of_column(leaf, constants.get((i,)), constants.get(at[1:]))
                if x is not None:
                    del powers[leaf, at]
                    constants[(i,)] = column([x, *[ONE * 0] * (height - 1)])
                    return True
        return False

    def sum_of_column(self, leaf: int, u: Constant | None, v: Constant | None) -> Any:
        """Return what u^T times the columns of a result is, or u = 1 if None, if that is one number for all columns
        where v, by which they are multiplied, is not zero.
        """
        if leaf in self.shares:
            return ONE if u is None else None
        if self.units is None or self.program[leaf].operation != "input":
            return None
        rows, columns = self.units
        if columns and (v is None or any(v.entries[:columns])):
            return None
        last = [ONE] if u is None else u.entries[rows:]
        return last[0] if all(x == last[0] for x in last) else None

    def sum_of_opened(self, powers: Powers, constants: Constants, factors: Sequence[Factor]) -> list[Term] | None:
        """Return terms in the place of factors, with what a result is in its place where it is summed."""
        for (leaf, at), i, _ in self.summed(powers, constants):
            if (i,) not in constants and (known := self.opened(leaf)) is not None:
                rest = [one for one in factors if one[:2] != (leaf, at)]
                return self.substituted(rest, leaf, at, known)
        return None

    def substituted(self, rest: list[Factor], leaf: int, at: tuple[int, ...], known: Sum) -> list[Term]:
        """Return terms with a sum in the place of an entry of a result."""
        names = dict(zip(axes(self.shapes[leaf]), at, strict=True))
        sizes = {i: size for i, size in zip(at, self.dims[leaf], strict=True) if i >= 0}
        start = fresh([*rest, (leaf, at, 1)])
        return [(c, [*rest, *relabel(word, names, start)], sizes) for word, c in known.items()]

    # ----- powers of words

    def power(self, word: Word, exponent: int) -> Iterator[Factor]:
        """Iterate over the factors of a word of one index or none to a negative power."""
        for part in parts_of(word):
            leaf, at, e = part[0]
            if len(part) == 1 and leaf in self.constants:
                if not all(self.constants[leaf].entries):
                    raise Moves("a velocity divides by zero")
                yield self.constant(at, column([x**exponent for x in self.constants[leaf].entries]))[1]
            elif len(part) == 1 and all(i < 0 for i in at):
                yield leaf, at, e * exponent
            else:
                sizes = {i: size for n, one, _ in part for i, size in zip(one, self.dims[n], strict=True) if i < 0}
                body = self.canonical(part)
                number = self.leaf(("one over", body), tuple(sizes.values()))
                self.bodies[number] = body
                yield number, tuple(sizes), -exponent

    def without_quotient(self, factors: Sequence[Factor]) -> tuple[list[Factor], dict[int, int]] | None:
        """Return factors without a word and one over it, if both are there, and the size of their index."""
        for leaf, at, e in factors:
            if leaf not in self.bodies or e < 0:
                continue
            self.spend(len(factors) ** 2)
            others = [one for one in factors if one != (leaf, at, e)]
            for part in parts_of(others, at[0] if at else None):
                inner = all(i >= 0 or (i,) == at for _, one, _ in part for i in one)
                named = [(n, tuple(ROW if (i,) == at else i for i in one), x) for n, one, x in part]
                if inner and self.canonical(named) == self.bodies[leaf]:
                    left = [*(one for one in others if one not in part), *([(leaf, at, e - 1)] if e > 1 else [])]
                    return left, dict(zip(at, self.dims[leaf], strict=True))
        return None

    # ----- names of indices

    def canonical(self, factors: Sequence[Factor], choice: int = 0) -> tuple[int, Word]:
        """Return a sign, and factors in order; indices that are summed over have names by what they are of, which are
        refined until they differ, and where they do not, one is chosen.
        """
        touching: dict[int, list[Factor]] = {}
        for one in factors:
            for i in one[1]:
                touching.setdefault(i, []).append(one)
        inner = [i for i in touching if i >= 0]
        color = {i: min(i, 0) for i in touching}
        classes = 0
        while True:
            self.spend(len(factors))
            seen = {i: (color[i], tuple(sorted(self.view(one, i, color) for one in touching[i]))) for i in inner}
            ranks = {view: rank for rank, view in enumerate(sorted(set(seen.values())))}
            color.update((i, ranks[seen[i]]) for i in inner)
            if len(ranks) == len(inner):
                break
            if len(ranks) == classes:
                tie = min(rank for rank, many in Counter(color[i] for i in inner).items() if many > 1)
                color[[i for i in inner if color[i] == tie][choice]] = len(ranks)
                classes = 0
            else:
                classes = len(ranks)
        sign, named = 1, []
        for leaf, at, e in factors:
            names = tuple(color[i] for i in at)
            if leaf in self.signs and names != tuple(sorted(names)):
                sign, names = sign * self.signs[leaf], names[::-1]
            named.append((leaf, names, e))
        return sign, tuple(sorted(named))

    def view(self, one: Factor, i: int, color: Mapping[int, int]) -> tuple[Any, ...]:
        """Return what an index sees of a factor."""
        leaf, at, e = one
        colors = tuple(color[j] for j in at)
        return (leaf, e, tuple(sorted(colors)), 0) if leaf in self.signs else (leaf, e, colors, at.index(i))
