"""Runs with noise, against the law of Brownian motion on the sphere and an Ornstein-Uhlenbeck process."""

import numpy as np
import pytest

import algatt
from algatt.dynamics import (
    FlatFlow,
    MatrixHead,
    PreNormFlow,
    ScalarHead,
    SphereFlow,
    diffuse,
    integrate,
    load_trajectory,
    random_tokens,
    resume,
    states_at,
)
from algatt.dynamics.noise import heun_step, normal_numbers
from algatt.layers import Exponential

RESTING = SphereFlow((ScalarHead(0.0),))

FLOW = SphereFlow((ScalarHead(1.0),), Exponential(), 3.0)


def mean_of_a_step(d, h):
    """The mean of <x, y> after a step y from x without attention, exactly: by the quadratures of Gauss over the part of
    the increment along x, which is normal, and the length of the rest, whose square is of a gamma law.
    """
    import scipy.special

    along, weights = np.polynomial.hermite_e.hermegauss(24)
    squares, others = scipy.special.roots_genlaguerre(48, (d - 3) / 2)
    radii = np.sqrt(2 * squares)
    total = 0.0
    for a, w in zip(along, weights / weights.sum(), strict=True):
        x, increments = np.zeros((2, d, len(radii)))
        x[0], increments[0], increments[1] = 1.0, np.sqrt(h) * a, np.sqrt(h) * radii
        moved = heun_step(RESTING, x, h, increments)
        total += w * float((others / others.sum() * moved[0]).sum())
    return total


