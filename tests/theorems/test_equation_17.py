"""HMK Equations 17 and 18 and the recovery of Proposition A.5 step by step, modulo a prime and from values alone."""

from __future__ import annotations

import numpy as np
import pytest

import algatt


def values(arch, theta, p, *tokens):
    """Return the value at given tokens, and zeros behind them."""
    X = np.zeros((arch.dims[0], arch.tokens), dtype=np.int64)
    X[:, : len(tokens)] = np.array(tokens).T
    return np.array(algatt.evaluate(arch, theta, X % p).tolist(), dtype=object)


@pytest.fixture(params=[((3, 2), 2, 2), ((2, 3), 1, 3), ((4, 1), 4, 2)])
def layer(request):
    dims, rank, tokens = request.param
    arch, p = algatt.Lightning(dims, (rank,), tokens), 8388593
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.PrimeField(p), seed=1)
    A, V = (np.array(matrix.tolist(), dtype=object) for matrix in theta.layers[0])
    x, y = np.random.default_rng(2).integers(0, p, (2, dims[0])).astype(object)
    return arch, p, theta, A, V, x, y


def test_equation_17_is_what_one_token_sees(layer):
    arch, p, theta, A, V, x, _ = layer
    assert (values(arch, theta, p, x)[:, 0] == (x @ A @ x) * (V @ x) % p).all()


def test_equation_18_is_what_is_left_of_two(layer):
    """The column of x at the tokens (x, y), less Equation 17, is (y^T A x) V y."""
    arch, p, theta, A, V, x, y = layer
    left = values(arch, theta, p, x, y)[:, 0] - values(arch, theta, p, x)[:, 0]
    assert (left % p == (y @ A @ x) * (V @ y) % p).all()


def test_the_recovery_step_by_step(layer):
    """Equation 18 at x = e_k is the tuple of (a_k . y)(v_m . y); its values at e_i and e_i + e_j are coefficients."""
    arch, p, theta, A, V, _, _ = layer
    d, e = arch.dims
    unit = np.eye(d, dtype=np.int64)
    forms = np.array(algatt.geometry.quadratic_forms(arch, theta).coefficients.tolist(), dtype=object)

    def form(k, y):
        return (values(arch, theta, p, unit[k], y)[:, 0] - values(arch, theta, p, unit[k])[:, 0]) % p

    for k in range(d):
        for i in range(d):
            assert (form(k, unit[i]) == A[i, k] * V[:, i] % p).all()
            assert (forms[k, :, i, i] == form(k, unit[i])).all()
            for j in range(i + 1, d):
                mixed = (form(k, unit[i] + unit[j]) - form(k, unit[i]) - form(k, unit[j])) % p
                assert (mixed == (A[i, k] * V[:, j] + A[j, k] * V[:, i]) % p).all()
                assert (forms[k, :, i, j] == mixed).all()
    assert e == forms.shape[1]
