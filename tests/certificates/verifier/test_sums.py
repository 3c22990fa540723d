"""Random sums of products of entries, before and after they are brought to normal form: they have one value.

What once was wrong is common in them: indices of constants, skew and symmetric ones too, that are those of what is put
in the place of a result; and words next to one over them, or to one over that.
"""

from __future__ import annotations

import itertools
import math
import os
import random
from collections.abc import Mapping, Sequence
from typing import Any

import flint
import pytest

from algatt.certificates.verifier.directions import Leibniz
from algatt.certificates.verifier.fields import Residues
from algatt.certificates.verifier.network import Interpreter, network_of
from algatt.certificates.verifier.words import COLUMN, ROW, Term, axes
from small_words import head

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

COUNT = int(os.environ.get("SUMS_CHECKED", "40"))
"""Number of sums for each seed."""

FIELD = Residues(2**61 - 1)

PROGRAM = (
    "A: tensor 3 x 3; B: tensor 2 x 3; C: tensor 2 x 2; b: tensor 3 x 1; a: tensor 2 x 1; X: input 3 x 2; "
    "y: product A X; e: exp y; two: constant 1 x 3 [2 2 2]; t: product two e; r: reciprocal t; P: multiply e r; "
    "h: product B P; m: multiply h C; s: add m h; v: product A b; z: add P X; K: constant 2 x 3 [1 0 2 0 1 1]; "
    "k: product K y; w: transpose a; n: product w a; q: multiply k h; f: product w k; "
    "d: multiply t t; L: constant 3 x 1 [2 1 4]; g: multiply b L; j: reciprocal g"
)

LEAVES = 6
"""Number of tensors and inputs."""


class Sums:
    """Random sums of a program, and their values at random residues; those of exponentials are random, too."""

    def __init__(self, seed: int, reads: str) -> None:
        self.source = random.Random(seed)  # noqa: S311
        self.network = network_of(head(PROGRAM, reads))
        self.calculus = Leibniz(self.network.program, self.network.units, self.network.work, tokens=False)
        self.calculus.run((2, 3), {})
        self.values: dict[int, Any] = {}
        tensors = self.network.random(FIELD, f"sums/{seed}")
        (height, width), (rows, columns) = self.network.input_shape, self.network.units
        numbers = [self.source.randrange(1, 100) for _ in range(rows * columns)]
        X = self.network.input_of(
            FIELD, [*numbers, *(self.source.randrange(height - rows) for _ in range(width - columns))]
        )
        interpreter, results = Interpreter(self.network.program, FIELD, tensors), []
        for number, one in enumerate(self.network.program):
            operands = [results[k] for k in one.operands]
            drawn = FIELD.random(f"sums/{seed}/{number}", *one.sizes)
            results.append(drawn if one.operation == "exp" else interpreter.result(one, operands, X))
            self.values[number] = results[-1]
        self.values[self.calculus.free] = FIELD.random(f"sums/{seed}/free", 2, 3)
        self.single = [leaf for leaf, known in self.calculus.known.items() if len(known) == 1]

    def entry(self, leaf: int, at: Sequence[int], e: int) -> Any:
        """Return an entry of a leaf to a power."""
        calculus = self.calculus
        M = calculus.constants[leaf] if leaf in calculus.constants else self.values[leaf]
        i, j = (at[0], at[1]) if len(at) == 2 else (at[0], 0) if at and M.nrows() > 1 else (0, at[0] if at else 0)
        x = M[i, j]
        return self.number(x) ** abs(e) if e > 0 else 1 / self.number(x) ** abs(e)

    def number(self, x: Any) -> Any:
        """Return a residue, or what is rational as one."""
        return x if isinstance(x, flint.nmod) else flint.nmod(int(x.p), FIELD.p) / flint.nmod(int(x.q), FIELD.p)

    def value(self, terms: Sequence[Term], at: Mapping[int, int]) -> Any:
        """Return the value of a sum at a row and a column."""
        total = flint.nmod(0, FIELD.p)
        for c, factors, sizes in terms:
            inner = {i: size for i, size in sizes.items() if i >= 0}
            for leaf, where, _ in factors:
                inner.update((i, size) for i, size in zip(where, self.calculus.dims[leaf], strict=True) if i >= 0)
            for chosen in itertools.product(*map(range, inner.values())):
                here = {**at, **dict(zip(inner, chosen, strict=True))}
                product = self.number(flint.fmpq(c))
                for leaf, where, e in factors:
                    product *= self.entry(leaf, [here[i] for i in where], e)
                total += product
        return total

    def constant(self, height: int, width: int) -> Any:
        """Return a matrix: of ones, skew, symmetric, of rank one, diagonal, or another one."""
        draw, kind = lambda: self.source.choice([0, 1, 1, 2, -1, 3]), self.source.randrange(8)
        M = [[draw() for _ in range(width)] for _ in range(height)]
        u, v = [draw() for _ in range(height)], [draw() for _ in range(width)]
        for i, j in itertools.product(range(height), range(width)):
            if kind == 0:
                M[i][j] = 1
            elif kind == 1:
                M[i][j] = u[i] * v[j]
            elif kind in (2, 3) and height == width:
                sign = 1 if kind == 2 else -1
                M[i][j] = M[j][i] * sign if j < i else (0 if sign < 0 and i == j else M[i][j])
            elif kind == 4 and height == width:
                M[i][j] = u[i] * (i == j)
        return flint.fmpq_mat(M)

    def index(self, sizes: dict[int, int], size: int) -> int:
        """Return an index of a size: one of those that are there, or a new one."""
        there = [i for i, n in sizes.items() if n == size]
        if there and self.source.random() < 0.75:
            return self.source.choice(there)
        new = max([0, *(i + 1 for i in sizes)])
        sizes[new] = size
        return new

    def term(self, outer: Mapping[int, int]) -> Term:
        """Return a random term with a row and a column: entries of tensors and results, constants, and quotients."""
        sizes, factors, c = dict(outer), list[Any](), flint.fmpq(self.source.choice([1, -1, 2]))
        for _ in range(self.source.randint(1, 6)):
            kind = self.source.random()
            if kind < 0.4:
                at = tuple(self.index(sizes, self.source.choice([2, 3])) for _ in range(self.source.choice([1, 2, 2])))
                M = self.constant(sizes[at[0]], sizes[at[1]] if len(at) > 1 else 1)
                x, found = self.calculus.constant(at, M)
                c *= x
                factors += found
            elif kind < 0.8:
                leaf = self.source.choice([*(n for n in self.values if n not in CONSTANT), self.calculus.free])
                at = tuple(self.index(sizes, size) for size in self.calculus.dims[leaf])
                powers = [1, 1, 1, 2, -1] if leaf < LEAVES or leaf == self.calculus.free else [1]
                factors.append((leaf, at, self.source.choice(powers)))
            else:
                c, factors = self.quotient(c, factors, sizes)
        self.source.shuffle(factors)
        return c, factors, sizes

    def quotient(self, c: Any, factors: list[Any], sizes: dict[int, int]) -> tuple[Any, list[Any]]:
        """Return a word times one over a result, or what this is of others, or both, with indices that are shared."""
        leaf, calculus = self.source.choice(self.single), self.calculus
        ((body, x),) = calculus.known[leaf].items()
        found = [(leaf, axes(calculus.shapes[leaf]), self.source.choice([-1, -1, -2]))]
        found = self.source.choice([found, [*found, *body], [*found, *body], [*found, *body, *body], [*body]])
        names = dict[int, int]()
        for n, at, e in found:
            for i, size in zip(at, calculus.dims[n], strict=True):
                if i not in names:
                    shared = i < 0 or self.source.random() < 0.2
                    names[i] = self.index(sizes, size) if shared else max([0, *(j + 1 for j in sizes)])
                    sizes[names[i]] = size
            where = tuple(names[i] for i in at)
            back = n in calculus.signs and self.source.random() < 0.5
            factors.append((n, where[::-1] if back else where, e))
        return c * x, factors

    def sizes_of(self, terms: Sequence[Term]) -> int:
        """Return how many values indices have together."""
        return max(math.prod(size for i, size in sizes.items() if i >= 0) for _, _, sizes in terms)


