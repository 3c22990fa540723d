"""Stiff runs: implicit methods and their Jacobians, the change of the method, and metastable states for a long time;
against LSODA on equations of angles that share no code with the package.
"""

import math

import numpy as np
import pytest
import scipy.integrate
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import ScalarHead, SphereFlow, load_trajectory, random_tokens
from algatt.dynamics.jacobian import extended_jacobian
from algatt.layers import Exponential, ReLU, Softplus, Unnormalized

HOT = SphereFlow((ScalarHead(1.0),), beta=12)

CIRCLE = SphereFlow((ScalarHead(1.0),), Exponential(), 25)


def angles_of(tokens):
    return np.arctan2(tokens[1], tokens[0])


def followed_angles(angles, beta, times, *, softmax):
    """Tokens on the circle by their angles: a_i' = sum_j w_ij sin(a_j - a_i), by scipy's own driver."""

    def rate(_, a):
        apart = a[np.newaxis, :] - a[:, np.newaxis]
        weights = np.exp(beta * (np.cos(apart) - (1 if softmax else 0)))
        weights /= weights.sum(axis=1, keepdims=True) if softmax else len(a)
        return (weights * np.sin(apart)).sum(axis=1)

    end = times[-1]
    return scipy.integrate.solve_ivp(rate, (0, end), angles, "LSODA", t_eval=times, rtol=1e-11, atol=1e-12).y.T


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", ["auto", "LSODA", "BDF", "Radau"])
def test_a_stiff_run_ends(method):
    """With beta = 12 the forces in a cluster are e^12: an explicit method takes 90,000 steps to t = 1."""
    run = algatt.dynamics.integrate(HOT, random_tokens(8, 3), until=1.0, samples=2, method=method, tolerance=1e-7)
    assert run.ending == "until"
    assert run.steps < 5000
    assert np.abs(np.linalg.norm(run.states, axis=1) - 1).max() < 1e-12
    assert [name for _, name in run.methods] == (["DOP853", "LSODA"] if method == "auto" else [method])


@pytest.mark.sample(0)
@pytest.mark.parametrize(("beta", "until"), [(12, 0.01), (15, 0.002)])
def test_a_stiff_run_is_that_of_the_angles(beta, until):
    tokens = random_tokens(6, 2, seed=3)
    run = algatt.dynamics.integrate(SphereFlow((ScalarHead(1.0),), beta=beta), tokens, until=until)
    assert [name for _, name in run.methods] == ["DOP853", "LSODA"]
    expected = followed_angles(angles_of(tokens), beta, [until], softmax=False)
    apart = angles_of(run.final) - expected[0]
    assert np.abs((apart + math.pi) % (2 * math.pi) - math.pi).max() < 1e-7


@pytest.mark.sample(0)
def test_metastable_clusters_to_a_time_of_a_hundred_million():
    """32 softmax tokens on the circle at beta = 25: clusters that rest for times of the order e^(beta (1 - cos)), and
    some merge meanwhile.
    """
    tokens = random_tokens(32, 2)
    run = algatt.dynamics.integrate(CIRCLE, tokens, until=1e8, samples=[1e2, 1e4, 1e6, 1e8])
    assert run.ending == "until"
    assert run.steps < 5000
    assert run.methods[-1][1] == "LSODA"
    expected = followed_angles(angles_of(tokens), 25, run.times[1:], softmax=True)
    for state, angles in zip(run.states[1:], expected, strict=True):
        apart = angles_of(state) - angles
        assert np.abs((apart + math.pi) % (2 * math.pi) - math.pi).max() < 1e-5


def test_what_is_not_stiff_is_followed_as_before():
    flow, tokens = SphereFlow((ScalarHead(1.0), ScalarHead(0.5))), random_tokens(8, 3, seed=2)
    chosen, explicit = (
        algatt.dynamics.integrate(flow, tokens, until=2.0, method=method) for method in ("auto", "DOP853")
    )
    assert chosen.methods == explicit.methods == ((0.0, "DOP853"),)
    assert np.array_equal(chosen.states, explicit.states)


@pytest.mark.sample(0)
def test_large_flows_stay_with_the_explicit_method(monkeypatch):
    import algatt.dynamics.steppers as module

    monkeypatch.setattr(module, "LARGEST", 23)
    run = algatt.dynamics.integrate(HOT, random_tokens(8, 3), until=0.02, samples=2, tolerance=1e-6)
    assert run.methods == ((0.0, "DOP853"),)
    monkeypatch.setattr(module, "LARGEST", 24)
    run = algatt.dynamics.integrate(HOT, random_tokens(8, 3), until=0.02, samples=2, tolerance=1e-6)
    assert len(run.methods) == 2


def test_events_end_stiff_runs_where_the_explicit_method_has_them():
    warm = SphereFlow((ScalarHead(1.0),), beta=4)
    stiff, explicit = (
        algatt.dynamics.integrate(warm, random_tokens(8, 3), until=1e3, clustered=1e-6, samples=2, method=method)
        for method in ("LSODA", "DOP853")
    )
    assert stiff.ending == explicit.ending == "clustered"
    assert stiff.times[-1] == pytest.approx(explicit.times[-1], rel=1e-7)
    assert algatt.dynamics.distance_from_cluster(stiff.final) == pytest.approx(1e-6, rel=1e-4)


