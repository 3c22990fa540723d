"""Random elements of the groups that rules read off a network are symmetries: values stay."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.values import draw_public_inputs, values_at
from pairs_of_texts import PAIRS


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PAIRS)
def test_random_elements_keep_the_values(name):
    for net in PAIRS[name].networks():
        theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
        X = draw_public_inputs(net, 0)
        before = values_at(net, theta, X)
        after = values_at(net, algatt.act(random_element(net, theta, 2), theta), X)
        np.testing.assert_allclose(after, before, rtol=1e-8, atol=1e-8 * np.abs(before).max())
