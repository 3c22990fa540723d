"""What certificates say of a network and of families of directions, read; directions are evaluated modulo a prime."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from .elementary import elementary
from .fields import Constant, Matrix, NoValue, Residues, fmpq, ones, prime_of
from .leibniz import Leibniz, Matrices, factor_shape
from .limits import MOST_NUMBERS, Refused, fields_of, in_a_line, too_large, whole_number, whole_numbers
from .program import Instruction, fraction, hash_of, parse
from .words import Moves

__all__ = ["Directions", "Network", "dependence", "families_in", "network_of", "number_of", "wrong_families"]

MOST_DIRECTIONS, MOST_FAMILIES = 4000, 20_000
"""Maximum number of directions of all families, and of families."""

MOST_MULTIPLIED = 10**10
"""Maximum number of multiplications within matrices for the entries of a minor of directions."""

MOST_DIAGONAL = 2000
"""Maximum number of rows of a diagonal matrix there."""

MOST_CONSTANTS_OF_WORDS, MOST_CONSTANT_OF_WORDS = 4 * 10**6, 10**5
"""Maximum number of entries of all constants in the words of all families, and of one."""

MOST_FACTORS = 200
"""Maximum number of factors of a word in a file."""

PLAIN = re.compile("(?!(C|S|d|diag|ones)$)(?=.*[A-Za-z_])[A-Za-z0-9_.]{1,60}")
"""Names of tensors that are not quoted."""

PAIR = re.compile("([1-9][0-9]{0,5}) x ([1-9][0-9]{0,5}) numbers and tokens", re.ASCII)
"""How many rows and columns of numbers there are beside tokens."""


@dataclass(frozen=True)
class Network:
    """The network that a certificate is about: its program, its hash, names and shapes of its tensors in the order of
    the parameters, some of which may not be read; and from which row and column on the columns of its input are unit
    vectors of tokens, with numbers before and zeros beside both; None if it reads vectors.
    """

    program: tuple[Instruction, ...]
    sha256: str
    tensors: dict[str, tuple[int, int]]
    units: tuple[int, int] | None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(height * width for height, width in self.tensors.values())

    @cached_property
    def elementary(self) -> tuple[Instruction, ...]:
        """The program in elementary operations."""
        return elementary(self.program)

    @cached_property
    def shapes(self) -> list[tuple[int, int]]:
        """The shapes of the results of these."""
        return [one.sizes for one in self.elementary]

    @property
    def operations(self) -> set[str]:
        """The names of its operations."""
        return {one.operation for one in self.program}

    @property
    def input_shape(self) -> tuple[int, int] | None:
        """The shape of an input; None if none is read."""
        return next((one.sizes for one in self.program if one.operation == "input"), None)

    @property
    def output_shape(self) -> tuple[int, int]:
        """The shape of the value."""
        return self.program[-1].sizes

    @property
    def in_words(self) -> str:
        """What it is."""
        shape, (rows, columns) = self.input_shape, self.units or (0, 0)
        reads = "reads nothing"
        if shape is not None and self.units is None:
            reads = f"reads {shape[1]} vectors of {shape[0]} numbers"
        elif shape is not None:
            reads = f"reads {columns} vectors of {rows} numbers and " if rows else "reads "
            reads += f"{shape[1] - columns} tokens out of {shape[0] - rows}"
        return f"the network with the program {self.sha256[:16]}, which has {self.parameters} parameters and {reads},"

    def input_of(self, field: Any, entries: Sequence[Any]) -> Matrix:
        """Return the input with some numbers, row by row, and some tokens behind them."""
        (height, width), (rows, columns) = self.input_shape or (0, 0), self.units or (0, 0)
        if self.units is None:
            return field.matrix(height, width, [field.number(entry) for entry in entries])
        found: list[Any] = [0] * (height * width)
        for k, entry in enumerate(entries[: rows * columns]):
            found[k // columns * width + k % columns] = field.number(entry)
        for j, token in enumerate(entries[rows * columns :]):
            found[(rows + token) * width + columns + j] = 1
        return field.matrix(height, width, found)

    def random(self, field: Any, key: str, scales: Sequence[int] | None = None) -> dict[str, Matrix]:
        """Return random tensors, perhaps times powers of two."""
        pairs = zip(self.tensors.items(), scales or [0] * len(self.tensors), strict=True)
        return {
            name: field.random(f"{key}/tensor/{k}", *shape, scale) for k, ((name, shape), scale) in enumerate(pairs)
        }

    def places(self, columns: Sequence[int]) -> list[tuple[str, int, int]]:
        """Return the tensors, rows and columns of parameters by their numbers."""
        starts, names = (
            list(accumulate((height * width for height, width in self.tensors.values()), initial=0)),
            [*self.tensors],
        )
        found = []
        for column in columns:
            k = bisect_right(starts, column) - 1
            found.append((names[k], *divmod(column - starts[k], self.tensors[names[k]][1])))
        return found

    def check_input(self, where: str, entries: Any) -> list[Any]:
        """Return the numbers and the tokens of an input; numbers are fractions as texts."""
        height, width = self.input_shape or (0, 0)
        rows, columns = self.units or (height, width)
        count = rows * columns
        tokens = 0 if self.units is None else width - columns
        if not isinstance(entries, list) or len(entries) != count + tokens:
            raise Refused(where, in_a_line(entries), f"a list of {count + tokens} entries")
        numbers = [number_of(where, entry) for entry in entries[:count]]
        return [*numbers, *whole_numbers(where, entries[count:], 0, max(0, height - rows - 1))]


def number_of(where: str, entry: Any) -> Fraction:
    """Return a fraction that is given as text or as an integer."""
    try:
        return fraction(str(whole_number(where, entry, -(2**63))) if type(entry) is int else entry)
    except (TypeError, ValueError):
        raise Refused(where, in_a_line(entry), "an integer, or a fraction as text") from None


def network_of(claims: Any) -> Network:
    """Return the network of claims, its program read and checked."""
    program = parse(claims["program"])
    tensors: dict[str, tuple[int, int]] = {}
    for number, entry in enumerate(claims["tensors"]):
        where = f"claims.tensors[{number}]"
        if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str)) or entry[0] in tensors:
            raise Refused(where, in_a_line(entry), "a name that stands once, a number of rows and one of columns")
        height, width = (whole_number(where, size, 1) for size in entry[1:])
        tensors[entry[0]] = (height, width)
    units = None
    if claims["reads"] != "vectors":
        match = PAIR.fullmatch(claims["reads"])
        if match is None and claims["reads"] != "tokens":
            should = "'vectors', 'tokens', or as '2 x 3 numbers and tokens'"
            raise Refused("claims.reads", in_a_line(claims["reads"]), should)
        units = (int(match[1]), int(match[2])) if match else (0, 0)
    network = Network(program, hash_of(claims["program"]), tensors, units)
    if network.parameters > MOST_NUMBERS:
        raise too_large("claims.tensors", f"of {network.parameters} parameters", f"of at most {MOST_NUMBERS}")
    if units is not None and any(
        size <= start for size, start in zip(network.input_shape or (1, 1), units, strict=True)
    ):
        raise Refused("claims.reads", in_a_line(claims["reads"]), "of fewer numbers than the input has")
    for number, one in enumerate(program):
        if one.operation == "tensor" and tensors.get(one.argument) != one.sizes:
            raise Refused(f"program[{number}]", f"a tensor {in_a_line(one.argument)}", "one of claims.tensors")
    return network


@dataclass(frozen=True)
class Directions:
    """A family of directions: its name, the shape of the free matrix S, None if there is one direction and no S; the
    entries of S that are not zero, one direction for each; and velocities of tensors as coefficients and products.
    """

    name: str
    free: tuple[int, int] | None
    entries: list[tuple[int, int]]
    moves: dict[str, list[tuple[Fraction, Matrices]]]

    def described(self, network: Network) -> str:
        """Return in words how the tensors move."""
        parts = []
        for name, terms in list(self.moves.items())[:6]:
            text = ""
            for c, factors in terms:
                size = abs(c)
                product = " ".join([*([str(size)] if size != 1 else []), *(shown(one, network) for one in factors)])
                text += (" - " if c < 0 else " + ") + product
            parts.append(f"d {plain(name)} = {text.removeprefix(' + ').lstrip()}")
        more = len(self.moves) - len(parts)
        told = ", ".join(parts) + (f" and {more} other tensors" if more else "")
        if self.free is None:
            return told
        height, width = self.free
        all_of = "all" if len(self.entries) == height * width else f"{len(self.entries)} of the"
        return f"{told}, for {all_of} {height} x {width} entries of S"


def plain(name: str) -> str:
    """Return the name of a tensor, between quotes unless it is plain."""
    return name if PLAIN.fullmatch(name) else in_a_line(name)


def shown(one: tuple[Any, ...], network: Network) -> str:
    """Return a factor in words."""
    if one[0] == "n":
        return plain(network.elementary[one[1]].argument) + ("^T" if one[2] else "")
    if one[0] == "S":
        return "S^T" if one[1] else "S"
    if one[0] == "c":
        return f"C[{one[1].height} x {one[1].width}]"
    return f"diag({' '.join(shown(factor, network) for factor in one[1])})" + (f"^{one[2]}" if one[2] != 1 else "")


def families_in(claims: Any, network: Network) -> list[Directions]:
    """Return the families of claims."""
    listed = claims["families"]
    if len(listed) > MOST_FAMILIES:
        raise too_large("claims.families", f"{len(listed)} families", f"{MOST_FAMILIES} at most")
    spent = [0]
    return [directions_of(f"claims.families[{k}]", family, network, spent) for k, family in enumerate(listed)]


def directions_of(where: str, claim: Any, network: Network, spent: list[int] | None = None) -> Directions:
    """Return a family, its words read and checked; `spent` counts entries of constants of several."""
    fields_of(where, claim, {"name": str, "free": list, "moves": dict}, {"entries": list})
    free = None
    if claim["free"]:
        height, width = pair_of(f"{where}.free", claim["free"], (1, 1), (MOST_NUMBERS, MOST_NUMBERS))
        free = height, width
        if height * width > (MOST_NUMBERS if "entries" in claim else MOST_DIRECTIONS):
            raise too_large(f"{where}.free", f"of {height * width} entries", f"of {MOST_DIRECTIONS} at most")
    elif "entries" in claim:
        raise Refused(f"{where}.entries", "given", "given with a free matrix alone")
    entries = [
        divmod(k, free[1]) if free else (0, 0)
        for k in range(math.prod(free or (1, 1)) if "entries" not in claim else 0)
    ]
    for listed in claim.get("entries", ()):
        entries.append(pair_of(f"{where}.entries", listed, (0, 0), (free[0] - 1, free[1] - 1) if free else (0, 0)))
    if len(set(entries)) < len(entries) or not 0 < len(entries) <= MOST_DIRECTIONS:
        raise Refused(f"{where}.entries", f"{len(entries)} entries", f"1 to {MOST_DIRECTIONS} different ones")
    reader = Reader(f"{where}.moves", network, free, [0] if spent is None else spent)
    if not claim["moves"]:
        raise Refused(f"{where}.moves", "empty", "what moves")
    moves = {}
    for name, words in claim["moves"].items():
        if name not in network.tensors:
            raise Refused(f"{where}.moves", f"one of {in_a_line(name)}", "one of the tensors")
        if not isinstance(words, list) or not words:
            raise Refused(f"{where}.moves", in_a_line(words), "a list of words")
        moves[name] = [reader.term(word, network.tensors[name]) for word in words]
    return Directions(claim["name"], free, entries, moves)


def pair_of(where: str, value: Any, least: tuple[int, int], most: tuple[int, int]) -> tuple[int, int]:
    """Return two integers within bounds."""
    if not isinstance(value, list) or len(value) != 2:
        raise Refused(where, in_a_line(value), "two integers")
    first, second = (whole_number(where, *one) for one in zip(value, least, most, strict=True))
    return first, second


class Reader:
    """Reads the words of a family."""

    def __init__(self, where: str, network: Network, free: tuple[int, int] | None, spent: list[int]) -> None:
        self.where, self.free, self.spent = where, free, spent
        self.numbers = {one.argument: k for k, one in enumerate(network.elementary) if one.operation == "tensor"}
        self.shapes = network.shapes

    def shape(self, one: tuple[Any, ...]) -> tuple[int, int]:
        """Return the shape of a factor."""
        return factor_shape(one, self.shapes, self.free or (1, 1))

    def refused(self, value: Any, should: str) -> Refused:
        """Return the refusal of a part of a word."""
        return Refused(self.where, f"a word with {in_a_line(value)}", f"one with {should}")

    def term(self, word: Any, shape: tuple[int, int]) -> tuple[Fraction, Matrices]:
        """Return a word of a shape that is linear in S: a coefficient and factors."""
        if not isinstance(word, list) or len(word) != 2:
            raise self.refused(word, "a coefficient and factors")
        c, factors = number_of(self.where, word[0]), self.product(word[1], 0)
        if (self.shape(factors[0])[0], self.shape(factors[-1])[1]) != shape:
            raise self.refused(word, f"the shape {shape[0]} x {shape[1]}")
        count = sum(one[0] == "S" for one in (*factors, *(x for one in factors if one[0] == "d" for x in one[1])))
        if c == 0 or count != (self.free is not None):
            raise self.refused(word, "a coefficient that is not zero, and the free matrix once, if there is one")
        return c, factors

    def product(self, listed: Any, depth: int) -> Matrices:
        """Return factors whose shapes fit."""
        if not isinstance(listed, list) or not 0 < len(listed) <= MOST_FACTORS:
            raise self.refused(listed, f"1 to {MOST_FACTORS} factors")
        factors = [self.factor(one, depth) for one in listed]
        if any(self.shape(one)[1] != self.shape(two)[0] for one, two in pairwise(factors)):
            raise self.refused(listed, "factors whose shapes fit")
        return factors

    def factor(self, one: Any, depth: int) -> tuple[Any, ...]:
        """Return a factor: a tensor, the free matrix, a constant, or a diagonal matrix that is not in another one."""
        match one:
            case ["tensor" | "turned" as kind, str(name)] if name in self.numbers:
                return ("n", self.numbers[name], int(kind == "turned"))
            case ["free" | "free turned" as kind] if self.free is not None and depth < 2:
                return ("S", int(kind == "free turned"))
            case ["ones", height, width]:
                return "c", ones(*self.small(height, width))
            case ["constant", height, width, list(listed)] if len(listed) % 3 == 0:
                shape = self.small(height, width)
                last, entries = (shape[0] - 1, shape[1] - 1), dict[int, Fraction]()
                for k in range(0, len(listed), 3):
                    i, j = pair_of(self.where, listed[k : k + 2], (0, 0), last)
                    if entries.setdefault(i * shape[1] + j, value := number_of(self.where, listed[k + 2])) is not value:
                        raise self.refused(one, "each entry once")
                return "c", Constant(*shape, (fmpq(entries.get(k, Fraction(0))) for k in range(math.prod(shape))))
            case ["diagonal", list(listed), exponent] if depth < 3:
                factors = self.product(listed, depth + 1)
                whole_number(self.where, exponent, -9, 9)
                if self.shape(factors[-1])[1] != 1 or not exponent:
                    raise self.refused(one, "a column, to a power that is not zero")
                if exponent != 1 and any(factor[0] == "S" for factor in factors):
                    raise self.refused(one, "the free matrix to the first power")
                return ("d", tuple(factors), exponent)
        raise self.refused(one, "a tensor that is read, a free matrix, a constant or a diagonal matrix")

    def small(self, height: Any, width: Any) -> tuple[int, int]:
        """Return the shape of a constant."""
        shape = (whole_number(self.where, height, 1, 4096), whole_number(self.where, width, 1, 4096))
        self.spent[0] += math.prod(shape)
        if math.prod(shape) > MOST_CONSTANT_OF_WORDS or self.spent[0] > MOST_CONSTANTS_OF_WORDS:
            raise too_large(self.where, f"words with a constant of {math.prod(shape)} entries", "fewer or smaller ones")
        return shape


def wrong_families(network: Network, families: Sequence[Directions], *, small: bool, progress: Any) -> Iterator[str]:
    """Check that the value does not move along families; with gates that stay, if `small` and it reads tokens."""
    tokens = small and network.units == (0, 0)
    leibniz = Leibniz(network.elementary, network.units, tokens=tokens)
    for number, family in enumerate(families):
        if progress is not None:
            progress(number, len(families))
        try:
            leibniz.run(family.free or (1, 1), family.moves)
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
    field = Residues(prime_of(key))
    evaluator = Evaluator(network, field, network.random(field, key))
    minor, row = field.matrix(count, count, [0] * count * count), 0
    places = network.places(columns)
    try:
        for family in families:
            for moved in evaluator.directions(family):
                for k, (name, i, j) in enumerate(places):
                    if name in moved:
                        minor[row, k] = moved[name][i, j]
                row += 1
    except NoValue:
        return "the directions divide by zero"
    return None if not count or int(minor.det()) else "the directions are not independent in the given columns"


class Evaluator:
    """The directions of families at weights modulo a prime."""

    def __init__(self, network: Network, field: Residues, tensors: dict[str, Matrix]) -> None:
        self.network, self.field, self.tensors, self.spent = network, field, tensors, 0

    def product(self, factors: Matrices) -> Matrix | None:
        """Return a product without S; None if there are no factors."""
        found = None
        for one in factors:
            if one[0] == "n":
                M = self.tensors[self.network.elementary[one[1]].argument]
                M = M.transpose() if one[2] else M
            elif one[0] == "c":
                M = self.field.matrix(one[1].height, one[1].width, map(self.field.exact, one[1].entries))
            else:
                M = self.diagonal(self.product(one[1]), one[2])
            found = M if found is None else self.times(found, M)
        return found

    def times(self, A: Matrix | None, B: Matrix | None) -> Matrix | None:
        """Return a product, of which a part may be missing."""
        if A is None or B is None:
            return A if B is None else B
        self.spend(A.nrows() * A.ncols() * B.ncols())
        return A * B

    def spend(self, steps: int) -> None:
        """Count multiplications."""
        self.spent += steps
        if self.spent > MOST_MULTIPLIED:
            raise too_large("claims.families", "such that take too many products", f"such that take {MOST_MULTIPLIED}")

    def diagonal(self, column: Matrix, exponent: int) -> Matrix:
        """Return the diagonal matrix of a column to a power."""
        n, entries = column.nrows(), column.entries()
        if n > MOST_DIAGONAL:
            raise too_large("claims.families", f"one with diagonal matrices of {n} rows", f"of {MOST_DIAGONAL} at most")
        if exponent < 0:
            entries = [self.field.function("reciprocal", x) for x in entries]
        M = self.field.matrix(n, n, [0] * n * n)
        self.spend(10 * n * n)
        for i, x in enumerate(entries):
            M[i, i] = x ** abs(exponent)
        return M

    def directions(self, family: Directions) -> Iterator[dict[str, Matrix]]:
        """Iterate over how tensors move as one entry of S after the other is one."""
        prepared = [
            (name, self.linear(c, word, family.free)) for name, terms in family.moves.items() for c, word in terms
        ]
        for unit in family.entries:
            moved: dict[str, Matrix] = {}
            for name, at in prepared:
                M = at(*unit)
                moved[name] = moved[name] + M if name in moved else M
            yield moved

    def linear(self, c: Fraction, word: Matrices, free: Any) -> Callable[[int, int], Matrix]:
        """Return what a word is as a function of the entry of S that is one: a column times a row, or L diag(v) R."""
        k = next((k for k, one in enumerate(word) if has_free(one)), None)
        if k is None:
            whole = self.product(word) * self.field.number(c)
            return lambda i, j: whole
        L, middle, R = self.product(word[:k]), word[k], self.product(word[k + 1 :])
        if middle[0] == "d":
            inner = self.linear(c, middle[1], free)
            return lambda i, j: self.times(self.times(L, self.diagonal(inner(i, j), 1)), R)
        height, width = free[::-1] if middle[1] else free

        def at(i: int, j: int) -> Matrix:
            i, j = (j, i) if middle[1] else (i, j)
            left = self.field.matrix(height, 1, [int(n == i) for n in range(height)])
            right = self.field.matrix(1, width, [int(n == j) for n in range(width)]) * self.field.number(c)
            return self.times(self.times(L, left), self.times(right, R))

        return at


def has_free(one: tuple[Any, ...]) -> bool:
    """Return whether a factor has S in it."""
    return one[0] == "S" or (one[0] == "d" and any(factor[0] == "S" for factor in one[1]))
