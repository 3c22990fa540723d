"""Conserved quantities along gradient flow that is integrated, of networks of all kinds."""

from __future__ import annotations

import json

import pytest

from algatt.testing import networks
from training_networks import NETWORKS

ALL = {**{str(arch): arch for arch in networks()}, **NETWORKS}


@pytest.fixture
def gradient_flow(script):
    return script("gradient_flow")


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ALL)
def test_an_integrator_of_order_8_keeps_the_laws(gradient_flow, name):
    found = gradient_flow.flow(ALL[name])
    assert found.largest < 1e-10


def test_the_squared_norm_is_no_law(gradient_flow):
    """Weights move far enough for another quantity to change."""
    found = gradient_flow.flow(NETWORKS["block"])
    assert found.norm > 1e-3 > 1e-10 > found.largest


def test_the_table(gradient_flow, capsys):
    assert gradient_flow.main(["--only", "softmax, one layer"]) == 0
    assert "1 of 1 networks keep their 3 laws" in capsys.readouterr().out
    assert gradient_flow.main(["--only", "softmax, one layer", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["laws"] == 3
