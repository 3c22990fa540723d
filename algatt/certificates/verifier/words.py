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
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import flint

from .fields import Matrix, column, diagonal, entrywise, halves, identity, is_diagonal
from .limits import ENTRY, STEP, Work, too_large
from .program import Instruction, depending

ROW, COLUMN = -2, -1  # indices of a word that are not summed over; all others are 0, 1, 2, ...

Indices = tuple[int, ...]
Names = dict[int, int]  # other names of indices, or sizes, or how often they are there
Factor = tuple[int, Indices, int]  # the number of a leaf, the indices of its entry, the exponent: 1 of constants
Factors = Sequence[Factor]
Word = tuple[Factor, ...]
Sum = dict[Word, Any]
Term = tuple[Any, Factors, Names]  # a coefficient, factors, sizes of indices that may be of no factor
Powers = Counter[tuple[int, Indices]]
Constants = dict[Indices, Matrix]  # two indices are in order

MOST_WORDS, MOST_FACTORS_OF_A_WORD = 20_000, 1_000  # in a sum, and in a word
MOST_BITS_IN_WORDS = 2**13  # of numerators and denominators of coefficients and of entries of constants
ONE = flint.fmpq(1)


def axes(shape: tuple[int, int]) -> Indices:
    """Return the indices of a result of a shape as a word."""
    return tuple(index for index, size in zip((ROW, COLUMN), shape, strict=True) if size > 1)


def relabel(factors: Iterable[Factor], names: Names, start: int = 0) -> list[Factor]:
    """Return factors with other names of the row and the column, and indices that are summed over from a number on."""
    return [(leaf, tuple(names.get(i, i) if i < 0 else i + start for i in at), e) for leaf, at, e in factors]


def indices_of(factors: Iterable[Factor]) -> set[int]:
    """Return all indices of factors."""
    return {i for _, at, _ in factors for i in at}


def fresh(factors: Iterable[Factor]) -> int:
    """Return the first number from which on there are no indices."""
    return 1 + max(indices_of(factors) | {-1})


def place(constants: Constants, at: Indices, M: Matrix) -> None:
    """Multiply a constant, entry by entry, into those that are there."""
    if len(at) == 2 and at[0] == at[1]:
        at, M = at[:1], diagonal(M)
    elif len(at) == 2 and at[0] > at[1]:
        at, M = at[::-1], M.transpose()
    constants[at] = entrywise(constants[at], M) if at in constants else M


