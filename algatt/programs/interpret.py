"""Programs: recorded by evaluating a network over `Trace`, instruction by instruction, and evaluated over any field."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.arguments import rational
from algatt.display import MOST_ROWS, Summary
from algatt.errors import MethodError
from algatt.fields import Elements, Erf, Exp, Field, Function, Log, Positive, Sigmoid, Sqrt
from algatt.fields.shape import Shape, Shapes
from algatt.verbs.views import Summarized

if TYPE_CHECKING:
    from algatt.programs.uses import Uses


@dataclass(frozen=True)
class Instruction:
    """One operation of a program.

    Parameters
    ----------
    operation : str
        Its name: that of a verb of arithmetic, of a function in lower case, or ``input``, ``tensor`` or ``constant``. A
        function that is not of this package has the name of its module before its own.
    operands : tuple of int
        The numbers of the instructions whose results it takes.
    argument : object
        What else it takes: the name of a tensor, the entries of a constant row by row, indices, angles, a count; a
        function that is not of this package.
    shape : tuple of int
        Shape of its result.
    """

    operation: str
    operands: tuple[int, ...]
    argument: Any
    shape: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Program(Summarized):
    """A straight-line program: the instructions of a network, the result of the last one being its value.

    Parameters
    ----------
    instructions : tuple of Instruction
        Each takes results of earlier ones only.
    """

    instructions: tuple[Instruction, ...]

    @functools.cached_property
    def uses(self) -> Uses:
        """Which instructions take the result of which."""
        from algatt.programs.uses import Uses

        return Uses(self)

    @functools.cached_property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Names and shapes of the tensors, in the order in which they are read."""
        return {one.argument: one.shape for one in self.instructions if one.operation == "tensor"}

    @property
    def lines(self) -> tuple[str, ...]:
        """The instructions as text, each without its number: what certificates have."""
        return tuple(line(one) for one in self.instructions)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the lines, joined by newlines, as certificates have it."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()

    def __str__(self) -> str:
        return "\n".join(f"{number:>4} = {one}" for number, one in enumerate(self.lines))

    def __len__(self) -> int:
        return len(self.instructions)


@verbs.summarize.method
def summary_of_program(program: Program) -> Summary:
    lines = [(f"%{number}", one) for number, one in enumerate(program.lines)]
    title = f"a program of {len(lines)} instructions; print shows all"
    return Summary(title, lines if len(lines) <= MOST_ROWS else [*lines[: MOST_ROWS - 2], ("...", ""), lines[-1]])


def line(instruction: Instruction) -> str:
    """Return an instruction as text, with the shape of its result."""
    words = [instruction.operation, *(f"%{operand}" for operand in instruction.operands)]
    if instruction.argument is not None:
        words.append(written(instruction.argument))
    return f"{' '.join(words)}  : {' x '.join(map(str, instruction.shape)) or 'number'}"


def written(argument: Any) -> str:
    """Return the argument of an instruction as text."""
    if isinstance(argument, tuple):
        return f"[{' '.join(map(written, argument))}]"
    if isinstance(argument, slice):
        return ":".join("" if part is None else str(part) for part in (argument.start, argument.stop))
    return str(argument)


@dataclass(frozen=True)
class TraceArray:
    """The result of an instruction.

    Parameters
    ----------
    number : int
        The number of the instruction.
    shape : tuple of int
        Shape of the result.
    """

    number: int
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Trace(Field):
    """The field whose arrays are results of instructions; each operation records one, unless the same was recorded
    before.

    Parameters
    ----------
    instructions : list of Instruction
        What was recorded so far.
    """

    instructions: list[Instruction] = dataclasses.field(default_factory=list)
    numbers: dict[Instruction, int] = dataclasses.field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return "programs"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: x + y and y + x are different programs, and those of a ring's laws are not compared."""
        return ()

    def record(self, operation: str, *operands: TraceArray, shape: tuple[int, ...], argument: Any = None) -> TraceArray:
        """Record an instruction and return its result."""
        one = Instruction(operation, tuple(operand.number for operand in operands), argument, shape)
        number = self.numbers.setdefault(one, len(self.instructions))
        if number == len(self.instructions):
            self.instructions.append(one)
        return TraceArray(number, shape)

    def tensor(self, name: str, shape: tuple[int, ...]) -> TraceArray:
        """Record that a tensor is read."""
        return self.record("tensor", shape=shape, argument=name)

    def input(self, shape: tuple[int, ...]) -> TraceArray:
        """Record that the input is read."""
        return self.record("input", shape=shape)

    def positions(self, value: TraceArray) -> dict[int, int]:
        """Return the numbers that the instructions a result needs have in its program, by those that they have here."""
        from algatt.programs.uses import renumber

        return renumber(Program(tuple(self.instructions[: value.number + 1])), {})

    def program(self, value: TraceArray) -> Program:
        """Return the program that computes a result: the instructions that it needs, numbered anew."""
        from algatt.programs.uses import needed

        return needed(self.instructions, value.number)


