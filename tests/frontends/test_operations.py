"""Operations of arrays: the values of the programs that they record are those of numpy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.frontends import axes as along
from algatt.frontends import functions, jax_rules, onnx, onnx_rules, products, torch_rules
from algatt.frontends.arrays import Array
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.lowered import Lowered
from algatt.frontends.operations import Operations
from algatt.programs import Program
from algatt.programs.interpret import interpret


def lower(function: Callable[..., Array], *shapes: tuple[int, ...], seed: int = 0) -> tuple[Program, np.ndarray, Any]:
    """Return the program of a function of arrays, its value at random numbers, and these."""
    lowered = Lowered(shapes={f"w{number}": shape for number, shape in enumerate(shapes)})
    generator = np.random.default_rng(seed)
    given = [generator.standard_normal(shape) for shape in shapes]
    value = function(lowered.operations, *(lowered.parameter(name) for name in lowered.shapes))
    matrix = lowered.operations.results.matrix_of(value.entries.reshape(1, -1))
    program = lowered.operations.results.trace.program(matrix.raw)
    field = Reals()
    tensors = {
        name: Elements(field, one.reshape(program.tensors.get(name, one.shape)))
        for name, one in zip(lowered.shapes, given, strict=True)
    }
    found = interpret(program, field, tensors, Elements(field, np.zeros((1, 1)))).raw
    return program, found.reshape(value.shape), given


def check(function: Callable[..., Array], by_numpy: Callable[..., np.ndarray], *shapes: tuple[int, ...]) -> Program:
    """Compare an operation with numpy, and return its program."""
    program, found, given = lower(function, *shapes)
    expected = by_numpy(*given)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    return program


def operations_of(program: Program) -> list[str]:
    return [one.operation for one in program.instructions]


VIEWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "reshape": lambda x: x.reshape(4, 6),
    "heads": lambda x: x.reshape(2, 3, 2, 2).transpose(0, 2, 1, 3),
    "transposed": lambda x: x.T,
    "exchanged": lambda x: np.swapaxes(x, 0, 1),
    "strung out": lambda x: x.reshape(-1),
    "strided": lambda x: x[:, ::-1, ::2],
    "repeated": lambda x: np.repeat(x, 2, axis=1),
    "tiled": lambda x: np.tile(x, (1, 2, 1)),
    "gathered": lambda x: x[:, [2, 0, 0, 1]],
    "diagonal": lambda x: np.diagonal(x, axis1=1, axis2=2),
    "rolled": lambda x: np.roll(x, 1, axis=-1),
    "spread": lambda x: np.broadcast_to(x[:, :1], (2, 5, 4)),
    "joined": lambda x: np.concatenate([x[..., 2:], x[..., :2]], axis=-1),
    "windows": lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=1),
    "lower triangle": lambda x: x[:, np.tri(3, 4, dtype=bool)],
}


@pytest.mark.parametrize("name", VIEWS)
def test_entries_are_moved_as_numpy_moves_them(name: str) -> None:
    program = check(lambda operations, x: x.view(VIEWS[name]), VIEWS[name], (2, 3, 4))
    assert set(operations_of(program)) <= {"tensor", "take", "concatenate", "transpose", "product", "constant"}


SHAPES = [((3, 4), (3, 4)), ((2, 3, 4), (4,)), ((2, 1, 4), (3, 1)), ((5,), (1,)), ((2, 3, 4), (2, 3, 1)), ((3, 4), ())]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_arrays_are_spread_as_in_numpy(name: str, shapes: Any) -> None:
    by_numpy = getattr(np, name)
    check(lambda operations, x, y: getattr(operations, name)(x, y), by_numpy, *shapes)
    constant = np.arange(1, 13).reshape(3, 4) / 7
    check(lambda operations, x: getattr(operations, name)(x, constant), lambda x: by_numpy(x, constant), (2, 3, 4))
    check(lambda operations, x: getattr(operations, name)(constant, x), lambda x: by_numpy(constant, x), (2, 3, 4))


PRODUCTS = [
    "ij,jk->ik",
    "bij,bjk->bik",
    "bthd,bshd->bhts",
    "bhts,bshd->bthd",
    "bthd,hde->bte",
    "btd,dhe->bhte",
    "i,j->ij",
]
SIZES = {"b": 2, "h": 3, "t": 4, "s": 5, "d": 2, "e": 3, "i": 3, "j": 4, "k": 2}


@pytest.mark.parametrize("equation", PRODUCTS)
def test_products_are_sums_over_axes(equation: str) -> None:
    terms = equation.partition("->")[0].split(",")
    shapes = [tuple(SIZES[letter] for letter in term) for term in terms]
    check(
        lambda operations, x, y: products.einsum(operations, equation, x, y),
        lambda x, y: np.einsum(equation, x, y),
        *shapes,
    )


def test_a_product_of_matrices_is_one_instruction() -> None:
    """Also where one of them is transposed in numpy, since the program has the result transposed."""
    program = check(lambda operations, x, y: products.matmul(operations, x, y), np.matmul, (3, 4), (4, 2))
    assert operations_of(program).count("product") == 1
    lowered = Lowered(shapes={"W": (5, 3)})
    x = lowered.read_numbers((1, 4, 3))
    W = lowered.parameter("W")
    net = lowered.network(products.matmul(lowered.operations, x, W.transpose((1, 0))), "")
    assert sorted(operations_of(net.layers.program)) == ["input", "product", "tensor"]


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 1, 3, 4), (5, 4, 2))], ids=str)
def test_matmul_has_vectors_and_spread_axes(shapes: Any) -> None:
    check(lambda operations, x, y: products.matmul(operations, x, y), np.matmul, *shapes)


@pytest.mark.parametrize("axes", [(0,), (1,), (-1,), (0, 2), (0, 1, 2)], ids=str)
def test_sums_means_and_maxima(axes: tuple[int, ...]) -> None:
    check(lambda operations, x: operations.sum(x, axes), lambda x: x.sum(axes), (2, 3, 4))
    check(lambda operations, x: operations.mean(x, axes), lambda x: x.mean(axes), (2, 3, 4))
    check(lambda operations, x: along.reduce(operations, x, "product", axes), lambda x: x.prod(axes), (2, 3, 4))
    if len(axes) == 1:
        check(lambda operations, x: operations.maximum(x, *axes), lambda x: x.max(axes), (2, 3, 4))


CAUSAL = np.where(np.tri(4, dtype=bool), 0.0, -np.inf)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_softmax(axis: int) -> None:
    check(lambda operations, x: operations.softmax(x, axis), lambda x: special.softmax(x, axis), (2, 3, 4))


@pytest.mark.parametrize(
    "mask", [CAUSAL, np.where(np.isinf(CAUSAL), -3.4e38, 0.0), np.where(CAUSAL == 0, 0.5, -np.inf)]
)
def test_what_is_minus_infinity_is_hidden(mask: np.ndarray) -> None:
    def soft(x: np.ndarray) -> np.ndarray:
        return special.softmax(x + mask, -1)

    check(lambda operations, x: operations.softmax(operations.add(x, mask), -1), soft, (2, 4, 4))
    check(lambda operations, x: operations.exp(operations.add(x, mask)), lambda x: np.exp(x + mask), (4, 4))

    def written(operations: Operations, x: Array) -> Array:
        masked = operations.add(mask, operations.multiply(x, 2))
        e = operations.exp(operations.subtract(masked, operations.maximum(masked, -1)[:, None]))
        return operations.divide(e, operations.sum(e, (-1,))[:, None])

    check(written, lambda x: soft(2 * x), (4, 4))
    hidden = mask < -1
    check(
        lambda operations, x: operations.softmax(operations.where(hidden, -np.inf, x), -1),
        lambda x: special.softmax(np.where(hidden, -np.inf, x), -1),
        (4, 4),
    )


def test_minus_infinity_elsewhere_is_refused() -> None:
    for function in (
        lambda operations, x: operations.multiply(x, -1),
        lambda operations, x: operations.apply(FUNCTIONS["tanh"], x),
        lambda operations, x: products.matmul(operations, x, x),
        lambda operations, x: operations.sum(x, (0,)),
        lambda operations, x: operations.subtract(x, x),
    ):
        with pytest.raises(InvalidArgument, match=r"with minus infinity .* before a softmax alone"):
            lower(lambda operations, x, function=function: function(operations, operations.add(x, CAUSAL)), (4, 4))
    with pytest.raises(InvalidArgument, match="hides all scores of row 2"):
        lower(lambda o, x: o.softmax(o.add(x, np.where(np.eye(4)[1][:, None] == 1, -np.inf, 0)), 1), (4, 4))


def test_choices() -> None:
    condition = np.array([[True, False, True, False]])
    check(
        lambda operations, x, y: operations.where(condition, x, y), lambda x, y: np.where(condition, x, y), (3, 4), (4,)
    )
    check(
        lambda operations, x, y: operations.where(operations.apply(FUNCTIONS["positive"], x), x, y),
        lambda x, y: np.where(x > 0, x, y),
        (3, 4),
        (4,),
    )


@pytest.mark.parametrize("axis", [0, 1])
def test_layer_norm(axis: int) -> None:
    def norm(x: np.ndarray) -> np.ndarray:
        return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + 0.125)

    check(lambda operations, x: operations.layer_norm(x, axis, 0.125), norm, (3, 4))


BY_SCIPY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "abs": np.abs,
    "cosh": np.cosh,
    "erf": special.erf,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "gelu": lambda x: x * special.ndtr(x),
    "hard_sigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "log_sigmoid": special.log_expit,
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": special.expit,
    "sign": np.sign,
    "silu": lambda x: x * special.expit(x),
    "sinh": np.sinh,
    "softplus": lambda x: np.log1p(np.exp(x)),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "square": np.square,
    "tanh": np.tanh,
}


@pytest.mark.parametrize("name", BY_SCIPY)
def test_functions_of_one_variable(name: str) -> None:
    check(lambda operations, x: operations.apply(FUNCTIONS[name], x), BY_SCIPY[name], (3, 4))


def test_functions_of_positive_numbers() -> None:
    for name, by_numpy in (("sqrt", np.sqrt), ("log", np.log), ("log1p", np.log1p), ("rsqrt", lambda x: x**-0.5)):
        check(
            lambda operations, x, name=name: operations.apply(FUNCTIONS[name], operations.exp(x)),
            lambda x, by_numpy=by_numpy: by_numpy(np.exp(x)),
            (3, 4),
        )


def test_functions_of_several_arrays() -> None:
    check(lambda operations, x, y: functions.maximum(operations, x, y), np.maximum, (3, 4), (4,))
    check(lambda operations, x: functions.between(operations, x, -0.5, 0.75), lambda x: x.clip(-0.5, 0.75), (3, 4))
    for exponent in (2, 3, -1, 0, np.array(2.0)):
        check(
            lambda operations, x, k=exponent: functions.power(operations, x, k),
            lambda x, k=exponent: x ** float(k),
            (2, 3),
        )
    check(lambda operations, x: functions.power(operations, 2.5, x), lambda x: 2.5**x, (2, 3))
    check(lambda operations, x: operations.apply(functions.leaky_relu(0.25), x), lambda x: np.maximum(x, x / 4), (3, 4))
    check(
        lambda operations, x: operations.apply(functions.elu(0.5), x),
        lambda x: np.where(x > 0, x, np.expm1(x) / 2),
        (3, 4),
    )


def by_windows(x: np.ndarray, kernel: np.ndarray, stride: int, padding: int, groups: int = 1) -> np.ndarray:
    """A convolution over one axis, place by place."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding)))
    out, inner = kernel.shape[0] // groups, kernel.shape[1]
    places = range(0, x.shape[2] - kernel.shape[2] + 1, stride)
    found = np.zeros((x.shape[0], kernel.shape[0], len(places)))
    for channel in range(kernel.shape[0]):
        first = channel // out * inner
        for number, place in enumerate(places):
            seen = x[:, first : first + inner, place : place + kernel.shape[2]]
            found[:, channel, number] = (seen * kernel[channel]).sum((1, 2))
    return found


