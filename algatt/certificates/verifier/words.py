"""Words: velocities of tensors, and the derivative of a program along them by the rule of Leibniz.

A word is a product of matrices: results of the program, constants over Q, one free matrix S, diagonal matrices of
vectors to integer powers, the diagonals of square words as rows; and of numbers, words of one entry, to integer powers.
A sum of words has a coefficient for each. Each rule is one identity of matrices, so a sum that is found empty is zero
at all weights and inputs at which what it divides by is not. That sums are zero is not always found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from .limits import Refused, too_large
from .program import Instruction, sizes

__all__ = ["Constant", "Leibniz", "Moves", "Sum", "Term", "Word", "constant", "is_diagonal", "ones", "turned"]

Factor = tuple[Any, ...]
"""("n", k, t): result k, transposed if t; ("c", C): a constant; ("S", t): the free matrix; ("d", w, e): the diagonal
matrix of the column w to the power e; ("g", w, t): the diagonal of the square word w as a row, or a column if t.
"""

Factors = tuple[Factor, ...]
Word = tuple[tuple[tuple[Factors, int], ...], Factors]
"""Numbers with their exponents, and factors; no factors if the word is one number."""

Sum = dict[Word, Any]
Term = tuple[Any, list[tuple[Factors, int]], list[Factor]]

MOST_LOOKED_AT = 5 * 10**5
"""Maximum number of factors that are looked at for one certificate, of which a hundred thousand take some seconds."""

MOST_WORDS = 20_000
"""Maximum number of words in a sum, and of factors in a word."""

MOST_ENTRIES = 10**8
"""Maximum number of multiplications within constants for one certificate."""

MOST_CONSTANT = 2 * 10**6
"""Maximum number of entries of a constant."""

MOST_PARTS = 4 * 10**6
"""Maximum number of entries of the constants that parts, what is joined and what is centred take for one family."""

MOST_OPENED = 100
"""Maximum number of times that results are opened in a sum, and of words that it may have then."""

MOST_CORES = 6
"""Maximum number of words of a result that are looked for in its derivative."""

ONE = flint.fmpq(1)


class Moves(Exception):
    """A result is not found to move in a way that can be followed, or the value moves."""


class Constant:
    """A matrix over Q, which is compared by its entries."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix
        self.height, self.width = matrix.nrows(), matrix.ncols()
        self.entries = tuple(matrix.entries())
        self.text = ""

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (self.height, self.entries) == (other.height, other.entries)

    def __repr__(self) -> str:
        self.text = self.text or f"{self.height}x{self.width}:{' '.join(map(str, self.entries))}"
        return self.text

    def row(self, i: int) -> tuple[Any, ...]:
        """Return a row."""
        return self.entries[i * self.width : (i + 1) * self.width]

    @cached_property
    def hash(self) -> int:
        """The hash."""
        return hash((self.height, self.width, self.entries))

    @cached_property
    def first(self) -> Any:
        """The first entry that is not zero, else zero."""
        return next((x for x in self.entries if x), flint.fmpq(0))

    @cached_property
    def multiple(self) -> Any:
        """The number c if it is c times the identity, else None."""
        c = self.entries[0]
        return c if self.is_diagonal and all(x == c for x in self.entries[:: self.width + 1]) else None

    @cached_property
    def is_diagonal(self) -> bool:
        """Whether it is square, and nothing is beside its diagonal."""
        n = self.width
        return self.height == n and all(not x or k % (n + 1) == 0 for k, x in enumerate(self.entries))

    @cached_property
    def equal_columns(self) -> bool:
        """Whether all its columns are equal."""
        return all(len(set(self.row(i))) == 1 for i in range(self.height))

    @cached_property
    def equal_rows(self) -> bool:
        """Whether all its rows are equal."""
        return self.entries == self.row(0) * self.height


def constant(height: int, width: int, entries: Iterable[Any]) -> Factor:
    """Return a constant with entries row by row."""
    fits(height, width)
    return "c", Constant(flint.fmpq_mat(height, width, list(entries)))


def fits(height: int, width: int) -> None:
    """Refuse constants that are too large, before they are made."""
    if height * width > MOST_CONSTANT:
        raise too_large("words", f"such that take a constant of {height} x {width}", f"of {MOST_CONSTANT} entries")


def ones(height: int, width: int) -> Factor:
    """Return a constant of ones."""
    fits(height, width)
    return constant(height, width, [1] * (height * width))


def identity(size: int) -> Factor:
    """Return the identity."""
    fits(size, size)
    return constant(size, size, [int(i == j) for i in range(size) for j in range(size)])


def diagonal(entries: Sequence[Any]) -> Factor:
    """Return a constant diagonal matrix."""
    n = len(entries)
    fits(n, n)
    return constant(n, n, [entries[i] if i == j else 0 for i in range(n) for j in range(n)])


def selection(rows: Sequence[int], height: int) -> Factor:
    """Return the constant that takes rows of a matrix."""
    fits(len(rows), height)
    return constant(len(rows), height, [int(j == row) for row in rows for j in range(height)])


def turned(factors: Sequence[Factor]) -> list[Factor]:
    """Return the transpose of a product."""
    found = []
    for one in reversed(factors):
        if one[0] in "nSg":
            one = (*one[:-1], 1 - one[-1])
        elif one[0] == "c":
            one = ("c", Constant(one[1].matrix.transpose()))
        found.append(one)
    return found


def is_diagonal(one: Factor) -> bool:
    """Return whether a factor is a diagonal matrix."""
    return one[0] == "d" or (one[0] == "c" and one[1].is_diagonal)


def fraction_of(value: Fraction) -> Any:
    """Return a fraction as FLINT has it."""
    return flint.fmpq(value.numerator, value.denominator)


