"""The checks of statements themselves: that a wrong number is told, and that nothing is claimed where
rounding decides.
"""

import math

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.dynamics import normalised, random_tokens, statements

PLANE = np.eye(2)

RESTING = [np.tile(random_tokens(1, 3, seed=seed), 5) for seed in range(8)]


def wrong(monkeypatch, name, factor):
    """Let a verb about flows of tokens be wrong by a factor."""
    true = getattr(verbs, name)
    monkeypatch.setattr(
        verbs,
        name,
        lambda flow, tokens: true(flow, tokens) * (factor if isinstance(flow, algatt.dynamics.SphereFlow) else 1),
    )


def test_at_rest_rounding_is_no_failure_and_no_proof():
    """Tokens in one point: all rates are zero, and floats make some 1e-17 of either sign of them."""
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)))
    one = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    for X in RESTING:
        assert statements.check_total_energy_rate(flow, X).holds is not False
        assert statements.check_radial_dominance(one, X).verdict == "undecided"


def test_nearly_at_rest_the_rate_is_told_as_far_as_floats_go():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)))
    for size in (1e-2, 1e-5, 1e-8, 1e-12):
        X = normalised(RESTING[0] + size * random_tokens(5, 3, seed=9))
        assert statements.check_total_energy_rate(flow, X).verdict in (
            {"holds"} if size > 1e-4 else {"holds", "undecided"}
        )


@pytest.mark.parametrize("strength", [0.3, 0.7, 1.0, 1.3])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.3])
def test_of_two_equal_heads_at_45_degrees_none_loses_energy(strength, beta):
    assert statements.check_falling_head_energy(strength, strength, math.pi / 4, beta=beta).verdict == "undecided"
    heads = (
        algatt.dynamics.ProjectorHead(PLANE[:, :1], strength),
        algatt.dynamics.ProjectorHead(PLANE[:, 1:], strength),
    )
    equal = algatt.dynamics.SphereFlow(heads, beta=beta)  # the bound is met with equality
    assert statements.check_approximate_orthogonality(equal, normalised(np.ones((2, 1)))).verdict == "undecided"


@pytest.mark.parametrize("beta", [0.01, 1.0])
def test_a_wrong_rate_of_the_entropy_is_told_however_small_it_is(beta, monkeypatch):
    flow, X = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=beta), random_tokens(8, 3)
    assert statements.check_entropy_rate(flow, X).verdict == "holds"
    wrong(monkeypatch, "entropy_rate", 1.001)
    assert statements.check_entropy_rate(flow, X).verdict == "fails"


@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@pytest.mark.parametrize(
    "weights", [algatt.layers.Unnormalized(algatt.layers.Exponential()), algatt.layers.Exponential()], ids=repr
)
def test_the_chain_rule_for_energies(kind, weights):
    rng = np.random.default_rng(0)
    for seed in range(10):
        flow = kind(
            (algatt.dynamics.MatrixHead(*rng.standard_normal((2, 3, 3))), algatt.dynamics.ScalarHead(0.5)), weights, 0.7
        )
        assert statements.check_energy_rate(flow, random_tokens(6, 3, seed=seed)).verdict == "holds"


@pytest.mark.parametrize("name", ["energy", "energy_rate"])
def test_a_wrong_energy_or_rate_is_told(name, monkeypatch):
    flow, X = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),)), random_tokens(8, 3)
    wrong(monkeypatch, name, 1.001)
    assert statements.check_energy_rate(flow, X).verdict == "fails"


def test_the_chain_rule_is_not_asked_at_kinks():
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ScalarHead(1.0),), algatt.layers.Unnormalized(algatt.layers.ReLU())
    )
    assert statements.check_energy_rate(flow, random_tokens(8, 3)).verdict == "does not apply"


def test_falling_entropy_of_equiangular_tokens_would_be_told(monkeypatch):
    """The closed rate is a product of factors that are not negative, so its sign says nothing: the tokens have to be
    looked at.
    """
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), 6, beta=2.0)
    assert statements.check_equiangular_entropy(flow, 0.3).verdict == "holds"
    wrong(monkeypatch, "entropy_rate", -1.0)
    assert statements.check_equiangular_entropy(flow, 0.3).verdict == "fails"


def test_one_dominant_head_that_loses_energy_is_enough(monkeypatch):
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ProjectorHead(PLANE[:, :1]), algatt.dynamics.ProjectorHead(PLANE[:, 1:]))
    )
    monkeypatch.setattr(verbs, "radial_dominance", lambda flow, tokens: np.ones((2, 4)))
    monkeypatch.setattr(verbs, "energy_rate", lambda flow, tokens: np.array([2.0, -1.0]))
    assert statements.check_radial_dominance(flow, random_tokens(4, 2)).verdict == "fails"


@pytest.mark.parametrize("rates", [[1.0, 2.0], [-1.0, -2.0]])
def test_two_heads_that_both_gain_or_both_lose_are_told(rates, monkeypatch):
    monkeypatch.setattr(verbs, "energy_rate", lambda flow, tokens: np.array(rates))
    assert statements.check_falling_head_energy(1.0, 0.4, 1.0).verdict == "fails"


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_wrong_threshold_is_told_on_either_side(factor, monkeypatch):
    for name in ("radial_dominance_threshold", "fastest_softmax_temperature", "unit_shadow_bound"):
        true = getattr(statements.equiangular, name)
        monkeypatch.setattr(
            statements.equiangular, name, lambda *given, true=true, **options: factor * true(*given, **options)
        )
    assert statements.check_dominance_threshold(50, 2).verdict == "fails"
    assert statements.check_fastest_strength(20).verdict == "fails"
    assert statements.check_unit_shadow_bound(3).verdict == "fails"


@pytest.mark.parametrize("name", ["linearised_clustering_time", "clustering_time"])
def test_one_of_the_two_times_is_enough(name, monkeypatch):
    monkeypatch.setattr(
        statements.equiangular,
        name,
        lambda flow, start, end: 1.0 if flow.weights == algatt.layers.Unnormalized(algatt.layers.ReLU()) else 2.0,
    )
    assert statements.check_clustering_times(100, 256).verdict == "fails"


def test_one_entropy_that_grows_is_enough(monkeypatch):
    monkeypatch.setattr(verbs, "entropy_rate", lambda flow, tokens: np.array([[-1.0, 0.5, -1.0]]))
    assert statements.check_falling_entropy().verdict == "fails"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: statements.check_super_additivity([], 5, 0.3), r"strengths was \(\)"),
        (lambda: statements.check_clustering_times(10, 0), "dimension was 0"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call()
