"""What tests of conditions are written with: residues of a stream as the page on certificates says them, and places."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

from elementary_networks import P, places_of_lines, settled

__all__ = [
    "EXP",
    "FOUR",
    "ONE_EXP",
    "X",
    "arguments",
    "below_the_root",
    "is_square",
    "rank_of",
    "reasons",
    "spanning",
    "stream",
]

X = ("input  : 2 x 2", "tensor A  : 1 x 2", "product %1 %0  : 1 x 2")
"""Result 2 is u = A x, for two tokens."""

FOUR = [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4]]


def reasons(lines: tuple[str, ...], claims: dict[str, Any]) -> list[str]:
    return settled(places_of_lines(lines, claims))


def stream(label: str, count: int) -> list[int]:
    octets = hashlib.shake_256(f"algatt/1/0/{label}".encode("ascii")).digest(800)
    words = [int.from_bytes(octets[k : k + 8], "little") for k in range(0, 800, 8)]
    return [word % P for word in words if word < P * (2**64 // P)][:count]


def arguments(number: int) -> list[int]:
    """Return u = A x modulo P at an input."""
    a, b = stream("weights", 2)
    x = stream(f"input/{number}", 4)
    return [(a * x[k] + b * x[2 + k]) % P for k in range(2)]


def is_square(x: int) -> bool:
    return pow(x, (P - 1) // 2, P) == 1


EXP = (*X, "exp %2  : 1 x 2")
ONE_EXP = [[3, 2, 1, "1"]]


def below_the_root(number: int) -> list[int]:
    return [(1 + u * u) % P for u in arguments(number)]


def rank_of(rows: list[tuple[bool, ...]]) -> int:
    """Return the rank modulo 2 of the differences of two rows of two bits to a first one."""
    differences = {tuple(x != y for x, y in zip(one, rows[0], strict=True)) for one in rows[1:]}
    differences.discard((False, False))
    return min(len(differences), 2)


def spanning(count: int, values: Any) -> list[list[int]]:
    """Return places at which the characters of two values span everything."""
    for numbers in itertools.combinations(range(20), count + 1):
        if rank_of([tuple(map(is_square, values(number))) for number in numbers]) == count:
            return [[0, number] for number in numbers]
    raise AssertionError("20 inputs have all characters")
