"""Nearly orthogonal heads (P; the bound derived): the rate of a head is at least its margins less eps |f||f'|."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import random_tokens
from algatt.dynamics.statements import check_approximate_orthogonality


def projectors(strengths, rank):
    axes = np.eye(rank * len(strengths))
    return [
        algatt.dynamics.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength)
        for h, strength in enumerate(strengths)
    ]


@given(seed=st.integers(0, 10**6), noise=st.floats(0, 0.3), n=st.integers(1, 7))
def test_nearly_orthogonal_heads_lose_at_most_what_the_bound_says(seed, noise, n):
    rng = np.random.default_rng(seed)
    matrices = [head.matrices(4)[0] for head in projectors((1.0, 0.8), 2)]
    matrices = [M + noise * (E + E.T) for M, E in zip(matrices, rng.standard_normal((2, 4, 4)), strict=True)]
    flow, X = (
        algatt.dynamics.SphereFlow([algatt.dynamics.MatrixHead(M) for M in matrices], beta=0.5),
        random_tokens(n, 4, seed=seed),
    )
    f = np.stack([np.einsum("ij,aj->ai", np.exp(0.5 * X.T @ M @ X), M @ X) for M in matrices])
    sizes = np.sqrt(np.einsum("hai,hai->hi", f, f))
    pair = sizes[0] * sizes[1]
    epsilon = (np.abs(np.einsum("ai,ai->i", f[0], f[1])) / pair).max()
    s = np.einsum("ai,hai->hi", X, f)
    least = (sizes**2 - s**2 - np.abs(s[0] * s[1]) - epsilon * pair).sum(axis=1) / n**3
    assert (algatt.dynamics.energy_rate(flow, X) >= least - 1e-12 * (sizes**2).max()).all()
    check = check_approximate_orthogonality(flow, X)
    assert check.holds is not False
    assert check.margin == pytest.approx(
        (algatt.dynamics.energy_rate(flow, X) - least).min(), abs=1e-12 * (sizes**2).max()
    )


def test_one_head_has_no_others():
    assert (
        check_approximate_orthogonality(algatt.dynamics.SphereFlow(projectors((1.0,), 4)), random_tokens(4, 4)).verdict
        == "does not apply"
    )


def test_orthogonal_heads_need_no_epsilon():
    """With eps = 0 the bound is the mean margin; the check finds it from the outputs."""
    flow, X = algatt.dynamics.SphereFlow(projectors((1.0, 0.8), 2), beta=0.5), random_tokens(6, 4)
    least = algatt.dynamics.radial_dominance(flow, X).sum(axis=1) / 6**3
    assert np.isclose(
        check_approximate_orthogonality(flow, X).margin,
        (algatt.dynamics.energy_rate(flow, X) - least).min(),
        rtol=1e-12,
    )
