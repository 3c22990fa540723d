"""Equal functions of networks with normalised scores: gauges recovered, inputs that separate, refusals."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import verbs
from algatt.fields import Elements

PRIMES = (31, 8388593, 2147483647, 2305843009213693951)

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)

F = algatt.PrimeField()


ALGEBRAIC = (
    algatt.layers.Affine(1, 1),
    algatt.layers.Power(3),
    algatt.layers.Rational((1,), (2, 1)),
    algatt.layers.Rational((1, 1, 1), (3, 0, 1)),
)


@st.composite
def networks(draw, scores=ALGEBRAIC):
    """Networks of up to three layers, in which no score is hidden by one token or by rank one."""
    layers = draw(st.integers(1, 3))
    dims = tuple(draw(st.integers(2, 4)) for _ in range(layers + 1))
    return algatt.Normalized(
        dims,
        tuple(draw(st.integers(2, 4)) for _ in range(layers)),
        draw(st.integers(2, 3)),
        draw(st.sampled_from(scores)),
    )


def unreached(arch):
    """Changes of tensors by what vanishes on all that inputs reach."""
    names = [f"{letter}_{number}" for number in range(1, arch.layers + 1) for letter in "QKV"]
    lightning = algatt.Lightning(arch.dims, arch.ranks, arch.tokens)
    return [algatt.symmetry.UnseenDirections(lightning, name, reads_some=False) for name in names]


def gauges(arch):
    families = [algatt.symmetry.KeyQuery(arch), algatt.symmetry.Interlayer(arch), *unreached(arch)]
    return [*families, algatt.symmetry.ScoreRescaling(arch)] if arch.score.homogeneous else families


def moved_by_gauges(arch, theta, seed):
    for family in gauges(arch):
        theta = algatt.act(family.element(theta, seed), theta)
    return theta


@given(networks(), st.sampled_from(PRIMES), st.integers(0, 10**6), st.sampled_from(COORDINATES))
def test_an_element_is_found_that_carries_one_point_to_the_other(arch, p, seed, coordinates):
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
    one, two = (algatt.convert(point, coordinates) for point in (theta, moved_by_gauges(arch, theta, seed + 1)))
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (True, "proven")
    if answer.element is not None:
        assert algatt.act(answer.element, algatt.convert(one, answer.coordinates)) == algatt.convert(
            two, answer.coordinates
        )
    else:  # over GF(31) a matrix may have rank one by chance
        assert p == 31


@given(st.sampled_from([algatt.layers.Affine(1, 1), algatt.layers.Power(3)]), st.integers(0, 10**6))
def test_the_element_is_the_one_that_was_used(score, seed):
    arch = algatt.Normalized((4, 3, 3, 4), (2, 3, 2), 2, score)
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    hidden = algatt.symmetry.UnseenDirections
    used = [family.element(theta, seed + 1) for family in gauges(arch) if not isinstance(family, hidden)]
    moved = algatt.act(algatt.symmetry.ProductElement(tuple(used)), theta)
    answer = algatt.same_function(arch, theta, moved)
    assert answer.coordinates is algatt.Weights
    for element in used:
        assert answer.element.factor(type(element.family)) == element


@given(networks(), st.integers(0, 10**6), st.data())
def test_one_entry_off_the_orbit_is_separated_by_an_input(arch, seed, data):
    theta = algatt.sample(arch, algatt.VirtualWeights, seed=seed)
    moved = verbs.convert(
        moved_by_gauges(arch, algatt.sample(arch, algatt.Weights, seed=seed), seed + 1), algatt.VirtualWeights
    )
    vector = algatt.flatten(moved).copy()
    position = data.draw(st.integers(0, len(vector) - 1))
    vector[position] += type(vector)(1)
    other = algatt.unflatten(arch, algatt.VirtualWeights, vector)
    answer = algatt.same_function(arch, theta, other)
    assert (answer.equal, answer.status) == (False, "proven")
    X = answer.separating_input
    assert (algatt.evaluate(arch, theta, X) != algatt.evaluate(arch, other, X)).any()


@given(
    networks(
        (
            algatt.layers.Exponential(),
            algatt.layers.Exponential(0.5),
            algatt.layers.Affine(1, 1),
            algatt.layers.Power(3),
        )
    ),
    st.integers(0, 10**6),
    st.sampled_from(COORDINATES),
)
def test_over_the_reals(arch, seed, coordinates):
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
    moved = moved_by_gauges(arch, theta, seed + 1)
    one, two = (algatt.convert(point, coordinates) for point in (theta, moved))
    try:
        answer = algatt.same_function(arch, one, two, tolerance=1e-5)
    except algatt.errors.EquivalenceUndecided:  # refused, not wrong
        return
    assert answer.equal
    assert answer.status == "proven" or answer.distance <= 1e-5  # proven if the floats have exactly one form
    different = algatt.same_function(
        arch, theta, algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed + 2)
    )
    assert (different.equal, different.status) == (False, "proven")


def test_large_scores_do_not_hide_a_difference():
    """Softmax of scores of size 1e5 is one-hot at inputs of size one; at smaller inputs it is not, and 2 A is told from
    A.
    """
    arch = algatt.Softmax((3, 2), (3,), 3)
    ((A, V),) = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Reals()).layers
    one, two = (algatt.AttentionMatrix.of([(factor * A, V)]) for factor in (1e5, 2e5))
    X = algatt.sample_inputs(arch, field=algatt.Reals(), count=10)
    assert np.abs(algatt.evaluate(arch, one, X) - algatt.evaluate(arch, two, X)).max() == 0
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    assert answer.distance > 1e-3
    assert (
        np.abs(
            algatt.evaluate(arch, one, answer.separating_input) - algatt.evaluate(arch, two, answer.separating_input)
        ).max()
        > 1e-4
    )


def test_a_difference_near_rounding_decides_nothing():
    arch = algatt.Softmax((3, 2), (3,), 2)
    ((A, V),) = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Reals()).layers
    one, near = (
        algatt.AttentionMatrix.of([(A, V)]),
        algatt.AttentionMatrix.of([(A * (1 + 1e-7 * np.arange(9).reshape(3, 3)), V)]),
    )
    with pytest.raises(algatt.errors.EquivalenceUndecided, match="within the tolerance 1e-08 or nearly"):
        algatt.same_function(arch, one, near)
    assert algatt.same_function(arch, one, near, tolerance=1e-5).equal
    assert not algatt.same_function(arch, one, near, tolerance=1e-12).equal


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [F, algatt.PrimeField(31), algatt.Reals()], ids=str)
def test_an_even_score_does_not_see_the_sign_of_the_scores(field):
    """S(x) = 1 + x^2: no gauge carries A to -A, but the values have one virtual form."""
    arch = algatt.Normalized((3, 2), (3,), 2, algatt.layers.Rational((1, 0, 1)))
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=field)
    answer = algatt.same_function(arch, theta, opposite(theta))
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)
    assert not algatt.same_function(
        dataclasses.replace(arch, score=algatt.layers.Rational((1, 1, 1))), theta, opposite(theta)
    ).equal


def opposite(theta):
    ((A, V),) = theta.layers
    return algatt.AttentionMatrix.of([(-A, V)])


@dataclass(frozen=True)
class Square(algatt.layers.Score):
    """S(x) = 1 + x^2, an even function."""


@verbs.activate.method
def values_of_square(score: Square, products: Elements) -> Elements:
    return products * products + 1


def test_a_score_of_ones_own():
    arch = algatt.Normalized((3, 2), (3,), 2, Square())
    one, two = (algatt.sample(arch, algatt.AttentionMatrix, seed=seed) for seed in (0, 1))
    assert algatt.same_function(arch, one, one).status == "proven"
    assert not algatt.same_function(arch, one, two).equal
    answer = algatt.same_function(arch, one, opposite(one))  # no gauge carries one to the other
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [F, algatt.Reals()], ids=str)
def test_what_a_homogeneous_score_of_rank_one_does_not_see(field):
    """Another query in layer 1, and then any scores in layer 2, are the same function; another key is not."""
    arch = algatt.Normalized((3, 3, 2), (1, 2), 3, algatt.layers.Power(3))
    theta = algatt.sample(arch, algatt.Weights, field=field)
    other = algatt.sample(arch, algatt.Weights, field=field, seed=1)
    (Q, K, V), (_, _, W) = theta.layers
    (Q1, K1, _), (Q2, K2, _) = other.layers
    same = algatt.Weights.of([(Q1, K, V), (Q2, K2, W)])
    answer = algatt.same_function(arch, theta, same)
    assert (answer.equal, answer.status) == (True, "proven")
    moved = algatt.act(answer.element, theta)
    for one, two in zip(moved.elements, same.elements, strict=True):
        assert np.allclose(one.raw, two.raw, rtol=0, atol=0 if field == F else 1e-9)
    assert not algatt.same_function(arch, theta, algatt.Weights.of([(Q, K1, V), (Q2, K2, W)])).equal
    seen = algatt.Normalized((3, 3, 2), (1, 2), 3, algatt.layers.Affine(1, 1))
    assert not algatt.same_function(seen, theta, algatt.Weights.of([(Q1, K, V), (Q2, K2, W)])).equal


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [F, algatt.Reals()], ids=str)
def test_one_token_and_zero_functions(field):
    arch = algatt.Normalized((3, 3, 2), (2, 2), 1, algatt.layers.Affine(1, 1))
    one, two = (algatt.sample(arch, algatt.VirtualWeights, field=field, seed=seed) for seed in (0, 1))
    answer = algatt.same_function(arch, one, algatt.VirtualWeights.of(two.M, one.L))
    assert (answer.equal, answer.status) == (True, "proven")
    assert not algatt.same_function(arch, one, algatt.VirtualWeights.of(one.M, two.L)).equal
    zeros = [algatt.VirtualWeights.of(point.M, one.L - one.L) for point in (one, two)]
    long = algatt.Normalized((3, 3, 2), (2, 2), 3, algatt.layers.Affine(1, 1))
    answer = algatt.same_function(long, *zeros)
    assert (answer.equal, answer.status) == (True, "proven")


def test_hidden_symmetries_are_seen_on_the_virtual_weights():
    arch = algatt.Normalized((6, 4, 1), (2, 1), 3, algatt.layers.Affine(1, 1))
    theta = algatt.sample(arch, algatt.Weights, seed=3)
    (family,) = (family for family in algatt.symmetries(arch) if family.name == "unseen directions of V_1")
    answer = algatt.same_function(arch, theta, algatt.act(family.element(theta, 1), theta))
    assert (answer.equal, answer.status, answer.coordinates) == (True, "proven", algatt.VirtualWeights)


def test_bad_input():
    arch = algatt.Softmax((3, 2), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"theta1 was over GF\(8388593\), where the network has no"):
        algatt.same_function(arch, theta, algatt.sample(arch, algatt.Weights, seed=1))
    real = algatt.sample(arch, algatt.Weights, field=algatt.Reals())
    with pytest.raises(algatt.errors.InvalidArgument, match="theta2 was over GF"):
        algatt.same_function(arch, real, theta)
    with pytest.raises(algatt.errors.InvalidArgument, match="tolerance was"):
        algatt.same_function(arch, real, real, tolerance=2)
