"""What a certificate has to say, and of which types."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .limits import MOST_PARAMETERS, MOST_STEPS, Refused, in_a_line, whole_number
from .modular import is_prime
from .program import Instruction, cost_of, hash_of, parse, sizes

__all__ = ["Network", "check_count_of_families", "fields_of", "network_of", "prime_of", "whole_numbers"]


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
    tokens : bool
        Whether it reads tokens, given as unit vectors, in place of vectors.
    source : (int, int) or None
        How many rows and columns of numbers are above and before the unit vectors, if it reads these, too.
    """

    program: tuple[Instruction, ...]
    sha256: str
    tensors: dict[str, tuple[int, int]]
    tokens: bool
    source: tuple[int, int] | None = None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(height * width for height, width in self.tensors.values())

    @property
    def starts(self) -> dict[str, int]:
        """Where each tensor starts among the parameters."""
        found, start = {}, 0
        for name, (height, width) in self.tensors.items():
            found[name] = start
            start += height * width
        return found

    @property
    def input_shape(self) -> tuple[int, int] | None:
        """The shape of an input; None if none is read."""
        return next((sizes(one.shape) for one in self.program if one.operation == "input"), None)

    @property
    def units(self) -> tuple[int, int] | None:
        """From which row and which column on the columns of inputs are unit vectors; None if they never are."""
        return (self.source or (0, 0)) if self.tokens else None

    @property
    def numbers_of_input(self) -> int:
        """How many numbers there are beside the tokens."""
        return math.prod(self.source or (0, 0))

    @property
    def tokens_of_input(self) -> tuple[int, int]:
        """How many different tokens there are, and how many an input has."""
        (height, width), (rows, columns) = self.input_shape or (1, 1), self.source or (0, 0)
        return height - rows, width - columns

    @property
    def output_shape(self) -> tuple[int, int]:
        """The shape of the value."""
        return sizes(self.program[-1].shape)

    @property
    def outputs(self) -> int:
        """The number of entries of the value."""
        return math.prod(self.output_shape)

    @property
    def in_words(self) -> str:
        """What it is."""
        shape = self.input_shape
        if shape is None:
            reads = "reads nothing"
        elif self.source is not None:
            vocabulary, tokens = self.tokens_of_input
            reads = (
                f"reads {self.source[1]} vectors of {self.source[0]} numbers and {tokens} tokens out of {vocabulary}"
            )
        elif self.tokens:
            reads = f"reads {shape[1]} tokens out of {shape[0]}"
        else:
            reads = f"reads {shape[1]} vectors of {shape[0]} numbers"
        return f"the network with the program {self.sha256[:16]}, which has {self.parameters} parameters and {reads},"


def fields_of(name: str, value: Any, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> Any:
    """Return an object of JSON that has the names that are required, and perhaps others, with values of their types."""
    known = {**required, **(optional or {})}
    if not isinstance(value, dict) or not set(required) <= set(value) <= set(known):
        found = sorted(map(str, value)) if isinstance(value, dict) else value
        raise Refused(name, in_a_line(found), f"an object with {', '.join(sorted(required))}")
    for key, kind in known.items():
        if key in value and kind is not object and type(value[key]) is not kind:
            raise Refused(f"{name}.{key}", in_a_line(value[key]), f"of type {kind.__name__}")
    return value


def whole_numbers(name: str, value: Any, least: int, most: int) -> list[int]:
    """Return a list of integers within bounds."""
    if not isinstance(value, list):
        raise Refused(name, in_a_line(value), "a list of integers")
    for entry in value:
        if type(entry) is not int or not least <= entry <= most:
            raise Refused(name, f"a list with {in_a_line(entry)}", f"a list of integers from {least} to {most}")
    return value


def check_count_of_families(network: Network, count: int) -> None:
    """Refuse more families than are checked in bounded time: each takes a look at all parameters and results.

    Raises
    ------
    Refused
        If there are too many.
    """
    steps = count * (network.parameters + cost_of(network.program) + COST_OF_INSTRUCTION * len(network.program))
    if steps > MOST_STEPS:
        raise Refused("families", f"{count} families, which take {steps} steps", f"such that take {MOST_STEPS} at most")


COST_OF_INSTRUCTION = 20
"""So many steps takes an instruction, whatever its shape."""


def prime_of(claims: Any) -> int:
    """Return the prime of claims."""
    p = whole_number("claims.prime", claims["prime"], 2)
    if not is_prime(p):
        raise Refused("claims.prime", str(p), "a prime below 2^63")
    return p


def what_is_read(text: Any) -> tuple[bool, tuple[int, int] | None]:
    """Return whether tokens are read, and how many rows and columns of numbers are read beside them."""
    if text in ("vectors", "tokens"):
        return text == "tokens", None
    found = PAIR.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise Refused(
            "claims.reads", in_a_line(text), "'vectors', 'tokens', or as '2 x 3 numbers (words modulo 8) and tokens'"
        )
    return True, (int(found[1]), int(found[2]))


PAIR = re.compile("([1-9][0-9]{0,8}) x ([1-9][0-9]{0,8}) numbers \\(words modulo 8\\) and tokens", re.ASCII)
"""How many rows and columns of numbers there are beside tokens."""


def network_of(claims: Any) -> Network:
    """Return the network of claims, its program read and checked."""
    program = parse(claims["program"])
    sha256 = hash_of(claims["program"])
    if claims["sha256"] != sha256:
        raise Refused("claims.sha256", in_a_line(claims["sha256"]), f"{sha256}, the hash of the program")
    tokens, source = what_is_read(claims["reads"])
    tensors: dict[str, tuple[int, int]] = {}
    for number, entry in enumerate(claims["tensors"]):
        name = f"claims.tensors[{number}]"
        if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str)) or entry[0] in tensors:
            raise Refused(name, in_a_line(entry), "a name that stands once, a number of rows and one of columns")
        height, width = (whole_number(name, size, 1, MOST_PARAMETERS) for size in entry[1:])
        tensors[entry[0]] = (height, width)
    network = Network(program, sha256, tensors, tokens, source)
    if source is not None and min(network.tokens_of_input) < 1:
        was = "beside which an input of the program has no tokens"
        raise Refused("claims.reads", f"{in_a_line(claims['reads'])}, {was}", "of fewer numbers")
    if network.parameters > MOST_PARAMETERS:
        raise Refused("claims.tensors", f"of {network.parameters} parameters", f"of at most {MOST_PARAMETERS}")
    for number, one in enumerate(program):
        if one.operation == "tensor" and tensors.get(one.argument) != sizes(one.shape):
            raise Refused(f"program[{number}]", f"a tensor {in_a_line(one.argument)}", "one of claims.tensors")
    return network
