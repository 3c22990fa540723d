"""Gates of real inputs, decided by balls."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from .balls import RealBalls, Undecided, precision
from .elementary import Refuted, numbers_of
from .interpreter import Interpreter, NoValue
from .limits import Refused
from .modular import Matrix
from .program import Instruction, sizes
from .stream import words

__all__ = ["RealPoints"]

LEAST_PRECISION = 128
"""So many bits are taken at first, and twice as many each time they do not decide something."""

HIGHEST_PRECISION = 2048
"""So many bits are the highest precision."""

SMALL = -4
"""Biases are multiplied by two to this power where there are gates: so most are open at some inputs and not at others.
"""


class RealPoints:
    """The values of a network at real weights and inputs that a seed names.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    seed : int
        The seed.
    tensors : mapping of str to Matrix
        All tensors in order, whose shapes are asked for. A tensor with d columns is multiplied by the power of two next
        to d^(-1/2). With gates, one that is a column and is added is a bias, and is multiplied by 1/16, too.
    reads : str
        ``vectors`` or ``tokens``.
    """

    def __init__(self, program: Sequence[Instruction], seed: int, tensors: Mapping[str, Matrix], reads: str) -> None:
        self.program, self.seed, self.reads = program, seed, reads
        self.gates = numbers_of(program, "positive", "largest")
        self.shapes = {name: (matrix.nrows(), matrix.ncols()) for name, matrix in tensors.items()}
        biases = {
            program[operand].argument
            for one in program
            if one.operation == "add"
            for operand in one.operands
            if program[operand].operation == "tensor" and program[operand].shape[-1:] == (1,)
        }
        self.exponents = [
            -round(math.log2(width) / 2) + (SMALL if self.gates and name in biases else 0)
            for name, (_, width) in self.shapes.items()
        ]
        self.known: dict[tuple[int, ...], int] = {}

    def pattern(self, number: int) -> int:
        """Return the gates of a real input as bits, the first one being the highest.

        Raises
        ------
        Refuted
            If they are not decided, or if the network has no value there.
        """
        tokens = self.tokens(number) if self.reads == "tokens" else (number,)
        if tokens not in self.known:
            bits = 0
            for bit in self.decided(number):
                bits = 2 * bits + bit
            self.known[tokens] = bits
        return self.known[tokens]

    def has_value(self, number: int) -> bool:
        """Return whether the network has a value at a real input, as far as the highest precision tells."""
        try:
            self.decided(number)
        except Refuted:
            return False
        return True

    def tokens(self, number: int) -> tuple[int, ...]:
        """Return a sequence of tokens."""
        height, width = next(sizes(one.shape) for one in self.program if one.operation == "input")
        return tuple(word % height for word in words(self.seed, f"input/{number}", width))

    def decided(self, number: int) -> list[int]:
        """Return all gates at a real input."""
        bits = LEAST_PRECISION
        while True:
            try:
                with precision(bits):
                    return self.evaluated(number)
            except Refused as error:
                raise Refuted(f"real input {number} has no value: {error}") from None
            except (NoValue, Undecided) as error:
                bits *= 2
                if bits > HIGHEST_PRECISION:
                    raise Refuted(f"nothing is known of real input {number}: {error}") from None

    def evaluated(self, number: int) -> list[int]:
        """Return all gates with the present precision."""
        field = RealBalls()
        weights = field.weights(self.seed, list(self.shapes.values()), self.exponents)
        X = None
        for one in self.program:
            if one.operation == "input":
                height, width = sizes(one.shape)
                if self.reads == "tokens":
                    chosen = self.tokens(number)
                    X = field.matrix(height, width, [int(token == row) for row in range(height) for token in chosen])
                else:
                    X = field.vectors(self.seed, number, height, width)
        results = Interpreter(self.program, field, dict(zip(self.shapes, weights))).forward(X)
        return [int(entry == 1) for gate in self.gates for entry in results[gate].entries()]