class Words:
    """Sums of words of a program in normal form; from the row and column `units` on inputs have unit vectors."""

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int], work: Work) -> None:
        self.program, self.units, self.work = program, units, work
        self.shapes = [one.sizes for one in program]
        self.free = len(program)  # the number of the leaf S
        self.dims = [tuple(size for size in shape if size > 1) for shape in [*self.shapes, (1, 1)]]
        self.constants: dict[int, Matrix] = {}
        self.signs: dict[int, int] = {}  # of the transpose, of constants that are symmetric or skew
        self.numbers: dict[Any, int] = {}
        self.known: dict[int, Sum] = {}  # results in words of others
        self.varying = depending(program, "input")

    def constant(self, at: Indices, M: Matrix) -> tuple[Any, list[Factor]]:
        """Return a coefficient and a factor that a constant is, with one as its first entry that is not zero: a column,
        or a matrix or its transpose, the first in order. There is no factor if it is zero.
        """
        entries, sign = M.entries(), 0
        if len(at) == 2:
            turned = M.transpose().entries()
            if M.nrows() == M.ncols() and turned in (entries, [-x for x in entries]):
                sign = 1 if turned == entries else -1
            elif (M.ncols(), turned) < (M.nrows(), entries):
                at, M, entries = at[::-1], M.transpose(), turned
        first = next((x for x in entries if x), ONE * 0)
        if not first:
            return first, []
        entries = [x / first for x in entries]
        key = (len(at), M.ncols(), *entries)
        if key not in self.numbers:
            self.numbers[key] = number = len(self.dims)
            self.dims.append((M.nrows(), M.ncols())[: len(at)])
            self.work.spend(ENTRY * len(entries), "constants in words")
            self.constants[number] = flint.fmpq_mat(M.nrows(), M.ncols(), self.bounded(entries))
            if sign:
                self.signs[number] = sign
        return first, [(self.numbers[key], at, 1)]

    def bounded(self, numbers: Sequence[Any]) -> Sequence[Any]:
        """Return rational numbers; refuse long ones."""
        if any(x.p.bit_length() > MOST_BITS_IN_WORDS or x.q.bit_length() > MOST_BITS_IN_WORDS for x in numbers):
            raise too_large("words", "a sum with long fractions", f"one with fractions of {MOST_BITS_IN_WORDS} bits")
        return numbers

    def ones(self, height: int, width: int) -> Matrix:
        """Return a constant of ones."""
        self.work.spend(ENTRY * height * width, "constants")
        return flint.fmpq_mat(height, width, [1] * (height * width))

    def sum(self, terms: Iterable[Term], *, opening: bool = True) -> Sum:
        """Return a sum in normal form."""
        found: Sum = {}
        for term in terms:
            self.add(found, self.normal(*term, opening=opening))
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
                M = self.ones(dims[indices[0]], dims[indices[1]] if len(indices) > 1 else 1) * sign
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

    def normal(self, c: Any, factors: Iterable[Factor], sizes: Names, *, opening: bool = True) -> list[Any]:
        """Return a word in normal form: coefficients and words, as sums may be put in place of results."""
        powers, constants, sizes = Powers(), Constants(), Names(sizes)
        for k, (leaf, at, e) in enumerate(factors):
            if k > MOST_FACTORS_OF_A_WORD:
                raise too_large("words", "one of too many factors", f"one of {MOST_FACTORS_OF_A_WORD} at most")
            sizes.update(zip(at, self.dims[leaf], strict=True))
            if leaf in self.constants:
                place(constants, at, self.constants[leaf])
            else:
                powers[leaf, at] += e
        c *= self.merge(powers, constants, sizes)
        if not c:
            return []
        found = [(*key, e) for key, e in powers.items()]
        for at, M in constants.items():
            x, fixed = self.constant(at, M)
            c *= x
            found += fixed
        if (others := self.without_quotient(found)) is None and opening:
            others = self.sum_of_opened(powers, constants, found)
        if others is not None:
            return [word for x, left, new in others for word in self.normal(c * x, left, new, opening=opening)]
        sign, word = self.canonical(found)
        if -1 in (self.signs.get(leaf) for leaf, _, _ in word) and self.canonical(found, -1) == (-sign, word):
            return []  # it is its own negative, as x^T J x is with a skew J
        return [(c * sign, word)]

    def merge(self, powers: Powers, constants: Constants, sizes: Names) -> Any:
        """Merge constants, in place, as long as there is something to merge; return the coefficient, perhaps zero."""
        c = ONE
        while c:
            self.work.spend(STEP * (len(powers) + len(constants) + 1), "factors of words")
            for key in [key for key, e in powers.items() if not e]:
                del powers[key]  # it would be taken for something that is divided by
            count = Counter(i for at in (*(at for _, at in powers), *constants) for i in set(at))
            found = self.contracted(constants, count, sizes)
            for at in list(constants) if found is None else ():
                if (found := self.simpler(at, powers, constants, count, sizes)) is not None:
                    break
            if found is None and not self.sum_of_units(powers, constants):
                break
            c *= ONE if found is None else found
        return c

    def contracted(self, constants: Constants, count: Names, sizes: Names) -> Any:
        """Sum over an index that at most two constants have and nothing else, in place; return one if there is one."""
        for i in [i for i in sizes if i >= 0]:
            here = [at for at in constants if i in at]
            if len(here) < count[i] or len(here) > 2:
                continue
            parts, alone = [(at, constants.pop(at)) for at in here], ((), self.ones(1, sizes.pop(i)))
            turned = [(at[1:], M.transpose()) if at[0] == i else (at[:1], M) for at, M in parts]
            (a, A), (b, B) = [*turned, alone, alone][:2]
            self.work.spend(A.nrows() * A.ncols() * B.nrows(), "multiplications of constants in words")
            M = A * B.transpose()
            self.bounded(M.entries())
            place(constants, a + b, M if a else M.transpose())
            return ONE
        return None

    def simpler(self, at: Indices, powers: Powers, constants: Constants, count: Names, sizes: Names) -> Any:
        """Write a constant as a number or by columns, or into another one, in place; return a coefficient if so."""
        M = constants[at]
        first, *others = M.entries()
        if all(x == first for x in others):
            del constants[at]
            return first
        a, b = at[0], at[-1]
        if len(at) == 1:
            for other, K in constants.items():
                if a in other and other != at and (other != (ROW, COLUMN) or not is_diagonal(K)):
                    del constants[at]
                    constants[other] = entrywise(K, M) if other[0] == a else entrywise(K.transpose(), M).transpose()
                    return ONE
            return None
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
        if (both := halves(M)) is None:
            return None
        del constants[at]
        for i, half in zip(at, both, strict=True):
            place(constants, (i,), half)
        return ONE

    def summed(self, powers: Powers, constants: Constants) -> Iterator[tuple[Any, int, bool]]:
        """Iterate over entries that are summed over an index beside vectors, and whether these are constants."""
        touched: dict[int, list[tuple[int, Indices]]] = {}
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

    def sum_of_opened(self, powers: Powers, constants: Constants, factors: Factors) -> list[Term] | None:
        """Return terms in the place of factors, with what a result is in its place where it is summed."""
        for key, i, _ in self.summed(powers, constants):
            if (i,) not in constants and key[0] in self.known:
                return self.substituted(ONE, factors, factors.index((*key, 1)), self.known[key[0]])
        return None

    def substituted(self, c: Any, factors: Factors, k: int, known: Sum) -> list[Term]:
        """Return terms with a sum in the place of a factor, which is an entry of a result."""
        leaf, at, _ = factors[k]
        names, rest = dict(zip(axes(self.shapes[leaf]), at, strict=True)), [*factors[:k], *factors[k + 1 :]]
        sizes, start = {i: n for i, n in zip(at, self.dims[leaf], strict=True) if i >= 0}, fresh(factors)
        return [(c * x, [*rest, *relabel(word, names, start)], sizes) for word, x in known.items()]

    def ways(self, core: Factors, word: Factors, names: Names) -> Iterator[tuple[list[Factor], Names]]:
        """Iterate over what a word is times another one: other factors, and what indices of that one are here."""
        self.work.spend(STEP * (len(word) + 1), "factors of words")
        if not core:
            yield list(word), names
            return
        (leaf, at, e), *others = core
        for k, (other, here, x) in enumerate(word):
            if other == leaf and x * e > 0 and abs(x) >= abs(e):
                for there in {here, here[::-1]} if self.signs.get(leaf) == 1 else {here}:
                    more = dict(names)
                    if all(more.setdefault(i, n) == n for i, n in zip(at, there, strict=True)):
                        left = [(leaf, here, x - e)] if x != e else []
                        yield from self.ways(others, [*word[:k], *left, *word[k + 1 :]], more)

    def without_quotient(self, factors: Factors) -> list[Term] | None:
        """Return factors without a result that is a single word and one over it, if both are there."""
        for k, (leaf, at, e) in enumerate(factors):
            known = self.known.get(leaf, {}) if e < 0 else {}
            for body, c in known.items() if len(known) == 1 else ():
                others = [*factors[:k], *([(leaf, at, e + 1)] if e < -1 else []), *factors[k + 1 :]]
                for left, names in self.ways(body, others, dict(zip(axes(self.shapes[leaf]), at, strict=True))):
                    inner = {n for i, n in names.items() if i >= 0}
                    summed = min(inner, default=0) >= 0 and not inner & indices_of(left)
                    if summed and len(set(names.values())) == len(names):
                        return [(ONE / c, left, dict(zip(at, self.dims[leaf], strict=True)))]
        return None

    def canonical(self, factors: Factors, choice: int = 0) -> tuple[int, Word]:
        """Return a sign, and factors in order; summed indices are named by what they are of, as far as they differ."""
        touching: dict[int, list[Factor]] = {}
        for one in factors:
            for i in one[1]:
                touching.setdefault(i, []).append(one)

        def view(one: Factor, i: int) -> tuple[Any, ...]:
            (leaf, at, e), colors = one, tuple(color[j] for j in one[1])
            return (leaf, e, tuple(sorted(colors)), 0) if leaf in self.signs else (leaf, e, colors, at.index(i))

        inner = [i for i in touching if i >= 0]
        color = {i: min(i, 0) for i in touching}
        classes = 0
        while True:
            self.work.spend(STEP * len(factors), "factors of words")
            seen = {i: (color[i], tuple(sorted(view(one, i) for one in touching[i]))) for i in inner}
            ranks = {view: rank for rank, view in enumerate(sorted(set(seen.values())))}
            color.update((i, ranks[seen[i]]) for i in inner)
            if len(ranks) == len(inner):
                break
            if len(ranks) == classes:
                tie = min(rank for rank, many in Counter(color[i] for i in inner).items() if many > 1)
                color[[i for i in inner if color[i] == tie][choice]] = len(ranks)
            classes = len(ranks)
        sign, named = 1, []
        for leaf, at, e in factors:
            names = tuple(color[i] for i in at)
            if leaf in self.signs and names != tuple(sorted(names)):
                sign, names = sign * self.signs[leaf], names[::-1]
            named.append((leaf, names, e))
        return sign, tuple(sorted(named))
