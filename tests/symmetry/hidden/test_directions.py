"""Directions of a tensor that no value depends on: which N of F N M = 0 there are, counted and written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Lightning, Network, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Exp, concatenate
from algatt.layers import Heads, LayerNorm, Linear, Power, Residual
from algatt.symmetry import UnseenDirections
from algatt.symmetry.hidden.directions import directions_of
from written_networks import written

F = PrimeField(31)
BEHIND, BEFORE = Lightning((2, 4, 3), (2, 2), 3), Lightning((3, 4, 1), (1, 1), 2)


def directions(net):
    return {one.tensor: one for one in directions_of(net)}


def first_values(V):
    """Weights of the first network whose V_1 is given."""
    (Q1, K1, _), second = (tuple(layer) for layer in algatt.sample(BEHIND, Weights, field=F).layers)
    return Weights.of([(Q1, K1, F.galois(V)), second])


def second_layer(K, Q, V):
    """Weights of the second network whose second layer is given."""
    theta = algatt.sample(BEFORE, Weights, field=F)
    return Weights.of([tuple(theta.layers[0]), (F.galois([Q]), F.galois([K]), F.galois([V]))])


def added(family, theta, N):
    return algatt.act(family.element_of(Elements.of(theta.field, np.asarray(N))), theta)


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens", "dimensions"),
    [
        # rows that vanish on what is reached: 4 - 2 of them, for each row of Q_2, K_2 and V_2
        ((2, 4, 3), (2, 2), 3, {"Q_2": 2 * 2, "K_2": 2 * 2, "V_2": 3 * 2}),
        ((3, 2, 4, 2), (2, 1, 2), 2, {"Q_3": 2 * 2, "K_3": 2 * 2, "V_3": 2 * 2}),
        # keys, queries and values of layer 2 are 3 forms on 4 dimensions
        ((6, 4, 1), (2, 1), 3, {"V_1": 1 * 6}),
        # 3 forms on 4 dimensions, of which V_2 sees all, and 2 + 3 on 6, behind an image of 5 of them: 24 - 3 * 5
        ((5, 6, 4, 1), (1, 1, 1), 2, {"V_1": 5, "V_2": 9, "Q_2": 1, "K_2": 1}),
        ((3, 5, 2), (2, 2), 2, {"Q_2": 4, "K_2": 4, "V_2": 4}),
        ((4, 3, 4), (2, 2), 3, {}),
        ((3, 2, 1), (2, 2), 3, {}),
    ],
)
def test_dimensions_counted_by_hand(plain, dims, ranks, tokens, dimensions):
    arch = Lightning(dims, ranks, tokens)
    assert {name: one.dimension for name, one in directions(arch).items()} == dimensions
    theta = algatt.sample(arch, Weights)
    for name, one in directions(arch).items():
        assert plain.rank(one.tangents(theta), theta.field.p) == dimensions[name]


def test_rows_that_vanish_on_what_is_reached_are_added_to_any_row():
    theta = first_values([[1, 0], [0, 1], [1, 1], [0, 2]])  # x_3 = x_1 + x_2 and x_4 = 2 x_2 on the image
    tangents = np.array(directions(BEHIND)["Q_2"].tangents(theta))
    start = 2 * 2 * 2 + 4 * 2
    assert not np.delete(tangents, np.s_[start : start + 8], axis=1).any()
    expected = np.zeros((4, 2, 4), dtype=int)
    expected[:2, 0] = expected[2:, 1] = [(30, 30, 1, 0), (0, 29, 0, 1)]
    assert np.array_equal(tangents[:, start : start + 8].reshape(4, 2, 4), expected)


def test_a_column_that_is_not_read_is_added_to_any_column():
    theta = second_layer(K=[1, 0, 0, 2], Q=[0, 1, 0, 3], V=[0, 0, 1, 4])
    tangents = np.array(directions(BEFORE)["V_1"].tangents(theta))
    assert not np.delete(tangents, np.s_[6:18], axis=1).any()
    columns = tangents[:, 6:18].reshape(-1, 4, 3)
    expected = {tuple(np.outer((29, 28, 27, 1), unit).ravel()) for unit in np.eye(3, dtype=int)}  # -2, -3, -4, 1
    assert {tuple(one.ravel()) for one in columns} == expected


@pytest.mark.parametrize("V", [np.zeros((4, 2), dtype=int), [[1, 2], [2, 4], [0, 0], [0, 0]]], ids=["zero", "rank one"])
def test_where_the_rank_is_below_the_generic_one_there_are_no_tangents(V):
    """There more directions are unseen than at generic weights, which would bound the dimension by too little."""
    theta = first_values(V)
    for family in directions(BEHIND).values():
        assert family.tangents(theta).shape == (0, BEHIND.parameters)
        assert algatt.act(family.element(theta), theta) == theta
    theta = second_layer(K=[1, 0, 0, 0], Q=[2, 0, 0, 0], V=[0, 0, 1, 0])
    (family,) = (one for one in directions(BEFORE).values() if one.tensor == "V_1")
    assert family.tangents(theta).shape[0] == 0


def test_elements_act_where_nothing_is_seen_of_them_and_nowhere_else():
    theta, family = first_values([[1, 0], [0, 1], [0, 0], [0, 0]]), directions(BEHIND)["Q_2"]
    unseen = np.array([[0, 0, 3, 4], [0, 0, 5, 6]])
    moved = added(family, theta, unseen)
    assert np.array_equal(moved.layers[1].Q - theta.layers[1].Q, F.galois(unseen))
    for place in ((0, 0), (1, 1)):
        seen = unseen.copy()
        seen[place] = 1
        with pytest.raises(InvalidArgument, match="which changes the function at this point; it should be a transl"):
            added(family, theta, seen)
    theta, family = second_layer(K=[1, 0, 0, 2], Q=[0, 1, 0, 3], V=[0, 0, 1, 4]), directions(BEFORE)["V_1"]
    with pytest.raises(InvalidArgument, match="which changes the function at this point"):
        added(family, theta, np.outer((1, 0, 0, 0), (1, 0, 0)))


def test_weights_of_another_shape_are_refused():
    element = directions(BEHIND)["Q_2"].element(algatt.sample(BEHIND, Weights))
    with pytest.raises(InvalidArgument, match="Q_2 of shape"):
        algatt.act(element, algatt.sample(Lightning((2, 3, 3), (2, 2), 3), Weights))


def test_over_the_reals_rounding_is_no_change_and_more_than_rounding_is():
    theta = algatt.sample(BEHIND, Weights, field=Reals())
    noise = np.random.default_rng(0).standard_normal((2, 2))
    family = UnseenDirections(BEHIND, "Q_1")
    assert np.allclose(algatt.flatten(added(family, theta, 1e-16 * noise)), algatt.flatten(theta), atol=1e-13)
    with pytest.raises(InvalidArgument, match="which changes the function"):
        added(family, theta, 1e-6 * noise)


def test_virtual_weights_stay():
    for arch in (BEHIND, Lightning((6, 4, 1), (2, 1), 3)):
        theta = algatt.sample(arch, Weights)
        for family in directions(arch).values():
            moved = algatt.act(family.element(theta), theta)
            assert moved != theta
            assert algatt.convert(moved, VirtualWeights) == algatt.convert(theta, VirtualWeights)


SHAPES = {"A": (3, 1), "B": (1, 3), "C": (3, 3), "D": (3, 3), "b": (3, 1), "R": (1, 3), "S": (3, 3)}

PROGRAMS = {
    # X is 3 x 2, A B has rank one; what F N M = 0 leaves of the 9 entries of C
    "behind": (lambda w, X: w.C @ (w.A @ (w.B @ X)), {"C": 6}),
    "before": (lambda w, X: w.R @ (w.C @ X), {"C": 6}),
    "between": (lambda w, X: w.R @ (w.C @ (w.A @ (w.B @ X))), {"C": 8, "R": 2}),
    "a function behind": (lambda w, X: (w.C @ (w.A @ (w.B @ X))).entrywise(Exp()), {"C": 6}),
    "a function before": (lambda w, X: (w.R @ (w.C @ X)).entrywise(Exp()), {"C": 6}),
    "transposed": (lambda w, X: (X.T @ w.C.T) @ w.R.T, {"C": 6}),
    "a negative": (lambda w, X: w.R @ -(w.C @ X), {"C": 6}),
    "columns scaled": (lambda w, X: w.R @ ((w.C @ X) * (w.B @ X)), {"C": 6}),
    "read by two": (lambda w, X: (w.R @ (w.C @ X)) * (w.B @ (w.C @ X)), {"C": 3}),
    "a product of weights": (lambda w, X: (w.R @ w.C) @ X, {"C": 6}),
    "a bias": (lambda w, X: w.R @ (w.C @ X + w.b), {"C": 6, "b": 2}),
    # and near misses: a sum with all, a function between, rows scaled, the tensor itself among the forms
    "a skip behind": (lambda w, X: w.C @ (X + w.A @ (w.B @ X)), {}),
    "a skip before": (lambda w, X: w.R @ (w.C @ X) + w.C @ X, {}),
    "a function in front": (lambda w, X: w.C @ (w.A @ (w.B @ X)).entrywise(Exp()), {}),
    "a function between": (lambda w, X: w.R @ (w.C @ X).entrywise(Exp()), {}),
    "entries multiplied": (lambda w, X: w.R @ ((w.C @ X) * X), {}),
    "rows joined": (lambda w, X: w.C @ concatenate([w.B @ X, w.R @ X, w.B @ X * (w.R @ X)]), {}),
    "twice": (lambda w, X: w.R @ (w.C @ (w.C @ X).entrywise(Exp())), {}),
    "three forms": (lambda w, X: (w.R @ (w.C @ X)) * (w.B @ (w.C @ X)) * (w.A.T @ (w.C @ X)), {}),
}
"""A program, and how many directions of its tensors are not seen, derived by hand."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_directions_of_small_programs(name, values_stay):
    text, expected = PROGRAMS[name]
    net = written(SHAPES, text)
    found = directions(net)
    assert {one: family.dimension for one, family in found.items() if one not in "AB" or one in expected} == expected
    theta = algatt.sample(net, Weights)
    for family in found.values():
        assert int(algatt.rank(family.tangents(theta))) == family.dimension
        assert values_stay(net, family)


