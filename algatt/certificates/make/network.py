"""What a certificate says of its network."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program
from algatt.certificates.verifier.program import FUNCTIONS, hash_of
from algatt.errors import MethodError
from algatt.programs.interpret import OPERATIONS
from algatt.programs.trace import line

__all__ = ["claims_of_network", "program_lines"]

KNOWN = {*OPERATIONS, *FUNCTIONS, "tensor", "input", "constant"}
"""The operations that the verifier has."""


def program_lines(arch: Architecture) -> list[str]:
    """Return the program of a network as text.

    Raises
    ------
    MethodError
        If it has an operation that the verifier does not have.
    """
    instructions = program(arch).instructions
    unknown = next((one.operation for one in instructions if one.operation not in KNOWN), None)
    if unknown is not None:
        known = ", ".join(sorted(KNOWN))
        raise MethodError(f"there are no certificates of networks with {unknown}; write it in the operations {known}")
    return [line(one) for one in instructions]


def what_is_read(arch: Architecture) -> str:
    """Return in words what a network reads."""
    if arch.source is not None:
        return f"{arch.source[0]} x {arch.source[1]} numbers (words modulo 8) and tokens"
    return "vectors" if arch.vocabulary is None else "tokens"


def claims_of_network(arch: Architecture) -> dict[str, Any]:
    """Return the claims that name a network: its program, and its tensors in the order of the parameters."""
    lines = program_lines(arch)
    shapes = {name: ((1, 1) + shape)[-2:] for name, shape in verbs.coordinates(arch).items()}
    return {
        "program": lines,
        "sha256": hash_of(lines),
        "tensors": [[name, *shape] for name, shape in shapes.items()],
        "reads": what_is_read(arch),
    }
