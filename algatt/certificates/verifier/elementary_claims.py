"""What a certificate claims of exponentials, roots and gates, read and compared with the program."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .claims import Network, fields_of
from .elementary import ERF, Elementary, Evidence, Exponential, Refuted, Salted, Salts, count_of, numbers_of
from .identities import Term, is_identity
from .limits import MOST_BITS, Refused, in_a_line, whole_number
from .program import Instruction

__all__ = ["read_elementary"]

MOST_PATTERNS = 1024
"""So many patterns of gates are read."""

MOST_PLACES = 2**16
"""So many places are read, in one list."""

LARGEST_POWER = 2**MOST_BITS
"""Powers of exponentials are at most so large: where scores are divided by a float they are long."""

STRUCTURE_OF_ELEMENTARY = {
    "kind": str,
    "exponents": list,
    "ties": dict,
    "places": dict,
    "gates": dict,
    "conditions": list,
    "rests_on": list,
}


def read_elementary(network: Network, claims: Any) -> Elementary:
    """Read what a certificate claims of exponentials, roots and gates.

    Raises
    ------
    Refused
        If the claims are not of the form that they should have.
    Refuted
        If they are not so by the program: an exponent that is no such multiple, a tie that is not proved.
    """
    fields_of("elementary", claims, STRUCTURE_OF_ELEMENTARY)
    program = network.program
    if claims["kind"] != "inputs":
        raise Refused("elementary.kind", in_a_line(claims["kind"]), "'inputs', whose entries are variables")
    functions = numbers_of(program, "exp", "sigmoid", "erf", "log", "sqrt")
    if network.tokens and functions:
        raise Refused("elementary", "about exponents and roots of tokens, which are no variables", "about vectors")
    exponentials = read_exponentials(program, claims["exponents"])
    free, powers = read_ties(program, exponentials, claims["ties"])
    draws = draws_before_roots(network, exponentials, bool(powers))
    fields_of("elementary.places", claims["places"], {"salts": list, "sum": int})
    salts = read_salts(claims["places"]["salts"], draws)
    total = whole_number("elementary.places.sum", claims["places"]["sum"])
    patterns, dropped = read_gates(network, claims["gates"])
    conditions = tuple(
        read_condition(f"elementary.conditions[{n}]", one, program, draws)
        for n, one in enumerate(list_of("elementary.conditions", claims["conditions"], MOST_PATTERNS))
    )
    expected = len(set(patterns)) if is_gated(program) and patterns else int(bool(functions))
    if len(conditions) != expected:
        raise Refuted(f"conditions are shown for {len(conditions)} patterns of gates, where there are {expected}")
    rests_on = [ERF] if numbers_of(program, "erf") else []
    if claims["rests_on"] != rests_on:
        raise Refuted(f"the proof rests on {rests_on}, not on {in_a_line(claims['rests_on'])}")
    return Elementary(exponentials, free, powers, draws, salts, total, patterns, dropped, conditions, tuple(rests_on))


def list_of(name: str, value: Any, most: int) -> list[Any]:
    """Return a value that is a list, and not too long."""
    if not isinstance(value, list) or len(value) > most:
        raise Refused(name, in_a_line(value), f"a list of at most {most}")
    return value


def fraction_of(name: str, value: Any) -> Fraction:
    """Read a fraction in lowest terms, given as text."""
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,700}(/[0-9]{1,700})?", value):
        raise Refused(name, in_a_line(value), "a fraction as text")
    parts = value.split("/")
    if (len(parts) == 2 and not int(parts[1])) or str(Fraction(value)) != value:
        raise Refused(name, value, "a fraction in lowest terms")
    return Fraction(value)


def read_exponentials(program: Sequence[Instruction], claims: Any) -> dict[int, Exponential]:
    """Read by what all exponentials and logistic functions are known, and find it so by the program."""
    found: dict[int, Exponential] = {}
    scales: dict[int, Fraction] = {}
    for n, row in enumerate(list_of("elementary.exponents", claims, len(program))):
        name = f"elementary.exponents[{n}]"
        if len(list_of(name, row, 4)) != 4:
            raise Refused(name, in_a_line(row), "an instruction, its base, a power and a scale")
        number, base = (whole_number(name, value, 0, len(program) - 1) for value in row[:2])
        one = Exponential(base, whole_number(name, row[2], -LARGEST_POWER, LARGEST_POWER), fraction_of(name, row[3]))
        if number in found or program[number].operation not in ("exp", "sigmoid"):
            raise Refuted(f"instruction {number} is no exponential, or is there twice")
        if factor_between(program, program[number].operands[0], base) != one.power * one.scale:  # which is not 0
            raise Refuted(f"the exponent of instruction {number} is not {one.power} times {one.scale} times %{base}")
        if scales.setdefault(base, one.scale) != one.scale:
            raise Refuted(f"the exponents of %{base} have the scales {scales[base]} and {one.scale}")
        found[number] = one
    if tuple(found) != numbers_of(program, "exp", "sigmoid"):
        raise Refuted("the exponents are not those of all exponentials, in order")
    return found


def factor_between(program: Sequence[Instruction], number: int, base: int) -> Fraction | None:
    """Return which multiple of the result of one instruction that of another one is, by negations and by products with
    numbers; None if it is none.
    """
    factor = Fraction(1)
    while number > base:
        one = program[number]
        if one.operation == "negate":
            number, factor = one.operands[0], -factor
        elif one.operation == "multiply":
            left, right = one.operands
            if (value := same_number(program[left])) is None or program[right].shape != one.shape:
                left, right = right, left
                value = same_number(program[left])
            if value is None or program[right].shape != one.shape:
                return None
            number, factor = right, factor * value
        else:
            return None
    return factor if number == base else None


def same_number(one: Instruction) -> Fraction | None:
    """Return the entry of a constant all of whose entries are the same, and not 0."""
    if one.operation != "constant" or len(set(one.argument)) != 1 or not one.argument[0]:
        return None
    return Fraction(one.argument[0])


def read_ties(
    program: Sequence[Instruction], exponentials: Mapping[int, Exponential], claims: Any
) -> tuple[dict[int, tuple[int, ...]], dict[int, list[dict[int, int]]]]:
    """Read which exponents are combinations of others, and prove it.

    Returns
    -------
    tuple
        For each base the entries that are not; and for each entry the powers of what is drawn for these, empty if there
        are no ties.
    """
    fields_of("elementary.ties", claims, {"free": list, "tied": list})
    scales = {one.base: one.scale for one in exponentials.values()}
    bases = sorted(scales)
    every = [(base, entry) for base in bases for entry in range(count_of(program[base]))]
    tied = list_of("elementary.ties.tied", claims["tied"], len(every))
    if not tied:
        if claims["free"] != []:
            raise Refused("elementary.ties.free", in_a_line(claims["free"]), "empty without ties")
        return {base: tuple(range(count_of(program[base]))) for base in bases}, {}
    if len(every) > MOST_TIED:
        raise Refused("elementary.ties", f"among {len(every)} exponents", f"among at most {MOST_TIED}")
    free = [
        entry_of_base("elementary.ties.free", row)
        for row in list_of("elementary.ties.free", claims["free"], len(every))
    ]
    rows: dict[tuple[int, int], dict[int, Fraction]] = {one: {j: Fraction(1)} for j, one in enumerate(free)}
    relations = []
    for n, row in enumerate(tied):
        name = f"elementary.ties.tied[{n}]"
        one = entry_of_base(name, list_of(name, row, 2 + 2 * len(free))[:2])
        if len(row) % 2:
            raise Refuted(f"{name} has a half of a term")
        terms = {
            whole_number(name, row[k], 0, len(free) - 1): fraction_of(name, row[k + 1]) for k in range(2, len(row), 2)
        }
        if len(terms) != len(row) // 2 - 1 or not all(terms.values()):
            raise Refuted(f"{name} has a term twice, or one that is 0")
        rows[one] = terms
        relations.append((one, terms))
    if sorted(rows) != every or len(rows) != len(free) + len(tied):
        raise Refuted("the ties are not about all exponents, each once")
    budget = [MOST_PRODUCTS]
    for one, terms in relations:
        relation: list[Term] = [(*one, Fraction(-1)), *((*free[j], value) for j, value in terms.items())]
        if not is_identity(program, relation, budget):
            raise Refuted(f"entry {one[1]} of %{one[0]} is not proved to be the combination of others that is claimed")
    total: list[dict[int, Fraction]] = [
        {j: value * scales[base] for j, value in rows[base, entry].items()} for base, entry in every
    ]
    common = [math.lcm(*(row[j].denominator for row in total if j in row)) for j in range(len(free))]
    powers: dict[int, list[dict[int, int]]] = {base: [] for base in bases}
    for (base, _), row in zip(every, total, strict=True):
        integers = {j: value * common[j] for j, value in row.items()}
        if any(abs(value) > LARGEST_POWER for value in integers.values()):
            raise Refused("elementary.ties", "with powers that are too large", "with small fractions")
        powers[base].append({j: int(value) for j, value in integers.items()})
    return {base: tuple(sorted(entry for other, entry in free if other == base)) for base in bases}, powers


MOST_TIED = 1024
"""Ties are read among so many exponents at most."""

MOST_PRODUCTS = 3 * 10**7
"""So many products of terms are expanded in all, of which a million takes about a second."""


def entry_of_base(name: str, row: Any) -> tuple[int, int]:
    """Read the number of an instruction, and of an entry."""
    if len(list_of(name, row, 2)) != 2:
        raise Refused(name, in_a_line(row), "an instruction and an entry")
    return whole_number(name, row[0], 0, 2**31), whole_number(name, row[1], 0, 2**31)


def draws_before_roots(network: Network, exponentials: Mapping[int, Exponential], tied: bool) -> dict[int, int]:
    """Return by what the residues are known on which a root depends, and how many columns of them have a salt each: one
    if exponents are tied, as what is drawn are the entries of one column.
    """
    program = network.program
    before: set[int] = set()
    for number in range(len(program) - 1, -1, -1):
        if program[number].operation == "sqrt" or number in before:
            before.update(program[number].operands)
    found: dict[int, int] = {}
    key_of_ties = min((one.base for one in exponentials.values()), default=-1)
    for number in sorted(before):
        one = program[number]
        if number in exponentials:
            key = key_of_ties if tied else exponentials[number].base
            width = 1 if tied else columns_of(program[key])
        elif one.operation in ("erf", "log") or (one.operation == "input" and not network.tokens):
            key, width = number, columns_of(one)
        else:
            continue
        if found.setdefault(key, width) != width:
            raise Refused("elementary.ties", "among exponents that are the entries of the input", "among others")
    return dict(sorted(found.items()))


def columns_of(one: Instruction) -> int:
    """Return the number of columns of a result."""
    return (1, *one.shape)[-1]


def read_salts(claims: Any, draws: Mapping[int, int]) -> dict[int, Salts]:
    """Read which residues of the inputs in the minor were drawn anew."""
    found: dict[int, Salts] = {}
    for n, row in enumerate(list_of("elementary.places.salts", claims, MOST_PLACES)):
        place = read_place(f"elementary.places.salts[{n}]", [0, *row] if isinstance(row, list) else row, draws)
        if not place.salts or place.number <= max(found, default=-1):
            raise Refused(
                "elementary.places.salts", in_a_line(row), "in the order of inputs, with salts that are not 0"
            )
        found[place.number] = place.salts
    return found


def read_place(name: str, row: Any, draws: Mapping[int, int]) -> Salted:
    """Read a place: the number of weights, of an input, and salts unless all are 0."""
    count = sum(draws.values())
    values = [whole_number(name, value) for value in list_of(name, row, 2 + count)]
    if len(values) not in (2, 2 + count) or (len(values) > 2 and not any(values[2:])):
        raise Refused(
            name, in_a_line(row), f"the numbers of weights and of an input, and {count} salts unless all are 0"
        )
    return Salted(values[0], values[1], tuple(values[2:]))


def read_gates(network: Network, claims: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read the patterns of gates, as bits, and which real inputs have none."""
    fields_of("elementary.gates", claims, {"dropped": list, "open": list})
    program = network.program
    gates = numbers_of(program, "positive", "largest")
    bits = sum(count_of(program[number]) for number in gates)
    digits = -(-bits // 4)
    texts = list_of("elementary.gates.open", claims["open"], MOST_PATTERNS)
    if (bool(gates) and not network.tokens) != bool(texts):
        raise Refused("elementary.gates.open", f"{len(texts)} patterns", "one for some real inputs, if there are gates")
    for text in texts:
        if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{digits}}}", text) or int(text, 16) >> bits:
            raise Refused("elementary.gates.open", in_a_line(text), f"{bits} bits as {digits} hexadecimal digits")
    dropped = [
        whole_number("elementary.gates.dropped", one, 0, MOST_PATTERNS)
        for one in list_of("elementary.gates.dropped", claims["dropped"], MOST_PATTERNS)
    ]
    if dropped != sorted(set(dropped)) or any(one >= len(texts) + len(dropped) - 1 for one in dropped):
        raise Refused("elementary.gates.dropped", in_a_line(dropped), "in order, each before an input that has gates")
    return tuple(int(text, 16) for text in texts), tuple(dropped)


