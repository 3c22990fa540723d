"""Runs of a flow: against solutions in closed form and another integrator, on the sphere, with events, and refused."""

import json
import sys

import numpy as np
import pytest
import scipy.integrate

import algatt
from algatt.dynamics import (
    distance_from_cluster,
    equiangular_tokens,
    random_tokens,
)

TWO = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)), beta=1.0)

X = random_tokens(8, 3, seed=2)


def angle_of_two_tokens(start, times):
    """Two softmax tokens of one scalar head, beta so small that the weights are 1/2: g' = (1 - g)(1 + g), so g = tanh(t
    + artanh g_0).
    """
    return np.tanh(np.array(times) + np.arctanh(start))


def test_two_tokens_with_equal_weights_follow_the_hyperbolic_tangent():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=1e-13)
    run = algatt.dynamics.integrate(flow, equiangular_tokens(2, 2, 0.1), until=3.0, samples=7)
    assert np.allclose(run.times, np.linspace(0, 3, 7))
    cosines = [state[:, 0] @ state[:, 1] for state in run.states]
    assert np.allclose(cosines, angle_of_two_tokens(0.1, run.times), atol=1e-9)


def test_the_flat_flow_of_one_relu_token_is_a_power():
    # x' = beta |x|^2 x: |x|^-2 falls by 2 beta t.
    flow = algatt.dynamics.FlatFlow(
        (algatt.dynamics.ScalarHead(1.0),), algatt.layers.Unnormalized(algatt.layers.ReLU()), beta=0.5
    )
    run = algatt.dynamics.integrate(flow, [[0.6], [0.8]], until=0.75, samples=4)
    assert np.allclose(np.linalg.norm(run.states[:, :, 0], axis=1), (1 - run.times) ** -0.5, rtol=1e-9)
    assert run.departure == 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("flow", [TWO, *algatt.dynamics.SphereFlow.examples()[1:]], ids=repr)
def test_runs_agree_with_an_implicit_method_on_the_written_out_flow(flow, plain):
    slow = plain(flow, 3)
    tokens = X[:, :4]

    def rate(_, flat):
        y = flat.reshape(tokens.shape)
        return slow.velocity(y / np.linalg.norm(y, axis=0)).ravel()

    other = scipy.integrate.solve_ivp(rate, (0, 0.4), tokens.ravel(), method="RK45", rtol=1e-8, atol=1e-9)
    run = algatt.dynamics.integrate(flow, tokens, until=0.4)
    assert np.allclose(run.final, other.y[:, -1].reshape(tokens.shape), atol=3e-6)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "RK23"])
def test_all_states_are_on_the_sphere(method):
    tolerance = 1e-10 if method == "DOP853" else 1e-6
    run = algatt.dynamics.integrate(TWO, X, until=3.0, method=method, tolerance=tolerance)
    assert np.abs(np.linalg.norm(run.states, axis=1) - 1).max() < 1e-12
    assert 0 < run.departure < 1e2 * tolerance


def test_looser_tolerances_take_fewer_steps_to_nearly_the_same_state():
    fine, coarse = (
        algatt.dynamics.integrate(TWO, X, until=2.0, samples=2, tolerance=tolerance) for tolerance in (1e-11, 1e-5)
    )
    assert coarse.steps < fine.steps
    assert 1e-13 < np.abs(coarse.final - fine.final).max() < 1e-3


def test_what_is_recorded_is_what_the_verbs_say():
    run = algatt.dynamics.integrate(TWO, X, until=1.0, samples=3)
    assert run.states.shape == (3, 3, 8)
    for k, state in enumerate(run.states):
        assert np.allclose(run.energies[k], algatt.dynamics.energy(TWO, state), rtol=1e-12)
        assert np.allclose(run.shadows[k], algatt.dynamics.radial_shadow(TWO, state), rtol=1e-12)
        assert np.allclose(run.margins[k], algatt.dynamics.radial_dominance(TWO, state), rtol=1e-9)
        assert np.allclose(run.entropies[k], algatt.dynamics.entropy(TWO, state), rtol=1e-12)
    assert np.array_equal(run.total_energies, run.energies.sum(axis=1))
    assert np.array_equal(run.final, run.states[-1])


