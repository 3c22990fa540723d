"""HMK Theorem 3.9 for scores that declare that they are injective and positive: what rests on it, and what does not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Elements
from algatt.geometry.fibres.injective_scores import check_injective_and_positive

R = algatt.Reals()
CITED = "HMK Theorem 3.9, the score being injective and positive as it declares"


@dataclass(frozen=True)
class Cubed(algatt.layers.Score):
    """exp(x^3): injective and positive, with S'(0) = 0."""

    algebraic = False
    injective_and_positive = True


@dataclass(frozen=True)
class Silent(Cubed):
    """The same score, which declares nothing."""

    injective_and_positive = False


@verbs.activate.method
def values_of_cubed(score: Cubed, products: Elements) -> Elements:
    return (products * products * products).exp()


@dataclass(frozen=True)
class Falling(algatt.layers.Score):
    """1 / (1 + exp(x)): it falls."""

    algebraic = False
    injective_and_positive = True


@verbs.activate.method
def values_of_falling(score: Falling, products: Elements) -> Elements:
    return (products.exp() + 1).reciprocal()


@dataclass(frozen=True)
class Even(algatt.layers.Score):
    """exp(x^2), with a false declaration."""

    algebraic = False
    injective_and_positive = True


@verbs.activate.method
def values_of_even(score: Even, products: Elements) -> Elements:
    return (products * products).exp()


@dataclass(frozen=True)
class Identity(algatt.layers.Score):
    """x, with a false declaration: it is injective, but not positive."""

    injective_and_positive = True


@verbs.activate.method
def values_of_identity(score: Identity, products: Elements) -> Elements:
    return products


@dataclass(frozen=True)
class Constant(algatt.layers.Score):
    """1, with a false declaration."""

    injective_and_positive = True


@verbs.activate.method
def values_of_constant(score: Constant, products: Elements) -> Elements:
    return products * 0 + 1


def layer(score, dims=(3, 2), ranks=(2,), tokens=2):
    return algatt.Normalized(dims, ranks, tokens, score)


@pytest.mark.parametrize("score", [Cubed(), Falling()], ids=repr)
@pytest.mark.parametrize("coordinates", [algatt.AttentionMatrix, algatt.VirtualWeights, algatt.Weights])
def test_the_fibre_is_a_point(score, coordinates):
    arch = layer(score)
    theta = algatt.sample(arch, coordinates, field=R)
    fiber = algatt.fiber(arch, theta)
    assert (fiber.theorem, fiber.status, fiber.failing_hypotheses) == (CITED, "numerical", ())
    if coordinates is algatt.Weights:
        assert (fiber.case, fiber.dimension) == ("one orbit of the gauges", 2**2)
    else:
        assert (fiber.case, fiber.dimension, fiber.projective_cardinality) == ("a single point", 0, 1)
    assert fiber.contains(fiber.sample(seed=1))


def test_the_fibre_of_the_zero_function_and_of_one_token():
    arch = layer(Cubed())
    ((A, V),) = algatt.sample(arch, algatt.AttentionMatrix, field=R).layers
    fiber = algatt.fiber(arch, algatt.AttentionMatrix.of([(A, 0 * V)]))
    assert (fiber.case, fiber.theorem, fiber.dimension) == ("V = 0: the attention matrix is not seen", CITED, 8)
    assert fiber.contains(fiber.sample(seed=1))
    short = algatt.fiber(layer(Falling(), tokens=1), algatt.AttentionMatrix.of([(A, V)]))
    assert short.case == "one token: the attention matrix is not seen"


@pytest.mark.parametrize(("dims", "rank", "expected"), [((3, 2), 2, 8 + 6), ((2, 1), 1, 3 + 2), ((2, 3), 5, 4 + 6)])
def test_the_dimension_is_that_of_the_pairs(dims, rank, expected):
    arch = layer(Cubed(), dims, (rank,))
    report = algatt.dimension(arch)
    assert (report.value, report.status, report.formula, report.formula_source) == (expected, "proven", expected, CITED)
    assert algatt.expected_dimension(arch) == expected
    arrow = algatt.geometry.fiber_dimensions(arch)[-1]
    assert (arrow.theorem, arrow.reference, arrow.measured) == (0, CITED, 0)


def test_softmax_rests_on_no_declaration_of_others():
    arch = algatt.Softmax((3, 2), (2,), 2)
    assert algatt.fiber(arch, algatt.sample(arch, algatt.AttentionMatrix, field=R)).theorem == "HMK Theorem 3.9"
    assert algatt.geometry.formulas(arch)[0].source == "HMK Theorem 3.9"


