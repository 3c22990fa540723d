"""Permutations that are found in programs: how many there are, and that they change no function."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

import algatt
from algatt.errors import SymmetryError
from algatt.fields import concatenate
from algatt.layers import (
    GELU,
    Affine,
    Causal,
    CrossHeads,
    DepthwiseConvolution,
    Embedding,
    EncoderDecoder,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    Residual,
    Rotary,
    SelectiveScan,
    SelectTokens,
    SiLU,
    SoftmaxRouter,
    TypedEmbedding,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import CoordinatePermutations, TensorExchange, discrete_symmetries
from algatt.symmetry.discrete.moves import TensorMove, element_of_moves, is_same_program
from algatt.symmetry.discrete.symmetry import check_moves
from written_networks import written

FIELD = algatt.PrimeField()
LINEAR = Unnormalized()

ALGEBRAIC = [
    algatt.Network(Residual(Heads(4, key_heads=2, score=LINEAR)) >> Residual(Feedforward(3, Power(2))), 3, 8),
    algatt.Network(Residual(Heads(3, biases="QKVO", score=Affine(1, 1), mask=Causal())), 3, 6),
    algatt.Network(Feedforward(4, Power(3), gated=True, bias=True), 2, 3),
    algatt.Network(2 * Residual(Heads(2, score=LINEAR)), 2, 4),
]


def exchanges(net):
    """Return the renamings as permutations of the names of tensors, as dicts."""
    return [
        {name: move.source for name, move in one.moved}
        for one in discrete_symmetries(net)
        if isinstance(one, TensorExchange)
    ]


def order_of_group(generators, tensors):
    """Return the order of a group of permutations by listing its elements."""
    identity = tuple(tensors)
    known, new = {identity}, [identity]
    while new:
        images = {tuple(g.get(name, name) for name in one) for one in new for g in generators}
        new = list(images - known)
        known |= images
    return len(known)


@pytest.mark.parametrize(
    ("heads", "order"),
    [
        (Heads(4, score=LINEAR), factorial(4)),
        (Heads(4, key_heads=2, score=LINEAR), 2 * 2**2),  # S_2 wr S_2
        (Heads(4, key_heads=1, score=LINEAR), factorial(4)),
        (Heads(6, key_heads=2, width=2, score=LINEAR), 2 * factorial(3) ** 2),  # S_3 wr S_2
        (Heads(4), factorial(4)),
    ],
)
def test_heads_are_permuted_by_a_wreath_product(heads, order):
    net = algatt.Network(Residual(heads), tokens=2, width=4)
    assert order_of_group(exchanges(net), algatt.coordinates(net)) == order


def test_experts_are_permuted_with_the_rows_of_the_router():
    for router in (SoftmaxRouter(), SoftmaxRouter(top=2, renormalize=True)):
        net = algatt.Network(Experts(4, Feedforward(2, Power(2)), router), tokens=2, width=3)
        assert order_of_group(exchanges(net), algatt.coordinates(net)) == factorial(4)
        for one in discrete_symmetries(net):
            if isinstance(one, TensorExchange):
                move = dict(one.moved)["experts.router"]
                assert move.source == "experts.router"
                for name, moved in one.moved:  # the row of an expert goes where the expert goes
                    if name.endswith(".up"):
                        number, source = (int(path.split(".")[1]) - 1 for path in (name, moved.source))
                        assert move.rows[number] == source


def test_neurons_are_permuted_in_all_tensors_of_their_layer():
    net = ALGEBRAIC[2]
    hidden, *signs = discrete_symmetries(net)
    assert not any(isinstance(one, CoordinatePermutations | TensorExchange) for one in signs)
    assert isinstance(hidden, CoordinatePermutations)
    assert hidden.name == "feedforward.hidden"
    assert hidden.size == 4
    assert set(hidden.sides) == {
        ("feedforward.up", 0),
        ("feedforward.gate", 0),
        ("feedforward.b_up", 0),
        ("feedforward.b_gate", 0),
        ("feedforward.down", 1),
    }


def test_the_stream_is_permuted_where_it_has_gains_and_not_where_it_is_rotated():
    block = Residual(LayerNorm() >> Heads(2, position=Rotary())) >> Residual(LayerNorm() >> Feedforward(3, SiLU()))
    names = [one.name for one in discrete_symmetries(algatt.Network(Embedding(5, 4) >> block >> Unembedding(5), 3))]
    assert "stream" in names
    assert not any("score" in name for name in names)


@pytest.mark.parametrize("net", ALGEBRAIC, ids=str)
def test_permutations_change_weights_and_no_value(net):
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=3)
    X = algatt.sample_inputs(net, field=FIELD, seed=4, count=3)
    value = algatt.evaluate(net, theta, X)
    symmetries = discrete_symmetries(net)
    assert symmetries
    for symmetry in symmetries:
        for element in symmetry.elements(FIELD):
            moved = algatt.act(element, theta)
            assert moved != theta
            assert np.array_equal(algatt.evaluate(net, moved, X), value)


def test_no_symmetry_is_no_symmetry():
    """Tensors exchanged alone, one side of a layer permuted alone, and heads that see different tokens."""
    net = ALGEBRAIC[0]
    program = algatt.maps.program(net)
    wrong = [
        {"heads.Q_1": TensorMove("heads.Q_2"), "heads.Q_2": TensorMove("heads.Q_1")},
        {
            "heads.Q_1": TensorMove("heads.Q_3"),
            "heads.Q_3": TensorMove("heads.Q_1"),
            "heads.O_1": TensorMove("heads.O_3"),
            "heads.O_3": TensorMove("heads.O_1"),
        },
        {"feedforward.up": TensorMove("feedforward.up", (1, 0, 2))},
        {
            "feedforward.up": TensorMove("feedforward.up", (1, 0, 2)),
            "feedforward.down": TensorMove("feedforward.down", None, (0, 2, 1)),
        },
    ]
    theta, X = algatt.sample(net, algatt.Weights, field=FIELD, seed=3), algatt.sample_inputs(net, field=FIELD, seed=4)
    for moves in wrong:
        element = element_of_moves(moves, FIELD)
        assert (algatt.evaluate(net, algatt.act(element, theta), X) != algatt.evaluate(net, theta, X)).any()
        assert not is_same_program(program, moves)
        with pytest.raises(SymmetryError, match="was found"):
            check_moves(program, moves, "one")


def test_constants_that_tell_coordinates_apart_stop_permutations():
    """Tokens that are masked are no coordinates of weights; slopes of positions tell heads apart."""
    from algatt.layers import ALiBi

    net = algatt.Network(Residual(Heads(2, position=ALiBi(), mask=Causal())), tokens=3, width=4)
    assert exchanges(net) == []
    assert len(exchanges(algatt.Network(Residual(Heads(2, mask=Causal())), tokens=3, width=4))) == 1


@pytest.mark.parametrize(
    ("net", "sizes"),
    [  # of the permutations of coordinates, by the tensors that have them
        (
            algatt.Network(SelectiveScan(3, 1), tokens=3, width=2),
            {3: {("scan.A", 1), ("scan.B", 0), ("scan.C", 0)}},
        ),
        (
            algatt.Network(Linear(4) >> Residual(DepthwiseConvolution(2, bias=False)) >> Linear(2), 3, 2),
            {4: {("linear_1.W", 0), ("convolution.W", 0), ("linear_2.W", 1)}},
        ),
        (
            algatt.Network(TypedEmbedding(4, 3) >> GELU() >> Linear(2), tokens=2),
            {3: {("embedding.E", 1), ("embedding.T", 1), ("linear.W", 1)}},
        ),
        (
            algatt.Network(Linear(5) >> GELU() >> SelectTokens(stop=1) >> Linear(2), 3, 2),
            {5: {("linear_1.W", 0), ("linear_2.W", 1)}},
        ),
        (
            algatt.Network(EncoderDecoder(Feedforward(3), Residual(CrossHeads(1, width=1, value_width=1))), 4, 2),
            {
                3: {("encoder.feedforward.up", 0), ("encoder.feedforward.down", 1)},
                2: {("encoder.feedforward.down", 0), ("decoder.cross_heads.K_1", 1), ("decoder.cross_heads.V_1", 1)},
            },
        ),
    ],
)
def test_coordinates_are_permuted_where_columns_are_taken_and_parts_are_joined(net, sizes):
    field = algatt.Reals()
    found = {one.size: set(one.sides) for one in discrete_symmetries(net) if isinstance(one, CoordinatePermutations)}
    assert found == sizes
    theta = algatt.sample(net, algatt.Weights, field=field, seed=0)
    X = np.random.default_rng(0).normal(size=(2, *net.input_shape)) if net.vocabulary is None else np.array([[0, 6]])
    value = algatt.evaluate(net, theta, X)
    for one in discrete_symmetries(net):
        for element in one.elements(field):
            np.testing.assert_allclose(
                algatt.evaluate(net, algatt.act(element, theta), X), value, rtol=1e-9, atol=1e-12
            )


def test_parts_of_a_stream_move_together():
    net = algatt.Network(Linear(2) >> GELU() >> DepthwiseConvolution(2, bias=False) >> Linear(2), tokens=3, width=2)
    program, order = algatt.maps.program(net), (1, 0)
    moves = {
        "linear_1.W": TensorMove("linear_1.W", order),
        "convolution.W": TensorMove("convolution.W", order),
        "linear_2.W": TensorMove("linear_2.W", None, order),
    }
    assert is_same_program(program, moves)
    for left_out in moves:
        assert not is_same_program(program, {name: move for name, move in moves.items() if name != left_out})
    scan = algatt.maps.program(algatt.Network(SelectiveScan(2, 1), tokens=3, width=2))
    moves = {
        "scan.A": TensorMove("scan.A", None, order),
        "scan.B": TensorMove("scan.B", order),
        "scan.C": TensorMove("scan.C", order),
    }
    assert is_same_program(scan, moves)
    for left_out in moves:
        assert not is_same_program(scan, {name: move for name, move in moves.items() if name != left_out})


def test_a_tensor_is_not_taken_for_the_transpose_of_another_one():
    """W + U^T is not U + W^T, though both read one tensor as it is and one transposed."""
    net = written({"W": (2, 2), "U": (2, 2)}, lambda w, X: (w.W + w.U.T) @ X, width=2)
    exchange = {"W": TensorMove("U"), "U": TensorMove("W")}
    assert not is_same_program(algatt.maps.program(net), exchange)
    net = written({"W": (2, 2), "U": (2, 2)}, lambda w, X: (w.W + w.U) @ X, width=2)
    assert is_same_program(algatt.maps.program(net), exchange)


def test_parts_that_are_joined_are_in_one_order():
    net = written(
        {"A": (2, 3), "B": (2, 3), "C": (1, 2)}, lambda w, X: w.C @ concatenate([w.A @ X, w.B @ X], axis=1), width=3
    )
    program, order = algatt.maps.program(net), (1, 0)
    moves = {"A": TensorMove("A", order), "B": TensorMove("B", order), "C": TensorMove("C", None, order)}
    assert is_same_program(program, moves)
    for left_out in moves:
        assert not is_same_program(program, {name: move for name, move in moves.items() if name != left_out})


def test_neurons_are_permuted_where_means_are_products_with_ones():
    """As where a network is written with matrices of ones: P E = E, if all rows of E are equal."""
    ones = np.ones((4, 4), dtype=np.int64)
    net = written(
        {"A": (4, 3), "B": (3, 4)},
        lambda w, X: w.B @ (w.A @ X - ones @ ((w.A @ X) * (w.A @ X))).exp(),
        width=3,
        tokens=2,
    )
    (found,) = discrete_symmetries(net)
    assert isinstance(found, CoordinatePermutations)
    assert found.size == 4


def test_products_of_columns_are_of_one_order():
    net = written({"A": (3, 2), "B": (3, 2)}, lambda w, X: (w.A @ X).column_products(w.B @ X), width=2)
    program, order = algatt.maps.program(net), (1, 2, 0)
    assert any(one.operation == "column_products" for one in program.instructions)
    moves = {"A": TensorMove("A", order), "B": TensorMove("B", order)}
    assert is_same_program(program, moves)
    for left_out in moves:
        assert not is_same_program(program, {name: move for name, move in moves.items() if name != left_out})


def test_deep_networks_are_searched_without_recursion():
    net = algatt.Network(Residual(Heads(2)) >> 150 * Residual(Feedforward(1, Power(2))), tokens=2, width=2)
    assert len(exchanges(net)) == 1
