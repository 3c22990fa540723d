"""The stream from which every random choice is drawn: the same on every platform and for every version of numpy.

The stream named by a seed and a label is the output of SHAKE-256 on the ASCII text ``algatt/1/<seed>/<label>``, read as
64-bit words with the least significant byte first. A residue modulo p is a word w < p * floor(2^64 / p), the other
words being skipped, reduced modulo p: exactly uniform if the words are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from algatt.arguments import is_integer
from algatt.errors import PLAIN, InvalidArgument, in_words


def check_seed(seed: object, argument: str = "seed") -> int:
    """Return `seed` as an int, or raise `InvalidArgument` unless it is an integer >= 0."""
    if not is_integer(seed) or seed < 0:
        why = ": a certificate must be able to name its point, and no generator has a name"
        raise InvalidArgument(argument, in_words(seed), f"an integer >= 0{'' if isinstance(seed, PLAIN) else why}")
    return int(seed)


def random_words(seed: int, label: str, count: int) -> np.ndarray:
    """Return the first `count` 64-bit words of the stream (seed, label), as uint64."""
    return words_of_bytes(random_bytes(check_seed(seed), label, count))


def random_bytes(seed: int, label: str, count: int) -> bytes:
    """Return the bytes of the first `count` words of the stream (seed, label)."""
    try:
        return hashlib.shake_256(f"algatt/1/{seed}/{label}".encode("ascii")).digest(8 * count)
    except OverflowError:  # more bytes than an address has
        raise MemoryError(f"{count} random words have no room") from None


def words_of_bytes(content: bytes) -> np.ndarray:
    """Return the words that bytes are, as uint64."""
    return np.frombuffer(content, dtype="<u8").astype(np.uint64)


def random_residues(seed: int, label: str, count: int, p: int) -> np.ndarray:
    """Return the first `count` residues modulo `p` of the stream (seed, label), as uint64."""
    limit = p * (2**64 // p)
    length = count
    while True:
        words = random_words(seed, label, length)
        kept = words if limit == 2**64 else words[words < np.uint64(limit)]
        if len(kept) >= count:
            return kept[:count] % np.uint64(p)
        length = 2 * length + 8


def random_residues_of_labels(seed: int, labels: Sequence[str], count: int, p: int) -> np.ndarray:
    """Return the first `count` residues modulo `p` of the stream of each label, of shape (labels, count), as uint64.

    They are those of `random_residues`, in a quarter of its time where they are few of each.
    """
    check_seed(seed)
    words = words_of_bytes(b"".join(random_bytes(seed, label, count) for label in labels)).reshape(len(labels), count)
    residues: np.ndarray = words % np.uint64(p)
    least_skipped = p * (2**64 // p)
    if least_skipped < 2**64:
        for row in np.flatnonzero((words >= np.uint64(least_skipped)).any(axis=1)):
            residues[row] = random_residues(seed, labels[int(row)], count, p)
    return residues