class ConstantEntries(tuple):
    """The entries of a constant, row by row: a tuple whose hash is computed once, as those of fractions take long."""

    def __hash__(self) -> int:
        return self.known_hash

    @functools.cached_property
    def known_hash(self) -> int:
        """The hash of the tuple."""
        return super().__hash__()


def shape_of(verb: Any, *operands: TraceArray, **options: Any) -> tuple[int, ...]:
    """Return the shape of the result of a verb."""
    result: Shape = verb(Shapes(), *(Shape(operand.shape) for operand in operands), **options)
    return result.shape


def common_entry(entries: tuple) -> Any:
    """Return the number that all entries of a constant are, or None; of a mask most are the same object."""
    first = entries[0]
    return first if all(entry is first or entry == first for entry in entries) else None


@verbs.encode.method
def encode_constant(
    field: Trace, array: np.ndarray | int | float | Fraction | list | tuple, *, argument: str = "array"
) -> TraceArray:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    if values.dtype.hasobject or not values.size:
        entries = ConstantEntries(rational(entry, argument) for entry in values.ravel().tolist())
    else:
        entries = entries_of(values.dtype.str, values.tobytes(), argument)
    return field.record("constant", shape=values.shape, argument=entries)


@functools.lru_cache(maxsize=8)
def entries_of(dtype: str, content: bytes, argument: str) -> ConstantEntries:
    """Return the entries of an array as fractions; those of a mask, which all heads have, are made once."""
    numbers = np.frombuffer(content, dtype=dtype).tolist()
    fractions = {number: rational(number, argument) for number in dict.fromkeys(numbers)}
    return ConstantEntries(map(fractions.__getitem__, numbers))


@verbs.add.method
def add_traces(field: Trace, left: TraceArray, right: TraceArray) -> TraceArray:
    return field.record("add", left, right, shape=shape_of(verbs.add, left, right))


@verbs.negate.method
def negate_trace(field: Trace, raw: TraceArray) -> TraceArray:
    one = field.instructions[raw.number]
    if one.operation == "constant":
        return field.record("constant", shape=raw.shape, argument=ConstantEntries(-entry for entry in one.argument))
    return field.record("negate", raw, shape=raw.shape)


@verbs.multiply.method
def multiply_traces(field: Trace, left: TraceArray, right: TraceArray) -> TraceArray:
    return field.record("multiply", left, right, shape=shape_of(verbs.multiply, left, right))


@verbs.transpose.method
def transpose_trace(field: Trace, raw: TraceArray) -> TraceArray:
    return field.record("transpose", raw, shape=shape_of(verbs.transpose, raw))


@verbs.product.method
def product_traces(field: Trace, left: TraceArray, right: TraceArray) -> TraceArray:
    return field.record("product", left, right, shape=shape_of(verbs.product, left, right))


@verbs.column_products.method
def column_products_of_traces(field: Trace, left: TraceArray, right: TraceArray) -> TraceArray:
    return field.record("column_products", left, right, shape=shape_of(verbs.column_products, left, right))


@verbs.centre.method
def centre_trace(field: Trace, raw: TraceArray) -> TraceArray:
    return field.record("centre", raw, shape=raw.shape)


