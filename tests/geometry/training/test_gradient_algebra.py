"""Brackets of gradients modulo a prime: symmetric Hessian matrices, the identity of Jacobi, and what the laws are
orthogonal to.
"""

from __future__ import annotations

import numpy as np
import pytest

from algatt.fields import Elements
from algatt.geometry.training.brackets.gradient_algebra import bracket, pairs
from algatt.geometry.training.brackets.gradient_fields import fields_of
from algatt.geometry.training.law import flat
from algatt.geometry.training.naming import laws_of
from training_networks import NETWORKS

SOME = ["lightning", "softmax", "gelu", "gated", "layer norm"]
"""Polynomials, exponentials, the error function, logistic functions, roots."""


@pytest.mark.parametrize("name", SOME)
def test_hessian_matrices_are_symmetric(name: str) -> None:
    fields = fields_of(NETWORKS[name], 0)
    p, point = fields.prime.p, fields.point.astype(np.int64)
    numbers = np.arange(3)
    gradients = fields.at(numbers, fields.point)[0]
    u, v = gradients[:2]
    (Hu,), (Hv,) = (fields.at(numbers[2:], np.concatenate([fields.point, w[None]]))[1] for w in (u, v))

    def dot(one: np.ndarray, other: np.ndarray) -> int:
        return sum(int(a) * int(b) for a, b in zip(one, other, strict=True)) % p

    assert point.shape == (1, NETWORKS[name].parameters)
    assert dot(Hu, v) == dot(Hv, u)
    assert dot(Hu, v) != 0


@pytest.mark.parametrize("name", SOME)
def test_brackets(name: str) -> None:
    fields = fields_of(NETWORKS[name], 0)
    p, point = fields.prime.p, fields.point
    assert np.array_equal(pairs(fields, 0, 2)[0], bracket(fields, (0, 1), point)[0])
    cyclic = [bracket(fields, word, point)[0] for word in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
    assert not np.any(sum(cyclic) % p)  # Jacobi
    assert all(row.any() for row in cyclic)
    theta = flat(NETWORKS[name], fields.theta)
    for law in laws_of(NETWORKS[name]):
        for row in (cyclic[0], pairs(fields, 0, 2)[0]):
            assert not (Elements(fields.prime, row[None]) @ law.gradient(theta)).raw.any()
