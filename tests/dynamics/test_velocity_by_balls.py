"""Velocities, rates and margins against the definition in balls of 900 bits, where rounding once drowned the force."""

from __future__ import annotations

import flint
import numpy as np
import pytest

import algatt
from algatt.dynamics import LowRankHead, MatrixHead, ProjectorHead, ScalarHead, SphereFlow, normalised, random_tokens
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

BITS = 900

PLANE = np.array([[1.0, 0.5], [0.25, -1.0]])


def balls(matrix):
    return flint.arb_mat([[flint.arb(float(entry)) for entry in row] for row in matrix])


def exact_outputs(flow, X):
    """Return P_i sum_j w_ij V x_j of each head as ball matrices, and w_ij, by their definition at the floats X."""
    n, results = X.shape[1], []
    tokens = balls(X)
    for head in flow.heads:
        M, V = (balls(matrix) for matrix in head.matrices(len(X)))
        scores, values = tokens.transpose() * M * tokens, V * tokens
        columns = []
        for i in range(n):
            raw = [flint.arb(flow.beta) * scores[i, j] for j in range(n)]
            if flow.weights == Unnormalized(ReLU()):
                weights = [s if s > 0 else flint.arb(0) for s in raw]
            else:
                weights = [s.exp() for s in raw]
            if flow.mask is not None:
                weights[i + 1 :] = [flint.arb(0)] * (n - i - 1)
            total = sum(weights, start=flint.arb(0)) if flow.weights == Exponential() else flint.arb(1)
            force = values * flint.arb_mat([[w / total] for w in weights])
            own = flint.arb_mat([[tokens[a, i]] for a in range(len(X))])
            radial = (own.transpose() * force)[0, 0] / (own.transpose() * own)[0, 0]
            columns.append(force - own * radial)
        results.append(columns)
    return results


def exact_velocity(flow, X):
    outputs, n = exact_outputs(flow, X), X.shape[1]
    divisor = 1 if flow.weights == Exponential() else n
    totals = [sum((one[i] for one in outputs[1:]), start=outputs[0][i]) for i in range(n)]
    return [total / flint.arb(divisor) for total in totals]


def square(vector):
    return (vector.transpose() * vector)[0, 0]


def errors_and_speeds(flow, X, velocity):
    """Return |computed - exact| and |exact| of each token."""
    errors, speeds = [], []
    for i, exact in enumerate(exact_velocity(flow, X)):
        difference = balls(velocity[:, [i]]) - exact
        errors.append(float(square(difference).upper()) ** 0.5)
        speeds.append(float(square(exact).upper()) ** 0.5)
    return np.array(errors), np.array(speeds)


@pytest.fixture(autouse=True)
def precision():
    before, flint.ctx.prec = flint.ctx.prec, BITS
    yield
    flint.ctx.prec = before


HEADS = {
    "scalar": ScalarHead(1.0),
    "repulsive": ScalarHead(-1.0),
    "a multiple of the identity": MatrixHead(np.eye(2), 0.3 * np.eye(2)),
    "any values": MatrixHead(np.eye(2), PLANE),
    "a projector": ProjectorHead(np.eye(2)[:, :1]),
    "a narrow head": LowRankHead(PLANE[:1], PLANE[:1], PLANE[1:], PLANE[:, :1]),
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential()), Unnormalized(ReLU())], ids=repr)
@pytest.mark.parametrize("beta", [1.0, 60.0, 100.0])
@pytest.mark.parametrize("angle", [1e-3, 1.0, 2.5, 3.14])
def test_two_tokens_at_any_beta(angle, beta, weights, head):
    flow, X = SphereFlow((head,), weights, beta), normalised([[1.0, np.cos(angle)], [0.0, np.sin(angle)]])
    errors, speeds = errors_and_speeds(flow, X, algatt.dynamics.velocity(flow, X))
    assert (errors <= 1e-12 * speeds).all()


def test_two_tokens_at_beta_60_are_equally_fast():
    """|v| = e^(60 cos) sin / 2 of both; one of them was 8.6e9."""
    X = normalised([[0.6, 0.8], [0.8, -0.55]])
    cosine = float(X[:, 0] @ X[:, 1])
    speeds = np.linalg.norm(algatt.dynamics.velocity(SphereFlow((ScalarHead(1.0),), beta=60), X), axis=0)
    assert np.allclose(speeds, np.exp(60 * cosine) * np.sqrt(1 - cosine**2) / 2, rtol=1e-11)


