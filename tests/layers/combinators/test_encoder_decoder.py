"""Encoder and decoder: the value is that of the decoder, whose cross-attention reads what the encoder returns."""

import copy

import numpy as np
import pytest

from algatt import (
    Network,
    PrimeField,
    Reals,
    Weights,
    certify,
    coordinates,
    dimension,
    evaluate,
    jacobian,
    same_function,
    sample,
    sample_inputs,
    symmetries,
    verify,
)
from algatt.errors import InvalidArgument
from algatt.layers import (
    Causal,
    Chain,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Heads,
    LearnedPosition,
    Linear,
    Logits,
    Probabilities,
    Residual,
    RMSNorm,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.layers.base import tensor_shapes
from algatt.layers.description import describe, noun_of
from algatt.symmetry import ShiftSymmetry, symbolic_symmetries
from algatt.testing import check_architecture
from changed_documents import verdict

S, T = np.array([[1, -2], [3, 1]]), np.array([[2, 0, 1], [1, -1, 4]])
A, Q, K, V, OUT = ([[1, 2], [3, -1]], [[0, 1], [1, 1]], [[2, 0], [-1, 3]], [[1, 1], [0, 2]], [[1, -1], [2, 1]])
CROSS = CrossHeads(1, width=2, score=Unnormalized())
CROSS_NAMES = ("Q_1", "K_1", "V_1", "O_1")


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


def listener(reading=None, tokens=5):
    """A linear encoder of numbers, and a decoder whose tokens see it."""
    layers = EncoderDecoder(Linear(2), Embedding(3, 2) >> CROSS, source=2, width=2)
    return Network(layers >> Unembedding(3, reading=reading or Logits()), tokens=tokens)


def test_numbers_go_to_the_encoder_and_tokens_to_the_decoder():
    E, U = np.array([[1, 2], [0, -1], [3, 1]]), np.array([[1, 0], [2, 1], [-1, 1]])
    tensors = {"encoder.linear.W": A, "decoder.embedding.E": E, "unembedding.U": U}
    tensors |= {f"decoder.cross_heads.{name}": one for name, one in zip(CROSS_NAMES, (Q, K, V, OUT), strict=True)}
    net = listener()
    theta = Weights.of({name: np.array(tensors[name], dtype=float) for name in coordinates(net)})
    tokens, M = [2, 0, 2], np.array(A) @ S
    expected = U @ np.array(OUT) @ np.array(V) @ M @ (np.array(K) @ M).T @ np.array(Q) @ E[tokens].T
    np.testing.assert_allclose(evaluate(net, theta, (S, tokens)), expected)
    X = np.zeros((5, 5))
    X[:2, :2] = S
    X[2 + np.array(tokens), 2 + np.arange(3)] = 1
    np.testing.assert_allclose(evaluate(net, theta, X), expected)
    np.testing.assert_allclose(evaluate(net, theta, (np.stack([2 * S, S]), [tokens, tokens]))[1], expected)
    assert jacobian(net, theta, (S, tokens)).shape == (9, net.parameters)
    assert (net.source, net.vocabulary, net.input_shape, net.sequences) == ((2, 2), 3, (5, 5), None)
    assert noun_of(net.description()) == net


def test_what_is_no_pair_is_refused_in_one_line():
    net = listener()
    theta = sample(net, Weights, field=Reals(), seed=1)
    X, units = np.zeros((5, 5)), np.ones((3, 3)) / 3
    X[2:, 2:] = np.eye(3)
    wrong = X.copy()
    wrong[0, 4] = 1
    for inputs, message in (
        ((S, [0, 1]), r"inputs\[1\] was an array of int64 of shape \(2,\)"),
        ((S, [0, 1, 3]), r"inputs\[1\] was with numbers from 0 to 3; it should be numbers of tokens 0..2"),
        ((S[:1], [0, 1, 2]), r"inputs\[0\] was of shape \(1, 2\); it should be of shape \(2, 2\)"),
        ((S, [[0, 1, 2]]), r"inputs\[0\] was of shape \(2, 2\)"),
        ((S,), "inputs was 1 of them; it should be a pair"),
        ([0, 1, 2], "inputs was of shape"),
        (wrong, "inputs was a matrix with other entries than 0 and 1 beside"),
        (np.block([[S, np.zeros((2, 3))], [np.zeros((3, 2)), units]]), "other entries than 0 and 1"),
        (0 * X, "columns that are no unit vectors"),
    ):
        with pytest.raises(InvalidArgument, match=message) as caught:
            evaluate(net, theta, inputs)
        assert "\n" not in str(caught.value)
    for arguments, message in (
        ((Embedding(3, 2), Embedding(3, 2), 2, 2), "encoder was Embedding"),
        ((Linear(2), CROSS, 2, 2), "decoder was CrossHeads"),
        ((Linear(2), Embedding(3, 2), 2, 0), "width was 0"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            EncoderDecoder(*arguments)
    with pytest.raises(InvalidArgument, match="width was 4; it should be 5, of the numbers and the tokens"):
        Network(listener().layers, tokens=5, width=4)
    with pytest.raises(InvalidArgument, match="given 4 rows; it should be given 2 of numbers and 3 of unit vectors"):
        Network(Linear(4) >> listener().layers, tokens=5, width=4)


def test_numbers_that_are_drawn_are_the_same_integers_over_all_fields():
    net = listener()
    numbers, tokens = sample_inputs(net, field=Reals(), seed=3, count=40)
    residues, again = sample_inputs(net, field=PrimeField(8388593), seed=3, count=40)
    assert np.array_equal(numbers, np.array(residues).astype(float))
    assert np.array_equal(tokens, again)
    assert (set(numbers.ravel()), set(tokens.ravel())) == (set(range(8)), set(range(3)))
    few, _ = sample_inputs(net, field=PrimeField(5), seed=3, count=40)
    assert np.array_equal(np.array(few), numbers % 5)


def test_the_dimension_with_numbers_and_tokens_by_hand():
    """The function is U O V A S S^T A^T K^T Q E^T T: a 3 x 2 matrix and a 2 x 3 one, up to a number that goes from one
    to the other. As probabilities, sums of the columns of U are not seen: the first matrix is 2 x 2.
    """
    for reading, expected in ((Logits(), 11), (Probabilities(), 9)):
        report = dimension(listener(reading))
        assert (report.status, report.lower, report.upper) == ("proven", expected, expected)


def test_networks_that_read_pairs_have_all_laws_and_certificates():
    net = listener()
    check_architecture(net)
    certificate = certify(net)
    assert verify(certificate).ok
    assert "reads 2 vectors of 2 numbers and 3 tokens out of 3" in verify(certificate).claim
    for reads in ("vectors", "tokens", "1 x 2 numbers and tokens", "2 x 2 numbers (words modulo 8) and tokens"):
        document = copy.deepcopy(certificate.document)
        document["claims"]["reads"] = reads
        report = verdict(document)
        assert report, reads


def test_points_are_told_apart_at_a_pair():
    net = listener()
    one, two = (sample(net, Weights, seed=seed) for seed in (1, 2))
    answer = same_function(net, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    X = answer.separating_input
    assert np.any(evaluate(net, one, X) != evaluate(net, two, X))
    assert verify(certify(answer)).ok


def test_columns_of_unit_vectors_have_the_sum_one_and_those_of_numbers_have_none():
    """What is added to all rows of E is taken off the vectors of positions. Nothing can be added to all columns of W
    and taken off b, as if its input were unit vectors: the function is Q (E^T T + P) by W S + b 1^T, twice.
    """
    decoder = Embedding(3, 2) >> LearnedPosition() >> CROSS
    net = Network(EncoderDecoder(Linear(2, bias=True), decoder, source=2, width=2), tokens=4)
    shifts = [one for one in symmetries(net) if isinstance(one, ShiftSymmetry)]
    assert [(one.name, one.dimension) for one in shifts] == [("rows of decoder.embedding.E", 2)]
    assert dimension(net).status == "proven"


def test_copies_are_those_of_the_network_that_is_asked_about():
    """Networks whose stacks differ in their lengths alone are shortened to the same layers."""
    for blocks in (3, 2):
        assert {space.copies for space in symbolic_symmetries(translator(blocks)).spaces} == {1, blocks}
