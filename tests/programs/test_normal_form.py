"""Two texts of one computation have one normal form, and one answer to every question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import layers, verbs
from algatt.architectures.network import arrange, arrangement_of
from algatt.architectures.network import recorded as program_as_written
from algatt.fields import Elements, PrimeField, Reals, concatenate
from algatt.layers import Layer, Residual, Tensors
from algatt.maps import program as program_of
from algatt.programs import Program, Trace
from algatt.programs.interpret import interpret
from algatt.programs.normal_form import normal_form
from algatt.symmetry.symbolic.measure import measure_types, types_of
from algatt.symmetry.symbolic.quotients import quotients_of_program
from algatt.testing.laws import examples
from pairs_of_texts import ANGLES, HALVES, PLACES, D, rotate_by_halves
from written_networks import Written

WIDTH, TOKENS = 4, 3
ONES = np.ones((1, TOKENS), dtype=np.int64)


@dataclass(frozen=True, repr=False)
class Fused(Layer):
    """Two softmax heads with one matrix for all queries, keys and values, and one for the outputs."""

    softmax: bool = True


@verbs.tensors.method
def tensors_of_fused(layer: Fused, shape: tuple) -> dict:
    return {"W": (12, shape[0]), "O": (shape[0], 4)}


@verbs.apply.method
def apply_fused(layer: Fused, w: Tensors, X: Elements) -> Elements:
    Y = w.W @ X
    heads = [head(Y[i : i + 2], Y[4 + i : 6 + i], Y[8 + i : 10 + i], layer.softmax) for i in (0, 2)]
    return w.O @ concatenate(heads)


def head(Q: Elements, K: Elements, V: Elements, softmax: bool) -> Elements:
    scores = K.T @ Q
    if not softmax:
        return V @ scores
    e = scores.exp()
    return V @ (e * (ONES @ e).reciprocal())


@dataclass(frozen=True, repr=False)
class Rows(Layer):
    """The same with tokens as rows, as frameworks write it."""

    softmax: bool = True


@verbs.tensors.method
def tensors_of_rows(layer: Rows, shape: tuple) -> dict:
    return {"W": (shape[0], 12), "O": (4, shape[0])}


@verbs.apply.method
def apply_rows(layer: Rows, w: Tensors, X: Elements) -> Elements:
    Y, every = X.T @ w.W, list(range(TOKENS))
    heads = []
    for i in (0, 2):
        Q, K, V = (Y[every, list(range(start + i, start + i + 2))] for start in (0, 4, 8))
        scores = Q @ K.T
        if layer.softmax:
            e = scores.exp()
            scores = e * (e @ ONES.T).reciprocal()
        heads.append(scores @ V)
    return (concatenate(heads, axis=1) @ w.O).T


@dataclass(frozen=True, repr=False)
class Apart(Layer):
    """The same with a matrix for each head."""

    softmax: bool = True


@verbs.tensors.method
def tensors_of_apart(layer: Apart, shape: tuple) -> dict:
    return {f"{name}_{i}": (2, shape[0]) if name != "O" else (shape[0], 2) for i in (1, 2) for name in "QKVO"}


@verbs.apply.method
def apply_apart(layer: Apart, w: Tensors, X: Elements) -> Elements:
    one, two = (w[f"O_{i}"] @ head(w[f"Q_{i}"] @ X, w[f"K_{i}"] @ X, w[f"V_{i}"] @ X, layer.softmax) for i in (1, 2))
    return one + two


def network(layer: Layer) -> algatt.Network:
    return algatt.Network(Residual(layer), tokens=TOKENS, width=WIDTH)


def structure(program: Program) -> str:
    """Return the expression of a program, with tensors by the order in which they stand in it."""
    names: dict[str, str] = {}

    def written(number: int) -> str:
        one = program.instructions[number]
        if one.operation == "transpose" and program.instructions[one.operands[0]].operation == "tensor":
            one = program.instructions[one.operands[0]]
        if one.operation == "tensor":
            return names.setdefault(one.argument, f"T{len(names)}")
        return f"{one.operation}[{one.argument}]({', '.join(map(written, one.operands))})"

    return written(len(program) - 1)


@pytest.mark.parametrize("softmax", [True, False])
def test_three_texts_of_attention_have_one_normal_form(softmax):
    forms = [normal_form(program_of(network(kind(softmax)))).program for kind in (Fused, Rows, Apart)]
    assert structure(forms[0]) == structure(forms[1]) == structure(forms[2])
    assert [len(form.tensors) for form in forms] == [8, 8, 8]


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", [Fused, Rows, Apart])
def test_attention_with_one_matrix_has_the_answers_of_attention_with_many(kind):
    """64 parameters, dimension 48: the exact count for two heads of width 2 at width 4 (softmax, residual)."""
    net = network(kind())
    report = algatt.dimension(net)
    assert (report.value, report.status, report.parameters) == (48, "proven", 64)
    assert sum(family.removes for family in report.symmetries) == 16
    heads = [one for one in algatt.symmetry.discrete_symmetries(net) if " " in one.name]
    assert len(heads) == 1  # the exchange of the two heads
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=0)
    (exchange,) = heads[0].elements(theta.field)
    X = algatt.sample_inputs(net, seed=1, field=Reals())
    moved = algatt.act(exchange, theta)
    assert moved != theta
    np.testing.assert_allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X), rtol=1e-12)
    answer = algatt.same_function(net, theta, moved)
    assert (answer.equal, answer.status) == (True, "proven")


@pytest.mark.parametrize("kind", [Fused, Rows])
def test_points_of_one_orbit_have_one_canonical_form_and_are_equal(kind):
    net = network(kind())
    theta = algatt.sample(net, algatt.Weights, seed=0)
    moved = algatt.fiber(net, theta).sample(1)
    assert moved != theta
    answer = algatt.same_function(net, theta, moved)
    assert (answer.equal, answer.status) == (True, "proven")
    assert algatt.act(answer.element, theta) == moved
    assert answer.to_dict()["element"]["name"] == "ArrangedElement"
    assert (
        algatt.canonical(net, theta)
        == algatt.canonical(net, moved)
        != algatt.canonical(net, theta.replace([one * 2 for one in theta.elements]))
    )
    real = algatt.sample(net, algatt.Weights, field=Reals(), seed=0)
    answer = algatt.same_function(net, real, algatt.sample(net, algatt.Weights, field=Reals(), seed=1))
    assert (answer.equal, answer.status) == (False, "proven")


def test_what_is_certified_is_the_normal_form():
    net = network(Fused())
    certificate = algatt.certify(net)
    assert algatt.verify(certificate).ok
    assert algatt.verify(algatt.certify(algatt.dimension(net))).ok
    assert algatt.verify(algatt.certify(algatt.symmetries(net)[0])).ok


def test_tensors_are_taken_apart_and_put_together():
    net = network(Rows())
    arrangement = arrangement_of(net)
    theta = algatt.sample(net, algatt.Weights, seed=3)
    parted = arrangement.forth(theta)
    assert arrangement.back(parted) == theta
    assert parted.names()[0] == "rows.W.columns_1_2"
    X = algatt.sample_inputs(net, seed=2, field=Reals())
    real = algatt.sample(net, algatt.Weights, field=Reals(), seed=3)
    np.testing.assert_allclose(
        algatt.evaluate(arrangement.network, arrangement.forth(real), X), algatt.evaluate(net, real, X), rtol=1e-12
    )


def examples_of_layers() -> list[algatt.Network]:
    """Return a network of each example of each layer of the package, behind a linear layer where it has no tensors."""
    found = []
    for layer, shape in examples(Layer):
        if type(layer).__module__.startswith("algatt."):
            try:
                net = algatt.Network(layer, tokens=shape[1], width=shape[0])
            except algatt.errors.AlgattError:
                net = algatt.Network(layers.Linear(shape[0]) >> layer, tokens=shape[1], width=shape[0])
            found.append(net)
    return found


@pytest.mark.parametrize("net", examples_of_layers(), ids=str)
def test_tensors_of_layers_of_the_package_are_not_cut(net):
    """Each matrix of theirs belongs to one head; parts that are joined again, and parts of vectors, are not cut."""
    assert arrangement_of(net) is None


@pytest.mark.parametrize("net", examples_of_layers(), ids=str)
def test_types_see_as_much_in_the_text_of_a_layer_as_in_its_normal_form(net):
    """So stacks of blocks may be measured as they are written."""
    quotients = quotients_of_program(program_of(net), units=net.units)
    one, two = (measure_types(types_of(net, of(net)), quotients) for of in (program_as_written, program_of))
    assert (one.dimension, one.orbit, one.moved, one.wide) == (two.dimension, two.orbit, two.moved, two.wide)


READ_IN_PARTS = {
    "Sink": "heads have entries of the sinks",
    "DepthwiseConvolution": "places have columns of the filters",
    "TypedEmbedding": "the table of types has rows",
}
"""Layers that read tensors in parts."""


@pytest.mark.parametrize("name", READ_IN_PARTS)
def test_layers_that_read_parts_have_the_same_answers_with_tensors_for_the_parts(name):
    nets = [net for net in examples_of_layers() if name in str(net) and net.parameters < 100]
    nets = [net for net in nets if normal_form(program_of(net)).parts]
    assert nets
    for net in nets[:2]:
        one, two = algatt.dimension(net), algatt.dimension(arrange(net).network)
        assert (one.value, one.parameters) == (two.value, two.parameters)
        assert one.status == two.status


KINDS = (
    layers.Heads,
    layers.LayerNorm,
    layers.Experts,
    layers.SelectiveScan,
    layers.Convolution,
    layers.LatentHeads,
)

NETWORKS = [net for net in algatt.Network.examples() if net.vocabulary is None] + [
    algatt.Network(layers.Linear(shape[0]) >> layer, tokens=shape[1], width=shape[0])
    for kind in KINDS
    for layer, shape in kind.examples()
]


@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_a_normal_form_has_the_values_of_its_program(net):
    form = normal_form(program_of(net))
    field = PrimeField() if net.algebraic else Reals()
    theta, X = algatt.sample(net, algatt.Weights, field=field, seed=1), algatt.sample_inputs(net, seed=1, field=field)
    tensors = dict(zip(algatt.coordinates(net), theta.elements, strict=True))
    tensors |= {part.name: part.of(tensors[part.tensor]) for part in form.parts}
    value = interpret(form.program, field, tensors, Elements.of(field, X)).public()
    if net.algebraic:
        assert np.array_equal(value, algatt.evaluate(net, theta, X))
    else:
        np.testing.assert_allclose(value, algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-12)


def recorded(text) -> Program:
    trace = Trace()
    tensors = {name: Elements(trace, trace.tensor(name, (4, 4))) for name in "AB"}
    return trace.program(text(tensors["A"], tensors["B"], Elements(trace, trace.input((WIDTH, TOKENS)))).raw)


SAME = {
    "transposes of transposes": (lambda A, B, X: (A @ X).T.T, lambda A, B, X: A @ X),
    "a bias of rows": (lambda A, B, X: (X.T @ A + B[[0]]).T, lambda A, B, X: A.T @ X + B[[0]].T),
    "entrywise on rows": (lambda A, B, X: ((X.T @ A).exp() * (X.T @ B)).T, lambda A, B, X: (A.T @ X).exp() * (B.T @ X)),
    "numbers in front": (lambda A, B, X: (A * 2) @ (X * 3), lambda A, B, X: A @ X * 6),
    "minus": (lambda A, B, X: -(A @ X) + B @ X, lambda A, B, X: (A @ X) * -1 + B @ X),
    "means taken off": (lambda A, B, X: X - (np.ones((1, 4), dtype=np.int64) @ X) * 0.25, lambda A, B, X: X.centre()),
    "lengths": (lambda A, B, X: (X * (A @ X)).sum(axis=0), lambda A, B, X: X.column_products(A @ X)),
    "parts of products": (
        lambda A, B, X: (A @ X)[[0, 1]] + (A @ X)[[2, 3]],
        lambda A, B, X: A[[0, 1]] @ X + A[[2, 3]] @ X,
    ),
    "parts of parts": (lambda A, B, X: (A @ X)[[0, 2, 3]][[1, 2]], lambda A, B, X: A[[2, 3]] @ X),
    "parts of what was joined": (
        lambda A, B, X: concatenate((A @ X, B @ X))[[1, 5, 6]],
        lambda A, B, X: concatenate((A[[1]] @ X, B[[1, 2]] @ X)),
    ),
    "a product with what was joined": (
        lambda A, B, X: A @ concatenate((X[[0, 1]], (B @ X)[[0, 1]])),
        lambda A, B, X: A[list(range(4)), [0, 1]] @ X[[0, 1]] + A[list(range(4)), [2, 3]] @ (B[[0, 1]] @ X),
    ),
    "a sum with zero": (lambda A, B, X: A @ X + 0, lambda A, B, X: A @ X),
    "positions added to a token before the others": (
        lambda A, B, X: (concatenate((B[:, [0]], A @ X), axis=1) + B).exp(),
        lambda A, B, X: concatenate((B[:, [0]] * 2, A @ X + B[:, [1, 2, 3]]), axis=1).exp(),
    ),
    "positions added to rows": (
        lambda A, B, X: (concatenate((B[[0]], (A @ X).T)) + B).T.exp(),
        lambda A, B, X: concatenate((B[[0]].T * 2, A @ X + B[[1, 2, 3]].T), axis=1).exp(),
    ),
    "numbers beside what is added to a tensor": (
        lambda A, B, X: X.column_products((A + np.arange(16).reshape(4, 4)) @ (2 * np.eye(4, dtype=int)[:, :3]) + 6),
        lambda A, B, X: X.column_products((A + np.arange(3, 19).reshape(4, 4)) @ (2 * np.eye(4, dtype=int)[:, :3])),
    ),
    "scores of rows and columns": (
        lambda A, B, X: X @ ((X.T @ A) @ (X.T @ B).T).exp().T,
        lambda A, B, X: X @ ((B.T @ X).T @ (A.T @ X)).exp(),
    ),
    "the sum of all scores": (  # the rules went round where these are of one matrix: RecursionError was raised
        lambda A, B, X: A @ X * ((A @ X).T @ (A @ X)).exp().sum(axis=0).sum(axis=1),
        lambda A, B, X: A @ X * ((A @ X).T @ (A @ X)).exp().sum(axis=1).sum(axis=0),
    ),
    "the sum of all scores of one matrix": (
        lambda A, B, X: A @ X * ((A @ X).T @ (A @ X)).sum(axis=0).sum(axis=1),
        lambda A, B, X: A @ X * ((A @ X).T @ (A @ X)).sum(axis=1).sum(axis=0),
    ),
}


@pytest.mark.parametrize("texts", SAME.values(), ids=SAME.keys())
def test_texts_of_one_computation_have_one_normal_form(texts):
    one, two = (recorded(text) for text in texts)
    assert structure(normal_form(one).program) == structure(normal_form(two).program)
    field = Reals()
    rng = np.random.default_rng(0)
    tensors = {name: Elements.of(field, rng.standard_normal((4, 4))) for name in "AB"}
    X = Elements.of(field, rng.standard_normal((WIDTH, TOKENS)))
    given = [interpret(program, field, tensors, X).public() for program in (one, two)]
    np.testing.assert_allclose(given[0], given[1], rtol=1e-9, atol=1e-12)  # the texts are one computation
    for program, value in zip((one, two), given, strict=True):
        form = normal_form(program)
        parts = {part.name: part.of(tensors[part.tensor]) for part in form.parts}
        found = interpret(form.program, field, tensors | parts, X).public()
        np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-12)


def below_others(turn: Callable[[Elements], Elements]) -> algatt.Network:
    """As DeepSeek: queries and keys that are turned stand below others."""

    def text(w: Any, X: Elements) -> Elements:
        query, key = (concatenate((w[f"{name}_1"] @ X, turn(w[f"{name}_2"] @ X))) for name in "QK")
        return w.O @ (w.V @ X @ (key.T @ query))

    tensors = {"Q_1": (2, D), "K_1": (2, D), "Q_2": (4, D), "K_2": (4, D), "V": (2, D), "O": (D, 2)}
    return algatt.Network(Written(tuple(tensors.items()), text), tokens=TOKENS, width=D)


def test_rows_that_tables_turn_may_stand_below_others() -> None:
    texts = (lambda Y: Y[HALVES].rotate(ANGLES, PLACES), rotate_by_halves, lambda Y: Y.rotate(ANGLES, PLACES))
    turned, by_tables, other = (normal_form(program_of(below_others(text))).digest() for text in texts)
    assert turned == by_tables != other
