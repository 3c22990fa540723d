"""The checks of statements themselves: that a wrong number is told, and that nothing is claimed where
rounding decides.
"""

import decimal
import math

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.dynamics import normalised, random_tokens, statements
from algatt.layers import Exponential, ReLU, Unnormalized

PLANE = np.eye(2)

RESTING = [np.tile(random_tokens(1, 3, seed=seed), 5) for seed in range(8)]


def wrong(monkeypatch, name, factor):
    """Let what is known of flows of tokens be wrong by a factor."""
    place = statements.energy if name == "energy_rate" else verbs
    true = getattr(place, name)
    monkeypatch.setattr(
        place,
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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weights", [Unnormalized(Exponential()), Exponential(), Unnormalized(ReLU())], ids=repr)
@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@pytest.mark.parametrize("size", [10, 30, 100, 300])
def test_true_identities_do_not_fail_at_large_beta_and_large_heads(size, kind, weights):
    """Where neither overflows; differences with a step for numbers of order 1 said "fails" from 30 on. On the sphere
    the definition of the energy has the pairs of tokens with themselves, whose rounding outweighs all else at 300.
    """
    M, V = np.random.default_rng(size).standard_normal((2, 3, 3))
    for flow in (
        kind((algatt.dynamics.ScalarHead(1.0),), weights, size),
        kind((algatt.dynamics.MatrixHead(size * M / 10, V),), weights, 3.0),
    ):
        verdicts = {statements.check_entropy_rate(flow, random_tokens(8, 3, seed=seed)).verdict for seed in range(3)}
        assert verdicts <= {"holds", "undecided"}
        verdict = statements.check_energy_rate(flow, random_tokens(8, 3)).verdict
        allowed = {"holds", "undecided"} if kind is algatt.dynamics.SphereFlow and size == 300 else {"holds"}
        assert verdict in ({"does not apply"} if weights == Unnormalized(ReLU()) else allowed)


def test_the_rate_of_the_entropy_at_beta_100_by_sixty_digits():
    """Three softmax tokens on the circle, a_i' = sum_j p_ij sin(a_j - a_i): differences of the entropy in decimals."""
    angles = [0.0, 0.125, 0.25]
    tokens = np.array([[math.cos(a) for a in angles], [math.sin(a) for a in angles]])
    with decimal.localcontext() as context:
        context.prec = 60
        X = [tuple(map(decimal.Decimal, map(float, column))) for column in tokens.T]

        def scores(points):
            return [[100 * (x[0] * y[0] + x[1] * y[1]) for y in points] for x in points]

        def entropies(points):
            rows = [[s.exp() for s in row] for row in scores(points)]
            return [-sum(e / sum(row) * (e / sum(row)).ln() for e in row) for row in rows]

        moved = []
        for i, row in enumerate(scores(X)):
            total = sum(s.exp() for s in row)
            v = [sum(s.exp() / total * y[k] for s, y in zip(row, X, strict=True)) for k in range(2)]
            radial = v[0] * X[i][0] + v[1] * X[i][1]
            moved.append([v[k] - radial * X[i][k] for k in range(2)])
        h = decimal.Decimal(10) ** -20
        ends = [
            entropies([[x[k] + sign * h * v[k] for k in range(2)] for x, v in zip(X, moved, strict=True)])
            for sign in (1, -1)
        ]
        expected = [float((a - b) / (2 * h)) for a, b in zip(*ends, strict=True)]
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), Exponential(), 100)
    assert algatt.dynamics.entropy_rate(flow, tokens)[0] == pytest.approx(expected, rel=1e-9)
    assert statements.check_entropy_rate(flow, tokens).verdict == "holds"


@pytest.mark.parametrize("name", ["energy", "energy_rate", "entropy", "entropy_rate"])
def test_a_wrong_verb_is_told_at_large_beta(name, monkeypatch):
    flow, X = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), Exponential(), 20), random_tokens(8, 3)
    check = statements.check_energy_rate if "energy" in name else statements.check_entropy_rate
    assert check(flow, X).verdict == "holds"
    wrong(monkeypatch, name, 1.001)
    assert check(flow, X).verdict == "fails"


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
    monkeypatch.setattr(statements.energy, "energy_rate", lambda flow, tokens: np.array([2.0, -1.0]))
    assert statements.check_radial_dominance(flow, random_tokens(4, 2)).verdict == "fails"


@pytest.mark.parametrize("rates", [[1.0, 2.0], [-1.0, -2.0]])
def test_two_heads_that_both_gain_or_both_lose_are_told(rates, monkeypatch):
    monkeypatch.setattr(statements.energy, "energy_rate", lambda flow, tokens: np.array(rates))
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
