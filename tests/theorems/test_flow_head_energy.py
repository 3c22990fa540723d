"""Energies of single orthogonal heads (derived): their rates by outputs and shadows, on the sphere and in the flat
space.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import random_tokens
from algatt.dynamics.statements import check_head_energy_rates


def orthogonal_heads(seed, d, ranks):
    """Symmetric matrices with ranges that are orthogonal: blocks of a random orthonormal basis, with eigenvalues of
    both signs.
    """
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.standard_normal((d, d)))
    ends = np.cumsum([0, *ranks])
    matrices = []
    for a, b in pairwise(ends):
        M = basis[:, a:b] * rng.uniform(-1.5, 1.5, b - a) @ basis[:, a:b].T
        matrices.append(M + M.T)
    return matrices


def rates_written_out(matrices, X, beta, sphere):
    n = X.shape[1]
    f = np.stack([np.einsum("ij,aj->ai", np.exp(beta * X.T @ M @ X), M @ X) for M in matrices])
    if not sphere:
        return np.einsum("hai,hai->h", f, f) / n**3
    s = np.einsum("ai,hai->hi", X, f)
    tangential = np.einsum("hai,hai->hi", f, f) - s**2
    others = s.sum(axis=0) - s
    return (tangential - s * others).sum(axis=1) / n**3


@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@given(
    seed=st.integers(0, 10**6),
    ranks=st.lists(st.integers(1, 3), min_size=2, max_size=3),
    n=st.integers(1, 8),
    beta=st.floats(0.05, 2),
)
def test_the_rates_of_the_heads(kind, seed, ranks, n, beta):
    d = sum(ranks) + seed % 2
    matrices = orthogonal_heads(seed, d, ranks)
    flow, X = kind([algatt.dynamics.MatrixHead(M) for M in matrices], beta=beta), random_tokens(n, d, seed=seed)
    expected = rates_written_out(matrices, X, beta, kind is algatt.dynamics.SphereFlow)
    scale = np.abs(algatt.dynamics.head_outputs(flow, X)).max() ** 2 / n**2
    assert algatt.dynamics.energy_rate(flow, X) == pytest.approx(expected, rel=1e-10, abs=1e-10 * scale)
    assert check_head_energy_rates(flow, X).verdict == "holds"


def test_in_the_flat_space_no_head_loses_energy():
    for seed in range(20):
        flow = algatt.dynamics.FlatFlow([algatt.dynamics.MatrixHead(M) for M in orthogonal_heads(seed, 6, (2, 2, 2))])
        assert (algatt.dynamics.energy_rate(flow, random_tokens(5, 6, seed=seed)) >= 0).all()


def test_heads_that_are_not_orthogonal_have_other_rates():
    M, N = np.diag([1.0, 0.5, 0.0]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    flow, X = (
        algatt.dynamics.SphereFlow((algatt.dynamics.MatrixHead(M), algatt.dynamics.MatrixHead(N))),
        random_tokens(5, 3),
    )
    check = check_head_energy_rates(flow, X)
    assert check.verdict == "does not apply"
    assert ("orthogonal heads", False) in check.hypotheses
    assert check.error > 1e-3
    assert np.abs(algatt.dynamics.energy_rate(flow, X) - rates_written_out([M, N], X, 1.0, True)).max() > 1e-2


def test_the_rates_of_the_heads_add_up_to_the_total():
    matrices = orthogonal_heads(7, 5, (2, 3))
    flow, X = algatt.dynamics.SphereFlow([algatt.dynamics.MatrixHead(M) for M in matrices]), random_tokens(6, 5)
    speed = np.square(algatt.dynamics.velocity(flow, X)).sum() / 6
    assert rates_written_out(matrices, X, 1.0, True).sum() == pytest.approx(speed, rel=1e-12)