def test_four_states_are_recorded_in_each_step_unless_samples_are_given():
    run = algatt.dynamics.integrate(TWO, X, until=1.0)
    assert len(run.times) == 4 * run.steps + 1
    assert (np.diff(run.times) > 0).all()
    assert (run.times[0], run.times[-1]) == (0, 1)
    chosen = algatt.dynamics.integrate(TWO, X, until=1.0, samples=[0.25, 0.5])
    assert chosen.times.tolist() == [0, 0.25, 0.5, 1]
    assert np.allclose(chosen.states[1], algatt.dynamics.integrate(TWO, X, until=0.25, samples=2).final, atol=1e-8)


def test_a_run_ends_when_the_tokens_are_clustered():
    run = algatt.dynamics.integrate(TWO, X, until=100.0, clustered=1e-4)
    assert run.ending == "clustered"
    assert distance_from_cluster(run.final) == pytest.approx(1e-4, rel=1e-6)
    assert all(distance_from_cluster(state) > 1e-4 for state in run.states[:-1])
    cosines = run.final.T @ (run.final.mean(axis=1) / np.linalg.norm(run.final.mean(axis=1)))
    assert cosines.min() == pytest.approx(1 - 1e-4, abs=1e-9)


def test_a_run_ends_when_nothing_moves():
    run = algatt.dynamics.integrate(TWO, X, until=100.0, stationary=1e-3)
    assert run.ending == "stationary"
    assert np.linalg.norm(algatt.dynamics.velocity(TWO, run.final), axis=0).max() == pytest.approx(1e-3, rel=1e-5)


def test_the_earlier_event_counts():
    # beyond the first 0.1 or so the speed is larger than the distance: the loose one of two levels is met first
    assert algatt.dynamics.integrate(TWO, X, until=100.0, clustered=0.1, stationary=1e-9).ending == "clustered"
    assert algatt.dynamics.integrate(TWO, X, until=100.0, clustered=1e-12, stationary=0.1).ending == "stationary"


def test_a_state_at_rest_ends_at_once():
    together = np.tile([[0.6], [0.8]], 3)
    for options in ({"clustered": 1e-6}, {"stationary": 1e-6}):
        run = algatt.dynamics.integrate(TWO, together, until=5.0, **options)
        assert (run.times.tolist(), run.ending, run.steps) == ([0.0], next(iter(options)), 0)


def test_opposite_tokens_have_no_mean_and_are_no_cluster():
    assert distance_from_cluster(np.array([[1.0, -1.0], [0.0, 0.0]])) == 1.0


def test_progress_grows_to_its_end():
    calls = []
    algatt.dynamics.integrate(TWO, X, until=1.0, progress=lambda *call: calls.append(call))
    assert [total for _, total in calls] == [1000] * len(calls)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == 1000


def test_a_flat_flow_that_blows_up_is_told_with_its_part():
    # One token: x' = x exp(|x|^2), so y = |x|^2 has y' = 2 y exp(y): blow-up at (1/2) int_1^inf exp(-y) / y dy = E_1(1)
    # / 2.
    flow = algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),))
    with pytest.raises(algatt.errors.IntegrationFailed, match=r"cannot be followed beyond t = 0\.1096") as caught:
        algatt.dynamics.integrate(flow, [[0.6], [0.8]], until=1.0)
    from scipy.special import exp1

    assert caught.value.time == pytest.approx(exp1(1.0) / 2, rel=1e-6)
    assert caught.value.trajectory.ending == "unfinished"
    assert caught.value.trajectory.times[-1] <= caught.value.time


def test_softmax_runs_go_on_where_their_energy_overflows():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=2000.0)
    run = algatt.dynamics.integrate(flow, X, until=0.1, samples=2)
    assert np.isinf(run.energies).all()
    assert json.loads(json.dumps(run.to_dict(), allow_nan=False))["total_energies"] == [None, None]


