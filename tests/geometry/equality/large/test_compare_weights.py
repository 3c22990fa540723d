"""Points of networks that are large, or taken for such: moved ones are one function."""

from __future__ import annotations

import json

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.errors import InvalidArgument
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.fitting import MatrixEquation, fit_matrix
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.geometry.equality.large.values import draw_public_inputs
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.layers import Embedding, Heads, LayerNorm, Linear, Residual, Unembedding
from scaled_points import MODELS, arrays, network, rounded, with_arrays


def test_a_point_of_few_digits_is_equal_to_itself(llama, theta):
    """However much of a tensor rounding would explain, nothing was rounded between the two."""
    known = rounded(theta, "float16")
    assert compare_weights(llama, known, known).equal
    found = compare_weights(llama, known, rounded(theta, "float32"))
    assert (found.equal, found.precision) == (True, 11)
    assert found.copy.startswith("the first weights are the second, rounded to float16")


@pytest.mark.sample(1)
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("model", ["llama_3_8b", "gpt2", "t5_small", "mixtral_8x7b_v0_1", "dinov2_small"])
def test_moved_points_are_one_function(model, precision):
    """The element that was drawn is a symmetry: the values, which it knows nothing of, agree."""
    net = network(model)
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=1), precision)
    exact = algatt.act(random_element(net, one, 1, condition=10.0), one)
    inputs = algatt.sample_inputs(net, field=Reals(), seed=3, count=2)
    before, after = (np.asarray(algatt.evaluate(net, point, inputs)) for point in (one, exact))
    assert np.abs(before - after).max() < 1e-10 * np.abs(before).max()
    found = compare_weights(net, one, rounded(exact, precision))
    assert found.equal
    assert not found.broken
    assert all(one.fits for one in (*found.tensors, *found.spaces))


def test_a_neuron_that_few_inputs_wake_tells_two_functions_apart():
    """The column of a neuron is changed that a ReLU holds at rest at the inputs that are tried first."""
    net = network("opt_125m")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    up, bias = (one.tensors[f"1.feedforward.{name}"].raw.copy() for name in ("up", "b_up"))
    X = algatt.sample_inputs(net, field=Reals(), seed=3, count=100)
    few = draw_public_inputs(net, 0)

    def column_changed(point):
        raw = point.tensors["1.feedforward.down"].raw.copy()
        raw[0, 2] += 1e-2 * np.abs(raw).max()
        return with_arrays(point, {"1.feedforward.down": raw})

    def changes(point, inputs):
        pair = (np.asarray(algatt.evaluate(net, theta, inputs)) for theta in (point, column_changed(point)))
        return np.abs(np.subtract(*pair)).reshape(len(inputs), -1).max(axis=1)

    while changes(with_arrays(one, {"1.feedforward.b_up": bias}), few).any():
        bias[2] -= 0.02 * np.abs(up[2]).max()
    one = with_arrays(one, {"1.feedforward.b_up": bias})
    assert 0 < np.mean(changes(one, X) > 0) <= 0.2
    found = compare_weights(net, one, column_changed(one), hypotheses=False)
    assert (found.equal, found.broken) == (False, ("1.feedforward.down",))
    assert changes(one, found.separating_input[None])[0] > 0


def test_what_float64_loses_on_the_way_to_standard_position_is_rounding():
    """Biases of values make that of the heads large, and its mean is taken away, as that of the bias of the neurons is.
    What rounding of the large ones leaves there cancels in no change of entries of the source.
    """
    config = {"model_type": "gpt2", "n_embd": 64, "n_layer": 1, "n_head": 2, "n_inner": 256}
    net = algatt.published.read(config | {"vocab_size": 20, "n_positions": 3}, tokens=3)
    one = algatt.sample(net, Weights, field=Reals(), seed=0)
    one = with_arrays(one, {name: 0.05 * raw for name, raw in arrays(one).items()})
    moved = algatt.act(random_element(net, one, 0, condition=1.0), one)
    fit = fit_weights(net, one, moved)
    assert not fit.beyond
    assert max(fit.bounds.values()) < 1e-9
    assert compare_weights(net, one, moved).equal


