"""The theorem of pieces over random programs, by derivatives of whole networks modulo a prime: no orders are compared.

Functions but one over an entry are formal: any value, and any derivative, for each argument.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.pieces import Cut
from algatt.certificates.verifier.program import Instruction, parse

P = 1_000_003
FORMAL = ("exp", "sigmoid", "erf", "sqrt", "log", "positive")

Shape = tuple[int, int]
Shapes = Mapping[str, Shape]
Arrays = Mapping[str, np.ndarray]


class Undefined(Exception):
    """Something is divided by zero."""


def generator(seed: Any) -> Random:
    """Return a generator of random numbers."""
    return Random(seed)  # noqa: S311


def labels(cut: Cut, size: int) -> list[int]:
    """Return the parts of the coordinates of an axis."""
    hub, one = cut.sizes.get(size, (size, 0))
    return [0] * hub + [1 + k // one for k in range(size - hub)]


def within(cut: Cut, shape: Sequence[int], parts: set[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows and which columns are in some parts."""
    rows, columns = (np.array([label in parts for label in labels(cut, size)], dtype=bool) for size in shape)
    return rows, columns


def part_of(cut: Cut, M: np.ndarray, parts: set[int]) -> np.ndarray:
    """Return the entries of a matrix of the whole network that are in some parts."""
    found: np.ndarray = M[np.ix_(*within(cut, M.shape, parts))]
    return found


def weights(cut: Cut, tensors: Shapes, rng: Random) -> dict[str, np.ndarray]:
    """Return random weights that are zero between different parts and equal in all copies."""
    found = {}
    for name, (height, width) in tensors.items():
        known: dict[Any, int] = {}
        found[name] = W = np.zeros((height, width), dtype=np.int64)
        parts = labels(cut, height), labels(cut, width)
        places = [[(min(k, 1), rows[:i].count(k)) for i, k in enumerate(rows)] for rows in parts]
        for i, j in np.ndindex(height, width):
            if parts[0][i] == parts[1][j] or 1 in (height, width):
                W[i, j] = known.setdefault((places[0][i], places[1][j]), rng.randrange(1, P))
    return found


def mixed(x: np.ndarray, salt: int) -> np.ndarray:
    """Return values of a formal function."""
    return (x * 7919 % P * x + salt * (x + 104_729)) % P


def run(program: Sequence[Instruction], tensors: Arrays, X: np.ndarray | None) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the values and the derivatives by all parameters of all results."""
    total, starts = 0, dict[str, int]()
    for name, W in tensors.items():
        starts[name], total = total, total + W.size
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for one in program:
        values, slopes = zip(*(found[k] for k in one.operands), strict=True) if one.operands else ((), ())
        D = np.zeros((total, *one.sizes), dtype=np.int64)
        match one.operation:
            case "input":
                assert X is not None
                value = X
            case "tensor":
                value = tensors[one.argument]
                start = starts[one.argument]
                D.reshape(total, -1)[start : start + value.size] = np.eye(value.size, dtype=np.int64)
            case "constant":
                entries = [x.numerator * pow(x.denominator, -1, P) % P for x in one.argument]
                value = np.array(entries, dtype=np.int64).reshape(one.sizes)
            case "add":
                value, D = values[0] + values[1], slopes[0] + slopes[1]
            case "multiply":
                value, D = values[0] * values[1], slopes[0] * values[1] + values[0] * slopes[1]
            case "product":
                value, D = values[0] @ values[1], slopes[0] @ values[1] + values[0] @ slopes[1]
            case "transpose":
                value, D = values[0].T, slopes[0].transpose(0, 2, 1)
            case "reciprocal":
                if not values[0].all():
                    raise Undefined
                value = np.array([[pow(int(x), -1, P) for x in row] for row in values[0]], dtype=np.int64)
                D = -(value * value % P) * slopes[0]
            case name:
                if name in ("sqrt", "log") and not values[0].all():
                    raise Undefined
                salt = 1 + FORMAL.index(name)
                value = mixed(values[0], salt)
                D = mixed(values[0], salt + 10) * slopes[0]
        found.append((value % P, D % P))
    return found


def pivots(M: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the rows and columns of a largest minor that is not zero."""
    M, rows, columns = M.copy(), list[int](), list[int]()
    for i in range(len(M)):
        some = np.flatnonzero(M[i])
        if len(some):
            rows.append(i)
            columns.append(int(some[0]))
            M[i + 1 :] -= np.outer(M[i + 1 :, some[0]] * pow(int(M[i, some[0]]), -1, P) % P, M[i]) % P
            M %= P
    return rows, columns


