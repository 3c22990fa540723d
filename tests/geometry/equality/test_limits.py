"""Where equality is not proven the planted operation is named: values agree behind it, and no rule says why."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import EquivalenceUndecided
from algatt.fields import Positive, Rationals
from written_networks import written

REALS = algatt.Reals()
QUOTIENTS = written(
    {"a": (1, 2), "b": (1, 1), "c": (1, 1)},
    lambda w, X: w.b / (1 + w.a @ X) + w.c * (w.a @ X) / (1 + w.a @ X),
    width=2,
)
"""The number b if c is the same, whatever a is."""

LARGER_AND_SMALLER = written(
    {"A": (1, 2), "B": (1, 2)},
    lambda w, X: (
        (w.A @ X + w.B @ X) * ((w.A @ X - w.B @ X).entrywise(Positive()) + (w.B @ X - w.A @ X).entrywise(Positive()))
    ),
    width=2,
)
"""(A + B) X, written with gates of which one is open."""


def points(field, *tensors):
    kind = float if field == REALS else int
    return [algatt.Weights.of({k: np.array(v, dtype=kind) for k, v in one.items()}, field=field) for one in tensors]


def said(net, one, two):
    """Return the reason why two points are not proven to be one function."""
    try:
        found = algatt.same_function(net, one, two)
    except EquivalenceUndecided as error:
        return str(error)
    assert (found.equal, found.status) == (True, "probable")
    return found.reason


@pytest.mark.parametrize("field", [algatt.PrimeField(), REALS, Rationals()], ids=str)
def test_a_sum_of_quotients_is_named(field):
    one, two = points(field, {"a": [[1, 2]], "b": [[3]], "c": [[3]]}, {"a": [[2, 5]], "b": [[3]], "c": [[3]]})
    assert "; limited by add (%" in said(QUOTIENTS, one, two)
    assert "of reciprocal (%" in said(QUOTIENTS, one, two)


@pytest.mark.parametrize("field", [REALS, Rationals()], ids=str)
def test_gates_are_named(field):
    one, two = points(field, {"A": [[1, 2]], "B": [[3, 1]]}, {"A": [[2, 2]], "B": [[2, 1]]})
    reason = said(LARGER_AND_SMALLER, one, two)
    assert "; limited by " in reason
    assert "positive (%" in reason


def test_what_rules_know_is_not_named():
    """Behind scores, of which the virtual form knows that they see K^T Q alone, the quotients are: not the product of
    keys and queries.
    """
    net = written(
        {"K": (2, 2), "Q": (2, 2), "b": (1, 1), "c": (1, 1)},
        lambda w, X: (
            X @ ((w.K @ X).T @ (w.Q @ X)) * (w.b / (1 + w.K[:1] @ X) + w.c * (w.K[:1] @ X) / (1 + w.K[:1] @ X))
        ),
        width=2,
    )
    p, number = 8388593, {"b": [[3]], "c": [[3]]}
    K, Q = np.array([[1, 2], [0, 1]]), np.array([[1, 1], [2, 3]])
    g, h = np.array([[1, 3], [0, 1]]), np.array([[1, 0], [p - 3, 1]])
    assert ((g.T @ h) % p == np.eye(2)).all()
    one, two = points(algatt.PrimeField(p), {"K": K, "Q": Q, **number}, {"K": g @ K % p, "Q": h @ Q % p, **number})
    reason = said(net, one, two)
    assert "; limited by add (%" in reason
    assert reason.count("(%") == 2


def test_points_in_other_coordinates_have_limits():
    """Two layers may be exchanged for a reason that is in none of the groups."""
    arch = algatt.Lightning(dims=(2, 2, 3), ranks=(2, 2), tokens=3)
    field = algatt.PrimeField()
    G, J, L = np.array([[3, 1], [1, 2]]), np.array([[0, 1], [field.p - 1, 0]]), np.array([[1, 2], [0, 1], [3, 1]])
    one, two = (algatt.VirtualWeights.of(M, L, field=field) for M in ((J, 5 * G % field.p), (G, J)))
    assert said(arch, one, two).endswith("; limited by product (%18) of Q_2, Q_1")
