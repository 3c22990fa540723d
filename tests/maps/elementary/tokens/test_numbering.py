"""Entries that are said to be one function of the weights: they have equal values over the reals."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import Network, Reals
from algatt.architectures.base import unit_vectors
from algatt.fields import Elements
from algatt.layers import Causal, Embedding, Heads, LayerNorm, LearnedPosition, Residual, Rotary, Unembedding
from algatt.maps import program
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.tokens.independence import is_identity
from algatt.maps.elementary.tokens.numbering import Numbering, number_entries
from algatt.programs.interpret import Results
from token_networks import token_networks


def all_sequences(net):
    return np.array(list(itertools.product(range(net.vocabulary), repeat=net.input_shape[1])))


def real_results(net, seed):
    """Return all results at all sequences over the reals, and the program."""
    reading = read(program(net))
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=seed)
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    inputs = unit_vectors(net.vocabulary, all_sequences(net))
    results = Results(reading.program, Reals(), tensors, Elements(Reals(), inputs.astype(float)))
    count = len(reading.program)
    return reading, inputs, [np.broadcast_to(results[n].raw, result_shape(reading, n, inputs)) for n in range(count)]


def result_shape(reading, number, inputs):
    return (len(inputs), *reading.program.instructions[number].shape)


@pytest.mark.parametrize("net", token_networks(), ids=str)
def test_one_number_has_one_value(net):
    reading, inputs, results = real_results(net, 0)
    gates = {number: results[number] for number in reading.gates}
    numbered = number_entries(reading, inputs, gates)
    values = {}
    for number, raw in enumerate(results):
        entries = np.broadcast_to(numbered.results[number], raw.shape)
        for entry, value in zip(entries.ravel().tolist(), raw.ravel().tolist(), strict=True):
            values.setdefault(entry, []).append(value)
    assert all(np.ptp(found) <= 1e-9 * (1 + np.abs(found).max()) for found in values.values())


def functions_of(layers, vocabulary=3, tokens=3):
    net = Network(Embedding(vocabulary, 2) >> layers >> Unembedding(2), tokens=tokens)
    reading, inputs, results = real_results(net, 0)
    numbered = number_entries(reading, inputs, {number: results[number] for number in reading.gates})
    return numbered, all_sequences(net)


def test_a_token_that_sees_the_same_tokens_has_one_number():
    numbered, sequences = functions_of(Residual(Heads(1, width=1)))
    of = {tuple(x): numbered.results[-1][k] for k, x in enumerate(sequences.tolist())}
    assert (of[0, 1, 2][:, 0] == of[0, 2, 1][:, 0]).all()
    assert (of[0, 1, 2][:, 1] == of[1, 2, 0][:, 0]).all()
    assert (of[0, 1, 2][:, 0] != of[0, 1, 1][:, 0]).all()
    numbered, sequences = functions_of(LearnedPosition() >> Residual(Heads(1, width=1, mask=Causal())))
    of = {tuple(x): numbered.results[-1][k] for k, x in enumerate(sequences.tolist())}
    assert (of[0, 1, 2][:, :2] == of[0, 1, 0][:, :2]).all()
    assert (of[0, 1, 2][:, 1] != of[1, 0, 2][:, 1]).all()


def test_equal_tokens_without_positions_are_one_token():
    # All weights of attention are 1/2, or 1/3, whatever the score.
    numbered, sequences = functions_of(Residual(Heads(1, width=2, mask=Causal())))
    of = {tuple(x): numbered.results[-1][k] for k, x in enumerate(sequences.tolist())}
    assert (of[1, 1, 1][:, 0] == of[1, 1, 1][:, 2]).all()


def test_relations_of_scores_are_proved_and_others_are_not():
    for layers in (LearnedPosition() >> Heads(1, width=2), Heads(1, width=2, position=Rotary(), mask=Causal())):
        numbered, sequences = functions_of(layers)
        scores = numbered.results[numbered.reading.bases[0]]
        of = {tuple(x): scores[k] for k, x in enumerate(sequences.tolist())}
        # s_ij is a sum of four functions, each of a token or a place of one key and of a token or a place of one query
        key, query = (0, 1)
        terms = [(of[a, b, 0][key, query], sign) for a, b, sign in ((0, 1, 1), (2, 1, -1), (0, 2, -1), (2, 2, 1))]
        shifted = [(of[0, a, b][1, 2], -sign) for a, b, sign in ((0, 1, 1), (2, 1, -1), (0, 2, -1), (2, 2, 1))]
        assert is_identity(numbered.numbering, {int(n): Fraction(sign) for n, sign in terms + shifted})
        assert not is_identity(numbered.numbering, {int(n): Fraction(sign) for n, sign in terms})


def test_rotated_scores_depend_on_distances():
    numbered, sequences = functions_of(Heads(1, width=2, position=Rotary()))
    scores = numbered.results[numbered.reading.bases[0]]
    of = {tuple(x): scores[k] for k, x in enumerate(sequences.tolist())}
    one, same, other = (int(s) for s in (of[0, 1, 2][0, 1], of[2, 0, 1][1, 2], of[0, 2, 1][0, 2]))
    assert is_identity(numbered.numbering, {one: Fraction(1), same: Fraction(-1)})
    assert not is_identity(numbered.numbering, {one: Fraction(1), other: Fraction(-1)})


def test_sums_and_products_are_brought_to_one_form():
    numbering = Numbering()
    x, y, z = (numbering.number("tensor", ("A", entry), ()) for entry in range(3))
    plus = lambda *terms: numbering.sum_of(terms)  # noqa: E731
    times = lambda a, b: numbering.product_of(min(a, b), max(a, b))  # noqa: E731
    two = numbering.constant(Fraction(2))
    assert plus(x, y) == plus(y, x)
    assert plus(x, x) == times(two, x)
    assert plus(plus(x, y), plus(x, y)) == times(two, plus(x, y))
    assert plus(times(two, x), times(two, y)) == times(two, plus(x, y))
    assert times(times(x, y), z) == times(x, times(z, y))
    assert times(x, numbering.of_one("reciprocal", None, x)) == 1
    assert plus(x, numbering.of_one("negate", None, x)) == 0
    assert plus(x, y) != plus(x, z) != times(x, z)


def test_functions_at_zero_are_constants_where_they_are_rational_there():
    """exp(0) = 1 and erf(0) = 0; a logistic function is 1/2 there, and nothing is 0 or 1 at other arguments."""
    numbering = Numbering()
    x = numbering.number("tensor", ("A", 0), ())
    assert [numbering.of_one("exp", (1, 1), one) for one in (0, 1, x)].count(1) == 1
    assert [numbering.of_one("erf", None, one) for one in (0, 1, x)].count(0) == 1
    assert numbering.of_one("exp", (1, 1), 0) == 1
    assert numbering.of_one("erf", None, 0) == 0
    assert numbering.of_one("sigmoid", (1, 1), 0) not in (0, 1)


@pytest.mark.parametrize("norm", [LayerNorm(gain=False)])
def test_centred_columns_of_one_token_are_one_function(norm):
    numbered, sequences = functions_of(norm)
    of = {tuple(x): numbered.results[-1][k] for k, x in enumerate(sequences.tolist())}
    assert (of[0, 1, 2][:, 0] == of[2, 2, 0][:, 2]).all()
