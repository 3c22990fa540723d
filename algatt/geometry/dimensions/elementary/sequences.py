"""Which sequences of tokens are looked at."""

from __future__ import annotations

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.base import draw_tokens
from algatt.errors import ConditionFailed
from algatt.geometry.dimensions.elementary.gates import gates_of_sequence
from algatt.maps.elementary.reading import Reading

__all__ = ["counts_of_sequences", "sequences_with_gates"]

SPARE = 8
"""So many more sequences are looked at than rows are needed."""

DRAWN = 4
"""So many times as many sequences are drawn as are looked at, until all tokens are there."""

AMONG = 4
"""Where there are gates, sequences are chosen among so many times as many."""

UNIT = 2**32
"""What an entry that was open n times is worth is about so much over n + 1: integers, equal everywhere."""


def sequences_with_gates(
    arch: Architecture, reading: Reading, seed: int, count: int
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the numbers of so many inputs, and their gates, all of them at the same real weights. What is behind a
    gate is seen where it is open: neurons and experts that few sequences have are in as many of them as can be.

    Raises
    ------
    ConditionFailed
        If no input has a value.
    """
    among = count * AMONG if reading.gates else count
    drawn = numbers_of_sequences(arch, seed, among if arch.sequences is None else min(arch.sequences, among))
    numbers, gates = with_real_values(arch, reading, seed, drawn)
    if len(numbers) > count and gates:
        tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
        there = (tokens[:, :, None] == np.unique(tokens)).any(axis=1)
        last = [values[..., -1].reshape(len(numbers), -1) > 0 for values in gates.values()]
        kept = evenly(np.concatenate([there, *last], axis=1), count)
        numbers, gates = numbers[kept], {number: values[kept] for number, values in gates.items()}
    return numbers, gates


def evenly(has: np.ndarray, count: int) -> np.ndarray:
    """Return so many rows that have all columns about equally often, as far as there are such, in an order in which the
    first ones do, too: ever the one that has the most of what is rare so far.
    """
    left = np.ones(len(has), dtype=bool)
    times = np.zeros(has.shape[1], dtype=np.int64)
    chosen = []
    for _ in range(count):
        worth = has @ (UNIT // (times + 1))
        worth[~left] = -1
        chosen.append(int(np.argmax(worth)))
        left[chosen[-1]] = False
        times += has[chosen[-1]]
    return np.array(chosen)


def numbers_of_sequences(arch: Architecture, seed: int, most: int) -> np.ndarray:
    """Return the numbers of the first inputs of the seed that are different sequences, those first that have a token
    which none before them has: of a token that is nowhere nothing is seen.
    """
    first: dict[tuple[int, ...], int] = {}
    seen: set[int] = set()
    new: set[int] = set()
    start = 0
    while len(first) < most or (len(seen) < (arch.vocabulary or 1) and start < DRAWN * most):
        for number, tokens in enumerate(draw_tokens(arch, seed, start, most).tolist(), start=start):
            first.setdefault(tuple(tokens), number)
            if not seen.issuperset(tokens):
                new.add(number)
            seen.update(tokens)
        start += most
    others = (number for number in first.values() if number not in new)
    return np.array(sorted([*sorted(new), *others][:most]))


def counts_of_sequences(arch: Architecture, rank: int) -> list[int]:
    """Return how many sequences are looked at for a rank: so many that they have half as many rows again, and each
    token three times more; then as many as have them for their last tokens alone; and twice as many as that, where some
    are left out.
    """
    vocabulary = arch.vocabulary or 1
    few = -(-3 * rank // (2 * arch.outputs)) + 3 * vocabulary // arch.input_shape[1] + 3
    many = -(-arch.parameters // arch.output_shape[0]) + 2 * vocabulary + SPARE
    counts = (min(few, many), max(few, many), 2 * max(few, many))
    return [count if arch.sequences is None else min(arch.sequences, count) for count in counts]


def with_real_values(
    arch: Architecture, reading: Reading, seed: int, numbers: np.ndarray
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the inputs with values at the same real weights, and the gates that these have there."""
    if not (reading.gates or reading.roots):
        return numbers, {}
    kept, found = [], []
    for number in numbers:
        one = gates_of_sequence(arch, reading, seed, int(number))
        if one is not None:
            kept.append(int(number))
            found.append(one)
    if not kept:
        raise ConditionFailed(f"none of {len(numbers)} inputs has a value at real weights")
    return np.array(kept), {gate: np.stack([one[gate] for one in found]) for gate in reading.gates}
