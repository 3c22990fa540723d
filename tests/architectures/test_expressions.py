"""Lightning and Normalized are networks of layers: values, Jacobians, degrees against HMK Eq 2 and Eq 15 in loops."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import flint
import numpy as np
import pytest

import algatt
from algatt import Lightning, Network, Normalized, PrimeField, Reals, Weights
from algatt.layers import Affine, Exponential, Power, Rational

P = 8388593

ALGEBRAIC = [*Lightning.examples(), *(arch for arch in Normalized.examples() if arch.algebraic)]
SOFTMAX = [arch for arch in Normalized.examples() if not arch.algebraic]


def score_of(score, inverse: Callable) -> Callable:
    """Return the formula of a score over any ring."""
    if isinstance(score, Affine):
        return lambda x: score.a * x + score.b
    if isinstance(score, Power):
        return lambda x: x**score.k
    assert isinstance(score, Rational)
    return lambda x: polynomial(score.numerator, x) * inverse(polynomial(score.denominator, x))


def polynomial(coefficients, x):
    return sum(c * x**power for power, c in enumerate(coefficients))


def value_by_loops(arch, matrices, X, inverse, modulus=None):
    """HMK Eq 2: phi(X)_i = sum_j w_ji V x_j with w_ji = x_j^T K^T Q x_i; in Eq 15, S of it by the sum over j of S."""

    def reduce(x):
        return x if modulus is None else x % modulus

    def times(M, x):
        return [reduce(sum(m * e for m, e in zip(row, x, strict=True))) for row in M]

    tokens = [list(column) for column in zip(*X, strict=True)]
    for Q, K, V in matrices:
        queries, keys, values = ([times(M, x) for x in tokens] for M in (Q, K, V))
        result = []
        for q in queries:
            weights = [reduce(sum(a * b for a, b in zip(k, q, strict=True))) for k in keys]
            if isinstance(arch, Normalized):
                weights = [reduce(score_of(arch.score, inverse)(x)) for x in weights]
                below = inverse(reduce(sum(weights)))
                weights = [reduce(x * below) for x in weights]
            result.append([reduce(sum(w * v[i] for w, v in zip(weights, values, strict=True))) for i in range(len(V))])
        tokens = result
    return [list(row) for row in zip(*tokens, strict=True)]


def cut(arch, vector):
    """Cut a vector into triples Q, K, V of lists."""
    shapes = algatt.verbs.shapes(arch, Weights)
    pieces = np.split(np.array(vector, dtype=object), np.cumsum([a * b for a, b in shapes])[:-1])
    arrays = [piece.reshape(shape).tolist() for piece, shape in zip(pieces, shapes, strict=True)]
    return [arrays[i : i + 3] for i in range(0, len(arrays), 3)]


def point_of(arch, seed=0):
    """Return a point and an input with a value, as lists of residues."""
    field = PrimeField(P)
    theta = algatt.sample(arch, Weights, field=field, seed=seed)
    return theta, algatt.sample_inputs(arch, field=field, seed=seed)[0]


def named(net: Network, theta: Weights) -> Weights:
    """Return the weights under the names that the network of layers has for them."""
    return Weights(theta.elements, tuple(algatt.coordinates(net)))


@pytest.mark.parametrize("arch", ALGEBRAIC, ids=repr)
def test_values_and_jacobians_modulo_p(arch):
    """f(theta + p e) - f(theta) is p times the derivative along e, modulo p^2."""
    theta, X = point_of(arch)
    net = algatt.expression(arch)
    assert isinstance(net, Network)
    assert net.parameters == arch.parameters
    vector, inputs, square = algatt.flatten(theta).tolist(), X.tolist(), P * P

    def flat(point):
        rows = value_by_loops(arch, cut(arch, point), inputs, lambda x: pow(x, -1, square), square)
        return [entry for row in rows for entry in row]

    start = flat(vector)
    expected = [x % P for x in start]
    columns = [[(y - x) % square // P for x, y in zip(start, flat(moved), strict=True)] for moved in shifted(vector)]
    for one, point in ((arch, theta), (net, named(net, theta))):
        assert algatt.evaluate(one, point, X).ravel().tolist() == expected
        assert algatt.jacobian(one, point, X).T.tolist() == columns


def shifted(vector):
    """Iterate over the points that differ by p in one coordinate."""
    for place in range(len(vector)):
        moved = list(vector)
        moved[place] += P
        yield moved


@pytest.mark.parametrize("arch", ALGEBRAIC, ids=repr)
def test_values_over_the_reals(arch):
    theta = algatt.sample(arch, Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(arch, field=Reals(), seed=1)[0]
    net = algatt.expression(arch)
    point = [Fraction(x) for x in algatt.flatten(theta).tolist()]
    rows = value_by_loops(arch, cut(arch, point), [[Fraction(x) for x in row] for row in X.tolist()], lambda x: 1 / x)
    expected = np.array(rows, dtype=float)
    for one, weights in ((arch, theta), (net, named(net, theta))):
        assert np.allclose(algatt.evaluate(one, weights, X), expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("arch", SOFTMAX, ids=repr)
def test_softmax_and_its_jacobian_by_a_complex_step(arch):
    """Im f(theta + i h e) / h has no cancellation, so that h may be tiny."""
    assert isinstance(arch.score, Exponential)
    theta = algatt.sample(arch, Weights, field=Reals(), seed=2)
    X = algatt.sample_inputs(arch, field=Reals(), seed=2)[0]
    net = algatt.expression(arch)

    def flat(vector):
        Y = X.astype(complex)
        shapes = algatt.verbs.shapes(arch, Weights)
        pieces = np.split(vector, np.cumsum([a * b for a, b in shapes])[:-1])
        arrays = [piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)]
        for Q, K, V in zip(arrays[::3], arrays[1::3], arrays[2::3], strict=True):
            scores = np.exp((K @ Y).T @ (Q @ Y) / float(arch.score.temperature))
            Y = V @ Y @ (scores / scores.sum(axis=0))
        return Y.ravel()

    vector, step = algatt.flatten(theta).astype(complex), 1e-30
    columns = [flat(vector + 1j * step * unit).imag / step for unit in np.eye(vector.size)]
    for one, point in ((arch, theta), (net, named(net, theta))):
        assert np.allclose(algatt.evaluate(one, point, X).ravel(), flat(vector).real, rtol=0, atol=1e-12)
        jacobian = algatt.jacobian(one, point, X)
        assert np.allclose(jacobian.T, columns, rtol=0, atol=1e-11 * max(1, np.abs(jacobian).max()))


def line(arch, seed, along):
    """Return the first entry of the value along a random line, in weights or inputs, as a function of integers."""
    theta, X = point_of(arch, seed)
    other, Y = point_of(arch, seed + 1)
    start, step = (algatt.flatten(one).tolist() for one in (theta, other))

    def value(s):
        moved = [(x + s * y) % P for x, y in zip(start, step, strict=True)] if along == "weights" else start
        pairs = zip(X.tolist(), Y.tolist(), strict=True)
        inputs = [[(x + s * y) % P for x, y in zip(*rows, strict=True)] for rows in pairs]
        inputs = inputs if along == "inputs" else X.tolist()
        return value_by_loops(arch, cut(arch, moved), inputs, lambda x: pow(x, -1, P), P)[0][0]

    return value


@pytest.mark.parametrize("arch", Lightning.examples(), ids=repr)
@pytest.mark.parametrize("along", ["weights", "inputs"])
def test_lightning_attention_has_the_degrees_of_its_recursion(arch, along):
    """A layer triples the degree in the inputs; in the weights it triples that of its input and adds three."""
    weights, inputs = 0, 1
    for _ in range(arch.layers):
        weights, inputs = 3 * weights + 3, 3 * inputs
    for one in (arch, algatt.expression(arch)):
        degree = algatt.degree(one)
        assert (degree.weights, degree.inputs) == (weights, inputs)
    value, order = line(arch, 0, along), {"weights": weights, "inputs": inputs}[along]
    row = [value(s) for s in range(order + 2)]
    leading = []
    while row:
        leading.append(row[0])
        row = [(after - before) % P for before, after in pairwise(row)]
    assert leading[order + 1] == 0
    assert leading[order] != 0


def least_degrees(values):
    """Return the least sum of degrees of N and D with N(s) = f(s) D(s) at s = 0, 1, ..., by Euclid's algorithm."""
    s = flint.nmod_poly([0, 1], P)
    modulus, interpolated = flint.nmod_poly([1], P), flint.nmod_poly([0], P)
    for point, value in enumerate(values):
        missing = (value - int(interpolated(point))) * pow(int(modulus(point)), -1, P) % P
        interpolated += missing * modulus
        modulus *= s - point
    before, after = modulus, interpolated
    cofactors = flint.nmod_poly([0], P), flint.nmod_poly([1], P)
    least = math.inf
    while after.degree() >= 0:
        least = min(least, after.degree() + cofactors[1].degree())
        quotient = before // after
        before, after = after, before - quotient * after
        cofactors = cofactors[1], cofactors[0] - quotient * cofactors[1]
    return least


@pytest.mark.parametrize("arch", [arch for arch in Normalized.examples() if arch.algebraic], ids=repr)
@pytest.mark.parametrize("along", ["weights", "inputs"])
def test_degrees_of_quotients_are_bounds(arch, along):
    """Numerator and denominator along a line, recovered from values, have no larger degrees together than is told."""
    degree = algatt.degree(arch)
    assert algatt.degree(algatt.expression(arch)) == degree
    bound = getattr(degree, along)
    value = line(arch, 0, along)
    found = least_degrees([value(s) for s in range(bound + 10)])
    assert 0 < found <= bound
