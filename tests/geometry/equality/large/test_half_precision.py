"""Points of float16 and bfloat16: copies that were rounded, moved ones, and changed ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights
from algatt.fields import Elements
from algatt.geometry.equality.large.half_precision import rounded_to
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.published.known import CONFIGS

MODELS = CONFIGS

PRECISIONS = {8: "bfloat16", 11: "float16"}


def network(name):
    """Return a published model, scaled down."""
    config = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.read(algatt.published.scaled(config, layers=2, head_width=4, hidden=9), tokens=3)


def nearest(x, precision):
    """Return the number of so many bits that is nearest, by its definition; ties are even, and float16 has no numbers
    between the multiples of 2^-24.
    """
    if x == 0:
        return 0.0
    unit = 2.0 ** max(np.floor(np.log2(abs(x))) + 1 - precision, -24 if precision == 11 else -133)
    return float(np.round(x / unit) * unit)


def point(theta, precision, change=None):
    """Return a point rounded entry by entry, after tensors were changed."""
    field = Reals().known_to(precision)
    arrays = []
    for name, one in theta.tensors.items():
        raw = one.raw if change is None or name not in change else change[name](one.raw.copy())
        rounded = np.vectorize(lambda x: nearest(x, precision))(raw) if precision < 53 else raw
        arrays.append(Elements(field, rounded))
    return theta.replace(arrays)


def differ(net, one, two, X):
    """Return by how much values differ at an input, relative to the largest."""
    values = [np.asarray(algatt.evaluate(net, theta, X)) for theta in (one, two)]
    return np.abs(values[0] - values[1]).max() / np.abs(values[0]).max()


def pair_of(name):
    """Return a network, and a point of float32."""
    net = network(name)
    return net, point(algatt.sample(net, Weights, field=Reals(), seed=2), 24)


@pytest.fixture(scope="module", params=["llama_3_8b", "gpt2"])
def pair(request):
    """A network, and a point of float32."""
    return pair_of(request.param)


@pytest.fixture(scope="module")
def llama():
    """The first of these."""
    return pair_of("llama_3_8b")


@pytest.mark.parametrize("precision", PRECISIONS)
def test_numbers_are_rounded_to_the_nearest(precision):
    draw = np.random.default_rng(0)
    numbers = draw.standard_normal(3000) * 2.0 ** draw.integers(-8, 8, 3000)
    halves = np.array([1 + 2.0**-precision, 1 + 3 * 2.0**-precision, -1 - 2.0**-precision])  # ties
    for x in np.concatenate([numbers, halves, [0.0, 1.0]]):
        single = float(np.float32(x))
        assert rounded_to(np.array([single]), precision)[0] == nearest(single, precision)


@pytest.mark.sample(1)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_copy_that_was_rounded_is_called_that(pair, precision):
    net, one = pair
    copy = point(one, precision)
    changed = sum(int(np.sum(a.raw != b.raw)) for a, b in zip(one.elements, copy.elements, strict=True))
    for first, second, words in (
        (one, copy, "second weights are the first"),
        (copy, one, "first weights are the second"),
    ):
        found = compare_weights(net, first, second)
        assert (found.equal, found.precision) == (True, precision)
        assert found.copy.startswith(f"the {words}, rounded to {PRECISIONS[precision]}")
        assert f": {changed:,} of {net.parameters:,} entries" in found.copy
    answer = algatt.same_function(net, one, copy) if net.parameters > 4096 else None
    assert answer is None or (answer.element is None and "rounded to" in answer.reason)


@pytest.mark.sample(1)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_what_move_writes_of_half_precision_is_equal_to_single_precision(pair, precision):
    net, one = pair
    half = point(one, precision)
    moved = point(algatt.act(random_element(net, half, 1), half), 24)
    for first, second in ((half, moved), (moved, half)):
        found = compare_weights(net, first, second)
        assert (found.equal, found.precision, found.copy) == (True, 24, None)


@pytest.mark.sample(1)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_moved_point_that_was_rounded_is_equal_to_that_precision(llama, precision):
    net, one = llama
    moved = algatt.act(random_element(net, one, 1, condition=2.0), one)
    for first in (one, point(one, precision)):
        found = compare_weights(net, first, point(moved, precision))
        assert (found.equal, found.precision, found.copy) == (True, precision, None)
        assert f"rounding to {PRECISIONS[precision]}" in found.reason


def test_an_element_that_leads_astray_tells_nothing():
    """Of heads of a tiny GPT-2 that are matched wrongly, entries change values by 700 times what the points differ."""
    net, one = pair_of("gpt2")
    moved = algatt.act(random_element(net, one, 1, condition=2.0), one)
    assert compare_weights(net, one, point(moved, 11), hypotheses=False).equal is not False


def times(factor):
    """Return what multiplies a tensor."""
    return lambda raw: factor * raw


def one_entry(raw):
    """Change an entry by a fifth of the largest."""
    raw[1, 0] += 0.2 * np.abs(raw).max()
    return raw


CHANGES = {
    "entry of values": {"1.heads.V_1": one_entry},
    "entry of neurons": {"2.feedforward.up": one_entry},
    "embedding": {"embedding.E": one_entry},
    "doubled": {"1.heads.V_1": times(2.0)},
    "negated": {"2.feedforward.down": times(-1.0)},
    "a hundredth": {"2.feedforward.down": times(1.02)},
    "two": {"1.heads.O_2": times(1.5), "2.feedforward.up": one_entry},
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_copy_is_another_function_and_its_tensor_is_named(llama, change):
    """Where nothing moved, entries are known to be others, however small the change is beside rounding of all."""
    net, one = llama
    two = point(one, 8, CHANGES[change])
    for first in (one, point(one, 8)):
        found = compare_weights(net, first, two, hypotheses=False)
        assert found.equal is False
        assert set(found.broken) & set(CHANGES[change])
        assert differ(net, first, two, found.separating_input) > 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", CHANGES)
def test_a_moved_point_that_was_changed_is_never_equal(llama, change):
    net, one = llama
    moved = algatt.act(random_element(net, one, 3, condition=2.0), one)
    found = compare_weights(net, one, point(moved, 8, CHANGES[change]), hypotheses=False)
    assert not found.equal


@pytest.mark.sample(1)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_few_units_in_the_last_place_of_one_entry_are_not_equal(llama, precision):
    net, one = llama
    half = point(one, precision)

    def nudged(raw):
        raw[0, 0] *= 1 + 2.0 ** (3 - precision)
        return raw

    found = compare_weights(net, half, point(half, precision, {"1.heads.V_1": nudged}))
    assert not found.equal
    assert found.broken == ("1.heads.V_1",)


@pytest.mark.sample(1)
def test_permuted_heads_of_half_precision_are_equal_as_they_are_stored(pair):
    net, one = pair
    half = point(one, 8)
    arrays = {name: raw.raw for name, raw in half.tensors.items()}
    swapped = {
        name: name.replace("_1", "_#").replace("_2", "_1").replace("_#", "_2") for name in arrays if "1.heads." in name
    }
    swapped = {name: other for name, other in swapped.items() if other in arrays}
    if len([name for name in arrays if "1.heads.K_" in name]) < len([name for name in arrays if "1.heads.Q_" in name]):
        swapped = {name: other for name, other in swapped.items() if ".K_" not in name and ".V_" not in name}
    two = half.replace([Elements(half.field, arrays[swapped.get(name, name)]) for name in arrays])
    assert two != half
    found = compare_weights(net, half, two)
    assert (found.equal, found.precision) == (True, 24)


def test_truncated_copies_are_equal_entry_by_entry(pair):
    """What is cut off and not rounded is within a unit in the last place."""
    net, one = pair
    arrays = [
        (raw.raw.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32) for raw in one.elements
    ]
    two = one.replace([Elements(Reals().known_to(8), raw.astype(float)) for raw in arrays])
    found = compare_weights(net, one, two)
    assert found.equal
    assert found.copy.startswith("the weights agree to the precision of bfloat16 (8 bits), entry by entry")
