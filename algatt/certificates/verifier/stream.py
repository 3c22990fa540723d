"""The random stream: SHAKE-256 of a seed and a label."""

from __future__ import annotations

import hashlib

__all__ = ["odd_numbers", "residues", "words"]


def words(seed: int, label: str, count: int) -> list[int]:
    """Return 64-bit words of the stream, the least significant byte first."""
    octets = hashlib.shake_256(f"algatt/1/{seed}/{label}".encode("ascii")).digest(8 * count)
    return [int.from_bytes(octets[i : i + 8], "little") for i in range(0, len(octets), 8)]


def residues(seed: int, label: str, count: int, p: int) -> list[int]:
    """Return residues modulo p: words below the largest multiple of p that is at most 2^64."""
    bound = 2**64 - 2**64 % p
    length = count
    while True:
        found = [word % p for word in words(seed, label, length) if word < bound]
        if len(found) >= count:
            return found[:count]
        length += count + 16


def odd_numbers(seed: int, label: str, count: int) -> list[int]:
    """Return odd numbers between -2^24 and 2^24, from the first 24 bits of each word."""
    return [2 * (word >> 40) + 1 - 2**24 for word in words(seed, label, count)]
