"""Gates have the values that they have at real points, and both where there are biases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import ConditionFailed
from algatt.fields import Positive
from algatt.geometry.dimensions.elementary.gates import gates_of_real_inputs
from algatt.geometry.dimensions.elementary.places import reading_of
from algatt.layers import Feedforward, Heads, LayerNorm, ReLU, Residual, SiLU
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
    report = algatt.dimension(algatt.Network(NEURONS, tokens=4, width=6))
    assert (report.parameters, report.value, report.status) == (258, 258 - 12 - 24 - 24, "proven")
    assert report.conditions.gates == 64


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
    # C may be made larger, with smaller A and B.
    report = algatt.dimension(square_behind_a_gate(1), field=algatt.Elementary(), seed=seed)
    assert report.lower == 4
    assert report.conditions.gates > 0
    assert 0 < report.conditions.left_out <= 4
    assert "others fail a condition" in str(report.conditions)


def test_where_no_pattern_passes_the_reason_is_told():
    with pytest.raises(ConditionFailed, match="for each of 4 patterns of gates a condition fails: a product of arg"):
        algatt.dimension(square_behind_a_gate(-1), field=algatt.Elementary())
    assert "for each of 4 patterns of gates" in algatt.dimension(square_behind_a_gate(-1)).reason