@pytest.mark.parametrize("d", [3, 8])
def test_the_weak_order_is_1_against_the_law_of_brownian_motion(d):
    """E x_t = exp(-(d - 1) t / 2) x_0, and the steps are independent and isotropic: their means are multiplied."""
    errors = [abs(mean_of_a_step(d, 1 / steps) ** steps - np.exp(-(d - 1) / 2)) for steps in (16, 32, 64)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert errors[1] < 0.12 * np.exp(-(d - 1) / 2)
    assert orders == pytest.approx([1.0, 1.0], abs=0.1)


def test_on_the_circle_noise_alone_is_exact():
    """A step turns by a normal angle, whose cosine has the mean exp(-h / 2)."""
    assert mean_of_a_step(2, 0.1) == pytest.approx(np.exp(-0.05), rel=1e-13)


@pytest.mark.parametrize("d", [2, 4])
def test_the_strong_order_on_the_sphere_is_a_half(d):
    least, most = 0.4, 0.7
    n, fine = 200, 256
    increments = normal_numbers(0, "test", fine * d * n).reshape(fine, d, n) / np.sqrt(fine)
    ends = []
    for steps in (256, 64, 16):
        state = np.tile(np.eye(d)[:, :1], n)
        for part in increments.reshape(steps, fine // steps, d, n).sum(axis=1):
            state = heun_step(RESTING, state, 1 / steps, part)
        ends.append(state)
    errors = [np.sqrt(np.square(end - ends[0]).sum(axis=0).mean()) for end in ends[1:]]
    assert least < np.log2(errors[1] / errors[0]) / 2 < most


def test_brownian_motion_on_the_sphere():
    """The mean of 500 tokens from one point; three standard errors of a coordinate are less than 0.08."""
    run = diffuse(RESTING, np.tile(np.eye(3)[:, :1], 500), noise=0.7, until=1.0, steps=20, samples=3)
    assert run.times.tolist() == [0.0, 0.5, 1.0]
    for time, state in zip(run.times, run.states, strict=True):
        assert state.mean(axis=1) == pytest.approx([np.exp(-0.49 * time), 0.0, 0.0], abs=0.08)
    assert np.abs(np.linalg.norm(run.final, axis=0) - 1).max() < 1e-14


def test_one_token_in_the_flat_space_is_an_ornstein_uhlenbeck_process():
    """Softmax of one token is 1, so x' = -x: the variance is (1 - e^(-2 t)) / 2, known to 7 % of 400 numbers."""
    flow = FlatFlow((MatrixHead(np.zeros((400, 400)), -np.eye(400)),), Exponential())
    run = diffuse(flow, np.zeros((400, 1)), noise=1.0, until=1.0, steps=50, samples=2)
    assert run.final.var() == pytest.approx((1 - np.exp(-2)) / 2, rel=0.2)
    assert abs(run.final.mean()) < 0.12


def test_with_little_noise_it_is_the_flow():
    for kind in (SphereFlow, FlatFlow, PreNormFlow):
        flow, tokens = kind((ScalarHead(1.0),), Exponential(), 3.0), random_tokens(6, 3)
        end = integrate(flow, tokens, until=1.0, samples=2).final
        quiet = [diffuse(flow, tokens, noise=1e-13, until=1.0, steps=steps, samples=2).final for steps in (50, 100)]
        errors = [np.abs(state - end).max() for state in quiet]
        assert errors[1] < 1e-4
        assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)  # of second order


def test_the_seed_names_the_noise_and_runs_are_saved_with_it(tmp_path):
    tokens = random_tokens(6, 3)
    one, two, other = (diffuse(FLOW, tokens, noise=0.5, until=1.0, steps=10, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.states, two.states)
    assert not np.allclose(one.final, other.final)
    assert (one.noise, one.seed, one.steps, one.methods) == (0.5, 1, 10, ((0.0, "Heun"),))
    one.save(tmp_path / "run.npz")
    again = load_trajectory(tmp_path / "run.npz")
    assert (again.noise, again.seed) == (0.5, 1)
    assert np.array_equal(again.states, one.states)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"a run with the noise 0\.5; it should be one without"):
        states_at(again, [0.5])


def test_a_run_in_parts_is_the_run_in_one():
    tokens = random_tokens(6, 3)
    whole = diffuse(FLOW, tokens, noise=0.5, until=1.0, steps=16, seed=4)
    parts = diffuse(FLOW, tokens, noise=0.5, until=0.25, steps=4, seed=4, samples=3)
    for until in (0.5, 1.0):
        parts = resume(parts, until=until)
    assert np.array_equal(parts.final, whole.final)
    assert (parts.times[:4].tolist(), len(parts.times)) == ([0.0, 0.125, 0.25, 0.3125], 3 + 4 + 8)
    attributes = ("noise", "seed", "steps", "evaluations", "step", "methods", "ending")
    assert [getattr(parts, name) for name in attributes] == [getattr(whole, name) for name in attributes]


def test_an_interrupted_run_goes_on_from_its_checkpoint(tmp_path):
    tokens, path = random_tokens(6, 3), tmp_path / "run.npz"

    def interrupt(done, total):
        if done == 7:
            raise KeyboardInterrupt

    options = {"noise": 0.5, "until": 1.0, "steps": 16, "samples": 2}
    with pytest.raises(KeyboardInterrupt) as caught:
        diffuse(FLOW, tokens, **options, checkpoint=path, progress=interrupt)
    assert caught.value.__notes__ == [f"the run so far is in {path}"]
    so_far = load_trajectory(path)
    assert (so_far.ending, so_far.steps, so_far.times.tolist()) == ("unfinished", 7, [0.0, 7 / 16])
    assert np.array_equal(resume(so_far, until=1.0).final, diffuse(FLOW, tokens, **options).final)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"until": 0.5},
            r"until was 0\.5; it should be later than the last state, at t = 1, by a whole number",
        ),
        ({"until": 1.25}, r"until was 1\.25; it should be later than the last state"),
        ({"until": 2.0, "method": "BDF"}, "method was given for a run with noise"),
        ({"until": 2.0, "tolerance": 1e-3}, "tolerance was given for a run with noise"),
        ({"until": 2.0, "clustered": 0.1}, "clustered was given for a run with noise"),
    ],
)
def test_runs_with_noise_go_on_in_their_steps(options, message):
    run = diffuse(FLOW, random_tokens(4, 3), noise=0.5, until=1.0, steps=10)
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        resume(run, **options)


def test_noise_holds_tokens_apart_that_attention_would_draw_together():
    tokens = random_tokens(32, 3, seed=1)
    far, near = (diffuse(FLOW, tokens, noise=s, until=20.0, steps=400, samples=2).final for s in (2.0, 0.1))
    assert np.linalg.norm(far.mean(axis=1)) < 0.5 < 0.95 < np.linalg.norm(near.mean(axis=1))


def test_the_increments_are_normal():
    x = normal_numbers(3, "test", 40001)
    moments = [np.mean(x**k) for k in range(1, 5)]
    assert moments == pytest.approx([0, 1, 0, 3], abs=0.12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"noise": 0.0}, "noise was 0"),
        ({"until": -1.0}, "until was -1"),
        ({"steps": 0}, "steps was 0"),
        ({"seed": -1}, "seed was -1"),
        ({"samples": 1}, "samples was 1"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        diffuse(FLOW, random_tokens(4, 3), **({"noise": 0.1, "until": 1.0, "steps": 5} | options))


def test_what_overflows_keeps_the_run_up_to_there():
    flow = FlatFlow((ScalarHead(1.0),), beta=2.0)
    with pytest.raises(algatt.errors.IntegrationFailed) as caught:
        diffuse(flow, random_tokens(4, 3), noise=0.1, until=10.0, steps=200)
    assert caught.value.trajectory.ending == "unfinished"
    assert np.isfinite(caught.value.trajectory.final).all()