def test_a_token_of_two_types_is_met_where_its_row_differs():
    """BERT reads pairs of a token and a type, of which there are more than rows of the table."""
    config = json.loads((MODELS / "minilm_l6_v2.json").read_text(encoding="utf-8"))["config"]
    fields = algatt.published.scaled(config, layers=1, head_width=4, hidden=7) | {"vocab_size": 400}
    net = algatt.published.read(fields, tokens=3)
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=1), "float32")
    assert net.vocabulary == 2 * len(one.tensors["embedding.E"].raw)
    raw = one.tensors["embedding.E"].raw.copy()
    raw[390, 1] += 1e-2 * np.abs(raw).max()
    found = compare_weights(net, one, rounded(with_arrays(one, {"embedding.E": raw}), "float32"), hypotheses=False)
    assert (found.equal, found.broken) == (False, ("embedding.E",))
    assert 390 in found.separating_input


@pytest.mark.sample(0)
def test_a_gain_that_stays_is_named_though_it_hides_which_heads_are_exchanged():
    net = network("minilm_l6_v2")
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=1), "float32")
    moved = algatt.act(random_element(net, one, 1), one)
    raw = moved.tensors["norm.g"].raw.copy()
    raw[1, 0] += 1e-2 * np.abs(raw).max()
    found = compare_weights(net, one, rounded(with_arrays(moved, {"norm.g": raw}), "float32"), hypotheses=False)
    assert (found.equal, found.broken) == (False, ("norm.g",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("factor", [1.01, 2.0, -1.0])
def test_a_pooler_over_tiny_gains_is_compared(factor):
    """A gain of 1e-33, as MiniLM has, leaves a column of the pooler free; shifts over it are small, as they may be."""
    net = network("minilm_l6_v2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    gain = one.tensors["2.norm_2.g"].raw.copy()
    gain[:2, 0] = 5e-33, -6e-33
    one = rounded(with_arrays(one, {"2.norm_2.g": gain}), "float32")
    W = one.tensors["pooler.linear.W"].raw
    two = rounded(with_arrays(one, {"pooler.linear.W": factor * W}), "float32")
    X = algatt.sample_inputs(net, field=Reals(), seed=3, count=4)
    values = [np.asarray(algatt.evaluate(net, point, X)) for point in (one, two)]
    assert np.abs(values[0] - values[1]).max() > 1e-4 * np.abs(values[0]).max()
    found = compare_weights(net, one, two)
    assert (found.equal, found.broken) == (False, ("pooler.linear.W",))
    moved = rounded(algatt.act(random_element(net, one, 1), one), "float32")
    assert compare_weights(net, one, moved).equal
    told = compare_weights(
        net, one, with_arrays(moved, {"pooler.linear.W": factor * moved.tensors["pooler.linear.W"].raw})
    )
    assert told.equal is False


def test_a_point_in_standard_position_stays_there():
    """What was shifted to sums zero is not shifted again by what is left of them."""
    net = network("gpt2")
    elements, there = brought_to_rest(net, algatt.sample(net, Weights, field=Reals(), seed=1))
    again, same = brought_to_rest(net, there)
    assert len(elements) > 20 > len(again)
    for before, after in zip(there.elements, same.elements, strict=True):
        np.testing.assert_allclose(after.raw, before.raw, rtol=0, atol=1e-13 * np.abs(before.raw).max())


def test_numbers_of_either_sign_where_they_have_to_be_positive():
    """A pair of queries and keys that is reflected, and not turned, is another function under rotary positions."""
    net = network("llama_2_7b")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    moved = arrays(one)
    reflection = np.diag([1.0, 1.0, -1.0, 1.0])
    for name in ("1.heads.Q_1", "1.heads.K_1"):
        moved[name] = reflection @ moved[name]
    assert not compare_weights(net, one, with_arrays(one, moved), hypotheses=False).equal


@pytest.mark.sample(0)
def test_a_stream_of_an_rmsnorm_moves_by_orthogonal_matrices_only(llama, theta):
    """All tensors of the stream moved by an invertible matrix: each equation has a solution, which is no symmetry."""
    draw = np.random.default_rng(3)
    size = theta.tensors["embedding.E"].shape[1]
    g = np.eye(size) + 0.1 * draw.standard_normal((size, size))
    back, moved = np.linalg.inv(g), arrays(theta)
    ones = {name: np.ones_like(raw) for name, raw in moved.items() if name.endswith(".g")}
    flat = with_arrays(theta, ones)
    moved = arrays(flat)
    for name, raw in moved.items():
        last = name.rpartition(".")[2]
        if last == "E":
            moved[name] = raw @ g.T
        elif last[:2] in ("O_", "do"):
            moved[name] = g @ raw
        elif last[:2] in ("Q_", "K_", "V_", "up", "ga") or last == "U":
            moved[name] = raw @ back
    assert compare_weights(llama, flat, with_arrays(flat, moved), hypotheses=False).equal is not True


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("gain", [False, True])
def test_elements_for_streams_of_layernorms_keep_the_values(gain, bias):
    """Without a bias the types name what such a norm returns by the transpose of what acts on the stream."""
    layers = Embedding(7, 4) >> Residual(LayerNorm() >> Heads(2)) >> LayerNorm(gain=gain, bias=bias) >> Unembedding(6)
    net = algatt.Network(layers, tokens=3)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    moved = algatt.act(random_element(net, theta, 1), theta)
    X = draw_public_inputs(net, 0)
    for x in X:
        np.testing.assert_allclose(*(algatt.evaluate(net, point, x) for point in (moved, theta)), atol=1e-12)
    assert compare_weights(net, theta, moved).equal


def test_a_bias_of_keys_moves_all_scores_of_a_query_alike():
    """So its change changes no value: it is no difference."""
    net = network("gpt2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    b = one.tensors["1.heads.b_K_1"].raw
    assert compare_weights(net, one, with_arrays(one, {"1.heads.b_K_1": b + 1})).equal


def test_a_commutant_of_turns_solves_its_normal_equations():
    """Least squares over a basis of the commutant, written out: two numbers for each pair, and all of the rest."""
    draw = np.random.default_rng(0)
    A, B, C, D = draw.standard_normal((4, 6, 9))
    found = fit_matrix(
        [MatrixEquation(A, B, True), MatrixEquation(C.T, D.T, False)], MatrixSpace(6, "turns", (), (1, 2))
    )[0]
    basis = np.zeros((8, 6, 6))
    for pair in (0, 1):
        basis[2 * pair, 2 * pair, 2 * pair] = basis[2 * pair, 2 * pair + 1, 2 * pair + 1] = 1
        basis[2 * pair + 1, 2 * pair + 1, 2 * pair], basis[2 * pair + 1, 2 * pair, 2 * pair + 1] = 1, -1
    for place, (i, j) in enumerate(np.ndindex(2, 2)):
        basis[4 + place, 4 + i, 4 + j] = 1
    sizes = np.linalg.norm(B), np.linalg.norm(D)
    columns = [np.concatenate([(g @ A / sizes[0]).ravel(), (C.T @ g / sizes[1]).ravel()]) for g in basis]
    target = np.concatenate([(B / sizes[0]).ravel(), (D.T / sizes[1]).ravel()])
    numbers = np.linalg.lstsq(np.array(columns).T, target, rcond=None)[0]
    assert np.abs(found - np.tensordot(numbers, basis, 1)).max() < 1e-12


def test_no_tolerance_is_taken_for_large_networks():
    net = algatt.Network(Linear(65), tokens=1, width=65)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    with pytest.raises(InvalidArgument, match=r"tolerance was 0\.1, of a network with more than 4096 parameters"):
        algatt.same_function(net, theta, theta, tolerance=0.1)


@pytest.mark.parametrize("condition", [1.0, 1000.0])
def test_a_bias_of_a_norm_that_may_be_anything_stays_where_it_was_brought(condition):
    """Here a part of the bias may be shifted, too, which would take it away from there, to another place each time."""
    net = network("dinov2_small_imagenet1k")
    one = rounded(algatt.sample(net, Weights, field=Reals(), seed=38), "float64")
    moved = rounded(algatt.act(random_element(net, one, 38, condition=condition), one), "float64")
    assert compare_weights(net, one, moved).equal
    raw = moved.tensors["patches.linear.W"].raw.copy()
    raw[1, 1] += 1e-3 * np.abs(raw).max()
    assert compare_weights(net, one, with_arrays(moved, {"patches.linear.W": raw}), hypotheses=False).equal is False


def test_heads_that_read_an_encoder_are_matched_by_themselves():
    """They are decided together with heads of the encoder that have no choice left, which are more, and fit."""
    config = json.loads((MODELS / "whisper_tiny.json").read_text(encoding="utf-8"))["config"]
    net = algatt.published.read(algatt.published.scaled(config, layers=2, head_width=4, hidden=7))
    one = algatt.sample(net, Weights, field=Reals(), seed=49)
    assert compare_weights(net, one, algatt.act(random_element(net, one, 49, condition=1.0), one)).equal
