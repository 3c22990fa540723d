"""Each rule of types on a small network, with the dimension of the solutions derived by hand.

A and B take tokens of width 3 to columns, so that the equation of their product with the input, R = s 1, leaves only
their rows free. What U reads is free where no rule asks for anything: then L is any matrix, and U has - L on its right.
"""

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Erf, Log, Positive, Sigmoid, concatenate
from algatt.fields.motions import Action, Centring, MotionEquations
from algatt.fields.motions.reduction import Reduction
from algatt.layers.activations import tanh
from written_networks import spaces_by_types, written

ONES = np.ones((4, 4), dtype=np.int64)
PATTERN = np.array([[1, 0], [1, 1], [0, 1], [1, 1]])

FOUR = {"A": (4, 3), "U": (2, 4)}
PAIR = {"A": (4, 3), "B": (4, 3)}
BOTH = {"A": (4, 3), "B": (4, 3), "U": (2, 4)}
MIXED = {"A": (1, 3), "W": (2, 2), "Z": (2, 1)}


def column_rule(function):
    """Return a function of A X W, read by Z: its columns move by R of W, which has a group on its right side."""
    return lambda w, X: function(w["A"] @ X @ w["W"]) @ w["Z"]


def sum_of_joins(w, M, N):
    """Return U and W times what is made of two matrices and their transposes, added up."""
    return w["U"] @ concatenate([M, M.T]) + w["W"] @ concatenate([N, N.T])