def test_a_tensor_that_is_read_twice_may_be_seen_by_forms_of_its_own():
    """In R C C X a change of C has to be unseen in both places, where C itself is among the forms."""
    net = written({"R": (1, 3), "C": (3, 3)}, lambda w, X: w.R @ (w.C @ (w.C @ X)))
    assert directions(net) == {}


@pytest.mark.parametrize(
    ("layers", "tokens", "width", "value"),
    [
        # 3 -> 1 -> 3 -> 3 linear maps: a matrix of rank one, 3 + 3 - 1
        (Linear(1) >> Linear(3) >> Linear(3), 2, 3, 5),
        # W_1 with 4 x 5 entries is read by 2 rows: 5 * 2 entries of a 2 x 5 matrix
        (Linear(4) >> Linear(2), 1, 5, 10),
        # one token: V x, whatever keys and queries are
        (Heads(1, width=2, value_width=3, output=False), 1, 4, 12),
        (Residual(Heads(1, width=4)), 1, 4, 16),
        # z = W X with one row: weights z_j^2 / sum z^2, so that V sum z_j^3 / sum z_j^2 is seen: 2 + 3 - 1
        (Linear(1) >> Heads(1, width=2, value_width=2, output=False, score=Power(2)), 2, 3, 4),
    ],
)
def test_layers_without_a_name_are_proven(layers, tokens, width, value):
    report = algatt.dimension(Network(layers, tokens=tokens, width=width))
    assert (report.value, report.status) == (value, "proven")


def test_layers_that_see_all_have_none():
    for net in (
        Network(Residual(LayerNorm() >> Heads(2, width=1)), tokens=3, width=4),
        Network(Linear(3) >> LayerNorm() >> Linear(3), tokens=2, width=3),
    ):
        assert directions(net) == {}
