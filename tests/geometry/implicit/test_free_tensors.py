"""Tensors that do not matter while others are zero."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.geometry.implicit.free_tensors import free_tensors
from algatt.layers import Feedforward, Heads, Residual, RMSNorm, SiLU

BLOCK = algatt.Network(
    Residual(RMSNorm() >> Heads(1)) >> Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True, bias=True)),
    tokens=2,
    width=2,
)


def raw_weights(arch: algatt.architectures.Architecture, seed: int) -> dict[str, np.ndarray]:
    """Return random weights by name."""
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
    return dict(zip(theta.names(), (element.raw for element in theta.elements), strict=True))


def found(arch: algatt.architectures.Architecture, *zero: str) -> set[frozenset[str]]:
    """Return the sets of free tensors where some are zero."""
    weights = raw_weights(arch, 0)
    return set(free_tensors(arch, algatt.Weights.of({name: raw * (name not in zero) for name, raw in weights.items()})))


def test_queries_and_keys_of_softmax() -> None:
    softmax = algatt.Softmax((2, 1), (1,), 2)
    assert found(softmax) == set()
    assert found(softmax, "V_1") == {frozenset({"Q_1", "K_1"})}
    assert found(softmax, "Q_1") == {frozenset({"K_1"})}
    assert found(softmax, "Q_1", "V_1") == {frozenset({"Q_1", "K_1"}), frozenset({"K_1"})}


def test_a_branch_that_is_closed_by_one_tensor() -> None:
    names = {f"feedforward.{name}" for name in ("up", "gate", "b_up", "b_gate")}
    assert found(BLOCK, "feedforward.down") == {frozenset({"norm_2.g", *names})}
    assert found(BLOCK, "feedforward.b_down") == set()


@pytest.mark.parametrize("zero", ["heads.O_1", "heads.V_1", "norm_1.g", "norm_2.g", "feedforward.down", "heads.K_1"])
def test_the_function_is_the_same_for_other_free_tensors(zero: str) -> None:
    weights, others = raw_weights(BLOCK, 0), raw_weights(BLOCK, 1)
    weights[zero] = 0 * weights[zero]
    X = algatt.sample_inputs(BLOCK, field=algatt.Reals(), seed=2, count=3)
    expected = algatt.evaluate(BLOCK, algatt.Weights.of(weights), X)
    sets = list(free_tensors(BLOCK, algatt.Weights.of(weights)))
    assert sets
    for free in sets:
        changed = {name: others[name] if name in free else raw for name, raw in weights.items()}
        assert np.allclose(algatt.evaluate(BLOCK, algatt.Weights.of(changed), X), expected)
