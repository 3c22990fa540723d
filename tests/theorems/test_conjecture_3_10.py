"""HMK Conjecture 3.10, case by case: deep networks with normalised scores have the dimension that the gauges leave. No
case proves another.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import flint
import numpy as np
import pytest

import algatt


def equation_16(dims, ranks):
    """Parameters of the (A_i, V_i) less (l - 1) delta^2, where delta is the width between all layers."""
    pairs = list(zip(dims, dims[1:], ranks, strict=False))
    return sum(min(a, d) * (2 * d - min(a, d)) + d * e for d, e, a in pairs) - (len(pairs) - 1) * dims[1] ** 2


def inverse(p, array):
    """Invert residues by Fermat's little theorem."""
    value, power, exponent = np.ones_like(array), array % p, p - 2
    while exponent:
        if exponent % 2:
            value = value * power % p
        power = power * power % p
        exponent //= 2
    return value


def derivative(plain, layers, tangents, X):
    """Differentiate the network with S(x) = 1 + x in the direction of the tangents, by the quotient rule in plain
    integers.
    """
    p = plain.p
    dX = np.zeros_like(X)
    for (Q, K, V), (dQ, dK, dV) in zip(layers, tangents, strict=True):
        A, dA = plain.times(K.T, Q), (dK.T @ Q + K.T @ dQ) % p
        XT, dXT = np.swapaxes(X, 1, 2), np.swapaxes(dX, 1, 2)
        S = (plain.times(XT, A, X) + 1) % p
        dS = (plain.times(dXT, A, X) + plain.times(XT, dA, X) + plain.times(XT, A, dX)) % p
        total, d_total = S.sum(axis=1, keepdims=True) % p, dS.sum(axis=1, keepdims=True) % p
        assert total.all()
        below = inverse(p, total)
        above, d_above = (
            plain.times(V, X, S),
            (plain.times(dV, X, S) + plain.times(V, dX, S) + plain.times(V, X, dS)) % p,
        )
        X, dX = above * below % p, (d_above - above * below % p * d_total) % p * below % p
    return dX


def plain_dimension(plain, dims, ranks, tokens):
    """Return the rank of the Jacobian at random weights and about twice as many rows as there are parameters."""
    layers = plain.weights(dims, ranks, seed=3)
    parameters = sum(array.size for layer in layers for array in layer)
    X = plain.random((2 * parameters // (dims[-1] * tokens) + 4, dims[0], tokens), seed=4)
    return plain.rank(
        np.stack([derivative(plain, layers, tangents, X).ravel() for tangents in plain.directions(layers)], axis=1)
    )


CASES = [
    ((4, 3, 4), (2, 2), 3),
    ((4, 3, 4), (1, 1), 2),
    ((3, 2, 2, 3), (2, 1, 2), 3),
    ((3, 3, 3, 3), (1, 3, 2), 2),
    ((2, 2, 2, 2, 2), (1, 2, 1, 2), 3),
]


@pytest.mark.parametrize(("dims", "ranks", "tokens"), CASES)
def test_a_second_implementation_finds_equation_16(plain, dims, ranks, tokens):
    assert plain_dimension(plain, dims, ranks, tokens) == equation_16(dims, ranks)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), CASES)
@pytest.mark.parametrize(
    "score", [algatt.layers.Affine(1, 1), algatt.layers.Rational((1,), (2, 1)), algatt.layers.Exponential()], ids=repr
)
def test_the_package_proves_equation_16(dims, ranks, tokens, score):
    report = algatt.dimension(algatt.Normalized(dims, ranks, tokens, score))
    assert (report.value, report.status) == (equation_16(dims, ranks), "proven")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), CASES)
@pytest.mark.parametrize("field", [algatt.PrimeField(), algatt.Reals()], ids=str)
def test_nothing_is_unexplained(dims, ranks, tokens, field):
    """At this point: the kernel of the differential is the tangent space of the orbit of the gauges."""
    score = algatt.layers.Affine(1, 1) if field != algatt.Reals() else algatt.layers.Exponential()
    arch = algatt.Normalized(dims, ranks, tokens, score)
    found = algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights, field=field))
    assert (found.dimension, found.status) == (0, "proven")
    assert found.kernel == arch.parameters - equation_16(dims, ranks)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("a", "b", "tokens"), product((1, 2), (1, 2), (2, 3)))
def test_all_small_networks_of_two_layers(a, b, tokens):
    """Widths and ranks up to 2, at any widths: with two or three tokens the symmetries known here always explain the
    whole kernel.
    """
    for dims in product((1, 2), (1, 2), (1, 2)):
        arch = algatt.Normalized(dims, (a, b), tokens, algatt.layers.Affine(1, 1))
        assert algatt.dimension(arch).status == "proven"
        assert algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights)).dimension == 0


