"""Whether vector fields of a claimed family move the value of a program, by numpy and differences: a second
implementation of programs, of claims and of what these claim.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.certificates.verifier.families import read_family
from algatt.certificates.verifier.program import Instruction, parse
from algatt.certificates.verifier.types import check_types

__all__ = ["claim_of", "moves", "reason", "shapes_of"]

FUNCTIONS = {
    "exp": np.exp,
    "log": np.log,
    "erf": np.vectorize(math.erf),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sqrt": np.sqrt,
    "positive": lambda x: (x > 0).astype(float),
    "reciprocal": lambda x: 1 / x,
    "negate": np.negative,
    "transpose": np.transpose,
    "centre": lambda x: x - x.mean(axis=0),
}

STEP = 1e-5


def claim_of(
    spaces: Sequence[int], axes: Mapping[str, Any], basis: Any = "free", images: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a family as it stands in a certificate."""
    return {
        "name": "family",
        "removes": 0,
        "by": "types",
        "spaces": list(spaces),
        "basis": basis,
        "axes": dict(axes),
        "images": dict(images or {}),
    }


def shapes_of(program: Sequence[Instruction]) -> dict[str, tuple[int, int]]:
    """Return the shapes of the tensors that a program reads."""
    return {one.argument: one.shape for one in program if one.operation == "tensor"}


def reason(lines: Sequence[str], claim: Mapping[str, Any]) -> str | None:
    """Return what the verifier says of a family, which may say what makes no difference."""
    program = parse(list(lines))
    return check_types(program, read_family(claim, program, shapes_of(program)))


def turned(x: np.ndarray, angles: Sequence[float], positions: Sequence[int]) -> np.ndarray:
    x = np.broadcast_to(x[: 2 * len(angles)], (2 * len(angles), max(x.shape[1], len(positions))))
    result = np.empty(x.shape)
    for f, angle in enumerate(angles):
        turn = angle * np.asarray(positions)
        result[2 * f] = np.cos(turn) * x[2 * f] - np.sin(turn) * x[2 * f + 1]
        result[2 * f + 1] = np.sin(turn) * x[2 * f] + np.cos(turn) * x[2 * f + 1]
    return result


def largest(x: np.ndarray, count: int) -> np.ndarray:
    return (x >= np.sort(x, axis=0)[-count]).astype(float)


def value(program: Sequence[Instruction], tensors: Mapping[str, np.ndarray], X: np.ndarray) -> np.ndarray:
    """Return the value of a program."""
    results: list[np.ndarray] = []
    for one in program:
        x = [results[operand] for operand in one.operands]
        match one.operation:
            case "tensor":
                found = tensors[one.argument]
            case "input":
                found = X
            case "constant":
                found = np.array([float(entry) for entry in one.argument]).reshape(one.shape)
            case "add":
                found = x[0] + x[1]
            case "multiply":
                found = x[0] * x[1]
            case "product":
                found = x[0] @ x[1]
            case "column_products":
                found = (x[0] * x[1]).sum(axis=0, keepdims=True)
            case "rotate":
                found = turned(x[0], *one.argument)
            case "take":
                found = x[0][np.ix_(*one.argument)]
            case "concatenate":
                found = np.concatenate(x, axis=one.argument)
            case "largest":
                found = largest(x[0], one.argument)
            case _:
                found = FUNCTIONS[one.operation](x[0])
        results.append(found)
    return results[-1]


def fields(claim: Mapping[str, Any]) -> list[list[np.ndarray]]:
    """Return the matrices of all spaces for each vector field."""
    sizes = claim["spaces"]
    if claim["basis"] == "free":
        return [[unit] for unit in np.eye(sizes[0] ** 2).reshape(-1, sizes[0], sizes[0])]
    found = []
    for listed in claim["basis"]:
        matrices = [np.zeros((size, size)) for size in sizes]
        for space, i, j, entry in np.reshape(listed, (-1, 4)):
            matrices[space][i, j] = entry
        found.append(matrices)
    return found


def moves(lines: Sequence[str], claim: Mapping[str, Any]) -> bool:
    """Return whether a vector field of a family moves the value at random positive weights and a random input."""
    program = parse(list(lines))
    random = np.random.default_rng(0)
    tensors = {name: random.uniform(0.5, 1.5, shape) for name, shape in shapes_of(program).items()}
    X = random.uniform(0.5, 1.5, next((one.shape for one in program if one.operation == "input"), ()))
    for matrices in fields(claim):
        tangents = {name: np.zeros_like(W) for name, W in tensors.items()}
        for name, parts in claim["axes"].items():
            W = tensors[name]
            for side, space, coefficient, over, gains in parts:
                size = W.shape[0 if side == "rows" else 1]
                S = matrices[space].T if over else matrices[space]
                S = S if S.shape == (size, size) else S[0, 0] * np.eye(size)
                for gain, exponent in gains:
                    g = tensors[program[gain].argument].ravel() ** exponent
                    S = np.diag(g) @ S @ np.diag(1 / g)
                part = float(Fraction(coefficient)) * (S @ W if side == "rows" else W @ S)
                tangents[name] = tangents[name] + part
        ends = [
            value(program, {name: W + sign * STEP * tangents[name] for name, W in tensors.items()}, X)
            for sign in (1, -1)
        ]
        if abs(ends[0] - ends[1]).max() / (2 * STEP) > 1e-6:
            return True
    return False
