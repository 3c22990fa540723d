"""One layer several times, with the same tensors."""

import pytest

import algatt
from algatt import Network, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.fields.motions import Motions
from algatt.layers import Feedforward, LayerNorm, Linear, Power, Repeat, Residual, Tie

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


def test_types_are_asked_for_as_long_as_they_change():
    """What the first block reads moves as W does, and what it gives as the norm's gain; so it is from the second on."""
    part = Residual(Feedforward(2, Power(2))) >> LayerNorm()

    def unknowns(count):
        net = Network(Linear(4) >> Repeat(part >> part, count), tokens=1, width=3)
        field = Motions()
        tensors = {name: field.tensor(name, shape) for name, shape in algatt.coordinates(net).items()}
        theta = Weights(tuple(Elements(field, raw) for raw in tensors.values()), tuple(tensors))
        algatt.evaluate(net, theta, Elements(field, field.fixed(net.input_shape)))
        return field.equations.count

    one, two, *more = map(unknowns, (1, 2, 3, 50))
    assert one < two
    assert more == [two, two]


def test_numbers_are_repeated_to_the_end(is_value):
    """(1, 0) stays as it is, and is mapped again all the same, for what is beside it."""
    is_value(Repeat(Linear(2), 5), {"linear.W": [[1, 0], [0, 2]]}, [[1, 1], [0, 1]], [[1, 1], [0, 32]])
