"""The dimension of a network with gates is the greatest over regions of its weights, for every seed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Elements, Positive
from algatt.geometry.dimensions import at_real_points, ball_bounds
from algatt.geometry.dimensions import regions as of_regions
from algatt.geometry.dimensions.bounds import lower_bound, upper_bound
from algatt.geometry.dimensions.elementary import dimension as of_elementary
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.regions import Regions, look_for_regions
from algatt.layers import (
    Causal,
    Experts,
    FeatureMap,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    SigmoidRouter,
    SiLU,
    SoftmaxRouter,
)
from algatt.layers.activations import Activation
from regions_by_floats import best_of, greatest_rank, relu
from written_networks import written

SEEDS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Leaky(Activation):
    """The function that is 4 x where x > 0 and x where x < 0."""


@verbs.activate.method
def activate_leaky(layer: Leaky, x: Elements) -> Elements:
    return x * (x.entrywise(Positive()) * 3 + 1)


def perceptron(*dims: int, bias: bool = True, activation: Activation | None = None) -> algatt.Network:
    """Return a network of linear maps with activations between them."""
    layers: Any = Linear(dims[1], bias=bias)
    for d in dims[2:]:
        layers = layers >> (activation or ReLU()) >> Linear(d, bias=bias)
    return algatt.Network(layers, tokens=1, width=dims[0])


def perceptron_by_floats(activate: Callable[[Any], Any] = relu) -> Callable[[Any, Any], Any]:
    def text(w: Any, X: Any) -> Any:
        for number, name in enumerate(name for name in w if name.endswith(".W")):
            X = w[name] @ (activate(X) if number else X) + w.get(name[:-1] + "b", 0)
        return X

    return text


def feedforward(w: Any, prefix: str, X: Any, activate: Callable[[Any], Any] = relu, *, gated: bool = False) -> Any:
    up = w[prefix + ".up"] @ X + w.get(prefix + ".b_up", 0)
    hidden = activate(w[prefix + ".gate"] @ X + w.get(prefix + ".b_gate", 0)) * up if gated else activate(up)
    return w[prefix + ".down"] @ hidden + w.get(prefix + ".b_down", 0)


def softmax(z: Any) -> Any:
    e = np.exp(z)
    return e / e.sum(axis=-2, keepdims=True)


def sigmoid(z: Any) -> Any:
    return 1 / (1 + np.exp(-z))


def experts(w: Any, X: Any, shares: Callable[[Any], Any], top: int, activate: Callable[[Any], Any] = relu) -> Any:
    logits = w["experts.router"] @ X
    kept = best_of(shares(logits), logits, top)
    count = kept.shape[-2]
    return sum(kept[..., e : e + 1, :] * feedforward(w, f"experts.{e + 1}", X, activate) for e in range(count))


def rms_norm(X: Any, eps: float) -> Any:
    return X / np.sqrt((X * X).mean(axis=-2, keepdims=True) + eps)


def layer_norm(w: Any, X: Any) -> Any:
    X = w["linear.W"] @ X + w["linear.b"]
    X = X - X.mean(axis=-2, keepdims=True)
    return w["norm.g"] * rms_norm(X, 0) + w["norm.b"]


def relu_attention(w: Any, X: Any) -> Any:
    scores = np.swapaxes(relu(w["heads.K_1"] @ X), -1, -2) @ relu(w["heads.Q_1"] @ X)
    X = X + w["heads.O_1"] @ (w["heads.V_1"] @ X) @ scores
    return X + feedforward(w, "feedforward", X)


def causal_attention(w: Any, X: Any) -> Any:
    scores = np.exp(np.swapaxes(w["heads.K_1"] @ X, -1, -2) @ (w["heads.Q_1"] @ X) / 2**0.5) * np.triu(np.ones((2, 2)))
    X = X + w["heads.O_1"] @ (w["heads.V_1"] @ X) @ (scores / scores.sum(axis=-2, keepdims=True))
    return X + feedforward(w, "feedforward", X)


def gated(w: Any, X: Any) -> Any:
    return feedforward(w, "feedforward_2", feedforward(w, "feedforward_1", X, gated=True), gated=True)


def of(layers: Any, width: int, tokens: int = 1) -> algatt.Network:
    return algatt.Network(layers, tokens=tokens, width=width)


PERCEPTRON = perceptron_by_floats()
BY_SIGMOIDS = Experts(3, Feedforward(2, activation=ReLU()), router=SigmoidRouter(top=1)) >> RMSNorm(eps=1)
SILU = Residual(RMSNorm() >> Experts(3, Feedforward(1, SiLU()), SoftmaxRouter(top=1)))
NEURONS = Residual(Feedforward(2, ReLU(), bias=True))
SQUARES = FeatureMap(features=ReLU(), normalized=False)

NETWORKS: dict[str, tuple[algatt.Network, Callable[[Any, Any], Any]]] = {
    "experts by sigmoids": (
        of(BY_SIGMOIDS, 3),
        lambda w, X: w["norm.g"] * rms_norm(experts(w, X, sigmoid, 1), 1),
    ),
    "perceptron 2-2-2-2-1": (perceptron(2, 2, 2, 2, 1), PERCEPTRON),
    "normalised pairs": (of(Linear(2, bias=True) >> LayerNorm(eps=0), 2), layer_norm),
    "perceptron 3-3-3-1": (perceptron(3, 3, 3, 1), PERCEPTRON),
    "perceptron 2-4-4-1": (perceptron(2, 4, 4, 1), PERCEPTRON),
    "perceptron 1-3-2-1": (perceptron(1, 3, 2, 1), PERCEPTRON),
    "perceptron 2-3-3-1 without biases": (perceptron(2, 3, 3, 1, bias=False), PERCEPTRON),
    "perceptron 3-2-2-2 without biases": (perceptron(3, 2, 2, 2, bias=False), PERCEPTRON),
    "leaky perceptron 2-2-2-2-1": (
        perceptron(2, 2, 2, 2, 1, activation=Leaky()),
        perceptron_by_floats(lambda z: z * (1 + 3 * (z.real > 0))),
    ),
    "gated neurons": (
        of(Feedforward(3, ReLU(), gated=True) >> Feedforward(3, ReLU(), gated=True, bias=True), 2),
        gated,
    ),
    "two of four experts": (
        of(Residual(Experts(4, Feedforward(1, ReLU()), SoftmaxRouter(top=2))), 3),
        lambda w, X: X + experts(w, X, softmax, 2),
    ),
    "one of three normalised experts": (
        of(SILU, 2, tokens=2),
        lambda w, X: X + experts(w, w["norm.g"] * rms_norm(X, 1e-6), softmax, 1, lambda z: z * sigmoid(z)),
    ),
    "attention by ReLU": (of(Residual(Heads(1, score=SQUARES)) >> NEURONS, 2, tokens=2), relu_attention),
    "causal attention": (of(Residual(Heads(1, mask=Causal())) >> NEURONS, 2, tokens=2), causal_attention),
}


MANY = 180
"""Number of weights at which ranks are taken, where the greatest is rare."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NETWORKS)
def test_all_seeds_find_the_greatest_rank(name):
    net, text = NETWORKS[name]
    found = {algatt.dimension(net, seed=seed).value for seed in SEEDS}
    assert found == {greatest_rank(net, text, draws=MANY if text is PERCEPTRON else 45)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(6))
