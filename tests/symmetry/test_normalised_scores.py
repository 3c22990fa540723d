"""The symmetries that normalised scores have: rescaled homogeneous scores, and scores that are not seen."""

import math

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Normalized, VirtualWeights, Weights, verbs
from algatt.layers import Affine, Power, Rational


@pytest.mark.parametrize("score", [Affine(3, 0), Power(1), Power(4), Rational((0, 1), (0, 0, 5))])
@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_homogeneous_scores_may_be_rescaled(score, coordinates):
    arch = Normalized((3, 4, 2), (2, 3), 3, score)
    (family,) = (family for family in algatt.symmetries(arch) if isinstance(family, algatt.symmetry.ScoreRescaling))
    weights = algatt.sample(arch, Weights)
    theta = algatt.convert(weights, coordinates)
    element = family.element(weights, seed=1)
    moved = algatt.act(element, theta)
    assert moved != theta
    X = algatt.sample_inputs(arch, count=3)
    assert np.array_equal(algatt.evaluate(arch, moved, X), algatt.evaluate(arch, theta, X))
    assert moved == algatt.convert(algatt.act(element, weights), coordinates)


def test_other_scores_may_not():
    arch = Normalized((3, 4, 2), (2, 3), 3, Affine(1, 1))
    assert not [family for family in algatt.symmetries(arch) if isinstance(family, algatt.symmetry.ScoreRescaling)]
    theta = algatt.sample(arch, Weights)
    element = algatt.symmetry.ScoreRescaling(arch).element(theta)
    X = algatt.sample_inputs(arch)
    assert not np.array_equal(algatt.evaluate(arch, algatt.act(element, theta), X), algatt.evaluate(arch, theta, X))


@pytest.mark.parametrize(
    ("arch", "tensors"),
    [
        (Normalized((3, 2, 2), (1, 2), 1, Affine(1, 1)), ("Q_1", "K_1", "Q_2", "K_2")),  # one token
        (algatt.Softmax((3, 2), (1,), 1), ("Q_1", "K_1")),
        (
            Normalized((3, 2, 2), (1, 2), 2, Power(3)),
            ("Q_1", "Q_2", "K_2"),
        ),  # the query of the layer of rank one, and all after it
        (
            Normalized((3, 1, 2, 2), (2, 2, 1), 2, Power(1)),
            ("Q_2", "K_2", "Q_3", "K_3"),
        ),  # d_1 = 1: what reaches layer 2 has rank one
        (Normalized((3, 2, 2), (2, 1), 2, Power(3)), ("Q_2",)),
        (Normalized((3, 2, 2), (2, 2), 2, Power(3)), ()),
        (Normalized((3, 2, 2), (1, 1), 2, Affine(1, 1)), ()),
        # keys of two rows, of which what reaches them sees one: scores up to a number, but no entry is unseen
        (Normalized((3, 1, 2), (2, 2), 2, Power(2)), ("Q_2", "K_2")),
    ],
)
def test_unseen_scores(arch, tensors):
    families = [one for one in algatt.symmetries(arch) if isinstance(one, algatt.symmetry.UnseenSymmetry)]
    assert tuple(one.unseen.tensor for one in families) == tensors
    assert sum(one.dimension for one in families) == sum(math.prod(verbs.coordinates(arch)[name]) for name in tensors)
    field = algatt.PrimeField() if arch.algebraic else algatt.Reals()
    theta = algatt.sample(arch, Weights, field=field)
    moved = theta
    for family in families:
        moved = algatt.act(family.element(moved), moved)
    changed = tuple(name for name, one in theta.tensors.items() if not np.array_equal(one.raw, moved.tensors[name].raw))
    assert changed == tensors
    X = algatt.sample_inputs(arch, field=field, count=2)
    assert np.allclose(
        np.array(algatt.evaluate(arch, moved, X), dtype=float), np.array(algatt.evaluate(arch, theta, X), dtype=float)
    )


@pytest.mark.parametrize(
    ("score", "value"),
    [
        # Widths 4,3,4, ranks 2: A_1 has 2 (8 - 2) = 12, A_2 has 2 (6 - 2) = 8, the V_i 12 each, less GL(3): 35 (HMK Eq
        # 16), less the rescalings.
        (Affine(1, 1), 35),
        (Rational((1,), (2, 1)), 35),
        (Power(3), 33),
        (Affine(1, 0), 33),
    ],
)
def test_dimensions_say_so(score, value):
    report = algatt.dimension(Normalized((4, 3, 4), (2, 2), 3, score))
    assert (report.value, report.status) == (value, "proven")
    assert ("score rescaling" in [family.name for family in report.symmetries]) == score.homogeneous
