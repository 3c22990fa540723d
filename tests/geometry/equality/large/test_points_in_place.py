"""Points of which most tensors are as they were: what acts on the others is found, and nothing else is taken for it."""

from __future__ import annotations

import json
import tracemalloc

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.distances import Distances
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.layers import Embedding, RMSNorm, Unembedding
from algatt.published.known import CONFIGS

MODELS = CONFIGS


@pytest.fixture(scope="module")
def net():
    """Return Llama 3, scaled down: 4 heads, each two of which share keys and values."""
    config = json.loads((MODELS / "llama_3_8b.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.read(algatt.published.scaled(config, layers=2, head_width=4, hidden=7), tokens=3)


@pytest.fixture(scope="module")
def arrays(net):
    theta = algatt.sample(net, Weights, field=Reals(), seed=2)
    return {name: one.raw.astype("float32") for name, one in theta.tensors.items()}


def exchanged(arrays):
    """Two heads of a group in the place of each other."""
    names = (("2.heads.Q_1", "2.heads.Q_2"), ("2.heads.O_1", "2.heads.O_2"))
    return {a: arrays[b] for pair in names for a, b in (pair, pair[::-1])}


def permuted(arrays):
    """Neurons in another order."""
    order = np.array([3, 0, 2, 1, 6, 5, 4])
    name = "1.feedforward"
    changes = {f"{name}.{one}": arrays[f"{name}.{one}"][order] for one in ("up", "gate")}
    return changes | {f"{name}.down": arrays[f"{name}.down"][:, order]}


def rotated(arrays):
    """Values, and what reads them, in another basis."""
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    readers = {name: arrays[name] @ R.T for name in ("1.heads.O_1", "1.heads.O_2")}
    changes = {"1.heads.V_1": R @ arrays["1.heads.V_1"], **readers}
    return {name: one.astype("float32") for name, one in changes.items()}


KINDS = {"heads": (exchanged,), "neurons": (permuted,), "values": (rotated,), "all": (exchanged, permuted, rotated)}


@pytest.mark.parametrize("kinds", KINDS.values(), ids=list(KINDS))
def test_what_acts_on_few_tensors_is_found(net, arrays, kinds):
    changes = {name: one for kind in kinds for name, one in kind(arrays).items()}
    assert len(changes) < len(arrays) / 2
    one, two = Weights.of(arrays), Weights.of(arrays | changes)
    inputs = algatt.sample_inputs(net, field=Reals(), seed=3, count=2)
    before, after = (np.asarray(algatt.evaluate(net, theta, inputs)) for theta in (one, two))
    assert np.abs(before - after).max() < 1e-5 * np.abs(before).max()
    found = compare_weights(net, one, two)
    assert found.equal
    image = algatt.act(found.element, one)
    assert all(np.abs(image[name] - two[name]).max() < 1e-5 for name in arrays)


@pytest.mark.parametrize("name", ["embedding.E", "2.heads.Q_1", "1.feedforward.up", "1.heads.V_2"])
def test_what_is_changed_besides_is_named(net, arrays, name):
    changes = {name: one for kind in KINDS["all"] for name, one in kind(arrays).items()}
    two = {one: raw.copy() for one, raw in (arrays | changes).items()}
    two[name][1, 2] += 1e-2 * np.abs(two[name]).max()
    found = compare_weights(net, Weights.of(arrays), Weights.of(two), hypotheses=False)
    assert (found.equal, found.broken) == (False, (name,))


@pytest.mark.parametrize("name", ["embedding.E", "2.heads.Q_1", "1.feedforward.up", "1.heads.V_2"])
def test_an_entry_that_differs_alone_is_told_by_values(net, arrays, name):
    """Where all else is the same no element is looked for."""
    raw = arrays[name].copy()
    raw[1, 2] += np.float32(1e-2) * np.abs(raw).max()
    one, two = Weights.of(arrays), Weights.of(arrays | {name: raw})
    found = compare_weights(net, one, two)
    assert (found.equal, found.broken, found.element.factors) == (False, (name,), ())
    values = [np.asarray(algatt.evaluate(net, theta, found.separating_input)) for theta in (one, two)]
    assert np.abs(values[0] - values[1]).max() > 1e-6 * np.abs(values[0]).max()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["2.heads.Q_1", "1.feedforward.up"])
def test_a_unit_in_the_last_place_of_one_entry_is_rounding(net, arrays, name, seed):
    near = arrays[name].copy()
    near[1, 2] = np.nextafter(near[1, 2], np.float32(np.inf))
    assert compare_weights(net, Weights.of(arrays), Weights.of(arrays | {name: near}), seed).equal


def test_points_that_are_the_same_but_for_digits_are_equal(net, arrays):
    """A change of basis by 10^-6 is more than the rounding of float32, and less than its bound."""
    g = np.eye(4) + 1e-6 * np.triu(np.ones((4, 4)), 1)
    changes = {"1.heads.V_1": g @ arrays["1.heads.V_1"].astype(float)}
    back = np.linalg.inv(g)
    changes |= {name: arrays[name].astype(float) @ back for name in ("1.heads.O_1", "1.heads.O_2")}
    found = compare_weights(
        net, Weights.of(arrays), Weights.of(arrays | {name: one.astype("float32") for name, one in changes.items()})
    )
    assert found.equal


def test_a_difference_takes_the_memory_of_few_points():
    """The image, and one that is rounded, at a time: with what they were made of all took twice as much."""
    net = algatt.Network(Embedding(1000, 32) >> RMSNorm() >> Unembedding(1000), tokens=3)
    theta = algatt.sample(net, Weights, field=Reals(), seed=2)
    arrays = {name: one.raw.astype("float32") for name, one in theta.tensors.items()}
    two = Weights.of(arrays | {"unembedding.U": arrays["unembedding.U"] * arrays["norm.g"].T})
    fit = fit_weights(net, Weights.of(arrays), two)
    tracemalloc.start()
    try:
        distances = Distances.of(fit, two)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [*distances.entries(distances.image)] == ["unembedding.U"]
    assert peak < 6 * sum(element.raw.nbytes for element in two.elements), peak
