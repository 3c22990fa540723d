"""Programs with names in place of numbers, shifts of their tensors, and their derivatives over the reals."""

from __future__ import annotations

import math
import re
from typing import Any

import flint

from algatt.certificates.verifier.balls import RealBalls, precision
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.interpreter import Interpreter
from algatt.certificates.verifier.program import parse
from algatt.certificates.verifier.shifts import Shift, check_shift, shift_of_claim, tangents_of_shift

Shape = tuple[int, ...]


def shape_of_result(operation: str, argument: str, shapes: list[Shape]) -> Shape:
    """Return the shape of a result."""
    if operation in ("add", "multiply"):
        return tuple(map(max, *shapes))
    if operation == "transpose":
        return shapes[0][::-1]
    if operation == "product":
        return shapes[0][0], shapes[1][1]
    if operation == "column_products":
        return 1, max(one[1] for one in shapes)
    if operation in ("take", "rotate"):
        first, second = (len(part.split()) for part in re.findall(r"\[([^\[\]]*)\]", argument))
        return (first, second) if operation == "take" else (2 * first, max(second, shapes[0][1]))
    if operation == "concatenate":
        axis = int(argument)
        return tuple(sum(one[k] for one in shapes) if k == axis else shapes[0][k] for k in (0, 1))
    return shapes[0]


def assembled(text: str) -> tuple[list[str], dict[str, int]]:
    """Return the lines of a program that is written as ``name: operation operands argument; ...``, and the numbers of
    the names. Tensors, inputs and constants have a shape: ``W: tensor 3 x 3``, ``k: constant 1 x 2 [1 1]``.
    """
    lines: list[str] = []
    shapes: list[Shape] = []
    numbers: dict[str, int] = {}
    for statement in filter(None, map(str.strip, text.split(";"))):
        name, operation, rest = re.fullmatch(r"(\w+): (\w+) ?(.*)", statement).groups()
        if operation in ("tensor", "input", "constant"):
            size, argument = re.fullmatch(r"(\d+ x \d+) ?(.*)", rest).groups()
            shape = tuple(map(int, size.split(" x ")))
            operands: list[int] = []
            argument = name if operation == "tensor" else argument
        else:
            words = rest.split(" ")
            operands = [numbers[word] for word in words if word in numbers]
            argument = " ".join(word for word in words if word not in numbers)
            shape = shape_of_result(operation, argument, [shapes[operand] for operand in operands])
        numbers[name] = len(lines)
        shapes.append(shape)
        pieces = [operation, *(f"%{operand}" for operand in operands), *([argument] if argument else [])]
        lines.append(f"{' '.join(pieces)}  : {' x '.join(map(str, shape))}")
    return lines, numbers


def resolved(value: Any, numbers: dict[str, int]) -> Any:
    """Replace names in the words of moves by numbers."""
    if isinstance(value, (list, tuple)):
        if len(value) == 3 and value[0] == "sum_over":
            return [value[0], *(numbers.get(name, name) for name in value[1:])]
        if len(value) > 1 and value[0] in ("left", "right", "times", "sum", "over"):
            return [value[0], numbers.get(value[1], value[1]), *value[2:]]
        return [resolved(one, numbers) for one in value]
    return value


def shifted(
    text: str, moves: list[Any], size: int = 3, gains: tuple[tuple[str, str], ...] = (), *, tokens: bool = False
) -> tuple[Network, Shift]:
    """Return a network and a family of shifts in all of its directions."""
    lines, numbers = assembled(text)
    program = parse(lines)
    shapes = {one.argument: one.shape for one in program if one.operation == "tensor"}
    network = Network(program, "", shapes, tokens)
    claim = {
        "gains": [[numbers.get(name, name), way] for name, way in gains],
        "size": size,
        "units": list(range(size)),
        "moves": [
            [name, kind, resolved(words, numbers), *(numbers.get(gain, gain) for gain in over)]
            for name, kind, words, *over in moves
        ],
    }
    return network, shift_of_claim("shift", claim, network)


def refusal(network: Network, shift: Shift) -> str | None:
    """Return what the checker says."""
    return check_shift(network, shift)


def value_moves(network: Network, shift: Shift, seed: int = 0) -> bool:
    """Return whether the derivative of the value along one of the directions is not zero, at random real weights and
    two random inputs. Balls decide: one without zero is not zero; one with zero, narrower than 10^-30, counts as zero.
    """
    field = RealBalls()
    shape = network.input_shape
    with precision(300):
        weights = field.weights(seed, list(network.tensors.values()), [0] * len(network.tensors))
        tensors = dict(zip(network.tensors, weights, strict=True))
        interpreter = Interpreter(network.program, field, tensors)
        found = tangents_of_shift(network, shift, field, tensors, set(range(len(shift.units))))
        tangents = [tangent for _, tangent in found]
        for number in range(2):
            X = None
            if shape is not None and network.tokens:
                X = field.matrix(
                    *shape, [int(i == (j + number) % shape[0]) for i in range(shape[0]) for j in range(shape[1])]
                )
            elif shape is not None:
                X = field.vectors(seed, number, *shape)
            results = interpreter.forward(X)
            slopes = interpreter.slopes(results)
            for output in range(math.prod(network.output_shape)):
                unit = [int(k == output) for k in range(math.prod(network.output_shape))]
                by = interpreter.backward(results, field.matrix(*network.output_shape, unit), slopes)
                gradient: list[Any] = []
                for name, (rows, columns) in network.tensors.items():
                    gradient += by[name].entries() if name in by else [flint.arb(0)] * (rows * columns)
                for tangent in tangents:
                    total = sum((gradient[place] * value for place, value in tangent.items()), flint.arb(0))
                    if total != 0:
                        return True
                    assert total.rad() < flint.arb("1e-30")
    return False
