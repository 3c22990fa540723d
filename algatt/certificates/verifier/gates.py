"""Gates of real inputs, decided by balls."""

from __future__ import annotations

import math
from typing import Any

from .balls import RealBalls, Undecided, precision
from .claims import Network
from .elementary import Refuted, numbers_of
from .inputs import constant_entries, drawn_constants
from .interpreter import Interpreter, NoValue
from .limits import Refused
from .modular import Matrix

__all__ = ["OpenSets", "RealPoints"]

LEAST_GATE_BITS = 128
"""So many bits are taken at first, and twice as many each time they do not decide something."""

MOST_GATE_BITS = 2048
"""So many bits are the highest precision."""

SMALL = -4
"""Biases are multiplied by two to this power where there are gates: so most are open at some inputs and not at others.
"""


class OpenSets(RealBalls):
    """Real numbers in balls around weights and inputs: what is decided holds for all numbers inside.

    So a gate at zero has no effect where what it is asked about is zero for all of them, as behind a closed gate.
    """

    def gate(self, x: Any) -> Any:
        import flint

        return flint.arb(0) if x.is_zero() else super().gate(x)

    def around(self, matrix: Matrix, bits: int) -> Matrix:
        """Return a matrix with balls of the radius 2^-bits around its entries, which are exact."""
        import flint

        radius = flint.arb((1, -bits))
        return self.matrix(matrix.nrows(), matrix.ncols(), [flint.arb(x.mid(), radius) for x in matrix.entries()])


class RealPoints:
    """The values of a network at real weights and inputs that a seed names.

    Parameters
    ----------
    network : Network
        The network. A tensor with d columns is multiplied by the power of two next to d^(-1/2). With gates, one that is
        a column and is added is a bias, and is multiplied by 1/16, too.
    seed : int
        The seed.
    """

    def __init__(self, network: Network, seed: int) -> None:
        self.network, self.seed = network, seed
        program = network.program
        self.gates = numbers_of(program, "positive", "largest")
        biases = {
            program[operand].argument
            for one in program
            if one.operation == "add"
            for operand in one.operands
            if program[operand].operation == "tensor" and program[operand].shape[-1:] == (1,)
        }
        self.exponents = [
            -round(math.log2(width) / 2) + (SMALL if self.gates and name in biases else 0)
            for name, (_, width) in network.tensors.items()
        ]
        self.known: dict[tuple[int, ...], int] = {}
        self.interpreters: dict[int, Interpreter] = {}

    def pattern(self, number: int) -> int:
        """Return the gates of a real input as bits, the first one being the highest.

        Raises
        ------
        Refuted
            If they are not decided, or if the network has no value there.
        """
        tokens = drawn_constants(self.network, self.seed, number) if self.network.tokens else (number,)
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

    def decided(self, number: int) -> list[int]:
        """Return all gates at a real input."""
        bits = LEAST_GATE_BITS
        while True:
            try:
                with precision(bits):
                    return self.evaluated(number, bits)
            except Refused as error:
                raise Refuted(f"real input {number} has no value: {error}") from None
            except (NoValue, Undecided) as error:
                bits *= 2
                if bits > MOST_GATE_BITS:
                    raise Refuted(f"nothing is known of real input {number}: {error}") from None

    def evaluated(self, number: int, bits: int) -> list[int]:
        """Return all gates with the present precision."""
        field, network = OpenSets(), self.network
        if bits not in self.interpreters:
            weights = field.weights(self.seed, list(network.tensors.values()), self.exponents)
            tensors = {name: field.around(one, bits) for name, one in zip(network.tensors, weights, strict=True)}
            self.interpreters[bits] = Interpreter(network.program, field, tensors)
        X = None
        if network.input_shape is not None:
            height, width = network.input_shape
            if network.tokens:
                X = field.matrix(height, width, constant_entries(network, self.seed, number))
            else:
                X = field.around(field.vectors(self.seed, number, height, width), bits)
        results = self.interpreters[bits].forward(X)
        return [int(entry == 1) for gate in self.gates for entry in results[gate].entries()]
