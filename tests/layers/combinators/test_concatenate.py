"""Values below each other, or side by side."""

import pytest

import algatt
from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import Concatenate, LayerNorm, Linear, SelectTokens, describe, noun_of

A, B, X = [[1, 2], [3, 4]], [[5, 6]], [[1, 0, 2], [0, 1, 3]]
AX = [[1, 2, 8], [3, 4, 18]]
BX = [5, 6, 28]


def test_values_stand_below_each_other(is_value):
    is_value(Concatenate(Linear(2), Linear(1)), {"linear_1.W": A, "linear_2.W": B}, X, [*AX, BX])


def test_values_stand_side_by_side(is_value):
    layer = Concatenate(Linear(2), SelectTokens(0, 1), axis=1)
    is_value(layer, {"linear.W": A}, X, [[*AX[0], 1], [*AX[1], 0]])
    assert repr(layer) == "Concatenate(Linear(2), SelectTokens(stop=1), axis=1)"
    assert noun_of(describe(layer)) == layer


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(InvalidArgument, match="of as many rows as"):
        Network(Concatenate(Linear(2), Linear(1), axis=1), tokens=2, width=2)
    with pytest.raises(InvalidArgument, match="axis was 2; it should be 0"):
        Concatenate(Linear(2), Linear(1), axis=2)
    with pytest.raises(InvalidArgument, match="at least 2 layers"):
        Concatenate(Linear(2))


def test_what_a_norm_does_not_see_of_values_side_by_side():
    """The norm sees no multiple of 1 that is added to a column of W (2, 2), of W' (2, 2) or of its bias: 2 + 3; and the
    matrix (1, 2) behind it sees the difference of two numbers alone.
    """
    net = Network(
        Concatenate(Linear(2), Linear(2, bias=True), axis=1) >> LayerNorm(1, False, False) >> Linear(1),
        tokens=1,
        width=2,
    )
    moved = {one.name: one.dimension for one in algatt.symmetry.symbolic_symmetries(net).quotients}
    assert moved["rows of linear_1.W"] == moved["rows of linear_2.W"] == 2
    report = algatt.dimension(net)
    assert (report.status, report.lower, report.upper) == ("proven", 12 - 2 - 3 - 1, 6)
    assert algatt.verify(algatt.certify(net)).ok
