"""Random networks: dimensions on symbols are never above the exact ones, and equal where the answer says so."""

import contextlib

import numpy as np
import pytest

from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import (
    Affine,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    TanhGELU,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import symbolic_symmetries

NORMS = [RMSNorm(), RMSNorm(gain=False), LayerNorm(), LayerNorm(gain=False), LayerNorm(gain=False, bias=False)]
ACTIVATIONS = [SiLU(), ReLU(), Power(2), Affine(2, 1), TanhGELU()]
TURNED = [None, Rotary(), Rotary(width=2), Rotary(layout="halves"), Rotary(frequencies=(1.0, 1.0))]


def pick(draw, options):
    return options[int(draw.integers(len(options)))]


def random_layer(draw, d):
    if draw.random() < 0.5:
        width = pick(draw, [1, 2, 4])
        part = Heads(
            pick(draw, [1, 2]),
            key_heads=1,
            width=width,
            value_width=pick(draw, [1, 2]),
            score=pick(draw, [None, Unnormalized(), Affine(1, 1)]),
            mask=pick(draw, [None, Causal()]),
            position=pick(draw, TURNED) if width == 4 else None,
            norm=pick(draw, [None, *NORMS[:2]]),
            biases=pick(draw, ["", "QKVO", "VO"]),
        )
    else:
        gated, bias = draw.random() < 0.5, draw.random() < 0.4
        part = Feedforward(pick(draw, [1, 2, 5]), pick(draw, ACTIVATIONS), gated=gated, bias=bias)
    if draw.random() < 0.6:
        part = pick(draw, NORMS) >> part
    return Residual(part) if draw.random() < 0.8 else part


def random_network(draw):
    d = pick(draw, [2, 3, 4])
    tokens, reads = pick(draw, [1, 2, 3]), draw.random() < 0.5
    chain = Embedding(5, d) if reads else Linear(d)
    for _ in range(pick(draw, [1, 2])):
        block = random_layer(draw, d)
        chain = chain >> (pick(draw, [2, 3]) * block if draw.random() < 0.5 else block)
    chain = chain >> pick(draw, NORMS) if draw.random() < 0.5 else chain
    if reads and draw.random() < 0.5:
        return Network(Tie(chain >> Unembedding(5), {"unembedding.U": "embedding.E"}), tokens=tokens)
    chain = chain >> Linear(pick(draw, [1, 2, 5]))
    return Network(chain, tokens=tokens, width=None if reads else pick(draw, [2, 5]))


@pytest.mark.parametrize("seed", range(100))
def test_dimensions_of_random_networks(seed, exact):
    net = random_network(np.random.default_rng(seed))
    compare(symbolic_symmetries(net), *exact(net))


def examples():
    """One network for each example of a layer that has tensors."""
    for layer, (width, tokens) in (one for kind in kinds_of_layers(Layer) for one in kind.examples()):
        with contextlib.suppress(InvalidArgument):  # no tensors
            reads = isinstance(layer, Embedding)
            yield Network(layer, tokens=tokens, width=None if reads else width)


def kinds_of_layers(kind):
    for one in kind.__subclasses__():
        if one.__module__.startswith("algatt."):
            yield one
            yield from kinds_of_layers(one)


@pytest.mark.parametrize("net", examples(), ids=str)
def test_dimensions_of_the_examples_of_layers(net, exact):
    compare(symbolic_symmetries(net), *exact(net))


def compare(answer, dimension, orbit):
    """Hold an answer against the exact solution: it is not above, and equal unless it says otherwise. What types do to
    vectors of positions that no token has is not counted, as all of these move.
    """
    assert answer.dimension <= dimension
    assert answer.orbit <= orbit
    if answer.complete:
        assert answer.dimension == dimension or "entries of position.P" in [one.name for one in answer.quotients]
        assert answer.undecided or answer.orbit == orbit
