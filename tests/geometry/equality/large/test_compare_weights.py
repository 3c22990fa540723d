"""Points of networks that are large, or taken for such: moved ones are one function, changed ones two, by name."""

from __future__ import annotations

import json

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.fitting import Equation, fit_matrix
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.geometry.equality.large.twins import unexplained_tensors
from algatt.geometry.equality.large.values import draw_public_inputs
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
from algatt.published.known import CONFIGS
from algatt.symmetry import ShiftSymmetry

MODELS = CONFIGS


def network(name, **changes):
    """Return a published model, scaled down."""
    config = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.read(algatt.published.scaled(config | changes, layers=2, head_width=4, hidden=7), tokens=3)


def arrays(theta):
    """Return the tensors of a point as arrays."""
    return {name: one.raw.copy() for name, one in theta.tensors.items()}


def with_arrays(theta, changes):
    """Return a point with other tensors."""
    return theta.replace([Elements(one.field, changes.get(name, one.raw)) for name, one in theta.tensors.items()])


def rounded(theta, precision):
    """Return a point as it is known from numbers of a precision."""
    return Weights.of({name: one.raw.astype(precision) for name, one in theta.tensors.items()})


@pytest.fixture(scope="module")
def llama():
    return network("llama_3_8b")


@pytest.fixture(scope="module")
def theta(llama):
    return algatt.sample(llama, Weights, field=Reals(), seed=2)


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


def test_a_reference_says_what_a_comparison_says(llama, theta):
    reference = algatt.geometry.Reference(llama, rounded(theta, "float32"))
    moved = rounded(algatt.act(random_element(llama, theta, 1), theta), "float32")
    raw = moved.tensors["1.heads.V_1"].raw.copy()
    raw[0, 0] += 1e-2 * np.abs(raw).max()
    for other, equal in ((moved, True), (with_arrays(moved, {"1.heads.V_1": raw}), False), (moved, True)):
        told, alone = reference.compare(other), compare_weights(llama, reference.weights, other)
        assert told.equal is alone.equal is equal
        assert (told.broken, told.residual) == (alone.broken, alone.residual)


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
    assert f"{found.broken[0]} cannot be reached, or {found.alternatives[0]} alike" in found.reason


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


def test_a_bias_of_keys_moves_all_scores_of_a_query_alike():
    """So its change changes no value: it is no difference."""
    net = network("gpt2")
    one = algatt.sample(net, Weights, field=Reals(), seed=1)
    b = one.tensors["1.heads.b_K_1"].raw
    assert compare_weights(net, one, with_arrays(one, {"1.heads.b_K_1": b + 1})).equal


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


def test_a_commutant_of_turns_solves_its_normal_equations():
    """Least squares over a basis of the commutant, written out: two numbers for each pair, and all of the rest."""
    draw = np.random.default_rng(0)
    A, B, C, D = draw.standard_normal((4, 6, 9))
    found = fit_matrix([Equation(A, B, True), Equation(C.T, D.T, False)], 6, "turns", (1, 2))[0]
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
