"""What the tests of arrows share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from algatt import Network, PrimeField, Reals, Weights, verbs
from algatt.fields import Elements
from algatt.symmetry import Symmetry


def values_stay(net: Network, family: Symmetry, seed: int = 1) -> bool:
    """Return whether a random element of a family leaves the values at random inputs: exactly over GF(p) if there are
    values, else up to rounding.
    """
    field = PrimeField() if net.algebraic else Reals()
    theta = verbs.sample(net, Weights, field=field, seed=seed)
    X = Elements(field, verbs.draw_array(field, shape=(4, *net.input_shape), seed=seed, label="inputs"))
    if net.vocabulary is not None:
        X = Elements.of(field, np.eye(net.vocabulary, dtype=np.int64)[:, [[0, 1, 2][: net.tokens]] * 2].swapaxes(0, 1))
    before = verbs.evaluate(net, theta, X).raw
    after = verbs.evaluate(net, verbs.act(family.element(theta, seed), theta), X).raw
    if net.algebraic:
        return np.array_equal(before, after)
    return np.allclose(before, after, rtol=1e-8, atol=1e-8 * np.abs(before).max())


@pytest.fixture(name="values_stay")
def values_stay_fixture() -> Callable[..., bool]:
    return values_stay
