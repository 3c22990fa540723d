"""Combinators: their values are those of functions composed and added, and their tensors are named by paths."""

import json
import math
import re

import numpy as np
import pytest

from algatt import Network
from algatt.architectures import outline
from algatt.errors import InvalidArgument
from algatt.layers import (
    Affine,
    Causal,
    Chain,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    Power,
    Product,
    Rational,
    ReLU,
    Residual,
    RMSNorm,
    Stack,
    Tanh,
    Tie,
    Unembedding,
)
from algatt.layers.base import tensor_shapes
from algatt.layers.description import noun_of
from algatt.testing import check_architecture
from algatt.views.networks.files import write

A, B, C = [[1, 2], [3, -1]], [[0, 1], [1, 1]], [[2, 0], [-1, 3]]
X = [[1, -2, 4], [5, 1, 0]]


def times(M, N):
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*N, strict=True)] for row in M]


def plus(M, N):
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(M, N, strict=True)]


def square(M):
    return [[entry**2 for entry in row] for row in M]


F = Linear(2)


def test_a_chain_is_a_composition_the_first_layer_first(is_value):
    is_value(F >> F >> F, {"linear_1.W": A, "linear_2.W": B, "linear_3.W": C}, X, times(C, times(B, times(A, X))))
    assert F >> (F >> F) == (F >> F) >> F == Chain((F, F, F))


def test_a_residual_adds_its_input(is_value):
    is_value(Residual(F), {"linear.W": A}, X, plus(X, times(A, X)))
    is_value(Residual(F >> F), {"linear_1.W": A, "linear_2.W": B}, X, plus(X, times(B, times(A, X))))


def test_parallel_layers_are_added(is_value):
    tensors = {"linear_1.W": A, "feedforward.up": B, "feedforward.down": C, "linear_2.W": B}
    layer = Parallel(F, Feedforward(2, Power(2)), F)
    is_value(layer, tensors, X, plus(plus(times(A, X), times(C, square(times(B, X)))), times(B, X)))


def test_gates_multiply_entry_by_entry(is_value):
    tensors = {"linear_1.W": A, "linear_2.W": B}
    expected = [
        [value * gate**2 for value, gate in zip(*rows, strict=True)]
        for rows in zip(times(A, X), times(B, X), strict=True)
    ]
    is_value(Product(F, F >> Power(2)), tensors, X, expected)


def test_a_stack_has_blocks_of_their_own(is_value):
    inner = plus(X, times(A, X))
    is_value(2 * Residual(F), {"1.linear.W": A, "2.linear.W": B}, X, plus(inner, times(B, inner)))
    is_value(
        Stack((F, F >> F)), {"1.linear.W": A, "2.linear_1.W": B, "2.linear_2.W": C}, X, times(C, times(B, times(A, X)))
    )
    tensors = {"1.1.linear.W": A, "1.2.linear.W": B, "2.1.linear.W": C, "2.2.linear.W": A}
    is_value(2 * (2 * F), tensors, X, times(A, times(C, times(B, times(A, X)))))


def test_a_name_takes_the_place_of_the_layers_own(is_value):
    layer = Named("reader", F) >> Named("rest", F >> F)
    is_value(
        layer, {"reader.linear.W": A, "rest.linear_1.W": B, "rest.linear_2.W": C}, X, times(C, times(B, times(A, X)))
    )


@pytest.mark.parametrize(
    ("ties", "tensors", "matrices"),
    [
        ({"linear_2.W": "linear_1.W"}, {"linear_1.W": A, "linear_3.W": B}, (A, A, B)),
        ({"linear_2.W": "linear_1.W", "linear_3.W": "linear_1.W"}, {"linear_1.W": A}, (A, A, A)),
        ({"linear_3.W": "linear_2.W", "linear_2.W": "linear_1.W"}, {"linear_1.W": A}, (A, A, A)),
        ({"linear_1": "linear_3"}, {"linear_3.W": A, "linear_2.W": B}, (A, B, A)),
    ],
)
def test_tied_tensors_are_one_tensor(is_value, ties, tensors, matrices):
    first, second, third = matrices
    is_value(Tie(F >> F >> F, ties), tensors, X, times(third, times(second, times(first, X))))


