"""The conditions under which residues stand for exponentials, roots and gates, checked by ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .elementary import Evidence, Refuted, by_weights, numbers_of
from .interpreter import NoValue
from .limits import MOST_ORDER, MOST_STEPS, Refused
from .places import Place, Places
from .program import cost_of

__all__ = ["check_conditions"]

REAL_POINTS = 8
"""So many real inputs are tried for a value."""

DEAREST_INSTRUCTION = 10
"""An instruction costs about so many steps, however few entries its result has."""

DEAREST_PATTERN = 30
"""A real input costs about so many times as much as one modulo p."""


def check_conditions(places: Places) -> list[str]:
    """Say which conditions are not seen to hold at the claimed places.

    Raises
    ------
    Refused
        If this would take too long.
    """
    check_cost(places)
    found: list[str] = []
    for check in (real_points, exponents_and_roots):
        try:
            found += check(places)
        except Refuted as error:
            found.append(str(error))
    return found


def check_cost(places: Places) -> None:
    """Refuse what would take too many steps."""
    claims = places.elementary
    looked_at = sum(
        len(evidence.places)
        for exponents, roots in claims.conditions
        for evidence in (*roots, *([] if exponents is None else [exponents]))
    )
    real = len(claims.patterns) or REAL_POINTS
    steps = (looked_at + DEAREST_PATTERN * real) * (cost_of(places.program) + DEAREST_INSTRUCTION * len(places.program))
    order = count_of_exponents(places)
    if order > MOST_ORDER:
        raise Refused("elementary.conditions", f"about {order} exponents", f"about at most {MOST_ORDER}")
    if steps > MOST_STEPS:
        raise Refused("elementary.conditions", f"shown in {steps} steps", f"shown in at most {MOST_STEPS} steps")


def real_points(places: Places) -> Iterator[str]:
    """Compare the patterns of gates with those of real inputs; without gates look for one real value, which roots and
    logarithms need not have.
    """
    claims = places.elementary
    if claims.patterns:
        numbers = (n for n in range(len(claims.patterns) + len(claims.dropped)) if n not in claims.dropped)
        for number, claimed in zip(numbers, claims.patterns, strict=True):
            if places.points.pattern(number) != claimed:
                yield f"real input {number} has other gates"
    elif numbers_of(places.program, "sqrt", "log") and not any(map(places.points.has_value, range(REAL_POINTS))):
        yield f"the network has no value at {REAL_POINTS} real inputs"


def exponents_and_roots(places: Places) -> Iterator[str]:
    """Check both conditions for each different pattern of gates."""
    claims = places.elementary
    patterns: list[int] = list(dict.fromkeys(claims.patterns)) or [0]
    for pattern, (exponents, roots) in zip(patterns[: len(claims.conditions)], claims.conditions, strict=True):
        try:
            if exponents is not None:
                yield from wrong_exponents(places, pattern, exponents)
            for evidence in roots:
                yield from wrong_roots(places, pattern, evidence)
        except NoValue as error:
            yield f"at a place at which conditions are looked at: {error}"


def count_of_exponents(places: Places) -> int:
    """Return how many exponents and values of logarithms an input has, with the squares that error functions have."""
    program = places.program
    others = sum(entries_of(places, number) for number in numbers_of(program, "erf", "log"))
    return places.elementary.count_of_free + others


def entries_of(places: Places, number: int) -> int:
    """Return the number of entries of a result."""
    count = 1
    for size in places.program[number].shape:
        count *= size
    return count


def wrong_exponents(places: Places, pattern: int, evidence: Evidence) -> Iterator[str]:
    """Check that no combination of the exponents of an input is a function of the weights: their differences between
    places with the same weights have full rank.
    """
    count = count_of_exponents(places)
    given = differences_in(evidence)
    if given != count:
        yield f"{given} differences of {count} exponents are claimed to be independent"
        return
    matrix = places.field.zeros(count, count)
    row = total = 0
    for salted in by_weights(evidence.places).values():
        first: list[int] | None = None
        for one in salted:
            place = places.place(one, pattern)
            total += place.total
            seen = exponents_at(places, place)
            if first is None:
                first = seen
                continue
            for column in range(count):
                matrix[row, column] = (seen[column] - first[column]) % places.p
            row += 1
    determinant = int(matrix.det()) if count else 1
    if determinant == 0:
        yield f"{count} exponents of an input are not seen to be independent"
    elif determinant != evidence.determinant:
        yield f"the determinant of the differences of exponents is {determinant}, not {evidence.determinant}"
    yield from places.wrong_total("exponents", total, evidence.total)


def differences_in(evidence: Evidence) -> int:
    """Return how many places are compared with another one that has the same weights.

    Raises
    ------
    Refuted
        If some place is compared with none.
    """
    groups = by_weights(evidence.places)
    if any(len(group) == 1 for group in groups.values()):
        raise Refuted("a place at which a condition is looked at is the only one with its weights")
    return len(evidence.places) - len(groups)


def exponents_at(places: Places, place: Place) -> list[int]:
    """Return the exponents at a place: those that are no combinations of others, the squares of the arguments of error
    functions, and the values of logarithms.
    """
    found: list[int] = []
    for base, entries in sorted(places.elementary.free.items()):
        values = place.results[base].entries()
        found += [int(values[entry]) for entry in entries]
    for number in numbers_of(places.program, "erf"):
        found += [int(x) ** 2 for x in place.results[places.program[number].operands[0]].entries()]
    for number in numbers_of(places.program, "log"):
        found += [int(x) for x in place.results[number].entries()]
    return found


def wrong_roots(places: Places, pattern: int, evidence: Evidence) -> Iterator[str]:
    """Check that no product of the arguments of a root is a square times a function of the weights, or for a logarithm
    that no product of powers of its arguments, of those of logarithms before it and of exponentials before it is a
    function of the weights: their characters span all vectors of bits.
    """
    number = evidence.instruction
    count, given = count_of_factors(places, number), differences_in(evidence)
    if given != count:
        yield f"{given} differences of the characters of {count} arguments at instruction {number} are claimed"
        return
    rows: list[int] = []
    total = 0
    for salted in by_weights(evidence.places).values():
        seen = []
        for one in salted:
            place = places.place(one, pattern, number)
            factors = multiplied(places, place, number)
            total += place.total
            seen.append(bits_of_characters(factors, places.p))
        rows += [one ^ seen[0] for one in seen[1:]]
    if rank_of_bits(rows) < count:
        yield f"the characters of {len(rows)} places do not show that instruction {number} has independent arguments"
    yield from places.wrong_total(f"instruction {number}", total, evidence.total)


def count_of_factors(places: Places, number: int) -> int:
    """Return how many factors are looked at for a root or a logarithm."""
    program, claims = places.program, places.elementary
    if program[number].operation == "sqrt":
        return entries_of(places, number)
    bases = {one.base for other, one in claims.exponentials.items() if other < number}
    drawn = claims.count_of_free * bool(bases) if claims.tied else sum(entries_of(places, base) for base in bases)
    return drawn + sum(entries_of(places, one) for one in numbers_of(program, "log") if one <= number)


def multiplied(places: Places, place: Place, number: int) -> list[int]:
    """Return what must have no relation as products at a root or a logarithm."""
    program = places.program
    sources = [program[number].operands[0]]
    if program[number].operation == "log":
        sources = [program[one].operands[0] for one in numbers_of(program, "log") if one <= number]
    factors = [int(x) for source in sources for x in place.results[source].entries()]
    if program[number].operation == "log":
        factors += [residue for _, drawn in sorted(place.drawn.items()) for residue in drawn]
    return factors


def bits_of_characters(factors: Sequence[int], p: int) -> int:
    """Return which residues are squares, as bits."""
    bits = 0
    for factor in factors:
        character = pow(factor, (p - 1) // 2, p)
        if character not in (1, p - 1):
            raise NoValue("what a root or a logarithm is taken of is zero")
        bits = 2 * bits + (character == 1)
    return bits


def rank_of_bits(rows: Sequence[int]) -> int:
    """Return the rank of rows of bits."""
    pivots: dict[int, int] = {}
    for row in rows:
        while row:
            high = row.bit_length()
            if high not in pivots:
                pivots[high] = row
                break
            row ^= pivots[high]
    return len(pivots)
