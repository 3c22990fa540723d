"""Tensors of large points that are made when they are asked for, and changed at random, or compared, block by block."""

import numpy as np
import pytest

import algatt
from algatt.fields import Elements, Reals
from algatt.fields.base import Delayed
from algatt.geometry.equality.large.arrays import BLOCK, compact, largest_difference
from algatt.geometry.equality.large.values import by_entries, by_shares, changed_at_random, in_storage

ROWS, COLUMNS = 3 * BLOCK // 256 + 5, 256
"""More than three blocks, the last of which is not whole."""


def point(order: str = "C") -> algatt.Weights:
    """Return a point with a large tensor in an order of numpy."""
    draw = np.random.default_rng(0)
    return algatt.Weights.of({"W": np.array(draw.standard_normal((ROWS, COLUMNS)), order=order), "b": np.zeros((3, 1))})


@pytest.mark.parametrize("order", ["C", "F"])
def test_changes_are_products_of_a_column_and_a_row_within_what_was_asked_for(order: str) -> None:
    theta = point(order)
    W = theta.tensors["W"].raw
    for changes, most in (
        (by_entries(0.25), 0.25 * np.abs(W)),
        (by_shares({"W": 0.25}), np.full_like(W, 0.25 * np.abs(W).max())),
        (in_storage(0.25), 0.25 * (np.abs(W) + np.sqrt(np.mean(W**2)))),
    ):
        changed = changed_at_random(theta, 1, "test", changes).tensors["W"].raw
        ratios = (changed - W) / most
        assert np.abs(ratios).max() <= 1 + 1e-9
        assert np.linalg.svd(ratios, compute_uv=False)[1] <= 1e-6 * np.linalg.norm(ratios)
        assert ratios.std() == pytest.approx(1 / 3, rel=0.1)  # of products of two uniform numbers
        assert np.array_equal(theta.tensors["W"].raw, W)


def test_what_is_changed_is_the_same_whether_it_was_made_before_or_not() -> None:
    theta = algatt.Weights.of({name: one.raw.astype(np.float32) for name, one in point().tensors.items()})
    small = compact(theta)
    assert [type(one) for one in small.elements] == [Delayed, Delayed]
    assert small == theta
    for _ in range(2):
        changed = [changed_at_random(each, 1, "test", in_storage(1e-3)) for each in (theta, small)]
        assert changed[0] == changed[1]
        assert small == theta


def test_a_point_of_more_digits_is_not_made_smaller() -> None:
    theta = point()
    assert compact(theta).tensors["W"] is theta.tensors["W"]
    large = algatt.Weights.of({"W": np.array([[1e300]])})  # beyond single precision
    assert compact(large).elements == large.elements


def test_a_network_has_the_values_of_tensors_that_are_made() -> None:
    from algatt.layers import Feedforward, ReLU, Residual

    net = algatt.Network(Residual(Feedforward(5, ReLU(), bias=True)), tokens=3, width=4)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=0)
    later = theta.replace([Delayed(one.field, one.shape, one.raw.copy) for one in theta.elements])
    X = np.ones((4, 3))
    assert np.array_equal(algatt.evaluate(net, theta, X), algatt.evaluate(net, later, X))
    assert algatt.same_function(net, theta, later).equal


def test_the_largest_difference_is_found_in_any_block() -> None:
    W = point().tensors["W"].raw
    for place in ((0, 0), (ROWS // 2, 7), (ROWS - 1, COLUMNS - 1)):
        other = W.copy()
        other[place] += 9
        assert largest_difference(W, other) == largest_difference(other, W) == pytest.approx(9)
    assert largest_difference(W[:, 0], W[:, 0]) == 0


def test_an_array_that_is_made_to_stay_cannot_be_written_to() -> None:
    found = Delayed(Reals(), (2,), lambda: np.ones(2)).made()
    assert type(found) is Elements
    assert not found.raw.flags.writeable