RULES = {
    "product": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X), 16),  # GL(4)
    "product, the value": ({"A": (4, 3)}, lambda w, X: w["A"] @ X, 0),  # L = 0 up to a multiple that R takes back
    # M -> c M, U -> c^-2 U: on the right of M stands the input, so R is a number, and R + L = s makes L one
    "product with itself": ({"M": (3, 3), "U": (2, 3)}, lambda w, X: w["U"] @ w["M"] @ w["M"] @ X, 1),
    "lightning": (  # GL(2) between K and Q, and a number between them and V
        {"Q": (2, 3), "K": (2, 3), "V": (3, 3)},
        lambda w, X: w["V"] @ (X @ (w["K"] @ X).T) @ (w["Q"] @ X),
        5,
    ),
    "transpose": ({"A": (4, 3)}, lambda w, X: (w["A"] @ X).T @ (w["A"] @ X), 6),  # O(4)
    "transpose of a tensor": (FOUR, lambda w, X: w["U"] @ (X.T @ w["A"].T).T, 16),
    "negate": (FOUR, lambda w, X: w["U"] @ -(w["A"] @ X), 16),
    "add": (BOTH, lambda w, X: w["U"] @ (w["A"] @ X + w["B"] @ X), 16),  # L is that of both
    "subtract": (BOTH, lambda w, X: w["U"] @ (w["A"] @ X - w["B"] @ X), 16),
    # A X W + B X Z: L of A and B is one number, and R of W and Z is 0, as that of the value; of the six numbers of
    # A, W, B, Z the products a w = b z = 1 leave two
    "add, both sides": (
        {"A": (1, 3), "W": (2, 2), "B": (1, 3), "Z": (2, 2)},
        lambda w, X: w["A"] @ X @ w["W"] + w["B"] @ X @ w["Z"],
        2,
    ),
    # A + A^T leaves L = R^T in one way to write the type of A; then that of A A is L + s, R with s = R + L, and that of
    # its transpose R^T, L^T + s: they differ by the number s, by which A is multiplied, and U and W are divided
    "add the transpose of a product": (
        {"A": (3, 3), "U": (2, 3), "W": (2, 3)},
        lambda w, X: (w["U"] @ (w["A"] + w["A"].T) + w["W"] @ (w["A"] @ w["A"] + (w["A"] @ w["A"]).T)) @ X,
        1,
    ),
    "add a column": ({**FOUR, "b": (4, 1)}, lambda w, X: w["U"] @ (w["A"] @ X + w["b"]), 16),
    "add a column, on the left": ({**FOUR, "b": (4, 1)}, lambda w, X: w["U"] @ (w["b"] + w["A"] @ X), 16),
    # a row is 1 b, with a column of ones: L 1 = o 1, which are 3 equations, and b moves by o
    "add a row": ({**FOUR, "b": (1, 2)}, lambda w, X: w["U"] @ (w["A"] @ X + w["b"]), 13),
    "add a number": ({**FOUR, "b": (1, 1)}, lambda w, X: w["U"] @ (w["A"] @ X + w["b"]), 13),
    # the transposed network: 1 R = o 1
    "add a column on tokens": (
        {"A": (3, 4), "U": (4, 2), "b": (2, 1)},
        lambda w, X: (X.T @ w["A"] + w["b"]) @ w["U"],
        13,
    ),
    "a row and a column": ({"a": (4, 1), "b": (1, 2), "U": (2, 4)}, lambda w, X: w["U"] @ (w["a"] + w["b"]) + X[:2], 0),
    "add zero": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X + np.zeros((4, 2), dtype=int)), 16),
    "add zero on the left": (FOUR, lambda w, X: w["U"] @ (np.zeros((4, 2), dtype=int) + w["A"] @ X), 16),
    "add a constant": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X + np.diag([1, 1, 1, 1])[:, :2]), 0),
    "add ones": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X + np.ones((4, 2), dtype=int)), 12),  # those with g 1 = 1
    "multiply": (BOTH, lambda w, X: w["U"] @ ((w["A"] @ X) * (w["B"] @ X)), 8),  # two tori T(4)
    "multiply by a row": (  # GL(4), and a number of c
        {**FOUR, "c": (1, 3)},
        lambda w, X: w["U"] @ ((w["A"] @ X) * (w["c"] @ X)),
        17,
    ),
    "multiply by a column": ({**FOUR, "b": (4, 1)}, lambda w, X: w["U"] @ ((w["A"] @ X) * w["b"]), 8),  # two T(4)
    "multiply by a number": ({**FOUR, "c": (1, 1)}, lambda w, X: w["U"] @ ((w["A"] @ X) * w["c"]), 17),
    "mask": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * PATTERN), 4),  # T(4)
    "mask on the left": (FOUR, lambda w, X: w["U"] @ (PATTERN * (w["A"] @ X)), 4),
    "multiple": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * (3 * PATTERN**0)), 16),  # equal entries
    "multiple of columns": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * np.array([[1, 2]])), 16),
    "multiple of rows": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * np.array([[1], [1], [2], [2]])), 4),
    # R of W is diagonal, Z moves against it, and A takes a number from Z
    "mask on columns": (MIXED, column_rule(lambda Y: Y * np.array([[1, 2]])), 3),
    "multiply columns": ({**MIXED, "c": (1, 2)}, lambda w, X: (w["A"] @ X @ w["W"] * w["c"]) @ w["Z"], 5),
    # the normal form does not read U and A: gl(4) + gl(3) less the numbers on both sides, and gl(2) + gl(4) less them
    "times zero": ({**FOUR, "B": (2, 3)}, lambda w, X: w["U"] @ (w["A"] @ X) * 0 + w["B"] @ X, 24 + 19),
    "constant and product": (FOUR, lambda w, X: w["U"] @ (np.eye(4, dtype=int)[[2, 0, 1, 3]] @ (w["A"] @ X)), 16),
    # 1^T L = c 1^T leaves 13 of A, and L' 1 = c 1 leaves 12 more of U
    "matrix of ones": (FOUR, lambda w, X: w["U"] @ (ONES @ (w["A"] @ X)), 25),
    "product and constant": ({"A": (3, 4), "U": (4, 2)}, lambda w, X: (X.T @ w["A"]) @ ONES @ w["U"], 25),
    "sum of rows": ({"A": (4, 3), "c": (1, 3)}, lambda w, X: (w["A"] @ X).sum(0) + w["c"] @ X, 12),  # 1^T L = 0
    # 1^T L = s 1^T, and c takes s back
    "sum of rows times": ({"A": (4, 3), "c": (1, 3)}, lambda w, X: (w["A"] @ X).sum(0) * (w["c"] @ X), 13),
    "sum of columns": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).sum(1), 16),
    "column products": (PAIR, lambda w, X: (w["A"] @ X).column_products(w["B"] @ X), 16),  # B has the inverses
    "column products with itself": ({"A": (4, 3)}, lambda w, X: (w["A"] @ X).column_products(w["A"] @ X), 6),
    # GL(2) between A and B, a number of A, R of W and of V diagonal
    "column products on columns": (
        {"A": (2, 3), "B": (2, 3), "W": (2, 2), "V": (2, 2), "Z": (2, 1)},
        lambda w, X: (w["A"] @ X @ w["W"]).column_products(w["B"] @ X @ w["V"]) @ w["Z"],
        9,
    ),
    "column products with a column": (
        {"A": (4, 3), "b": (4, 1)},
        lambda w, X: (w["A"] @ X).column_products(w["b"]),
        16,
    ),
    "column products of a column": ({"A": (4, 3), "b": (4, 1)}, lambda w, X: w["b"].column_products(w["A"] @ X), 16),
    # b^T A X W: GL(2) between A and b, GL(2) between W and Z, and A takes a number of Z
    "column products with a column, other columns": (
        {"A": (2, 3), "W": (2, 2), "b": (2, 1), "Z": (2, 1)},
        lambda w, X: (w["A"] @ X @ w["W"]).column_products(w["b"]) @ w["Z"],
        9,
    ),
    "column products of a column, other columns": (
        {"A": (2, 3), "W": (2, 2), "b": (2, 1), "Z": (2, 1)},
        lambda w, X: w["b"].column_products(w["A"] @ X @ w["W"]) @ w["Z"],
        9,
    ),
    # the row is multiplied into each row: 1^T L = s 1^T, and the row takes s back
    "column products with a row": (
        {"A": (4, 3), "c": (1, 3)},
        lambda w, X: (w["c"] @ X).column_products(w["A"] @ X),
        13,
    ),
    "column products with a row, in a product": (  # and U takes a number back
        {"A": (4, 3), "c": (1, 3), "U": (2, 3)},
        lambda w, X: w["U"] @ (X * (w["c"] @ X).column_products(w["A"] @ X)),
        14,
    ),
    "norm": (  # O(4), and a number that U takes back
        FOUR,
        lambda w, X: w["U"] @ ((w["A"] @ X) / (w["A"] @ X).column_products(w["A"] @ X)),
        7,
    ),
    # (4 - 1 1^T) L = L' (4 - 1 1^T): L 1 = c 1 leaves 13, and L' is free on one vector
    "centre": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).centre(), 17),
    "take rows": (  # L = [[S, 0], [*, *]], S from the rows that are taken
        {"A": (4, 3), "U": (2, 2)},
        lambda w, X: w["U"] @ (w["A"] @ X)[:2],
        12,
    ),
    "every second row": ({"A": (4, 3), "U": (2, 2)}, lambda w, X: w["U"] @ (w["A"] @ X)[::2], 12),
    "two rows in a list": ({"A": (4, 3), "U": (2, 2)}, lambda w, X: w["U"] @ (w["A"] @ X)[[3, 1]], 12),
    "reversed rows": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X)[::-1], 16),
    # S P = P S for the reversal P: 8 of 16
    "reversed rows, added": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X)[::-1] + w["A"] @ X), 8),
    "take columns": (  # R of W is [[a, *], [0, *]], Z takes a back, A a number of Z
        {"A": (1, 3), "W": (2, 2), "Z": (1, 1)},
        lambda w, X: (w["A"] @ X @ w["W"])[:, :1] @ w["Z"],
        4,
    ),
    "join rows": (
        {"A": (2, 3), "B": (1, 3), "U": (2, 3)},
        lambda w, X: w["U"] @ concatenate([w["A"] @ X, w["B"] @ X]),
        5,
    ),
    "join rows of one tensor": ({"A": (2, 3), "U": (1, 4)}, lambda w, X: w["U"] @ concatenate([w["A"] @ X] * 2), 4),
    "join numbers": (
        {"A": (1, 3), "B": (1, 3), "U": (2, 2)},
        lambda w, X: w["U"] @ concatenate([w["A"] @ X, w["B"] @ X]),
        2,
    ),
    "join a constant": (
        {"A": (2, 3), "U": (1, 3)},
        lambda w, X: w["U"] @ concatenate([w["A"] @ X, X[:1] * 0 + 1]),
        4,
    ),
    # GL(2) of W, V, Z; of the numbers of A, W, B, V, two columns of U and Z the products a w u z = b v u' z = 1
    # leave 5, of which one is in GL(2)
    "join rows, their columns": (
        {"A": (1, 3), "W": (2, 2), "B": (1, 3), "V": (2, 2), "U": (1, 2), "Z": (2, 1)},
        lambda w, X: w["U"] @ concatenate([w["A"] @ X @ w["W"], w["B"] @ X @ w["V"]]) @ w["Z"],
        8,
    ),
    # as in the sum with a transpose: if the columns of A and of A^T move alike, those of A A and its transpose differ
    "join the transpose of a product": (
        {"A": (3, 3), "U": (2, 6), "W": (2, 6)},
        lambda w, X: sum_of_joins(w, w["A"], w["A"] @ w["A"]) @ X,
        1,
    ),
    "join columns": (BOTH, lambda w, X: w["U"] @ concatenate([w["A"] @ X, w["B"] @ X], axis=1), 16),
    "reciprocal": (FOUR, lambda w, X: w["U"] @ (1 / (w["A"] @ X)), 4),
    "reciprocal of columns": (MIXED, column_rule(lambda Y: 1 / Y), 3),
    "power": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X) ** 3, 4),
    "numbers of the code": (  # one minus three, over two
        FOUR,
        lambda w, X: w["U"] @ (w["A"] @ X * ((1 - Elements.of(X.field, 3)) / 2)),
        16,
    ),
    # 1 is a column of ones times a row of ones, which does not move: L 1 = 0
    "number less an array": (FOUR, lambda w, X: w["U"] @ (1 - w["A"] @ X), 12),
    "quotient of constants": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X / np.array([[2], [2], [2], [2]])), 16),
}
"""Tensors, value, and the number of independent vector fields; the input has shape (3, 2)."""

