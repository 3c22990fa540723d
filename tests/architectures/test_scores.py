"""Scores, against their formulas in fractions and in math.exp."""

import math
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import Balls, PrimeField, Reals, verbs
from algatt.fields import Elements
from algatt.layers import Affine, Exponential, Power, Rational, Score

ALGEBRAIC = {
    Affine(2, -3): lambda x: 2 * x - 3,
    Power(1): lambda x: x,
    Power(6): lambda x: x**6,
    Rational((1,), (2, 1)): lambda x: 1 / (2 + x),
    Rational((1, 2, 3), (5, 0, 1)): lambda x: (1 + 2 * x + 3 * x * x) / (5 + x * x),
    Rational((0, 0, 4)): lambda x: 4 * x * x,
}
P = 8388593


def weights_by_definition(function, scores):
    """HMK Eq 15, in fractions: rows are keys."""
    values = [[function(x) for x in row] for row in scores]
    sums = [sum(column) for column in zip(*values, strict=True)]
    return [[value / total for value, total in zip(row, sums, strict=True)] for row in values]


@pytest.mark.parametrize("score", ALGEBRAIC, ids=repr)
@settings(max_examples=10)
@given(entries=st.lists(st.integers(1, 40), min_size=6, max_size=6))
def test_algebraic_scores_are_their_formulas_in_every_field(score, entries):
    rows = [[Fraction(x) for x in entries[:3]], [Fraction(x) for x in entries[3:]]]
    array = np.array(entries).reshape(2, 3)
    function = ALGEBRAIC[score]
    values = [[function(x) for x in row] for row in rows]
    residues = [[x.numerator * pow(x.denominator, -1, P) % P for x in row] for row in values]
    assert verbs.activate(score, Elements.of(PrimeField(), array)).raw.tolist() == residues
    assert np.allclose(
        verbs.activate(score, Elements.of(Reals(), array)).raw, np.array(values, dtype=float), rtol=1e-13
    )
    balls = verbs.activate(score, Elements.of(Balls(), array)).raw
    with flint.ctx.workprec(4000):  # in which the fractions themselves are much narrower than the balls
        true = [flint.fmpq(x.numerator, x.denominator) for row in values for x in row]
        assert all(ball.contains(x) for ball, x in zip(balls.flat, true, strict=True))
    if all(map(sum, zip(*values, strict=True))):
        weights = weights_by_definition(function, rows)
        residues = [[x.numerator * pow(x.denominator, -1, P) % P for x in row] for row in weights]
        assert verbs.attention_weights(score, Elements.of(PrimeField(), array)).raw.tolist() == residues


@pytest.mark.parametrize("temperature", [1, 2, 0.5, Fraction(1, 3), 0.1])
def test_softmax_is_the_exponential_normalised(temperature):
    rows = [[0.5, -3.0, 40.0], [1.5, 2.0, 39.0]]
    expected = np.array(weights_by_definition(lambda x: math.exp(x / temperature), rows))
    score = Exponential(temperature)
    assert np.allclose(verbs.attention_weights(score, Elements.of(Reals(), rows)).raw, expected, rtol=1e-12)
    balls = verbs.attention_weights(score, Elements.of(Balls(), rows)).raw
    assert np.allclose([[float(ball) for ball in row] for row in balls], expected, rtol=1e-12)


def test_softmax_does_not_overflow_where_its_weights_do_not():
    rows = np.array([[1e6, -1e308], [1e6 - 1, 0.0]])
    weights = verbs.attention_weights(Exponential(), Elements.of(Reals(), rows)).raw
    assert np.allclose(weights, [[1 / (1 + math.exp(-1)), 0], [1 / (1 + math.exp(1)), 1]], rtol=1e-12)


def test_columns_add_up_to_one():
    field = PrimeField()
    products = Elements(field, verbs.draw_array(field, shape=(4, 5, 3), seed=0, label="products"))
    for score in (*ALGEBRAIC, Affine(1, 1)):
        weights = verbs.attention_weights(score, products)
        assert (np.ones((1, 5), dtype=np.int64) @ weights).raw.ravel().tolist() == [1.0] * 12