@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential())], ids=repr)
@pytest.mark.parametrize(
    ("count", "dimension", "width", "mask"),
    [(6, 3, 1.0, None), (6, 3, 1e-9, Causal()), (40, 24, 1.0, None), (40, 24, 1e-3, Causal())],
)
def test_many_tokens_in_blocks_and_clusters_and_behind_a_mask(count, dimension, width, mask, weights):
    """40 tokens in dimension 24 are more than are summed at once."""
    centre = random_tokens(1, dimension, seed=1)
    X = normalised((1 - width) * centre + width * random_tokens(count, dimension))
    heads = (ScalarHead(1.0), ScalarHead(-0.5))
    flow = SphereFlow(heads, weights, 50.0, mask)
    errors, speeds = errors_and_speeds(flow, X, algatt.dynamics.velocity(flow, X))
    assert (errors <= 1e-9 * speeds).all()


def test_blocks_of_rows_agree_with_one_block(monkeypatch):
    flow, X = SphereFlow((ScalarHead(1.0),), Exponential(), 40.0, Causal()), random_tokens(9, 3)
    whole = algatt.dynamics.velocity(flow, X)
    monkeypatch.setattr("algatt.dynamics.blocks.BLOCK", 60)
    assert np.allclose(algatt.dynamics.velocity(flow, X), whole, rtol=1e-12, atol=0)


def test_antipodal_and_equal_tokens_are_at_rest():
    x = random_tokens(1, 5)
    for weights in (Exponential(), Unnormalized(Exponential())):
        flow = SphereFlow((ScalarHead(1.0),), weights, 80.0)
        assert not algatt.dynamics.velocity(flow, np.hstack([x, -x, x])).any()


def test_margins_and_rates_at_beta_60():
    """Of one head the margin is |P f|^2, and the total energy grows by the mean of |x'|^2."""
    flow, X = SphereFlow((ScalarHead(1.0),), beta=60.0), random_tokens(5, 3)
    squares = [float(square(vector).mid()) for vector in exact_outputs(flow, X)[0]]
    assert np.allclose(algatt.dynamics.radial_dominance(flow, X)[0], squares, rtol=1e-10, atol=0)
    rate = sum(squares) / 5**3
    assert np.allclose(algatt.dynamics.energy_rate(flow, X), rate, rtol=1e-10, atol=0)
    before = algatt.dynamics.PreNormFlow(flow.heads, flow.weights, flow.beta)
    assert np.allclose(algatt.dynamics.energy_rate(before, 2 * X), rate / 2, rtol=1e-10, atol=0)
    turned = algatt.dynamics.energy_gradient(before, 2 * X)
    assert abs((turned * X).sum(axis=1)).max() <= 1e-9 * abs(turned).max()


def test_the_energy_of_a_head_that_is_not_symmetric_and_masked_grows_at_the_rate_of_its_definition():
    """dE = (1 / 2 n^2) sum_ij w_ij (<v_i, M x_j> + <x_i, M v_j>) over the pairs that are seen, in balls."""
    M = np.array([[1.0, 0.25, 0.0], [-0.25, 1.0, 0.0], [0.0, 0.0, 1.0]])
    flow, X = SphereFlow((MatrixHead(M, np.eye(3)),), beta=60.0, mask=Causal()), random_tokens(5, 3)
    tokens, columns = balls(X), exact_velocity(flow, X)
    moves = flint.arb_mat([[column[a, 0] for column in columns] for a in range(3)])
    scores = tokens.transpose() * balls(M) * tokens
    changes = moves.transpose() * balls(M) * tokens + tokens.transpose() * balls(M) * moves
    pairs = [(i, j) for i in range(5) for j in range(i + 1)]
    rate = sum(((60 * scores[i, j]).exp() * changes[i, j] for i, j in pairs), start=flint.arb(0)) / 50
    assert np.allclose(algatt.dynamics.energy_rate(flow, X), float(rate.mid()), rtol=1e-9, atol=0)
