"""Numbers and multiples of the identity within equations between matrices: who has them, and what is left beside them."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.fields import concatenate
from written_networks import written

FIELD = algatt.PrimeField(8388593)


def test_a_space_beside_a_number_has_elements():
    """U (A X; X) is (U_1 A + U_2) X: what A gains from the left, U_1 loses from the right."""
    net = written({"A": (2, 2), "U": (2, 4)}, lambda w, X: w.U @ concatenate([w.A @ X, X]), width=2)
    (family,) = algatt.symmetries(net)
    assert family.dimension == 4
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=0)
    X = algatt.sample_inputs(net, field=FIELD, seed=0, count=9)
    moved = algatt.act(family.element(theta, seed=1), theta)
    assert moved != theta
    assert (algatt.evaluate(net, moved, X) == algatt.evaluate(net, theta, X)).all()


@pytest.mark.parametrize("constant", [[[1, 1], [0, 1]], [[1, 0], [0, 2]], [[0, -1], [1, 0]]], ids=str)
def test_matrices_that_commute_with_a_constant_beside_larger_ones(constant):
    """With the rows Y of A X and the first two of them Z: (U C Z; U Z; V Y). Rows are changed by T with T_11 = S, which
    commutes with C, and T_12 = 0: two numbers, and the three of the last row.
    """

    def function(w, X):
        Y = w.A @ X
        return concatenate([w.U @ (np.array(constant) @ Y[:2]), w.U @ Y[:2], w.V @ Y])

    net = written({"A": (3, 4), "U": (3, 2), "V": (3, 3)}, function, width=4)
    assert sum(one.dimension for one in algatt.symmetries(net)) == 5
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=0)
    X = algatt.sample_inputs(net, field=FIELD, seed=0, count=9)
    assert algatt.rank(algatt.jacobian(net, theta, X)) == net.parameters - 5
    report = algatt.dimension(net)
    assert (report.value, report.status) == (net.parameters - 5, "proven")
