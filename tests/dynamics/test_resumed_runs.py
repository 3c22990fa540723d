"""Runs that are resumed, saved, loaded, interrupted, and written to checkpoints meanwhile."""

import itertools

import numpy as np
import pytest

import algatt
from algatt.dynamics import (
    load_trajectory,
    random_tokens,
    recorder,
    trajectory,
)

TWO = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)), beta=1.0)

X = random_tokens(8, 3, seed=2)


def test_a_resumed_run_is_the_whole_run():
    whole = algatt.dynamics.integrate(TWO, X, until=2.0, samples=9)
    half = algatt.dynamics.integrate(TWO, X, until=1.0, samples=5)
    rest = algatt.dynamics.resume(half, until=2.0, samples=5)
    assert np.allclose(rest.times, whole.times)
    assert np.allclose(rest.states, whole.states, atol=1e-8)
    assert rest.steps > half.steps
    assert np.array_equal(rest.states[:5], half.states)


def test_trajectories_are_saved_and_loaded(tmp_path):
    for number, flow in enumerate([*algatt.dynamics.SphereFlow.examples(), *algatt.dynamics.FlatFlow.examples()]):
        run = algatt.dynamics.integrate(flow, X, until=0.1, samples=3)
        path = tmp_path / f"{number}.npz"
        run.save(path)
        again = load_trajectory(path)
        assert again.flow == run.flow
        for name in ("times", "states", "energies", "shadows", "margins", "entropies"):
            assert np.array_equal(getattr(again, name), getattr(run, name))
        assert again.to_dict() == run.to_dict()
        assert algatt.dynamics.resume(again, until=0.11, samples=2).times[-1] == 0.11


def test_checkpoints_are_written_and_can_be_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder, "CHECKPOINT_SECONDS", 0.0)
    path = tmp_path / "run.npz"
    seen = []
    algatt.dynamics.integrate(
        TWO, X, until=2.0, checkpoint=path, progress=lambda done, total: seen.append(load_trajectory(path))
    )
    assert {part.ending for part in seen} == {"unfinished"}
    assert np.allclose(
        algatt.dynamics.resume(seen[1], until=2.0).final, algatt.dynamics.integrate(TWO, X, until=2.0).final, atol=1e-8
    )


def test_files_that_hold_no_trajectory_are_refused(tmp_path):
    with pytest.raises(algatt.errors.InvalidArgument, match="cannot be read"):
        load_trajectory(tmp_path / "missing.npz")
    (tmp_path / "text.npz").write_text("no trajectory")
    with pytest.raises(algatt.errors.InvalidArgument, match="cannot be read"):
        load_trajectory(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(algatt.errors.InvalidArgument, match="holds no trajectory"):
        load_trajectory(tmp_path / "other.npz")
    algatt.dynamics.integrate(TWO, X, until=0.1, samples=2).save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as stored:
        arrays = dict(stored)
    changes = [
        {"energies": arrays["energies"][:1]},
        {"heads": np.array(["OtherHead", "ScalarHead"])},
        {"ending": np.array("bored")},
    ]
    changes += [
        {"step": np.array(step)} for step in (-1.0, np.nan, np.inf)
    ]  # with a step of NaN a resumed run would never end
    changes += [
        {"times": arrays["times"][::-1]},
        {"times": arrays["times"] * np.nan},
        {"states": arrays["states"] * np.nan},
    ]
    changes += [{"states": arrays["states"].astype(str)}, {name: arrays[name][:0] for name in trajectory.ARRAYS}]
    for change in changes:
        np.savez(tmp_path / "broken.npz", **{**arrays, **change})
        with pytest.raises(algatt.errors.InvalidArgument, match="holds no trajectory"):
            load_trajectory(tmp_path / "broken.npz")


def test_a_resumed_run_begins_with_the_step_that_would_come_next():
    half = algatt.dynamics.integrate(TWO, X, until=1.0)
    rest = algatt.dynamics.resume(half, until=10.0)
    first = 4 * (rest.times[len(half.times)] - half.times[-1])
    assert first == pytest.approx(half.step, rel=1e-9)


def test_an_interrupted_run_leaves_its_checkpoint(tmp_path):
    path = tmp_path / "run.npz"

    def interrupt(done, total):
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        algatt.dynamics.integrate(TWO, X, until=2.0, checkpoint=path, progress=interrupt)
    part = load_trajectory(path)
    assert part.ending == "unfinished"
    assert 0.6 < part.times[-1] < 2.0
    assert np.allclose(
        algatt.dynamics.resume(part, until=2.0).final, algatt.dynamics.integrate(TWO, X, until=2.0).final, atol=1e-8
    )


def test_a_run_with_few_samples_is_not_lost_when_it_is_interrupted(tmp_path):
    """The checkpoint says how far the run has come, though that is no state that was asked for."""
    path = tmp_path / "run.npz"

    def interrupt(done, total):
        if done > 600:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        algatt.dynamics.integrate(TWO, X, until=2.0, samples=2, checkpoint=path, progress=interrupt)
    part = load_trajectory(path)
    assert len(part.times) == 2
    assert part.times[-1] > 1.2
    assert np.allclose(part.energies[-1], algatt.dynamics.energy(TWO, part.final), rtol=1e-12)
    whole, rest = (
        algatt.dynamics.integrate(TWO, X, until=2.0, samples=2),
        algatt.dynamics.resume(part, until=2.0, samples=[2.0]),
    )
    assert np.allclose(rest.final, whole.final, atol=1e-9)
    assert rest.steps <= whole.steps + 1


def test_a_checkpoint_that_cannot_be_written_does_not_hide_why_the_run_ended():
    flow = algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),))
    with pytest.raises(algatt.errors.IntegrationFailed) as caught:
        algatt.dynamics.integrate(flow, [[0.6], [0.8]], until=1.0, checkpoint="/dev/full")
    assert caught.value.trajectory.ending == "unfinished"
    assert caught.value.__notes__ == ["cannot write /dev/full: No space left on device"]


def test_a_resumed_run_goes_on_counting():
    half = algatt.dynamics.integrate(TWO, X, until=1.0)
    rest = algatt.dynamics.resume(half, until=1.0 + 1e-9, tolerance=1e-3)
    assert rest.steps == half.steps + 1
    assert rest.evaluations > half.evaluations
    assert rest.departure == half.departure > 0


def test_checkpoints_are_a_minute_apart(tmp_path, monkeypatch):
    """By a clock that goes on by 25 seconds whenever it is looked at."""
    seconds = itertools.count(0, 25)
    written = []
    monkeypatch.setattr(recorder.time, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(algatt.dynamics.Trajectory, "save", lambda run, path: written.append(run.times[-1]))
    run = algatt.dynamics.integrate(TWO, X, until=3.0, checkpoint=tmp_path / "run.npz")
    # the clock is looked at once in each step and once in each writing: at 25, 50, 75 and written at 100, so at every
    # third step
    assert len(written) == (run.steps - 1) // 3
