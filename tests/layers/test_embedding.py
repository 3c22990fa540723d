"""Embeddings: the vector of each token is a row of E."""

import re
from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import Network, Weights
from algatt.errors import InvalidArgument
from algatt.layers import Embedding, Linear

E = [[1, 2], [3, 4], [5, 6], [7, 8]]


def test_each_token_gets_its_row(is_value):
    tokens = [2, 0, 2]
    X = [[int(token == number) for token in tokens] for number in range(4)]
    columns = [[E[token][i] for token in tokens] for i in range(2)]
    is_value(Embedding(4, 2), {"embedding.E": E}, X, columns)
    scaled = [[Fraction(3, 2) * entry for entry in row] for row in columns]
    is_value(Embedding(4, 2, scale=Fraction(3, 2)), {"embedding.E": E}, X, scaled)


def test_a_network_that_begins_with_one_reads_numbers_of_tokens():
    net = Network(Embedding(4, 2) >> Linear(1), tokens=3)
    theta = Weights.of({"embedding.E": np.array(E, dtype=float), "linear.W": [[1.0, 10.0]]})
    assert net.vocabulary == 4
    assert net.input_shape == (4, 3)
    assert algatt.evaluate(net, theta, [2, 0, 3]).tolist() == [[65, 21, 87]]
    assert algatt.evaluate(net, theta, [[2, 0, 3], [1, 1, 1]]).tolist() == [[[65, 21, 87]], [[43, 43, 43]]]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            [2, 0],
            "inputs was an array of int64 of shape (2,); it should be numbers of tokens, of shape (3,) or (batch, 3)",
        ),
        ([2, 0, 4], "inputs was with numbers from 0 to 4; it should be numbers of tokens 0..3"),
        ([2, 0, -1], "inputs was with numbers from -1 to 2; it should be numbers of tokens 0..3"),
        (
            [2.0, 0.0, 1.0],
            "inputs was an array of float64 of shape (3,); it should be numbers of tokens, of shape (3,) or (batch, 3)",
        ),
    ],
)
def test_what_is_no_sequence_of_tokens_is_refused(inputs, message):
    net = Network(Embedding(4, 2), tokens=3)
    with pytest.raises(InvalidArgument, match=f"^{re.escape(message)}$"):
        algatt.evaluate(net, algatt.sample(net, Weights, field=algatt.Reals()), inputs)


def test_it_stands_at_the_beginning_with_its_width():
    with pytest.raises(InvalidArgument) as told:
        Network(Linear(3) >> Embedding(4, 2), tokens=3, width=4)
    was, should = "given vectors of width 3", "given the unit vectors of 4 tokens, at the beginning"
    assert str(told.value) == f"Embedding(4, 2) after Linear(3) was {was}; it should be {should}"
    with pytest.raises(
        InvalidArgument,
        match=r"^width was 5; it should be 4, the number of tokens that the network reads, or not given$",
    ):
        Network(Embedding(4, 2), tokens=3, width=5)
    with pytest.raises(
        InvalidArgument,
        match=r"^width was not given; it should be the width of an input, as the network does not begin with an Embed",
    ):
        Network(Linear(4), tokens=3)


@pytest.mark.parametrize("scale", [-1, float("nan"), float("inf"), "2", True])
def test_a_scale_is_a_finite_number(scale):
    with pytest.raises(InvalidArgument, match=r"^scale was .*; it should be a finite number >= 0$"):
        Embedding(4, 2, scale=scale)


def test_tokens_of_a_large_vocabulary_are_read_without_the_unit_vectors_of_all():
    """Those of all 200,000 would take 320 GB."""
    net = Network(Embedding(200_000, 1) >> Linear(1), tokens=2)
    theta = Weights.of({"embedding.E": np.arange(200_000.0)[:, None], "linear.W": [[2.0]]})
    assert algatt.evaluate(net, theta, [199_999, 3]).tolist() == [[399_998, 6]]
