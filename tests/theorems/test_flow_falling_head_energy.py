"""On the sphere a head can lose energy although the heads are orthogonal (P; this example derived): of two heads at one
token exactly one does.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics.statements import check_falling_head_energy


def projectors(strengths, rank):
    axes = np.eye(rank * len(strengths))
    return [
        algatt.dynamics.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength)
        for h, strength in enumerate(strengths)
    ]


@given(first=st.floats(0.1, 3), second=st.floats(0.1, 3), angle=st.floats(0.05, 1.5), beta=st.floats(0.1, 2))
def test_of_two_orthogonal_heads_at_one_token_exactly_one_loses_energy(first, second, angle, beta):
    a = math.cos(angle) ** 2
    w = [math.exp(beta * first * a) * first, math.exp(beta * second * (1 - a)) * second]
    expected = [w[0] * a * (1 - a) * (w[0] - w[1]), w[1] * a * (1 - a) * (w[1] - w[0])]
    flow = algatt.dynamics.SphereFlow(projectors((first, second), 1), beta=beta)
    X = np.array([[math.cos(angle)], [math.sin(angle)]])
    assert algatt.dynamics.energy_rate(flow, X) == pytest.approx(expected, rel=1e-9, abs=1e-12 * max(w) ** 2)
    if abs(w[0] - w[1]) > 1e-6 * max(w):
        assert check_falling_head_energy(first, second, angle, beta=beta).verdict == "holds"


def test_the_example_needs_equal_signs_a_plane_and_unequal_weights():
    # strengths of opposite signs: both rates are positive
    flow = algatt.dynamics.SphereFlow(projectors((1.0, -0.5), 1))
    X = np.array([[0.6], [0.8]])
    assert (algatt.dynamics.energy_rate(flow, X) > 0).all()
    assert check_falling_head_energy(1.0, -0.5, 1.0).verdict == "does not apply"
    # a third dimension: both rates are positive
    axes = np.eye(3)
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ProjectorHead(axes[:, :1]), algatt.dynamics.ProjectorHead(axes[:, 1:2]))
    )
    assert (algatt.dynamics.energy_rate(flow, np.full((3, 1), 3**-0.5)) > 0).all()
    # weights that are equal: both rates are zero
    assert check_falling_head_energy(1.0, 1.0, math.pi / 4).verdict == "undecided"
    # an axis: both are zero
    assert check_falling_head_energy(1.0, 0.5, 0.0).verdict == "does not apply"


def test_a_head_loses_energy_along_a_whole_run():
    flow = algatt.dynamics.SphereFlow(projectors((1.0, 0.4), 1))
    run = algatt.dynamics.integrate(flow, [[math.cos(0.8)], [math.sin(0.8)]], until=2.0)
    assert (np.diff(run.energies[:, 1]) < 0).all()
    assert (np.diff(run.energies[:, 0]) > 0).all()
    assert (np.diff(run.total_energies) > 0).all()
