"""The files of docs/examples, and the lines that the networks of the tutorial take."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from math import erf, sqrt
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import algatt
from algatt.layers import Layer, Power
from algatt.testing import check_architecture

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import modules of the folder of examples by name."""
    monkeypatch.syspath_prepend(DOCS / "examples")
    return importlib.import_module


def value(layer: Layer, arrays: dict[str, np.ndarray], X: np.ndarray) -> np.ndarray:
    """Return the value of a layer, and see that it has these tensors."""
    net = algatt.Network(layer, tokens=X.shape[1], width=X.shape[0])
    (place,) = {name.partition(".")[0] for name in algatt.coordinates(net)}
    return algatt.evaluate(net, algatt.Weights.of({f"{place}.{name}": array for name, array in arrays.items()}), X)


def test_token_mixing_is_the_equation_of_its_paper_token_by_token(example):
    generator = np.random.default_rng(0)
    U, D, X = generator.normal(size=(5, 3)), generator.normal(size=(3, 5)), generator.normal(size=(2, 3))
    # Tolstikhin et al. 2021, equation 1 with neither norm nor residual: each channel, a row of X, passes the perceptron
    # by itself.
    expected = np.array([D @ [x * (1 + erf(x / sqrt(2))) / 2 for x in U @ channel] for channel in X])
    assert np.allclose(value(example("token_mixing").TokenMixing(5), {"U": U, "D": D}, X), expected, rtol=1e-13)


def test_decay_is_its_equation_entry_by_entry(example):
    generator = np.random.default_rng(1)
    Q, K, V, X = (generator.normal(size=shape) for shape in ((2, 3), (2, 3), (4, 3), (3, 5)))
    expected = np.zeros((4, 5))
    for i in range(5):
        for j in range(5):
            expected[:, i] += (5 - abs(j - i)) * np.dot(K @ X[:, j], Q @ X[:, i]) * (V @ X[:, j])
    assert np.allclose(value(example("decay").Decay(2, 4), {"Q": Q, "K": K, "V": V}, X), expected, rtol=1e-12)


def test_the_layers_pass_the_conformance_checks(example):
    mixing, decay = example("token_mixing").TokenMixing(3, Power(2)), example("decay").Decay(2, 3)
    check_architecture(algatt.Network(2 * (mixing >> decay), tokens=2, width=3))


@pytest.mark.parametrize("name", ["token_mixing", "decay"])
def test_a_layer_takes_at_most_thirty_lines(name):
    assert len((DOCS / "examples" / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 30


def test_the_three_networks_take_at_most_twelve_lines_each():
    section = (
        (DOCS / "compose_a_network.md")
        .read_text(encoding="utf-8")
        .partition("## Three networks")[2]
        .partition("\n## ")[0]
    )
    networks = [
        block for block in re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL) if "algatt.Network" in block
    ]
    assert len(networks) == 3
    assert all(sum(line.startswith((">>>", "...")) for line in block.splitlines()) <= 12 for block in networks)