CONSTANT = {n for n, one in enumerate(network_of(head(PROGRAM)).program) if one.operation == "constant"}


def turned(term: Term) -> Term:
    """Return the negative of a term with other names of indices, and factors in another order."""
    c, factors, sizes = term
    names = {i: i + 7 if i >= 0 else i for i in sizes}
    return (
        -c,
        [(n, tuple(names[i] for i in at), e) for n, at, e in reversed(factors)],
        {names[i]: n for i, n in sizes.items()},
    )


@pytest.mark.parametrize("reads", ["vectors", "tokens"])
def test_sums_of_rows_and_columns_have_their_values(reads: str) -> None:
    """Those of a share are what divides it, here one over two."""
    sums = Sums(0, reads)
    for leaf, dims in enumerate(sums.calculus.dims[: sums.calculus.free]):
        for at in ((0, COLUMN), (ROW, 0)) if len(dims) == 2 and leaf not in CONSTANT else ():
            term: Term = flint.fmpq(1), [(leaf, at, 1)], {}
            found = [(c, word, {}) for word, c in sums.calculus.sum([term]).items()]
            for k in range(dims[at.index(0) - 1]):
                here = {ROW: k, COLUMN: k}
                assert sums.value(found, here) == sums.value([term], here), leaf


@pytest.mark.sample(3)
@pytest.mark.parametrize("reads", ["vectors", "tokens", "1 x 1 numbers and tokens"])
@pytest.mark.parametrize("seed", range(2))
def test_the_normal_form_of_a_sum_has_its_value(seed: int, reads: str) -> None:
    sums, empty = Sums(seed, reads), 0
    for _ in range(COUNT):
        sums.calculus.work.left = 10**8
        outer = {ROW: sums.source.choice([2, 3]), COLUMN: sums.source.choice([2, 3])}
        terms = [sums.term(outer) for _ in range(sums.source.choice([1, 1, 2]))]
        if sums.sizes_of(terms) > 500:
            continue
        at = {i: sums.source.randrange(size) for i, size in outer.items()}
        try:
            before = sums.value(terms, at)
        except ZeroDivisionError:
            continue
        found = sums.calculus.sum(terms)
        assert sums.value([(c, word, {}) for word, c in found.items()], at) == before, terms
        empty += not sums.calculus.sum([terms[0], turned(terms[0])])
    assert empty > COUNT // 2
