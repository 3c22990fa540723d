"""Whether a point has a function: against all inputs of small fields, over larger fields, and over the reals."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import verbs
from algatt.fields import Elements
from algatt.fields.functions import BallsOfValues, Log, Positive
from algatt.layers import LayerNorm, Linear
from written_networks import written

F = algatt.PrimeField()

FIELDS = pytest.mark.parametrize("field", [F, algatt.Reals()], ids=str)

SKEW, FULL, THIN, ZERO, ONE = [[0, 1], [-1, 0]], [[1, 2], [3, 4]], [[1, 2], [2, 4]], [[0, 0], [0, 0]], [[1, 0], [0, 1]]


SUM, ITSELF = "the sum of scores is zero", "the score of a token with itself is zero"


def point(field, *layers):
    """Attention matrices and values, negative integers taken modulo p."""
    arrays = [[np.array(matrix) for matrix in layer] for layer in layers]
    if isinstance(field, algatt.PrimeField):
        arrays = [[matrix % field.p for matrix in layer] for layer in arrays]
    return algatt.AttentionMatrix.of(arrays, field=field)


@pytest.mark.sample(5)
@FIELDS
@pytest.mark.parametrize(
    ("dims", "tokens", "score", "layers", "words"),
    [
        ((2, 2), 1, algatt.layers.Power(2), [(SKEW, ONE)], SUM),
        ((2, 2), 1, algatt.layers.Power(2), [(FULL, ONE)], None),
        ((2, 2), 2, algatt.layers.Power(2), [(SKEW, ONE)], None),
        ((2, 2), 2, algatt.layers.Power(2), [(ZERO, ZERO)], SUM),
        ((2, 2), 2, algatt.layers.Power(2), [(FULL, ZERO)], None),
        ((2, 2), 2, algatt.layers.Affine(1, 1), [(ZERO, ZERO)], None),
        ((2, 2, 2), 2, algatt.layers.Power(2), [(THIN, ONE), (ZERO, ONE)], SUM),
        ((2, 2, 2), 2, algatt.layers.Power(2), [(THIN, ONE), (SKEW, ONE)], SUM),
        ((2, 2, 2), 2, algatt.layers.Power(2), [(THIN, ONE), (FULL, ONE)], None),
        ((2, 2, 2), 2, algatt.layers.Power(2), [(FULL, ONE), (SKEW, ONE)], None),
        ((2, 2, 2), 2, algatt.layers.Affine(1, 0), [(THIN, ONE), (ZERO, ONE)], SUM),
        (
            (2, 2, 2),
            2,
            algatt.layers.Affine(1, 0),
            [(THIN, ONE), (SKEW, ONE)],
            SUM,
        ),
        ((2, 2, 2), 2, algatt.layers.Power(3), [(FULL, ZERO), (FULL, ONE)], SUM),
        ((2, 2), 2, algatt.layers.Rational((1,), (0, 1)), [(SKEW, ONE)], ITSELF),
        ((2, 2), 2, algatt.layers.Rational((1,), (0, 1)), [(FULL, ONE)], None),
    ],
)
def test_denominators_that_vanish_at_every_input(field, dims, tokens, score, layers, words):
    """By hand: with S(x) = x^k scores S(0) have no weights, and skew-symmetric matrices give S(0) for equal tokens."""
    arch = algatt.Normalized(dims, dims[:-1], tokens, score)
    theta = point(field, *layers)
    found = algatt.maps.has_function(arch, theta)
    assert (bool(found), found.status, found.error) == (words is None, "proven", None)
    virtual = algatt.convert(theta, algatt.VirtualWeights)
    assert algatt.maps.has_function(arch, virtual).exists == found.exists
    if words is None:
        assert algatt.evaluate(arch, theta, found.input).shape == (dims[-1], tokens)
        found.check("theta")
        return
    assert found.input is None
    X = algatt.sample_inputs(arch, field=field)[0]
    for question in (algatt.evaluate, algatt.jacobian):
        with pytest.raises(algatt.errors.UndefinedFunction, match=rf"theta was a point with no function: .*{words}"):
            question(arch, theta, X)
    with pytest.raises(algatt.errors.UndefinedFunction):
        algatt.parametrization(arch, algatt.VirtualWeights)(virtual)(X)


@FIELDS
def test_a_pole_at_one_input_is_a_division_by_zero(field):
    arch = algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(2))
    X = np.zeros((2, 2), dtype=int)
    for question in (algatt.evaluate, algatt.jacobian):
        with pytest.raises(algatt.errors.DivisionByZero) as refused:
            question(arch, point(field, (FULL, ONE)), X)
        assert not isinstance(refused.value, algatt.errors.UndefinedFunction)


def values_modulo(p, score, layers, X):
    """HMK Eq 15 in integers modulo p, token by token; None where a denominator vanishes."""
    tokens = list(zip(*X, strict=True))
    for A, V in layers:
        after = []
        for x in tokens:
            products = [sum(y[i] * A[i][j] * x[j] for i in range(len(y)) for j in range(len(x))) % p for y in tokens]
            scores = [score(product) for product in products]
            if None in scores or sum(scores) % p == 0:
                return None
            weights = [s * pow(sum(scores), -1, p) for s in scores]
            mean = [sum(w * y[i] for w, y in zip(weights, tokens, strict=True)) for i in range(len(x))]
            after.append([sum(v * m for v, m in zip(row, mean, strict=True)) % p for row in V])
        tokens = after
    return tokens


SCORES = {
    algatt.layers.Affine(1, 1): lambda p: lambda x: x + 1,
    algatt.layers.Affine(1, 0): lambda p: lambda x: x,
    algatt.layers.Power(2): lambda p: lambda x: x * x,
    algatt.layers.Rational((1,), (0, 1)): lambda p: lambda x: pow(x, -1, p) if x else None,
    algatt.layers.Rational((1, 1), (0, 1)): lambda p: lambda x: (1 + x) * pow(x, -1, p) if x else None,
    algatt.layers.Rational((0, 0, 1), (1, 1)): lambda p: lambda x: x * x * pow(1 + x, -1, p) if (1 + x) % p else None,
}


def matrices(p, height, width):
    """All of them."""
    entries = itertools.product(range(p), repeat=height * width)
    return [[list(row[k * width : (k + 1) * width]) for k in range(height)] for row in entries]


@pytest.mark.sample(5)
@pytest.mark.parametrize("score", SCORES, ids=repr)
@pytest.mark.parametrize(
    ("p", "dims", "tokens"),
    [(3, (2, 1), 1), (3, (2, 1), 2), (3, (1, 1, 1), 3), (5, (1, 1, 1), 2), (2, (1, 1, 1), 3)],
)
def test_no_point_without_a_function_has_a_value_at_any_input(p, dims, tokens, score):
    """All points of small networks at all inputs over a small field; for one layer the page names those without."""
    arch = algatt.Normalized(dims, dims[:-1], tokens, score)
    inputs = matrices(p, dims[0], tokens)
    V = [[1] * dims[-2]]
    for matrices_of_layers in itertools.product(matrices(p, dims[0], dims[0]), repeat=arch.layers):
        layers = [(A, V) for A in matrices_of_layers]
        found = algatt.maps.has_function(arch, point(algatt.PrimeField(p), *layers))
        value = any(values_modulo(p, SCORES[score](p), layers, X) is not None for X in inputs)
        assert found.exists or not value
        assert found.status == "proven"
        if arch.layers == 1:
            assert found.exists == one_layer_has_function(p, score, layers[0][0], tokens)


def one_layer_has_function(p, score, A, tokens):
    """The proposition of the page on points without a function, for a score that is not constant."""
    at_zero = SCORES[score](p)(0)
    zero = not any(map(any, A))
    alternating = all((A[i][j] + A[j][i]) % p == 0 and A[i][i] == 0 for i in range(len(A)) for j in range(len(A)))
    if alternating and at_zero is None:
        return False
    return not ((zero or (alternating and tokens == 1)) and tokens * at_zero % p == 0)


def test_values_over_extension_fields_count():
    """For S(x) = x^3 - x and one token the weight is S / S = 1, but S vanishes at all elements of GF(3)."""
    arch = algatt.Normalized((1, 1), (1,), 1, algatt.layers.Rational((0, -1, 0, 1)))
    theta = point(algatt.PrimeField(3), ([[1]], [[2]]))
    found = algatt.maps.has_function(arch, theta)
    assert (found.exists, found.status, found.input) == (True, "proven", None)
    assert "GF(3^" in found.reason
    answer = algatt.same_function(arch, theta, point(algatt.PrimeField(3), ([[2]], [[2]])))
    assert (answer.equal, answer.status) == (True, "proven")  # the function is X -> 2 X
    for X in ([[0]], [[1]], [[2]]):
        with pytest.raises(algatt.errors.DivisionByZero) as refused:
            algatt.evaluate(arch, theta, X)
        assert not isinstance(refused.value, algatt.errors.UndefinedFunction)


@dataclass(frozen=True)
class Plain(algatt.layers.Score):
    """S(x) = x^2, which does not say that it is homogeneous."""


@dataclass(frozen=True)
class Cancelled(algatt.layers.Score):
    """S(x) = x / x - 1, which is zero."""


@dataclass(frozen=True)
class Growth(algatt.layers.Score):
    """S(x) = e^x - 1, which is no quotient of polynomials, and vanishes at 0."""

    algebraic = False


@verbs.activate.method
def values_of_square(score: Plain, products: Elements) -> Elements:
    return products * products


@dataclass(frozen=True)
class Half(algatt.layers.Score):
    """S(x) = x^2 / 2 with a constant that is no integer."""


@verbs.activate.method
def values_of_half(score: Half, products: Elements) -> Elements:
    return products * products * 0.5


@verbs.activate.method
def values_of_cancelled(score: Cancelled, products: Elements) -> Elements:
    return products / products - 1


@verbs.activate.method
def values_of_growth(score: Growth, products: Elements) -> Elements:
    return products.exp() - 1


@FIELDS
def test_scores_need_not_say_that_they_are_homogeneous(field):
    """Behind a layer of rank one S(x) = x^2 makes tokens equal, which the score does not say; then M_2 gives zeros."""
    theta = point(field, (THIN, ONE), (SKEW, ONE))
    arch = algatt.Normalized((2, 2, 2), (2, 2), 2, Plain())
    found = algatt.maps.has_function(arch, theta)
    assert (found.exists, found.status, found.error) == (False, "proven", None)
    with pytest.raises(algatt.errors.UndefinedFunction, match=r"theta2 was a point with no function: .*zero"):
        found.check("theta2")
    assert algatt.maps.has_function(arch, point(field, (FULL, ONE), (SKEW, ONE))).status == "proven"


def reciprocals(field):
    """With S(x) = x / x - 1 the sums are zero, but for a reason that no rule of virtual forms knows."""
    arch = algatt.Normalized((2, 2), (2,), 2, Cancelled())
    return arch, point(field, (FULL, ONE))


@FIELDS
def test_where_nothing_is_proven_absence_is_probable(field):
    found = algatt.maps.has_function(*reciprocals(field))
    assert (found.exists, found.status) == (False, "probable")
    assert 0 < found.error <= 1e-9


def test_the_error_of_a_probable_answer_is_asked_for():
    arch, theta = reciprocals(F)
    assert algatt.maps.has_function(arch, theta, error=1e-40).error <= 1e-40
    for error in (0, 1, True, "small"):
        with pytest.raises(algatt.errors.InvalidArgument, match="error was"):
            algatt.maps.has_function(arch, theta, error=error)


def test_scores_that_are_no_quotients_of_polynomials():
    real = algatt.Reals()
    arch = algatt.Normalized((2, 2), (2,), 2, Growth())
    found = algatt.maps.has_function(arch, point(real, (ZERO, ONE)))
    assert (found.exists, found.status) == (False, "proven")
    found = algatt.maps.has_function(arch, point(real, (FULL, ONE)))
    assert (found.exists, found.status) == (True, "proven")
    found = algatt.maps.has_function(algatt.Softmax((2, 2), (2,), 2), point(real, (ZERO, ONE)))
    assert (found.exists, found.status) == (True, "proven")
    with pytest.raises(algatt.errors.InvalidArgument, match=r"theta was over GF\(8388593\), where the network has no"):
        algatt.maps.has_function(arch, point(F, (FULL, ONE)))


def test_scores_with_constants_that_are_no_integers():
    """They are evaluated over the reals as ever, and are asked for their function over balls and the
    rational numbers.
    """
    arch = algatt.Normalized((2, 2), (2,), 2, Half())
    theta = point(algatt.Reals(), (FULL, ONE))
    assert algatt.evaluate(arch, theta, ONE).shape == (2, 2)
    assert algatt.maps.has_function(arch, theta).status == "proven"
    found = algatt.maps.has_function(arch, point(algatt.Reals(), (ZERO, ONE)))
    assert (found.exists, found.status) == (False, "proven")


@given(
    st.integers(0, 10**6),
    st.sampled_from([algatt.layers.Power(3), algatt.layers.Rational((1,), (0, 1)), algatt.layers.Affine(1, 1)]),
)
def test_over_the_reals_the_input_has_a_value_in_fractions(seed, score):
    """The input that is named has a value in exact arithmetic, for the floats as they are."""
    arch = algatt.Normalized((2, 2, 1), (2, 2), 2, score)
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Reals(), seed=seed)
    found = algatt.maps.has_function(arch, theta)
    assert (found.exists, found.status) == (True, "proven")
    tokens = [[Fraction(x) for x in column] for column in found.input.T.tolist()]
    for A, V in theta.layers:
        A, V = ([[Fraction(x) for x in row] for row in matrix.tolist()] for matrix in (A, V))
        after = []
        for x in tokens:
            products = [sum(y[i] * A[i][j] * x[j] for i in range(2) for j in range(2)) for y in tokens]
            scores = {algatt.layers.Power(3): lambda s: s**3, algatt.layers.Affine(1, 1): lambda s: s + 1}.get(
                score, lambda s: 1 / s
            )
            scored = list(map(scores, products))
            mean = [sum(s * y[i] for s, y in zip(scored, tokens, strict=True)) / sum(scored) for i in range(2)]
            after.append([sum(v * m for v, m in zip(row, mean, strict=True)) for row in V])
        tokens = after


def test_polynomials_have_values_everywhere():
    arch = algatt.Lightning((2, 2), (2,), 2)
    for field in (algatt.PrimeField(2), algatt.Reals(), algatt.Balls()):
        found = algatt.maps.has_function(arch, algatt.sample(arch, algatt.Weights, field=field))
        assert (found.exists, found.status) == (True, "proven")
    with pytest.raises(algatt.errors.InvalidArgument, match="theta was"):
        algatt.maps.has_function(arch, algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights))


def test_over_balls_nothing_is_excluded():
    arch = algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(2))
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Balls())
    assert algatt.maps.has_function(arch, theta).status == "proven"
    zero = theta.replace([element * 0 for element in theta.elements])
    assert algatt.maps.has_function(arch, zero).status == "undecided"
    with pytest.raises(algatt.errors.DivisionByZero, match="not told from zero"):
        algatt.evaluate(arch, zero, algatt.sample_inputs(arch, field=algatt.Balls()))


def test_gates_that_are_not_told_from_zero_enclose_both_of_their_values():
    field = BallsOfValues(64)
    gates = Elements(field, np.array([flint.arb(0, 1), flint.arb(2, 1), flint.arb(-2, 1)])).entrywise(Positive())
    assert all(number in gates.raw[0] for number in (0, 1))
    assert list(gates.raw[1:]) == [1, 0]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda w, X: 1 / ((w.a @ X) / (w.a @ X + 0) - 1), "reciprocal (%7) of reciprocal (%3), a"),
        (lambda w, X: (-1 - (w.a @ X) * (w.a @ X)).sqrt(), "sqrt (%7) of a"),
        (lambda w, X: (-((w.a @ X).exp())).entrywise(Log()), "log (%5) of exp (%3)"),
    ],
    ids=["x/x - 1", "sqrt(-1 - x^2)", "log(-exp(x))"],
)
def test_the_operation_without_a_value_is_named(function, said):
    """Nothing here has a value at any input, for reasons that no rule knows."""
    net = written({"a": (1, 2)}, function, width=2)
    for field in (algatt.Reals(), algatt.Balls()):
        found = algatt.maps.has_function(net, algatt.Weights.of({"a": np.array([[1.0, 2.0]])}, field=field))
        assert not found
        assert found.status in ("probable", "undecided")
        assert found.reason.endswith(f"; limited by {said}")


def test_no_rounded_zero_is_a_proof_of_a_value():
    """Rows that are equal have the mean of each of them, from which they differ by rounding alone."""
    for width, status in ((30, "proven"), (400, "numerical")):
        net = algatt.Network(Linear(width) >> LayerNorm(0, gain=False, bias=False) >> Linear(2), tokens=2, width=width)
        theta = algatt.sample(net, algatt.Weights, field=algatt.Reals())
        tensors = {name: array.raw for name, array in theta.tensors.items()}
        equal = tensors | {"linear_1.W": np.tile(tensors["linear_1.W"][:1], (width, 1))}
        found = algatt.maps.has_function(net, algatt.Weights.of(equal))
        assert found.status == status
        assert found.status != "proven" or not found.exists
        assert algatt.maps.has_function(net, theta).status == "proven"
