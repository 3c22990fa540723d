"""One layer several times, with the same tensors."""

import pytest

import algatt
from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import Feedforward, Linear, Power, Repeat, Residual, Tie

W, b, X = [[1, 2], [0, -1]], [[1], [3]], [[1, 0], [2, 5]]


def test_it_is_the_composition_with_itself(is_value):
    once = [[6, 11], [1, -2]]
    twice = [[6 + 2 + 1, 11 - 4 + 1], [-1 + 3, 2 + 3]]
    is_value(Repeat(Linear(2, bias=True), 1), {"linear.W": W, "linear.b": b}, X, once)
    is_value(Repeat(Linear(2, bias=True), 2), {"linear.W": W, "linear.b": b}, X, twice)


def test_it_is_a_stack_whose_blocks_are_tied():
    block = Residual(Feedforward(2, Power(2)))
    names = ("up", "down")
    tied = Tie(3 * block, {f"{number}.feedforward.{one}": f"1.feedforward.{one}" for number in (2, 3) for one in names})
    nets = [Network(layers, tokens=1, width=2) for layers in (tied, Repeat(block, 3))]
    assert [net.parameters for net in nets] == [8, 8]
    reports = [algatt.dimension(net) for net in nets]
    assert reports[0].status == reports[1].status == "proven"
    assert reports[0].upper == reports[1].upper == 8 - 2  # a factor for each of the two neurons


def test_what_cannot_be_repeated_is_refused():
    with pytest.raises(InvalidArgument, match="to be applied again"):
        Network(Repeat(Linear(3), 2), tokens=1, width=2)
    with pytest.raises(InvalidArgument, match="count was 0; it should be an integer >= 1"):
        Repeat(Linear(2), 0)
