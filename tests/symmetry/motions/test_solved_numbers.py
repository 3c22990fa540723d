"""Numbers and multiples of the identity within equations between matrices: what has them, and what is left."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.fields import concatenate
from written_networks import written

FIELD = algatt.PrimeField(8388593)


@pytest.mark.parametrize(
    ("tensors", "rows", "dimensions"),
    [
        ({"A": (2, 2), "U": (2, 4)}, lambda w, X: [w.A @ X, X], [4, 8]),
        ({"A": (2, 2), "b": (1, 2), "U": (2, 3)}, lambda w, X: [w.A @ X, w.b @ X], [1, 4, 8]),
        ({"b": (1, 2), "U": (2, 2)}, lambda w, X: [w.b @ X, w.b @ X], [1, 1]),
    ],
)
def test_numbers_and_matrices_that_act_on_joined_rows_have_elements(tensors, rows, dimensions):
    """What A and b gain from the left, U loses from the right; of columns that meet one row one gives another."""
    net = written(tensors, lambda w, X: w.U @ concatenate(rows(w, X)), width=2)
    families = algatt.symmetries(net)
    assert sorted(one.dimension for one in families) == dimensions
    numbers = [str(one.group) for one in families if one.dimension == 1 and one.group is not None]
    assert numbers == ["GL(1)"] * (1 in dimensions)
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=0)
    X = algatt.sample_inputs(net, field=FIELD, seed=0, count=9)
    for one in families:
        moved = algatt.act(one.element(theta, seed=1), theta)
        assert moved != theta
        assert (algatt.evaluate(net, moved, X) == algatt.evaluate(net, theta, X)).all()


def check_count(net, count):
    """Check how many symmetries a network has, by the rank of its Jacobian too."""
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=0)
    X = algatt.sample_inputs(net, field=FIELD, seed=0, count=9)
    assert algatt.rank(algatt.jacobian(net, theta, X)) == net.parameters - count
    assert sum(one.dimension for one in algatt.symmetries(net)) == count
    report = algatt.dimension(net)
    assert (report.value, report.status) == (net.parameters - count, "proven")


@pytest.mark.parametrize("constant", [[[1, 1], [0, 1]], [[1, 0], [1, 1]], [[1, 0], [0, 2]], [[0, -1], [1, 0]]], ids=str)
def test_matrices_that_commute_with_a_constant_beside_larger_ones(constant):
    """With the rows Y of A X and the first two of them Z: (U C Z; U Z; V Y). Rows are changed by T with T_11 = S, which
    commutes with C, and T_12 = 0: two numbers, and the three of the last row.
    """

    def function(w, X):
        Y = w.A @ X
        return concatenate([w.U @ (np.array(constant) @ Y[:2]), w.U @ Y[:2], w.V @ Y])

    check_count(written({"A": (3, 4), "U": (3, 2), "V": (3, 3)}, function, width=4), 5)
