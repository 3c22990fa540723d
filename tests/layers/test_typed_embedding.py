"""Token types: the pair of token v and type s, number s V + v, has the vector e_v + t_s (arXiv 1810.04805)."""

import numpy as np
import pytest

import algatt
from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import LayerNorm, LearnedPosition, Linear, TypedEmbedding

E, T = [[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40]]


def test_each_pair_has_the_vector_of_its_token_and_of_its_type(is_value):
    pairs = [4, 2, 0]  # (1, 1), (2, 0), (0, 0)
    X = np.eye(6, dtype=int)[pairs].T
    expected = [[3 + 30, 5 + 10, 1 + 10], [4 + 40, 6 + 20, 2 + 20]]
    is_value(TypedEmbedding(3, 2), {"embedding.E": E, "embedding.T": T}, X.tolist(), expected)


def test_with_one_type_its_vector_is_added_to_all(is_value):
    X = np.eye(3, dtype=int)[[2, 1]].T
    tensors = {"embedding.E": E, "embedding.T": T[:1]}
    is_value(TypedEmbedding(3, 2, types=1), tensors, X.tolist(), [[15, 13], [26, 24]])


def test_inputs_are_all_pairs():
    net = Network(TypedEmbedding(3, 2) >> Linear(1), tokens=2)
    assert net.vocabulary == 6
    with pytest.raises(InvalidArgument, match=r"numbers of tokens 0\.\.5"):
        algatt.evaluate(net, algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0), [6, 0])
    with pytest.raises(InvalidArgument, match="the unit vectors of 6 pairs, at the beginning"):
        Network(Linear(2) >> TypedEmbedding(3, 2), tokens=2, width=2)
    with pytest.raises(InvalidArgument, match=r"^types was 0; it should be an integer >= 1$"):
        TypedEmbedding(3, 2, types=0)


def test_tokens_types_and_positions_are_seen_in_their_sums_alone():
    """Of E (4, 3), T (2, 3), P (2, 3), a norm without tensors and a matrix W (2, 3): vectors e_v + t_s + p_j stay if
    T + 1 w^T and P - 1 w^T, and if E + 1 w^T and P - 1 w^T; multiples of 1 in each row are not seen by the norm, 8 in
    all, which share 2 directions with these 6; columns of W are not seen, 2; of the change of basis O(2) of centred
    vectors there is 1.
    """
    net = Network(TypedEmbedding(4, 3) >> LearnedPosition() >> LayerNorm(1, False, False) >> Linear(2), tokens=2)
    report = algatt.dimension(net)
    assert (report.status, report.lower, report.upper) == ("proven", 30 - (6 + 8 - 2) - 2 - 1, 30 - 15)
    assert algatt.verify(algatt.certify(net)).ok
