"""Gains of norms behind narrow parts: what is open, counted by hand.

The function depends on G = diag(g) O and on O^T O = G^T diag(g^-2) G, which has a (a + 1) / 2 entries for a head with a
numbers: d - a (a + 1) / 2 changes of the d numbers of g are not seen (docs/theory/rank.md).
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, Reals, Weights
from algatt.layers import Heads, Layer, LayerNorm, Residual, RMSNorm


def network(a: int, norm: Layer) -> Network:
    return Network(Residual(Heads(1, width=a) >> norm), tokens=3, width=4)


OPEN = {
    # 2 a^2 of keys, queries, values and outputs are found; d - a (a + 1) / 2 are not
    "one number": (1, RMSNorm(), 2, 4 - 1),
    "two numbers": (2, RMSNorm(), 8, 4 - 3),
    # as many unknowns as conditions
    "three numbers": (3, RMSNorm(), 18, 0),
    # also the mean of what is written is found, which is not seen: a; the changes of g keep it: a fewer
    "centred": (1, LayerNorm(), 2 + 1, 4 - 1 - 1),
}


@pytest.mark.parametrize("name", OPEN)
def test_dimensions(name: str) -> None:
    a, norm, found, open_ = OPEN[name]
    report = algatt.dimension(network(a, norm), seed=0)
    assert report.upper == report.parameters - found
    assert report.lower == report.upper - open_
    assert (report.status == "proven") == (open_ == 0)


def test_they_are_changes_of_gains_and_of_what_is_written() -> None:
    """g^-2 + v with G^T diag(v) G = 0 has the same values, at a distance; and no symmetry moves weights so."""
    net = network(2, RMSNorm())
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    g, G = theta["norm.g"], theta["norm.g"] * theta["heads.O_1"]
    v = np.linalg.svd(np.array([G[:, 0] ** 2, G[:, 0] * G[:, 1], G[:, 1] ** 2]))[2][-1][:, None]
    h = np.sign(g) * (g**-2 + v / np.abs(g**2 * v).max() / 2) ** -0.5
    tensors = {name: theta[name] for name in theta.names()} | {"norm.g": h, "heads.O_1": G / h}
    X = algatt.sample_inputs(net, field=Reals(), seed=1, count=3)
    before, after = (algatt.evaluate(net, one, X) for one in (theta, Weights.of(tensors)))
    assert np.abs(h - g).max() > 0.01
    assert np.abs(after - before).max() < 1e-10 * np.abs(before).max()
    # along g the derivative of g is -g^3 v / 2, and that of O is g^2 v O / 2
    tangent = {name: np.zeros(theta[name].shape) for name in theta.names()}
    tangent |= {"norm.g": -(g**3) * v, "heads.O_1": g**2 * v * theta["heads.O_1"]}
    row = np.concatenate([tangent[name].ravel() for name in theta.names()])
    families = np.concatenate([family.tangents(theta) for family in algatt.symmetries(net)])
    assert np.linalg.matrix_rank(families) == 8
    assert np.linalg.matrix_rank(np.vstack([families, row])) == 9
    assert np.abs(algatt.jacobian(net, theta, X) @ row).max() < 1e-10 * np.abs(row).max()