def test_ties_in_ties_and_parts_tied_as_a_whole(is_value):
    inner = Tie(F >> F, {"linear_2.W": "linear_1.W"})
    is_value(Tie(2 * inner, {"2": "1"}), {"1.linear_1.W": A}, X, times(A, times(A, times(A, times(A, X)))))
    is_value(2 * inner, {"1.linear_1.W": A, "2.linear_1.W": B}, X, times(B, times(B, times(A, times(A, X)))))


def test_a_tie_beside_a_layer_has_tensors_of_its_own(is_value):
    """Its parts and the layer might have the same names, and so, without a word, one tensor."""
    tied = Tie(F >> F, {"linear_2.W": "linear_1.W"})
    is_value(
        tied >> F >> F,
        {"tie.linear_1.W": A, "linear_1.W": B, "linear_2.W": C},
        X,
        times(C, times(B, times(A, times(A, X)))),
    )
    is_value(tied >> tied, {"tie_1.linear_1.W": A, "tie_2.linear_1.W": B}, X, times(B, times(B, times(A, times(A, X)))))


def test_the_tied_network_has_the_parameters_of_one():
    net = Network(Tie(Embedding(5, 3) >> Unembedding(5), {"unembedding.U": "embedding.E"}), tokens=2)
    assert net.parameters == 15
    assert list(net.built[0]) == ["embedding.E"]


def test_the_names_of_a_transformer():
    block = Residual(LayerNorm() >> Heads(2, mask=Causal())) >> Residual(LayerNorm() >> Feedforward(6, bias=True))
    layers = Embedding(7, 4) >> LearnedPosition() >> 2 * block >> RMSNorm() >> Unembedding(7)
    shapes, value = tensor_shapes(layers, (7, 3))
    heads = {f"heads.{letter}_{number}": (4, 2) if letter == "O" else (2, 4) for letter in "QKVO" for number in (1, 2)}
    norms = [{f"norm_{number}.g": (4, 1), f"norm_{number}.b": (4, 1)} for number in (1, 2)]
    names = ("up", (6, 4)), ("down", (4, 6)), ("b_up", (6, 1)), ("b_down", (4, 1))
    one = norms[0] | heads | norms[1] | {f"feedforward.{name}": shape for name, shape in names}
    blocks = {f"{number}.{name}": shape for number in (1, 2) for name, shape in one.items()}
    expected = {"embedding.E": (7, 4), "position.P": (3, 4)} | blocks | {"norm.g": (4, 1), "unembedding.U": (7, 4)}
    assert list(shapes.items()) == list(expected.items())
    assert value == (7, 3)


def test_two_stacks_beside_each_other(is_value):
    tensors = {"blocks_1.1.linear.W": A, "blocks_2.1.linear.W": B, "blocks_2.2.linear.W": C}
    is_value((1 * F) >> (2 * F), tensors, X, times(C, times(B, times(A, X))))


MISFITS = [
    (
        Linear(5) >> Residual(Linear(4)),
        "Linear(4) after Linear(5) was a value of shape (4, 2); it should be of shape (5, 2), ",
    ),
    (
        Residual(Linear(5)),
        "Linear(5) was a value of shape (5, 2); it should be of shape (3, 2), the shape of what it is added to",
    ),
    (
        Parallel(Linear(4), Linear(5)),
        "Linear(5) was a value of shape (5, 2); it should be of shape (4, 2), the shape of the value of Linear(4)",
    ),
    (
        Product(Linear(4), Linear(5)),
        "Linear(5) was a value of shape (5, 2); it should be of shape (4, 2), the shape of the value of Linear(4)",
    ),
    (
        Stack((Linear(5), Heads(2))),
        "Heads(2) after Linear(5) was given width 5; it should be given a multiple of 2, or a width of its own",
    ),
]


@pytest.mark.parametrize(("layers", "message"), MISFITS, ids=repr)
def test_widths_that_do_not_fit_are_told_with_both_layers(layers, message):
    with pytest.raises(InvalidArgument, match=f"^{re.escape(message)}"):
        Network(layers, tokens=2, width=3)