TURNS = {  # commutants in gl(4) of the turns of two pairs; B^T A of turned arrays, B against A
    "different angles": ((0.5, 0.25), (0, 1), 4),  # C + C
    "equal angles": ((0.5, 0.5), (0, 1), 8),  # gl(2, C)
    "opposite angles": ((0.5, -0.5), (0, 1), 8),  # likewise, by the conjugate of a pair
    "an angle of zero": ((0.0, 0.5), (0, 1), 6),  # gl(2, R) + C
    "no angles": ((0.0, 0.0), (0, 1), 16),
    "no positions": ((0.5, 0.25), (0, 0), 16),
    "one position": ((0.5, 0.25), (1, 1), 4),
}

FUNCTIONS = {  # over the reals
    "exp": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).exp(), 0, None),
    "sigmoid": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).entrywise(Sigmoid()), 0, None),
    "tanh": (FOUR, lambda w, X: w["U"] @ tanh(w["A"] @ X), 0, None),
    "erf": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).entrywise(Erf()), 0, None),
    "log": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) ** 2 + 1).entrywise(Log()), 0, None),
    "exp of products": (MIXED, column_rule(lambda Y: Y.exp()), 1, None),  # A -> c A, W -> W / c
    "sqrt": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).sqrt(), 4, "T+(4)"),
    "sqrt on columns": (MIXED, column_rule(lambda Y: Y.sqrt()), 3, "T+(2)"),
    "relu": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X * (w["A"] @ X).entrywise(Positive())), 4, "T+(4)"),
    "gate": (FOUR, lambda w, X: w["U"] @ (w["A"] @ X).entrywise(Positive()), 4, "T+(4)"),
    "gate on columns": (MIXED, column_rule(lambda Y: Y.entrywise(Positive())), 3, "T+(2)"),
    # A is multiplied by a number, W by diagonal matrices on its right, Z stays; a number of W on its left is one of R
    "largest": (
        {"A": (2, 3), "W": (2, 2), "Z": (2, 1)},
        lambda w, X: (w["A"] @ X @ w["W"]).largest(1) @ w["Z"],
        3,
        "T+(2)",
    ),
    "largest times": (FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * (w["A"] @ X).largest(1)), 1, None),
}


