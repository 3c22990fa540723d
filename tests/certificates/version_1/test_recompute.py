"""What the verifier computes, against the package, against finite differences, and against formulas by hand."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest

import algatt
from algatt.certificates.version_1 import recompute
from algatt.geometry.dimensions.real_point import ball_inputs, ball_weights

PRIMES = (31, 8388593, 2305843009213693951)

ARCHITECTURES: list[Any] = [
    algatt.Lightning((4, 3, 2), (2, 3), 3),
    *algatt.Normalized.examples(),
    algatt.Normalized((2, 3, 4), (2, 2), 2, algatt.layers.Power(1)),
    algatt.Normalized((2, 3, 4), (2, 2), 2, algatt.layers.Rational((3, 0, 1, 2), (1, 1, 2))),
    algatt.Normalized((2, 4, 1, 3), (1, 3, 2), 3, algatt.layers.Rational((0, 0, 1), (0, 1))),
    algatt.Softmax((3, 4, 2, 3), (2, 1, 3), 2, 3),
]

ALGEBRAIC = [arch for arch in ARCHITECTURES if arch.algebraic]

UNSEEN = [
    algatt.Normalized(dims, ranks, tokens, score)
    for dims, ranks in [
        ((3, 3, 3), (1, 2)),
        ((1, 3, 4), (2, 3)),
        ((4, 1, 3), (2, 2)),
        ((2, 4, 3), (2, 2)),
        ((4, 4, 1), (1, 1)),
        ((3, 2), (3,)),
    ]
    for tokens in (1, 2)
    for score in (algatt.layers.Power(2), algatt.layers.Affine(1, 1))
]
"""Networks with unseen scores, or unreached or unread directions, if the score is homogeneous or there is one token."""


def network_of(arch: Any) -> recompute.Network:
    score = recompute.score_of(arch.score.description()) if isinstance(arch, algatt.Normalized) else None
    return recompute.Network(list(arch.dims), list(arch.ranks), arch.tokens, score)


@pytest.mark.parametrize("arch", ALGEBRAIC, ids=str)
@pytest.mark.parametrize("p", PRIMES)
def test_values_and_gradients_modulo_a_prime_are_those_of_the_package(arch: Any, p: int) -> None:
    """Or both say that a denominator vanishes, which it does often modulo 31."""
    field = algatt.PrimeField(p)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=3)
    where = recompute.modular_point(network_of(arch), p, 3)
    for k in range(6):
        inputs = algatt.sample_inputs(arch, field=field, seed=3, start=k)
        try:
            passed = recompute.traces(where, k)
            value = recompute.integers(recompute.value(where, k))
        except ZeroDivisionError:
            with pytest.raises(algatt.errors.DivisionByZero):
                algatt.evaluate(arch, theta, inputs)
            continue
        assert value == [int(entry) for entry in algatt.evaluate(arch, theta, inputs).ravel()]
        expected = algatt.jacobian(arch, theta, inputs)
        for output in range(len(expected)):
            assert [int(entry) for entry in recompute.gradient(where, passed, output)] == [
                int(entry) for entry in expected[output]
            ]


def floats(matrix: Any) -> np.ndarray:
    return np.array([float(entry) for entry in matrix.entries()]).reshape(matrix.nrows(), matrix.ncols())


def score_in_floats(score: Any, x: np.ndarray) -> np.ndarray:
    match score:
        case algatt.layers.Exponential():
            return np.exp(x / float(score.temperature))
        case algatt.layers.Affine():
            return score.a * x + score.b
        case algatt.layers.Power():
            return x**score.k
    return np.polyval(score.numerator[::-1], x) / np.polyval(score.denominator[::-1], x)


def network_in_floats(arch: Any, weights: list[np.ndarray], X: np.ndarray) -> np.ndarray:
    """The definition, token by token (HMK Eq 2 and Eq 15)."""
    for Q, K, V in zip(weights[::3], weights[1::3], weights[2::3], strict=True):
        A = K.T @ Q
        columns = []
        for x in X.T:
            scores = np.array([y @ A @ x for y in X.T])
            if isinstance(arch, algatt.Normalized):
                scores = score_in_floats(arch.score, scores)
                scores = scores / scores.sum()
            columns.append(sum(s * (V @ y) for s, y in zip(scores, X.T, strict=True)))
        X = np.array(columns).T
    return X


@pytest.mark.parametrize("arch", ARCHITECTURES, ids=str)
def test_gradients_at_a_real_point_against_finite_differences(arch: Any) -> None:
    """Written with numpy alone, from the definitions in the paper; the steps are taken by extrapolation of two central
    differences.
    """
    where = recompute.real_point(network_of(arch), 128, 5)
    weights = [floats(matrix) for layer in where.layers for matrix in layer]
    shapes, ends = [w.shape for w in weights], np.cumsum([w.size for w in weights])[:-1]
    flat = np.concatenate([w.ravel() for w in weights])
    X = floats(where.input(2))

    def value(vector: np.ndarray) -> np.ndarray:
        pieces = [piece.reshape(shape) for piece, shape in zip(np.split(vector, ends), shapes, strict=True)]
        return network_in_floats(arch, pieces, X).ravel()

    def central(step: float) -> np.ndarray:
        return np.array(
            [(value(flat + step * unit) - value(flat - step * unit)) / (2 * step) for unit in np.eye(len(flat))]
        ).T

    expected = (4 * central(1e-4) - central(2e-4)) / 3
    passed = where.compute(recompute.traces, where, 2)
    gradients = [where.compute(recompute.gradient, where, passed, output) for output in range(len(expected))]
    found = np.array([list(map(float, gradient)) for gradient in gradients])
    np.testing.assert_allclose(floats(where.compute(recompute.value, where, 2)).ravel(), value(flat), rtol=1e-9)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * np.abs(found).max())


def test_one_layer_of_softmax_by_hand() -> None:
    """Two tokens x, y of width one: value i is v (x w + y (1 - w)), w = sigmoid(q k x_i (x - y) / temperature)."""
    where = recompute.real_point(
        recompute.Network([1, 1], [1], 2, recompute.score_of({"name": "Exponential", "temperature": "3/2"})), 100, 0
    )
    q, k, v = (float(matrix[0, 0]) for matrix in where.layers[0])
    x, y = (float(where.input(0)[0, i]) for i in range(2))
    passed = where.compute(recompute.traces, where, 0)
    gradients = [where.compute(recompute.gradient, where, passed, output) for output in range(2)]
    for own, gradient in zip((x, y), gradients, strict=True):
        w = 1 / (1 + math.exp(-q * k * own * (x - y) / 1.5))
        by_score = v * (x - y) * w * (1 - w)
        expected = [by_score * k * own * (x - y) / 1.5, by_score * q * own * (x - y) / 1.5, x * w + y * (1 - w)]
        assert [float(entry) for entry in gradient] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("arch", [*ARCHITECTURES, *[algatt.Lightning((d, 1), (1,), 1) for d in range(1, 140)]], ids=str)
def test_the_real_points_are_those_of_the_package(arch: Any) -> None:
    """Exactly: all coordinates are dyadic. The widths include all kinds of roots: 2, 8, 32 and 128 are half-way between
    powers of four.
    """
    where = recompute.real_point(network_of(arch), 64, 7)
    field = algatt.Balls(64)
    expected = [entry for element in ball_weights(arch, field, 7).elements for entry in element.raw.ravel()]
    found = [entry for layer in where.layers for matrix in layer for entry in matrix.entries()]
    assert all(entry.is_exact() for entry in found)
    assert all(a == b for a, b in zip(found, expected, strict=True))
    inputs = ball_inputs(arch, field, 7, 11, 1).raw.ravel()
    assert all(a == b for a, b in zip(where.input(11).entries(), inputs, strict=True))


@pytest.mark.parametrize(
    ("d", "exponent"),
    [(1, 0), (2, 0), (3, 1), (4, 1), (7, 1), (8, 2), (9, 2), (16, 2), (31, 2), (32, 2), (33, 3), (127, 3), (128, 4)],
)
def test_the_rounded_logarithm_of_the_root(d: int, exponent: int) -> None:
    assert recompute.root_exponent(d) == exponent


def test_real_numbers_by_hand() -> None:
    """The formula of the certificate, in fractions: the first word of the stream gives the first entry of Q_1, which
    has three columns.
    """
    word = int.from_bytes(hashlib.shake_256(b"algatt/1/9/weights").digest(8), "little")
    expected = Fraction(2 * (word // 2**40) + 1 - 2**24, 2**23) / 2
    entry = recompute.real_point(recompute.Network([3, 1], [1], 1), 53, 9).layers[0][0][0, 0]
    assert entry == flint.arb(flint.fmpq(expected.numerator, expected.denominator))


@pytest.mark.parametrize("arch", [*ALGEBRAIC[1:], *UNSEEN], ids=str)
def test_the_tangents_are_those_of_the_package_at_every_point_modulo_every_prime(arch: Any) -> None:
    families = algatt.symmetries(arch)
    network = network_of(arch)
    assert [family.name for family in families] == recompute.families_of(network)
    for p in (2, 3, *PRIMES):
        for seed in range(3):
            theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
            where = recompute.modular_point(network, p, seed)
            for family in families:
                expected = family.tangents(theta)
                count = len(list(recompute.tangent_rows(where, [family.name])))
                assert count == len(expected)
                found = recompute.tangent_minor(where, [family.name], list(range(count)), list(range(arch.parameters)))
                assert recompute.integers(found) == [int(entry) for entry in expected.ravel()]


@pytest.mark.parametrize("arch", UNSEEN, ids=str)
def test_the_gradients_vanish_along_the_tangents(arch: Any) -> None:
    """Both by the verifier's own code, at a point modulo a large prime."""
    network = network_of(arch)
    where = recompute.modular_point(network, PRIMES[-1], 1)
    names = recompute.families_of(network)
    count = len(list(recompute.tangent_rows(where, names)))
    everything = list(range(arch.parameters))
    tangents = recompute.tangent_minor(where, names, list(range(count)), everything)
    jacobian = recompute.jacobian_minor(where, list(range(2 * network.outputs)), everything)
    assert not any(recompute.integers(jacobian * tangents.transpose()))


