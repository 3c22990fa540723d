"""Points of floats that are one function up to rounding although no group element says so, and points that are not."""

from __future__ import annotations

import contextlib

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import algatt
from algatt.errors import DivisionByZero, DomainError, EquivalenceUndecided
from algatt.fields import Elements
from algatt.geometry.equality import enclosed_values
from algatt.geometry.equality.one_form import equivalence_within_rounding
from algatt.layers import GELU, Feedforward, Linear, Power, ReLU, Residual
from algatt.maps.virtual_form import have_one_form_within_rounding
from special_pairs import ROUTED, ZOO, integers, special_pairs, weights

REALS = algatt.Reals()
PAIRS = {name: rest for name, *rest in special_pairs()}
NETWORKS = [algatt.expression(net) for net in ZOO if net is not ROUTED]
"""Without the router: a shift of all logits is one that no rule knows."""


def moved(net, theta, seed):
    """Return a point moved by an element of each family that has one there, and reordered."""
    for family in algatt.symmetries(net):
        with contextlib.suppress(DivisionByZero):  # beside a gain that is zero
            theta = algatt.act(family.element(theta, seed=seed), theta)
    for symmetry in algatt.symmetry.discrete_symmetries(net):
        for element in symmetry.elements(theta.field)[seed % 2 :][:1]:
            theta = algatt.act(element, theta)
    return theta


def largest(theta):
    """Return the size of the largest weight."""
    return max(np.abs(element.raw).max() for element in theta.elements)


def changed(theta, draw, size):
    """Return a point with one entry changed by a part of the largest of its tensor."""
    arrays = [one.raw.copy() for one in theta.elements]
    array = arrays[draw.integers(len(arrays))]
    array[tuple(draw.integers(array.shape))] += size * np.abs(array).max() * draw.choice([-1, 1])
    return theta.replace([Elements(one.field, raw) for one, raw in zip(theta.elements, arrays, strict=True)])


def values(net, theta):
    """Return the values at four inputs."""
    return np.array(algatt.evaluate(net, theta, algatt.sample_inputs(net, field=REALS, seed=5, count=4)))


def differ(net, one, two, by):
    """Return whether values differ by more than a part of the largest."""
    first, second = values(net, one), values(net, two)
    return bool(np.abs(first - second).max() > by * np.abs(first).max())


def rounded(tensors, kind=np.float64):
    """Return integers divided by nine, so that they are rounded."""
    return {name: (array / 9).astype(kind) for name, array in tensors.items()}


def special_points(name):
    """Return a network and two points that are one function, each moved by elements of its own."""
    net, one, two = PAIRS[name]
    points = (weights(net, rounded(tensors), REALS) for tensors in (one, two))
    return net, *(moved(net, theta, seed) for seed, theta in enumerate(points, start=1))


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", PAIRS)
def test_special_pairs_are_equal_after_rounding_and_moving(name):
    net, one, two = special_points(name)
    assert have_one_form_within_rounding(net, one, two, 1e-8)
    answer = algatt.same_function(net, one, two)
    assert answer.equal
    if answer.status != "proven":  # as where nothing is rounded
        assert answer.status == "numerical"
        assert answer.element is not None or "within rounding" in answer.reason
        assert answer.distance < 1e-12
    assert not have_one_form_within_rounding(net, one, weights(net, rounded(integers(net, 7)), REALS), 1e-8)


@pytest.mark.parametrize("name", PAIRS)
def test_special_pairs_are_equal_in_single_precision(name):
    net, *pair = PAIRS[name]
    one, two = (algatt.Weights.of(rounded(tensors, np.float32)) for tensors in pair)
    answer = algatt.same_function(net, one, two)
    assert answer.equal
    assert answer.status == "proven" or answer.distance < 1e-5


@pytest.mark.sample(1)
@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_moved_points_have_one_form_within_rounding_and_changed_ones_have_not(net):
    theta = algatt.sample(net, algatt.Weights, field=REALS, seed=0)
    draw, seen = np.random.default_rng(0), 0
    others = [moved(net, theta, seed) for seed in (1, 2, 3, 4)]
    for other in others:
        assert have_one_form_within_rounding(net, theta, other, 1e-8)
    for other in sorted(others, key=largest)[:2]:  # of large weights what is seen here may be their rounding
        for size in (1e-3, 1e-6, 1e-9, 1e-11) * 3:
            near = changed(other, draw, size)
            if differ(net, other, near, 1e-13):  # and not a bias of keys, or an entry behind a mask
                seen += 1
                assert not have_one_form_within_rounding(net, theta, near, 1e-8)
    assert seen >= 4


def test_softmax_attention_of_one_token_has_an_element_of_what_is_not_seen():
    """Of one token the scores are not seen."""
    arch = algatt.Softmax((4, 3, 4), (2, 2), 1)
    theta = algatt.sample(arch, algatt.Weights, field=REALS, seed=0)
    other = moved(arch, theta, 1)
    answer = algatt.same_function(arch, theta, other)
    assert (answer.equal, answer.status, answer.coordinates) == (True, "numerical", algatt.VirtualWeights)
    assert answer.distance < 1e-12
    start, end = (algatt.convert(one, algatt.VirtualWeights) for one in (theta, other))
    for found, wanted in zip(algatt.act(answer.element, start).elements, end.elements, strict=True):
        np.testing.assert_allclose(found.raw, wanted.raw, rtol=1e-9, atol=1e-12)