@verbs.rotate.method
def rotate_trace(field: Trace, raw: TraceArray, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> TraceArray:
    shape = shape_of(verbs.rotate, raw, angles=angles, positions=positions)
    return field.record("rotate", raw, shape=shape, argument=(angles, positions))


@verbs.circle_points.method
def circle_points_of_traces(
    field: Trace, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[TraceArray, TraceArray]:
    """The tables are pairs of rows 1 and 0, turned."""
    starts = np.zeros((2 * len(angles), len(positions)), dtype=np.int64)
    starts[::2] = 1
    turned = verbs.rotate(field, verbs.encode(field, starts), angles=angles, positions=positions)
    cosines, sines = (verbs.take(field, turned, rows=slice(half, None, 2), columns=slice(None)) for half in (0, 1))
    return cosines, sines


@verbs.take.method
def take_trace(field: Trace, raw: TraceArray, *, rows: Any, columns: Any) -> TraceArray:
    numbers = tuple(
        tuple(range(size)[index]) if isinstance(index, slice) else index
        for index, size in zip((rows, columns), raw.shape[-2:], strict=True)
    )
    return field.record("take", raw, shape=tuple(map(len, numbers)), argument=numbers)


@verbs.concatenate.method
def concatenate_traces(field: Trace, parts: tuple, *, axis: int) -> TraceArray:
    shape: Shape = verbs.concatenate(Shapes(), tuple(Shape(part.shape) for part in parts), axis=axis)
    return field.record("concatenate", *parts, shape=shape.shape, argument=axis + 2)


@verbs.reciprocal.method
def reciprocal_trace(field: Trace, raw: TraceArray) -> TraceArray:
    return field.record("reciprocal", raw, shape=raw.shape)


@verbs.entrywise.method
def entrywise_trace(field: Trace, function: Function, raw: TraceArray) -> TraceArray:
    return field.record(
        name_of_function(function), raw, shape=raw.shape, argument=None if is_own(function) else function
    )


def name_of_function(function: Function) -> str:
    """Return the name of a function in programs: of this package's own in lower case, of others with their modules, so
    that no two functions have one name.
    """
    kind = type(function)
    return kind.__name__.lower() if is_own(function) else f"{kind.__module__}.{kind.__qualname__}"


def is_own(function: Function) -> bool:
    """Return whether a function is one of this package."""
    return type(function).__module__.startswith(f"{Function.__module__.rpartition('.')[0]}.")


@verbs.largest.method
def largest_trace(field: Trace, raw: TraceArray, *, count: int) -> TraceArray:
    return field.record("largest", raw, shape=raw.shape, argument=count)


@dataclass(frozen=True, eq=False)
class Results:
    """The results of the instructions of a program, by number; each is computed when it is asked for.

    Parameters
    ----------
    program : Program
        The program.
    field : Field
        Where it is evaluated.
    tensors : mapping of str to Elements
        The tensors that it reads, by name.
    inputs : Elements or None
        The input. Without one, only what does not depend on the input has a result.
    functions : mapping of int to Function, optional
        Functions that are taken in the place of those that instructions have, by the numbers of these.
    """

    program: Program
    field: Field
    tensors: Mapping[str, Elements]
    inputs: Elements | None = None
    functions: Mapping[int, Function] = dataclasses.field(default_factory=dict)
    found: dict[int, Elements] = dataclasses.field(default_factory=dict, init=False, repr=False)

    def __getitem__(self, number: int) -> Elements:
        """Return a result.

        Raises
        ------
        KeyError
            If it depends on the input, and there is none.
        """
        for needed in self.missing(number):
            self.found[needed] = self.compute(needed)
        return self.found[number]

    def missing(self, number: int) -> list[int]:
        """Return what has to be computed for a result, in order."""
        needed: set[int] = set()
        asked = [number]
        while asked:
            one = asked.pop()
            if one not in self.found and one not in needed:
                needed.add(one)
                asked += self.program.instructions[one].operands
        return sorted(needed)

    def compute(self, number: int) -> Elements:
        """Return the result of an instruction, those that it takes being found."""
        one = self.program.instructions[number]
        if one.operation == "tensor":
            return self.tensors[one.argument]
        if one.operation == "input":
            if self.inputs is None:
                raise KeyError("the input")
            return self.inputs
        if number in self.functions:
            return self.found[one.operands[0]].entrywise(self.functions[number])
        return result(one, self.field, [self.found[operand] for operand in one.operands])


def interpret(
    program: Program,
    field: Field,
    tensors: Mapping[str, Elements],
    inputs: Elements | None,
    functions: Mapping[int, Function] | None = None,
) -> Elements:
    """Return the value of a program: the result of its last instruction."""
    return Results(program, field, tensors, inputs, functions or {})[len(program) - 1]


def result(one: Instruction, field: Field, operands: list[Elements]) -> Elements:
    """Return the result of an instruction, given those that it takes."""
    if one.operation == "constant":
        entries = np.empty(len(one.argument), dtype=object)
        entries[:] = one.argument
        return Elements(field, verbs.embed(field, whole(entries).reshape(one.shape)))
    if one.operation in OPERATIONS:
        return OPERATIONS[one.operation](one.argument, *operands)
    function = function_of(one)
    if function is None:
        raise MethodError(f"the program has the operation {one.operation}, which is none of this package's")
    (operand,) = operands
    return operand.entrywise(function)


def function_of(one: Instruction) -> Function | None:
    """Return the function of one variable that an instruction applies; None if it applies none."""
    return one.argument if isinstance(one.argument, Function) else FUNCTIONS.get(one.operation)


def whole(entries: np.ndarray) -> np.ndarray:
    """Return fractions as int64, which every field embeds, if they are integers that fit."""
    if all(entry.denominator == 1 and abs(entry) < 2**62 for entry in entries):
        return np.array([int(entry) for entry in entries], dtype=np.int64)
    return entries


def take(argument: Any, X: Elements) -> Elements:
    """Return a submatrix."""
    rows, columns = argument
    return X[rows, columns]


def join(axis: Any, *parts: Elements) -> Elements:
    """Put matrices below each other or side by side."""
    raw = verbs.concatenate(parts[0].field, tuple(part.raw for part in parts), axis=axis - 2)
    return Elements(parts[0].field, raw)


OPERATIONS: dict[str, Callable[..., Elements]] = {
    "add": lambda _, left, right: left + right,
    "negate": lambda _, X: -X,
    "multiply": lambda _, left, right: left * right,
    "transpose": lambda _, X: X.T,
    "product": lambda _, left, right: left @ right,
    "column_products": lambda _, left, right: left.column_products(right),
    "centre": lambda _, X: X.centre(),
    "rotate": lambda argument, X: X.rotate(*argument),
    "take": take,
    "concatenate": join,
    "reciprocal": lambda _, X: X.reciprocal(),
    "largest": lambda count, X: X.largest(count),
}
"""What the operations of programs do with their arguments and operands."""

FUNCTIONS: dict[str, Function] = {
    name_of_function(function): function for function in (Erf(), Exp(), Log(), Positive(), Sigmoid(), Sqrt())
}
"""Functions of one variable by their names in programs; others are the arguments of their instructions."""
