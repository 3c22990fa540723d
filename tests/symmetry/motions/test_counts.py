"""Dimensions of networks of layers that were counted by others, or by hand, and what of them types explain.

Each row has the number of parameters, what types take away, and the dimension. Where parameters less types is the
dimension, it has to be proven. Where it is larger, what is left moves no tensor W by L W + W R: biases, means, turns of
a stream between gains; a quotient that explains it changes nothing here, but makes the dimension proven.
"""

from dataclasses import dataclass

import pytest

import algatt
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LayerScale,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SigmoidRouter,
    SiLU,
    Tie,
    Unembedding,
    Unnormalized,
    Window,
)
from written_networks import spaces_by_types

LINEAR = Unnormalized()


@dataclass(frozen=True)
class Row:
    """A network, its parameters, the rank of the tangents that types explain, and its dimension."""

    layers: object
    parameters: int
    typed: int
    dimension: int
    width: int | None = 4
    tokens: int = 3

    @property
    def net(self):
        return algatt.Network(self.layers, tokens=self.tokens, width=self.width)


def between(body, norm=None):
    """Return layers between an embedding and an unembedding of 5 tokens, of width 3, with norms before both."""
    if norm is None:
        return Embedding(5, 3) >> Residual(body) >> Unembedding(5)
    return Embedding(5, 3) >> Residual(norm >> body) >> norm >> Unembedding(5)


ONE = Heads(1, width=2)

# Counted by exact ranks of the networks: width 4 and 3 tokens, heads of width 2, softmax. A head has GL(2) between keys
# and queries, and GL(2) between values and outputs.
PUBLISHED = {
    "two heads": Row(Residual(Heads(2)), 64, 16, 48),
    "two layers": Row(2 * Residual(Heads(2)), 128, 32, 96),
    "grouped queries": Row(Residual(Heads(2, key_heads=1)), 48, 8, 40),
    "rotary": Row(Residual(Heads(1, width=4, position=Rotary())), 64, 4 + 16, 44),
    # the key bias 2 and the value bias 2 are seen by quotients
    "biases": Row(Residual(Heads(1, width=2, biases="QKVO")), 42, 8, 30),
    "gain": Row(Residual(RMSNorm() >> ONE), 36, 8 + 4, 24),  # a torus from the gain to its readers
    # the gain and the bias on such a torus; the mean, one for each of 6 rows of readers, is seen by quotients
    "gain and bias": Row(Residual(LayerNorm() >> ONE), 40, 8 + 4, 22),
    "stream": Row(between(ONE), 54, 9 + 8, 37, None),
    "stream with norms": Row(between(ONE, RMSNorm(gain=False)), 54, 3 + 8, 43, None),
    # two tori of gains, which hide O(3)
    "stream with gains": Row(between(ONE, RMSNorm()), 60, 8 + 3 + 3, 43, None),
    "relu": Row(Residual(Feedforward(4, ReLU())), 24, 4, 20, 3),
    "silu": Row(Residual(Feedforward(4, SiLU())), 24, 0, 24, 3),
    "swiglu": Row(Residual(Feedforward(4, SiLU(), gated=True)), 36, 4, 32, 3),
}

# Derived by hand from the actions that are named. A layer of heads of width a on width 4 has 8 a parameters for queries
# and keys, and as many for values and outputs.
DERIVED = {
    "partly rotary": Row(  # C between keys and queries, GL(2) on the rows that are not turned
        Residual(Heads(1, width=4, value_width=1, position=Rotary(width=2), score=LINEAR)), 40, 2 + 4 + 1 + 1, 32
    ),
    "rotary of two groups": Row(Residual(Heads(2, key_heads=2, position=Rotary())), 64, 2 * (2 + 4), 52),
    "window and rotary": Row(Residual(Heads(1, width=2, mask=Window(2), position=Rotary())), 32, 2 + 4, 26),
    "causal": Row(Residual(Heads(2, mask=Causal())), 64, 16, 48),
    "unnormalised": Row(Residual(Heads(1, width=2, score=LINEAR)), 32, 8 + 1, 23),  # a number from scores to values
    # queries and keys are multiplied by numbers each, and turned by O(2); values as ever
    "normalised queries and keys": Row(Residual(Heads(1, width=2, norm=RMSNorm(0, gain=False))), 32, 1 + 2 + 4, 25),
    "normalised up to eps": Row(Residual(Heads(1, width=2, norm=RMSNorm(gain=False))), 32, 1 + 4, 27),
    "geglu": Row(Residual(Feedforward(2, GELU(), gated=True)), 24, 2, 22),
    "reglu": Row(Residual(Feedforward(2, ReLU(), gated=True)), 24, 4, 20),  # the gate by positive numbers, up by any
    "bilinear": Row(Residual(Feedforward(2, Power(1), gated=True)), 24, 4, 20),
    "cubes": Row(Residual(Feedforward(2, Power(3))), 16, 2, 14),
    "gelu": Row(Residual(Feedforward(2, GELU())), 16, 0, 16),
    "layer scale": Row(Residual(ONE >> LayerScale()), 36, 8 + 4, 24),
    "low rank": Row(Residual(Linear(2) >> Linear(4)), 16, 4, 12),
    "tied stream": Row(  # E^T is read: O(3)
        Tie(between(Heads(1, width=1)), {"unembedding.U": "embedding.E"}), 15 + 12, 3 + 2, 22, None
    ),
    "scale of a stream": Row(between(ONE, RMSNorm(0, gain=False)), 54, 3 + 8 + 1, 42, None),
    "experts": Row(  # a neuron of each expert; the numbers of the router are seen
        Residual(Experts(2, Feedforward(1, Power(2)), SigmoidRouter())), 8 + 16, 2, 22
    ),
}


def explained(net):
    """Return the rank of the tangents that types find."""
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(), seed=2)
    space = algatt.linalg.RowSpace(theta.field, net.parameters)
    for one in spaces_by_types(net):
        space.add(one.tangents(theta))
    return space.rank


@pytest.mark.parametrize("row", [*PUBLISHED.values(), *DERIVED.values()], ids=[*PUBLISHED, *DERIVED])
def test_dimension(row):
    assert row.net.parameters == row.parameters
    assert explained(row.net) == row.typed
    report = algatt.dimension(row.net, seed=1)
    assert report.value == row.dimension
    if row.parameters - row.typed == row.dimension:
        assert report.status == "proven"


@pytest.mark.parametrize(("gated", "group"), [(True, "T(3)"), (False, "T+(3)")])
def test_gates_keep_signs_and_products_do_not(gated, group):
    """Up against down by any numbers in SwiGLU; before a ReLU by positive ones."""
    part = Feedforward(3, SiLU() if gated else ReLU(), gated=gated)
    (hidden,) = algatt.symmetries(algatt.Network(part, tokens=2, width=4))
    assert str(hidden.group) == group
