"""What certificates say of a network and of families of directions, read; directions are evaluated modulo a prime."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .fields import Matrix, NoValue, Residues, prime_of
from .limits import MOST_NUMBERS, Refused, fields_of, in_a_line, too_large, whole_number, whole_numbers
from .program import Instruction, fraction, hash_of, parse, sizes
from .words import Factor, Leibniz, Moves, Term, constant, fraction_of, ones

__all__ = ["Directions", "Network", "dependence", "directions_of", "network_of", "wrong_families"]

MOST_DIRECTIONS = 4000
"""Maximum number of directions of all families."""

MOST_PRODUCTS = 2 * 10**7
"""Maximum number of products for the entries of a minor of directions, a million of which take about a second."""

MOST_MULTIPLIED = 10**10
"""Maximum number of multiplications within products of matrices for them."""

MOST_DIAGONAL = 2000
"""Maximum number of rows of a diagonal matrix there."""

MOST_CONSTANTS = 4 * 10**6
"""Maximum number of entries of all constants in the words of all families."""

MOST_FACTORS = 200
"""Maximum number of factors of a word in a file."""

PLAIN = re.compile("(?!(C|S|d|diag|ones)$)(?=.*[A-Za-z_])[A-Za-z0-9_.]{1,60}")
"""Names of tensors that are not quoted."""

PAIR = re.compile("([1-9][0-9]{0,5}) x ([1-9][0-9]{0,5}) numbers and tokens", re.ASCII)
"""How many rows and columns of numbers there are beside tokens."""


@dataclass(frozen=True)
class Network:
    """The network that a certificate is about.

    Parameters
    ----------
    program : tuple of Instruction
        Its program.
    sha256 : str
        The hash of the program's text.
    tensors : dict of str to (int, int)
        Names and shapes of its tensors, in the order of the parameters; some may not be read.
    units : (int, int) or None
        From which row and column on the columns of its input are unit vectors of tokens; before are numbers, and zeros
        beside both. None if it reads vectors.
    """

    program: tuple[Instruction, ...]
    sha256: str
    tensors: dict[str, tuple[int, int]]
    units: tuple[int, int] | None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(height * width for height, width in self.tensors.values())

    @property
    def operations(self) -> set[str]:
        """The names of its operations."""
        return {one.operation for one in self.program}

    @property
    def input_shape(self) -> tuple[int, int] | None:
        """The shape of an input; None if none is read."""
        return next((sizes(one.shape) for one in self.program if one.operation == "input"), None)

    @property
    def output_shape(self) -> tuple[int, int]:
        """The shape of the value."""
        return sizes(self.program[-1].shape)

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
        if one.operation == "tensor" and tensors.get(one.argument) != sizes(one.shape):
            raise Refused(f"program[{number}]", f"a tensor {in_a_line(one.argument)}", "one of claims.tensors")
    return network


@dataclass(frozen=True)
class Directions:
    """A family of directions: velocities of tensors, linear in one free matrix S.

    Parameters
    ----------
    name : str
        What it is called.
    free : (int, int) or None
        The shape of S; None if there is one direction and no S.
    entries : list of (int, int)
        The entries of S that are not zero, one direction for each.
    moves : dict of str to list of Term
        How tensors move.
    """

    name: str
    free: tuple[int, int] | None
    entries: list[tuple[int, int]]
    moves: dict[str, list[Term]]

    def described(self, network: Network) -> str:
        """Return in words how the tensors move."""
        parts = []
        for name, terms in list(self.moves.items())[:6]:
            text = ""
            for c, _, factors in terms:
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


def shown(one: Factor, network: Network) -> str:
    """Return a factor in words."""
    if one[0] == "n":
        return plain(network.program[one[1]].argument) + ("^T" if one[2] else "")
    if one[0] == "S":
        return "S^T" if one[1] else "S"
    if one[0] == "c":
        return f"C[{one[1].height} x {one[1].width}]"
    return f"diag({' '.join(shown(factor, network) for factor in one[1])})" + (f"^{one[2]}" if one[2] != 1 else "")


def directions_of(where: str, claim: Any, network: Network, spent: list[int] | None = None) -> Directions:
    """Return a family, its words read and checked; `spent` counts entries of constants of several."""
    fields_of(where, claim, {"name": str, "free": list, "moves": dict}, {"entries": list})
    free = None
    entries = [(0, 0)]
    if claim["free"]:
        whole_numbers(f"{where}.free", claim["free"], 1, MOST_NUMBERS)
        if len(claim["free"]) != 2 or math.prod(claim["free"]) > MOST_NUMBERS:
            raise Refused(f"{where}.free", in_a_line(claim["free"]), "a small number of rows and one of columns")
        free = (claim["free"][0], claim["free"][1])
        if "entries" not in claim and math.prod(free) > MOST_DIRECTIONS:
            raise too_large(f"{where}.free", f"of {math.prod(free)} entries", f"of {MOST_DIRECTIONS} at most")
        entries = [(i, j) for i in range(free[0]) for j in range(free[1])] if "entries" not in claim else []
    elif "entries" in claim:
        raise Refused(f"{where}.entries", "given", "given with a free matrix alone")
    for pair in claim.get("entries", ()):
        whole_numbers(f"{where}.entries", pair, 0, MOST_NUMBERS)
        if free is None or len(pair) != 2 or pair[0] >= free[0] or pair[1] >= free[1]:
            raise Refused(f"{where}.entries", in_a_line(pair), "a row and a column of the free matrix")
        entries.append((pair[0], pair[1]))
    if len(set(entries)) < len(entries) or not 0 < len(entries) <= MOST_DIRECTIONS:
        raise Refused(f"{where}.entries", f"{len(entries)} entries", f"1 to {MOST_DIRECTIONS} different ones")
    reader = Reader(where, network, free, [0] if spent is None else spent)
    moves = {}
    for name, words in claim["moves"].items():
        if name not in network.tensors:
            raise Refused(f"{where}.moves", f"one of {in_a_line(name)}", "one of the tensors")
        if not isinstance(words, list) or not words:
            raise Refused(f"{where}.moves", in_a_line(words), "a list of words")
        moves[name] = [reader.term(word, network.tensors[name]) for word in words]
    if not moves:
        raise Refused(f"{where}.moves", "empty", "what moves")
    return Directions(claim["name"], free, entries, moves)


class Reader:
    """Reads the words of a family."""

    def __init__(self, where: str, network: Network, free: tuple[int, int] | None, spent: list[int]) -> None:
        self.where, self.free = f"{where}.moves", free
        self.spent = spent
        self.numbers = {one.argument: k for k, one in enumerate(network.program) if one.operation == "tensor"}
        self.shapes = Leibniz(network.program, network.units, tokens=False)
        self.shapes.free = free or (1, 1)

    def refused(self, value: Any, should: str) -> Refused:
        """Return the refusal of a part of a word."""
        return Refused(self.where, f"a word with {in_a_line(value)}", f"one with {should}")

    def term(self, word: Any, shape: tuple[int, int]) -> Term:
        """Return a word of a shape that is linear in S: a coefficient and factors."""
        if not isinstance(word, list) or len(word) != 2:
            raise self.refused(word, "a coefficient and factors")
        c = number_of(self.where, word[0])
        factors = self.product(word[1], 0)
        if self.shapes.shape_of(factors) != shape:
            raise self.refused(word, f"the shape {shape[0]} x {shape[1]}")
        count = sum(one[0] == "S" for one in (*factors, *(x for one in factors if one[0] == "d" for x in one[1])))
        if c == 0 or count != (self.free is not None):
            raise self.refused(word, "a coefficient that is not zero, and the free matrix once, if there is one")
        return fraction_of(c), [], factors

    def product(self, listed: Any, depth: int) -> list[Factor]:
        """Return factors whose shapes fit."""
        if not isinstance(listed, list) or not 0 < len(listed) <= MOST_FACTORS:
            raise self.refused(listed, f"1 to {MOST_FACTORS} factors")
        factors = [self.factor(one, depth) for one in listed]
        for one, two in pairwise(factors):
            if self.shapes.shape(one)[1] != self.shapes.shape(two)[0]:
                raise self.refused(listed, "factors whose shapes fit")
        return factors

    def factor(self, one: Any, depth: int) -> Factor:
        """Return a factor: a tensor, the free matrix, a constant, or a diagonal matrix that is not in another one."""
        match one:
            case ["tensor" | "turned" as kind, str(name)] if name in self.numbers:
                return ("n", self.numbers[name], int(kind == "turned"))
            case ["free" | "free turned" as kind] if self.free is not None and depth < 2:
                return ("S", int(kind == "free turned"))
            case ["ones", height, width]:
                return ones(*self.small(height, width))
            case ["constant", height, width, list(listed)] if len(listed) % 3 == 0:
                shape = self.small(height, width)
                entries: dict[int, Fraction] = {}
                for k in range(0, len(listed), 3):
                    i, j = (whole_number(self.where, listed[k + n], 0, shape[n] - 1) for n in (0, 1))
                    if entries.setdefault(i * shape[1] + j, value := number_of(self.where, listed[k + 2])) is not value:
                        raise self.refused(one, "each entry once")
                every: list[Any] = [0] * math.prod(shape)
                for k, value in entries.items():
                    every[k] = fraction_of(value)
                return constant(*shape, every)
            case ["diagonal", list(listed), exponent] if depth < 3:
                factors = self.product(listed, depth + 1)
                whole_number(self.where, exponent, -9, 9)
                if self.shapes.shape_of(factors)[1] != 1 or not exponent:
                    raise self.refused(one, "a column, to a power that is not zero")
                if exponent != 1 and any(factor[0] == "S" for factor in factors):
                    raise self.refused(one, "the free matrix to the first power")
                return ("d", tuple(factors), exponent)
        raise self.refused(one, "a tensor that is read, a free matrix, a constant or a diagonal matrix")

    def small(self, height: Any, width: Any) -> tuple[int, int]:
        """Return the shape of a constant."""
        shape = (whole_number(self.where, height, 1, 4096), whole_number(self.where, width, 1, 4096))
        self.spent[0] += math.prod(shape)
        if math.prod(shape) > 10**5 or self.spent[0] > MOST_CONSTANTS:
            raise too_large(self.where, f"words with a constant of {math.prod(shape)} entries", "fewer or smaller ones")
        return shape


def wrong_families(network: Network, families: Sequence[Directions], *, small: bool, progress: Any) -> Iterator[str]:
    """Check that the value does not move along families; with gates that stay, if `small` and it reads tokens."""
    tokens = small and network.units == (0, 0)
    leibniz = Leibniz(network.program, network.units, tokens=tokens)
    for number, family in enumerate(families):
        if progress is not None:
            progress(number, len(families))
        try:
            leibniz.run(family.free or (1, 1), family.moves)
        except Moves as error:
            yield f"the family {in_a_line(family.name)}: {error}"


def dependence(network: Network, families: Sequence[Directions], columns: Any, key: str) -> str | None:
    """Say why directions are not known to be independent: a minor modulo a prime is zero or has no value."""
    where = "claims.columns"
    whole_numbers(where, columns, 0, network.parameters - 1)
    count = sum(len(family.entries) for family in families)
    if len(columns) != count or len(set(columns)) < count:
        raise Refused(where, f"{len(columns)} numbers", f"{count} different ones, as many as there are directions")
    if count > MOST_DIRECTIONS:
        raise too_large("claims.families", f"of {count} directions", f"of {MOST_DIRECTIONS} at most")
    field, tensors = Residues(prime_of(key)), {}
    places: dict[int, tuple[str, int, int]] = {}
    for k, (name, (height, width)) in enumerate(network.tensors.items()):
        tensors[name] = field.random(f"{key}/tensor/{k}", height, width)
        start = len(places)
        places.update((start + at, (name, *divmod(at, width))) for at in range(height * width))
    of_tensor: dict[str, list[tuple[int, int, int]]] = {name: [] for name in tensors}
    for k, column in enumerate(columns):
        name, i, j = places[column]
        of_tensor[name].append((k, i, j))
    products = sum(
        len(family.entries) * len(terms) * len(of_tensor[name])
        for family in families
        for name, terms in family.moves.items()
    )
    if products > MOST_PRODUCTS:
        raise too_large("claims.families", f"such that take {products} products", f"such that take {MOST_PRODUCTS}")
    minor, row, spent = field.matrix(count, count, [0] * count * count), 0, [0, 0]
    try:
        for family in families:
            evaluator = Evaluator(network, field, tensors, family, spent)
            for k, values in enumerate(evaluator.rows(of_tensor)):
                for column, value in values.items():
                    minor[row + k, column] = value
            row += len(family.entries)
    except NoValue:
        return "the directions divide by zero"
    return None if not count or int(minor.det()) else "the directions are not independent in the given columns"


class Evaluator:
    """The entries of directions modulo a prime.

    Parameters
    ----------
    network : Network
        The network.
    field : Residues
        The field.
    tensors : dict of str to Matrix
        The tensors by name.
    family : Directions
        The family.
    spent : list of int, optional
        Multiplications within products of matrices, and products of entries, so far.
    """

    def __init__(
        self, network: Network, field: Residues, tensors: dict[str, Matrix], family: Directions, spent: Any = None
    ) -> None:
        self.network, self.field, self.tensors, self.family = network, field, tensors, family
        self.spent = [0, 0] if spent is None else spent

    def spend(self, multiplications: int, products: int) -> None:
        """Count what is multiplied."""
        self.spent[0] += multiplications
        self.spent[1] += products
        if self.spent[0] > MOST_MULTIPLIED or self.spent[1] > MOST_PRODUCTS:
            raise too_large("claims.families", "such that take too many products", f"such that take {MOST_PRODUCTS}")

    def matrix(self, factors: Sequence[Factor]) -> Matrix | None:
        """Return a product without S; None if there are no factors."""
        found = None
        for one in factors:
            if one[0] == "n":
                M = self.tensors[self.network.program[one[1]].argument]
                M = M.transpose() if one[2] else M
            elif one[0] == "c":
                entries = [self.field.number(Fraction(int(x.p), int(x.q))) for x in one[1].entries]
                M = self.field.matrix(one[1].height, one[1].width, entries)
            else:
                M = self.power(self.matrix(one[1]), one[2])
            if found is not None:
                self.spend(found.nrows() * M.nrows() * M.ncols(), 0)
            found = M if found is None else found * M
        return found

    def power(self, column: Matrix, exponent: int) -> Matrix:
        """Return the diagonal matrix of a column to a power."""
        n, entries = column.nrows(), column.entries()
        if n > MOST_DIAGONAL:
            raise too_large("claims.families", f"one with diagonal matrices of {n} rows", f"of {MOST_DIAGONAL} at most")
        if exponent < 0:
            entries = [self.field.inverse(x) for x in entries]
        M = self.field.matrix(n, n, [0] * n * n)
        self.spend(10 * n * n, 0)
        for i, x in enumerate(entries):
            M[i, i] = x ** abs(exponent)
        return M

    def rows(self, of_tensor: dict[str, list[tuple[int, int, int]]]) -> Iterator[dict[int, Any]]:
        """Iterate over the entries of all directions, each by its column of the minor."""
        prepared = []
        for name, terms in self.family.moves.items():
            for c, _, factors in terms:
                k = next((k for k, one in enumerate(factors) if has_free(one)), len(factors))
                left, right = self.matrix(factors[:k]), self.matrix(factors[k + 1 :])
                x = self.field.number(Fraction(int(c.p), int(c.q)))
                middle = factors[k] if k < len(factors) else None
                inner = None
                if middle is not None and middle[0] == "d":
                    at = next(n for n, one in enumerate(middle[1]) if one[0] == "S")
                    inner = self.matrix(middle[1][:at]), middle[1][at], self.matrix(middle[1][at + 1 :])
                prepared.append((name, x, left, middle, inner, right))
        for i, j in self.family.entries:
            values: dict[int, Any] = {}
            for name, x, left, middle, inner, right in prepared:
                column = None if inner is None else self.column(*inner, (i, j))
                for place, r, s in of_tensor[name]:
                    value = x * self.entry(left, middle, right, column, (i, j), (r, s))
                    if value != 0:
                        values[place] = values.get(place, 0) + value
            yield values

    def entry(self, left: Any, middle: Any, right: Any, column: Any, unit: tuple[int, int], at: tuple[int, int]) -> Any:
        """Return an entry of L F R, where F is S or a diagonal matrix of a column with S, with one entry of S one."""
        (i, j), (r, s) = unit, at
        if middle is None:
            return left[r, s]
        if column is None:
            i, j = (j, i) if middle[1] else (i, j)
            value = left[r, i] if left is not None else int(r == i)
            return 0 if value == 0 else value * (right[j, s] if right is not None else int(s == j))
        if left is None:
            return column.get(r, 0) * (right[r, s] if right is not None else int(r == s))
        if right is None:
            return left[r, s] * column.get(s, 0)
        self.spend(0, len(column))
        return sum((left[r, n] * x * right[n, s] for n, x in column.items()), 0)

    def column(self, left: Any, free: Factor, right: Any, unit: tuple[int, int]) -> dict[int, Any]:
        """Return the entries of a column with S that are not zero, with one entry of S one."""
        i, j = unit[::-1] if free[1] else unit
        height = left.nrows() if left is not None else (self.family.free or (1, 1))[free[1]]
        last = right[j, 0] if right is not None else 1
        if left is None:
            return {i: last} if last != 0 else {}
        self.spend(0, height)
        found = {n: left[n, i] * last for n in range(height)}
        return {n: x for n, x in found.items() if x != 0}


def has_free(one: Factor) -> bool:
    """Return whether a factor has S in it."""
    return one[0] == "S" or (one[0] == "d" and any(factor[0] == "S" for factor in one[1]))
