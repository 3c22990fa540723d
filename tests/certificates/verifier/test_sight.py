"""Entries that are not seen: what the verifier accepts changes no value, by numpy; what is seen it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.certificates.verifier import sight
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.program import parse
from algatt.certificates.verifier.sight import check_unseen
from moved_programs import shapes_of, value

ALL = [(i, j) for i in range(2) for j in range(2)]

# Of A, 2 x 2, the entries that are seen are all but the listed ones; X is 2 x 2.
CASES = {
    "product with zeros on the right": (
        "tensor A : 2 x 2; constant [1 1 0 0] : 2 x 2; product %0 %1 : 2 x 2",
        [(0, 1), (1, 1)],
    ),
    "product with zeros on the left": (
        "constant [0 1 0 1] : 2 x 2; tensor A : 2 x 2; product %0 %1 : 2 x 2",
        [(0, 0), (0, 1)],
    ),
    "product without zeros": ("tensor A : 2 x 2; constant [1 1 0 1] : 2 x 2; product %0 %1 : 2 x 2", []),
    "mask": ("tensor A : 2 x 2; constant [1 0 1 1] : 2 x 2; multiply %0 %1 : 2 x 2", [(0, 1)]),
    "mask on the left": ("constant [1 0 1 1] : 2 x 2; tensor A : 2 x 2; multiply %0 %1 : 2 x 2", [(0, 1)]),
    "mask that is a row": ("tensor A : 2 x 2; constant [1 0] : 1 x 2; multiply %0 %1 : 2 x 2", [(0, 1), (1, 1)]),
    "mask that is a column": ("tensor A : 2 x 2; constant [1 0] : 2 x 1; multiply %0 %1 : 2 x 2", [(1, 0), (1, 1)]),
    "mask that is a number": ("tensor A : 2 x 2; constant [0] : number; multiply %0 %1 : 2 x 2", ALL),
    "product that is masked": (
        "tensor A : 2 x 2; input : 2 x 2; product %0 %1 : 2 x 2; constant [1 1 0 0] : 2 x 2; multiply %2 %3 : 2 x 2",
        [(1, 0), (1, 1)],
    ),
    "product that is masked, on the right": (
        "tensor A : 2 x 2; input : 2 x 2; product %1 %0 : 2 x 2; constant [1 0 1 0] : 2 x 2; multiply %2 %3 : 2 x 2",
        [(0, 1), (1, 1)],
    ),
    "function": (
        "tensor A : 2 x 2; exp %0 : 2 x 2; negate %1 : 2 x 2; "
        "reciprocal %2 : 2 x 2; constant [1 0 0 1] : 2 x 2; multiply %3 %4 : 2 x 2",
        [(0, 1), (1, 0)],
    ),
    "function of zero": ("tensor A : 2 x 2; constant [1 0 0 1] : 2 x 2; exp %1 : 2 x 2; multiply %0 %2 : 2 x 2", []),
    "sum": (
        "tensor A : 2 x 2; input : 2 x 2; add %0 %1 : 2 x 2; constant [0 1 1 1] : 2 x 2; multiply %3 %2 : 2 x 2",
        [(0, 0)],
    ),
    "sum of zeros": (
        "tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; "
        "constant [0 0 0 1] : 2 x 2; add %1 %2 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(0, 1), (1, 0)],
    ),
    "negated zeros": (
        "tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; negate %1 : 2 x 2; multiply %0 %2 : 2 x 2",
        [(0, 1), (1, 0), (1, 1)],
    ),
    "transposed zeros": (
        "tensor A : 2 x 2; constant [1 1 0 1] : 2 x 2; transpose %1 : 2 x 2; multiply %0 %2 : 2 x 2",
        [(0, 1)],
    ),
    "transposed": (
        "tensor A : 2 x 2; transpose %0 : 2 x 2; constant [1 1 0 1] : 2 x 2; multiply %1 %2 : 2 x 2",
        [(0, 1)],
    ),
    "products of zeros": (
        "tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; input : 2 x 2; product %1 %2 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(1, 0), (1, 1)],
    ),
    "multiplied zeros": (
        "tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; input : 2 x 2; multiply %1 %2 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(0, 1), (1, 0), (1, 1)],
    ),
    "zeros that are spread": (
        "tensor A : 2 x 2; constant [0 1] : 1 x 2; input : 2 x 2; multiply %2 %1 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(0, 0), (1, 0)],
    ),
    "part": (
        "tensor A : 2 x 2; take %0 [[1] [1 0]] : 1 x 2; constant [1 0] : 1 x 2; multiply %1 %2 : 1 x 2",
        [(0, 0), (0, 1), (1, 0)],
    ),
    "part of zeros": (
        "tensor A : 2 x 2; constant [1 0 0 1 1 1] : 2 x 3; take %1 [[1 0] [2 0]] : 2 x 2; multiply %0 %2 : 2 x 2",
        [(1, 0)],
    ),
    "below": (
        "tensor A : 2 x 2; input : 1 x 2; "
        "concatenate %1 %0 0 : 3 x 2; constant [1 1 1 0 1 1] : 3 x 2; multiply %2 %3 : 3 x 2",
        [(0, 1)],
    ),
    "beside": (
        "tensor A : 2 x 2; input : 2 x 1; "
        "concatenate %1 %0 1 : 2 x 3; constant [1 1 0 1 1 1] : 2 x 3; multiply %2 %3 : 2 x 3",
        [(0, 1)],
    ),
    "zeros below": (
        "tensor A : 2 x 2; constant [1 0] : 1 x 2; "
        "constant [0 1] : 1 x 2; concatenate %1 %2 0 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(0, 1), (1, 0)],
    ),
    "zeros beside": (
        "tensor A : 2 x 2; constant [1 1] : 2 x 1; "
        "constant [0 1] : 2 x 1; concatenate %1 %2 1 : 2 x 2; multiply %0 %3 : 2 x 2",
        [(0, 1)],
    ),
    "spread row of what is seen once": (
        "input : 2 x 2; tensor A : 2 x 2; take %1 [[0] [0 1]] : 1 x 2; "
        "add %0 %2 : 2 x 2; constant [0 0 1 0] : 2 x 2; multiply %3 %4 : 2 x 2",
        [(0, 1), (1, 0), (1, 1)],
    ),
    "spread column of what is seen once": (
        "input : 2 x 2; tensor A : 2 x 2; take %1 [[0 1] [1]] : 2 x 1; "
        "add %0 %2 : 2 x 2; constant [0 0 0 1] : 2 x 2; multiply %3 %4 : 2 x 2",
        [(0, 0), (0, 1), (1, 0)],
    ),
    "used twice": (
        "tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; multiply %0 %1 : 2 x 2; "
        "constant [0 0 0 1] : 2 x 2; multiply %0 %3 : 2 x 2; add %2 %4 : 2 x 2",
        [(0, 1), (1, 0)],
    ),
    "centred": ("tensor A : 2 x 2; constant [1 0 0 1] : 2 x 2; centre %0 : 2 x 2; multiply %1 %2 : 2 x 2", []),
    "not used": ("tensor A : 2 x 2; input : 2 x 2; negate %1 : 2 x 2", ALL),
}


def lines(text: str) -> list[str]:
    return [line.strip().replace(" :", "  :") for line in text.split(";")]


@pytest.mark.parametrize(("text", "unseen"), CASES.values(), ids=CASES)
def test_what_is_not_seen(text: str, unseen: list[tuple[int, int]]) -> None:
    program = parse(lines(text))
    random = np.random.default_rng(1)
    tensors = {name: random.uniform(1, 2, shape) for name, shape in shapes_of(program).items()}
    X = random.uniform(1, 2, next((one.shape for one in program if one.operation == "input"), ()))
    before = value(program, tensors, X)
    for i, j in ALL:
        changed = tensors["A"].copy()
        changed[i, j] += 1
        stays = bool((value(program, {**tensors, "A": changed}, X) == before).all())
        assert stays == ((i, j) in unseen)
        assert (check_unseen(program, [("A", i, j)]) is None) == stays
    assert check_unseen(program, [("A", i, j) for i, j in unseen]) is None
    if len(unseen) < 4:
        assert "the value may depend on entry" in str(check_unseen(program, [("A", i, j) for i, j in ALL]))


@pytest.mark.parametrize("operation", ["centre %0 : 2 x 2", "rotate %0 [[1.0] [1 2]] : 2 x 2", "largest %0 1 : 2 x 2"])
def test_other_operations_see_everything(operation: str) -> None:
    program = parse(lines(f"tensor A : 2 x 2; {operation}; constant [1 0 0 0] : 2 x 2; multiply %1 %2 : 2 x 2"))
    assert all(check_unseen(program, [("A", i, j)]) is not None for i, j in ALL)


def test_products_of_columns_see_everything() -> None:
    program = parse(lines("tensor A : 2 x 2; constant [1 0 0 0] : 2 x 2; column_products %0 %1 : 1 x 2"))
    assert all(check_unseen(program, [("A", i, j)]) is not None for i, j in ALL)


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "MOST_STEPS", 10)
    with pytest.raises(Refused, match="steps"):
        check_unseen(parse(lines(CASES["product without zeros"][0])), [("A", 0, 0)])
