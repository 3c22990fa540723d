"""The exact solution, which answers on symbols are held against."""

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Weights, verbs
from algatt.fields import Elements
from algatt.symmetry.typed.solution import solve_types


def solve_exactly(net):
    """Return the dimension of the group by the exact solution, and the rank of tangents at random weights."""
    shapes = verbs.coordinates(net)
    fields = [field for one in solve_types(verbs.program(net), shapes) for field in one.fields]
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=5)
    rows = []
    for field in fields:
        parts = []
        for name, element in theta.tensors.items():
            W = element.raw.astype(object)
            dW = W * 0
            if name in field:
                for (i, j), c in field[name].rows.items():
                    dW[i] += c * W[j]
                for (i, j), c in field[name].columns.items():
                    dW[:, j] += c * W[:, i]
            parts.append(dW.ravel())
        rows.append(np.concatenate(parts) % PrimeField().p)
    matrix = np.array(rows, dtype=np.float64).reshape(len(rows), net.parameters)
    return len(fields), int(verbs.rank(Elements(theta.field, matrix))) if rows else 0


@pytest.fixture
def exact():
    return solve_exactly
