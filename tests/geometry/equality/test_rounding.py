"""Floats that cannot decide: sizes that products cannot hold, products that are nothing but rounding, ties, small
differences of parameters.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt

R = algatt.Reals()
ARCH = algatt.Lightning((3, 3), (2,), 3)


def scaled(theta, factor):
    return theta.replace([algatt.fields.Elements(R, element.raw * factor) for element in theta.elements])


QUESTIONS = {
    "canonical": algatt.canonical,
    "fiber": algatt.fiber,
    "is_singular": algatt.is_singular,
    "is_boundary": algatt.is_boundary,
    "is_critical": algatt.geometry.is_critical,
    "tangent_space": algatt.geometry.tangent_space,
    "singular_distance": algatt.geometry.singular_distance,
    "boundary_distance": algatt.geometry.boundary_distance,
    "same_function": lambda arch, theta: algatt.same_function(
        arch, theta, algatt.sample(arch, algatt.Weights, field=R, seed=9)
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("factor", [1e-200, 1e-100, 1e100, 1e200])
def test_sizes_that_products_cannot_hold_are_refused(question, factor):
    theta = scaled(algatt.sample(ARCH, algatt.Weights, field=R, seed=0), factor)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"theta was with [QK]_1 of size .*; rescale them"):
        QUESTIONS[question](ARCH, theta)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("factor", [1e-30, 1e30])
def test_large_and_small_parameters_get_an_answer(question, factor):
    theta = algatt.sample(ARCH, algatt.Weights, field=R, seed=0)
    plain, other = QUESTIONS[question](ARCH, theta), QUESTIONS[question](ARCH, scaled(theta, factor))
    if question in ("fiber", "same_function"):
        assert type(plain) is type(other)
        assert bool(plain) == bool(other)
    if question.startswith("is_"):
        assert plain == other


def network_with_small_product(factor):
    first = (np.eye(2), np.eye(2) + np.eye(2)[::-1], np.diag([1, 1e-9]))
    return algatt.Weights.of(
        [first, (np.eye(2), 2 * np.eye(2) + np.array([[0, 1.0], [0, 0]]), np.diag([factor, 1.0]))], field=R
    )


def test_parameters_that_differ_little_may_be_different_functions():
    """The product of two value matrices is small, and a small change doubles it."""
    answer = algatt.same_function(
        algatt.Lightning((2, 2, 2), (2, 2), 3), network_with_small_product(1e-9), network_with_small_product(2e-9)
    )
    assert not answer.equal
    assert answer.distance > 0.1


def test_one_token_and_a_matrix_that_is_nearly_skew():
    rng = np.random.default_rng(0)
    A, V = rng.standard_normal((2, 3, 3))
    skew, symmetric = A - A.T, A + A.T
    one, two = (algatt.AttentionMatrix.of([(skew + factor * symmetric, V)], field=R) for factor in (1e-9, 2e-9))
    assert not algatt.same_function(algatt.Lightning((3, 3), (3,), 1), one, two).equal


def test_a_translation_that_the_function_sees_is_refused():
    Q = K = np.eye(2)
    theta = algatt.Weights.of([(Q, K, np.diag([1, 1e-9])), (Q, K, np.diag([1, 1e9]))], field=R)
    family = algatt.symmetry.UnseenDirections(algatt.Lightning((2, 2, 2), (2, 2), 2), "V_2")
    element = family.element_of(algatt.fields.Elements(R, np.diag([0, 1e9])))
    with pytest.raises(algatt.errors.InvalidArgument, match="which changes the function"):
        algatt.act(element, theta)


@pytest.mark.parametrize("seed", range(3))
def test_a_product_that_may_be_rounding_decides_nothing(seed):
    """K^T Q = 0 exactly, and after a change of the basis of keys and queries up to rounding: never called generic."""
    q, k, zero = np.array([1.0, 2, 3]), np.array([1.0, 0, 2]), np.zeros(3)
    theta = algatt.Weights.of([(np.array([q, zero]), np.array([zero, k]), np.eye(3))], field=R)
    assert algatt.fiber(ARCH, theta).case == "the zero function: A = 0 or V = 0"
    assert algatt.is_boundary(ARCH, theta)
    moved = algatt.act(algatt.symmetry.KeyQuery(ARCH).element(theta, seed=seed), theta)
    for question in (algatt.fiber, algatt.is_boundary, algatt.is_singular):
        with pytest.raises(algatt.errors.RankUndecided, match="may be rounding"):
            question(ARCH, moved)


@pytest.mark.parametrize(
    ("Q", "K", "rank"),
    [
        ([[0, 1.0, 2], [-1, 0, 3], [-2, -3, 0]], np.eye(3), 3),  # skew: every largest entry has a partner
        ([[1.0, 2, 3], [4, 5, 7]], [[1.0, 1, 0], [0, 1, 1]], 2),  # columns of equal size
    ],
)
def test_ties_do_not_change_the_normal_form(Q, K, rank):
    arch = algatt.Lightning((3, 3), (rank,), 3)
    theta = algatt.Weights.of([(Q, K, np.eye(3))], field=R)
    normal = algatt.canonical(arch, theta)
    for seed in range(20):
        moved = algatt.canonical(arch, algatt.act(algatt.symmetry.KeyQuery(arch).element(theta, seed=seed), theta))
        for one, two in zip(normal.elements, moved.elements, strict=True):
            assert np.allclose(one.raw, two.raw, atol=1e-8)


def test_ranks_that_the_architecture_does_not_have_are_refused():
    theta = algatt.AttentionMatrix.of([(np.eye(3, dtype=int), np.eye(3, dtype=int))], field=algatt.PrimeField(31))
    with pytest.raises(algatt.errors.InvalidArgument, match="A_1 of rank 3; it should be with one of rank at most 2"):
        algatt.fiber(ARCH, theta)
    virtual = algatt.VirtualWeights.of([np.eye(3, dtype=int)] * 2, np.eye(3, dtype=int), field=algatt.PrimeField(31))
    with pytest.raises(algatt.errors.InvalidArgument, match="M_2 of rank 3; it should be with one of rank at most 1"):
        algatt.fiber(algatt.Lightning((3, 1, 3), (3, 1), 2), virtual)


def test_an_unclear_rank_does_not_refute_a_network():
    """Values determine some directions of (M_1, M_2, L) less well than others: then nothing is claimed."""
    arch = algatt.Lightning((2, 1, 2), (2, 1), 2)
    statuses = set()
    for seed in range(5):
        theta = algatt.sample(arch, algatt.Weights, field=R, seed=seed)
        found = algatt.identify(lambda X, theta=theta: algatt.evaluate(arch, theta, X), arch, field=R, seed=seed)
        statuses.add((found.theta is not None, found.status))
    assert statuses <= {(True, "numerical"), (False, "undecided")}
    assert (True, "numerical") in statuses