def test_algebraic_scores_rest_on_what_is_derived():
    """No quotient of polynomials is injective and positive on the reals: Theorem 3.9 itself is about none of them."""
    scores = [algatt.layers.Affine(1, 1), algatt.layers.Power(3), algatt.layers.Rational((1,), (2, 1))]
    assert not any(score.injective_and_positive for score in scores)
    arch = layer(algatt.layers.Affine(1, 1))
    for field in (R, algatt.PrimeField()):
        fiber = algatt.fiber(arch, algatt.sample(arch, algatt.AttentionMatrix, field=field))
        assert (fiber.case, fiber.theorem) == ("a single point", "derived, as HMK Theorem 3.9")
    assert algatt.geometry.formulas(arch)[0].source == "derived, as HMK Theorem 3.9"


def test_without_the_declaration_nothing_is_claimed():
    arch = layer(Silent())
    fiber = algatt.fiber(arch, algatt.sample(arch, algatt.AttentionMatrix, field=R))
    assert fiber.status == "unknown"
    assert "declares that it is injective and positive" in fiber.failing_hypotheses[0]
    assert algatt.expected_dimension(arch) is None


def test_several_layers_are_not_reached():
    arch = layer(Cubed(), (3, 3, 3), (2, 2), 3)
    fiber = algatt.fiber(arch, algatt.sample(arch, algatt.VirtualWeights, field=R))
    assert fiber.status == "unknown"
    assert not any(formula.theorem for formula in algatt.geometry.formulas(arch))


def scaled(arch, factors):
    ((A, V),) = algatt.sample(arch, algatt.AttentionMatrix, field=R).layers
    return [algatt.AttentionMatrix.of([(factor * A, V)]) for factor in factors]


@pytest.mark.parametrize("score", [Cubed(), Silent()])
def test_functions_that_values_hardly_tell_apart_differ_at_large_inputs(score):
    """Scores of 1e-4 change exp(x^3) by 1e-12. At inputs 64 times as large they are 4,096 times as large."""
    arch = layer(score)
    one, two = scaled(arch, (1e-4, 2e-4))
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    X = answer.separating_input
    first, second = (algatt.evaluate(arch, theta, X) for theta in (one, two))
    assert np.abs(first - second).max() > 0.01 * np.abs(first).max()


def test_what_rounding_may_have_made_decides_nothing():
    """The matrices differ by 1e-7 of their size, and the values by less than a thousand tolerances."""
    arch = layer(Cubed())
    with pytest.raises(algatt.errors.EquivalenceUndecided):
        algatt.same_function(arch, *scaled(arch, (1.0, 1.0 + 1e-7)))


def test_equal_functions_are_found_equal():
    arch = layer(Cubed())
    theta = algatt.sample(arch, algatt.Weights, field=R)
    moved = algatt.act(algatt.symmetry.KeyQuery(arch).element(theta, seed=1), theta)
    answer = algatt.same_function(arch, theta, moved)
    assert (answer.equal, answer.status) == (True, "numerical")
    tiny = theta.replace([theta.elements[0] * 1e-4, *theta.elements[1:]])
    moved = algatt.act(algatt.symmetry.KeyQuery(arch).element(tiny, seed=1), tiny)
    assert algatt.same_function(arch, tiny, moved).equal


@pytest.mark.parametrize(
    ("score", "fact"),
    [
        (Even(), "it neither rises nor falls everywhere"),
        (Identity(), r"S\(-4\) is not positive"),
        (Constant(), r"S\(-4\) = S\(-15/4\)"),
    ],
)
def test_declarations_that_values_contradict_are_refused(score, fact):
    for question in (algatt.dimension, algatt.geometry.formulas, algatt.geometry.fiber_dimensions):
        with pytest.raises(algatt.errors.InvalidArgument, match=rf"score was {type(score).__name__}.*although {fact}"):
            question(layer(score))
    with pytest.raises(algatt.errors.InvalidArgument, match="although"):
        algatt.fiber(layer(score), algatt.sample(layer(score), algatt.AttentionMatrix, field=R))


@pytest.mark.parametrize("temperature", [1, 1000, 0.001])
def test_softmax_is_what_it_declares(temperature):
    check_injective_and_positive(algatt.layers.Exponential(temperature))


@pytest.mark.parametrize("score", [Cubed(), Falling()])
def test_true_declarations_are_not_refused(score):
    check_injective_and_positive(score)