def test_regions_are_looked_at_modulo_p(seed):
    report = algatt.dimension(perceptron(2, 2, 2, 2, 1), seed=seed)
    assert (report.value, report.status, type(report.field)) == (15, "proven", algatt.Elementary)


def test_of_each_pattern_of_gates_one_fresh_input_adds_nothing(monkeypatch):
    """One after the other: every other one would be ever the same ones of an even number of patterns."""
    net, patterns = of(NEURONS, 2), 22
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(8388587), seed=0)
    upper = upper_bound(Question(net), theta.field, theta)
    asked: list[int] = []
    true = verbs.jacobian_where_defined

    def follow(field, arch, theta, seed, start):
        found = true(field, arch, theta, seed, start)
        asked.append(found[0])
        return found

    monkeypatch.setattr(verbs, "jacobian_where_defined", follow)
    above = dataclasses.replace(upper, value=upper.value + 1)  # which is never attained
    lower = lower_bound(Question(net), algatt.Elementary(), theta, 0, above, patterns=patterns)
    assert lower.value == upper.value
    assert asked[-patterns:] == list(range(asked[-1] - patterns + 1, asked[-1] + 1))


def test_a_region_that_another_seed_names_is_proven_and_certified():
    net = perceptron(2, 2, 2, 2, 1)
    report = algatt.dimension(net, seed=3)
    assert (report.value, report.status) == (15, "proven")  # 21 parameters, and a scale for each of 6 neurons
    assert report.regions.ranks[report.seed] == max(report.regions.ranks) == 15
    certificate = algatt.certify(net, seed=3)
    assert certificate.dimension == 15
    assert algatt.verify(certificate).ok


def test_the_report_says_which_ranks_were_seen():
    report = algatt.dimension(of(Linear(2, bias=True) >> LayerNorm(eps=0), 2))
    assert report.status == "numerical"
    assert set(report.regions.ranks) == {2, 4}  # inputs of size one have both signs, or one of them
    assert report.to_dict()["regions"] == list(report.regions.ranks)
    summary = dict(verbs.summarize(report).rows)
    assert summary["regions"] == f"{len(report.regions.ranks)} looked at"
    counts = report.regions.counts
    assert str(report.regions).endswith(f"their ranks in floating point: 4 ({counts[4]}), 2 ({counts[2]})")