def fields_of(net):
    """Return the number of independent vector fields."""
    return sum(len(one.solution) for one in spaces_by_types(net))


def check_tangents(net):
    """Check that the exact derivative of the value is zero along all tangents."""
    theta = algatt.sample(net, algatt.Weights, seed=1)
    jacobian = algatt.jacobian(net, theta, algatt.sample_inputs(net, seed=1, count=2))
    for one in (*spaces_by_types(net), *algatt.symmetries(net)):
        assert not (jacobian @ one.tangents(theta).T).any(), one


@pytest.mark.parametrize("name", RULES)
def test_the_solutions_are_those_that_were_derived_by_hand(name):
    tensors, function, expected = RULES[name]
    net = written(tensors, function)
    assert fields_of(net) == expected
    check_tangents(net)


def test_an_order_of_rows_is_not_taken_out_by_itself():
    """U (Y + P Y) with Y = A X: S commutes with the order P of rows, which has two eigenspaces of dimension 2."""
    tensors, function, expected = RULES["reversed rows, added"]
    assert fields_of(written(tensors, function)) == expected == 2 * 2**2


def test_parts_of_columns_move_by_what_their_readers_do():
    """M = (M_1 M_2) with M_1 -> M_1 g, N -> g^-1 N and M_2 -> M_2 h, P -> h^-1 P: GL(2) twice."""
    tensors = {"M": (3, 4), "N": (2, 3), "P": (2, 3)}
    net = written(tensors, lambda w, X: w.M[:, :2] @ w.N @ X + 2 * (w.M[:, 2:] @ w.P @ X))
    assert sum(one.dimension for one in spaces_by_types(net)) == 4 + 4
    check_tangents(net)


