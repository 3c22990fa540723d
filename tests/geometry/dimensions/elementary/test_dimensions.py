"""Dimensions modulo p of networks with exponentials, roots and gates: counts by hand, and balls at the same real point.

The counts are those of parameters less what symmetries remove: heads of width a with k key heads have k a^2 for keys
and queries and k a^2 for values and outputs, a rotary head a for keys and queries, a norm's gain all of its entries.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Balls, Elementary, Network, Normalized, PrimeField, Softmax
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Log
from algatt.geometry.dimensions.elementary import dimension as places
from algatt.geometry.dimensions.elementary.dimension import places_of, reading_of
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    LayerNorm,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    Tanh,
)
from algatt.maps.gradient import gradients_at_places


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("layers", "width", "parameters", "dimension"),
    [
        (Residual(Heads(2, width=2)), 4, 64, 48),  # 4 families of 2 x 2
        (2 * Residual(Heads(2, width=2)), 4, 128, 96),
        (Residual(Heads(2, key_heads=1, width=2)), 4, 48, 40),
        (Residual(Heads(1, width=4, position=Rotary())), 4, 64, 44),  # 4 for keys, 16 for values
        (Residual(RMSNorm() >> Heads(1, width=2)), 4, 36, 24),  # 4 of the gain, 8
        (Residual(Feedforward(4, ReLU())), 3, 24, 20),  # a scale for each neuron
        (Residual(Feedforward(4, SiLU())), 3, 24, 24),
        (Residual(Feedforward(4, SiLU(), gated=True)), 3, 36, 32),
    ],
)
def test_counts_of_layers_are_proven(layers, width, parameters, dimension):
    report = algatt.dimension(Network(layers, tokens=3, width=width), field=Elementary())
    assert (report.parameters, report.value, report.lower, report.upper) == (parameters, *3 * (dimension,))
    assert (report.status, report.field, report.reason) == ("proven", Elementary(), None)


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens", "dimension"),
    [
        ((3, 2), (2,), 2, 14),  # HMK Theorem 3.9: 2 (6 - 2) + 6
        ((3, 3, 3), (2, 2), 3, 25),  # HMK Figure 3
        ((4, 4, 4, 4), (2, 2, 2), 3, 52),  # NeuroDim, as published
        ((16, 16, 16), (4, 4), 4, 480),
    ],
)
def test_softmax_has_the_published_dimensions(dims, ranks, tokens, dimension):
    report = algatt.dimension(Softmax(dims, ranks, tokens), field=Elementary())
    assert (report.value, report.status, report.field) == (dimension, "proven", Elementary())


def nets():
    """Return networks of each kind of layer, small enough for balls."""
    return [
        Network(layers, tokens=3, width=3)
        for layers in (
            Residual(Heads(1, width=2, mask=Causal(), norm=RMSNorm())),
            Residual(Heads(1, width=2, position=RelativeBias(4, 4), score=SoftCap(3))),
            Residual(Heads(2, width=1, position=ALiBi(), biases="QKVO")),
            Residual(LayerNorm() >> Feedforward(2, GELU(), bias=True)),
            Residual(Feedforward(2, Tanh())) >> RMSNorm(),
            Residual(RMSNorm() >> Feedforward(2, ReLU(), gated=True)),
            Residual(Experts(2, Feedforward(1, SiLU()), SoftmaxRouter(1))),
        )
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("net", nets(), ids=str)
def test_balls_find_the_same(net):
    report, other = (algatt.dimension(net, field=field, seed=1) for field in (Elementary(), Balls()))
    assert report.lower <= other.upper
    if report.status == other.status == "proven":
        assert report.value == other.value
    assert report.lower >= other.lower or report.seed == other.seed


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(12))
def test_balls_find_the_same_for_random_networks(number):
    random = np.random.default_rng(number)
    layers = int(random.integers(1, 3))
    dims, ranks = (tuple(int(n) for n in random.integers(2, 4, layers + more)) for more in (1, 0))
    net = Normalized(dims, ranks, int(random.integers(2, 4)), Exponential((1, 3)[number % 2]))
    report, other = algatt.dimension(net, field=Elementary()), algatt.dimension(net, field=Balls())
    assert report.lower <= other.upper
    assert (report.value, report.status) == (other.value, other.status)


def integers(raw):
    """Return residues as integers of Python."""
    return raw.astype(np.int64).astype(object)


def test_gradients_are_those_of_the_chain_rule():
    # One head of width 1 behind a norm without tensors: dA = A * (D - the sums of A * D) for scores that change by D.
    net = Network(Residual(RMSNorm(0, gain=False) >> Heads(1, width=1)), tokens=2, width=2)
    field = PrimeField(Elementary().p)
    theta = algatt.sample(net, algatt.Weights, field=field, seed=0)
    place = places_of(net, theta, 0, np.arange(1))
    rows = gradients_at_places(theta, place, np.zeros(4, dtype=int), np.arange(4)).raw
    p = field.p
    w = {
        name.rpartition(".")[2]: integers(element.raw)
        for name, element in zip(theta.names(), theta.elements, strict=True)
    }
    reading = reading_of(net)
    X = integers(place.results[reading.input][0])
    (root,) = reading.roots
    Y = X * np.array([[pow(int(r), -1, p) for r in place.results[root][0].ravel()]], dtype=object) % p
    (exponential,) = reading.of_type[algatt.fields.Exp]
    E = integers(place.results[exponential][0])  # keys are rows
    S = [[pow(int(sum(E[:, j])) % p, -1, p) for j in range(2)]]
    A = E * np.array(S, dtype=object) % p
    Q, K, V, out = (w[name] for name in ("Q_1", "K_1", "V_1", "O_1"))
    expected = []
    for name, k in [(one, k) for one in w for k in range(w[one].size)]:
        d = {other: np.zeros_like(w[other]) for other in w}
        d[name].flat[k] = 1
        D = (d["K_1"] @ Y).T @ (Q @ Y) + (K @ Y).T @ (d["Q_1"] @ Y)
        dA = A * D - A * (A * D).sum(axis=0, keepdims=True)
        change = d["O_1"] @ V @ Y @ A + out @ d["V_1"] @ Y @ A + out @ V @ Y @ dA
        expected.append((change % p).ravel())
    assert (rows == np.stack(expected, axis=1)).all()


def test_conditions_are_reported():
    net = Network(Residual(RMSNorm() >> Heads(1, width=2)), tokens=3, width=3)
    report = algatt.dimension(net, field=Elementary())
    said = "9 exponents of an input are independent over Q; no product of 3 arguments of roots is a square"
    assert str(report.conditions) == said  # 3 x 3 scores; one root for each token
    assert report.to_dict()["conditions"] == said
    assert report.to_dict()["reason"] is None
    assert report.to_dict()["field"] == "GF(8388587) with exp"
    erf = algatt.dimension(Network(Residual(Feedforward(1)), tokens=1, width=2), field=Elementary())
    assert "rests on erf not being elementary" in str(erf.conditions)
    gated = algatt.dimension(Network(Residual(Feedforward(1, ReLU())), tokens=1, width=2), field=Elementary())
    assert str(gated.conditions) == f"gates are those of {gated.conditions.gates} real inputs"
    assert gated.conditions.gates == 1  # behind the closed gate there is nothing


def test_polynomial_networks_need_no_conditions():
    report = algatt.dimension(algatt.Lightning((3, 3), (2,), 2), field=Elementary())
    assert report.conditions is None
    assert report.field == PrimeField(8388587)


def test_balls_have_no_conditions():
    report = algatt.dimension(Softmax((3, 2), (2,), 2), field=Balls())
    assert (report.conditions, report.reason) == (None, None)
    assert report.to_dict()["conditions"] is None


@pytest.mark.sample(0)
def test_norms_of_keys_and_queries_of_four_heads_are_proven_over_residues():
    net = Network(Residual(Heads(4, width=2, norm=RMSNorm())), tokens=2, width=4)
    report, other = algatt.dimension(net, field=Elementary()), algatt.dimension(net, field=Balls())
    assert (report.value, report.status, report.reason) == (other.value, other.status, None)
    assert report.conditions.roots == 16


def test_exponents_are_looked_at_once_where_none_are_tied(monkeypatch):
    def refuse(*_):
        raise AssertionError("exponents are looked at twice")

    monkeypatch.setattr(places, "tie_exponents", refuse)
    reading_of.cache_clear()
    report = algatt.dimension(Network(Residual(RMSNorm() >> Heads(1, width=2)), tokens=2, width=3), field=Elementary())
    reading_of.cache_clear()
    assert (report.status, report.reason) == ("proven", None)


def test_bad_fields_are_refused():
    net = Softmax((3, 2), (2,), 2)
    with pytest.raises(InvalidArgument, match="prime of at least 2"):
        algatt.dimension(net, field=Elementary(1031))
    with pytest.raises(InvalidArgument, match="has no values"):
        algatt.dimension(net, field=PrimeField())


@pytest.mark.parametrize("p", [1048583, 1048589, 2147483659])
def test_other_primes_prove_the_same(p):
    report = algatt.dimension(Softmax((3, 2), (2,), 2), field=Elementary(p))
    assert (report.value, report.status, report.field.p) == (14, "proven", p)


def test_a_report_over_residues_has_a_certificate():
    certificate = algatt.certify(algatt.dimension(Softmax((3, 2), (2,), 2), field=Elementary()))
    assert set(certificate.claims["point"]) == {"seed", "scales"}  # residues find it, and balls prove it
    assert algatt.verify(certificate).ok


def test_values_are_elements_of_the_field():
    field = Elementary()
    ones = Elements.of(field, np.array([[1, 5]]))
    assert (ones.entrywise(Log()).exp().raw != 0).all()
