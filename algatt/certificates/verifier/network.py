"""The network that a certificate is about, evaluated, and differentiated backwards."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import flint

from .fields import SLOPES, Matrix, entrywise
from .limits import MOST_NUMBERS, Refused, Work, in_a_line, too_large, whole_number, whole_numbers
from .program import Instruction, depending, fraction, parse

Progress = Callable[[int, int], object]  # progress(done, total)
MOST_NUMBERS_CUT = 2**50  # entries of all results of a network that is looked at in pieces, and never as a whole
READS = re.compile("vectors|tokens|([1-9][0-9]{0,5}) x ([1-9][0-9]{0,5}) numbers and tokens", re.ASCII)


@dataclass(frozen=True)
class Network:
    """The network that a certificate is about: its program, its hash, names and shapes of its tensors in the order of
    the parameters, some of which may not be read; the shape of its input; and from which row and column on the columns
    of this are unit vectors of tokens, with numbers before and zeros beside both.
    """

    program: tuple[Instruction, ...]
    sha256: str
    tensors: dict[str, tuple[int, int]]
    input_shape: tuple[int, int]
    units: tuple[int, int]
    most: int = 2 * MOST_NUMBERS
    work: Work = field(default_factory=Work, compare=False)

    @property
    def parameters(self) -> int:
        return sum(height * width for height, width in self.tensors.values())

    @cached_property
    def read(self) -> dict[str, tuple[int, int]]:
        """The shapes of the tensors that its program reads."""
        return {one.argument: one.sizes for one in self.program if one.operation == "tensor"}

    @property
    def reads_tokens(self) -> bool:
        """Whether columns of its input are unit vectors."""
        return self.units != self.input_shape

    @property
    def in_words(self) -> str:
        """What it is."""
        (height, width), (rows, columns) = self.input_shape, self.units
        vectors = f"{columns} vectors of {rows} numbers" if rows else ""
        tokens = f"{width - columns} tokens out of {height - rows}" if self.reads_tokens else ""
        reads = " and ".join(part for part in (vectors, tokens) if part) or "nothing"
        size = f"which has {self.parameters} parameters and reads {reads},"
        return f"the network with the program {self.sha256[:16]}, {size}"

    def input_of(self, field: Any, entries: Sequence[Any]) -> Matrix:
        """Return the input with some numbers, row by row, and some tokens behind them."""
        (height, width), (rows, columns) = self.input_shape, self.units
        found: list[Any] = [0] * (height * width)
        for k, entry in enumerate(entries[: rows * columns]):
            found[k // columns * width + k % columns] = field.number(entry)
        for j, token in enumerate(entries[rows * columns :]):
            found[(rows + token) * width + columns + j] = 1
        return field.matrix(height, width, found)

    def input_at(self, field: Any, key: str, entries: Sequence[Any]) -> Matrix:
        """Return the input with some numbers and tokens; a random one, if it is of vectors."""
        return self.input_of(field, entries) if self.reads_tokens else field.random(key, *self.input_shape)

    def tensors_of(self, field: Any, entries: Iterable[Any]) -> dict[str, Matrix]:
        """Return tensors with some entries, those of one after those of the other."""
        source = iter(entries)
        return {
            name: field.matrix(*shape, list(islice(source, shape[0] * shape[1])))
            for name, shape in self.tensors.items()
        }

    def random(self, field: Any, key: str, scales: Sequence[int] = ()) -> dict[str, Matrix]:
        """Return random tensors, perhaps times powers of two."""
        found = self.tensors_of(field, field.random(f"{key}/weights", 1, self.parameters).entries())
        pairs = zip(found.items(), scales, strict=True) if scales else ()
        return found | {name: M * flint.arb((1, scale)) for (name, M), scale in pairs}

    def place(self, column: int) -> tuple[str, int, int]:
        """Return the tensor, the row and the column of a parameter by its number."""
        for name, (height, width) in self.tensors.items():
            if column < height * width:
                return name, *divmod(column, width)
            column -= height * width
        raise Refused("claims", "with the column of no parameter", f"with columns below {self.parameters}")

    def minor(self, field: Any, columns: Sequence[int], rows: Iterable[Mapping[str, Matrix]]) -> Matrix:
        """Return as many rows, which are given by tensors, in some columns."""
        places = [self.place(column) for column in columns]
        minor = field.matrix(len(places), len(places), [0] * len(places) ** 2)
        for k, row in enumerate(rows):
            for n, (name, i, j) in enumerate(places):
                if name in row:
                    minor[k, n] = row[name][i, j]
        return minor

    def check_input(self, where: str, entries: Any) -> list[Any]:
        """Return the numbers and the tokens of an input; numbers are fractions as texts."""
        (height, width), (rows, columns) = self.input_shape, self.units
        count, tokens = rows * columns, width - columns
        if not isinstance(entries, list) or len(entries) != count + tokens:
            raise Refused(where, in_a_line(entries), f"a list of {count + tokens} entries")
        numbers = [number_of(where, entry) for entry in entries[:count]]
        return [*numbers, *whole_numbers(where, entries[count:], 0, height - rows - 1)]


def number_of(where: str, entry: Any) -> Any:
    """Return a fraction that is given as text or as an integer."""
    try:
        return fraction(str(whole_number(where, entry, -(2**63))) if type(entry) is int else entry)
    except (TypeError, ValueError):
        raise Refused(where, in_a_line(entry), "an integer, or a fraction as text") from None


def tensors_of(claims: Any) -> dict[str, tuple[int, int]]:
    """Return the shapes of the tensors of claims by their names, in the order of the parameters."""
    tensors: dict[str, tuple[int, int]] = {}
    for number, entry in enumerate(claims["tensors"]):
        where = f"claims.tensors[{number}]"
        if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str)) or entry[0] in tensors:
            raise Refused(where, in_a_line(entry), "a name that stands once, a number of rows and one of columns")
        height, width = (whole_number(where, size, 1) for size in entry[1:])
        tensors[entry[0]] = (height, width)
    return tensors


def hash_of(lines: Sequence[str]) -> str:
    """Return the SHA-256 of a program."""
    return hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()


def network_of(claims: Any) -> Network:
    """Return the network of claims, its program read and checked."""
    work, most = Work(), MOST_NUMBERS_CUT if "cuts" in claims else 2 * MOST_NUMBERS
    program, tensors = parse(claims["program"], work, most), tensors_of(claims)
    shape = next((one.sizes for one in program if one.operation == "input"), (0, 0))
    reads = claims["reads"]
    if (match := READS.fullmatch(reads)) is None:
        raise Refused("claims.reads", in_a_line(reads), "'vectors', 'tokens', or as '2 x 3 numbers and tokens'")
    units = shape if reads == "vectors" else (int(match[1] or 0), int(match[2] or 0))
    if reads != "vectors" and (shape[0] <= units[0] or shape[1] <= units[1]):
        raise Refused("claims.reads", in_a_line(reads), "of fewer numbers than the input has")
    network = Network(program, hash_of(claims["program"]), tensors, shape, units, most, work)
    if network.parameters > most // 2:
        raise too_large("claims.tensors", f"of {network.parameters} parameters", f"of at most {most // 2}")
    for number, one in enumerate(program):
        if one.operation == "tensor" and tensors.get(one.argument) != one.sizes:
            raise Refused(f"program[{number}]", f"a tensor {in_a_line(one.argument)}", "one of claims.tensors")
    return network


class Interpreter:
    """A program of elementary operations over `Residues` or `RealBalls`, at tensors that are given by name."""

    def __init__(self, program: Sequence[Instruction], field: Any, tensors: Mapping[str, Matrix]) -> None:
        self.program, self.field, self.tensors = program, field, tensors
        self.moving = depending(program, "tensor")

    def forward(self, X: Matrix | None) -> list[Matrix]:
        """Return the results of all instructions at an input; raise `NoValue` or `Undecided` if there are none."""
        results: list[Matrix] = []
        for one in self.program:
            results.append(self.result(one, [results[operand] for operand in one.operands], X))
        return results

    def result(self, one: Instruction, operands: Sequence[Matrix], X: Matrix | None) -> Matrix:
        """Return the result of one instruction by its operands."""
        field, (height, width) = self.field, one.sizes
        match one.operation:
            case "input":
                return X
            case "tensor":
                return self.tensors[one.argument]
            case "constant":
                return field.matrix(height, width, [field.number(entry) for entry in one.argument])
            case "add":
                return operands[0] + operands[1]
            case "multiply":
                return entrywise(*operands)
            case "product":
                return operands[0] * operands[1]
            case "transpose":
                return operands[0].transpose()
            case "cos" | "sin":
                return field.circle(one.operation, *one.argument)
            case "largest":
                entries = operands[0].entries()
                columns = [field.largest(entries[j::width], one.argument) for j in range(width)]
                return field.matrix(height, width, [columns[j][i] for i in range(height) for j in range(width)])
        return field.matrix(height, width, [field.function(one.operation, x) for x in operands[0].entries()])

    def backward(self, results: Sequence[Matrix], cotangent: Matrix) -> dict[str, Matrix]:
        """Return the derivatives by the tensors of a linear form of the value with some coefficients, by name."""
        by: dict[int, Matrix] = {len(self.program) - 1: cotangent}
        found: dict[str, Matrix] = {}
        for number, one in reversed(list(enumerate(self.program))):
            if (G := by.pop(number, None)) is None:
                continue
            if one.operation == "tensor":
                found[one.argument] = G
            for k, operand in enumerate(one.operands):
                if operand in self.moving and (part := self.pulled(one, k, results, number, G)) is not None:
                    by[operand] = by[operand] + part if operand in by else part
        return found

    def pulled(self, one: Instruction, k: int, results: Sequence[Matrix], number: int, G: Matrix) -> Matrix | None:
        """Return the derivative by an operand from that by the result; None if it is zero."""
        match one.operation:
            case "add":
                return G
            case "multiply":
                return entrywise(G, results[one.operands[1 - k]])
            case "product":
                other = results[one.operands[1 - k]].transpose()
                return other * G if k else G * other
            case "transpose":
                return G.transpose()
            case "positive" | "largest":
                return None
        pairs = zip(results[one.operands[0]].entries(), results[number].entries(), strict=True)
        slopes = [SLOPES[one.operation](x, y) for x, y in pairs]
        return entrywise(G, self.field.matrix(G.nrows(), G.ncols(), slopes))
