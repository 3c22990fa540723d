"""Terms of sums that mix, on small programs: how many dimensions mix is derived by hand, beside each.

X is 3 x 2; terms are L_h F(R_h), with L_h 3 x 2 and R_h 2 x 3 unless said.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements, concatenate
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.layers import ALiBi, Causal, Heads, LayerScale, Power, RelativeBias, Residual, Rotary, Unnormalized
from algatt.symmetry import GeneralLinear, MixtureSymmetry
from written_networks import written

SHAPES = {
    **{f"L{h}": (3, 2) for h in (1, 2, 3)},
    **{f"R{h}": (2, 3) for h in (1, 2, 3)},
    **{f"b{h}": (2, 1) for h in (1, 2)},
    **{f"S{h}": (2, 3) for h in (1, 2)},
    **{f"l{h}": (1, 2) for h in (1, 2)},
    "K": (2, 3),
    "M": (3, 4),
    "P": (4, 3),
    "V": (3, 3),
    "N": (6, 3),
    "Q": (6, 3),
    "W": (3, 3),
    "c": (3, 1),
    "g": (2, 1),
}

DOUBLE = 2 * np.ones((2, 1), dtype=np.int64)
ROW = np.array([[1, 2]])


def product(w, X, h):
    """L_h (K X * (R_h X)), bilinear."""
    return w[f"L{h}"] @ ((w.K @ X) * (w[f"R{h}"] @ X))


def beside(w, X, h):
    """L_h (K X * (R_h X + b_h)): b_h is a part of R_h."""
    return w[f"L{h}"] @ ((w.K @ X) * (w[f"R{h}"] @ X + w[f"b{h}"]))


def beside_a_factor(w, X, h):
    """R_h X * S_h X + R_h X, which is not bilinear."""
    Y = w[f"R{h}"] @ X
    return Y * (w[f"S{h}"] @ X) + Y


def weighted(w, X, *numbers):
    """The sum of L_h (K X * (R_h X + c_h)) for constants c_h; equal ones are one."""
    return sum(
        (w[f"L{h}"] @ ((w.K @ X) * (w[f"R{h}"] @ X + c)) for h, c in enumerate(numbers[1:], start=2)),
        w.L1 @ ((w.K @ X) * (w.R1 @ X + numbers[0])),
    )


CASES = {
    "two terms": (lambda w, X: product(w, X, 1) + product(w, X, 2), "L1 L2 R1 R2 K", 4),
    "three terms": (lambda w, X: product(w, X, 1) + product(w, X, 2) + product(w, X, 3), "L1 L2 L3 R1 R2 R3 K", 9),
    "three terms in another order": (
        lambda w, X: product(w, X, 1) + (product(w, X, 2) + product(w, X, 3)),
        "L1 L2 L3 R1 R2 R3 K",
        9,
    ),
    "beside others": (lambda w, X: X + (product(w, X, 1) + (w.W @ X + product(w, X, 2))), "L1 L2 R1 R2 K W", 4),
    "with biases": (lambda w, X: beside(w, X, 1) + beside(w, X, 2), "L1 L2 R1 R2 b1 b2 K", 4),
    # what all terms add to R_h asks for g 1 = 1: rows of E add up to 0, 2 dimensions
    "a constant": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X + 1)), w.L2 @ ((w.K @ X) * (w.R2 @ X + 1))),
        "L1 L2 R1 R2 K",
        2,
    ),
    "something that is shared": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X + w.K @ X)), w.L2 @ ((w.K @ X) * (w.R2 @ X + w.K @ X))),
        "L1 L2 R1 R2 K",
        2,
    ),
    # constants 1 and 2: g (1, 2)^T = (1, 2)^T
    "constants": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X + ROW)), w.L2 @ ((w.K @ X) * (w.R2 @ X + 2 * ROW))),
        "L1 L2 R1 R2 K",
        2,
    ),
    # and g 1 = 1 beside it: nothing is left
    "constants that differ": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X + ROW)), w.L2 @ ((w.K @ X) * (w.R2 @ X + ROW[:, ::-1]))),
        "L1 L2 R1 R2 K",
        0,
    ),
    # on the left: L_h + 1 is as free as L_h, so all mix
    "a constant on the left": (
        lambda w, X: sum_of((w.L1 + 1) @ ((w.K @ X) * (w.R1 @ X)), (w.L2 + 1) @ ((w.K @ X) * (w.R2 @ X))),
        "L1 L2 R1 R2 K",
        4,
    ),
    # that on the right is left
    "constants on both sides": (
        lambda w, X: sum_of((w.L1 + 1) @ ((w.K @ X) * (w.R1 @ X + 1)), (w.L2 + 1) @ ((w.K @ X) * (w.R2 @ X + 1))),
        "L1 L2 R1 R2 K",
        2,
    ),
    # parts of one tensor
    "parts": (
        lambda w, X: sum_of(w.M[:, :2] @ ((w.K @ X) * (w.R1 @ X)), w.M[:, 2:] @ ((w.K @ X) * (w.R2 @ X))),
        "M R1 R2 K",
        4,
    ),
    # E 1 = 0, and both parts of M change
    "parts and a constant": (
        lambda w, X: sum_of(w.M[:, :2] @ ((w.K @ X) * (w.R1 @ X + 1)), w.M[:, 2:] @ ((w.K @ X) * (w.R2 @ X + 1))),
        "M R1 R2 K",
        2,
    ),
    "two sums": (lambda w, X: two_sums(w, X), "L1 L2 R1 R2 l1 l2 S1 S2 K", [4, 4]),
    "parts of rows": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.N[:2] @ X)), w.L2 @ ((w.K @ X) * (w.N[2:4] @ X))),
        "L1 L2 N K",
        4,
    ),
    "the same part of two": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.N[:2] @ X)), w.L2 @ ((w.K @ X) * (w.Q[:2] @ X))),
        "L1 L2 N Q K",
        4,
    ),
    "parts of a result": (lambda w, X: parts_of(w, w.N @ X), "L1 L2 N", 4),
    "parts that overlap": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.N[:2] @ X)), w.L2 @ ((w.K @ X) * (w.N[1:3] @ X))),
        "L1 L2 N K",
        0,
    ),
    "parts that are read again": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.N[:2] @ X)), w.L2 @ ((w.K @ X) * (w.N[2:4] @ X))) + w.N[:3] @ X,
        "L1 L2 N K",
        0,
    ),
    "joined": (
        lambda w, X: sum_of(
            w.L1 @ concatenate([w.R1 @ X, w.K @ X])[[0, 3]], w.L2 @ concatenate([w.R2 @ X, w.K @ X])[[0, 3]]
        ),
        "L1 L2 R1 R2 K",
        4,  # in normal form the terms of R1 and R2 stand alone
    ),
    # the constant of a term, which two of them have in common: rows of E are orthogonal to (1, 1, 2)
    "a constant that two terms share": (
        lambda w, X: weighted(w, X, *([np.array([[1]])] * 2), np.array([[2]])),
        "L1 L2 L3 R1 R2 R3 K",
        6,
    ),
    "a sum that is read twice": (
        lambda w, X: plus_and_times(sum_of(product(w, X, 1), product(w, X, 2)), X),
        "L1 L2 R1 R2 K",
        4,
    ),
    "a sum that is doubled": (lambda w, X: doubled(sum_of(product(w, X, 1), product(w, X, 2))), "L1 L2 R1 R2 K", 4),
    "a row of terms": (
        lambda w, X: X + sum_of(w.l1 @ ((w.K @ X) * (w.R1 @ X)), w.l2 @ ((w.K @ X) * (w.R2 @ X))),
        "l1 l2 R1 R2 K",
        4,
    ),
    "rows of terms": (
        lambda w, X: X + w.l1 @ ((w.K @ X) * (w.R1 @ X)) + w.l2 @ ((w.K @ X) * (w.R2 @ X)),
        "l1 l2 R1 R2 K",
        4,
    ),
    "negative and centred": (
        lambda w, X: sum_of((-product(w, X, 1)).centre(), (-product(w, X, 2)).centre()),
        "L1 L2 R1 R2 K",
        4,
    ),
    "products of columns": (
        lambda w, X: X + (w.R1 @ X).column_products(w.S1 @ X) + (w.R2 @ X).column_products(w.S2 @ X),
        "R1 R2 S1 S2",
        4,
    ),
    # L_1 diag(g) mixes with L_2
    "a gain in one term": (
        lambda w, X: sum_of(w.L1 @ (w.g * ((w.K @ X) * (w.R1 @ X))), w.L2 @ ((w.K @ X) * (w.R2 @ X))),
        "g L1 L2 R1 R2 K",
        4,
    ),
    # what is added to L_h R_h stays
    "added to the product": (
        lambda w, X: sum_of(w.W @ (w.L1 @ (w.R1 @ X) + w.V @ X), w.W @ (w.L2 @ (w.R2 @ X) + w.V @ X)),
        "L1 L2 R1 R2 V W",
        4,
    ),
    # no mixtures
    "a product and a factor of it": (
        lambda w, X: sum_of(w.L1 @ beside_a_factor(w, X, 1), w.L1 @ beside_a_factor(w, X, 2)),
        "L1 R1 R2 S1 S2",
        0,
    ),
    "constants times tensors": (lambda w, X: sum_of(ROW * (w.R1 @ X), 2 * ROW * (w.R2 @ X)), "R1 R2", 0),
    "other widths": (lambda w, X: sum_of(w.L1 @ (w.R1 @ X), w.M @ (w.P @ X)), "L1 R1 M P", 0),
    "other rows of what is shared": (
        lambda w, X: sum_of((w.L1 @ (w.R1 @ X))[[0, 1]], (w.L2 @ (w.R2 @ X))[[1, 0]]),
        "L1 L2 R1 R2",
        0,
    ),
    "tied": (lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X)), w.L1 @ ((w.K @ X) * (w.R2 @ X))), "L1 R1 R2 K", 0),
    "read again": (lambda w, X: product(w, X, 1) + product(w, X, 2) + w.L1 @ (w.K @ X), "L1 L2 R1 R2 K", 0),
    "a part read again": (
        lambda w, X: product(w, X, 1) + product(w, X, 2) + w.W @ X * (w.R2 @ X).sum(axis=0),
        "L1 L2 R1 R2 K W",
        0,
    ),
    "used twice": (lambda w, X: twice(product(w, X, 1), product(w, X, 2)), "L1 L2 R1 R2 K", 0),
    "squares": (
        lambda w, X: sum_of(w.L1 @ ((w.R1 @ X) * (w.R1 @ X)), w.L2 @ ((w.R2 @ X) * (w.R2 @ X))),
        "L1 L2 R1 R2",
        0,
    ),
    "crossed": (
        lambda w, X: sum_of(w.L1 @ ((w.R1 @ X) * (w.R2 @ X)), w.L2 @ ((w.R2 @ X) * (w.R1 @ X))),
        "L1 L2 R1 R2",
        0,
    ),
    "functions": (
        lambda w, X: sum_of(w.L1 @ (w.R1 @ X).reciprocal(), w.L2 @ (w.R2 @ X).reciprocal()),
        "L1 L2 R1 R2",
        0,
    ),
    "exponentials": (lambda w, X: sum_of(w.L1 @ (w.R1 @ X).exp(), w.L2 @ (w.R2 @ X).exp()), "L1 L2 R1 R2", 0),
    "another operation": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X)), w.L2 @ ((w.K @ X) + (w.R2 @ X))),
        "L1 L2 R1 R2 K",
        0,
    ),
    "another sum": (lambda w, X: (product(w, X, 1) + X) * product(w, X, 2), "L1 L2 R1 R2 K", 0),
    "exchanged": (
        lambda w, X: sum_of(w.L1 @ ((w.K @ X) * (w.R1 @ X)), w.L2 @ ((w.R2 @ X) * (w.K @ X))),
        "L1 L2 R1 R2 K",
        0,
    ),
}
"""A program, the tensors that it reads, and the dimension of the group that mixes."""


def sum_of(one, other):
    return one + other


def twice(one, other):
    """A sum that is used, and one of its terms."""
    return (one + other) * one


def parts_of(w, Y):
    return w.L1 @ Y[:2] + w.L2 @ Y[2:4]


def two_sums(w, X):
    """A product of sums, each of which has terms of its own."""
    rows = sum_of(w.l1 @ ((w.K @ X) * (w.S1 @ X)), w.l2 @ ((w.K @ X) * (w.S2 @ X)))
    return sum_of(product(w, X, 1), product(w, X, 2)) * rows


def doubled(one):
    return one + one


def plus_and_times(one, other):
    """A sum and a product of one result."""
    return (one + other) * one


def network(name):
    text, tensors, _ = CASES[name]
    return written({one: SHAPES[one] for one in tensors.split()}, text)


def mixtures(net):
    return [one for one in verbs.symmetries(net) if isinstance(getattr(one, "family", one), MixtureSymmetry)]


def algebra(family):
    """Of a network whose tensors are read in parts the family is one of its normal form."""
    return getattr(family, "family", family).algebra


@pytest.mark.parametrize("name", CASES)
def test_terms_that_mix(name, values_stay):
    net, dimension = network(name), CASES[name][2]
    families = [one for one in mixtures(net) if len(algebra(one))]
    assert [len(algebra(one)) for one in families] == (
        dimension if isinstance(dimension, list) else [dimension] * bool(dimension)
    )
    assert all(values_stay(net, family) for family in families)
    check_symmetries(Question(net), seed=1)


@pytest.mark.parametrize("name", ["two terms", "a constant", "constants", "a constant on the left", "parts"])
def test_mixtures_are_groups(name):
    net = network(name)
    (family,) = mixtures(net)
    theta = verbs.sample(net, Weights, field=PrimeField(8388593), seed=0)
    g, h = family.element(theta, 1), family.element(theta, 2)
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta)) != theta
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta
    assert verbs.act(verbs.identity(family, theta.field), theta) == theta
    assert family.dimension == verbs.rank(family.tangent_elements(theta)) == family.group.dimension


def test_products_of_elements_of_two_families():
    net = network("two sums")
    theta = verbs.sample(net, Weights, field=PrimeField(8388593), seed=0)
    g, h = (family.element(theta, 1) for family in mixtures(net))
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))


def test_the_group_has_a_name():
    assert mixtures(network("three terms"))[0].group == GeneralLinear(3)
    assert mixtures(network("constants"))[0].group.dimension == 2


DIMENSIONS = {
    # Q_1, Q_2, K, V, O_1, O_2: 16 + 8 + 4 + 8, less 4 of keys, 1 of values and GL(2) (networks.md, section 5)
    "queries of a group": (Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized()), 36 - 9),
    # ALiBi adds slopes s_1, s_2 times distances to the scores: g s = s
    "slopes": (
        Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized(), mask=Causal(), position=ALiBi()),
        36 - 7,
    ),
    # biases of relative positions mix with the queries; the causal mask leaves 2 of 4 distances: 4 parameters more
    "relative positions": (
        Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized(), mask=Causal(), position=RelativeBias(4, 4)),
        36 + 4 - 9,
    ),
    # a gain behind heads is folded into what they write: 4 - 4
    "a gain": (Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized()) >> LayerScale(), 36 - 9),
    # turns: 2 of keys in place of 4
    "turned": (Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized(), position=Rotary()), 36 - 7),
    # squares of scores do not mix: a factor for each head
    "squares": (Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized(Power(2))), 36 - 4 - 1 - 2),
}


@pytest.mark.parametrize("name", DIMENSIONS)
def test_dimensions_of_groups_of_queries(name):
    """The upper bound is met by ranks modulo a prime, and by ranks modulo another one."""
    layer, expected = DIMENSIONS[name]
    net = Network(Residual(layer), tokens=3, width=4)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (expected, "proven")
    field = PrimeField(8388593)
    theta = verbs.sample(net, Weights, field=field, seed=2)
    X = Elements(field, verbs.draw_array(field, shape=(9, 4, 3), seed=2, label="inputs"))
    assert verbs.rank(verbs.jacobian(net, theta, X)) == expected
