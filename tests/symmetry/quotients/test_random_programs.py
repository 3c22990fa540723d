"""Random programs: what is called a symmetry is one, and no upper bound is below an exact rank."""

from __future__ import annotations

import numpy as np
import pytest

from algatt import Network, PrimeField, Weights, verbs
from algatt.errors import NoValue, SymmetryError
from algatt.fields import Elements
from random_programs import inputs_with_values, random_network

FIELDS = PrimeField(8388593), PrimeField()


def check_program(net: Network, seed: int) -> None:
    families = verbs.symmetries(net)
    for field in FIELDS:
        theta = verbs.sample(net, Weights, field=field, seed=seed)
        X = inputs_with_values(net, field, theta)
        jacobian = verbs.jacobian(net, theta, X)
        tangents = [family.tangent_elements(theta) for family in families]
        for family, one in zip(families, tangents, strict=True):
            assert not (jacobian @ one.T).raw.any(), family
        together = Elements(field, np.concatenate([one.raw for one in tangents])) if tangents else None
        explained = 0 if together is None or not together.raw.size else int(verbs.rank(together))
        assert verbs.rank(jacobian) <= net.parameters - explained
        before = verbs.evaluate(net, theta, X).raw
        for family in families:
            try:
                moved = verbs.act(family.element(theta, seed), theta)
            except SymmetryError:  # no exact elements are known
                continue
            try:
                after = verbs.evaluate(net, moved, X).raw
            except NoValue:
                continue
            assert np.array_equal(before, after), family


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    check_program(random_network(seed), seed)


@pytest.mark.parametrize("seed", range(15))
def test_random_heads(seed):
    check_program(random_network(100 + seed, "heads"), seed)


@pytest.mark.parametrize("seed", range(10))
def test_random_streams(seed):
    check_program(random_network(200 + seed, "add", "neurons"), seed)
