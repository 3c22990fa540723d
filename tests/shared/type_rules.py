"""What cases of the rules of the type checker are written with: sides of claims, and programs that many begin with."""

from __future__ import annotations

from typing import Any

from moved_programs import claim_of, moves, reason

__all__ = [
    "ACCEPTED",
    "AV",
    "DIAGONAL",
    "MN",
    "MOVES",
    "NUMBER",
    "ROW",
    "SKEW",
    "UMX",
    "UMX3",
    "UNPROVED",
    "Case",
    "G",
    "between",
    "check",
    "columns",
    "gained",
    "lines",
    "rows",
    "through",
    "units",
]

ACCEPTED, MOVES, UNPROVED = "accepted", "moves", "stays, but no rule says so"


def rows(space: int = 0, coefficient: Any = 1, over: bool = False, gains: Any = ()) -> list[Any]:
    return ["rows", space, coefficient, over, [list(gain) for gain in gains]]


def columns(space: int = 0, coefficient: Any = 1, over: bool = False, gains: Any = ()) -> list[Any]:
    return ["columns", space, coefficient, over, [list(gain) for gain in gains]]


def lines(text: str) -> list[str]:
    return [line.strip().replace(" :", "  :") for line in text.split(";")]


def units(*places: tuple[int, int]) -> list[list[int]]:
    return [[0, i, j, 1] for i, j in places]


SKEW = [[0, 0, 1, -1, 0, 1, 0, 1]]
DIAGONAL = units((0, 0), (1, 1))
NUMBER = [[0, 0, 0, 1]]
SWAP = [[0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1]]

# two matrices behind each other, with an operation between them: instruction 3 is M X, the last one is U times the rest
UMX = "tensor U : 2 x 2; tensor M : 2 x 2; input : 2 x 3; product %1 %2 : 2 x 3; "
# the same for three vectors
UMX3 = "tensor U : 3 x 3; tensor M : 3 x 3; input : 3 x 3; product %1 %2 : 3 x 3; "
# a matrix of tensors, whose columns are read: instruction 2
AV = "tensor A : 2 x 2; tensor V : 2 x 3; "

# two matrices of the same input
MN = "tensor M : 2 x 2; tensor N : 2 x 2; input : 2 x 3; product %0 %2 : 2 x 3; product %1 %2 : 2 x 3; "
# a row of numbers, read off the input
ROW = "tensor q : 1 x 2; product %4 %2 : 1 x 3; "
# a gain beside the first
G = f"{UMX}tensor g : 2 x 1; "

Case = tuple[str, str, dict[str, Any], str]


def through(operation: str, shape: str = "2 x 3", start: str = UMX) -> str:
    return f"{start}{operation} : {shape}; product %0 %4 : {'3 x 3' if start == UMX3 else '2 x 3'}"


def between(coefficient: Any = -1, **options: Any) -> dict[str, Any]:
    """M moves by S, U by the opposite."""
    return claim_of(
        [3 if options.pop("three", False) else 2], {"M": [rows()], "U": [columns(0, coefficient)]}, **options
    )


def gained(part: list[Any], **more: list[Any]) -> dict[str, Any]:
    return claim_of([2], {"M": [rows()], "U": [part], **more})


def first(case: Case) -> str:
    """The name of a case."""
    return case[0]


def check(case: Case) -> None:
    """See that differences and the type checker say of a program and a claim what is expected."""
    _, text, claim, verdict = case
    assert moves(lines(text), claim) == (verdict == MOVES)
    said = reason(lines(text), claim)
    assert (said is None) == (verdict == ACCEPTED), said