BAD_TIES = [
    (
        {"linear_1.W": "linear_2.W", "linear_2.W": "linear_1.W"},
        "ties was linear_1.W = linear_2.W = linear_1.W; it should be without cycles",
    ),
    ({"linear_1": "linear_1"}, "ties was linear_1 = linear_1; it should be without cycles"),
    ({"linear_1": "linear_1.W"}, "ties was linear_1 = linear_1.W = linear_1.W.W; it should be without cycles"),
    (
        {"linear_2.W": "linear_1.W"},
        "linear_2.W was of shape (4, 3); it should be of shape (3, 3), as linear_1.W is, which is tied to it",
    ),
    (
        {"linear_2.W": "linear.W"},
        "ties was linear_2.W = linear.W; it should be with one of the tensors linear_1.W on the right",
    ),
    (
        {"linear.W": "linear_1.W"},
        "ties was linear.W = linear_1.W; it should be about tensors of the network: none is named linear.W, "
        "or is in a part of that name",
    ),
    ({}, 'ties was {}; it should be names with names, as {"unembedding.U": "embedding.E"}'),
    ("UE", 'ties was \'UE\'; it should be names with names, as {"unembedding.U": "embedding.E"}'),
    (
        {"linear_2.W": 1},
        'ties was {\'linear_2.W\': 1}; it should be names with names, as {"unembedding.U": "embedding.E"}',
    ),
    (
        (("a", "b"), ("a", "c")),
        "ties was (('a', 'b'), ('a', 'c')); it should be one equation for each name on the left",
    ),
]


@pytest.mark.parametrize(("ties", "message"), BAD_TIES)
def test_equations_that_do_not_hold_together(ties, message):
    with pytest.raises(InvalidArgument) as told:
        Network(Tie(Linear(3) >> Linear(4), ties), tokens=2, width=3)
    assert str(told.value) == message


@pytest.mark.parametrize("ties", [3, None, (1, 2)])
def test_what_is_no_set_of_equations(ties):
    with pytest.raises(InvalidArgument, match=r"^ties was .*; it should be names with names"):
        Tie(F, ties)


def test_a_name_that_numbering_gives_to_another_part_is_refused():
    with pytest.raises(InvalidArgument) as told:
        Network(Named("linear_1", F) >> F >> F, tokens=2, width=2)
    assert str(told.value) == "label was 'linear_1'; it should be another one: the number of a part makes this its name"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Chain((F,)), "layers was 1 layers; it should be a sequence of at least 2 layers"),
        (lambda: Chain(F), "layers was Linear(2); it should be a sequence of at least 2 layers"),
        (lambda: Chain((F, "G")), "layers[1] was 'G'; it should be a layer"),
        (lambda: Parallel(F), "layers was 1 layers; it should be a sequence of at least 2 layers"),
        (lambda: Parallel(F, None), "layers[1] was None; it should be a layer"),
        (lambda: Residual("F"), "layer was 'F'; it should be a layer"),
        (lambda: Stack(()), "blocks was 0 layers; it should be a sequence of at least 1 layer"),
        (lambda: 0 * F, "the number of blocks was 0; it should be an integer >= 1"),
        (lambda: True * F, "the number of blocks was True; it should be an integer >= 1"),
        (lambda: Named("1st", F), "label was '1st'; it should be a name of letters, digits and underscores"),
        (lambda: Named("a.b", F), "label was 'a.b'; it should be a name of letters, digits and underscores"),
        (lambda: Named("a", 1), "layer was 1; it should be a layer"),
        (lambda: Tie(1, {"a": "b"}), "layer was 1; it should be a layer"),
    ],
)
def test_what_is_no_layer_is_refused(make, message):
    with pytest.raises(InvalidArgument) as told:
        make()
    assert str(told.value) == message


LAYER = "it should be a layer"


@pytest.mark.parametrize(
    ("compose", "message"),
    [
        (lambda: F >> 1, f"the right operand of >> was 1; {LAYER}"),
        (lambda: 1 >> F, f"the left operand of >> was 1; {LAYER}"),
        (lambda: F >> Causal(), f"the right operand of >> was of type Causal; {LAYER}"),
        (lambda: np.ones(2) >> F, f"the left operand of >> was of type ndarray; {LAYER}"),
        (lambda: F >> Tanh, f"the right operand of >> was the class Tanh; {LAYER}, such as Tanh(...)"),
        (lambda: Tanh >> F, f"the left operand of >> was the class Tanh; {LAYER}, such as Tanh(...)"),
        (lambda: 1.5 * F, "the number of blocks was 1.5; it should be an integer >= 1"),
        (lambda: np.ones(2) * F, "the number of blocks was array([1., 1.]); it should be an integer >= 1"),
        (lambda: F * 2, "the left operand of * was Linear(2); it should be the number of blocks, as in 2 * f"),
        (lambda: F * F, "the left operand of * was Linear(2); it should be the number of blocks, as in 2 * f"),
    ],
)
def test_an_operand_that_is_no_layer_is_named(compose, message):
    with pytest.raises(InvalidArgument) as told:
        compose()
    assert str(told.value) == message


