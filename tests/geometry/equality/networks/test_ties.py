"""Floats whose choices tie, or nearly: one normal form on an orbit, or none, but never two."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import NoNormalForm, RankUndecided
from algatt.fields import Elements
from algatt.geometry.equality.networks.echelon import chosen_columns, echelon, echelon_of_both
from algatt.geometry.equality.networks.normal_forms.representatives import largest_float
from algatt.layers import (
    Exponential,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Unnormalized,
)
from algatt.symmetry import discrete_symmetries

REALS = algatt.Reals()

NETWORKS = {
    "heads": algatt.Network(
        Heads(1, width=2, value_width=4, output=False, score=Exponential())
        >> Heads(1, width=3, value_width=2, output=False, score=Unnormalized()),
        tokens=3,
        width=3,
    ),
    "linear": algatt.Network(
        Linear(4, bias=False)
        >> Linear(3, bias=False)
        >> Heads(1, width=2, value_width=2, output=False, score=Unnormalized()),
        tokens=2,
        width=3,
    ),
    "grouped": algatt.Network(Residual(Heads(2, key_heads=1, width=2, score=Unnormalized())), tokens=2, width=3),
    "grouped softmax": algatt.Network(Residual(Heads(4, key_heads=2, width=2)), tokens=2, width=4),
    "neurons": algatt.Network(Feedforward(4, ReLU()), tokens=1, width=3),
    "squares": algatt.Network(Residual(Feedforward(4, Power(2))), tokens=1, width=3),
    "norms": algatt.Network(
        Residual(LayerNorm() >> Heads(2, width=2)) >> Residual(RMSNorm() >> Feedforward(3, ReLU())), tokens=2, width=4
    ),
}


def degenerate(theta, rng):
    """Repeat rows, columns and tensors, make some zero, and all entries of others 1 or -1."""
    arrays = []
    for element in theta.elements:
        raw = element.raw.copy()
        height, width = raw.shape
        (i, j), (k, m) = rng.integers(height, size=2), rng.integers(width, size=2)
        change = int(rng.integers(8)) if min(raw.shape) > 1 else 7
        if change == 0:
            raw[i] = raw[j]
        elif change == 1:
            raw[:, k] = raw[:, m]
        elif change == 2:
            raw[i] = 0
        elif change == 3:
            raw[:, k] = 0
        elif change == 4:
            raw = np.sign(raw)
        elif change == 5:
            raw = raw * (rng.random() > 0.4)
        elif change == 6 and arrays and arrays[-1].shape == raw.shape:
            raw = arrays[-1].raw
        arrays.append(Elements(element.field, raw))
    return theta.replace(arrays)


def moved(net, theta, seed, times):
    """Return weights after random elements: conditions multiply with each time."""
    discrete = [one for family in discrete_symmetries(net) for one in family.elements(theta.field)]
    for turn in range(times):
        for family in algatt.symmetries(net):
            theta = algatt.act(family.element(theta, 10 * seed + turn), theta)
        for element in discrete[turn % 2 :: 2]:
            theta = algatt.act(element, theta)
    return theta


def distance(one, two):
    """Return the largest difference beside the largest entry of each tensor."""
    return max(
        float(np.abs(a.raw - b.raw).max() / (np.abs(a.raw).max() or 1.0))
        for a, b in zip(one.elements, two.elements, strict=True)
    )


@pytest.mark.parametrize("name", NETWORKS)
def test_degenerate_points_in_floats_have_one_normal_form_or_none(name):
    """Conditions of the elements are up to some 10^4; the normal form of a normal form is itself."""
    net, forms = NETWORKS[name], 0
    for seed in range(7):
        theta = degenerate(algatt.sample(net, algatt.Weights, field=REALS, seed=seed), np.random.default_rng(seed))
        if not algatt.maps.has_function(net, theta):
            continue
        try:
            form = algatt.canonical(net, theta)
            others = [algatt.canonical(net, one) for one in (form, moved(net, theta, seed, 1 + seed % 3))]
        except (NoNormalForm, RankUndecided):
            continue
        forms += 1
        assert all(distance(form, other) < 1e-6 for other in others), seed
    assert forms >= 4


def matrix(*rows):
    return Elements.of(REALS, np.array(rows))


def test_columns_that_nearly_tie_make_no_normal_form():
    assert chosen_columns(matrix([1.0, 1.0, 0.2])) == [0]
    assert chosen_columns(matrix([1.0, 1 - 1e-6, 0.2])) == [0]  # before it there is none
    for row in ([1 - 1e-6, 1.0, 0.2], [1e-3, 1 - 3e-6, 1.0]):
        with pytest.raises(NoNormalForm, match="nearly tie"):
            echelon(matrix(row))


def test_a_rank_that_rounding_decides_makes_no_normal_form():
    assert chosen_columns(matrix([1.0, 0.5], [1.0, 0.5 + 1e-13])) == [0]
    assert chosen_columns(matrix([1.0, 0.5], [1.0, 0.5 + 1e-5])) == [0, 1]
    for second in (matrix([1.0, 0.0], [1.0, 1e-9]), matrix([1.0, 1.0], [0.0, 3e-8])):
        with pytest.raises(NoNormalForm, match="rounding"):
            echelon_of_both(matrix([1.0, 0.0], [0.0, 0.0]), second)


def test_rows_that_are_rounding_of_zero_are_no_rows():
    """The first row of the second matrix is zero but for rounding: the second row is what is brought to its form."""
    first = matrix([1.0, 0.5], [0.0, 0.0])
    forms = []
    for noise in ([0.0, 0.0], [3e-16, -2e-16], [1e-15, 4e-15]):
        second = matrix([3 * entry for entry in noise], [3.0, 1.5])
        g = echelon_of_both(first, second)
        forms.append((g.raw @ first.raw, np.linalg.inv(g.raw).T @ second.raw))
    for N, M in forms:
        assert np.allclose(N, forms[0][0], atol=1e-12)
        assert np.allclose(M, [[0.0, 0.0], [1.0, 0.5]], atol=1e-12)


def test_an_entry_that_may_be_rounding_fixes_no_number():
    assert largest_float(np.array([0.0, 1e-13]), 1.0, 2.0**-53) is None
    assert largest_float(np.array([0.1, 0.3, 0.3]), 1.0, 2.0**-53) == 1
    for sizes in ([1e-10, 1e-11], [0.3 - 1e-7, 0.3]):
        with pytest.raises(NoNormalForm, match="floats do not decide"):
            largest_float(np.array(sizes), 1.0, 2.0**-53)


def test_heads_with_some_equal_tensors_are_put_into_one_order():
    """What else their heads have decides which of equal queries comes first; of equal heads it does not matter."""
    field = algatt.PrimeField()
    net = algatt.Network(Residual(Heads(4, key_heads=2, width=2, score=Power(2))), tokens=2, width=3)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        theta = algatt.sample(net, algatt.Weights, field=field, seed=seed)
        tensors = theta.tensors
        for letter, heads in (("Q", 4), ("O", 4), ("V", 2), ("K", 2)):
            for head in range(2, heads + 1):
                if rng.random() < 0.5:
                    tensors[f"heads.{letter}_{head}"] = tensors[f"heads.{letter}_{rng.integers(1, head)}"]
        theta = theta.replace(list(tensors.values()))
        form = algatt.canonical(net, theta)
        assert algatt.canonical(net, form) == form
        for turn in range(3):
            assert algatt.canonical(net, moved(net, theta, seed + turn, 1 + turn)) == form


@pytest.mark.parametrize("field", [REALS, algatt.PrimeField()], ids=str)
def test_equal_neurons_in_another_order_are_carried_there(field):
    """Nothing tells the two apart, so that either takes the place of either."""
    net = NETWORKS["squares"]
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    tensors, order = theta.tensors, [2, 0, 3, 1]
    up, down = (next(name for name in tensors if name.endswith(end)) for end in ("up", "down"))
    pair = {
        up: Elements(field, tensors[up].raw[[0, 0, 2, 3]]),
        down: Elements(field, tensors[down].raw[:, [0, 0, 2, 3]]),
    }
    ninth = Elements.of(field, [[9]]).reciprocal()
    moved = {up: pair[up][order, :] * 3, down: pair[down][:, order] * ninth}
    one, two = (theta.replace([own.get(name, each) for name, each in tensors.items()]) for own in (pair, moved))
    answer = algatt.same_function(net, one, two)
    assert answer.equal
    assert answer.element is not None
