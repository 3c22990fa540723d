"""Modules of torch whose values are compared with those of their networks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn


class Called(nn.Module):
    """A module that is called by a function."""

    def __init__(self, inner: Any, function: Any) -> None:
        super().__init__()
        self.inner, self.function = inner, function

    def forward(self, x: Any) -> Any:
        return self.function(self.inner, x)


def check(module: Any, example: Any, **options: Any) -> algatt.Network:
    """Compare the values of a module with those of its network, and return it."""
    module = module.double().eval()
    example = example.double() if example.is_floating_point() else example
    net = algatt.from_torch(module, example, **options)
    theta = algatt.weights_of(module)
    with torch.no_grad():
        expected = module(example, **options.get("constants", {}))
    expected = getattr(expected, "logits", expected)
    expected = (expected[0] if isinstance(expected, tuple) else expected).numpy()
    expected = expected.reshape(-1, expected.shape[-1]).T
    inputs = example.numpy()
    inputs = inputs.ravel() if net.vocabulary else inputs.reshape(-1, inputs.shape[-1]).T
    value = algatt.evaluate(net, theta, inputs)
    assert value.shape == expected.shape
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.1
    return net