def test_poles_and_vanishing_sums_are_told():
    with pytest.raises(algatt.errors.DivisionByZero, match=r"zero in GF\(8388593\)"):
        verbs.activate(Rational((1,), (2, 1)), Elements.of(PrimeField(), [[P - 2]]))
    with pytest.raises(algatt.errors.DivisionByZero, match="a denominator is zero"):
        verbs.attention_weights(Affine(1, 0), Elements.of(Reals(), [[1.0], [-1.0]]))


def test_scores_that_overflow_are_told_with_the_remedy():
    arch = algatt.Normalized((2, 2), (1,), 2, Power(3))
    theta = algatt.Weights.of([(np.full((1, 2), 1e80), np.full((1, 2), 1e80), np.eye(2))])
    with pytest.raises(algatt.errors.ScoreOverflow, match="make the weights or the inputs smaller"):
        algatt.evaluate(arch, theta, np.ones((2, 2)))


def test_prime_fields_have_no_exponential():
    with pytest.raises(algatt.errors.MethodError, match="no method fits entrywise") as caught:
        verbs.activate(Exponential(), Elements.of(PrimeField(), [[1]]))
    assert caught.value.__notes__ == [
        "exponentials, roots and gates have values over the reals: algatt.sample(arch, algatt.Weights, "
        "field=algatt.Reals()) draws such weights"
    ]


@pytest.mark.parametrize(
    ("score", "homogeneous", "sensitive"),
    [
        (Affine(1, 1), False, True),
        (Affine(-2, 0), True, False),
        (Power(4), True, False),
        (Rational((1,), (2, 1)), False, True),
        (Rational((0, 1), (0, 0, 5)), True, False),  # 1 / (5 x)
        (Rational((0, 1, 1), (1, 1)), True, False),  # x
        (Rational((1, 3, 2), (2, 4)), False, True),  # (1 + x) / 2
        (Rational((1, 0, 1)), False, False),  # even: S'(0) = 0
        (Rational((1, 2), (2, 4, 1)), False, False),  # S'(0) = (2 * 2 - 1 * 4) / 4 = 0
        (Rational((1,), (0, 1)), True, False),  # a pole at 0
    ],
)
def test_what_scores_say_of_themselves(score, homogeneous, sensitive):
    assert (score.homogeneous, score.sensitive, score.algebraic) == (homogeneous, sensitive, True)


def test_the_exponential_is_sensitive_and_not_algebraic():
    assert (Exponential().homogeneous, Exponential().sensitive, Exponential().algebraic) == (False, True, False)


@pytest.mark.parametrize("temperature", [np.int64(2), np.float32(0.5), np.float64(0.1)])
def test_a_temperature_may_be_a_number_of_numpy(temperature):
    score = Exponential(temperature)
    assert score == Exponential(temperature.item())
    assert (
        algatt.dimension(algatt.Normalized((2, 2), (2,), 2, score)).value == 8
    )  # HMK Theorem 3.9: 12 parameters less 2^2 of the key-query gauge


@pytest.mark.parametrize("temperature", [0, -1, -0.5, math.inf, math.nan, "1", None, True, 1j])
def test_temperatures_are_positive(temperature):
    with pytest.raises(algatt.errors.InvalidArgument, match=r"temperature was .*; it should be a positive number"):
        Exponential(temperature)


def test_equal_temperatures_are_equal_scores():
    assert Exponential(0.5) == Exponential(Fraction(1, 2)) == Exponential(np.float64(0.5))
    assert hash(Exponential(2)) == hash(Exponential(2.0))
    assert Exponential(np.longdouble(0.5)) == Exponential(0.5)
    assert repr(Exponential(0.5)) == "Exponential(temperature=1/2)"


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: Affine(0, 1), "a"),
        (lambda: Affine(1.5, 1), "a"),
        (lambda: Affine(1, None), "b"),
        (lambda: Power(0), "k"),
        (lambda: Power(2.0), "k"),
        (lambda: Rational(()), "numerator"),
        (lambda: Rational((1, 0)), "numerator"),
        (lambda: Rational("12"), "numerator"),
        (lambda: Rational((1,), (0,)), "denominator"),
        (lambda: Rational((2, 4), (1, 2)), "numerator"),
        (lambda: Rational((5,)), "numerator"),
        (lambda: Rational((0.5, 1)), r"numerator\[0\]"),
    ],
)
def test_bad_coefficients_are_named(make, argument):
    with pytest.raises(algatt.errors.InvalidArgument, match=f"^{argument} was"):
        make()