def test_tokens_are_normalised_only_if_asked():
    with pytest.raises(algatt.errors.InvalidArgument, match="column 0 has length 3"):
        algatt.dynamics.integrate(TWO, 3 * X, until=1.0)
    assert np.allclose(
        algatt.dynamics.integrate(TWO, 3 * X, until=1.0, normalise=True).final,
        algatt.dynamics.integrate(TWO, X, until=1.0).final,
        atol=1e-9,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"until": 0.0}, "until was 0"),
        ({"until": float("inf")}, "until was inf"),
        ({"until": 1.0, "samples": 1}, "samples was 1"),
        ({"until": 1.0, "samples": [0.5, 0.2]}, "samples was"),
        ({"until": 1.0, "samples": "many"}, "samples was 'many'; it should be a number of states, or increasing times"),
        ({"until": 1.0, "samples": [0.5, 2.0]}, "increasing times from 0 to 1"),
        ({"until": 1.0, "tolerance": 0.0}, "tolerance was 0"),
        ({"until": 1.0, "tolerance": 1e-20}, "tolerance was 1e-20"),
        ({"until": 1.0, "method": "Euler"}, "method was 'Euler'; it should be one of auto, DOP853"),
        ({"until": 1.0, "clustered": 0.0}, "clustered was 0"),
        ({"until": 1.0, "stationary": -1.0}, "stationary was -1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.dynamics.integrate(TWO, X, **options)


def test_other_refusals(tmp_path):
    with pytest.raises(algatt.errors.InvalidArgument, match=r"clustered was 0\.1, for a FlatFlow"):
        algatt.dynamics.integrate(
            algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),)), X, until=0.1, clustered=0.1
        )
    with pytest.raises(algatt.errors.InvalidArgument, match="overflows"):
        algatt.dynamics.integrate(
            algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=2000.0), X, until=0.1
        )
    with pytest.raises(algatt.errors.InvalidArgument, match="later than the last state, at t = 1"):
        algatt.dynamics.resume(algatt.dynamics.integrate(TWO, X, until=1.0, samples=2), until=0.5)
    with pytest.raises(algatt.errors.OutputError):
        algatt.dynamics.integrate(TWO, X, until=1.0, checkpoint=tmp_path / "missing" / "run.npz")


@pytest.mark.sample(0)
def test_departures_do_not_add_up_on_a_long_way():
    """One token that turns for ever, x' = V x: without the projection its length would drift with every step."""
    turning = algatt.dynamics.SphereFlow(
        (algatt.dynamics.MatrixHead(np.zeros((2, 2)), [[0.0, -1.0], [1.0, 0.0]]),), algatt.layers.Exponential()
    )
    short, long = (
        algatt.dynamics.integrate(turning, [[1.0], [0.0]], until=until, samples=2, tolerance=1e-6, method="RK45")
        for until in (2.0, 200.0)
    )
    assert long.steps > 50 * short.steps
    assert long.departure < 2 * short.departure
    assert np.allclose(long.final[:, 0], [np.cos(200.0), np.sin(200.0)], atol=1e-3)


def test_of_two_events_in_one_step_the_earlier_counts():
    at = algatt.dynamics.integrate(TWO, X, until=100.0, clustered=1e-3)
    speed = np.linalg.norm(algatt.dynamics.velocity(TWO, at.final), axis=0).max()
    for factor, ending in ((0.999, "clustered"), (1.001, "stationary")):
        run = algatt.dynamics.integrate(TWO, X, until=100.0, clustered=1e-3, stationary=factor * speed)
        assert run.ending == ending
        assert run.steps == at.steps
        assert run.times[-1] == pytest.approx(at.times[-1], abs=1e-2)


def test_a_blow_up_with_few_samples_has_its_last_state():
    with pytest.raises(algatt.errors.IntegrationFailed) as caught:
        algatt.dynamics.integrate(
            algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),)), [[0.6], [0.8]], until=1.0, samples=2
        )
    assert caught.value.trajectory.times[-1] == pytest.approx(caught.value.time, rel=1e-6)


def test_each_step_begins_with_the_velocity_at_the_projected_state(monkeypatch):
    """The steppers reuse the velocity at the end of a step, which the projection has moved."""
    begun = []
    module = sys.modules["algatt.dynamics.integrate"]  # the verb has its name in the package
    true = module.take_step

    def watched(run):
        begun.append((run.stepper.inner.y.reshape(X.shape).copy(), run.stepper.inner.f.reshape(X.shape).copy()))
        return true(run)

    monkeypatch.setattr(module, "take_step", watched)
    run = algatt.dynamics.integrate(TWO, X, until=3.0, method="RK45", tolerance=1e-3)
    assert run.departure > 1e-6
    assert len(begun) > 2
    for state, velocity in begun:
        assert np.abs(velocity - algatt.dynamics.velocity(TWO, state)).max() < 1e-15 * 10


@pytest.mark.filterwarnings("error")
def test_a_summary_has_no_number_that_json_does_not_have():
    """At beta = 400 exp(beta s) is finite and its square, in the margins, is not."""
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(1.0)), beta=400.0)
    run = algatt.dynamics.integrate(flow, X[:, :1], until=1.0, clustered=1e-6, stationary=1e-6)
    assert json.loads(json.dumps(run.to_dict(), allow_nan=False))["least_margin"] is None