@pytest.mark.parametrize("name", TURNS)
def test_turns_leave_commutants(name):
    angles, positions, expected = TURNS[name]

    def turned(w, X):
        return (w["A"] @ X).rotate(angles, positions).T @ (w["B"] @ X).rotate(angles, positions)

    net = written(PAIR, turned)
    assert fields_of(net) == expected
    check_tangents(net)


def test_turns_by_several_positions_keep_columns_apart():
    """L of A is a complex number, R of W diagonal; U and Z move against them, and A takes a number of Z."""
    tensors = {"A": (2, 3), "W": (2, 2), "U": (1, 2), "Z": (2, 1)}

    def turned(positions):
        return written(tensors, lambda w, X: w["U"] @ (w["A"] @ X @ w["W"]).rotate((0.5,), positions) @ w["Z"])

    assert fields_of(turned((0, 1))) == 2 + 2 + 1
    assert fields_of(turned((1, 1))) == 2 + 4 + 1
    check_tangents(turned((0, 1)))
    check_tangents(turned((1, 1)))


def test_rows_that_are_not_turned_are_dropped():
    """Turning two pairs of five rows drops the fifth, which may not be added to others: the part of L that is seen
    commutes with the turn, 2 + 2^2; the last row of L is free, for A and for B.
    """

    def turned(w, X):
        return (w["A"] @ X).rotate((0.5, 0.0), (0, 1)).T @ (w["B"] @ X).rotate((0.5, 0.0), (0, 1))

    net = written({"A": (5, 3), "B": (5, 3)}, turned)
    assert fields_of(net) == 2 + 4 + 5 + 5
    check_tangents(net)