@pytest.mark.parametrize(
    ("given", "reduced"),
    [
        (((0, 1, 1), (1, 1)), ((0, 1), (1,))),
        (((-1, 0, 1), (-1, 1)), ((1, 1), (1,))),
        (((2,), (4, 2)), ((1,), (2, 1))),
        (((-2, 1), (4, 0, -1)), ((-1,), (2, 1))),
        (((1, 1), (2, 3)), ((1, 1), (2, 3))),
    ],
)
def test_quotients_are_kept_in_lowest_terms(given, reduced):
    score = Rational(*given)
    (n, m), (u, v) = (map(np.polynomial.Polynomial, pair) for pair in (given, (score.numerator, score.denominator)))
    assert n * v == m * u
    assert (score.numerator, score.denominator) in (reduced, tuple(tuple(-entry for entry in part) for part in reduced))
    assert all(type(entry) is int for entry in score.numerator + score.denominator)


def test_a_quotient_that_is_x_has_the_dimension_of_x():
    """Eq 16 is 14 for one layer of width 3 and rank 2 with 2 values; the rescaling of x takes one."""
    report = algatt.dimension(algatt.Normalized((3, 2), (2,), 2, Rational((0, 1, 1), (1, 1))))
    assert (report.value, report.status, report.conjecture) == (13, "proven", 13)


@dataclass(frozen=True)
class SmoothRectifier(Score):
    """A score of one's own: 1 + e^x, which is not algebraic."""

    algebraic = False


@verbs.activate.method
def values_of_smooth_rectifier(score: SmoothRectifier, products: Elements) -> Elements:
    return products.exp() + 1


def test_a_score_of_ones_own_gets_its_dimension_proven():
    arch = algatt.Normalized((3, 2, 3), (1, 1), 2, SmoothRectifier())
    report = algatt.dimension(arch)
    # Counted by hand: 2 (3 + 3) - ... in coordinates: A_1 has 1 (2 * 3 - 1) = 5, A_2 on width 2 has 3, V_1 and V_2 have
    # 6 each, less GL(2): 16.
    assert (report.value, report.status) == (16, "proven")


@dataclass(frozen=True)
class Doubled(Score):
    """A score of one's own, 2 x, that does not say that it is homogeneous."""


@verbs.activate.method
def values_of_doubled(score: Doubled, products: Elements) -> Elements:
    return products * 2


def test_the_rescaling_of_a_score_of_ones_own_is_read_off_its_code():
    report = algatt.dimension(algatt.Normalized((3, 2), (2,), 2, Doubled()))
    # Eq 16 for one layer is 14, and the rescaling takes one.
    assert (report.value, report.status) == (13, "proven")
    assert [(one.name, one.removes) for one in report.symmetries] == [("key-query", 4), ("score rescaling", 1)]


@dataclass(frozen=True)
class Roundabout(Score):
    """A score of one's own, x^2 in a form in which it does not look homogeneous; its degree is read off its code."""


@verbs.activate.method
def values_of_roundabout(score: Roundabout, products: Elements) -> Elements:
    return (products + 1) * (products + 1) - products * 2 - 1


def test_the_degree_of_a_score_of_ones_own_bounds_the_probability_of_a_miss():
    arch = algatt.Normalized((3, 2), (2,), 2, Roundabout())
    report = algatt.dimension(arch)
    # Eq 16 for one layer is 14, and a rescaling is not seen.
    assert (report.value, report.upper, report.status) == (13, 14, "probable")
    assert report.error < 1e-12
    kernel = algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights))
    assert (kernel.dimension, kernel.status) == (1, "probable")
    assert kernel.error < 1e-3
    theta, other = (algatt.sample(arch, algatt.AttentionMatrix, seed=seed) for seed in (0, 1))
    assert not algatt.same_function(arch, theta, other).equal