def jacobian(program: Sequence[Instruction], tensors: Arrays, shape: Shape, rng: Random) -> np.ndarray:
    """Return the Jacobian at as many random inputs as there are parameters, and one."""
    count, outputs = sum(W.size for W in tensors.values()), math.prod(program[-1].sizes)
    blocks = []
    for _ in range(count + 1):
        blocks.append(run(program, tensors, random_matrix(shape, rng))[-1][1].reshape(count, outputs).T)
    return np.concatenate(blocks)


def random_matrix(shape: Sequence[int], rng: Random) -> np.ndarray:
    """Return a random matrix."""
    height, width = shape
    return np.array([rng.randrange(1, P) for _ in range(height * width)], dtype=np.int64).reshape(height, width)


def input_shape(program: Sequence[Instruction]) -> Shape:
    """Return the shape of the input."""
    return next((one.sizes for one in program if one.operation == "input"), (1, 1))


def owned(cut: Cut, shape: Shape, piece: int) -> np.ndarray:
    """Return which entries in the network of a piece are those that it has beyond pieces before it."""
    rows, columns = ([k for k in labels(cut, size) if k <= (2 if piece == 2 else 1)] for size in shape)
    return np.array([({i, j} <= {0, 1}, max(i, j) == 1, {i, j} == {1, 2})[piece] for i in rows for j in columns])


def minors(cut: Cut, program: Sequence[Instruction], tensors: Shapes, rng: Random) -> tuple[Any, Any]:
    """Return the rows and columns of largest minors of the three pieces."""
    drawn, found = weights(cut, tensors, rng), []
    for piece in range(3):
        copies = 2 if piece == 2 else 1
        here = {name: part_of(cut, W, set(range(copies + 1))) for name, W in drawn.items()}
        shape = cut.shape(input_shape(program), copies)
        own = np.flatnonzero(np.concatenate([owned(cut, sizes, piece) for sizes in tensors.values()]))
        rows, columns = pivots(jacobian(cut.program(program, copies), here, shape, rng)[:, own])
        found.append((rows, [int(own[k]) for k in columns]))
    rows, columns = zip(*found, strict=True)
    return list(rows), list(columns)


def rank(program: Sequence[Instruction], tensors: Shapes, rng: Random) -> int:
    """Return the generic rank of the Jacobian of a network."""
    drawn = {name: random_matrix(sizes, rng) for name, sizes in tensors.items()}
    return len(pivots(jacobian(program, drawn, input_shape(program), rng))[0])


# ----- random programs


def written(cut: Cut, rng: Random, length: int, functions: Sequence[str], least: int) -> tuple[list[str], Shapes]:
    """Return the lines of a random program of parts, and the shapes of its tensors."""
    sizes = [*cut.sizes, *cut.sizes, 1, rng.choice((2, 3, 5, 7))]
    lines, shapes, tensors = list[str](), list[Shape](), dict[str, Shape]()
    for _ in range(12 * length):
        stem, shape = instruction(rng, sizes, shapes, functions)
        if stem.startswith("tensor"):
            stem = f"tensor {'abcd'[len(tensors) % 4]}"
        line = f"{stem}  : {shape[0]} x {shape[1]}"
        try:
            cut.check_orders(parse([*lines, line]), least)
        except Refused:
            continue
        lines.append(line)
        shapes.append(shape)
        if stem.startswith("tensor"):
            tensors[stem[-1]] = shape
        if len(lines) == length:
            break
    return lines, tensors


