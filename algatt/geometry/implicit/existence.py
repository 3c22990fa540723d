"""Which networks have coefficients."""

from __future__ import annotations

from typing import Any

from algatt.architectures.base import as_architecture
from algatt.architectures.network import degrees_of_values, turns_by_circles
from algatt.errors import InvalidArgument


def check_rational(arch: Any) -> None:
    """Raise `InvalidArgument` unless the values of a network are rational functions of its weights and what it
    reads.
    """
    as_architecture(arch)
    if not arch.algebraic or degrees_of_values(arch) is None or turns_by_circles(arch):
        reason = "which rotates by angles" if arch.algebraic else "which has exponentials, roots, gates or the like"
        should = "a network whose values are rational functions; algatt.dimension, symmetries, fiber and same_function"
        raise InvalidArgument("arch", f"{arch}, {reason}", f"{should} take any")


def check_polynomial(arch: Any) -> None:
    """Raise `InvalidArgument` unless the values of a network are polynomials in its weights and what it reads."""
    check_rational(arch)
    if not arch.polynomial:
        raise InvalidArgument("arch", f"{arch}, which divides", "a network whose values are polynomials")