@pytest.mark.parametrize(("stride", "padding", "groups"), [(1, 0, 1), (2, 1, 1), (3, 0, 1), (1, 2, 2), (1, 2, 4)])
def test_convolutions(stride: int, padding: int, groups: int) -> None:
    check(
        lambda operations, x, kernel: products.convolve(
            operations, x, kernel, stride=[stride], padding=[(padding, padding)], dilation=[1], groups=groups
        ),
        lambda x, kernel: by_windows(x, kernel, stride, padding, groups),
        (1, 4, 6),
        (4, 4 // groups, 3),
    )


def test_attention_with_fewer_heads_of_keys() -> None:
    def by_numpy(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        scores = q @ np.repeat(k, 2, axis=0).swapaxes(-1, -2) / np.sqrt(3) + CAUSAL
        return special.softmax(scores, -1) @ np.repeat(v, 2, axis=0)

    check(
        lambda operations, q, k, v: products.attend(operations, q, k, v, is_causal=True),
        by_numpy,
        (4, 4, 3),
        (2, 4, 3),
        (2, 4, 3),
    )


@pytest.mark.parametrize(("states", "tokens"), [(2, 3), (3, 2)])
def test_states_of_a_token_are_one_matrix(states: int, tokens: int) -> None:
    """Also where fewer states than tokens make matrices of each state by itself at first."""

    def decayed(operations: Operations, x: Array, rates: Array, mixed: Array) -> Array:
        decay = operations.exp(operations.multiply(x.reshape(4, tokens, 1), rates.reshape(4, 1, states)))
        return along.join(operations, [products.matmul(operations, decay[:, t], mixed) for t in range(tokens)], 1)

    def by_numpy(x: np.ndarray, rates: np.ndarray, mixed: np.ndarray) -> np.ndarray:
        return np.einsum("dtn,nm->dtm", np.exp(x[:, :, None] * rates[:, None]), mixed).reshape(4, -1)

    program = check(decayed, by_numpy, (4, tokens), (4, states), (states, 2))
    matrices = [one.shape for one in program.instructions if one.operation == "exp"]
    assert matrices == [(4, states)] * tokens


@pytest.mark.parametrize("turned", [False, True])
def test_biases_by_distances_stand_as_scores_do(turned: bool) -> None:
    """Whichever way a table of biases is read, no scores are transposed, and a row is a product."""
    places = np.array([[0, 0, 0], [1, 0, 0], [2, 1, 0]])

    def add(operations: Operations, x: Array, table: Array) -> Array:
        bias = table[:, 1].view(lambda entries: entries[places.T if turned else places])
        return operations.apply(FUNCTIONS["tanh"], operations.add(x, bias))

    def by_numpy(x: np.ndarray, table: np.ndarray) -> np.ndarray:
        return np.tanh(x + table[places.T if turned else places, 1])

    program = check(add, by_numpy, (3, 3), (4, 2))
    assert operations_of(program).count("product") == 3
    assert operations_of(program).count("transpose") == 1


@pytest.mark.parametrize("value", [np.array([1j]), np.array([np.nan]), np.array([np.inf])], ids=str)
def test_constants_that_are_no_numbers_are_refused(value: np.ndarray) -> None:
    with pytest.raises(InvalidArgument, match=r"with (complex numbers|constants that are nan or inf)"):
        lower(lambda operations, x: along.join(operations, [x, value], 0), (2,))


def test_exponents_that_are_no_halves_of_integers_are_refused() -> None:
    for exponent in (0.3, np.array([1.0, 2.0])):
        with pytest.raises(InvalidArgument, match="it should be with integers, or halves of integers"):
            lower(lambda operations, x, k=exponent: functions.power(operations, x, k), (2,))


def test_the_page_lists_all_rules() -> None:
    page = (Path(__file__).parents[2] / "docs" / "your_own_model.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", page))
    for rules in (torch_rules.RULES, torch_rules.MOVES, torch_rules.SAME, jax_rules.RULES, jax_rules.MOVES):
        assert set(rules) <= listed
    assert {*onnx_rules.RULES, *onnx.MOVES} <= listed