def instruction(rng: Random, sizes: Sequence[int], shapes: Sequence[Shape], functions: Any) -> tuple[str, Shape]:
    """Return a random instruction, which may not fit."""
    kind = rng.choices(("leaf", "constant", "product", "sum", "transpose", "function"), (20, 8, 30, 25, 8, 9))[0]
    shape = rng.choice(sizes), rng.choice(sizes)
    if kind == "leaf" or not shapes:
        return rng.choice(("tensor", "tensor", "input")), shape
    if kind == "constant":
        height, width = shape
        row = [str(rng.randint(-2, 2)) for _ in range(width)]
        column = [str(rng.randint(1, 3)) for _ in range(height)]
        entries = rng.choice((row * height, [x for x in column for _ in range(width)]))
        return f"constant [{' '.join(entries)}]", shape
    i, j = (rng.randrange(len(shapes)) for _ in range(2))
    if kind == "product":
        fit = [k for k, other in enumerate(shapes) if other[0] == shapes[i][1]]
        j = rng.choice(fit or [j])
        return f"product %{i} %{j}", (shapes[i][0], shapes[j][1])
    if kind == "sum":
        fit = [k for k, other in enumerate(shapes) if other == shapes[i]]
        return f"{rng.choice(('add', 'multiply', 'multiply'))} %{i} %{rng.choice(fit)}", shapes[i]
    return (f"transpose %{i}", shapes[i][::-1]) if kind == "transpose" else (f"{rng.choice(functions)} %{i}", shapes[i])


def mismatch(cut: Cut, lines: Sequence[str], tensors: Shapes, rng: Random, least: int) -> str | None:
    """Say where the theorem fails: for a set of parts, each result in it has to have the value and the derivatives of
    the network of these parts, and no others; values alone if `least` is 1. None if it holds.
    """
    program, drawn = parse(lines), weights(cut, tensors, rng)
    orders = [cut.check_orders(program[: k + 1], least) for k in range(len(program))]
    for copies in (1, 2):
        parts = {0, *rng.sample(range(1, cut.copies + 1), copies)}
        inside = np.outer(*within(cut, input_shape(program), parts))
        X = random_matrix(inside.shape, rng) * inside
        here = {name: part_of(cut, W, parts) for name, W in drawn.items()}
        try:
            small = run(cut.program(program, copies), here, part_of(cut, X, parts))
        except Undefined:
            continue
        try:
            whole = run(program, drawn, X)
        except Undefined:
            return "the whole network has no value"
        own = [np.outer(*within(cut, W.shape, parts)).ravel() for W in drawn.values()]
        known = np.concatenate([*own, np.zeros(0, dtype=bool)])
        for number, (one, (value, D), (other, E)) in enumerate(zip(program, whole, small, strict=True)):
            rows, columns = within(cut, one.sizes, parts)
            box = np.ix_(rows, columns)
            if (value[box] != other).any():
                return f"value of {number}"
            there = D[:, box[0], box[1]]
            if least == 2 and (there[~known].any() or (there[known] != E).any()):
                return f"derivatives of {number}"
            outside = [
                ~np.outer(rows, columns) & np.logical_or.outer(rows, columns),
                ~np.logical_or.outer(rows, columns),
            ]
            if not all(size in cut.sizes for size in one.sizes):
                outside = [~np.outer(rows, columns)] * 2
            for order, mask in zip(orders[number], outside, strict=True):
                if (order > 0 and value[mask].any()) or (order > 1 and least == 2 and D[:, mask].any()):
                    return f"order {order} of {number}"
    return None
