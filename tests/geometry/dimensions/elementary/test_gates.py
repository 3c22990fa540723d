"""Gates have the values that they have at real points, and both where there are biases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import ConditionFailed, DivisionByZero
from algatt.fields import Positive
from algatt.geometry.dimensions.ball_bounds import numbers_with_values
from algatt.geometry.dimensions.declared import check_symmetries_by_balls
from algatt.geometry.dimensions.elementary.dimension import reading_of
from algatt.geometry.dimensions.elementary.patterns import gates_of_real_inputs
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.real_point import ball_inputs, ball_weights
from algatt.layers import (
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    SigmoidRouter,
    SiLU,
    SoftmaxRouter,
)
from written_networks import written

NEURONS = Residual(LayerNorm() >> Feedforward(12, ReLU(), gated=True, bias=True))


def test_neurons_with_biases_are_active_at_some_inputs_and_not_at_others():
    net = algatt.Network(NEURONS, tokens=4, width=6)
    (values,) = gates_of_real_inputs(net, reading_of(net), 0, np.arange(64)).values()
    shares = values.mean(axis=(0, 2))
    assert values.shape == (64, 12, 4)
    assert ((shares > 0) & (shares < 1)).all()


def test_the_dimension_is_that_of_neurons_that_are_switched():
    """258 parameters; 2 d of the norm, one for the mean in each of 24 rows, 2 for each neuron (networks of real
    neurons that are never active have fewer).
    """
    report = algatt.dimension(algatt.Network(NEURONS, tokens=4, width=6), field=algatt.Elementary())
    assert (report.parameters, report.value, report.status) == (258, 258 - 12 - 24 - 24, "proven")
    assert report.conditions.gates > 1


@pytest.mark.parametrize(
    ("layers", "gated"),
    [
        (Residual(Heads(1, width=2)) >> Residual(Feedforward(3, ReLU())), False),
        (Residual(Feedforward(3, ReLU())) >> Residual(Heads(1, width=2)), True),
        (Feedforward(3, ReLU(), gated=True) >> Feedforward(3, SiLU()), True),
        (Feedforward(3, ReLU()) >> Feedforward(3, ReLU()), False),
        (Feedforward(3, SiLU()), False),
    ],
)
def test_which_conditions_depend_on_gates(layers, gated):
    assert reading_of(algatt.Network(layers, tokens=2, width=3)).gated is gated


def square_behind_a_gate(sign: int) -> algatt.Network:
    """Return the network C sqrt((B x)^2 + relu(u)), with u = A x, or u = -(A x)^2 - 1 for the sign -1: where the gate
    is closed the root is that of a square.
    """

    def function(w: Any, X: Any) -> Any:
        u = w.A @ X
        if sign < 0:
            u = -u * u - 1
        return w.C * ((w.B @ X) * (w.B @ X) + u * u.entrywise(Positive())).sqrt()

    return written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, function, width=2, tokens=1)


@pytest.mark.parametrize("seed", range(3))
def test_patterns_for_which_a_condition_fails_are_left_out(seed):
    # C may be made larger, with smaller A and B. The pattern that is tried first depends on the seed.
    report = algatt.dimension(square_behind_a_gate(1), field=algatt.Elementary(), seed=seed)
    assert report.lower == 4
    assert report.conditions.gates == 1
    assert report.conditions.left_out <= 1
    assert ("others fail a condition" in str(report.conditions)) is (report.conditions.left_out > 0)


def test_where_no_pattern_passes_the_reason_is_told():
    with pytest.raises(ConditionFailed, match="for each of 1 patterns of gates a condition fails: a product of arg"):
        algatt.dimension(square_behind_a_gate(-1), field=algatt.Elementary())
    assert "for each of 1 patterns of gates" in algatt.dimension(square_behind_a_gate(-1)).reason


@pytest.mark.parametrize(
    ("layers", "width", "dimension"),
    [  # those of D relu(U x) with k neurons: k (d + d') - k
        (Linear(3) >> ReLU() >> ReLU() >> Linear(2), 3, 3 * (3 + 2) - 3),
        (Linear(6) >> ReLU() >> ReLU() >> ReLU() >> Linear(1), 2, 6 * (2 + 1) - 6),
        (Linear(4) >> ReLU() >> Residual(ReLU()) >> Linear(2), 3, 4 * (3 + 2) - 4),
    ],
)
def test_gates_behind_closed_gates_are_closed(layers, width, dimension):
    report = algatt.dimension(algatt.Network(layers, tokens=1, width=width))
    assert (report.value, report.status) == (dimension, "proven")
    assert algatt.verify(algatt.certify(report)).ok


@pytest.mark.parametrize("field", [algatt.Elementary(), algatt.Balls(), None])
def test_where_a_gate_is_at_zero_at_one_point_alone_another_is_taken(field):
    """The integer is a multiple of the tensor that is drawn there; next to it the gate opens."""
    (drawn,) = algatt.verbs.draw_array(algatt.Balls(), shape=(1,), seed=0, label="weights")
    integer = int(float(drawn) * 2**23)

    def function(w: Any, X: Any) -> Any:
        u = (w.A * 2**23 - integer) * X
        return w.C @ (X * X + u * u.entrywise(Positive()))

    net = written({"A": (1, 1), "C": (1, 1)}, function, width=1, tokens=1)
    report = algatt.dimension(net, field=field)
    assert (report.value, report.status) == (2, "proven")
    assert report.seed != 0
    with pytest.raises(ConditionFailed, match="the gates of a real point are not known"):
        gates_of_real_inputs(net, reading_of(net), 0, np.arange(4))


@pytest.mark.sample(1)
@pytest.mark.parametrize("router", [SigmoidRouter(top=1), SoftmaxRouter(top=1)])
def test_inputs_at_which_a_norm_divides_by_zero_are_left_out(router):
    """Where all neurons of the chosen expert are silent, the norm has no value."""
    net = algatt.Network(Experts(2, Feedforward(1, ReLU()), router) >> RMSNorm(0), tokens=1, width=2)
    for field in (None, algatt.Balls()):
        report = algatt.dimension(net, field=field)
        # gain, router, and for each expert U and D; less the scale of its neuron, and its own
        assert 0 < report.lower <= report.value <= 2 + 4 + 2 * (4 - 2)
    check_symmetries_by_balls(Question(net), algatt.Balls(), 0)
    numbers = numbers_with_values(net, 0, 4)
    theta = ball_weights(net, algatt.Balls(), 0)
    for number in range(int(numbers[-1]) + 1):
        X = ball_inputs(net, algatt.Balls(), 0, number, 1)
        if number in numbers:
            algatt.verbs.evaluate(net, theta, X)
        else:
            with pytest.raises(DivisionByZero):
                algatt.verbs.evaluate(net, theta, X)
