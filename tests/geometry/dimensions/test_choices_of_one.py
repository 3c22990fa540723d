"""A value that is chosen by the largest score: derivatives do not see scores, and the function does, where choices
change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.fields import Elements
from algatt.linalg import RowSpace
from written_networks import written

D = 3
SHAPES = dict.fromkeys("QKV", (D, D))


def chosen(w: Any, X: Elements) -> Elements:
    return w.V @ X @ ((w.K @ X).T @ (w.Q @ X)).largest(1)


def test_bounds_are_the_rank_at_inputs_and_what_choices_show() -> None:
    report = algatt.dimension(written(SHAPES, chosen, width=D, tokens=3))
    assert (report.lower, report.upper, report.parameters) == (9, 9 + 8, 27)


@pytest.mark.parametrize("p", [8388593, 8388571, 8388547])
def test_where_choices_change_scores_are_seen_up_to_a_factor(p: int) -> None:
    """Of x, y and z the differences d = y - z with (K d) . (Q x) = 0 are where the choice of x changes. The derivative
    of this number by the weights there is what the function shows; that of values at inputs is x in each place of V.
    """
    generator = np.random.default_rng(p)
    Q, K = generator.integers(0, p, (2, D, D))
    rows = []
    for _ in range(40):
        x, a, b = generator.integers(0, p, (3, D))
        orthogonal = K.T @ (Q @ x % p) % p
        d = (a * int(orthogonal @ b % p) - b * int(orthogonal @ a % p)) % p
        assert orthogonal @ d % p == 0
        by_weights = np.stack([np.outer(K @ d % p, x), np.outer(Q @ x % p, d)]) % p
        rows.append(np.concatenate([by_weights.ravel(), np.zeros(D * D, dtype=np.int64)]))
        rows += [
            np.concatenate([np.zeros(2 * D * D, dtype=np.int64), np.kron(unit, x)]) for unit in np.eye(D, dtype=int)
        ]
    space = RowSpace(algatt.PrimeField(p), 3 * D * D)
    space.add(Elements(algatt.PrimeField(p), np.array(rows)))
    assert space.rank == 8 + 9
