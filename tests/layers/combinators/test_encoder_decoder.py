"""Encoder and decoder: the value is that of the decoder, whose cross-attention reads what the encoder returns."""

import numpy as np
import pytest

from algatt import Network, Reals, Weights, dimension, evaluate, sample
from algatt.errors import InvalidArgument
from algatt.layers import (
    Causal,
    Chain,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Heads,
    Linear,
    Residual,
    RMSNorm,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.layers.base import tensor_shapes
from algatt.layers.description import describe, noun_of
from algatt.symmetry import symbolic_symmetries
from algatt.testing import check_architecture

S, T = np.array([[1, -2], [3, 1]]), np.array([[2, 0, 1], [1, -1, 4]])
A, Q, K, V, OUT = ([[1, 2], [3, -1]], [[0, 1], [1, 1]], [[2, 0], [-1, 3]], [[1, 1], [0, 2]], [[1, -1], [2, 1]])
CROSS = CrossHeads(1, width=2, score=Unnormalized())


def test_keys_and_values_are_of_the_memory_and_queries_of_the_target(is_value):
    names = dict(zip(["Q_1", "K_1", "V_1", "O_1"], [Q, K, V, OUT], strict=True))
    tensors = {"encoder.linear.W": A, **{f"decoder.cross_heads.{name}": one for name, one in names.items()}}
    M = np.array(A) @ S
    attended = np.array(OUT) @ np.array(V) @ M @ (np.array(K) @ M).T @ np.array(Q) @ T
    layer = EncoderDecoder(Linear(2), Residual(CROSS), source=2)
    is_value(layer, tensors, np.hstack((S, T)).tolist(), (T + attended).tolist())


def test_the_memory_reaches_all_parts_of_a_decoder_through_ties_and_blocks():
    block = Residual(CROSS)
    tied = Tie(2 * block, {"2": "1"})
    shapes, _ = tensor_shapes(EncoderDecoder(Linear(2), tied >> block), (2, 4))
    assert [name for name in shapes if "V" in name] == ["decoder.tie.1.cross_heads.V_1", "decoder.cross_heads.V_1"]
    net = Network(EncoderDecoder(Linear(2), tied), tokens=4, width=2)
    theta = sample(net, Weights, field=Reals(), seed=1)
    X = np.random.default_rng(0).standard_normal((2, 4))
    moved = X.copy()
    moved[:, 0] += 1
    assert np.abs(evaluate(net, theta, moved) - evaluate(net, theta, X)).min() > 1e-3


def test_half_of_the_columns_are_the_source_unless_it_is_given():
    for tokens, given, left in ((4, None, 2), (5, None, 3), (5, 1, 4), (5, 4, 1)):
        assert tensor_shapes(EncoderDecoder(Linear(2), CROSS, source=given), (2, tokens))[1] == (2, left)
    for tokens, given, message in ((1, None, "given 1 tokens"), (3, 3, "should be .*given more than 3")):
        with pytest.raises(InvalidArgument, match=message):
            tensor_shapes(EncoderDecoder(Linear(2), CROSS, source=given), (2, tokens))
    with pytest.raises(InvalidArgument, match="source was 0"):
        EncoderDecoder(Linear(2), CROSS, source=0)


def test_what_does_not_fit_is_refused_in_one_line():
    for layer, message in (
        (CROSS, "outside of a decoder; it should be with it in one of an EncoderDecoder"),
        (EncoderDecoder(CROSS, Linear(2)), "outside of a decoder"),
        (EncoderDecoder(Linear(3), CROSS), "a memory of width 3"),
    ):
        with pytest.raises(InvalidArgument, match=message) as caught:
            tensor_shapes(layer, (2, 4))
        assert "\n" not in str(caught.value)
    with pytest.raises(InvalidArgument, match="encoder was 3"):
        EncoderDecoder(3, CROSS)
    with pytest.raises(InvalidArgument, match="biases was 'X'"):
        CrossHeads(1, biases="X")
    with pytest.raises(InvalidArgument, match="heads was 3 with key_heads=2"):
        CrossHeads(3, key_heads=2)


def test_descriptions_and_laws():
    layer = EncoderDecoder(Linear(3), Chain((Linear(3, bias=True), CrossHeads(1, biases="QK"))), source=2)
    assert noun_of(describe(layer)) == layer
    net = Network(EncoderDecoder(Linear(2), Residual(CROSS)), tokens=4, width=2)
    check_architecture(net)


def test_the_dimension_of_a_linear_encoder_and_decoder_by_hand():
    """The function is T + O V A S S^T A^T K^T Q T: the 2 x 2 matrices O V A and A^T K^T Q, up to a number that goes
    from one to the other, since S S^T stands between them.
    """
    report = dimension(Network(EncoderDecoder(Linear(2), Residual(CROSS)), tokens=4, width=2))
    assert (report.status, report.lower, report.upper) == ("proven", 7, 7)


def translator(blocks):
    """An encoder and a decoder whose gain before the memory is folded into keys and values of all blocks."""
    norm, cross = RMSNorm(), CrossHeads(1, width=2)
    encoder = blocks * Residual(norm >> Heads(1, width=2)) >> norm
    decoder = blocks * (Residual(norm >> Heads(1, width=2, mask=Causal())) >> Residual(norm >> cross)) >> norm
    return Network(Embedding(6, 4) >> EncoderDecoder(encoder, decoder) >> Unembedding(6), tokens=4)


def test_symmetries_of_long_encoders_and_decoders_by_the_formulas_of_their_components():
    """Each head has two bases of width 2, each norm before it a gain of width 4; the gains behind the stacks are those
    of keys and values of the memory, and of the unembedding. The stream of the encoder and that of the decoder begin
    with one embedding: one basis, which RMSNorm leaves orthogonal.
    """
    for blocks in (1, 2, 40):
        found = symbolic_symmetries(translator(blocks))
        assert found.complete
        assert found.orbit == blocks * (3 * 2 * 2**2 + 3 * 4) + 2 * 4 + 4 * 3 // 2


def test_copies_are_those_of_the_network_that_is_asked_about():
    """Networks whose stacks differ in their lengths alone are shortened to the same layers."""
    for blocks in (3, 2):
        assert {space.copies for space in symbolic_symmetries(translator(blocks)).spaces} == {1, blocks}