class Words:
    """Sums of words of a program in normal form.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    units : (int, int) or None
        From which row and column on the columns of inputs are unit vectors; None if they are not.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int] | None) -> None:
        self.program, self.units = program, units
        self.shapes = [sizes(one.shape) for one in program]
        self.shares = set(self.found_shares())
        self.support = self.found_support()
        self.free = (1, 1)
        self.steps = self.entries = self.parts = 0
        self.names: dict[Factor, str] = {}

    def opened(self, number: int) -> Sum | None:
        """Return the words of a result that stands in words by its number, if it is known how it is made of others."""
        return None

    def found_shares(self) -> Iterator[int]:
        """Iterate over the results e * (1 / (1^T e)), the columns of which have the sum 1."""
        program = self.program
        for number, one in enumerate(program):
            for e, q in (one.operands, one.operands[::-1]) if one.operation == "multiply" else ():
                if program[q].operation == "reciprocal" and self.shapes[e] == self.shapes[number]:
                    (total,) = program[q].operands
                    if program[total].operation == "product" and program[total].operands[1] == e:
                        row = program[program[total].operands[0]]
                        if row.operation == "constant" and sizes(row.shape)[0] == 1 and set(row.argument) == {1}:
                            yield number

    # ----- shapes and order

    def shape(self, one: Factor) -> tuple[int, int]:
        """Return the shape of a factor."""
        if one[0] == "n":
            height, width = self.shapes[one[1]]
        elif one[0] == "c":
            return one[1].height, one[1].width
        elif one[0] == "S":
            height, width = self.free
        elif one[0] == "g":
            height, width = 1, self.shape(one[1][0])[0]
        else:
            return (self.shape(one[1][0])[0],) * 2
        return (width, height) if one[-1] else (height, width)

    def shape_of(self, factors: Sequence[Factor]) -> tuple[int, int]:
        """Return the shape of a product."""
        return (self.shape(factors[0])[0], self.shape(factors[-1])[1]) if factors else (1, 1)

    def name(self, one: Factor) -> str:
        """Return a text by which factors are ordered."""
        if one not in self.names:
            self.names[one] = repr(one)
        return self.names[one]

    def order(self, factors: Sequence[Factor]) -> list[str]:
        """Return by what products are ordered."""
        return [self.name(one) for one in factors]

    def product(self, left: Factor, right: Factor) -> Factor:
        """Return the product of two constants."""
        A, B = left[1], right[1]
        self.entries += A.height * A.width * B.width
        if self.entries > MOST_ENTRIES:
            raise Refused("words", f"such that take {self.entries} multiplications of constants", "smaller", 3)
        return "c", Constant(A.matrix * B.matrix)

    # ----- normal form

    def sum(self, terms: Iterable[Term]) -> Sum:
        """Return a sum in normal form."""
        found: Sum = {}
        for term in terms:
            for c, word in self.normal(*term):
                total = found.get(word, 0) + c
                if total:
                    found[word] = total
                else:
                    found.pop(word, None)
            if len(found) > MOST_WORDS:
                raise Refused("words", f"a sum of {len(found)} words", f"one of {MOST_WORDS} at most", 3)
        return self.merged(found)

    def merged(self, found: Sum) -> Sum:
        """Add the constants of words that are the same but for one constant; no constant is the identity."""
        place = 0
        while place < max((len(word[1]) for word in found), default=0):
            groups: dict[Any, list[Word]] = {}
            for word in found:
                factors = word[1]
                if place < len(factors) and factors[place][0] == "c":
                    key = (word[0], factors[:place], factors[place + 1 :], self.shape(factors[place]))
                    groups.setdefault(key, []).append(word)
            for (scalars, before, after, (height, width)), group in groups.items():
                bare = (scalars, (*before, *after))
                also = bare in found and height == width and (before or after)
                if also and (not before or not after or self.shape(before[-1])[1] == height):
                    group.append(bare)
                group = [word for word in group if word in found]
                if len(group) < 2:
                    continue
                total = flint.fmpq_mat(height, width)
                for word in group:
                    one = word[1][place] if word != bare else identity(height)
                    total += one[1].matrix * found.pop(word)
                for c, word in self.normal(ONE, list(scalars), [*before, ("c", Constant(total)), *after]):
                    found[word] = found.get(word, 0) + c
                    if not found[word]:
                        del found[word]
            place += 1
        return found

    def normal(self, c: Any, scalars: Sequence[tuple[Factors, int]], factors: Sequence[Factor]) -> list[Any]:
        """Return a word in normal form: coefficients and words, as sums may be put in place of results."""
        numbers: dict[Factors, int] = {}
        for number, exponent in scalars:
            numbers[number] = numbers.get(number, 0) + exponent
        w = list(factors)
        while True:
            factor = self.settled(w)
            if not factor:
                return []
            if self.vanishes(w) or self.vanishes(turned(w)):
                return []
            done, again = self.known_sums(w)
            if not done and any(one[0] == "n" and one[2] for one in w):
                other = turned(w)
                y = self.settled(other)  # constants are normal by their first entry, another one in the transpose
                done, again = self.known_sums(other) if y else (False, None)
                if done:
                    c *= y
                    w = turned(other)
                    again = again and [(x, s, turned(f)) for x, s, f in again]
            c *= factor
            if again is not None:
                rest = list(numbers.items())
                return [(y, one) for x, more, f in again for y, one in self.normal(c * x, [*rest, *more], f)]
            if done:
                continue
            taken = self.take_number(w)
            if taken is None:
                break
            c *= taken[0]
            if not c:
                return []
            if taken[1]:
                numbers[taken[1]] = numbers.get(taken[1], 0) + 1
        kept = [(number, exponent) for number, exponent in numbers.items() if exponent]
        ordered = tuple(sorted(kept, key=lambda one: (self.order(one[0]), one[1])))
        return [(c, (ordered, tuple(w)))]

    def settled(self, w: list[Factor]) -> Any:
        """Merge neighbours, in place, as long as there is something to merge; return the coefficient, perhaps zero."""
        c = ONE
        while (factor := self.merge(w)) is not None or self.contract(w):
            self.steps += len(w) + 1
            if self.steps > MOST_LOOKED_AT:
                raise Refused("words", f"such that take more than {MOST_LOOKED_AT} steps", "fewer, or shorter ones", 3)
            c *= ONE if factor is None else factor
            if not c:
                break
        if len(w) > MOST_WORDS:
            raise Refused("words", f"one of {len(w)} factors", f"one of {MOST_WORDS} at most", 3)
        self.steps += len(w) + 1
        return c

    def merge(self, w: list[Factor]) -> Any:
        """Merge neighbours, in place: return a coefficient if something was done."""
        for i, one in enumerate(w):
            before = w[i - 1] if i else None
            if one[0] == "c":
                first = one[1].first
                if first != 1:
                    if first:
                        w[i] = "c", Constant(one[1].matrix / first)
                    return first
                if len(w) > 1 and one[1].multiple is not None:
                    del w[i]
                    return ONE
            if before is None:
                continue
            if one[0] == before[0] == "c":
                w[i - 1 : i + 1] = [self.product(before, one)]
                return ONE
            if before[0] == "d" and one[0] == "d":
                if before[1] == one[1]:
                    exponent = before[2] + one[2]
                    w[i - 1 : i + 1] = [("d", one[1], exponent)] if exponent else [identity(self.shape(one)[0])]
                    return ONE
                if self.name(before) > self.name(one):
                    w[i - 1 : i + 1] = [one, before]
                    return ONE
            if before[0] == "d" and one[0] == "c" and one[1].is_diagonal:
                w[i - 1 : i + 1] = [one, before]
                return ONE
            height, width = self.shape(before)
            if is_diagonal(one) and before[0] in "ngS" and height == 1 < width:
                w[i - 1 : i] = [ones(1, width), ("d", tuple(turned([before])), 1)]
                return ONE
            height, width = self.shape(one)
            if is_diagonal(before) and one[0] in "ngS" and width == 1 < height:
                w[i : i + 1] = [("d", (one,), 1), ones(height, 1)]
                return ONE
        return None

    def contract(self, w: list[Factor]) -> bool:
        """Write ones and one diagonal matrix between other factors as a row or a column, in place."""
        i = 0
        while i < len(w) - 1:
            one, two = w[i], w[i + 1]
            after = w[i + 2] if i + 2 < len(w) else None
            before = w[i - 1] if i else None
            at_end, at_start = after is None or not is_diagonal(after), before is None or not is_diagonal(before)
            if at_end and one[0] == "c" and two[0] == "d" and two[2] == 1 and one[1].equal_columns and one[1].width > 1:
                w[i : i + 2] = [constant(one[1].height, 1, one[1].entries[:: one[1].width]), *turned(two[1])]
                return True
            if at_start and one[0] == "d" and one[2] == 1 and two[0] == "c" and two[1].equal_rows and two[1].height > 1:
                w[i : i + 2] = [*one[1], constant(1, two[1].width, two[1].row(0))]
                return True
            i += 1
        return False

    def known_sums(self, w: list[Factor]) -> tuple[bool, list[Term] | None]:
        """Use what columns add up to behind constants with equal columns: whether something was done in place, or the
        words in place of all.
        """
        for i, one in enumerate(w):
            if i and one[0] == "d" and one[2] == 1 and (column := self.opened_column(w, i)) is not None:
                found = []
                for (scalars, factors), c in column.items():
                    x, more, D = self.diagonal_of((c, list(scalars), list(factors)))
                    found.append((x, more, [*w[:i], *D, *w[i + 1 :]]))
                return True, found
            if i == 0 or one[0] != "n" or one[2]:
                continue
            number, (height, width) = one[1], self.shape(one)
            before = w[i - 1]
            if height > 1 and number in self.shares and before[0] == "c" and before[1].equal_columns:
                u = before[1]
                w[i - 1 : i + 1] = [
                    constant(u.height, width, [u.row(k)[0] for k in range(u.height) for _ in range(width)])
                ]
                return True, None
            if self.units is not None and self.program[number].operation == "input" and before[0] == "c":
                rows, columns = self.units
                after = w[i + 1] if i + 1 < len(w) else None
                u = before[1]
                equal = all(len(set(u.row(k)[rows:])) == 1 for k in range(u.height))
                clear = columns == 0 or (
                    after is not None and after[0] == "c" and not any(after[1].entries[: columns * after[1].width])
                )
                if equal and clear:
                    w[i - 1 : i + 1] = [
                        constant(u.height, width, [u.row(k)[-1] for k in range(u.height) for _ in range(width)])
                    ]
                    return True, None
            j = i - 1
            while j >= 0 and w[j][0] == "d":
                j -= 1
            if height > 1 and j >= 0 and w[j][0] == "c" and w[j][1].equal_columns:
                known = self.opened(number)
                if known is not None:
                    return True, [(c, list(word[0]), [*w[:i], *word[1], *w[i + 1 :]]) for word, c in known.items()]
        return False, None

    def opened_column(self, w: list[Factor], i: int) -> Sum | None:
        """Return the words of a result with one column that a diagonal matrix is made of, between constants with equal
        columns and equal rows.
        """
        j, k = i - 1, i + 1
        while j >= 0 and w[j][0] == "d":
            j -= 1
        while k < len(w) and w[k][0] == "d":
            k += 1
        if j < 0 or k == len(w) or w[j][0] != "c" or w[k][0] != "c" or len(w[i][1]) > 1 or w[i][1][0][0] != "n":
            return None
        if not (w[j][1].equal_columns and w[k][1].equal_rows):
            return None
        known = self.opened(w[i][1][0][1])
        if known is not None and w[i][1][0][2]:
            known = {(word[0], tuple(turned(word[1]))): c for word, c in known.items()}
        return known

    def vanishes(self, w: Sequence[Factor]) -> bool:
        """Return whether constants beside a result see only entries that a constant of the code makes zero."""
        for i, one in enumerate(w):
            if one[0] != "n" or one[2] or one[1] not in self.support:
                continue
            j, k = i - 1, i + 1
            while j >= 0 and w[j][0] == "d":
                j -= 1
            while k < len(w) and w[k][0] == "d":
                k += 1
            left = w[j][1] if j >= 0 and w[j][0] == "c" else None
            right = w[k][1] if k < len(w) and w[k][0] == "c" else None
            if all(
                (left is not None and not any(left.entries[r :: left.width]))
                or (right is not None and not any(right.row(c)))
                for r, c in self.support[one[1]]
            ):
                return True
        return False

    def found_support(self) -> dict[int, set[tuple[int, int]]]:
        """Return the entries that may not be zero of results that are multiplied by constants with zeros."""
        found: dict[int, set[tuple[int, int]]] = {}
        for number, one in enumerate(self.program):
            height, width = self.shapes[number]
            if one.operation == "constant" and not all(one.argument):
                found[number] = {divmod(k, width) for k, x in enumerate(one.argument) if x}
            elif one.operation == "multiply" and not found.keys().isdisjoint(one.operands):
                places = {(i, j) for i in range(height) for j in range(width)}
                for k in set(one.operands) & found.keys():
                    rows, columns = self.shapes[k]
                    places = {(i, j) for i, j in places if (i % rows, j % columns) in found[k]}
                found[number] = places
        return found

    def take_number(self, w: list[Factor]) -> tuple[Any, Factors] | None:
        """Take a part of one entry out of a word, in place: a coefficient and the part, empty if it is a constant."""
        places: list[tuple[int, Any]] = []  # where words can be cut: before a factor, or within a constant
        for i, one in enumerate(w):
            if self.shape(one)[0] == 1:
                places.append((i, None))
            beside = any(k in range(len(w)) and w[k][0] == "d" for k in (i - 1, i + 1))
            if one[0] != "c" or min(self.shape(one)) == 1 or (beside and one[1].is_diagonal):
                continue
            if (parts := halves(one[1])) is not None:
                places.append((i, parts))
        if w and self.shape(w[-1])[1] == 1:
            places.append((len(w), None))
        if len(places) < 2:
            return None
        (i, left), (j, right) = places[:2]
        part = ([left[1]] if left else []) + w[i + (left is not None) : j] + ([right[0]] if right else [])
        rest = ([left[0]] if left else []) + ([right[1]] if right else [])
        w[i : j + (right is not None)] = rest
        return self.normal_number(part)

    def normal_number(self, part: list[Factor]) -> tuple[Any, Factors]:
        """Return a part of one entry, or its transpose: the first in order."""
        c, chosen = self.either(part)
        if len(chosen) == 1 and chosen[0][0] == "c":
            return c * chosen[0][1].entries[0], ()
        return c, tuple(chosen)

    # ----- parts of terms

    def times(self, *sums: Sum) -> list[Term]:
        """Return the words of a product."""
        found: list[Term] = [(ONE, [], [])]
        for one in sums:
            if len(found) * len(one) > MOST_WORDS:
                raise Refused("words", f"a product of sums of {len(found)} and {len(one)} words", "smaller", 3)
            found = [(c * x, [*s, *word[0]], [*f, *word[1]]) for c, s, f in found for word, x in one.items()]
        return found

    def diagonal_of(self, term: Term) -> Term:
        """Return the diagonal matrix of a column."""
        c, scalars, factors = term
        rest, out = list(factors), []
        if len(rest) > 1 and rest[-1][0] == "c" and rest[-1][1].height == rest[-1][1].width == 1:
            c, rest = c * rest[-1][1].entries[0], rest[:-1]
        while len(rest) > 1 and is_diagonal(rest[0]):
            out.append(rest.pop(0))
        if len(rest) == 1 and rest[0][0] == "c":
            return c, scalars, [*out, diagonal(rest[0][1].entries)]
        return c, scalars, [*out, ("d", tuple(rest), 1)] if rest else out

    def rows_of(self, term: Term) -> Iterator[Term]:
        """Iterate over the diagonal of a square word as rows: diag(D M) = diag(M) D, and diag(M^T) = diag(M)."""
        size = self.shape_of(term[2])[0]
        for c, (scalars, factors) in self.normal(*term):
            rest, out = list(factors), []
            while rest and is_diagonal(rest[0]):
                out.append(rest.pop(0))
            while rest and is_diagonal(rest[-1]):
                out.append(rest.pop())
            if size == 1 or not rest:
                yield c, list(scalars), [*([ones(1, size)] if size > 1 else []), *rest, *out]
            elif (parts := self.split((ONE, [], rest))) is not None:
                x, more, column = self.diagonal_of((ONE, [], turned(parts[1][2])))
                yield c * x, [*scalars, *more], [*turned(parts[0][2]), *column, *out]
            elif len(rest) == 1 and rest[0][0] == "c":
                yield c, list(scalars), [constant(1, size, rest[0][1].entries[:: size + 1]), *out]
            else:
                x, chosen = self.either(rest)
                yield c * x, list(scalars), [("g", tuple(chosen), 0), *out]

    def either(self, part: list[Factor]) -> tuple[Any, list[Factor]]:
        """Return a coefficient and a word or its transpose, the first in order, of which only what both have in common
        counts: a number, or a diagonal; if they are opposite it is zero.
        """
        other = turned(part)
        x, y = self.settled(part), self.settled(other)
        if part == other:
            return (x + y) / 2, part
        return (x, part) if self.order(part) < self.order(other) else (y, other)

    def split(self, term: Term) -> tuple[Term, Term] | None:
        """Return a column and a row whose product a word is, if it has rank one by its form."""
        c, scalars, factors = term
        for i, one in enumerate(factors):
            if i and self.shape(one)[0] == 1:
                return (c, scalars, list(factors[:i])), (ONE, [], list(factors[i:]))
        for i, one in enumerate(factors):
            if one[0] == "c" and (parts := halves(one[1])) is not None:
                return (c, scalars, [*factors[:i], parts[0]]), (ONE, [], [parts[1], *factors[i + 1 :]])
        height, width = self.shape_of(factors)
        if width == 1:
            return (c, scalars, list(factors)), (ONE, [], [ones(1, 1)])
        return ((ONE, [], [ones(1, 1)]), (c, scalars, list(factors))) if height == 1 else None

    def splits(self, term: Term) -> list[tuple[Term, Term]]:
        """Return columns and rows whose products add up to a word, if it is a constant or has rank one by its form."""
        c, scalars, factors = term
        one = self.split(term)
        if one is not None or len(factors) != 1 or factors[0][0] != "c":
            return [] if one is None else [one]
        K = factors[0][1]
        units = [[int(i == k) for i in range(K.height)] for k in range(K.height)]
        return [
            ((c, scalars, [constant(K.height, 1, unit)]), (ONE, [], [constant(1, K.width, K.row(k))]))
            for k, unit in enumerate(units)
            if any(K.row(k))
        ]


def halves(one: Constant) -> tuple[Factor, Factor] | None:
    """Return a column and a row, the first entry of which that is not zero is one, whose product is a constant."""
    start = next((k for k, x in enumerate(one.entries) if x), None)
    if start is None:
        return None
    i, j = divmod(start, one.width)
    row = [x / one.entries[start] for x in one.row(i)]
    column = one.entries[j :: one.width]
    if any(x != column[k // one.width] * row[k % one.width] for k, x in enumerate(one.entries)):
        return None
    return constant(one.height, 1, column), constant(1, one.width, row)


class Leibniz(Words):
    """The derivative of a program along the velocities of its tensors.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    units : (int, int) or None
        From which row and column on the columns of inputs are unit vectors; None if they are not.
    tokens : bool
        Whether gates stay, whatever they are of: they do at almost all weights if there are finitely many inputs.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int] | None, *, tokens: bool) -> None:
        super().__init__(program, units)
        self.tokens = tokens
        self.values: dict[int, Sum] = {}
        self.moved: dict[int, Sum] = {}
        self.known: dict[int, Sum | None] = {}

    def leaf(self, number: int) -> Sum:
        """Return a result by its number."""
        return self.sum([(ONE, [], [("n", number, 0)])])

    def opened(self, number: int) -> Sum | None:
        if number not in self.known:
            self.known[number] = None
            if number in self.values and number not in self.shares:
                made = self.made(number, [self.values[k] for k in self.program[number].operands])
                self.known[number] = made if made != self.leaf(number) else None
        return self.known[number]

    def run(self, free: tuple[int, int], velocities: Mapping[str, Sequence[Term]]) -> None:
        """Find that the value does not move.

        Parameters
        ----------
        free : (int, int)
            The shape of S.
        velocities : mapping of str to list of terms
            How tensors move.

        Raises
        ------
        Moves
            If this is not found.
        """
        self.free, self.parts = free, 0
        self.values, self.moved, self.known = {}, {}, {}
        for number, one in enumerate(self.program):
            if one.operation == "tensor":
                self.values[number] = self.leaf(number)
                self.moved[number] = self.sum(map(self.prepared, velocities.get(one.argument, ())))
                continue
            if all(not self.moved[operand] for operand in one.operands):
                self.moved[number] = {}
            else:
                self.moved[number] = self.sum(self.derivative(number, one))
            self.values[number] = self.value(number, one)
        if self.moved[len(self.program) - 1]:
            raise Moves(f"the value moves by a sum of {len(self.moved[len(self.program) - 1])} words")

    def prepared(self, term: Term) -> Term:
        """Return a word with the diagonal matrices of columns in normal form."""
        c, scalars, factors = term[0], list(term[1]), []
        for one in term[2]:
            if one[0] != "d":
                factors.append(one)
                continue
            y, more, column = self.prepared((ONE, [], list(one[1])))
            found = self.normal(y, more, column)
            if len(found) != 1:
                raise Moves("a diagonal matrix of a velocity is zero, or no single word")
            ((x, (numbers, column)),) = found
            x, more, diagonals = self.diagonal_of((x, list(numbers), list(column)))
            c *= x ** one[2]
            scalars += [(number, exponent * one[2]) for number, exponent in more]
            for D in diagonals:
                if D[0] == "d":
                    factors.append(("d", D[1], D[2] * one[2]))
                    continue
                entries = D[1].entries[:: D[1].width + 1]
                if not all(entries):
                    raise Moves("a velocity divides by zero")
                factors.append(diagonal([entry ** one[2] for entry in entries]))
        return c, scalars, factors

    def value(self, number: int, one: Instruction) -> Sum:
        """Return the words of a result: the result itself if it moves by multiples of itself, or not at all."""
        alone = one.operation in ("constant", "negate", "transpose", "take", "centre")
        if not self.moved[number] and not alone:
            return self.leaf(number)
        made = self.made(number, [self.values[operand] for operand in one.operands])
        if made is None:
            return self.leaf(number)
        if one.operation == "constant" or (alone and not self.moved[number]):
            return made
        closed = self.closed(number, made)
        if closed is None and one.operation == "add" and not self.expanded(self.moved[number]):
            closed = {}
        if closed is None:
            return made
        self.moved[number] = closed
        return self.leaf(number)

    def expanded(self, total: Sum) -> Sum:
        """Return a sum with all products and sums in the place of their results, as far as there are not too many."""
        for _ in range(MOST_OPENED):
            terms: list[Term] = []
            for word, c in total.items():
                places = (i for i, one in enumerate(word[1]) if one[0] == "n" and self.opened(one[1]) is not None)
                i = next(places, None)
                if i is None:
                    terms.append((c, list(word[0]), list(word[1])))
                    continue
                known = self.opened(word[1][i][1]) or {}
                for (scalars, factors), x in known.items():
                    part = turned(factors) if word[1][i][2] else factors
                    terms.append((c * x, [*word[0], *scalars], [*word[1][:i], *part, *word[1][i + 1 :]]))
            before, total = total, self.sum(terms)
            if total == before or len(total) > MOST_OPENED:
                break
        return total

    # ----- values, which are linear in each operand or in all of them

    def made(self, number: int, sums: Sequence[Sum]) -> Sum | None:
        """Return a result in words of its operands; None if it is none of their products and sums."""
        one = self.program[number]
        if one.operation == "constant":
            return self.sum([(ONE, [], [constant(*self.shapes[number], map(fraction_of, one.argument))])])
        terms = self.terms(number, one, sums)
        return None if terms is None else self.sum(terms)

    def terms(self, number: int, one: Instruction, sums: Sequence[Sum]) -> list[Term] | None:
        """Return what an operation makes of sums: linear in all of them, or in each of two."""
        height, width = self.shapes[number]
        first = self.shapes[one.operands[0]] if one.operands else (0, 0)
        if one.operation in ("take", "centre", "concatenate"):
            sides = (height * first[0], width * first[1]) if one.operation == "take" else (height**2, 0)
            self.parts += sum(sides if one.operation != "concatenate" else ((height, width)[one.argument] ** 2,))
            if self.parts > MOST_PARTS:
                raise too_large("program", f"one whose parts take {self.parts} entries", f"one with {MOST_PARTS}")
        if one.operation == "add":
            return [term for k, x in zip(one.operands, sums, strict=True) for term in self.wide(k, x, height, width)]
        if one.operation == "negate":
            return [(-c, list(word[0]), list(word[1])) for word, c in sums[0].items()]
        if one.operation == "transpose":
            return [(c, list(word[0]), turned(word[1])) for word, c in sums[0].items()]
        if one.operation == "take":
            left, right = selection(one.argument[0], first[0]), turned([selection(one.argument[1], first[1])])[0]
            return [(c, list(word[0]), [left, *word[1], right]) for word, c in sums[0].items()]
        if one.operation == "centre":
            share = Fraction(-1, height)
            entries = [fraction_of(share + (i == j)) for i in range(height) for j in range(height)]
            return [(c, list(w[0]), [constant(height, height, entries), *w[1]]) for w, c in sums[0].items()]
        if one.operation == "concatenate":
            return self.joined(one, sums)
        if one.operation == "product":
            return self.times(*sums)
        if one.operation == "multiply":
            return self.entrywise(number, one, sums)
        if one.operation == "column_products":
            both = [self.shapes[k] for k in one.operands]
            h, w = (max(x[axis] for x in both) for axis in (0, 1))
            first_one, second_one = (self.sum(self.wide(k, x, h, w)) for k, x in zip(one.operands, sums, strict=True))
            other = {(word[0], tuple(turned(word[1]))): c for word, c in first_one.items()}
            return [row for term in self.times(other, second_one) for row in self.rows_of(term)]
        return None

    def wide(self, number: int, one: Sum, height: int, width: int) -> list[Term]:
        """Repeat the row or the column of a result."""
        rows, columns = self.shapes[number]
        before = [ones(height, 1)] if rows < height else []
        after = [ones(1, width)] if columns < width else []
        return [(c, list(word[0]), [*before, *word[1], *after]) for word, c in one.items()]

    def joined(self, one: Instruction, sums: Sequence[Sum]) -> list[Term]:
        """Put sums below each other, or side by side."""
        found, start = [], 0
        total = sum(self.shapes[k][one.argument] for k in one.operands)
        for k, x in zip(one.operands, sums, strict=True):
            size = self.shapes[k][one.argument]
            take = selection(range(start, start + size), total)
            start += size
            for word, c in x.items():
                place = [*word[1], take] if one.argument else [turned([take])[0], *word[1]]
                found.append((c, list(word[0]), place))
        return found

    def entrywise(self, number: int, one: Instruction, sums: Sequence[Sum]) -> list[Term] | None:
        """Return the products of entries where one factor is spread, or both are vectors."""
        shape = self.shapes[number]
        a, b = (self.shapes[k] for k in one.operands)
        if a != shape:
            a, b, sums = b, a, sums[::-1]
        if a != shape:  # a column times a row
            column, row = sums if a[1] == 1 else sums[::-1]
            return self.times(column, row)
        if b == (1, 1):
            return self.times(sums[1], sums[0])
        if b[0] == 1 or b[1] == 1:
            found = []
            for c, scalars, factors in self.times(sums[1]):
                x, more, D = self.diagonal_of((c, scalars, turned(factors) if b[0] == 1 else factors))
                for word, y in sums[0].items():
                    place = [*word[1], *D] if b[0] == 1 else [*D, *word[1]]
                    found.append((x * y, [*more, *word[0]], place))
            return found
        for k, operand in enumerate(one.operands):
            entries = set(self.program[operand].argument) if self.program[operand].operation == "constant" else set()
            if len(entries) == 1:
                if not sums[k]:  # its derivative
                    return []
                (c,) = entries
                return [(fraction_of(c) * x, list(word[0]), list(word[1])) for word, x in sums[1 - k].items()]
        for x, y in (sums, sums[::-1]):
            parts = [part for term in self.times(y) if (part := self.split(term)) is not None]
            if len(parts) == len(y):
                return [
                    (c * z, [*more, *word[0]], factors)
                    for part in parts
                    for word, z in x.items()
                    for c, more, factors in [self.beside(*part, list(word[1]))]
                ]
        return None

    # ----- derivatives

    def derivative(self, number: int, one: Instruction) -> list[Term]:
        """Return the derivative of a result by those of its operands."""
        E, D = ([at[operand] for operand in one.operands] for at in (self.values, self.moved))
        if one.operation in ("product", "column_products", "multiply"):
            parts = [self.terms(number, one, sums) for sums in ([D[0], E[1]], [E[0], D[1]])]
            if parts[0] is None or parts[1] is None:
                return self.of_entries(number, one)
            return [*parts[0], *parts[1]]
        terms = self.terms(number, one, D)
        if terms is not None:
            return terms
        (operand,) = one.operands
        if one.operation in ("positive", "largest") and self.tokens:
            return []
        if one.operation in SCALED:
            return self.scaled(number, operand, SCALED[one.operation])
        if one.operation == "largest":
            for term in self.times(D[0]):
                parts_of = self.split(term)
                column = parts_of[0][2] if parts_of is not None else []
                if len(column) == 1 and column[0][0] == "c" and len(set(column[0][1].entries)) == 1:
                    continue
                if self.around(operand, term)[0]:
                    raise Moves(f"the entries of a column of result {operand} move differently")
            return []
        if one.operation == "exp":
            found = []
            for term in self.times(D[0]):
                pairs = self.splits(term)
                if not pairs:
                    raise Moves(f"the exponents of result {number} move by more than rows and columns")
                found += [self.beside(*pair, [("n", number, 0)]) for pair in pairs]
            return found
        if one.operation == "rotate":
            return self.turns(number, one)
        raise Moves(f"the operand of {one.operation} in result {number} moves")

    def beside(self, u: Term, v: Term, middle: list[Factor]) -> Term:
        """Return diag(u) M diag(v) for a column u and a row v."""
        c, scalars, left = self.diagonal_of(u)
        x, more, right = self.diagonal_of((v[0], v[1], turned(v[2])))
        return c * x, [*scalars, *more], [*left, *middle, *right]

    def around(self, number: int, term: Term) -> tuple[list[Factor], list[Factor]]:
        """Return the diagonal matrices between which a word has a result, and nothing else."""
        leaf, factors = ("n", number, 0), term[2]
        if self.shapes[number] == (1, 1):
            return [], []
        places = [i for i, one in enumerate(factors) if one == leaf]
        if len(places) == 1 and all(is_diagonal(one) for one in factors if one != leaf):
            return factors[: places[0]], factors[places[0] + 1 :]
        raise Moves(f"the entries of result {number} are not multiplied by numbers")

    def scaled(self, number: int, operand: int, power: Fraction) -> list[Term]:
        """Return the derivative of a power of entries: each is multiplied by a multiple of what its base is."""
        found = []
        for c, scalars, factors in self.times(self.moved[operand]):
            before: list[Factor] = []
            after: list[Factor] = []
            if self.shapes[operand] == (1, 1):
                scalars = self.without(operand, scalars)
            elif self.shapes[operand][0] == 1 or self.shapes[operand][1] == 1:
                c, scalars, before, after = self.of_vector(operand, (c, scalars, factors))
            else:
                before, after = self.around(operand, (c, scalars, factors))
            if power:
                found.append((c * fraction_of(power), scalars, [*before, ("n", number, 0), *after]))
        return found

    def of_vector(self, number: int, term: Term) -> tuple[Any, list[Any], list[Factor], list[Factor]]:
        """Return the coefficient, the numbers and the diagonal matrices by which a word multiplies a vector."""
        c, scalars, factors = term
        row = self.shapes[number][0] == 1
        x, more, D = self.diagonal_of((c, scalars, turned(factors) if row else factors))
        found = self.normal(x, more, [*D, ("d", (("n", number, int(row)),), -1)])
        ((c, (numbers, rest)),) = found or [(0, ((), ()))]
        if not all(is_diagonal(one) for one in rest) or any(one[0] == "d" and one[2] < 0 for one in rest):
            raise Moves(f"the entries of result {number} are not multiplied by numbers")
        return c, list(numbers), [] if row else list(rest), list(rest) if row else []

    def without(self, number: int, scalars: Sequence[tuple[Factors, int]]) -> list[tuple[Factors, int]]:
        """Take a number out of others."""
        found = list(scalars)
        for i, (factors, exponent) in enumerate(found):
            if factors == (("n", number, 0),) or factors == (("n", number, 1),):
                found[i] = (factors, exponent - 1)
                return found
        raise Moves(f"result {number} is not multiplied by a number")

    def of_entries(self, number: int, one: Instruction) -> list[Term]:
        """Return the derivative of the products of the entries of two matrices, neither of which is spread."""
        found = []
        for k, operand in enumerate(one.operands):
            other = self.values[one.operands[1 - k]]
            for word, c in self.moved[operand].items():
                terms = self.entrywise(number, one, [{word: c}, other] if k == 0 else [other, {word: c}])
                if terms is not None:
                    found += terms
                    continue
                parts = self.splits((c, list(word[0]), list(word[1])))
                for part in parts:
                    for w, x in other.items():
                        y, scalars, factors = self.beside(*part, list(w[1]))
                        found.append((x * y, [*scalars, *w[0]], factors))
                if parts:
                    continue
                before, after = self.around(operand, (c, list(word[0]), list(word[1])))
                found.append((c, list(word[0]), [*before, ("n", number, 0), *after]))
        return found

    def turns(self, number: int, one: Instruction) -> list[Term]:
        """Return the derivative of turned columns: what commutes with all turns stays before, what scales columns
        behind.
        """
        (operand,) = one.operands
        angles, _ = one.argument
        height, width = self.shapes[operand]
        if height != 2 * len(angles) or width != self.shapes[number][1]:
            raise Moves(f"the columns that are turned in result {number} move")
        J = [Fraction(0)] * (height * height)
        for f, angle in enumerate(angles):
            J[2 * f * height + 2 * f + 1], J[(2 * f + 1) * height + 2 * f] = -Fraction(angle), Fraction(angle)
        turn = constant(height, height, map(fraction_of, J))[1].matrix
        found = []
        for c, scalars, factors in self.times(self.moved[operand]):
            places = [i for i, factor in enumerate(factors) if factor == ("n", operand, 0)]
            before = factors[: places[0]] if places else None
            after = factors[places[0] + 1 :] if places else []
            if before is None or len(before) > 1 or not all(map(is_diagonal, after)):
                raise Moves(f"the columns that are turned in result {number} move")
            for factor in before:
                if factor[0] != "c" or factor[1].matrix * turn != turn * factor[1].matrix:
                    raise Moves(f"what moves the columns of result {number} does not commute with turns")
            found.append((c, scalars, [*before, ("n", number, 0), *after]))
        return found

    # ----- results that move by multiples of themselves

    def closed(self, number: int, made: Sum) -> Sum | None:
        """Return the derivative of a result in words of itself, if it is a sum of products with it."""
        moved = self.moved[number]
        if self.shapes[number] == (1, 1):
            return self.closed_number(number, made)
        if 1 in self.shapes[number] and (closed := self.closed_vector(number, made)) is not None:
            return closed
        for core in list(made)[:MOST_CORES]:
            for last in (False, True):
                found: list[Term] = []
                rest = self.times(moved)
                for word, c in moved.items():
                    ways = list(self.ways(core, word))
                    if ways:
                        scalars, before, after = ways[-1 if last else 0]
                        x = c / made[core]
                        found.append((x, scalars, [*before, ("n", number, 0), *after]))
                        rest += [(-x * y, [*scalars, *w[0]], [*before, *w[1], *after]) for w, y in made.items()]
                if found and not self.sum(rest):
                    return self.sum(found)
        return None

    def closed_vector(self, number: int, made: Sum) -> Sum | None:
        """Return the same of a row or a column that is one word."""
        row = self.shapes[number][0] == 1
        if len(made) > 1:
            return None
        ((word, c),) = made.items()
        x, scalars, below = self.diagonal_of((c, list(word[0]), turned(word[1]) if row else list(word[1])))
        if any(one[0] == "c" for one in below):
            return None
        inverse = [("d", one[1], -one[2]) for one in below]
        found: list[Term] = []
        for term in self.times(self.moved[number]):
            y, more, above = self.diagonal_of((*term[:2], turned(term[2]) if row else term[2]))
            least = {one[1]: min(one[2], 0) for one in above if one[0] == "d"}
            lowest = {one: min(exponent, 0) for one, exponent in more}
            divided = [(one, -exponent) for one, exponent in scalars]
            ((z, (numbers, rest)),) = self.normal(y / x, [*more, *divided], [*above, *inverse]) or [(0, ((), ()))]
            if not all(is_diagonal(one) and (one[0] == "c" or one[2] >= least.get(one[1], 0)) for one in rest):
                return None
            if any(exponent < lowest.get(one, 0) for one, exponent in numbers):
                return None
            leaf = ("n", number, 0)
            found.append((z, list(numbers), [leaf, *rest] if row else [*rest, leaf]))
        return self.sum(found)

    def closed_number(self, number: int, made: Sum) -> Sum | None:
        """Return the same of a number."""
        moved = self.moved[number]
        core = next(iter(made))
        found: list[Term] = []
        rest = self.times(moved)
        for word, c in moved.items():
            if core[1] or word[1] or not set(core[0]) <= set(word[0]):
                return None
            scalars = [one for one in word[0] if one not in core[0]]
            x = c / made[core]
            found.append((x, [*scalars, ((("n", number, 0),), 1)], []))
            rest += [(-x * y, [*scalars, *w[0]], []) for w, y in made.items()]
        return self.sum(found) if not self.sum(rest) else None

    def ways(self, core: Word, word: Word) -> Iterator[tuple[list[Any], list[Factor], list[Factor]]]:
        """Iterate over the ways in which a word is a product with another one in it, without dividing by anything."""
        scalars = dict(word[0])
        for number, exponent in core[0]:
            scalars[number] = scalars.get(number, 0) - exponent
            if scalars[number] < min(0, dict(word[0]).get(number, 0)):
                return
        middle = list(core[1])
        left: list[Factor] = []
        right: list[Factor] = []
        while len(middle) > 1 and middle[0][0] == "d":
            left.append(middle.pop(0))
        while len(middle) > 1 and middle[-1][0] == "d":
            right.append(middle.pop())
        factors = self.gathered(middle, list(word[1]))
        negative = {one[1]: one[2] for one in factors if one[0] == "d" and one[2] < 0}
        for i in range(len(factors) - len(middle) + 1):
            ends = self.ends(middle, factors[i : i + len(middle)])
            if ends is None:
                continue
            before = [*factors[:i], *ends[0], *(("d", one[1], -one[2]) for one in left)]
            after = [*(("d", one[1], -one[2]) for one in right), *ends[1], *factors[i + len(middle) :]]
            self.settled(before)
            self.settled(after)
            if all(one[2] >= negative.get(one[1], 0) for one in (*before, *after) if one[0] == "d" and one[2] < 0):
                yield list(scalars.items()), before, after

    def gathered(self, core: list[Factor], factors: list[Factor]) -> list[Factor]:
        """Return diag(a) x in place of diag(a) diag(x) 1, if the core is a column x, and the same of a row."""
        for flip in (False, True) if len(core) == 1 and core[0][0] == "n" else ():
            w, (x,) = (turned(factors), turned(core)) if flip else (factors, core)
            height, width = self.shape(x)
            if width == 1 < height and w[-1:] == [ones(height, 1)] and ("d", (x,), 1) in w:
                place = w.index(("d", (x,), 1))
                if all(map(is_diagonal, w[place:-1])):
                    found = [*w[:place], *w[place + 1 : -1], x]
                    return turned(found) if flip else found
        return factors

    def ends(self, core: list[Factor], part: list[Factor]) -> tuple[list[Factor], list[Factor]] | None:
        """Return what stands before and behind the same factors; constants at the ends may be multiples."""
        if core == part:
            return [], []
        for k, flip in ((0, False), (-1, True)):
            rest = [one for i, one in enumerate(core) if i != k % len(core)]
            same = [one for i, one in enumerate(part) if i != k % len(part)]
            if rest and rest == same and core[k][0] == part[k][0] == "c":
                P, K = (turned([one[k]])[0][1].matrix if flip else one[k][1].matrix for one in (core, part))
                if P.ncols() == K.ncols():
                    Q = P * P.transpose() * P
                    scale = next(y / x for x, y in zip(P.entries(), Q.entries(), strict=True) if x)
                    X = K * P.transpose() / scale
                    if X * P == K:
                        factor = ("c", Constant(X))
                        return ([], turned([factor])) if flip else ([factor], [])
        return None


SCALED: dict[str, Fraction] = {"reciprocal": Fraction(-1), "sqrt": Fraction(1, 2), "positive": Fraction(0)}
"""By which power of what multiplies its operand an operation is multiplied."""