def exact(score: Any, x: Fraction) -> Fraction:
    """The score, from its definition."""
    match score:
        case algatt.layers.Affine():
            return score.a * x + score.b
        case algatt.layers.Power():
            return x**score.k
    n, m = (
        sum((c * x**i for i, c in enumerate(coefficients)), Fraction(0))
        for coefficients in (score.numerator, score.denominator)
    )
    return Fraction(n) / m


@pytest.mark.parametrize(
    "score", [algatt.layers.Affine(-2, 3), algatt.layers.Power(3), algatt.layers.Rational((1, 2), (2, 1, 5))], ids=str
)
def test_balls_contain_the_exact_values(score: Any) -> None:
    """An algebraic score has rational values at a dyadic point: computed with fractions, and their derivatives by
    secants.
    """
    mine = recompute.score_of(score.description())
    x = Fraction(12345677, 2**23)
    with flint.ctx.workprec(200):
        value, derivative = mine.at(flint.arb((12345677, -23)))
        expected = exact(score, x)
        assert flint.fmpq(expected.numerator, expected.denominator) in value
        step = Fraction(1, 2**60)
        secant = (exact(score, x + step) - exact(score, x - step)) / (2 * step)
        assert float(derivative) == pytest.approx(float(secant), rel=1e-12)