def test_stiff_runs_are_saved_resumed_and_go_on_with_their_method(tmp_path):
    tokens = random_tokens(16, 2, seed=1)
    half = algatt.dynamics.integrate(CIRCLE, tokens, until=1e3)
    half.save(tmp_path / "run.npz")
    again = load_trajectory(tmp_path / "run.npz")
    assert again.methods == half.methods
    rest = algatt.dynamics.resume(again, until=1e5, samples=2)
    whole = algatt.dynamics.integrate(CIRCLE, tokens, until=1e5, samples=2)
    assert rest.methods == half.methods
    assert np.abs(rest.final - whole.final).max() < 1e-6
    with np.load(tmp_path / "run.npz") as stored:
        arrays = dict(stored)
    np.savez(tmp_path / "other.npz", **{**arrays, "method_names": np.array(["Euler", "Heun"])})
    with pytest.raises(algatt.errors.InvalidArgument, match="holds no trajectory"):
        load_trajectory(tmp_path / "other.npz")
    np.savez(tmp_path / "old.npz", **{name: array for name, array in arrays.items() if "method" not in name})
    assert load_trajectory(tmp_path / "old.npz").methods == ()


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", ["LSODA", "BDF", "Radau"])
def test_a_blow_up_is_told_by_implicit_methods(method):
    """One flat token, exponential weights: at E_1(1) / 2, as for the explicit ones."""
    from scipy.special import exp1

    flow = algatt.dynamics.FlatFlow((ScalarHead(1.0),))
    with pytest.raises(algatt.errors.IntegrationFailed) as caught:
        algatt.dynamics.integrate(flow, [[0.6], [0.8]], until=1.0, method=method, tolerance=1e-6, samples=2)
    assert caught.value.time == pytest.approx(exp1(1.0) / 2, rel=1e-4)


@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@pytest.mark.parametrize(
    "weights",
    [Exponential(2), Unnormalized(Exponential()), Unnormalized(ReLU())],
    ids=repr,
)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), beta=st.floats(0.1, 3))
def test_jacobians_are_limits_of_differences(kind, weights, seed, n, beta, plain):
    """Of the flow written out entry by entry, at tokens of any length, which the directions do not depend on."""
    rng = np.random.default_rng(seed)
    flow = kind((algatt.dynamics.MatrixHead(*rng.standard_normal((2, 3, 3))), ScalarHead(0.5)), weights, beta)
    slow, tokens = plain(flow, 3), random_tokens(n, 3, seed=seed)
    if kind is SphereFlow:
        tokens = tokens * rng.uniform(0.5, 2, n)

    def velocity(flat):
        y = flat.reshape(tokens.shape)
        sizes = np.linalg.norm(y, axis=0) if kind is SphereFlow else np.ones(n)
        return (sizes * slow.velocity(y / sizes)).ravel()

    exact = extended_jacobian(flow, tokens.ravel(), tokens.shape)
    differences = np.stack(
        [
            (velocity(tokens.ravel() + 1e-6 * e) - velocity(tokens.ravel() - 1e-6 * e)) / 2e-6
            for e in np.eye(tokens.size)
        ],
        axis=1,
    )
    rough = np.abs(exact - differences).max() / (1 + np.abs(exact).max())
    scores = [X.T @ head.matrices(3)[0] @ X for head in flow.heads for X in [tokens]]
    if not isinstance(weights, Unnormalized) or weights != Unnormalized(ReLU()) or np.abs(scores).min() > 1e-4:
        assert rough < 1e-7


def test_slopes_of_activations_by_dual_numbers():
    scores = np.linspace(-2, 2, 7)
    for activation, slope in (
        (Exponential(2), np.exp(scores / 2) / 2),
        (ReLU(), (scores > 0) * 1.0),
        (Softplus(), 1 / (1 + np.exp(-scores))),
    ):
        assert algatt.dynamics.activation_slopes(activation, scores) == pytest.approx(slope, rel=1e-14)


@pytest.mark.parametrize("method", ["LSODA", "BDF"])
def test_looser_tolerances_of_implicit_methods_take_fewer_steps(method):
    """They began anew after each step that ended 10^-6 from the sphere, which with loose tolerances was each step."""
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=2.0)
    runs = [
        algatt.dynamics.integrate(flow, random_tokens(8, 3), until=1.0, samples=2, method=method, tolerance=tolerance)
        for tolerance in (1e-3, 1e-5, 1e-8)
    ]
    assert runs[0].steps < runs[1].steps < runs[2].steps
    assert np.abs(runs[1].final - runs[2].final).max() < 1e-3


def test_the_energies_of_heads_are_parts_of_the_total_energy():
    run = algatt.dynamics.integrate(HOT, random_tokens(8, 3), until=1.0)
    rows = dict(algatt.verbs.summarize(run).rows)
    assert list(rows)[1:5] == ["ending", "method", "total energy", "  - head 1"]
    assert rows["ending"].startswith("reached t = 1, after")
