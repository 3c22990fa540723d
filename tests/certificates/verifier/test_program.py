"""Programs as text: what is read, and what is refused in one line and in bounded time."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction

import pytest

import algatt
from algatt import verbs
from algatt.certificates.make.network import program_lines
from algatt.certificates.verifier import limits
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.program import cost_of, hash_of, parse
from algatt.errors import MethodError
from algatt.fields import Elements, Function
from algatt.layers import Layer, Tensors
from algatt.maps import program as program_of

HEAD = ["tensor W  : 2 x 3", "input  : 3 x 4", "tensor b  : 2 x 1", "constant [1 -1/2]  : 1 x 2"]


def refusal(*lines: str) -> str:
    with pytest.raises(Refused) as error:
        parse([*HEAD, *lines])
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    "net",
    [*algatt.Lightning.examples(), *algatt.Normalized.examples(), *algatt.Network.examples()],
    ids=repr,
)
def test_programs_of_networks_are_read_as_they_were_recorded(net):
    for one, other in zip(parse(program_lines(net)), program_of(net).instructions, strict=True):
        assert (one.operation, one.operands, one.shape) == (other.operation, other.operands, other.shape)
        assert one.argument == other.argument


def test_a_constant_has_its_fractions_and_a_product_its_shape():
    *_, product, total = parse([*HEAD, "product %0 %1  : 2 x 4", "add %4 %2  : 2 x 4"])
    assert (product.operands, product.shape, total.shape) == ((0, 1), (2, 4), (2, 4))
    assert parse(HEAD)[3].argument == (Fraction(1), Fraction(-1, 2))


def test_the_hash_is_that_of_the_lines():
    assert (
        hash_of(["input  : 1 x 1", "negate %0  : 1 x 1"])
        == hashlib.sha256(b"input  : 1 x 1\nnegate %0  : 1 x 1").hexdigest()
    )


def test_the_cost_counts_entries_and_multiplications_by_the_hundred():
    program = parse(["tensor A  : 20 x 500", "tensor B  : 500 x 30", "product %0 %1  : 20 x 30"])
    assert cost_of(program) == 20 * 500 + 500 * 30 + 20 * 30 + 20 * 30 * 500 // 100


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("product %0 %1  : 2 x 5", "shape (2, 4)"),
        ("product %1 %0  : 2 x 4", "do not fit"),
        ("product %0  : 2 x 4", "2 operands"),
        ("product %0 %1 %1  : 2 x 4", "2 operands"),
        ("product %0 %9  : 2 x 4", "no earlier"),
        ("product %0 %4  : 2 x 4", "no earlier"),
        ("product %0 %1 x  : 2 x 4", "argument"),
        ("product %0 %01  : 2 x 4", "instruction"),
        ("product %0 %1 : 2 x 4", "of the form"),
        ("product %0 %1  : 2x4", "natural"),
        ("product %0 %1  : 2 x 4 x 1", "axes"),
        ("product %0 %1  : 0 x 4", "not empty"),
        ("product %0 %1  : 02 x 4", "natural"),
        ("add %0 %1  : 3 x 4", "rows"),
        ("add %0 %3  : 2 x 3", "columns"),
        ("add %2 %3  : 2 x 1", "shape (2, 2)"),
        ("multiply %0 %1  : 3 x 4", "rows"),
        ("transpose %0  : 2 x 3", "shape (3, 2)"),
        ("column_products %0 %1  : 1 x 4", "rows"),
        ("column_products %0 %0  : 2 x 3", "shape (1, 3)"),
        ("centre %0 %1  : 2 x 3", "1 operands"),
        ("centre %0  : 3 x 2", "shape (2, 3)"),
        ("rotate %0 [[1.0 2.0] [0 1 2]]  : 4 x 3", "more rows"),
        ("rotate %0 [[1.0] [0 1]]  : 2 x 3", "positions"),
        ("rotate %0 [[nan] [0 1 2]]  : 2 x 3", "angle"),
        ("rotate %0 [[1.00] [0 1 2]]  : 2 x 3", "angle"),
        ("rotate %0 [[] [0 1 2]]  : 2 x 3", "more rows"),
        ("rotate %0 [1.0]  : 2 x 3", "pair of lists"),
        ("take %0 [[0 0] [1]]  : 2 x 1", "not there"),
        ("take %0 [[2] [1]]  : 1 x 1", "not there"),
        ("take %0 [[1] [3]]  : 1 x 1", "not there"),
        ("take %0 [[1] [2]]  : 1 x 2", "shape (1, 1)"),
        ("concatenate %0 %1 0  : 5 x 3", "do not fit"),
        ("concatenate %0 %2 2  : 2 x 4", "joins"),
        ("concatenate 0  : 2 x 4", "joins"),
        ("concatenate %0 %2 1  : 2 x 5", "shape (2, 4)"),
        ("largest %0 3  : 2 x 3", "more entries"),
        ("largest %0 0  : 2 x 3", "more entries"),
        ("largest %0  : 2 x 3", "natural"),
        ("exp %0 %1  : 2 x 3", "1 operands"),
        ("exp %0  : 3 x 3", "shape (2, 3)"),
        ("tanh %0  : 2 x 3", "no operation"),
        ("numpy.linalg.inv %0  : 2 x 3", "of the form"),
        ("while %0  : 2 x 3", "no operation"),
        ("tensor W  : 2 x 3", "read before"),
        ("tensor W  : 5 x 5", "read before"),
        ("input  : 3 x 4", "read before"),
        ("input  : 1 x 1", "read before"),
        ("tensor  : 2 x 3", "name"),
        ("tensor V %0  : 2 x 3", "name"),
        ("tensor V%0  : 2 x 3", "name"),
        ("constant [1 2]  : 1 x 3", "number of entries"),
        ("constant [2/4]  : 1 x 1", "lowest terms"),
        ("constant [1/0]  : 1 x 1", "fraction"),
        ("constant [-0]  : 1 x 1", "lowest terms"),
        ("constant [1.5]  : 1 x 1", "fraction"),
        ("constant [1e5]  : 1 x 1", "fraction"),
        ("constant 1  : 1 x 1", "entries"),
        (f"constant [1{'0' * 3000}]  : 1 x 1", "fraction"),
        (f"constant [{2**2048}]  : 1 x 1", "longer than 2048 bits"),
        ("negate %0  : ٢ x 3", "other characters"),
    ],
)
def test_wrong_lines_are_refused(line, why):
    assert why in refusal(line)


def test_programs_that_are_no_lists_of_lines_are_refused():
    for program in ("input  : 1 x 1", [1], [], None, {"0": "input  : 1 x 1"}):
        with pytest.raises(Refused):
            parse(program)


def test_large_programs_are_refused_before_they_are_evaluated():
    with pytest.raises(Refused, match="lines"):
        parse(["input  : 1 x 1", *["negate %0  : 1 x 1"] * limits.MOST_INSTRUCTIONS])
    with pytest.raises(Refused, match="numbers"):
        parse(["tensor W  : 2147483647 x 2147483647"])
    with pytest.raises(Refused, match="numbers"):
        parse(["input  : 1000 x 1000", *[f"negate %{k}  : 1000 x 1000" for k in range(10)]])


@dataclass(frozen=True)
class Cubed(Function):
    """A function of one variable that the verifier does not have."""


@dataclass(frozen=True, repr=False)
class Cubes(Layer):
    """A layer with it."""


@verbs.tensors.method
def tensors_of_cubes(layer: Cubes, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"W": (1, shape[0])}


@verbs.apply.method
def apply_cubes(layer: Cubes, w: Tensors, X: Elements) -> Elements:
    return (w.W @ X).entrywise(Cubed())


def test_functions_of_others_have_no_certificates():
    with pytest.raises(MethodError, match=r"no certificates of networks with .*Cubed"):
        program_lines(algatt.Network(Cubes(), tokens=1, width=1))
