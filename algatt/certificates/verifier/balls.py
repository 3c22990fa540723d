"""Matrices of real balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from threading import RLock
from typing import Any

from .limits import Refused
from .modular import Matrix
from .stream import odd_numbers

__all__ = ["LOCK", "RealBalls", "Undecided", "precision"]


class Undecided(Exception):
    """Balls are too wide to decide something; more bits may."""


OWN_LOCK = RLock()

LOCK: ContextVar[Any] = ContextVar("LOCK")
"""What is held while the precision is set, which belongs to the process and not to a thread."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with so many bits."""
    import flint

    with LOCK.get(OWN_LOCK), flint.ctx.workprec(bits):
        yield


class RealBalls:
    """The real numbers, each in a ball."""

    def matrix(self, height: int, width: int, entries: Sequence[Any]) -> Matrix:
        """Return a matrix with entries given row by row."""
        import flint

        return flint.arb_mat(height, width, list(entries))

    def number(self, value: Fraction) -> Any:
        """Return a ball around a fraction."""
        import flint

        return flint.arb(flint.fmpq(value.numerator, value.denominator))

    def weights(self, seed: int, shapes: Sequence[tuple[int, int]], exponents: Sequence[int]) -> list[Matrix]:
        """Return the random tensors of a seed, which are multiplied by powers of two; their entries are exact."""
        import flint

        drawn = iter(odd_numbers(seed, "weights", sum(a * d for a, d in shapes)))
        return [
            self.matrix(a, d, [flint.arb((next(drawn), power - 23)) for _ in range(a * d)])
            for (a, d), power in zip(shapes, exponents, strict=True)
        ]

    def vectors(self, seed: int, number: int, height: int, width: int) -> Matrix:
        """Return the random input of a number; its entries are exact."""
        import flint

        drawn = odd_numbers(seed, f"input/{number}", height * width)
        return self.matrix(height, width, [flint.arb((odd, -23)) for odd in drawn])

    def circle(self, angles: tuple[float, ...], positions: tuple[int, ...]) -> tuple[list[Any], list[Any]]:
        """Return cosines and sines of angles times positions, row by row."""
        import flint

        points = [(flint.arb(angle) * position).sin_cos() for angle in angles for position in positions]
        return [cosine for _, cosine in points], [sine for sine, _ in points]

    def function(self, name: str, x: Any) -> Any:
        """Return a ball around the value of a function of one variable."""
        if name == "positive":
            return self.gate(x)
        if name == "sigmoid":
            return 1 / (1 + (-x).exp())
        if name in ("sqrt", "log") and not x > 0:
            if x < 0:
                raise Refused("program", f"one that takes {name} of a negative number at a claimed point", "defined")
            raise Undecided(f"{name} of a number that is not told from zero")
        return getattr(x, name)()

    def gate(self, x: Any) -> Any:
        """Return 1 for positive numbers, and 0 for negative ones."""
        import flint

        if not (x > 0 or x < 0):
            raise Undecided("a gate of a number that is not told from zero")
        return flint.arb(1 if x > 0 else 0)

    def slope(self, name: str, x: Any, value: Any) -> Any:
        """Return a ball around the derivative of a function of one variable."""
        import flint

        if name == "exp":
            return value
        if name == "sigmoid":
            return value * (1 - value)
        if name == "sqrt":
            return 1 / (2 * value)
        if name == "log":
            return 1 / x
        if name == "erf":
            return 2 * (-x * x).exp() / flint.arb.pi().sqrt()
        return flint.arb(0)

    def largest(self, column: Sequence[Any], count: int) -> list[Any]:
        """Return 1 for the largest entries of a column, and 0 for the others."""
        import flint

        order = sorted(range(len(column)), key=lambda i: float(column[i].mid()), reverse=True)
        inside, outside = order[:count], order[count:]
        if any(not column[i] > column[j] for i in inside for j in outside):
            raise Undecided("the largest entries of a column are not told from the others")
        chosen = set(inside)
        return [flint.arb(1 if i in chosen else 0) for i in range(len(column))]