def test_homogeneous_scores_are_outside():
    """With S(x) = x^3 each attention matrix may be rescaled, so that one dimension for each layer is missing."""
    dims, ranks = (4, 3, 4), (2, 2)
    report = algatt.dimension(algatt.Normalized(dims, ranks, 3, algatt.layers.Power(3)))
    assert (report.value, report.status) == (equation_16(dims, ranks) - 2, "proven")


def test_the_arrows_forget_the_gauges_and_nothing_else():
    arrows = algatt.geometry.fiber_dimensions(algatt.Softmax((4, 3, 4), (2, 2), 3))
    assert [(arrow.measured, arrow.theorem, arrow.status) for arrow in arrows] == [
        (8, 8, "proven"),
        (9, 9, "proven"),
        (0, 0, "proven"),
    ]
    assert arrows[-1].reference == "derived, as HMK Conjecture 3.10 asks"


SCORES = [
    (lambda s: 1 + s, lambda s: 1, Fraction(1)),
    (lambda s: 3 - 2 * s, lambda s: -2, Fraction(-2, 3)),
    (lambda s: 1 / (2 + s), lambda s: -1 / (2 + s) ** 2, Fraction(-1, 2)),
]
"""S, its derivative, and c = S'(0) / S(0)."""


def rational_matrix(rng, rows, columns):
    return np.array([[Fraction(int(x)) for x in row] for row in rng.integers(-5, 6, (rows, columns))])


def layer_of_two_tokens(score, M, places, tokens, tangents):
    """Return the two columns that a layer makes of tokens in so many places each, and their derivative, in exact
    fractions.
    """
    S, dS, _ = score
    values, derivatives = [], []
    for i in range(2):
        s = [tokens[k] @ M @ tokens[i] for k in range(2)]
        ds = [tangents[k] @ M @ tokens[i] + tokens[k] @ M @ tangents[i] for k in range(2)]
        w = [places[k] * S(s[k]) for k in range(2)]
        dw = [places[k] * dS(s[k]) * ds[k] for k in range(2)]
        value = (w[0] * tokens[0] + w[1] * tokens[1]) / (w[0] + w[1])
        change = sum(dw[k] * tokens[k] + w[k] * tangents[k] for k in range(2))
        values.append(value)
        derivatives.append((change - value * (dw[0] + dw[1])) / (w[0] + w[1]))
    return values, derivatives


@pytest.mark.parametrize("score", SCORES, ids=["1+x", "3-2x", "1/(2+x)"])
@pytest.mark.parametrize(("d", "places"), [(1, (1, 1)), (2, (1, 2)), (3, (3, 1))])
def test_the_determinant_of_the_first_layer_at_small_tokens(score, d, places):
    """It is 3 (alpha beta c)^d q(y)^d and terms of higher degree, so not zero if q is not: the layer is dominant
    (derived).
    """
    rng = np.random.default_rng(d + 10)
    M = rational_matrix(rng, d, d)
    small = Fraction(1, 10**6)
    tokens = list(small * rational_matrix(rng, 2, d))
    columns = []
    for k, a in product(range(2), range(d)):
        tangents = [np.array([Fraction(int((k, a) == (i, b))) for b in range(d)]) for i in range(2)]
        columns += list(np.concatenate(layer_of_two_tokens(score, M, places, tokens, tangents)[1]))
    determinant = flint.fmpq_mat(2 * d, 2 * d, [flint.fmpq(x.numerator, x.denominator) for x in columns]).det()
    y = tokens[0] - tokens[1]
    expected = 3 * (Fraction(places[0] * places[1], sum(places) ** 2) * score[2] * (y @ M @ y)) ** d
    assert y @ M @ y != 0
    assert abs(Fraction(int(determinant.p), int(determinant.q)) / expected - 1) < Fraction(1, 10**8)


@pytest.mark.parametrize("score", SCORES, ids=["1+x", "3-2x", "1/(2+x)"])
@pytest.mark.parametrize("layers", [2, 3])
def test_the_part_of_degree_three_has_the_first_matrix(score, layers):
    """The value is L z + alpha beta c (L y) (y^T M_1 z) + O(5), whatever the later layers are (derived)."""
    rng = np.random.default_rng(layers)
    places, small, d = (1, 2), Fraction(1, 10**6), 3
    M = [rational_matrix(rng, d, d) for _ in range(layers)]
    tokens = first = list(small * rational_matrix(rng, 2, d))
    for matrix in M:
        tokens, _ = layer_of_two_tokens(score, matrix, places, tokens, [0 * token for token in tokens])
    z, y = (first[0] + 2 * first[1]) / 3, first[0] - first[1]
    third = Fraction(2, 9) * score[2] * y * (y @ M[0] @ z)
    for token in tokens:
        assert max(abs(token - z - third)) < Fraction(1, 10**8) * max(abs(third))
