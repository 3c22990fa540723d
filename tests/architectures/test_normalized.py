"""Normalised attention against HMK Eq 15, token by token in fractions."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Balls, Normalized, PrimeField, Reals, VirtualWeights, Weights
from algatt.layers import Affine, Exponential, Power

COORDINATES = [Weights, AttentionMatrix, VirtualWeights]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def apply(matrix, v):
    return [dot(row, v) for row in matrix]


def layer(S, Q, K, V, tokens):
    """HMK Eq 15: phi(X)_i = sum_j S(x_j^T A x_i) V x_j / sum_k S(x_k^T A x_i)."""
    values = []
    for x in tokens:
        scores = [S(dot(apply(K, y), apply(Q, x))) for y in tokens]
        total = sum(scores)
        terms = [[s * v / total for v in apply(V, y)] for s, y in zip(scores, tokens, strict=True)]
        values.append([sum(column) for column in zip(*terms, strict=True)])
    return values


def network(S, layers, X):
    tokens = [list(column) for column in zip(*X, strict=True)]
    for Q, K, V in layers:
        tokens = layer(S, Q, K, V, tokens)
    return [list(row) for row in zip(*tokens, strict=True)]


def integer_weights(arch, rng):
    """Positive entries, so that no sum of scores vanishes over the rationals."""
    shapes = algatt.verbs.shapes(arch, Weights)
    matrices = [rng.integers(1, 4, shape) for shape in shapes]
    return [tuple(matrices[i : i + 3]) for i in range(0, len(matrices), 3)]


@given(
    dims=st.lists(st.integers(1, 3), min_size=2, max_size=3),
    rank=st.integers(1, 3),
    tokens=st.integers(1, 3),
    score=st.sampled_from(
        [(Affine(1, 1), lambda x: x + 1), (Affine(3, 2), lambda x: 3 * x + 2), (Power(3), lambda x: x**3)]
    ),
    seed=st.integers(0, 10**6),
)
def test_the_values_are_those_of_equation_15(dims, rank, tokens, score, seed):
    score, S = score
    arch = Normalized(dims, (rank,) * (len(dims) - 1), tokens, score)
    rng = np.random.default_rng(seed)
    layers = integer_weights(arch, rng)
    X = rng.integers(1, 4, (dims[0], tokens))
    true = network(
        S, [[[[Fraction(int(x)) for x in row] for row in matrix] for matrix in layer] for layer in layers], X.tolist()
    )
    p = 2305843009213693951
    theta = Weights.of([tuple(algatt.PrimeField(p).galois(matrix) for matrix in layer) for layer in layers])
    residues = [[x.numerator * pow(x.denominator, -1, p) % p for x in row] for row in true]
    floats = Weights.of([tuple(matrix.astype(float) for matrix in layer) for layer in layers])
    for coordinates in COORDINATES:
        assert algatt.evaluate(arch, algatt.convert(theta, coordinates), theta.field.galois(X)).tolist() == residues
        values = algatt.evaluate(arch, algatt.convert(floats, coordinates), X.astype(float))
        assert np.allclose(values, np.array(true, dtype=float), rtol=1e-9)


@pytest.mark.parametrize("temperature", [1, 0.25, 3])
def test_softmax_is_equation_15_with_the_exponential(temperature):
    arch = algatt.Softmax((3, 4, 2), (2, 1), 3, temperature)
    theta = algatt.sample(arch, Weights, field=Reals())
    X = algatt.sample_inputs(arch, field=Reals())[0]
    layers = [tuple(matrix.tolist() for matrix in layer) for layer in theta.layers]
    true = np.array(network(lambda x: math.exp(x / temperature), layers, X.tolist()))
    for coordinates in COORDINATES:
        assert np.allclose(algatt.evaluate(arch, algatt.convert(theta, coordinates), X), true, rtol=1e-11)


def test_balls_enclose_what_floats_round():
    arch = algatt.Softmax((3, 3), (2,), 3)
    theta = algatt.sample(arch, Weights, field=Balls(200))
    X = algatt.sample_inputs(arch, field=Balls(200))[0]
    wide, narrow = (algatt.evaluate(arch, theta, X) for _ in range(2))
    assert all(a.overlaps(b) for a, b in zip(wide.flat, narrow.flat, strict=True))
    layers = [tuple([[float(x) for x in row] for row in matrix] for matrix in layer) for layer in theta.layers]
    true = np.array(network(math.exp, layers, [[float(x) for x in row] for row in X]))
    assert np.allclose([[float(x) for x in row] for row in wide], true, rtol=1e-11)
    assert all(x.rad() < flint.arb(10) ** -50 for x in wide.flat)


def test_softmax_is_short_for_normalized():
    assert algatt.Softmax([3, 2], [1], 2) == Normalized((3, 2), (1,), 2) == Normalized((3, 2), (1,), 2, Exponential(1))
    assert algatt.Softmax((3, 2), (1,), 2, temperature=0.5).score == Exponential(Fraction(1, 2))


@pytest.mark.parametrize("score", ["exp", None, 1, Exponential])
def test_scores_are_checked(score):
    with pytest.raises(algatt.errors.InvalidArgument, match=r"score was .*; it should be a score, such as"):
        Normalized((3, 2), (1,), 2, score)


def test_it_is_final():
    with pytest.raises(TypeError, match="Normalized is final"):
        type("Other", (Normalized,), {})


def test_softmax_has_no_values_over_a_prime_field():
    arch = algatt.Softmax((3, 2), (1,), 2)
    theta = algatt.sample(arch, Weights, field=PrimeField())
    with pytest.raises(algatt.errors.MethodError, match="no method fits"):
        algatt.evaluate(arch, theta, algatt.sample_inputs(arch)[0])
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"field was GF\(8388593\), over which .* has no values; it should be Balls\(\) for a proof, or Reals",
    ):
        algatt.dimension(arch, field=PrimeField())


def test_values_do_not_depend_on_the_order_of_the_tokens_but_with_it():
    arch = Normalized((3, 3, 2), (2, 2), 4, Affine(1, 1))
    theta = algatt.sample(arch, Weights)
    X = algatt.sample_inputs(arch)[0]
    order = [2, 0, 3, 1]
    assert np.array_equal(algatt.evaluate(arch, theta, X[:, order]), algatt.evaluate(arch, theta, X)[:, order])


@pytest.mark.sample(1)
@pytest.mark.parametrize("score", [Affine(1, 1), Power(2), algatt.layers.Rational((1, 1), (2, 0, 1))])
def test_degrees_bound_those_of_the_numerators(score):
    # f = N / D on a line: N(s) - f(s) D(s) = 0 at all points, with N and D of at most the bound's degree, is a linear
    # system with a solution.
    arch = Normalized((2, 2), (1,), 2, score)
    p = 2305843009213693951
    field = algatt.PrimeField(p)
    bound = algatt.degree(arch).inputs
    theta = algatt.sample(arch, Weights, field=field)
    start, step = algatt.sample_inputs(arch, field=field, count=2)
    points = list(range(1, 2 * bound + 4))  # one more than the unknowns
    values = [int(algatt.evaluate(arch, theta, start + step * field.galois(s))[0, 0]) for s in points]
    # N(s) = f(s) D(s) with deg N, deg D <= bound: this homogeneous linear system has a solution at all points, found
    # from one fewer.
    rows = [
        [pow(s, k, p) for k in range(bound + 1)] + [-value * pow(s, k, p) % p for k in range(bound + 1)]
        for s, value in zip(points, values, strict=True)
    ]
    matrix = flint.nmod_mat(len(rows), 2 * bound + 2, [x for row in rows for x in row], p)
    assert matrix.rank() < 2 * bound + 2


@pytest.mark.parametrize(
    ("dims", "ranks", "argument"),
    [(3, (2,), "dims"), ("33", (2,), "dims"), ((3, 2), None, "ranks"), ((3, 2), 2, "ranks")],
)
def test_softmax_names_what_is_no_sequence(dims, ranks, argument):
    with pytest.raises(algatt.errors.InvalidArgument, match=f"^{argument} was"):
        algatt.Softmax(dims, ranks, 2)


@pytest.mark.parametrize(
    ("dims", "tokens", "score", "weights", "inputs"),
    [
        # One layer: the numerator of a token has degree 1 in V and 2 in a score, the denominator 2; in the input 3 and
        # 2 as well. A row of the Jacobian has the sum of both, and the denominators of t columns may vanish: 5 + 2 t.
        ((3, 2), 1, Affine(1, 1), 7, 7),
        ((3, 2), 2, Affine(1, 1), 9, 9),
        ((3, 2), 3, Affine(-2, 3), 11, 11),
        # A score of degree m has 2 m in place of 2: 1 + 4 m + 2 m t.
        ((3, 2), 2, Power(3), 25, 25),
        # One token, two layers: denominators of degree 2, then 2 + 2 * 3 + 2 = 10, numerators 3, then 1 + 3 + 8 = 12;
        # in the input 2, 8 and 3, 9.
        ((3, 2, 1), 1, Affine(1, 1), 32, 25),
    ],
)
def test_degrees_count_the_denominators_that_may_vanish(dims, tokens, score, weights, inputs):
    degree = algatt.degree(Normalized(dims, (2,) * (len(dims) - 1), tokens, score))
    assert (degree.weights, degree.inputs) == (weights, inputs)
