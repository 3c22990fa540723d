"""The conditions under which residues stand for exponentials and roots, checked: each by a rank.

The theorem and its proof are on the theory page "Exponentials, roots and gates modulo p".
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import ConditionFailed
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.reading import ChoosingProgram

SPARE = 24
"""So many more inputs than entries are looked at: random characters miss their rank with a probability of 2^-24."""

BLOCK = 2**23
"""About so many numbers are held at a time."""

IDLE = 2
"""So many weights in a row have to add nothing before a condition is said to fail."""

ERF = "erf not being elementary (Liouville, Ostrowski 1946)"
"""What answers rest on where there are error functions."""


class ExponentsDepend(ConditionFailed):
    """Raised where condition (E) was not found to hold: exponents may be tied."""


@dataclass(frozen=True)
class Conditions:
    """What was checked, for one input of a network, so that residues stand for its functions.

    Parameters
    ----------
    exponents : int
        The number of different exponents of an input, -u^2 for each erf(u) among them: they are linearly independent
        over Q modulo functions of the weights alone (condition E).
    weights : int
        At so many weights their differences between inputs were looked at.
    roots : int
        The number of square roots and logarithms of an input: no product of some of what they are taken of is a square
        times a function of the weights alone (condition S).
    inputs : int
        So many inputs were looked at, at each of the weights; where one of these does for exponents, as many as do.
    gates : int
        The number of patterns of gates, each that of a real point; 0 without gates.
    rests_on : tuple of str
        Theorems without which nothing is said, and whose hypotheses were not checked.
    left_out : int
        So many patterns of gates were left out, since a condition fails with them.
    """

    exponents: int = 0
    weights: int = 0
    roots: int = 0
    inputs: int = 0
    gates: int = 0
    rests_on: tuple[str, ...] = ()
    left_out: int = 0

    def __str__(self) -> str:
        said = []
        if self.exponents:
            said.append(f"{self.exponents} exponents of an input are independent over Q")
        if self.roots:
            said.append(f"no product of {self.roots} arguments of roots is a square")
        if self.gates:
            without = f"; {self.left_out} others fail a condition" if self.left_out else ""
            said.append(f"gates are those of {self.gates} real inputs{without}")
        return "; ".join([*said, *(f"rests on {theorem}" for theorem in self.rests_on)]) or "none are needed"


def check_conditions(
    reading: ChoosingProgram,
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    gates: Mapping[int, np.ndarray],
) -> Conditions:
    """Check conditions (E) and (S) for the functions of one input.

    Parameters
    ----------
    reading : Reading
        The program.
    field : PrimeField
        Where the ranks are taken: what is independent there is over Q.
    tensors : mapping of str to ndarray
        The first weights that are looked at, raw.
    seed : int
        Names the inputs, and further weights.
    gates : mapping of int to ndarray
        The values of the gates for one input.

    Raises
    ------
    ConditionFailed
        If one was not found to hold.
    """
    sizes = [int(reading.free_entries(number).sum()) for number in (*reading.bases, *reading.error_functions)]
    roots = [size_of(reading, number) for number in (*reading.roots, *reading.logarithms)]
    if not sizes and not roots:
        return Conditions()
    linear = [*sizes, *(size_of(reading, number) for number in reading.logarithms)]
    joint = sum(sizes) + sum(roots) if reading.logarithms else 0
    count = max(sum(sizes), *roots, joint) + SPARE if roots else sum(sizes) + SPARE
    seen = observe(reading, field, tensors, seed, gates, count, check=True)
    for number in (*reading.roots, *reading.logarithms):
        check_characters(reading, number, seen.characters[number])
    space = RowSpace(field, sum(linear))
    inputs = weights = idle = 0
    while space.rank < sum(linear) and idle < IDLE:
        if weights:
            tensors = other_weights(reading, field, seed, weights)
            seen = observe(reading, field, tensors, seed, gates, count)
        inputs = max(inputs, count)
        differences = verbs.add(field, seen.exponents[1:], verbs.negate(field, seen.exponents[:1]))
        gained = space.add(Elements(field, differences))
        if not weights and space.rank == sum(linear):  # so many did
            inputs = int(seen.numbers[space.pivot_rows[-1] + 1]) + 1
        weights, idle = weights + 1, 0 if gained else idle + 1
        count = min(count, gained + SPARE)
    if space.rank < sum(linear):
        raise ExponentsDepend(dependent_in_words(reading, linear, space))
    return Conditions(
        exponents=sum(sizes),
        weights=max(weights, 1),
        roots=sum(roots),
        inputs=inputs or count,
        rests_on=(ERF,) if reading.error_functions else (),
    )


@dataclass(frozen=True, eq=False)
class Observation:
    """What is looked at, at the inputs that have a place.

    Parameters
    ----------
    exponents : ndarray
        The exponents and the values of logarithms, of shape (inputs, their number).
    numbers : ndarray
        The numbers of these inputs.
    characters : dict of int to ndarray
        For each root and each logarithm what `DrawnValues` has.
    """

    exponents: np.ndarray
    numbers: np.ndarray
    characters: dict[int, np.ndarray]


def observe(
    reading: ChoosingProgram,
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    gates: Mapping[int, np.ndarray],
    count: int,
    *,
    check: bool = False,
) -> Observation:
    """Look at so many inputs, a part of them at a time.

    With `check` and where one part is all, condition (S) is checked before residues are drawn anew for a root: they may
    never do.
    """
    size = sum(size_of(reading, number) for number in range(len(reading.program)))
    step = max(1, BLOCK // size)
    exponents, alive = [], []
    characters: dict[int, list[np.ndarray]] = {number: [] for number in (*reading.roots, *reading.logarithms)}
    for start in range(0, count, step):
        numbers = np.arange(start, min(start + step, count))
        arrived = functools.partial(check_characters, reading) if check and len(numbers) == count else None
        place = DrawnValues(reading, field, tensors, seed, numbers, spread(gates, len(numbers)), arrived=arrived)
        columns = [entries_of(reading, base, place.results[base]) for base in reading.bases]
        for number in reading.error_functions:
            argument = place.results[reading.source(number)]
            columns.append(verbs.multiply(field, argument, argument))
        columns += [place.results[number] for number in reading.logarithms]
        exponents.append(side_by_side(columns, len(numbers))[place.alive])
        alive.append(numbers[place.alive])
        for number, found in characters.items():
            found.append(place.characters[number])
    values = np.concatenate(exponents)
    if not len(values):
        raise ConditionFailed("at all inputs that were drawn a denominator vanishes, or a root does not exist")
    joined = {number: np.concatenate(found) for number, found in characters.items()}
    return Observation(values, np.concatenate(alive), joined)


def entries_of(reading: ChoosingProgram, base: int, raw: np.ndarray) -> np.ndarray:
    """Return the exponents of a base that are no combinations of others, for each input."""
    return raw.reshape(len(raw), -1)[:, reading.free_entries(base)]


def side_by_side(arrays: list[np.ndarray], count: int) -> np.ndarray:
    """Return the entries of several results for each input."""
    return np.concatenate([np.zeros((count, 0)), *(raw.reshape(count, -1) for raw in arrays)], axis=1)


def size_of(reading: ChoosingProgram, number: int) -> int:
    """Return the number of entries of a result."""
    return int(np.prod(reading.program.instructions[number].shape))


def spread(gates: Mapping[int, np.ndarray], count: int) -> dict[int, np.ndarray]:
    """Return the values of gates of one input for each of several."""
    return {number: np.broadcast_to(value, (count, *value.shape)) for number, value in gates.items()}


def other_weights(reading: ChoosingProgram, field: PrimeField, seed: int, number: int) -> dict[str, np.ndarray]:
    """Draw further weights."""
    return {
        name: verbs.draw_array(field, shape=shape, seed=seed, label=f"condition/{number}/{name}")
        for name, shape in reading.program.tensors.items()
    }


def check_characters(reading: ChoosingProgram, number: int, characters: np.ndarray) -> None:
    """Check condition (S) at a root or a logarithm."""
    if number in reading.roots:
        check_squares(reading, number, characters)
    else:
        check_products(reading, number, characters)


def check_squares(reading: ChoosingProgram, number: int, characters: np.ndarray) -> None:
    """Check condition (S) for the roots of one instruction, those before it being there."""
    known = characters[(characters >= 0).all(axis=1)]
    entries = characters.shape[1]
    if rank_modulo_two(known[1:] ^ known[:1]) < entries:
        one = reading.program.instructions[number]
        raise ConditionFailed(
            f"a product of arguments of {one.operation}, of shape {one.shape}, may be a square times a function of the "
            f"weights: the characters of {len(known)} inputs have a rank below {entries}"
        )


def check_products(reading: ChoosingProgram, number: int, characters: np.ndarray) -> None:
    """Check that the arguments of a logarithm, those of the logarithms before it and the exponentials before it are
    multiplicatively independent modulo functions of the weights: a primitive relation would show modulo squares.
    """
    known = characters[(characters >= 0).all(axis=1)]
    if rank_modulo_two(known[1:] ^ known[:1]) < characters.shape[1]:
        raise ConditionFailed(
            f"a product of powers of the arguments of log, of shape {reading.program.instructions[number].shape}, and "
            f"of what was drawn before may be a function of the weights: the characters of {len(known)} inputs have a "
            f"rank below {characters.shape[1]}"
        )


def rank_modulo_two(bits: np.ndarray) -> int:
    """Return the rank of a matrix of bits."""
    space = RowSpace(PrimeField(2), bits.shape[1])
    if len(bits):
        space.add(Elements(PrimeField(2), bits.astype(np.float64)))
    return space.rank


def dependent_in_words(reading: ChoosingProgram, sizes: list[int], space: RowSpace) -> str:
    """Say which exponents depend on others."""
    free = np.setdiff1d(np.arange(sum(sizes)), space.pivot_columns)
    ends = np.cumsum(sizes)
    numbers = (*reading.bases, *reading.error_functions, *reading.logarithms)
    named = sorted({int(np.searchsorted(ends, column, side="right")) for column in free})
    shapes = ", ".join(
        f"{' x '.join(map(str, reading.program.instructions[numbers[k]].shape))} (line {numbers[k]} of the program)"
        for k in named
    )
    return (
        f"{sum(sizes) - space.rank} of {sum(sizes)} exponents depend on the others linearly, as far as is seen modulo "
        f"p: among those of shape {shapes}"
    )
