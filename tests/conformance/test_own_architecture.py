"""An architecture of a user's own, in one file, passes the kit without touching the package."""

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Elements
from algatt.testing import check_architecture, coordinate_systems


@dataclass(frozen=True)
class Causal(algatt.architectures.AttentionNetwork):
    """Lightning attention in which a token sees only itself and the tokens before it: the scores are masked."""


@algatt.evaluate.method
def evaluate_causal(arch: Causal, theta: algatt.Weights, inputs: Elements) -> Elements:
    X = inputs
    mask = np.triu(np.ones((arch.tokens, arch.tokens), dtype=np.int64))
    for Q, K, V in theta.layer_elements:
        X = V @ X @ (mask * ((K @ X).T @ (Q @ X)))
    return X


@verbs.members.method
def gauges_of_causal(
    family: type[algatt.symmetry.KeyQuery] | type[algatt.symmetry.Rescaling], arch: Causal
) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (family(arch),)


@pytest.mark.parametrize("arch", [Causal((3, 2), (2,), 3), Causal((3, 2, 3), (1, 2), 2)], ids=repr)
def test_an_architecture_with_only_a_method_for_weights_passes(arch):
    assert coordinate_systems(arch) == [algatt.Weights]
    check_architecture(arch)


@dataclass(frozen=True)
class Decayed(algatt.architectures.AttentionNetwork):
    """Lightning attention whose scores are multiplied by fixed integers; no symmetry family is declared for it, but
    the gauge and the rescaling are read off its code.
    """


@algatt.evaluate.method
def evaluate_decayed(arch: Decayed, theta: algatt.Weights, inputs: Elements) -> Elements:
    X = inputs
    decay = np.array([[1 + abs(i - j) for j in range(arch.tokens)] for i in range(arch.tokens)])
    for Q, K, V in theta.layer_elements:
        X = V @ X @ (decay * ((K @ X).T @ (Q @ X)))
    return X


def test_an_architecture_without_declared_symmetries_passes():
    arch = Decayed((3, 2), (1,), 3)
    assert [(family.name, str(family.group)) for family in algatt.symmetries(arch)] == [
        ("scale_1", "GL(1)"),
        ("scale_2", "GL(1)"),
    ]
    check_architecture(arch)


def test_one_causal_layer_has_the_dimension_of_one_lightning_layer():
    # Two tokens x, y: the value at x is (x^T A x) V x, at y it is (x^T A y) V x + (y^T A y) V y. The first determines V
    # and the symmetric part of A up to scale, the second then all of A. So the fibre is the rescaling, as in HMK
    # Theorem 3.2, and Eq 7 holds.
    d, e, a = 3, 2, 2
    assert algatt.dimension(Causal((d, e), (a,), 2)).value == a * (2 * d - a) + d * e - 1
