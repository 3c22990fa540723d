"""Where programs are evaluated: residues modulo a prime and balls of real numbers, random points there, and Q."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import flint

from .limits import Refused

Matrix = Any  # a flint.nmod_mat, flint.arb_mat or flint.fmpq_mat
LOCK = RLock()  # held while the precision is set, which belongs to the process and not to a thread

# derivatives of functions of one variable, by a number and the value there
SLOPES: dict[str, Callable[[Any, Any], Any]] = {
    "erf": lambda x, value: 2 * (-x * x).exp() / flint.arb.pi().sqrt(),
    "exp": lambda x, value: value,
    "log": lambda x, value: 1 / x,
    "reciprocal": lambda x, value: -value * value,
    "sigmoid": lambda x, value: value * (1 - value),
    "sqrt": lambda x, value: 1 / (2 * value),
}


class NoValue(Exception):
    """Something is divided by zero, or a function is not defined."""


class Undecided(Exception):
    """Balls are too wide to decide something; more bits may."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute real numbers with a number of bits."""
    with LOCK, flint.ctx.workprec(bits):
        yield


def words_of(key: str, count: int) -> list[int]:
    """Return 64-bit words of SHAKE-256 of a text, the least significant byte first."""
    octets = hashlib.shake_256(key.encode("ascii")).digest(8 * count)
    return [int.from_bytes(octets[i : i + 8], "little") for i in range(0, len(octets), 8)]


def prime_of(key: str) -> int:
    """Return the prime of a text, of 62 bits."""
    p = 2**61 + 2 * (words_of(f"{key}/prime", 1)[0] >> 4) + 1
    while not flint.fmpz(p).is_prime():
        p += 2
    return p


class Residues:
    """The field with p elements."""

    def __init__(self, p: int) -> None:
        self.p = p

    def matrix(self, height: int, width: int, entries: Iterable[Any]) -> Matrix:
        return flint.nmod_mat(height, width, list(entries), self.p)

    def number(self, value: Any) -> Any:
        """Return a fraction as a residue."""
        value = flint.fmpq(value)
        if value.q % self.p == 0:
            raise Refused("the prime", str(self.p), "one that divides no denominator")
        return flint.nmod(value.p, self.p) / flint.nmod(value.q, self.p)

    def random(self, key: str, height: int, width: int) -> Matrix:
        limit, count = 2**64 - 2**64 % self.p, height * width
        length = count
        while True:
            found = [word % self.p for word in words_of(key, length) if word < limit]
            if len(found) >= count:
                return self.matrix(height, width, found[:count])
            length += count + 16

    def function(self, name: str, x: Any) -> Any:
        """Return one over a residue; other functions have no values."""
        if name != "reciprocal":
            raise Refused("program", f"one with {name} modulo a prime", "one of ring operations")
        if x == 0:
            raise NoValue("something is divided by zero")
        return 1 / x


class RealBalls:
    """The real numbers, each in a ball; gates and ties at zero are undecided."""

    def matrix(self, height: int, width: int, entries: Sequence[Any]) -> Matrix:
        return flint.arb_mat(height, width, list(entries))

    def number(self, value: Any) -> Any:
        """Return a ball around a fraction."""
        return flint.arb(value)

    def random(self, key: str, height: int, width: int) -> Matrix:
        """Return a random matrix; its entries are exact."""
        odd = [2 * (word >> 40) + 1 - 2**24 for word in words_of(key, height * width)]
        return self.matrix(height, width, [flint.arb((one, -23)) for one in odd])

    def circle(self, name: str, angle: float, positions: tuple[int, ...]) -> Matrix:
        """Return cosines or sines of an angle times positions, as a row."""
        return self.matrix(1, len(positions), [getattr(flint.arb(angle) * k, name)() for k in positions])

    def function(self, name: str, x: Any) -> Any:
        """Return a ball around the value of a function of one variable."""
        if name == "reciprocal" and x == 0:
            raise NoValue("something is divided by zero")
        if name in ("sqrt", "log") and x <= 0:
            raise NoValue(f"{name} of a number that is not positive")
        if not x.is_finite() or (name in ("reciprocal", "positive", "sqrt", "log") and 0 in x):
            raise Undecided(f"{name} of a number that is not known, or not told from zero")
        if name == "positive":
            return int(x > 0)
        if name == "reciprocal":
            return 1 / x
        if name == "sigmoid":
            return 1 / (1 + (-x).exp())
        return getattr(x, name)()

    def largest(self, column: Sequence[Any], count: int) -> list[Any]:
        """Return 1 for the largest entries of a column, and 0 for the others."""
        order = sorted(range(len(column)), key=lambda i: float(column[i].mid()), reverse=True)
        inside, outside = order[:count], order[count:]
        if any(not column[i] > column[j] for i in inside for j in outside):
            raise Undecided("the largest entries of a column are not told from the others")
        return [int(i in inside) for i in range(len(column))]


def entrywise(left: Matrix, right: Matrix) -> Matrix:
    """Return the products of the entries of two matrices; those of a column are multiplied into rows."""
    by, wide = right.entries(), left.ncols() // right.ncols()
    prime = [left.modulus()] if isinstance(left, flint.nmod_mat) else []
    products = [x * by[k // wide] for k, x in enumerate(left.entries())]
    return type(left)(left.nrows(), left.ncols(), products, *prime)


def is_diagonal(M: Matrix) -> bool:
    """Return whether a matrix is square, and nothing is beside its diagonal."""
    n = M.ncols()
    return M.nrows() == n and not any(x for k, x in enumerate(M.entries()) if k % (n + 1))


def diagonal(M: Matrix) -> Matrix:
    """Return the diagonal of a square matrix, as a column."""
    return column(M.entries()[:: M.ncols() + 1])


def halves(M: Matrix) -> tuple[Matrix, Matrix] | None:
    """Return two columns u and v if a matrix that is not zero is u v^T."""
    entries, width = M.entries(), M.ncols()
    i, j = divmod(next(k for k, x in enumerate(entries) if x), width)
    row, pivot = entries[i * width : (i + 1) * width], entries[i * width + j]
    left = [x / pivot for x in entries[j::width]]
    if any(x != left[k // width] * row[k % width] for k, x in enumerate(entries)):
        return None
    return column(left), column(row)


def column(entries: Sequence[Any]) -> Matrix:
    return flint.fmpq_mat(len(entries), 1, entries)


def identity(size: int) -> Matrix:
    return flint.fmpq_mat(size, size, [int(k % (size + 1) == 0) for k in range(size * size)])