def is_gated(program: Sequence[Instruction]) -> bool:
    """Return whether a function that is no gate depends on a gate."""
    behind: set[int] = set()
    for number, one in enumerate(program):
        if one.operation in ("positive", "largest") or not behind.isdisjoint(one.operands):
            behind.add(number)
    return not behind.isdisjoint(numbers_of(program, "exp", "sigmoid", "erf", "log", "sqrt"))


def read_condition(
    name: str, claims: Any, program: Sequence[Instruction], draws: Mapping[int, int]
) -> tuple[Evidence | None, tuple[Evidence, ...]]:
    """Read at which places the conditions are seen to hold, for one pattern of gates."""
    fields_of(name, claims, {"exponents": object, "roots": list})
    exponents = None
    if claims["exponents"] is not None:
        fields_of(f"{name}.exponents", claims["exponents"], {"determinant": int, "places": list, "sum": int})
        exponents = read_evidence(f"{name}.exponents", -1, claims["exponents"], draws)
    roots = []
    for k, one in enumerate(list_of(f"{name}.roots", claims["roots"], len(program))):
        place = f"{name}.roots[{k}]"
        fields_of(place, one, {"instruction": int, "places": list, "sum": int})
        instruction = whole_number(f"{place}.instruction", one["instruction"], 0, len(program) - 1)
        roots.append(read_evidence(place, instruction, one, draws))
    if tuple(one.instruction for one in roots) != numbers_of(program, "sqrt", "log"):
        raise Refuted(f"{name} is not about all roots and logarithms, in order")
    if (exponents is None) == bool(numbers_of(program, "exp", "sigmoid", "erf", "log")):
        raise Refuted(f"{name} is about exponents that are not there, or not about those that are")
    return exponents, tuple(roots)


def read_evidence(name: str, instruction: int, claims: Any, draws: Mapping[int, int]) -> Evidence:
    """Read places at which something is looked at."""
    rows = list_of(f"{name}.places", claims["places"], MOST_PLACES)
    places = tuple(read_place(f"{name}.places[{k}]", row, draws) for k, row in enumerate(rows))
    determinant = whole_number(f"{name}.determinant", claims.get("determinant", 0))
    return Evidence(instruction, determinant, whole_number(f"{name}.sum", claims["sum"]), places)
