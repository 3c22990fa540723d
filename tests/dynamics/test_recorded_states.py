"""How many states a run has unless samples are given, and states at times that were not recorded."""

import numpy as np
import pytest

import algatt
from algatt.dynamics import ScalarHead, SphereFlow, random_tokens, recorder, states_at

FLOW = SphereFlow((ScalarHead(1.0),), beta=2.0)

X = random_tokens(6, 3)


@pytest.mark.parametrize("most", [5, 20])
def test_a_long_run_has_a_bounded_number_of_states(most, monkeypatch):
    monkeypatch.setattr(recorder, "MOST", most)
    run = algatt.dynamics.integrate(FLOW, X, until=3.0, method="RK23", tolerance=1e-6)
    assert run.steps > 3 * most
    assert most / 5 <= len(run.times) <= most + 5
    assert (run.times[0], run.times[-1]) == (0, 3)
    assert (np.diff(run.times) > 0).all()
    fine = algatt.dynamics.integrate(FLOW, X, until=3.0, samples=run.times, method="RK23", tolerance=1e-6)
    assert np.abs(run.states - fine.states).max() < 1e-12
    rest = algatt.dynamics.resume(run, until=3.5, method="RK23", tolerance=1e-6)
    assert np.array_equal(rest.states[: len(run.times)], run.states)
    assert len(rest.times) <= len(run.times) + most + 5


def test_states_at_any_times_are_those_of_a_run_that_records_them():
    times = [0.0, 0.1, 0.25, 0.8, 1.0]
    run = algatt.dynamics.integrate(FLOW, X, until=1.0, samples=3)
    recorded = algatt.dynamics.integrate(FLOW, X, until=1.0, samples=times)
    found = states_at(run, times)
    assert np.abs(found - recorded.states).max() < 1e-8
    assert np.array_equal(found[0], run.states[0])
    assert np.array_equal(found[-1], run.final)


@pytest.mark.parametrize("times", [[], [0.5, 0.2], [-0.1], [1.5], ["soon"], [[0.1]], [float("nan")]])
def test_times_that_are_none_of_the_run_are_refused(times):
    run = algatt.dynamics.integrate(FLOW, X, until=1.0, samples=2)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"times was .*increasing times from 0 to 1"):
        states_at(run, times)
