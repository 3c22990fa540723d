"""Words: products of entries of matrices, summed over indices; and sums of words in normal form.

A word is a set of factors. A factor is an entry of a leaf (a result of the program, a constant over Q, the free matrix
S, or what stands for a word that is divided by) to an integer power. Its indices are the row and the column of the
word, or are summed over. Matrices of one row or column lack that index. So transposes, diagonal matrices, products of
entries and numbers are no cases of their own: product and entrywise product differ in which indices they share. Each
rule is one identity, so a sum that is found empty is zero wherever what it divides by is not. That sums are zero is not
always found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import flint

from .fields import Matrix, column, diagonal, entrywise, halves, identity, is_diagonal, ones
from .limits import ENTRY, STEP, Work, too_large
from .program import Instruction, depending

__all__ = ["COLUMN", "MOST_WORDS", "ONE", "ROW", "Constants", "Factor", "Sum", "Term", "Word", "Words"]
__all__ += ["axes", "fresh", "oriented", "place", "relabel"]

ROW, COLUMN = -2, -1
"""Indices of a word that are not summed over; all others are 0, 1, 2, ..."""

Factor = tuple[int, tuple[int, ...], int]
"""The number of a leaf, the indices of its entry, and the exponent, which is 1 for constants."""

Word = tuple[Factor, ...]
Sum = dict[Word, Any]
Term = tuple[Any, Sequence[Factor], Mapping[int, int]]
"""A coefficient, factors, and sizes of indices that are summed over but may be of no factor."""

Powers = Counter[tuple[int, tuple[int, ...]]]
Constants = dict[tuple[int, ...], Matrix]
"""Constants by their indices, two of which are in order."""

MOST_WORDS, MOST_FACTORS_OF_A_WORD = 20_000, 1_000
"""Maximum number of words in a sum, and of factors in a word."""

MOST_BITS_IN_WORDS = 2**13
"""Maximum length of numerators and denominators of coefficients and of entries of constants, in bits."""

ONE = flint.fmpq(1)


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


def place(constants: Constants, at: tuple[int, ...], M: Matrix) -> None:
    """Multiply a constant, entry by entry, into those that are there."""
    if len(at) == 2 and at[0] == at[1]:
        at, M = at[:1], diagonal(M)
    elif len(at) == 2 and at[0] > at[1]:
        at, M = at[::-1], M.transpose()
    constants[at] = entrywise(constants[at], M) if at in constants else M


def oriented(at: tuple[int, ...], M: Matrix, i: int) -> tuple[int, Matrix]:
    """Return the other index of a constant matrix, and the matrix from an index to it."""
    return (at[1], M) if at[0] == i else (at[0], M.transpose())


class Words:
    """Sums of words of a program in normal form; from the row and column `units` on inputs have unit vectors."""

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int], work: Work) -> None:
        self.program, self.units, self.work = program, units, work
        self.shapes = [one.sizes for one in program]
        self.free = len(program)  # the number of the leaf S
        self.dims = [tuple(size for size in shape if size > 1) for shape in [*self.shapes, (1, 1)]]
        self.constants: dict[int, Matrix] = {}
        self.bodies: dict[int, tuple[Any, Word]] = {}  # leaves as multiples of words of one index or none
        self.signs: dict[int, int] = {}  # of the transpose, of constants that are symmetric or skew
        self.numbers: dict[Any, int] = {}
        self.varying = depending(program, "input")

    def opened(self, number: int) -> Sum | None:
        """Return what a result is in words of others, if it is one of their products and sums."""
        return None

    def body(self, leaf: int) -> tuple[Any, Word] | None:
        """Return a coefficient and a word of the row alone, that a leaf of one index or none is, if there is one."""
        return self.bodies.get(leaf)

    # ----- leaves

    def leaf(self, key: Any, dims: tuple[int, ...]) -> int:
        """Return the number of a leaf that is no result, from what tells it from others."""
        if (key, dims) not in self.numbers:  # S has another shape in another family
            self.numbers[key, dims] = len(self.dims)
            self.dims.append(dims)
        return self.numbers[key, dims]

    def constant(self, at: tuple[int, ...], M: Matrix) -> tuple[Any, list[Factor]]:
        """Return a coefficient and a factor that a constant is, its first entry that is not zero being one: a column
        with one index, or a matrix or its transpose, the first in order. There is no factor if it is zero.
        """
        entries, sign = M.entries(), 0
        if len(at) == 2:
            turned = M.transpose().entries()
            if M.nrows() == M.ncols() and turned in (entries, [-x for x in entries]):
                sign = 1 if turned == entries else -1
            elif (M.ncols(), turned) < (M.nrows(), entries):
                at, M, entries = at[::-1], M.transpose(), turned
        first, size = next((x for x in entries if x), ONE * 0), len(self.dims)
        if not first:
            return first, []
        entries = [x / first for x in entries]
        number = self.leaf((M.nrows(), M.ncols(), *entries), (M.nrows(), M.ncols())[: len(at)])
        if len(self.dims) > size:
            self.work.spend(ENTRY * len(entries), "constants in words")
            self.constants[number] = flint.fmpq_mat(M.nrows(), M.ncols(), self.bounded(entries))
            if sign:
                self.signs[number] = sign
        return first, [(number, at, 1)]

    def product_of(self, A: Matrix, B: Matrix) -> Matrix:
        """Return the product of two constants."""
        self.work.spend(A.nrows() * A.ncols() * B.ncols(), "multiplications of constants in words")
        found = A * B
        self.bounded(found.entries())
        return found

    def bounded(self, numbers: Sequence[Any]) -> Sequence[Any]:
        """Return rational numbers; refuse long ones."""
        if any(x.p.bit_length() > MOST_BITS_IN_WORDS or x.q.bit_length() > MOST_BITS_IN_WORDS for x in numbers):
            raise too_large("words", "a sum with long fractions", f"one with fractions of {MOST_BITS_IN_WORDS} bits")
        return numbers

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
        groups: dict[Any, dict[Word, Matrix]] = {}
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
                M = ones(dims[indices[0]], dims[indices[1]] if len(indices) > 1 else 1) * sign
                for at, K in constants.items():
                    M = entrywise(M, K) if at[0] == indices[0] else entrywise(M.transpose(), K).transpose()
                groups.setdefault((tuple(names.values()), M.nrows(), M.ncols(), bare), {})[word] = M
        for (named, _, _, bare), same in groups.items():
            group = [word for word in same if word in found]
            if len(group) > 1:
                M = same[group[0]] * 0
                for word in group:
                    M += same[word] * found.pop(word)
                    self.bounded(M.entries())
                back = {i: fresh(bare) + k for k, i in enumerate(named) if i < ROW}
                c, factors = self.constant(tuple(back.get(i, i) for i in named), M)
                self.add(found, self.normal(c, [*relabel(bare, back), *factors], {}))
        return found

    def normal(
        self, c: Any, factors: Iterable[Factor], sizes: Mapping[int, int], *, opening: bool = True
    ) -> list[tuple[Any, Word]]:
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
        while c:
            self.work.spend(STEP * (len(powers) + len(constants) + 1), "factors of words")
            c *= self.merge(powers, constants, sizes)
            if not c or not self.sum_of_units(powers, constants):
                break
        if not c:
            return []
        found = [(*key, e) for key, e in powers.items()]
        for at, M in constants.items():
            x, fixed = self.constant(at, M)
            c *= x
            found += fixed
        if (shorter := self.without_quotient(found)) is not None:
            x, rest, more = shorter
            return self.normal(c * x, rest, more, opening=opening)
        if opening and (opened := self.sum_of_opened(powers, constants, found)) is not None:
            again = [(c * x, rest, {**sizes, **more}) for x, rest, more in opened]
            return [word for term in again for word in self.normal(*term)]
        sign, word = self.canonical(found)
        if -1 in (self.signs.get(leaf) for leaf, _, _ in word) and self.canonical(found, -1) == (-sign, word):
            return []  # it is its own negative, as x^T J x is with a skew J
        return [(c * sign, word)]

    def merge(self, powers: Powers, constants: Constants, sizes: dict[int, int]) -> Any:
        """Merge constants, in place, as long as there is something to merge; return the coefficient, perhaps zero."""
        c = ONE
        while c:
            self.work.spend(STEP * (len(powers) + len(constants)), "factors of words")
            for key in [key for key, e in powers.items() if not e]:
                del powers[key]  # it would be taken for something that is divided by
            count = Counter(i for at in (*(at for _, at in powers), *constants) for i in set(at))
            for i in [i for i in sizes if not count[i]]:
                c *= sizes.pop(i) if i >= 0 else 1
            for at, M in constants.items():
                merge_one = self.merge_column if len(at) < 2 else self.merge_matrix
                x = merge_one(at, M, powers, constants, count, sizes)
                if x is not None:
                    c *= x
                    break
            else:
                break
        return c

    def merge_column(
        self, at: tuple[int, ...], M: Matrix, powers: Powers, constants: Constants, count: Any, sizes: dict[int, int]
    ) -> Any:
        """Merge a column or a number with others, in place: return a coefficient if something was done."""
        entries = M.entries()
        if all(x == entries[0] for x in entries):
            del constants[at]
            return entries[0]
        (a,) = at
        if a >= 0 and count[a] == 1:
            del constants[at], sizes[a]
            return sum(entries, ONE * 0)
        for other, K in [(one, K) for one, K in constants.items() if a in one and one != at]:
            if other != (ROW, COLUMN) or not is_diagonal(K):
                del constants[at]
                constants[other] = entrywise(K, M) if other[0] == a else entrywise(K.transpose(), M).transpose()
                return ONE
        return None

    def merge_matrix(
        self, at: tuple[int, ...], M: Matrix, powers: Powers, constants: Constants, count: Any, sizes: dict[int, int]
    ) -> Any:
        """Merge a matrix with others, in place: return a coefficient if something was done."""
        a, b = at
        if not any(M.entries()):
            return ONE * 0
        if is_diagonal(M):
            if b == COLUMN and count[b] == 1 and len(set(diagonal(M).entries())) == 1:
                return None  # the identity, between the row and the column
            del constants[at]
            for leaf, old in [key for key in powers if b in key[1]]:
                powers[leaf, tuple(a if i == b else i for i in old)] += powers.pop((leaf, old))
            for old in [old for old in constants if b in old]:
                place(constants, tuple(a if i == b else i for i in old), constants.pop(old))
            place(constants, (a,), diagonal(M))
            if b == COLUMN:
                constants[at] = identity(M.nrows())
            else:
                del sizes[b]
            return ONE
        if (both := halves(M)) is not None:
            del constants[at]
            for i, half in zip(at, both, strict=True):
                place(constants, (i,), half)
            return ONE
        for i in at:
            j, K = oriented(at, M, i)
            other = next((one for one in constants if j in one and one != at and len(one) == 2), None)
            if j < 0 or count[j] > 2 - (other is None):
                continue
            del constants[at], sizes[j]
            if other is None:
                place(constants, (i,), self.product_of(K, ones(K.ncols(), 1)))
            else:
                k, N = oriented(other, constants.pop(other), j)
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

    def sum_of_units(self, powers: Powers, constants: Constants) -> bool:
        """Put a number in the place of a sum of columns that are unit vectors, in place; return whether there is one:
        the same multiple of all rows of tokens, and nothing of the columns of numbers.
        """
        rows, columns = self.units
        for (leaf, at), i, alone in self.summed(powers, constants):
            height = self.shapes[leaf][0]
            if self.program[leaf].operation != "input" or not alone or i != at[0] or height == 1 or rows == height:
                continue
            u, v = (constants[one].entries() if one in constants else [] for one in ((i,), at[1:]))
            last = u[rows:] or [ONE]
            if all(x == last[0] for x in last) and not (columns and (not v or any(v[:columns]))):
                del powers[leaf, at]
                constants[(i,)] = column([last[0], *[ONE * 0] * (height - 1)])
                return True
        return False

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

    # ----- quotients

    def inverse(self, word: Word) -> tuple[Any, list[Factor]] | None:
        """Return a coefficient and factors that are one over a word; None if there are none: a part that is no entry
        has a leaf that stands for it, and at most one index.
        """
        self.work.spend(len(word) ** 2, "factors of words")
        found: tuple[Any, list[Factor]] = ONE, []
        for part in parts_of(word):
            leaf, at, e = part[0]
            outer = sorted({i for _, one, _ in part for i in one if i < 0})
            if len(part) == 1 and leaf not in self.constants and all(i < 0 for i in at):
                found[1].append((leaf, at, -e))
            elif len(outer) < 2:
                sign, body = self.canonical(relabel(part, {COLUMN: ROW}))
                sizes = {i: size for n, one, _ in part for i, size in zip(one, self.dims[n], strict=True)}
                number = self.leaf(("body", body), tuple(sizes[i] for i in outer))
                self.bodies[number] = ONE, body
                if any(n in self.varying for n, _, _ in part):
                    self.varying.add(number)
                found = found[0] * sign, [*found[1], (number, tuple(outer), -1)]
            else:
                return None
        return found

    def without_quotient(self, factors: Sequence[Factor]) -> Term | None:
        """Return a term in the place of factors, without a word and one over it, if both are there."""
        for leaf, at, e in factors:
            if e > 0 or leaf in self.constants or (body := self.body(leaf)) is None:
                continue
            self.work.spend(len(factors) * (STEP + len(factors)), "factors of words")
            others = [one for one in factors if one != (leaf, at, e)]
            for part in parts_of(others, at[0] if at else None):
                inner = all(i >= 0 or (i,) == at for _, one, _ in part for i in one)
                rows = [(n, tuple(ROW if (i,) == at else i for i in one), x) for n, one, x in part]
                sign, named = self.canonical(rows)
                if inner and named == body[1]:
                    left = [*(one for one in others if one not in part), *([(leaf, at, e + 1)] if e < -1 else [])]
                    return ONE * sign / body[0], left, dict(zip(at, self.dims[leaf], strict=True))
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
            self.work.spend(STEP * len(factors), "factors of words")
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
