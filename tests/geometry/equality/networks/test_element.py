"""Elements between two points of a network: recovered where they were applied, and none where there is none."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import algatt
from algatt.errors import SymmetryError
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.networks.element import element_between
from algatt.layers import (
    GELU,
    Affine,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LatentHeads,
    LayerNorm,
    LearnedPosition,
    Linear,
    Power,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Sink,
    Tanh,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import PositiveTorus, SpaceSymmetry, discrete_symmetries

LINEAR = Unnormalized()
HEADS = RMSNorm(gain=False) >> Heads(4, key_heads=2, score=LINEAR)

NETWORKS = {
    "ReLU": algatt.Network(Residual(HEADS) >> Residual(Feedforward(6, ReLU())), 3, 8),
    "squares": algatt.Network(Residual(HEADS) >> Residual(Feedforward(6, Power(2))), 3, 8),
    "SwiGLU": algatt.Network(Residual(HEADS) >> Residual(Feedforward(6, SiLU(), gated=True)), 3, 8),
    "biases": algatt.Network(Residual(Heads(3, biases="QKVO", score=Affine(1, 1), mask=Causal())), 3, 6),
    "gated biases": algatt.Network(Residual(Feedforward(3, Power(2), gated=True, bias=True)), 2, 3),
    "experts": algatt.Network(Residual(Heads(2, score=LINEAR)) >> Experts(3, Feedforward(2, Power(2))), 3, 4),
    "rotary": algatt.Network(Residual(Heads(2, width=4, position=Rotary())), 3, 4),
    "linear stream": algatt.Network(Embedding(5, 4) >> Residual(Feedforward(3, GELU())) >> Unembedding(5), 3),
    "normed stream": algatt.Network(
        Embedding(5, 4)
        >> Residual(RMSNorm(gain=False) >> Heads(2))
        >> Residual(RMSNorm(gain=False) >> Feedforward(3, GELU()))
        >> Unembedding(5),
        3,
    ),
    "gains": algatt.Network(
        Embedding(5, 4) >> Residual(RMSNorm() >> Feedforward(3, SiLU(), gated=True)) >> RMSNorm() >> Unembedding(5), 2
    ),
    "LayerNorm": algatt.Network(
        Embedding(7, 4)
        >> LearnedPosition()
        >> Residual(LayerNorm() >> Heads(2, biases="QKVO"))
        >> Residual(LayerNorm(gain=False, bias=False) >> Feedforward(3, Power(2), bias=True))
        >> LayerNorm(bias=False)
        >> Unembedding(6),
        3,
    ),
    "LayerNorm without an embedding": algatt.Network(LayerNorm() >> Residual(Heads(2)) >> LayerNorm(), 2, 4),
    "both norms": algatt.Network(
        Embedding(7, 4) >> Residual(RMSNorm(gain=False) >> Heads(2)) >> LayerNorm(gain=False) >> Unembedding(6), 3
    ),
    "relative biases, some of no distance": algatt.Network(
        Residual(RMSNorm(gain=False) >> Heads(2, width=2, position=RelativeBias(8, 8))), 3, 3
    ),
    "sinks": algatt.Network(Residual(Heads(3, width=2, score=Sink())), 3, 3),
    "grouped sinks": algatt.Network(Residual(Heads(4, key_heads=2, width=2, score=Sink(), mask=Causal())), 3, 4),
    "latent heads": algatt.Network(Residual(LatentHeads(2, 3, 2, 2)), 3, 4),
    "latent queries": algatt.Network(
        Residual(LatentHeads(2, 3, 2, 2, value_width=1, query_latent=3, position=Rotary(), bias=True)), 3, 4
    ),
    "normed queries": algatt.Network(Residual(Heads(2, width=3, norm=RMSNorm())), 2, 4),
    "centred queries": algatt.Network(Heads(2, width=3, norm=LayerNorm()), 2, 4),
    "tanh": algatt.Network(Residual(Feedforward(4, Tanh(), bias=True)), 2, 3),
    "signed stream": algatt.Network(
        Embedding(5, 4)
        >> Residual(Heads(2))
        >> RMSNorm()
        >> Residual(Feedforward(3, Tanh()))
        >> RMSNorm()
        >> Unembedding(5),
        3,
    ),
    "tied embeddings": algatt.Network(
        Tie(Embedding(6, 4) >> Residual(Feedforward(3, GELU())) >> Unembedding(6), {"unembedding.U": "embedding.E"}), 3
    ),
    "tied neurons": algatt.Network(
        Tie(2 * Residual(Feedforward(3, Power(3))), {"2.feedforward.up": "1.feedforward.up"}), 2, 4
    ),
    "wide heads": algatt.Network(Residual(Heads(2, width=5)) >> Residual(Heads(4, key_heads=2, width=4)), 3, 3),
    "more heads than dimensions": algatt.Network(
        Residual(RMSNorm(gain=False) >> Heads(4, key_heads=1, width=1, score=LINEAR))
        >> Residual(Feedforward(3, ReLU())),
        3,
        3,
    ),
    "more heads than entries of their queries": algatt.Network(
        Residual(Heads(8, key_heads=1, width=2, score=LINEAR)) >> Residual(Feedforward(3, ReLU())), 3, 3
    ),
    "mixing heads of a linear stream": algatt.Network(
        Embedding(5, 3) >> Residual(Heads(4, key_heads=1, width=1, score=LINEAR)) >> Unembedding(5), 3
    ),
    "mixing heads of a normed stream": algatt.Network(
        Embedding(5, 3)
        >> Residual(RMSNorm() >> Heads(4, key_heads=1, width=1, score=LINEAR))
        >> RMSNorm()
        >> Unembedding(5),
        3,
    ),
    "RMSNorm after sums": algatt.Network(
        Embedding(6, 4)
        >> Residual(Heads(2))
        >> RMSNorm()
        >> Residual(Feedforward(3, ReLU()))
        >> RMSNorm()
        >> Unembedding(5),
        3,
    ),
    "LayerNorm after sums": algatt.Network(
        Embedding(6, 4)
        >> LearnedPosition()
        >> Residual(Heads(2, biases="QKVO"))
        >> LayerNorm()
        >> Residual(Feedforward(3, GELU(), bias=True))
        >> LayerNorm()
        >> Unembedding(5),
        3,
    ),
    "LayerNorm after sums, no gains": algatt.Network(
        Embedding(6, 4)
        >> Residual(Heads(2))
        >> LayerNorm(gain=False, bias=False)
        >> Residual(Feedforward(3, ReLU()))
        >> LayerNorm(gain=False, bias=False)
        >> Unembedding(5),
        3,
    ),
    "two blocks": algatt.Network(2 * (Residual(Heads(2, score=LINEAR)) >> Residual(Feedforward(3, Power(3)))), 3, 4),
}


def weights(net, field, seed):
    """Return random weights; over the rational numbers, integers."""
    if field != Rationals():
        return algatt.sample(net, algatt.Weights, field=field, seed=seed)
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(31), seed=seed)
    return theta.replace([Elements.of(field, one.raw.astype(np.int64) - 15) for one in theta.elements])


def moved(net, theta, seed):
    """Return weights after a random element of each family, but those that ask for positive numbers over Q, and after
    random permutations.
    """
    for family in algatt.symmetries(net):
        positive = isinstance(family, SpaceSymmetry) and isinstance(family.group, PositiveTorus)
        if theta.field != Rationals() or not positive:
            with contextlib.suppress(SymmetryError):  # of some families no exact elements are known
                theta = algatt.act(family.element(theta, seed), theta)
    permutations = [one for family in discrete_symmetries(net) for one in family.elements(theta.field)]
    draw = np.random.default_rng(seed)
    for number in draw.integers(max(1, len(permutations)), size=3 * len(permutations)):
        theta = algatt.act(permutations[number], theta)
    return theta


def changed(theta, seed):
    """Return weights with 1 added to one entry."""
    draw = np.random.default_rng(seed)
    arrays = list(theta.elements)
    number = int(draw.integers(len(arrays)))
    one = np.zeros(arrays[number].shape, dtype=np.int64)
    one[tuple(draw.integers(one.shape))] = 1
    arrays[number] = arrays[number] + one
    return theta.replace(arrays)


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [algatt.PrimeField(), algatt.PrimeField(2305843009213693951), Rationals()], ids=str)
@pytest.mark.parametrize("name", NETWORKS)
def test_an_element_is_recovered_exactly(name, field):
    net = NETWORKS[name]
    theta = weights(net, field, seed=1)
    image = moved(net, theta, seed=2)
    assert image != theta
    assert algatt.act(element_between(net, theta, image), theta) == image


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NETWORKS)
def test_an_element_is_recovered_up_to_rounding(name):
    net = NETWORKS[name]
    theta = weights(net, algatt.Reals(), seed=1)
    image = moved(net, theta, seed=2)
    carried = algatt.act(element_between(net, theta, image), theta)
    for one, two in zip(carried.elements, image.elements, strict=True):
        assert np.abs(one.raw - two.raw).max() < 1e-8 * max(1.0, np.abs(two.raw).max())


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["ReLU", "squares", "SwiGLU", "normed stream", "two blocks"])
def test_no_element_leads_to_changed_weights(name):
    """Generic weights with one entry changed are another function: their orbit has fewer dimensions than there are."""
    net = NETWORKS[name]
    theta = weights(net, algatt.PrimeField(), seed=3)
    for seed in range(3):
        other = changed(moved(net, theta, seed), seed)
        element = element_between(net, theta, other)
        assert element is None or algatt.act(element, theta) != other


def test_signs_that_are_no_symmetry_are_not_taken():
    """tanh(-x) is -tanh(x); GELU(-x) is not -GELU(x)."""
    one = {"feedforward.up": [[1, 2], [3, 5]], "feedforward.down": [[1, 5], [2, 7]]}
    two = {"feedforward.up": [[-1, -2], [3, 5]], "feedforward.down": [[-1, 5], [-2, 7]]}
    for field in (Rationals(), algatt.Reals(), algatt.PrimeField()):
        points = [
            algatt.Weights.of({name: np.array(rows) % 8388593 for name, rows in tensors.items()}, field=field)
            if field == algatt.PrimeField()
            else algatt.Weights.of(tensors, field=field)
            for tensors in (one, two)
        ]
        assert element_between(algatt.Network(Feedforward(2, Tanh()), 1, 2), *points) is not None
        assert element_between(algatt.Network(Feedforward(2, GELU()), 1, 2), *points) is None
    doubled = {"feedforward.up": [[2, 4], [3, 5]], "feedforward.down": [["1/2", 5], [1, 7]]}
    points = [algatt.Weights.of(tensors, field=Rationals()) for tensors in (one, doubled)]
    assert element_between(algatt.Network(Feedforward(2, Tanh()), 1, 2), *points) is None  # 2 is no sign


def test_neurons_are_not_matched_before_what_they_read_is_known():
    """Biases alone, which are multiplied, do not tell neurons apart; the matrix that reads the stream does."""
    net = algatt.Network(
        Embedding(7, 4)
        >> Residual(LayerNorm() >> Feedforward(3, Power(2), bias=True))
        >> LayerNorm()
        >> Unembedding(6),
        2,
    )
    theta = weights(net, algatt.PrimeField(), seed=1)
    (neurons,) = [one for one in discrete_symmetries(net) if one.name == "feedforward.hidden"]
    for one in neurons.elements(theta.field):
        image = algatt.act(one, theta)
        assert algatt.act(element_between(net, theta, image), theta) == image


def test_the_element_is_a_symmetry_at_other_weights_too():
    net = NETWORKS["two blocks"]
    field = algatt.PrimeField()
    theta = weights(net, field, seed=5)
    element = element_between(net, theta, moved(net, theta, seed=6))
    other, X = weights(net, field, seed=7), algatt.sample_inputs(net, field=field, seed=8, count=2)
    assert algatt.act(element, other) != other
    assert np.array_equal(algatt.evaluate(net, algatt.act(element, other), X), algatt.evaluate(net, other, X))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["LayerNorm after sums", "RMSNorm after sums", "mixing heads of a normed stream"])
def test_elements_of_normed_streams_keep_the_values(name):
    """They are symmetries at the weights that they are made for: over the reals that shows."""
    net = NETWORKS[name]
    theta = weights(net, algatt.Reals(), seed=5)
    element = element_between(net, theta, moved(net, theta, seed=6))
    X = algatt.sample_inputs(net, field=algatt.Reals(), seed=8, count=2)
    assert not np.allclose(algatt.act(element, theta).elements[0].raw, theta.elements[0].raw)
    values = [algatt.evaluate(net, one, X) for one in (algatt.act(element, theta), theta)]
    assert np.allclose(*values, rtol=1e-6, atol=1e-6)


def test_neurons_that_are_alike_are_told_apart_by_what_follows():
    net = algatt.Network(Feedforward(3, Power(2)), 1, 2)
    theta = algatt.Weights.of(
        {"feedforward.up": [[1, 2], [1, 2], [2, 4]], "feedforward.down": [[1, 5, 3], [2, 7, 1]]},
        field=algatt.PrimeField(31),
    )
    for symmetry in discrete_symmetries(net):
        for one in symmetry.elements(theta.field):
            image = algatt.act(one, theta)
            assert algatt.act(element_between(net, theta, image), theta) == image


def test_negative_numbers_are_no_element_through_a_gate():
    """ReLU(-x) is not -ReLU(x)."""
    net = algatt.Network(Feedforward(2, ReLU()), 1, 2)
    for field in (Rationals(), algatt.Reals()):
        one = algatt.Weights.of({"feedforward.up": [[1, 2], [3, 5]], "feedforward.down": [[1, 5], [2, 7]]}, field=field)
        two = algatt.Weights.of(
            {"feedforward.up": [[-1, -2], [3, 5]], "feedforward.down": [[-1, 5], [-2, 7]]}, field=field
        )
        assert element_between(net, one, two) is None
        assert element_between(net, one, one) is not None


def test_a_group_that_is_larger_modulo_a_prime_is_not_taken():
    """Modulo 3 the angles number 1, 2 and 4 of a turn are 1, -1 and 1: more matrices commute with it."""
    net = algatt.Network(Heads(1, width=8, position=Rotary()), 3, 3)
    assert element_between(net, *[weights(net, algatt.PrimeField(3), seed=1)] * 2) is None
    assert element_between(net, *[weights(net, algatt.PrimeField(31), seed=1)] * 2) is not None


def test_without_a_choice_of_matrices_there_is_no_element():
    net = algatt.Network(LatentHeads(2, 2, 1, 2, query_latent=2, position=Rotary()), tokens=1, width=3)
    tensors = {
        "C_Q": [[2, 0, 0], [2, 0, 2]],
        "C_K": [[1, 1, 0], [0, 0, -1]],
        "R_K": [[2, 0, -1], [2, 1, 0]],
        "Q_1": [[0, 0]],
        "Q_2": [[1, 2]],
        "R_1": [[2, 0], [2, 1]],
        "R_2": [[1, 2], [-1, 1]],
        "K_1": [[0, 1]],
        "K_2": [[0, 0]],
        "V_1": [[0, 2]],
        "V_2": [[0, 0]],
        "O_1": [[0], [1], [1]],
        "O_2": [[-1], [1], [0]],
        "key_norm.g": [[1], [2]],
        "query_norm.g": [[0], [0]],
    }
    other = {**tensors, "K_1": [[0, 2]]}
    field = Rationals()
    one, two = (
        algatt.Weights(
            tuple(Elements.of(field, each[name.removeprefix("heads.")]) for name in algatt.coordinates(net)),
            tuple(algatt.coordinates(net)),
        )
        for each in (tensors, other)
    )
    assert element_between(net, one, two) is None


@pytest.mark.parametrize("field", [algatt.Reals(), algatt.PrimeField(8388593)], ids=str)
@pytest.mark.parametrize(
    ("activation", "power", "numbers"),
    [(ReLU(), 1, (1, 2, 4)), (Power(2), 2, (-2, 1, 4)), (Power(3), 3, (-2, 1, 4)), (Tanh(), 1, (-1, 1))],
    ids=["ReLU", "squares", "cubes", "tanh"],
)
def test_numbers_of_one_layer_are_known_before_those_of_the_next(activation, power, numbers, field):
    """Of three hidden layers the one in the middle is told by matrices alone whose other sides are multiplied too."""
    net = algatt.Network(
        Linear(5) >> activation >> Linear(4) >> activation >> Linear(6) >> activation >> Linear(2), 1, 3
    )
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    draw, arrays, before = np.random.default_rng(0), [], (np.arange(3), np.ones(3, dtype=int))
    for W in theta.elements:
        size = W.shape[0]
        order, scales = draw.permutation(size), draw.choice(numbers, size)
        if W is theta.elements[-1]:
            order, scales = np.arange(size), np.ones(size, dtype=int)
        divided = Elements(field, algatt.verbs.embed(field, before[1][None] ** power)).reciprocal()
        arrays.append(Elements(field, W.raw[order][:, before[0]]) * divided * scales[:, None])
        before = order, scales
    two = theta.replace(arrays)
    element = element_between(net, theta, two)
    assert element is not None
    moved = algatt.act(element, theta)
    for one, other in zip(moved.elements, two.elements, strict=True):
        assert np.all(np.abs(np.asarray(one.raw - other.raw, dtype=float)) <= 1e-12 * np.abs(other.raw).max())