def test_the_number_of_blocks_may_be_of_numpy():
    assert np.int64(2) * F == 2 * F


def test_an_activation_is_a_layer_without_tensors(is_value):
    is_value(F >> Power(2) >> F, {"linear_1.W": A, "linear_2.W": B}, X, times(B, square(times(A, X))))
    is_value(F >> Residual(Power(2)), {"linear.W": A}, X, plus(times(A, X), square(times(A, X))))
    is_value(F >> Parallel(Power(2), Power(2)), {"linear.W": A}, X, plus(square(times(A, X)), square(times(A, X))))
    is_value(F >> 2 * Power(2), {"linear.W": A}, X, square(square(times(A, X))))
    is_value(F >> Affine(3, -1), {"linear.W": A}, X, [[3 * entry - 1 for entry in row] for row in times(A, X)])


def test_an_activation_is_a_layer_over_the_reals(is_real_value):
    value = times(B, [[math.tanh(entry) for entry in row] for row in times(A, X)])
    is_real_value(F >> Tanh() >> F, {"linear_1.W": A, "linear_2.W": B}, X, value)


def test_a_deep_perceptron_is_drawn(tmp_path):
    net = Network(Linear(3) >> Tanh() >> Feedforward(2, ReLU()), tokens=2, width=2)
    lines = [line.split() for line in outline(net).splitlines()]
    assert ["Tanh()", "3", "x", "2"] in lines
    assert ["Feedforward(2,", "activation=ReLU())", "3", "x", "2"] in lines
    path = tmp_path / "net.svg"
    write(net, path)
    assert path.read_bytes().count(b"Tanh") == 1
    write(net, tmp_path / "net.json")
    assert noun_of(json.loads((tmp_path / "net.json").read_text(encoding="utf-8"))) == net


@pytest.mark.sample(3)
@pytest.mark.parametrize("activation", [Power(2), Rational((1,), (2, 0, 1)), Tanh(), ReLU()], ids=repr)
def test_a_deep_perceptron_passes_the_conformance_checks(activation):
    net = Network(Linear(3) >> activation >> Linear(2, bias=True) >> activation >> Linear(2), tokens=2, width=2)
    check_architecture(net)
    assert noun_of(json.loads(json.dumps(net.description()))) == net


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (2 * (F >> F), "2 * (Linear(2) >> Linear(2))"),
        (2 * (3 * F), "2 * (3 * Linear(2))"),
        (2 * Residual(F >> F), "2 * Residual(Linear(2) >> Linear(2))"),
        (F >> 2 * F, "Linear(2) >> 2 * Linear(2)"),
        (F >> Tanh() >> 2 * (F >> ReLU()), "Linear(2) >> Tanh() >> 2 * (Linear(2) >> ReLU())"),
        (Stack((F, Linear(3))), "Stack((Linear(2), Linear(3)))"),
        (Tie(F >> F, {"linear_2.W": "linear_1.W"}), "Tie(Linear(2) >> Linear(2), {'linear_2.W': 'linear_1.W'})"),
        (Parallel(F, Named("a", F)), "Parallel(Linear(2), Named('a', Linear(2)))"),
    ],
)
def test_a_network_prints_as_it_is_written(layer, text):
    assert repr(layer) == text


@pytest.mark.parametrize(
    ("net", "text"),
    [
        (
            Network(F >> Tanh() >> Linear(3), tokens=3, width=4),
            "Network(Linear(2) >> Tanh() >> Linear(3), tokens=3, width=4)",
        ),
        (Network(Embedding(5, 3) >> Unembedding(5), 2), "Network(Embedding(5, 3) >> Unembedding(5), tokens=2)"),
    ],
)
def test_the_numbers_of_a_network_have_their_names(net, text):
    assert repr(net) == text