def test_a_column_is_turned_by_every_position():
    net = written(
        {**FOUR, "V": (2, 2)}, lambda w, X: w["U"] @ ((w["A"] @ X[:, :1]).rotate((0.5, 0.25), (0, 1)) @ w["V"])
    )
    assert fields_of(net) == 4 + 1  # the commutant, and a number between U and V
    check_tangents(net)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one_variable(name):
    tensors, function, expected, group = FUNCTIONS[name]
    net = written(tensors, function)
    assert fields_of(net) == expected
    assert group is None or group in {str(one.group) for one in spaces_by_types(net)}
    reals = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=reals, seed=1)
    if "sqrt" in name:  # of positive numbers
        theta = theta.replace([Elements.of(reals, np.abs(one.raw)) for one in theta.elements])
    X = np.abs(algatt.sample_inputs(net, field=reals, seed=1, count=1))
    jacobian = algatt.jacobian(net, theta, X)
    for one in spaces_by_types(net):
        np.testing.assert_allclose(jacobian @ one.tangents(theta).T, 0, atol=1e-9 * max(1, np.abs(jacobian).max()))


def test_the_same_equations_have_more_solutions_modulo_a_prime():
    """With C = diag(1, 1 + p) the pair (U C A X, U A X) has the symmetries that commute with C: T(2) over Q, and GL(2)
    modulo p. So 8 - 2 is the dimension; modulo p the rank is 8 - 4 at most.
    """
    p = algatt.PrimeField().p
    C = np.array([[1, 0], [0, 1 + p]])

    def both(w, X):
        Y = w["A"] @ X
        return concatenate([w["U"] @ (C @ Y), w["U"] @ Y])

    net = written({"A": (2, 3), "U": (3, 2)}, both)
    assert fields_of(net) == 2
    theta = algatt.sample(net, algatt.Weights, seed=1)
    assert algatt.rank(algatt.jacobian(net, theta, algatt.sample_inputs(net, seed=1, count=9))) == 12 - 4
    assert algatt.dimension(net).lower == algatt.dimension(net).upper == 12 - 2


def test_fractions_are_constants():
    half = np.array([[Fraction(1, 2)]], dtype=object)
    assert fields_of(written(FOUR, lambda w, X: w["U"] @ ((w["A"] @ X) * half + (w["A"] @ X) * 0.5))) == 16


def test_division_by_a_constant_of_zero():
    with pytest.raises(DivisionByZero, match="the constant 0"):
        fields_of(written(FOUR, lambda w, X: w["U"] @ (w["A"] @ X / np.array([[1, 0]]))))


@pytest.mark.parametrize("transposed", [True, False])
@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize("skew", [True, False])
def test_skew_images_under_centring_are_equal(skew: bool, zero: bool, transposed: bool) -> None:
    """T C = C S = U C says T - U = u 1^T, which is zero if both are skew up to a number, and any if one is not; they
    are zero if S is. So it is transposed.
    """
    equations = MotionEquations()
    S, T, U = (equations.unknown(4, name) for name in "STU")
    S = Action(4) if zero else S
    for image in (T, U):
        equations.require_intertwining(*((S, Centring(4), image) if transposed else (image, Centring(4), S)))
    equations.require_zero(T + T.T)
    equations.require_zero(U + U.T + equations.number(4) if skew else Action(4))
    Reduction(equations).run()
    assert equations.resolve(T - U).zero == skew
    assert equations.resolve(T).zero == zero


def test_a_difference_is_not_skew_where_the_sum_is() -> None:
    """A + B is skew and (A - B) C = 0: A = u 1^T / 2 = -B is a solution, so A - B is not zero."""
    equations = MotionEquations()
    A, B = (equations.unknown(4, name) for name in "AB")
    equations.require_intertwining(A - B, Centring(4), Action(4))
    equations.require_zero(A + B + (A + B).T)
    Reduction(equations).run()
    assert not equations.resolve(A - B).zero
