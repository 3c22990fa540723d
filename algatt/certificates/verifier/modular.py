"""Matrices of residues modulo a prime."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .limits import Refused
from .stream import residues

__all__ = ["Matrix", "Residues", "is_prime"]

Matrix = Any
"""A ``flint.nmod_mat`` or a ``flint.arb_mat``."""

ANGLE_BITS = 1074
"""Every float is an integer multiple of 2^-1074."""


def is_prime(p: int) -> bool:
    """Return whether a number is a prime below 2^63."""
    import flint

    return 2 <= p < 2**63 and bool(flint.fmpz(p).is_prime())


class Residues:
    """The field with p elements.

    Parameters
    ----------
    p : int
        A prime below 2^63.
    """

    def __init__(self, p: int) -> None:
        self.p = p
        self.circles: dict[tuple[Any, Any], tuple[list[Any], list[Any]]] = {}

    def matrix(self, height: int, width: int, entries: Sequence[Any]) -> Matrix:
        """Return a matrix with entries given row by row: integers, or residues."""
        import flint

        return flint.nmod_mat(height, width, list(entries), self.p)

    def zeros(self, height: int, width: int) -> Matrix:
        """Return a matrix of zeros, without a list of them, which takes as much memory."""
        import flint

        return flint.nmod_mat(height, width, self.p)

    def number(self, value: Fraction) -> Any:
        """Return a fraction as a residue."""
        import flint

        if value.denominator % self.p == 0:
            raise Refused("prime", str(self.p), f"one that does not divide the denominator of {value}")
        return flint.nmod(value.numerator % self.p, self.p) / flint.nmod(value.denominator % self.p, self.p)

    def weights(self, seed: int, shapes: Sequence[tuple[int, int]]) -> list[Matrix]:
        """Return the random tensors of a seed."""
        drawn = iter(residues(seed, "weights", sum(a * d for a, d in shapes), self.p))
        return [self.matrix(a, d, [next(drawn) for _ in range(a * d)]) for a, d in shapes]

    def vectors(self, seed: int, number: int, height: int, width: int) -> Matrix:
        """Return the random input of a number."""
        return self.matrix(height, width, residues(seed, f"input/{number}", height * width, self.p))

    def circle(self, angles: tuple[float, ...], positions: tuple[int, ...]) -> tuple[list[Any], list[Any]]:
        """Return cosines and sines of angles times positions, row by row: powers of a random point of the circle, which
        stands for the unit angle 2^-1074. A point on the circle of a transcendental angle is transcendental.
        """
        if (angles, positions) not in self.circles:
            order, z = self.unit_angle()
            points = [
                self.turn(z, int(Fraction(angle) * 2**ANGLE_BITS * position) % order)
                for angle in angles
                for position in positions
            ]
            self.circles[angles, positions] = [x for x, _ in points], [y for _, y in points]
        return self.circles[angles, positions]

    def unit_angle(self) -> tuple[int, tuple[int, int]]:
        """Return the order of the group of the circle, and the first random point that turns for some float."""
        p = self.p
        order = p - 1 if p % 4 == 1 else p + 1
        for r in residues(0, "circle", 64, p):
            if (r * r + 1) % p:
                inverse = pow(1 + r * r, -1, p)
                z = (1 - r * r) * inverse % p, 2 * r * inverse % p
                if self.turn(z, pow(2, ANGLE_BITS, order)) != (1, 0):
                    return order, z
        raise Refused("prime", str(p), "one on whose circle some rotation by a float is not the identity")

    def turn(self, z: tuple[int, int], power: int) -> tuple[int, int]:
        """Return a power of a point of the circle."""
        x, y = 1, 0
        a, b = z
        while power:
            if power & 1:
                x, y = (x * a - y * b) % self.p, (x * b + y * a) % self.p
            a, b = (a * a - b * b) % self.p, 2 * a * b % self.p
            power >>= 1
        return x, y
