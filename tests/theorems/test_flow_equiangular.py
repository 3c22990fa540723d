"""The equiangular reduction (derived): tokens with one common angle keep one under scalar heads, and the cosine follows
a scalar equation.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import cosine_at, equiangular_tokens, random_tokens
from algatt.dynamics.statements import check_equiangular_reduction


def right_side(n, strengths, beta, g, weights):
    """The equation as the theory page states it."""
    lam = np.array(strengths)
    if weights == algatt.layers.Exponential():
        return 2 * (1 - g) * (1 + (n - 1) * g) * (lam / (np.exp(beta * lam * (1 - g)) + n - 1)).sum()
    w = (
        np.exp(beta * lam * g)
        if weights == algatt.layers.Unnormalized(algatt.layers.Exponential())
        else np.maximum(beta * lam * g, 0)
    )
    return 2 / n * (1 - g) * (1 + (n - 1) * g) * (lam * w).sum()


WEIGHTS = [
    algatt.layers.Unnormalized(algatt.layers.Exponential()),
    algatt.layers.Exponential(),
    algatt.layers.Unnormalized(algatt.layers.ReLU()),
]


@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
@given(
    n=st.integers(2, 8),
    g=st.floats(-0.1, 0.99),
    beta=st.floats(0.1, 3),
    strengths=st.lists(st.floats(-2, 2), min_size=1, max_size=3),
)
def test_the_equation_and_that_all_angles_change_alike(weights, n, g, beta, strengths):
    flow = algatt.dynamics.EquiangularFlow(strengths, n, weights, beta)
    expected = right_side(n, strengths, beta, g, weights)
    assert algatt.dynamics.velocity(flow, g) == pytest.approx(expected, rel=1e-10, abs=1e-12)
    X = equiangular_tokens(n, n, g)
    v = algatt.dynamics.velocity(flow.full, X)
    changes = (v.T @ X + X.T @ v)[~np.eye(n, dtype=bool)]
    assert changes == pytest.approx(np.full(n * (n - 1), expected), rel=1e-9, abs=1e-10 * np.exp(2 * beta))


@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
def test_solutions_agree_to_eight_digits(weights):
    for n, start in ((2, 0.1), (7, 0.3)):
        flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), n, weights, 1.5)
        assert check_equiangular_reduction(flow, start, 2.0).error < 1e-8


def test_nearly_orthogonal_random_tokens_follow_it_nearly():
    """In high dimension random tokens are nearly orthogonal: the mean cosine follows the equation from g = 0 to a few
    parts in sqrt(d).
    """
    n, d = 20, 4000
    flow = algatt.dynamics.EquiangularFlow((1.0,), n)
    run = algatt.dynamics.integrate(flow.full, random_tokens(n, d), until=1.0, samples=5, tolerance=1e-6)
    grams = np.swapaxes(run.states, 1, 2) @ run.states
    means = (grams.sum(axis=(1, 2)) - n) / (n * (n - 1))
    assert np.abs(means - cosine_at(flow, 0.0, run.times)).max() < 4 / np.sqrt(d)


def test_heads_that_are_not_scalar_break_the_angles():
    X = equiangular_tokens(3, 3, 0.2)
    v = algatt.dynamics.velocity(algatt.dynamics.SphereFlow((algatt.dynamics.ProjectorHead(np.eye(3)[:, :1]),)), X)
    changes = (v.T @ X + X.T @ v)[~np.eye(3, dtype=bool)]
    assert np.ptp(changes) > 0.1
