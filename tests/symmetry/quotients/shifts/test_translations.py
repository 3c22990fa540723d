"""Shifts as elements: tangents, inverses and products."""

from __future__ import annotations

import numpy as np

from algatt import PrimeField, Weights, verbs
from algatt.fields import Elements
from algatt.programs import Instruction, Program
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.motions.shifts import solve_shifts
from small_programs import small_program
from written_networks import written


def test_no_tangents_are_known_where_a_denominator_vanishes():
    """u is absorbed by b divided by a sum of a, which is zero at these weights."""
    net = written(
        {"W": (3, 3), "u": (3, 1), "a": (3, 1), "b": (3, 1)},
        lambda w, X: w.W @ X + (w.u * w.a.sum(axis=0).reciprocal() + w.b),
    )
    family = next(one for one in verbs.members(ShiftSymmetry, net) if one.shift.tensor == "u")
    assert family.tensors == ("u", "b")
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    assert family.tangent_elements(theta).shape == (3, 18)
    a = Elements.of(theta.field, np.array([[1], [2], [theta.field.p - 3]]))
    zero = theta.replace([a if name == "a" else one for name, one in theta.tensors.items()])
    assert family.tangent_elements(zero).shape == (0, 18)


def test_a_tensor_that_is_the_value_is_seen():
    program = Program((Instruction("tensor", (), "W", (3, 2)),))
    assert solve_shifts(program, units=None).shifts == ()


def test_laws_of_translations():
    """The inverse undoes, and a product acts as its factors do, of one family or of two."""
    net = small_program(lambda w, X: X + (w.W @ (w.u - w.V @ w.a) + w.b), "W V u a b")
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    one, two = verbs.members(ShiftSymmetry, net)[:2]
    g, h, k = one.element(theta, 1), one.element(theta, 2), two.element(theta, 3)
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta != verbs.act(g, theta)
    for other in (h, k):
        assert verbs.act(verbs.compose(g, other), theta) == verbs.act(g, verbs.act(other, theta))
