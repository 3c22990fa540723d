"""Changed entries of large networks are named, and what rounding makes is no change."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.fields import Elements
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.geometry.equality.large.twins import unexplained_tensors
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Residual,
    RMSNorm,
    Tanh,
    Unembedding,
)
from algatt.symmetry import ShiftSymmetry
from scaled_points import arrays, network, rounded, with_arrays


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_one_changed_entry_is_named(llama, theta, seed):
    draw = np.random.default_rng(seed)
    moved = algatt.act(random_element(llama, theta, seed), theta)
    name = list(moved.tensors)[draw.integers(len(moved.tensors))]
    raw = moved.tensors[name].raw.copy()
    raw[tuple(draw.integers(raw.shape))] += 1e-3 * np.abs(raw).max()
    found = compare_weights(llama, theta, rounded(with_arrays(moved, {name: raw}), "float32"), hypotheses=False)
    assert found.equal is False
    assert found.broken == (name,)
    X = found.separating_input
    values = [np.asarray(algatt.evaluate(llama, point, X)) for point in (theta, with_arrays(moved, {name: raw}))]
    assert np.abs(values[0] - values[1]).max() > 1e-9 * np.abs(values[0]).max()


def test_one_changed_entry_is_told_beside_entries_that_are_large_and_cancel():
    """A coordinate that is all but gone before the pooler, as one of MiniLM is: what the group adds to that column of
    its matrix is as large as the gain is small, and rounding of others by the largest entry would be more than all
    values.
    """
    net = network("minilm_l6_v2")
    arrays_of_one = arrays(algatt.sample(net, Weights, field=Reals(), seed=1))
    for name in ("2.norm_2.g", "2.norm_2.b"):
        arrays_of_one[name].ravel()[2] = 1e-20
    one = rounded(Weights.of(arrays_of_one), "float32")
    moved = algatt.act(random_element(net, one, 1), one)
    W = moved.tensors["pooler.linear.W"].raw
    assert np.abs(W).max() > 1e15 * np.median(np.abs(W))
    raw = moved.tensors["2.heads.O_1"].raw.copy()
    raw[1, 0] += 1e-3 * np.abs(raw).max()
    found = compare_weights(net, one, rounded(with_arrays(moved, {"2.heads.O_1": raw}), "float32"), hypotheses=False)
    assert (found.equal, found.broken) == (False, ("2.heads.O_1",))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt2", "2.norm_1.b"),
        ("gpt2", "2.norm_2.g"),
        ("gpt2", "1.heads.b_V_2"),
        ("gpt2", "1.heads.V_1"),
        ("bert_base_uncased", "2.heads.Q_1"),
    ],
)
def test_one_changed_entry_is_named_where_others_take_it_up(model, name):
    """Behind a LayerNorm, what a bias or a value does shows in all that takes it up in standard position."""
    net = network(model)
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=1), "float32")
    moved = algatt.act(random_element(net, one, 1), one)
    raw = moved.tensors[name].raw.copy()
    raw[(1,) + (0,) * (raw.ndim - 1)] += 1e-2 * np.abs(raw).max()
    found = compare_weights(net, one, rounded(with_arrays(moved, {name: raw}), "float32"), hypotheses=False)
    assert (found.equal, found.broken) == (False, (name,))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("condition", "place"), [(100.0, 14), (1000.0, 6)])
def test_one_changed_entry_of_a_bias_is_no_rounding_whatever_the_condition(condition, place):
    """In single precision, values change by 4e-5 and 8e-6 of their size: more than 2^-24, and less than what errors of
    all entries at their worst, times the condition, would explain.
    """
    net = network("phi_2")
    seed = {100.0: 4, 1000.0: 6}[condition]
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=seed), "float32")
    moved = algatt.act(random_element(net, one, seed, condition=condition), one)
    assert compare_weights(net, one, rounded(moved, "float32")).equal
    raw = moved.tensors["1.feedforward.b_down"].raw.copy()
    raw[place] += 1e-3 * np.abs(raw).max() * (-1 if condition == 100.0 else 1)
    other = with_arrays(moved, {"1.feedforward.b_down": raw})
    inputs = algatt.sample_inputs(net, field=Reals(), seed=7, count=4)
    before, after = (np.asarray(algatt.evaluate(net, point, inputs)) for point in (moved, other))
    assert np.abs(before - after).max() > 5e-6 * np.abs(before).max()
    assert not compare_weights(net, one, rounded(other, "float32"), hypotheses=False).equal


def test_residuals_near_their_bounds_are_compared_with_those_of_pairs_that_are_rounded_only():
    """Least squares lead far from a matrix of condition 1000, which norms do not say."""
    net = network("gemma_2b")
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=6), "float32")
    two = rounded(algatt.act(random_element(net, one, 6, condition=1000.0), one), "float32")
    fit = fit_weights(net, one, two)
    assert "1.heads.O_1" in fit.unmet
    assert unexplained_tensors(net, fit, one, two) == ()
    assert compare_weights(net, one, two).equal
    raw = two.tensors["1.heads.O_1"].raw.copy()
    raw[0, 0] += 1e-2 * np.abs(raw).max()
    other = with_arrays(two, {"1.heads.O_1": raw})
    assert "1.heads.O_1" in unexplained_tensors(net, fit_weights(net, one, other), one, other)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["1.heads.b_O", "1.feedforward.b_down"])
def test_two_biases_that_are_added_to_one_stream_are_both_named(name):
    """Attention and feedforward side by side: only the sum of their biases has an effect."""
    net = network("phi_2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    moved = algatt.act(random_element(net, one, 1), one)
    raw = moved.tensors[name].raw.copy()
    raw[2] += 1e-3 * np.abs(raw).max()
    found = compare_weights(net, one, with_arrays(moved, {name: raw}), hypotheses=False)
    assert found.equal is False
    assert {*found.broken, *found.alternatives} == {"1.heads.b_O", "1.feedforward.b_down"}
    assert (len(found.broken), len(found.alternatives)) == (1, 1)
    assert f"{found.broken[0]} would still differ, or else {found.alternatives[0]}" in found.reason


def test_no_other_tensor_is_named_where_a_norm_reads_between_two_biases():
    """In GPT-2 a norm reads the stream after the first bias, and before the second."""
    net = network("gpt2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    raw = one.tensors["1.heads.b_O"].raw.copy()
    raw[2] += 1e-3 * np.abs(raw).max()
    found = compare_weights(net, one, with_arrays(one, {"1.heads.b_O": raw}), hypotheses=False)
    assert (found.equal, found.broken, found.alternatives) == (False, ("1.heads.b_O",), ())


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [1e-4, 1e-6, 1e-8, 1e-10])
def test_small_noise_on_all_tensors_is_no_rounding_of_float64(llama, theta, share):
    draw = np.random.default_rng(1)
    moved = algatt.act(random_element(llama, theta, 5), theta)
    noise = {name: raw * (1 + share * draw.standard_normal(raw.shape)) for name, raw in arrays(moved).items()}
    assert not compare_weights(llama, theta, with_arrays(moved, noise), hypotheses=False).equal


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [1e-4, 1e-6])
@pytest.mark.parametrize("change", [5e-3, 1e-3])
def test_a_short_vector_that_changes_by_little_is_no_rounding(llama, theta, share, change):
    """The norm behind makes it as long as others, and float32 knows it to 24 bits."""
    raw = theta.tensors["embedding.E"].raw.copy()
    raw[3] *= share
    other = raw.copy()
    other[3, 0] += change * np.abs(raw[3]).max()
    one, two = (rounded(with_arrays(theta, {"embedding.E": table}), "float32") for table in (raw, other))
    values = [np.asarray(algatt.evaluate(llama, point, np.array([3, 3, 3]))) for point in (one, two)]
    assert np.abs(values[0] - values[1]).max() > 5e-5 * np.abs(values[0]).max()  # 2^-24 is 6e-8
    assert not compare_weights(llama, one, two, hypotheses=False).equal
    moved = rounded(algatt.act(random_element(llama, one, 1), one), "float32")
    assert compare_weights(llama, one, moved, hypotheses=False).equal


def test_a_token_with_a_short_vector_is_looked_at():
    """Of a row of 1e-14 beside others of 1, rounding by the largest entry would explain all; a norm makes it long."""
    norm = RMSNorm(1e-20)
    block = Residual(norm >> Heads(2, width=4, mask=Causal()))
    net = algatt.Network(Embedding(300, 8) >> block >> norm >> Unembedding(300), tokens=3)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    points = []
    for seed in (1, 2):
        tensors = {name: np.array(theta[name]) for name in theta.names()}
        tensors["embedding.E"][123] = 1e-14 * np.random.default_rng(seed).normal(size=8)
        points.append(Weights.of(tensors))
    values = [algatt.evaluate(net, point, np.array([[123, 123, 123]])) for point in points]
    assert np.abs(values[0] - values[1]).max() > 0.1
    assert compare_weights(net, *points).equal is not True


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("factor", [-1, 1.02])
@pytest.mark.parametrize("place", ["output", "input", "bias", "entry"])
def test_a_large_output_or_input_hides_no_other_one(place, factor, dtype):
    net = algatt.Network(Linear(40, bias=True) >> Tanh() >> Linear(40, bias=True), tokens=1, width=40)
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    name, large, small = {
        "output": ("linear_2.W", np.s_[0], np.s_[1]),
        "input": ("linear_1.W", np.s_[:, 0], np.s_[:, 1]),
        "bias": ("linear_2.b", np.s_[0], np.s_[1]),
        "entry": ("linear_2.W", np.s_[0, 0], np.s_[1]),
    }[place]
    first = one.tensors[name].raw.copy()
    first[large] *= 1e9
    second = first.copy()
    second[small] *= factor
    found = compare_weights(net, *(rounded(with_arrays(one, {name: raw}), dtype) for raw in (first, second)))
    assert not found.equal


@pytest.mark.sample(0)
def test_an_entry_of_a_vector_that_cancels_is_measured_beside_what_was_added_up_for_it():
    """An output bias of which an entry is nearly zero once it has taken up what the biases of values add to it."""
    net = network("gpt2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    for _ in range(40):  # the mean of all entries is taken from each
        bias = one.tensors["1.heads.b_O"].raw.copy()
        bias[0] -= brought_to_rest(net, one)[1].tensors["1.heads.b_O"].raw[0] - 1e-9
        one = with_arrays(one, {"1.heads.b_O": bias})
    moved = algatt.act(random_element(net, one, 1), one)
    for family in algatt.verbs.members(ShiftSymmetry, net):
        if family.name in ("columns of 1.heads.b_V_1", "columns of 1.heads.b_V_2"):
            moved = algatt.act(family.element_of(Elements(Reals(), np.full((family.dimension, 1), 1e3))), moved)
    one, moved = rounded(one, "float32"), rounded(moved, "float32")
    sizes = [abs(brought_to_rest(net, point)[1].tensors["1.heads.b_O"].raw.ravel()) for point in (one, moved)]
    assert all(found.min() < 1e-4 * np.median(found) for found in sizes)
    assert compare_weights(net, one, moved).equal
    for place in range(len(sizes[0])):
        raw = moved.tensors["1.heads.b_O"].raw.copy()
        raw[place] += 1e-3 * np.abs(raw).max()
        found = compare_weights(net, one, rounded(with_arrays(moved, {"1.heads.b_O": raw}), "float32"))
        assert found.equal is False


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_an_entry_of_a_vector_may_differ_by_what_rounding_of_its_summands_makes_of_it(seed):
    """Biases of neurons cancel what a large bias of a norm adds, in one point, and neurons are permuted; one bias is
    large besides, so that neither bounds of the whole vector nor values say much of the others.
    """
    net = algatt.Network(Residual(LayerNorm() >> Feedforward(12, GELU(), bias=True)), tokens=1, width=6)
    one = algatt.sample(net, Weights, field=Reals(), seed=seed)
    bias = one.tensors["feedforward.b_up"].raw.copy()
    bias[0] = 1e6
    one = with_arrays(one, {"feedforward.b_up": bias})
    (family,) = (each for each in algatt.verbs.members(ShiftSymmetry, net) if each.name == "columns of norm.b")
    moved = algatt.act(random_element(net, one, seed, condition=1.0), one)
    moved = algatt.act(family.element_of(Elements(Reals(), np.full((6, 1), 1e6))), moved)
    one, moved = rounded(one, "float32"), rounded(moved, "float32")
    assert compare_weights(net, one, moved).equal
    assert compare_weights(net, moved, one).equal
    W, b, beta = (moved.tensors[name].raw for name in ("feedforward.up", "feedforward.b_up", "norm.b"))
    errors = 2.0**-24 * np.sqrt((W**2 @ beta**2) + b**2)  # of independent rounding of the summands
    for place in range(len(b)):
        for factor in (100, 300):  # of an error that is allowed up to 32 times in each point
            raw = b.copy()
            raw[place] += factor * errors[place]
            other = rounded(with_arrays(moved, {"feedforward.b_up": raw}), "float32")
            assert not compare_weights(net, one, other, hypotheses=False).equal
            assert not compare_weights(net, other, one, hypotheses=False).equal
