"""What a certificate says of its network, and certificates that are accepted."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.certificates.certificate import MOST_BYTES, Certificate
from algatt.errors import CertificateError, CertificateTooLarge, InvalidArgument, MethodError
from algatt.programs.interpret import OPERATIONS, line
from algatt.randomness import random_words
from algatt.version import __version__

FUNCTIONS = ("erf", "exp", "log", "positive", "sigmoid", "sqrt")

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
        return f"{arch.source[0]} x {arch.source[1]} numbers and tokens"
    return "vectors" if arch.vocabulary is None else "tokens"


def claims_of_network(arch: Architecture) -> dict[str, Any]:
    """Return the claims that name a network: its program, and its tensors in the order of the parameters."""
    lines = program_lines(arch)
    shapes = {name: ((1, 1) + shape)[-2:] for name, shape in verbs.coordinates(arch).items()}
    return {
        "program": lines,
        "tensors": [[name, *shape] for name, shape in shapes.items()],
        "reads": what_is_read(arch),
    }


def has_functions(arch: Architecture) -> bool:
    """Return whether a program has values over the reals alone."""
    return any(one.operation in (*FUNCTIONS, "largest", "rotate") for one in program(arch).instructions)


def input_entries(arch: Architecture, seed: int, number: int) -> list[int]:
    """Return the numbers and the tokens of a random input of a network that reads tokens."""
    (height, width), (rows, columns) = input_shape(arch), arch.source or (0, 0)
    words = random_words(seed, f"input/{number}", rows * columns + width - columns).tolist()
    numbers, tokens = words[: rows * columns], words[rows * columns :]
    return [*(word % 8 for word in numbers), *(word % (height - rows) for word in tokens)]


def input_shape(arch: Architecture) -> tuple[int, int]:
    """Return the shape of the input that a program reads."""
    shapes = [one.shape for one in program(arch).instructions if one.operation == "input"]
    height, width = shapes[0] if shapes else (1, 1)
    return height, width


def check_real_minors(source: str, claims: dict[str, Any], places: list[Any]) -> None:
    """Ask the verifier, before the work, whether real minors with these numbers of rows and columns are too large.

    Raises
    ------
    InvalidArgument
        If they are.
    """
    try:
        verbs.verify(Certificate({**claims, "rows": places, "columns": places, "point": {}}, ""))
    except CertificateTooLarge as error:
        was = f"one whose certificate is too large: {error}"
        raise InvalidArgument(source, was, "a smaller network") from None
    except CertificateError:
        pass  # there is no point, which is looked at afterwards


def certificate_of(source: str, network: Architecture, claims: dict[str, Any]) -> Certificate:
    """Return the certificate with some claims, which were made of an argument of the name `source`.

    Raises
    ------
    InvalidArgument
        If it is too large to be verified.
    """
    certificate = Certificate(claims, f"algatt {__version__}", str(network))
    size = len(certificate.to_json())
    if size > MOST_BYTES:
        was = f"one whose certificate has {size} bytes"
        raise InvalidArgument(source, was, f"of a smaller network: at most {MOST_BYTES} bytes are read")
    return certificate


def verified(source: str, certificate: Certificate) -> Certificate:
    """Return a certificate that was made of an argument of the name `source`, if the verifier accepts it.

    Raises
    ------
    InvalidArgument
        If it does not: it takes too long, or something is missing at the points at which the verifier looks.
    """
    try:
        reasons = verbs.verify(certificate).reasons
    except CertificateError as error:
        reasons = (str(error),)
    if reasons:
        was = f"one whose certificate is not accepted: {'; '.join(reasons)}"
        raise InvalidArgument(source, was, "one that the verifier can check")
    return certificate
