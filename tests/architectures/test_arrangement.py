"""Networks with layers of a user's own have the answers of those of the package that compute the same."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrangement_of
from algatt.fields import Reals
from algatt.layers import (
    Causal,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Exponential,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    Residual,
    RMSNorm,
    Rotary,
    Tie,
    Unembedding,
    Unnormalized,
)
from pairs_of_texts import PAIRS, D, conv, fused
from written_networks import Written

FUSED = Written((("W", (12, D)), ("O", (D, 4))), fused)
ROWS = Written((("W", (D, 12)), ("O", (4, D))), conv)
OWN = Residual(Heads(2, width=2, score=Exponential()))


def tied(layer: Layer) -> Layer:
    return Tie(Embedding(5, D) >> layer >> Unembedding(5), {"unembedding.U": "embedding.E"})


NETWORKS = {
    "tokens": lambda layer: algatt.Network(Embedding(5, D) >> layer >> Unembedding(5), tokens=3),
    "tied tokens": lambda layer: algatt.Network(tied(layer), tokens=3),
    "beside layers of the package": lambda layer: algatt.Network(
        Residual(RMSNorm() >> Heads(2, mask=Causal(), position=Rotary(layout="halves"))) >> layer, tokens=3, width=D
    ),
    "behind an encoder": lambda layer: algatt.Network(
        EncoderDecoder(Linear(D), Linear(D) >> layer >> CrossHeads(1, width=2, score=Unnormalized()), source=3),
        tokens=6,
        width=3,
    ),
}


STACKED = ("one matrix of queries, keys and values", "GPT-2, tokens as rows", "rotary halves by tables")


def test_matrices_that_multiply_rows_take_up_gains_and_biases_of_norms() -> None:
    """Their transposes are the tensors of the normal form, and points go there and back."""
    reports = [algatt.dimension(algatt.Network(LayerNorm() >> layer, tokens=3, width=D)) for layer in (ROWS, FUSED)]
    assert len({(report.value, report.upper, report.status) for report in reports}) == 1
    net = reports[0].architecture
    arrangement, theta = arrangement_of(net), algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    moved = arrangement.forth(theta)
    np.testing.assert_array_equal(moved["W.columns_1_2"], theta["W"][:, :2].T)
    assert arrangement.back(moved) == theta
    X = algatt.sample_inputs(net, seed=1, field=Reals())
    for family in algatt.symmetries(net):
        other = algatt.act(family.element(theta, seed=2), theta)
        np.testing.assert_allclose(algatt.evaluate(net, other, X), algatt.evaluate(net, theta, X), rtol=1e-9)
        assert other != theta


@pytest.mark.parametrize("name", STACKED)
def test_stacks_of_other_layers_are_measured_in_normal_form(name):
    one, two = (
        algatt.symmetry.symbolic_symmetries(algatt.Network(4 * net.layers, net.tokens, net.width))
        for net in PAIRS[name].networks()
    )
    assert (one.dimension, one.orbit, one.upper, one.complete) == (two.dimension, two.orbit, two.upper, two.complete)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("layer", [FUSED, ROWS], ids=["columns", "rows"])
def test_networks_with_other_layers_have_the_same_answers(name, layer):
    net, own = NETWORKS[name](layer), NETWORKS[name](OWN)
    assert arrangement_of(net) is not None
    assert arrangement_of(own) is None
    one, two = algatt.dimension(net), algatt.dimension(own)
    assert (one.value, one.status, one.upper, one.parameters) == (two.value, two.status, two.upper, two.parameters)
    assert one.architecture == net
    symbolic = [algatt.symmetry.symbolic_symmetries(each) for each in (net, own)]
    assert (symbolic[0].dimension, symbolic[0].upper) == (symbolic[1].dimension, symbolic[1].upper)
    assert symbolic[0].architecture == net
    assert symbolic[0].complete == symbolic[1].complete


def test_a_network_that_reads_numbers_and_tokens():
    """An encoder of numbers beside a decoder of tokens with a layer of one's own."""
    decoder = Embedding(3, D) >> FUSED >> CrossHeads(1, width=1, score=Unnormalized())
    net = algatt.Network(EncoderDecoder(Linear(D), decoder, source=2, width=1), tokens=4)
    arrangement = arrangement_of(net)
    assert (arrangement.network.source, arrangement.network.vocabulary) == (net.source, net.vocabulary)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=0)
    X = algatt.sample_inputs(net, seed=0, field=Reals())
    value = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
    np.testing.assert_allclose(value, algatt.evaluate(net, theta, X), rtol=1e-9)


def test_certificates_of_networks_of_tokens():
    net = NETWORKS["tokens"](FUSED)
    assert algatt.verify(algatt.certify(net)).ok


def test_what_is_drawn_is_the_normal_form():
    graph = algatt.verbs.program_graph(NETWORKS["tokens"](FUSED))
    tensors = {one["tensor"] for _, one in graph.nodes(data=True)} - {""}
    assert {"W.rows_1_2", "O.columns_3_4", "unembedding.U"} <= tensors


def test_scores_that_are_too_large_are_said_to_be_that():
    net = NETWORKS["beside layers of the package"](FUSED)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=0)
    with pytest.raises(algatt.errors.NoValue, match="too large"):
        algatt.fiber(net, theta.replace([one * 1000 for one in theta.elements]))
