"""What certificates claim of exponentials, roots and gates modulo p: by what residues they are known, and the places at
which the conditions are seen to hold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program
from algatt.errors import ConditionFailed, MethodError
from algatt.fields import Elements, Erf, Log, PrimeField
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.elementary.dimension import places_of
from algatt.geometry.dimensions.elementary.gates import raw_tensors, reading_of
from algatt.geometry.dimensions.elementary.patterns import patterns_of
from algatt.geometry.dimensions.evidence import Minor
from algatt.linalg import RowSpace
from algatt.linalg.systems import sign
from algatt.maps.elementary.conditions import (
    BLOCK,
    IDLE,
    SPARE,
    entries_of,
    other_weights,
    side_by_side,
    size_of,
    spread,
)
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.elementary.reading import Reading
from algatt.parameters import Weights
from algatt.programs import Program

__all__ = ["elementary_claims", "has_elementary_claims"]

INPUTS = 1024
"""So many inputs are drawn at a time."""


def elementary_claims(report: DimensionReport) -> dict[str, Any]:
    """Return what a certificate claims of exponentials, roots and gates.

    Parameters
    ----------
    report : DimensionReport
        A dimension whose lower bound is a minor at places modulo p.

    Raises
    ------
    MethodError
        If the network reads tokens and has exponentials or roots; if it has roots, and the prime is not 3 modulo 4.
    """
    arch, evidence = report.architecture, report.evidence
    if evidence is None or evidence.lower.conditions is None:
        raise MethodError("there are no conditions in a report without residues for exponentials")
    field, seed = evidence.prime, evidence.seed
    if not has_elementary_claims(arch):
        raise MethodError("there are no certificates of networks that read tokens at places modulo p; take Balls()")
    reading = reading_of(arch)
    if reading.roots and field.p % 4 != 3:
        raise MethodError(f"there are no certificates with roots modulo {field.p}; take a prime that is 3 modulo 4")
    theta = verbs.sample(arch, Weights, field=field, seed=seed)
    columns = salted_columns(reading, arch.vocabulary is None)
    gates, dropped = gates_of_vectors(arch, reading, seed)
    looked_at = different(reading, gates) if reading.gated else [gates[0] if gates else {}]
    if not set(reading.functions) - set(reading.gates):
        looked_at = []
    inputs = sorted({row // arch.outputs for row in cast(Minor, evidence.lower.minor).rows})
    return {
        "kind": "inputs",
        "exponents": [
            [number, one.base, one.power, str(one.scale)] for number, one in sorted(reading.exponents.items())
        ],
        "ties": ties_of(reading),
        "places": claims_of_places(arch, theta, seed, inputs, reading, columns),
        "gates": {"dropped": dropped, "open": [bits_of(reading, one) for one in gates]},
        "conditions": [condition(reading, field, raw_tensors(theta), seed, one, columns) for one in looked_at],
        "rests_on": list(evidence.lower.conditions.rests_on),
    }


def has_elementary_claims(arch: Architecture) -> bool:
    """Return whether certificates can say what stands for the functions of a network modulo a prime: not where it reads
    tokens, so that the functions of different inputs depend on each other, and has more than gates.
    """
    return arch.vocabulary is None or not any(one.operation in FUNCTIONS for one in program(arch).instructions)


FUNCTIONS = ("exp", "sigmoid", "erf", "log", "sqrt")
"""Functions that are no gates."""


def ties_of(reading: Reading) -> dict[str, Any]:
    """Return which exponents are free, in the order of what is drawn for them, and which combinations others are."""
    if reading.ties is None:
        return {"free": [], "tied": []}
    scales = {one.base: one.scale for one in reading.exponents.values()}
    free: dict[int, tuple[int, int, Fraction]] = {}
    others: list[tuple[int, int]] = []
    for base in reading.bases:
        for entry, is_free in enumerate(reading.free_entries(base)):
            powers = reading.ties.powers[base][entry]
            if is_free:
                (j,) = np.flatnonzero(powers)
                free[int(j)] = base, entry, powers[j] / scales[base]
            else:
                others.append((base, entry))
    tied = []
    for base, entry in others:
        row: list[int | str] = [base, entry]
        for j in np.flatnonzero(reading.ties.powers[base][entry]):
            row += [int(j), str(reading.ties.powers[base][entry][j] / scales[base] / free[int(j)][2])]
        tied.append(row)
    return {"free": [[base, entry] for _, (base, entry, _) in sorted(free.items())], "tied": tied}


def salted_columns(reading: Reading, vectors: bool) -> dict[int, int]:
    """Return what is drawn anew before roots, with the numbers of columns."""
    before: set[int] = set()
    for number in range(len(reading.program) - 1, -1, -1):
        if number in reading.roots or number in before:
            before.update(reading.program.instructions[number].operands)
    keys: dict[int, int] = {}
    for number in before:
        if number in reading.exponents or isinstance(reading.functions.get(number), Erf | Log):
            keys[reading.draw(number)] = (1, *reading.size_of_draw(reading.draw(number), "exp"))[-1]
        elif number == reading.input and vectors:
            keys[number] = (1, *reading.program.instructions[number].shape)[-1]
    return dict(sorted(keys.items()))


def salts_of(drawing: Drawing, columns: Mapping[int, int], row: int) -> list[int]:
    """Return how often each column was drawn anew at a place; nothing if none was."""
    salts: list[int] = []
    for key, width in columns.items():
        salts += drawing.salts[key][row].tolist() if key in drawing.salts else [0] * width
    return salts if any(salts) else []


def total_of(drawing: Drawing, columns: Mapping[int, int], row: int) -> int:
    """Return the sum of the residues of a place that are known by what is drawn anew; densities never are."""
    total = 0
    for name, drawn in drawing.drawn.items():
        kind, _, key = name.partition("/")
        if int(key) in columns and kind != "density":
            total += sum(map(int, drawn[row].ravel().tolist()))
    return total


def claims_of_places(
    arch: Architecture,
    theta: Weights,
    seed: int,
    inputs: Sequence[int],
    reading: Reading,
    columns: Mapping[int, int],
) -> dict[str, Any]:
    """Return the salts of the inputs in the minor, and the sum of the residues of these places."""
    p, salts, total = theta.field.characteristic, [], 0
    if reading.roots:
        step = block_of(reading)
        for start in range(0, len(inputs), step):
            numbers = np.array(inputs[start : start + step])
            drawing = places_of(arch, theta, seed, numbers)
            if not drawing.alive.all():
                raise ConditionFailed("an input in the minor has no place any more")
            for row, number in enumerate(numbers.tolist()):
                if salted := salts_of(drawing, columns, row):
                    salts.append([number, *salted])
                    total += total_of(drawing, columns, row)
    return {"salts": salts, "sum": total % p}


def block_of(reading: Reading) -> int:
    """Return how many inputs are drawn at a time."""
    size = sum(size_of(reading, number) for number in range(len(reading.program)))
    return min(INPUTS, max(1, BLOCK // size))


def gates_of_vectors(arch: Architecture, reading: Reading, seed: int) -> tuple[list[dict[int, np.ndarray]], list[int]]:
    """Return the patterns of gates that vectors have, and the numbers of the real inputs between those that have
    them.
    """
    if not reading.gates or arch.vocabulary is not None:
        return [], []
    patterns = patterns_of(arch, seed)
    count = len(patterns.numbers)
    gates = [{gate: values[which] for gate, values in patterns.gates.items()} for which in range(count)]
    return gates, np.setdiff1d(np.arange(patterns.numbers[-1]), patterns.numbers).tolist()


def different(reading: Reading, gates: list[dict[int, np.ndarray]]) -> list[dict[int, np.ndarray]]:
    """Return the different ones among patterns, in the order in which they are first there."""
    found: dict[str, dict[int, np.ndarray]] = {}
    for one in gates:
        found.setdefault(bits_of(reading, one), one)
    return list(found.values())


def bits_of(reading: Reading, gates: Mapping[int, np.ndarray]) -> str:
    """Return gates as hexadecimal digits, the first one being the highest bit."""
    bits = "".join(str(int(entry)) for gate in reading.gates for entry in gates[gate].ravel())
    return f"{int(bits, 2):0{-(-len(bits) // 4)}x}"


def condition(
    reading: Reading,
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    gates: Mapping[int, np.ndarray],
    columns: Mapping[int, int],
) -> dict[str, Any]:
    """Return the places at which the conditions are seen to hold."""
    point = Point(reading, field, tensors, seed, gates, columns)
    multiplied = sorted((*reading.roots, *reading.logarithms))
    return {"exponents": exponents_at(point), "roots": [root_at(point, number) for number in multiplied]}


@dataclasses.dataclass(frozen=True, eq=False)
class Point:
    """Where conditions are looked at: some weights and gates."""

    reading: Reading
    field: PrimeField
    tensors: Mapping[str, np.ndarray]
    seed: int
    gates: Mapping[int, np.ndarray]
    columns: Mapping[int, int]

    def drawings(self, count: int) -> list[Drawing]:
        """Draw places for inputs, a part of them at a time."""
        step = block_of(self.reading)
        return [
            Drawing(self.reading, self.field, self.tensors, self.seed, numbers, spread(self.gates, len(numbers)))
            for start in range(0, count, step)
            for numbers in [np.arange(start, min(start + step, count))]
        ]


def exponents_at(point: Point) -> dict[str, Any] | None:
    """Return places between which the differences of exponents have full rank, with their determinant; None if there
    are no exponents.
    """
    reading, field = point.reading, point.field
    order = sum(int(reading.free_entries(base).sum()) for base in reading.bases)
    order += sum(size_of(reading, number) for number in (*reading.error_functions, *reading.logarithms))
    if not (reading.bases or reading.error_functions or reading.logarithms):
        return None
    space = RowSpace(field, order)
    places: list[list[int]] = []
    weights = idle = total = 0
    count = order + SPARE
    while space.rank < order and idle < IDLE:
        if weights:
            tensors = other_weights(reading, field, point.seed, weights)
            point = dataclasses.replace(point, tensors=tensors)
        values, rows, sums = [], [], []
        for drawing in point.drawings(count):
            values.append(exponents_of(drawing)[drawing.alive])
            for row in np.flatnonzero(drawing.alive).tolist():
                rows.append([weights, int(drawing.numbers[row]), *salts_of(drawing, point.columns, row)])
                sums.append(total_of(drawing, point.columns, row))
        seen = np.concatenate(values)
        differences = verbs.add(field, seen[1:], verbs.negate(field, seen[:1]))
        before, first = space.rank, space.rows
        gained = space.add(Elements(field, differences))
        if gained:
            chosen = [0, *(row - first + 1 for row in space.pivot_rows[before:])]
            places += [rows[one] for one in chosen]
            total += sum(sums[one] for one in chosen)
        weights, idle = weights + 1, 0 if gained else idle + 1
        count = min(count, gained + SPARE)
    if space.rank < order:
        raise ConditionFailed(f"{order - space.rank} of {order} exponents depend on the others")
    determinant = space.determinant * sign(np.array(space.pivot_columns, dtype=np.int64)) % field.p
    return {"determinant": int(determinant), "places": places, "sum": total % field.p}


def exponents_of(drawing: Drawing) -> np.ndarray:
    """Return the exponents at places: those of bases, the squares of the arguments of error functions, and the values
    of logarithms.
    """
    reading, field = drawing.reading, drawing.field
    parts = [entries_of(reading, base, drawing.results[base]) for base in reading.bases]
    for number in reading.error_functions:
        argument = drawing.results[reading.source(number)]
        parts.append(verbs.multiply(field, argument, argument))
    parts += [drawing.results[number] for number in reading.logarithms]
    return side_by_side(parts, len(drawing.numbers))


def root_at(point: Point, number: int) -> dict[str, Any]:
    """Return places before a root or a logarithm at which the characters of its arguments span all vectors of bits, and
    the sum of their residues.
    """
    reading, p = before(point.reading, number), point.field.p
    source = point.reading.source(number)
    logarithm = number in point.reading.logarithms
    values, rows, sums = [], [], []
    columns: list[np.ndarray] = []
    count = size_of(point.reading, source) + SPARE
    if logarithm:
        count += sum(size_of(point.reading, one) for one in (*reading.logarithms, *reading.bases))
    for drawing in dataclasses.replace(point, reading=reading).drawings(count):
        columns = [drawing.results[source]]
        if logarithm:
            columns += [drawing.results[reading.source(one)] for one in reading.logarithms]
            columns += [drawn for name, drawn in drawing.drawn.items() if name.startswith("exp/")]
        factors = side_by_side(
            [np.broadcast_to(one, (len(drawing.numbers), *one.shape[-2:])) for one in columns], len(drawing.numbers)
        )
        alive = drawing.alive & (factors != 0).all(axis=1)
        values.append(factors[alive])
        for row in np.flatnonzero(alive).tolist():
            rows.append([0, int(drawing.numbers[row]), *salts_of(drawing, point.columns, row)])
            sums.append(total_of(drawing, point.columns, row))
    factors = np.concatenate(values)
    bits = np.array([[pow(int(x), (p - 1) // 2, p) == 1 for x in row] for row in factors], dtype=np.float64)
    two = PrimeField(2)
    space = RowSpace(two, factors.shape[1])
    space.add(Elements(two, verbs.add(two, bits[1:], bits[:1])))
    if space.rank < factors.shape[1]:
        raise ConditionFailed(f"the characters of {len(factors)} places have a rank below {factors.shape[1]}")
    chosen = [0, *(row + 1 for row in space.pivot_rows)]
    return {
        "instruction": number,
        "places": [rows[row] for row in chosen],
        "sum": sum(sums[row] for row in chosen) % p,
    }


def before(reading: Reading, number: int) -> Reading:
    """Return the part of a program before an instruction."""
    return dataclasses.replace(
        reading,
        program=Program(reading.program.instructions[:number]),
        functions={one: function for one, function in reading.functions.items() if one < number},
        exponents={one: exponent for one, exponent in reading.exponents.items() if one < number},
        varying=frozenset(one for one in reading.varying if one < number),
    )
