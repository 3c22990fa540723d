"""Tokens in an open hemisphere come to one cluster under a single attractive head (arXiv 2312.10794)."""

import numpy as np
import pytest

from algatt.dynamics import MatrixHead, ScalarHead, SphereFlow, normalised, random_tokens
from algatt.dynamics.statements import check_single_cluster
from algatt.dynamics.statements.clusters import in_open_hemisphere
from algatt.layers import Exponential, ReLU, Unnormalized


@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential())], ids=repr)
@pytest.mark.parametrize("beta", [0.5, 4.0])
def test_tokens_of_a_hemisphere_come_to_one_cluster(weights, beta):
    tokens = random_tokens(8, 3, seed=1)
    tokens[2] = np.abs(tokens[2]) + 0.05
    assert check_single_cluster(SphereFlow((ScalarHead(1.0),), weights, beta), normalised(tokens)).verdict == "holds"


def test_what_it_needs():
    upper = normalised(np.abs(random_tokens(5, 3)) + 0.1)
    one, softmax = (ScalarHead(1.0),), Exponential()
    for flow, tokens in (
        (SphereFlow((ScalarHead(-1.0),), softmax), upper),
        (SphereFlow((*one, ScalarHead(1.0)), softmax), upper),
        (SphereFlow((MatrixHead(np.eye(3)),), softmax), upper),
        (SphereFlow(one, Unnormalized(ReLU())), upper),
        (SphereFlow(one, softmax), np.hstack([np.eye(3), -np.eye(3)])),
    ):
        assert check_single_cluster(flow, tokens).verdict == "does not apply"
    hot = SphereFlow(one, softmax, 30)  # metastable: so short a time shows two clusters still
    apart = normalised(np.array([[1.0, 1.0, -1.0], [0.1, 0.2, 0.2]]))
    assert check_single_cluster(hot, apart, until=10.0).verdict == "fails"


def test_hemispheres_on_the_circle():
    """Tokens on the circle are in an open half of it if a gap between neighbours is larger than a half turn."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        angles = np.sort(rng.uniform(0, 2 * np.pi, 4))
        gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
        assert in_open_hemisphere(np.stack([np.cos(angles), np.sin(angles)])) == (gaps.max() > np.pi)
