"""Families of directions, read and checked; and evaluated modulo a prime, where they have to be independent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .fields import Matrix, NoValue, Residues, prime_of
from .leibniz import Leibniz, Moves
from .limits import MOST_NUMBERS, Refused, fields_of, in_a_line, too_large, whole_number, whole_numbers
from .network import Interpreter, Network, number_of
from .program import Instruction, Writer, cost_of
from .words import ENTRY

__all__ = ["Directions", "Reader", "dependence", "directions_of", "families_in", "wrong_families"]

MOST_DIRECTIONS, MOST_FAMILIES = 4000, 20_000
"""Maximum number of directions of all families, and of families."""

MOST_STEPS_OF_DIRECTIONS = 3 * 10**8
"""Maximum number of steps for the directions at weights modulo a prime."""

MOST_FACTORS = 200
"""Maximum number of factors of a word in a file."""

PLAIN = re.compile("(?!(C|S|d|diag|ones)$)(?=.*[A-Za-z_])[A-Za-z0-9_.]{1,60}")
"""Names of tensors that are not quoted."""


@dataclass(frozen=True)
class Directions:
    """A family of directions: its name; the shape of the free matrix S, None if there is one direction and no S; the
    entries of S that are not zero, one direction for each; a program that reads tensors, and S as its input; the
    velocities of tensors as sums of multiples of its results; and the words of the file that it was made of.
    """

    name: str
    free: tuple[int, int] | None
    entries: list[tuple[int, int]]
    program: Sequence[Instruction]
    moves: dict[str, list[tuple[Fraction, int]]]
    words: dict[str, Any]

    @property
    def in_words(self) -> str:
        """How the tensors move."""
        parts = []
        for name, terms in list(self.words.items())[:6]:
            text = "".join(shown_term(self.moves[name][k][0], factors) for k, (_, factors) in enumerate(terms))
            parts.append(f"d {plain(name)} = {text.removeprefix(' + ').lstrip()}")
        more = len(self.words) - len(parts)
        told = ", ".join(parts) + (f" and {more} other tensors" if more else "")
        if self.free is None:
            return told
        height, width = self.free
        all_of = "all" if len(self.entries) == height * width else f"{len(self.entries)} of the"
        return f"{told}, for {all_of} {height} x {width} entries of S"

    def at(self, field: Residues, tensors: dict[str, Matrix]) -> Iterator[dict[str, Matrix]]:
        """Iterate over how tensors move as one entry of S after the other is one."""
        interpreter, (height, width) = Interpreter(self.program, field, tensors), self.free or (1, 1)
        for i, j in self.entries:
            S = field.matrix(height, width, [0] * (height * width))
            S[i, j] = 1
            results, moved = interpreter.forward(S), dict[str, Matrix]()
            for name, terms in self.moves.items():
                for c, number in terms:
                    part = results[number] * field.number(c)
                    moved[name] = moved[name] + part if name in moved else part
            yield moved


def plain(name: str) -> str:
    """Return the name of a tensor, between quotes unless it is plain."""
    return name if PLAIN.fullmatch(name) else in_a_line(name)


def shown_term(c: Fraction, factors: Any) -> str:
    """Return a word of a file that was checked, with its sign."""
    size = [str(abs(c))] if abs(c) != 1 else []
    return (" - " if c < 0 else " + ") + " ".join([*size, *map(shown, factors)])


def shown(one: Any) -> str:
    """Return a factor of a word of a file that was checked."""
    match one:
        case ["tensor" | "turned" as kind, name]:
            return plain(name) + ("^T" if kind == "turned" else "")
        case ["free" | "free turned" as kind]:
            return "S^T" if kind == "free turned" else "S"
        case ["diagonal", factors, exponent]:
            return f"diag({' '.join(map(shown, factors))})" + (f"^{exponent}" if exponent != 1 else "")
    return f"C[{one[1]} x {one[2]}]"


def families_in(claims: Any, network: Network) -> list[Directions]:
    """Return the families of claims."""
    listed = claims["families"]
    if len(listed) > MOST_FAMILIES:
        raise too_large("claims.families", f"{len(listed)} families", f"{MOST_FAMILIES} at most")
    return [directions_of(f"claims.families[{k}]", family, network) for k, family in enumerate(listed)]


def directions_of(where: str, claim: Any, network: Network) -> Directions:
    """Return a family, its words read and checked."""
    fields_of(where, claim, {"name": str, "free": list, "moves": dict}, {"entries": list})
    free = None
    if claim["free"]:
        height, width = free = pair_of(f"{where}.free", claim["free"], (1, 1), (MOST_NUMBERS, MOST_NUMBERS))
        if height * width > (MOST_NUMBERS if "entries" in claim else MOST_DIRECTIONS):
            raise too_large(f"{where}.free", f"of {height * width} entries", f"of {MOST_DIRECTIONS} at most")
    elif "entries" in claim:
        raise Refused(f"{where}.entries", "given", "given with a free matrix alone")
    height, width = free or (1, 1)
    entries = [divmod(k, width) for k in range(height * width if "entries" not in claim else 0)]
    for listed in claim.get("entries", ()):
        entries.append(pair_of(f"{where}.entries", listed, (0, 0), (height - 1, width - 1)))
    if len(set(entries)) < len(entries) or not 0 < len(entries) <= MOST_DIRECTIONS:
        raise Refused(f"{where}.entries", f"{len(entries)} entries", f"1 to {MOST_DIRECTIONS} different ones")
    reader = Reader(f"{where}.moves", network, free)
    if not claim["moves"]:
        raise Refused(f"{where}.moves", "empty", "what moves")
    moves = {}
    for name, words in claim["moves"].items():
        if name not in network.tensors:
            raise Refused(f"{where}.moves", f"one of {in_a_line(name)}", "one of the tensors")
        if not isinstance(words, list) or not words:
            raise Refused(f"{where}.moves", in_a_line(words), "a list of words")
        moves[name] = [reader.term(word, network.tensors[name]) for word in words]
    return Directions(claim["name"], free, entries, reader.made, moves, claim["moves"])


def pair_of(where: str, value: Any, least: tuple[int, int], most: tuple[int, int]) -> tuple[int, int]:
    """Return two integers within bounds."""
    if not isinstance(value, list) or len(value) != 2:
        raise Refused(where, in_a_line(value), "two integers")
    first, second = (whole_number(where, *one) for one in zip(value, least, most, strict=True))
    return first, second


class Reader(Writer):
    """Writes the words of a family as a program, of which S is the input."""

    def __init__(self, where: str, network: Network, free: tuple[int, int] | None) -> None:
        super().__init__()
        self.where, self.network, self.free = where, network, free
        self.known: dict[Any, int] = {}  # tensors, and S
        self.frees = 0  # how often S was read

    def constant(self, height: int, width: int, entries: Any) -> int:
        self.network.work.spend(ENTRY * height * width, "constants in words")
        return super().constant(height, width, entries)

    def refused(self, value: Any, should: str) -> Refused:
        """Return the refusal of a part of a word."""
        return Refused(self.where, f"a word with {in_a_line(value)}", f"one with {should}")

    def term(self, word: Any, shape: tuple[int, int]) -> tuple[Fraction, int]:
        """Return a word of a shape that is linear in S: a coefficient, and the number of a result."""
        if not isinstance(word, list) or len(word) != 2:
            raise self.refused(word, "a coefficient and factors")
        self.frees = 0
        c, number = number_of(self.where, word[0]), self.products(word[1], 0)
        if self.sizes(number) != shape:
            raise self.refused(word, f"the shape {shape[0]} x {shape[1]}")
        if c == 0 or self.frees != (self.free is not None):
            raise self.refused(word, "a coefficient that is not zero, and the free matrix once, if there is one")
        return c, number

    def products(self, listed: Any, depth: int) -> int:
        """Write the product of factors whose shapes fit: a diagonal matrix multiplies the entries of what is before or
        behind it.
        """
        if not isinstance(listed, list) or not 0 < len(listed) <= MOST_FACTORS:
            raise self.refused(listed, f"1 to {MOST_FACTORS} factors")
        found, alone = -1, True  # as long as there are diagonal matrices alone, their column
        for one in listed:
            scaling = isinstance(one, list) and one[:1] == ["diagonal"]
            factor = self.power(one, depth) if scaling else self.factor(one)
            if found >= 0 and self.sizes(found)[0 if alone else 1] != self.sizes(factor)[0]:
                raise self.refused(listed, "factors whose shapes fit")
            if found < 0:
                found = factor
            elif alone:
                found = self.both("multiply", (found, factor))
            elif scaling:
                found = self.both("multiply", (found, self.transpose(factor)))
            else:
                found = self.product(found, factor)
            alone = alone and scaling
        if not alone:
            return found
        n = self.sizes(found)[0]
        return self.both("multiply", (found, self.constant(n, n, lambda i, j: int(i == j))))

    def power(self, one: Any, depth: int) -> int:
        """Write the column of a diagonal matrix."""
        if len(one) != 3 or depth > 2:
            raise self.refused(one, "diagonal matrices of factors and an exponent, in at most two others")
        frees, column = self.frees, self.products(one[1], depth + 1)
        exponent = whole_number(self.where, one[2], -9, 9)
        if self.sizes(column)[1] != 1 or not exponent:
            raise self.refused(one, "a column, to a power that is not zero")
        if self.frees > frees and (exponent != 1 or depth):
            raise self.refused(one, "the free matrix to the first power, in no diagonal matrix within another one")
        base = self.add("reciprocal", (column,), None, *self.sizes(column)) if exponent < 0 else column
        found = base
        for _ in range(abs(exponent) - 1):
            found = self.both("multiply", (found, base))
        return found

    def factor(self, one: Any) -> int:
        """Write a factor that is no diagonal matrix: a tensor that is read, the free matrix, or a constant."""
        match one:
            case ["tensor" | "turned" as kind, str(name)] if name in self.network.read:
                number = self.read("tensor", name, self.network.tensors[name])
                return self.transpose(number) if kind == "turned" else number
            case ["free" | "free turned" as kind] if self.free is not None:
                self.frees += 1
                number = self.read("input", None, self.free)
                return self.transpose(number) if kind == "free turned" else number
            case ["ones", height, width]:
                return self.constant(*self.small(height, width), lambda i, j: 1)
            case ["constant", height, width, list(listed)] if len(listed) % 3 == 0:
                shape = self.small(height, width)
                entries = dict[tuple[int, int], Fraction]()
                for k in range(0, len(listed), 3):
                    at = pair_of(self.where, listed[k : k + 2], (0, 0), (shape[0] - 1, shape[1] - 1))
                    if entries.setdefault(at, value := number_of(self.where, listed[k + 2])) is not value:
                        raise self.refused(one, "each entry once")
                return self.constant(*shape, lambda i, j: entries.get((i, j), 0))
        raise self.refused(one, "a tensor that is read, a free matrix, a constant or a diagonal matrix")

    def small(self, height: Any, width: Any) -> tuple[int, int]:
        """Return the shape of a constant."""
        return whole_number(self.where, height, 1, 4096), whole_number(self.where, width, 1, 4096)

    def read(self, operation: str, name: str | None, shape: tuple[int, int]) -> int:
        """Read a tensor, or S, once."""
        if name not in self.known:
            self.known[name] = self.add(operation, (), name, *shape)
        return self.known[name]


def wrong_families(network: Network, families: Sequence[Directions], *, small: bool, progress: Any) -> Iterator[str]:
    """Check that the value does not move along families; with gates that stay, if `small` and it reads tokens."""
    tokens = small and network.units == (0, 0) and network.reads_tokens
    leibniz = Leibniz(network.program, network.units, network.work, tokens=tokens)
    for number, family in enumerate(families):
        if progress is not None:
            progress(number, len(families))
        try:
            leibniz.run(family.free or (1, 1), family.program, family.moves)
        except Moves as error:
            yield f"the family {in_a_line(family.name)}: {error}"


def dependence(network: Network, families: Sequence[Directions], columns: Any, key: str) -> str | None:
    """Say why directions are not known to be independent: a minor modulo a prime is zero or has no value."""
    whole_numbers("claims.directions", columns, 0, network.parameters - 1)
    count = sum(len(family.entries) for family in families)
    if len(columns) != count or len(set(columns)) < count:
        should = f"{count} different ones, as many as there are directions"
        raise Refused("claims.directions", f"{len(columns)} numbers", should)
    if count > MOST_DIRECTIONS:
        raise too_large("claims.families", f"of {count} directions", f"of {MOST_DIRECTIONS} at most")
    steps = sum(cost_of(family.program) * len(family.entries) for family in families)
    if steps > MOST_STEPS_OF_DIRECTIONS:
        raise too_large("claims.families", f"of {steps} steps", f"of {MOST_STEPS_OF_DIRECTIONS} at most")
    field = Residues(prime_of(key))
    tensors, places = network.random(field, key), [network.place(column) for column in columns]
    minor, row = field.matrix(count, count, [0] * count * count), 0
    try:
        for family in families:
            for moved in family.at(field, tensors):
                for k, (name, i, j) in enumerate(places):
                    if name in moved:
                        minor[row, k] = moved[name][i, j]
                row += 1
    except NoValue:
        return "the directions divide by zero"
    return None if not count or int(minor.det()) else "the directions are not independent in the given columns"