def test_where_bounds_meet_no_regions_are_looked_at(monkeypatch):
    def refuse(*_):
        raise AssertionError("regions are looked at")

    monkeypatch.setattr("algatt.geometry.dimensions.elementary.dimension.regions_of", refuse)
    report = algatt.dimension(of(NEURONS, 2))
    assert (report.status, report.regions, report.to_dict()["regions"]) == ("proven", None, None)


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        (NEURONS, True),
        (SILU, True),
        (RMSNorm(), True),
        (Feedforward(2, SiLU()), False),
        (Heads(1), False),
    ],
)
def test_which_networks_have_regions(layers, expected):
    assert Question(of(layers, 2)).has_regions is expected


def ranks_in_turn(monkeypatch, *ranks):
    """Let regions have these ranks, the last one for ever."""
    left = list(ranks)
    monkeypatch.setattr(of_regions, "rank_of_rows", lambda rows: left.pop(0) if len(left) > 1 else left[0])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("ranks", "upper", "expected"),
    [
        ((3,), 9, 32),  # all are alike
        ((3, 2, 3), 9, 128),  # they differ, and the greatest one is often there
        ((5, 3), 9, 512),  # it is rare
        ((3, 5, 9, 3), 9, 3),  # no region can have more
        ((3, 5, 10, 3), 9, 3),  # rounding may say more
    ],
)
def test_how_many_regions_are_looked_at(monkeypatch, ranks, upper, expected):
    ranks_in_turn(monkeypatch, *ranks)
    net = of(NEURONS, 2)
    weights = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    found = look_for_regions(net, lambda seed: weights, upper)
    assert len(found.ranks) == expected
    assert max(found.ranks) <= upper


def test_the_best_regions_come_first():
    regions = Regions((3, 5, 4, 5))
    assert regions.best == [1, 3, 2, 0]
    assert regions.counts == {5: 2, 4: 1, 3: 1}


def test_large_networks_look_at_no_more_regions_than_time_allows(monkeypatch):
    ranks_in_turn(monkeypatch, 3)
    monkeypatch.setattr(of_regions, "WORK", 0)
    assert look_for_regions(of(NEURONS, 2), lambda seed: None, 9).ranks == ()


def nowhere(w: Any, X: Any) -> Any:
    return w.A * (-1 - X * X).sqrt()


def test_regions_in_which_nothing_has_a_value_have_rank_zero(monkeypatch):
    monkeypatch.setattr(ball_bounds, "MOST_POLES", 20)
    net = written({"A": (1, 1)}, nowhere, width=1, tokens=1)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    assert look_for_regions(net, lambda seed: theta, 1).ranks == (0,) * 32
    with pytest.raises(NoValue):
        algatt.dimension(net, field=algatt.Balls())


def test_inputs_without_a_value_are_left_out_of_a_region():
    net = written({"A": (1, 1)}, lambda w, X: w.A * X.sqrt(), width=1, tokens=1)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    assert look_for_regions(net, lambda seed: theta, 1).ranks == (1,)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [0, 1, 1000])
def test_balls_answer_where_the_greatest_rank_is_behind_gates_that_fail_a_condition(seed, monkeypatch):
    """Where one of two neurons is open, the norm is a root of a square. U and D with a scale for each neuron and one
    for all, and the gain.
    """
    net = of(Feedforward(2, ReLU()) >> RMSNorm(0), 2)
    assert algatt.dimension(net, seed=seed).value == 8 - 3 + 2
    monkeypatch.setattr(at_real_points, "dimension_in_floats", lambda question: None)
    report = algatt.dimension(net, seed=seed)
    assert (report.value, report.status) == (8 - 3 + 2, "proven")
    assert "the rank of a region is 7 in floating point, and 5 behind gates that meet conditions" in report.reason


def test_balls_look_at_as_many_inputs_as_the_rank_of_a_region_was_estimated_from():
    """Behind four layers without biases some patterns of gates are those of few directions of inputs."""
    net = perceptron(2, 2, 2, 2, 1, bias=False)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (14 - 6, "proven")  # a scale for each of 6 neurons
    assert greatest_rank(net, PERCEPTRON, draws=MANY) == 8


def test_a_seed_whose_conditions_fail_is_not_the_last_word(monkeypatch):
    net = perceptron(1, 3, 2, 1)
    true = of_elementary.attempt_over_elementary

    def fails_at_first(question, field, seed, *options):
        if seed == 77:
            raise ConditionFailed("at this seed")
        return true(question, field, seed, *options)

    monkeypatch.setattr(of_elementary, "attempt_over_elementary", fails_at_first)
    assert algatt.dimension(net, field=algatt.Elementary(), seed=77).value == 12
