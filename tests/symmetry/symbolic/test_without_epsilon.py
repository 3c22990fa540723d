"""Norms without an epsilon, whose columns may be multiplied by numbers, so that their spaces are skew up to these."""

from __future__ import annotations

from algatt import Network
from algatt.layers import Embedding, Feedforward, LayerNorm, Power, Residual, Unembedding
from algatt.symmetry import symbolic_symmetries


def test_two_norms_of_a_stream_turn_it_alike(exact):
    """Both see the stream of width d = 4 up to its mean: turns of d - 1 numbers, (d - 1)(d - 2) / 2, and one factor of
    the stream, which nothing but the skip ties to the neurons. Beside these there are quotients: what they do is held
    against the exact solution.
    """
    norm = LayerNorm(0)
    net = Network(
        Embedding(7, 4) >> Residual(norm >> Feedforward(2, Power(3), bias=True)) >> norm >> Unembedding(7), tokens=1
    )
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert (answer.dimension, answer.orbit) == exact(net)