def test_equal_forms_within_rounding_of_values_that_differ_decide_nothing():
    """Two neurons that differ in the last bits are one within rounding; multiplied by 10^7 they are not."""
    net = algatt.Network(Residual(Feedforward(2, Power(2))), tokens=1, width=1)
    one, two = (
        algatt.Weights.of({"feedforward.up": [[1.0], [1.0 + shift]], "feedforward.down": [[1e7, -1e7]]})
        for shift in (2e-15, -2e-15)
    )
    assert have_one_form_within_rounding(net, one, two, 1e-8)
    assert differ(net, one, two, 2e-8)
    assert equivalence_within_rounding(net, one, one, 0, 1e-8)
    assert equivalence_within_rounding(net, one, two, 0, 1e-8) is None


def test_equal_values_at_random_inputs_of_forms_that_differ_decide_nothing():
    """A neuron that fires for inputs of about 100 alone has another slope there."""
    net = algatt.Network(Residual(Feedforward(1, ReLU(), bias=True)), tokens=1, width=1)
    rest = {"feedforward.down": [[1.0]], "feedforward.b_up": [[-100.0]], "feedforward.b_down": [[0.0]]}
    one, two = (algatt.Weights.of({"feedforward.up": [[slope]], **rest}) for slope in (1.0, 1.001))
    assert not differ(net, one, two, 0)
    assert equivalence_within_rounding(net, one, two, 0, 1e-8) is None
    with pytest.raises(EquivalenceUndecided):
        algatt.same_function(net, one, two)


def test_where_no_values_are_enclosed_nothing_is_decided(monkeypatch):
    net, one, two = special_points("a dead neuron")
    assert equivalence_within_rounding(net, one, two, 0, 1e-8)
    monkeypatch.setattr(enclosed_values, "enclosed_values", lambda arch, points, inputs, field: [None] * len(inputs))
    assert equivalence_within_rounding(net, one, two, 0, 1e-8) is None


def test_positive_numbers_before_gates_cancel():
    net = algatt.Network(Feedforward(2, ReLU()), tokens=1, width=2)
    one = algatt.sample(net, algatt.Weights, field=REALS, seed=0)
    for factors, equal in (((3.0, 0.7), True), ((3.0, -0.7), False)):
        scales = np.array(factors)
        U, D = (element.raw for element in one.elements)
        two = algatt.Weights.of({"feedforward.up": U * scales[:, None], "feedforward.down": D / scales})
        assert have_one_form_within_rounding(net, one, two, 1e-8) == equal


def test_what_is_between_two_neurons_is_not_matched():
    """The neurons of the first point differ by more than rounding, and that of the second one is near both."""
    net = algatt.Network(Feedforward(2, GELU()), tokens=1, width=1)
    unit = 2.0**-48 * 2

    def point(*rows):
        return algatt.Weights.of({"feedforward.up": [[one] for one in rows], "feedforward.down": [[1.0, 2.0]]})

    first = point(1.0, 1.0 + 3 * unit)
    assert have_one_form_within_rounding(net, first, first, 1e-8)
    assert have_one_form_within_rounding(net, first, point(1.0 - unit, 1.0 + 4 * unit), 1e-8)
    assert not have_one_form_within_rounding(net, first, point(1.0 + 1.5 * unit, 1.0 + 4 * unit), 1e-8)
    assert not have_one_form_within_rounding(net, point(1.0, 5.0), point(1.0 + 9 * unit, 5.0), 1e-8)


def test_a_small_row_is_not_zero():
    net = algatt.Network(Linear(2) >> Feedforward(2, GELU()) >> Linear(1), tokens=1, width=2)
    theta = algatt.sample(net, algatt.Weights, field=REALS, seed=0)
    names, up = theta.names(), next(name for name in theta.names() if name.endswith("up"))
    scale, rows = np.array([[1.0], [1e-18]]), np.array([[1.0], [3.0]])
    arrays = {name: one.raw for name, one in zip(names, theta.elements, strict=True)}
    one, two = (algatt.Weights.of({**arrays, up: arrays[up] * scale * factor}) for factor in (1.0, rows))
    assert have_one_form_within_rounding(net, one, one, 1e-8)
    assert not have_one_form_within_rounding(net, one, two, 1e-8)


@given(st.sampled_from(NETWORKS), st.integers(0, 2**32), st.booleans())
def test_points_of_one_form_within_rounding_have_one_value(net, seed, move):
    """Of weights among a few numbers many are one function for some reason."""
    draw = np.random.default_rng(seed)
    shapes = algatt.coordinates(net)
    one = {name: draw.choice([-1 / 3, 0, 0, 0, 1 / 7], shape) for name, shape in shapes.items()}
    two = {name: array.copy() for name, array in one.items()}
    array = two[draw.choice(list(shapes))]
    array[tuple(draw.integers(array.shape))] += draw.choice([1e-9, 1e-3, 1])
    points = [weights(net, tensors, REALS) for tensors in (one, two)]
    if move:
        with contextlib.suppress(algatt.errors.AlgattError):  # a family that is not defined at special points
            points[1] = moved(net, points[1], 1)
    if have_one_form_within_rounding(net, *points, 1e-8):
        with contextlib.suppress(DomainError, DivisionByZero):
            first, second = (values(net, theta) for theta in points)
            np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-12)
