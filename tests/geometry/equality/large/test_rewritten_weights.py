"""Rewrites of weights that were not carried through are two functions, and the reason says what was done."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.geometry.equality.large.verdict import compare_weights
from scaled_points import arrays, network, with_arrays


def rotated_values(theta, net):
    """Return a point with values of a head rotated, and what they are read by, but not their bias."""
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    moved = arrays(theta)
    moved["1.heads.V_1"] = R @ moved["1.heads.V_1"]
    for name in ("1.heads.O_1", "1.heads.O_2"):
        moved[name] = moved[name] @ R.T
    return with_arrays(theta, moved)


def test_a_value_bias_that_stayed():
    net = network("qwen2_0_5b")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    found = compare_weights(net, one, rotated_values(one, net))
    assert found.equal is False
    assert found.broken == ("1.heads.b_V_1",)
    assert found.hypothesis == "1.heads.b_V_1 stayed while 1.heads.O_1, 1.heads.O_2, 1.heads.V_1 moved"


@pytest.mark.sample(0)
def test_a_value_bias_that_stayed_beside_a_bias_of_the_output():
    net = network("bert_base_uncased")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    V, W = (one.tensors[f"1.heads.{name}"].raw for name in ("V_1", "O_1"))
    found = compare_weights(net, one, with_arrays(one, {"1.heads.V_1": R @ V, "1.heads.O_1": W @ R.T}))
    assert found.equal is False
    assert found.hypothesis == "1.heads.b_V_1 stayed while 1.heads.O_1, 1.heads.V_1 moved"


def test_a_tied_embedding_that_was_rotated():
    net = network("qwen2_0_5b")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    E = one.tensors["embedding.E"].raw
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((E.shape[1], E.shape[1])))[0]
    found = compare_weights(net, one, with_arrays(one, {"embedding.E": E @ Q}))
    assert (found.equal, found.broken) == (False, ("embedding.E",))
    assert found.hypothesis == "embedding.E was rotated alone"


def test_means_that_were_subtracted_under_an_rmsnorm(llama, theta):
    E = theta.tensors["embedding.E"].raw
    found = compare_weights(llama, theta, with_arrays(theta, {"embedding.E": E - E.mean(axis=1, keepdims=True)}))
    assert (found.equal, found.hypothesis) == (False, "embedding.E was centred alone")
    C = np.eye(E.shape[1]) - 1 / E.shape[1]
    moved = {"embedding.E": E @ C}
    for name, raw in arrays(theta).items():
        if ".O_" in name or name.endswith(".down"):
            moved[name] = C @ raw
    found = compare_weights(llama, theta, with_arrays(theta, moved))
    assert found.equal is False
    assert found.hypothesis.startswith("means were subtracted from embedding.E")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("power", "left", "words"),
    [(1, True, "2.norm_1.g left after folding"), (2, False, "2.norm_1.g folded twice")],
)
def test_gains_that_were_not_folded_once(llama, theta, power, left, words):
    g = theta.tensors["2.norm_1.g"].raw
    moved = {name: raw * g.T**power for name, raw in arrays(theta).items() if name[:9] in READERS}
    if not left:
        moved["2.norm_1.g"] = np.ones_like(g)
    found = compare_weights(llama, theta, with_arrays(theta, moved))
    assert found.equal is False
    assert found.hypothesis == f"{words}, in the second point"


READERS = ("2.heads.Q", "2.heads.K", "2.heads.V")


def test_the_other_rotary_layout(llama, theta):
    order = np.arange(4).reshape(2, 2).T.ravel()
    moved = {name: raw[order] for name, raw in arrays(theta).items() if ".Q_" in name or ".K_" in name}
    found = compare_weights(llama, theta, with_arrays(theta, moved))
    assert found.equal is False
    assert "in the other rotary layout" in found.hypothesis
