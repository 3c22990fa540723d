"""The Jacobian at a rational point as lines of scalar arithmetic, which the templates of the systems write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, entered_inputs
from algatt.arguments import check_over
from algatt.certificates import Certificate
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier import fields, network
from algatt.certificates.verifier.program import Instruction
from algatt.errors import InvalidArgument, NoValue
from algatt.exports.parametrization import names_of
from algatt.fields import Rationals, Reals
from algatt.maps.existence import over
from algatt.parameters import Parameters
from algatt.randomness import random_words

MOST_LINES = 2**17
"""Maximum number of lines of arithmetic in a text."""

PRIME = 2**61 - 1
"""Prime modulo which a minor is found not to be zero."""

MOST_SEEDS = 20
"""Number of random points at which a minor is looked at."""

Value = Fraction | str
"""A number, or the name of a result that depends on the weights."""


@dataclass(frozen=True)
class PointedProgram:
    """A network at rational weights and inputs, with which rows and columns of its Jacobian are asked for.

    Parameters
    ----------
    title : str
        The network, in a line.
    variables : tuple of str
        A name for each weight.
    weights : tuple of Fraction
        The value of each weight.
    program : tuple of Instruction
        The program, in elementary operations.
    tensors : dict
        The shape of each tensor, in the order of the weights.
    inputs : tuple of list of list of Fraction
        The inputs.
    rows : tuple of int
        Entries of the values: number k of input i is i times the number of entries of a value, plus k.
    columns : tuple of int
        The weights by which they are differentiated.
    minor : bool
        Whether the determinant of these rows and columns is asked for, which is not zero.
    """

    title: str
    variables: tuple[str, ...]
    weights: tuple[Fraction, ...]
    program: tuple[Instruction, ...]
    tensors: dict[str, tuple[int, int]]
    inputs: tuple[list[list[Fraction]], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    minor: bool

    def lines(self, number: Callable[[Fraction], str], inverse: str) -> tuple[list[tuple[str, str]], list[str]]:
        """Return assignments to t_1, t_2, ..., and the entries in the rows.

        Parameters
        ----------
        number : callable
            Writes a fraction.
        inverse : str
            The name of the function that inverts.
        """
        tape = Tape(number, inverse)
        weights = [f"w_{place}" for place in range(1, len(self.variables) + 1)]
        size = self.program[-1].sizes[0] * self.program[-1].sizes[1]
        values: dict[int, list[Value]] = {}
        for row in self.rows:
            which = row // size
            if which not in values:
                values[which] = tape.evaluate(self.program, self.tensors, weights, self.inputs[which])
        entries = [values[row // size][row % size] for row in self.rows]
        return tape.made, [number(one) if isinstance(one, Fraction) else one for one in entries]


class Tape:
    """Scalar operations as lines; operations between numbers are done at once."""

    def __init__(self, number: Callable[[Fraction], str], inverse: str) -> None:
        self.number, self.inverse = number, inverse
        self.made: list[tuple[str, str]] = []
        self.known: dict[str, str] = {}

    def line(self, text: str) -> str:
        """Return the name of the result of a line; equal lines are written once."""
        if text not in self.known:
            if len(self.made) >= MOST_LINES:
                was, should = f"one with more than {MOST_LINES:,} operations at these inputs", "a smaller network"
                raise InvalidArgument("arch", was, should)
            self.known[text] = f"t_{len(self.made) + 1}"
            self.made.append((self.known[text], text))
        return self.known[text]

    def total(self, pairs: Sequence[tuple[Value, Value]]) -> Value:
        """Return the sum of products."""
        constant, terms = Fraction(0), []
        for x, y in pairs:
            if isinstance(x, Fraction) and isinstance(y, Fraction):
                constant += x * y
            elif x == 0 or y == 0:
                continue
            else:
                x, y = (y, x) if isinstance(y, Fraction) else (x, y)
                terms.append(f"{y}" if x == 1 else f"{self.number(x) if isinstance(x, Fraction) else x}*{y}")
        if not terms:
            return constant
        if constant:
            terms.append(self.number(constant))
        return terms[0] if len(terms) == 1 and "*" not in terms[0] else self.line(" + ".join(terms))

    def inverted(self, x: Value) -> Value:
        """Return one over a value."""
        if isinstance(x, Fraction):
            if not x:
                raise NoValue("something is divided by zero at these weights and inputs")
            return 1 / x
        return self.line(f"{self.inverse}({x})")

    def evaluate(
        self, program: Sequence[Instruction], tensors: dict[str, tuple[int, int]], weights: list[str], X: Any
    ) -> list[Value]:
        """Return the entries of the value of a program at an input, row by row."""
        starts, start = {}, 0
        for name, (height, width) in tensors.items():
            starts[name] = start
            start += height * width
        results: list[list[list[Value]]] = []
        for one in program:
            height, width = one.sizes
            at = [results[operand] for operand in one.operands]
            found: list[list[Value]]
            match one.operation:
                case "tensor":
                    found = [
                        [weights[starts[one.argument] + i * width + j] for j in range(width)] for i in range(height)
                    ]
                case "input":
                    found = X
                case "constant":
                    listed: list[Value] = [Fraction(str(entry)) for entry in one.argument]
                    found = [listed[i * width : (i + 1) * width] for i in range(height)]
                case "add":
                    unit = Fraction(1)
                    found = [
                        [self.total([(unit, x), (unit, y)]) for x, y in zip(*pair, strict=True)]
                        for pair in zip(*at, strict=True)
                    ]
                case "multiply":
                    found = [
                        [self.total([(x, y)]) for x, y in zip(*pair, strict=True)] for pair in zip(*at, strict=True)
                    ]
                case "product":
                    columns = list(zip(*at[1], strict=True))
                    found = [[self.total(list(zip(row, column, strict=True))) for column in columns] for row in at[0]]
                case "transpose":
                    found = [list(column) for column in zip(*at[0], strict=True)]
                case "reciprocal":
                    found = [[self.inverted(x) for x in row] for row in at[0]]
                case name:
                    should = "a network of sums, products and quotients: its values are rational at rational weights"
                    raise InvalidArgument("arch", f"one that computes {name}", should)
            results.append(found)
        return [entry for row in results[-1] for entry in row]


def jacobian_at(arch: Architecture, theta: Parameters, inputs: Any) -> PointedProgram:
    """Return a network at weights and inputs; all rows and columns of its Jacobian are asked for."""
    check_fits(arch, theta)
    check_over("weights", theta.field, Reals | Rationals, "over Reals() or Rationals(); floats are exact")
    given = entered(arch, inputs)
    claims = claims_of_network(arch)
    read = network.network_of(claims)
    exact = [Fraction(int(x.p), int(x.q)) for one in over(Rationals(), theta).elements for x in one.raw.flat]
    outputs = len(given) * read.program[-1].sizes[0] * read.program[-1].sizes[1]
    return PointedProgram(
        " ".join(f"{arch}".split()),
        names_of(read.tensors),
        tuple(exact),
        read.program,
        read.tensors,
        tuple([[fraction_of(x) for x in row] for row in one] for one in given),
        tuple(range(outputs)),
        tuple(range(arch.parameters)),
        False,
    )


def entered(arch: Architecture, inputs: Any) -> np.ndarray:
    """Return inputs as a batch of matrices; those of tokens are unit vectors."""
    if arch.vocabulary is not None:
        given = entered_inputs(arch, Rationals(), inputs).raw
    else:
        given = np.array(inputs, dtype=object)
    given = given[None] if given.ndim == 2 else given
    if given.ndim != 3 or given.shape[1:] != tuple(arch.input_shape) or not len(given):
        raise InvalidArgument("inputs", f"of shape {given.shape}", f"of shape (batch, *{tuple(arch.input_shape)})")
    return given


def fraction_of(x: Any) -> Fraction:
    """Return an entry of an input exactly."""
    try:
        return Fraction(int(x.p), int(x.q)) if hasattr(x, "q") else Fraction(x.item() if hasattr(x, "item") else x)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument("inputs", f"with the entry {x!r}", "of rational numbers or finite floats") from None


def minor_of(certificate: Certificate) -> PointedProgram:
    """Return the network of a certificate at random integers, where the minor that it claims is not zero.

    The certificate is about random residues that its hash names; the same rows and columns are taken at small integers.
    """
    claims = certificate.claims
    if certificate.kind != "dimension" or "point" in claims:
        was = (
            "one of a network with exp, sqrt or the like"
            if "point" in claims
            else f"one of the kind {certificate.kind}"
        )
        should = "a certificate of the dimension of a polynomial or rational network; algatt verify checks any"
        raise InvalidArgument("certificate", was, should)
    if (verdict := verbs.verify(certificate)).reasons:
        raise InvalidArgument("certificate", f"refuted: {verdict.reasons[0]}", "one that algatt verify accepts")
    read = network.network_of(claims)
    size = read.program[-1].sizes[0] * read.program[-1].sizes[1]
    count = 1 + max(claims["rows"], default=-1) // size
    for seed in range(MOST_SEEDS):
        weights = integers(seed, "weights", read.parameters)
        inputs = [input_at(read, claims, seed, number) for number in range(count)]
        if claims["rows"] and is_regular(read, claims, weights, inputs):
            break
    else:
        should = "one whose minor has an order of at least one, and is not zero at small integers"
        raise InvalidArgument("certificate", f"one of a minor of order {len(claims['rows'])}", should)
    return PointedProgram(
        certificate.network,
        names_of(read.tensors),
        tuple(map(Fraction, weights)),
        read.program,
        read.tensors,
        tuple([[Fraction(x) for x in row] for row in one] for one in inputs),
        tuple(claims["rows"]),
        tuple(claims["columns"]),
        True,
    )


def integers(seed: int, label: str, count: int) -> list[int]:
    """Return random integers between -9 and 9."""
    return [int(word) % 19 - 9 for word in random_words(seed, f"exports/{label}", count)]


def input_at(read: network.Network, claims: Any, seed: int, number: int) -> list[list[int]]:
    """Return an input: that of the certificate if tokens are read, else random integers."""
    height, width = read.input_shape
    if not read.reads_tokens:
        flat = integers(seed, f"input/{number}", height * width)
        return [flat[i * width : (i + 1) * width] for i in range(height)]
    given = read.check_input("claims.inputs", claims["inputs"][number])
    matrix = read.input_of(fields.Residues(PRIME), given)
    return [[int(matrix[i, j]) for j in range(width)] for i in range(height)]


def is_regular(read: network.Network, claims: Any, weights: list[int], inputs: list[list[list[int]]]) -> bool:
    """Return whether the minor is not zero modulo a prime: then it is not zero."""
    field = fields.Residues(PRIME)
    interpreter = network.Interpreter(read.program, field, read.tensors_of(field, weights))
    height, width = read.program[-1].sizes
    found = []
    try:
        for row in claims["rows"]:
            number, output = divmod(row, height * width)
            X = field.matrix(*read.input_shape, [x for line in inputs[number] for x in line])
            one = field.matrix(height, width, [int(n == output) for n in range(height * width)])
            found.append(interpreter.backward(interpreter.forward(X), one))
    except fields.NoValue:
        return False
    return bool(int(read.minor(field, claims["columns"], found).det()))
