"""Fibres: cases, dimensions, components, members, samples, failing hypotheses."""

from __future__ import annotations

import numpy as np
import pytest

import algatt

F31 = algatt.PrimeField(31)

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("dims", "ranks", "dimensions"),
    [
        ((4, 3), (2,), (4 + 1, 1, 1)),
        ((3, 3), (5,), (2 * 5 * 3 - 9 + 1, 1, 1)),
        ((4, 3, 4), (2, 2), (8 + 9 + 2, 9 + 2, 2)),
        ((3, 2, 2, 3), (2, 2, 2), (12 + 8 + 3, 8 + 3, 3)),
    ],
)
@pytest.mark.parametrize("field", [algatt.PrimeField(), algatt.Reals()])
def test_generic_fibres(dims, ranks, dimensions, field):
    """Sum of a_i^2 (Lemma 3.1), (l - 1) delta^2 (Lemma 3.5) and l (Theorems 3.2, 3.7); measured by the Jacobian of the
    function.
    """
    arch = algatt.Lightning(dims, ranks, 3)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=1)
    for coordinates, dimension in zip(COORDINATES, dimensions, strict=True):
        fiber = algatt.fiber(arch, algatt.convert(theta, coordinates))
        assert fiber.case == "one orbit"
        assert (fiber.dimension, fiber.components, fiber.coordinates) == (dimension, 1, coordinates)
        assert fiber.status == ("numerical" if field == algatt.Reals() else "proven")
        member = fiber.sample(seed=2)
        assert isinstance(member, coordinates)
        assert member != fiber.theta
        assert fiber.contains(member)
        assert not fiber.contains(algatt.sample(arch, coordinates, field=field, seed=9))
    if field != algatt.Reals():
        assert algatt.unexplained_kernel(arch, theta).kernel == dimensions[0]


def rank_one(k, q, v, h, field=F31):
    return algatt.AttentionMatrix.of([(np.outer(k, q) % 31, np.outer(v, h) % 31)], field=field)


def test_the_swap_case():
    arch = algatt.Lightning((3, 2), (2,), 2)
    theta = rank_one([1, 2, 3], [1, 0, 2], [1, 5], [2, 2, 1])
    fiber = algatt.fiber(arch, theta)
    assert fiber.case == "two orbits, exchanged by the swap"
    assert (fiber.dimension, fiber.components, fiber.projective_cardinality) == (1, 2, 2)
    samples = [fiber.sample(seed) for seed in range(10)]
    assert all(fiber.contains(point) for point in samples)
    swapped = [
        algatt.same_function(arch, theta, point).element.factor(algatt.symmetry.SwapElement) is not None
        for point in samples
    ]
    assert set(swapped) == {True, False}
    weights = algatt.Weights.of(
        [([[1, 0, 2], [0, 0, 0]], [[1, 2, 3], [4, 5, 6]], np.outer([1, 5], [2, 2, 1]) % 31)], field=F31
    )
    on_weights = algatt.fiber(arch, weights)
    assert on_weights.case == "two orbits, exchanged by the swap"
    assert on_weights.components == 2 * 2  # K may have rank one or two
    assert all(on_weights.contains(on_weights.sample(seed)) for seed in range(6))


def test_rank_one_with_common_vectors_is_one_orbit():
    """A = u q^T, V = v u^T: the swap goes to the same point, up to scale."""
    fiber = algatt.fiber(algatt.Lightning((3, 2), (2,), 2), rank_one([1, 2, 3], [1, 0, 2], [1, 5], [2, 4, 6]))
    assert fiber.case == "one orbit"
    assert (fiber.components, fiber.projective_cardinality) == (1, 1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_zero_function_of_one_layer(coordinates):
    arch = algatt.Lightning((3, 2), (2,), 2)
    zero = algatt.Weights.of(
        [(np.zeros((2, 3), dtype=int), np.ones((2, 3), dtype=int), np.ones((2, 3), dtype=int))], field=F31
    )
    fiber = algatt.fiber(arch, algatt.convert(zero, coordinates))
    assert fiber.case == "the zero function: A = 0 or V = 0"
    # A = 0: V is free, and on Weights K^T Q = 0 has three components, the largest (rk K = 1) of dimension 1 * 2 + 2 +
    # 3; V = 0: A is free, a matrix of rank at most 2.
    assert (fiber.dimension, fiber.components) == (
        (max(7 + 6, 12), 4) if coordinates is algatt.Weights else (max(6, 8), 2)
    )
    samples = [fiber.sample(seed) for seed in range(8)]
    assert all(fiber.contains(point) for point in samples)
    attention = (
        [algatt.convert(point, algatt.AttentionMatrix).layers[0] for point in samples]
        if coordinates is not algatt.VirtualWeights
        else []
    )
    if attention:
        assert {bool(layer.A.any()) for layer in attention} == {True, False}
    assert not fiber.contains(algatt.sample(arch, coordinates, field=F31, seed=3))


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens", "words"),
    [
        ((3, 2), (2,), 1, "t >= 2"),
        ((3, 3, 3), (1, 2), 2, "rk M_1 >= 2"),
        ((3, 4, 3), (2, 2), 2, "equal interior widths"),
        ((3, 2, 1, 3), (2, 2, 2), 2, "equal interior widths"),
    ],
)
def test_failing_hypotheses_are_named(dims, ranks, tokens, words):
    arch = algatt.Lightning(dims, ranks, tokens)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    fiber = algatt.fiber(arch, theta)
    assert fiber.case == "outside of the theorems' hypotheses"
    assert (fiber.dimension, fiber.components, fiber.theorem, fiber.status) == (None, None, None, "unknown")
    assert any(words in reason for reason in fiber.failing_hypotheses)
    assert fiber.lower == algatt.symmetry.orbit_dimension(arch, theta)
    assert fiber.contains(fiber.sample(seed=1))


@pytest.mark.parametrize(
    ("M", "L", "words"),
    [
        (([[1, 2], [3, 4]], [[0, 1], [30, 0]]), [[1, 0], [0, 1]], "M_2 is not skew-symmetric"),
        (([[1, 2], [3, 4]], [[1, 1], [1, 1]]), [[0, 0], [0, 0]], "L != 0"),
        (([[1, 2], [2, 4]], [[1, 1], [1, 2]]), [[1, 0], [0, 1]], "rk M_1 >= 2, but it is 1"),
    ],
)
def test_hypotheses_on_virtual_weights(M, L, words):
    arch = algatt.Lightning((2, 2, 2), (2, 2), 2)
    fiber = algatt.fiber(arch, algatt.VirtualWeights.of(M, L, field=F31))
    assert words in fiber.failing_hypotheses


def test_values_of_less_than_full_rank_are_named():
    arch = algatt.Lightning((3, 2, 3), (2, 2), 2)
    layers = [
        tuple(matrix.copy() for matrix in layer)
        for layer in algatt.sample(arch, algatt.Weights, field=F31, seed=1).layers
    ]
    layers[0][2][1] = layers[0][2][0]
    assert "rk V_1 = 2, but it is 1" in algatt.fiber(arch, algatt.Weights.of(layers)).failing_hypotheses


def test_as_plain_values():
    arch = algatt.Lightning((3, 2), (2,), 2)
    fiber = algatt.fiber(arch, algatt.sample(arch, algatt.Weights, seed=0))
    assert fiber.to_dict() == {
        "case": "one orbit",
        "status": "proven",
        "theorem": "HMK Theorem 3.2",
        "coordinates": "Weights",
        "dimension": 5,
        "components": 1,
        "projective_cardinality": None,
        "failing_hypotheses": [],
    }


def test_bad_input():
    arch = algatt.Lightning((3, 2), (2,), 2)
    with pytest.raises(algatt.errors.InvalidArgument, match="theta was"):
        algatt.fiber(arch, algatt.sample(algatt.Lightning((2, 2), (2,), 2), algatt.Weights))
    with pytest.raises(algatt.errors.InvalidArgument, match="seed"):
        algatt.fiber(arch, algatt.sample(arch, algatt.Weights)).sample(-1)


def last_layer_of_rank_one():
    """M_1 of rank two, M_2 = k q^T, L = v h^T: the last layer is one layer of ranks one at other tokens."""
    k, q, h = np.array([1, 2]), np.array([3, 4]), np.array([5, 7])
    M1 = np.array([[1, 2], [3, 5]])
    return [M1, np.outer(k, q)], h[None, :], [M1, np.outer(h, q)], k[None, :]


def test_the_swap_of_the_last_of_several_layers():
    """HMK Theorem 3.7 as it is usually quoted leaves this out: two orbits of the torus for one function."""
    M, L, M2, L2 = last_layer_of_rank_one()
    arch = algatt.Lightning((2, 2, 1), (2, 1), 3)
    one, two = algatt.VirtualWeights.of(M, L, field=F31), algatt.VirtualWeights.of(M2, L2, field=F31)
    X = algatt.sample_inputs(arch, field=F31, count=6)
    assert (algatt.evaluate(arch, one, X) == algatt.evaluate(arch, two, X)).all()
    fiber = algatt.fiber(arch, one)
    assert fiber.case == "two orbits, exchanged by the swap"
    assert (fiber.dimension, fiber.components, fiber.projective_cardinality) == (2, 2, 2)
    assert "derived" in fiber.theorem
    assert fiber.contains(two)
    swapped = [
        algatt.same_function(arch, one, fiber.sample(seed)).element.factor(algatt.symmetry.SwapElement) is not None
        for seed in range(8)
    ]
    assert set(swapped) == {True, False}
    answer = algatt.same_function(arch, one, two)
    assert (answer.equal, answer.status) == (True, "proven")
    assert algatt.act(answer.element, one) == two


@pytest.mark.parametrize("p", [2, 3])
def test_small_characteristics_are_outside_the_proof(p):
    arch = algatt.Lightning((2, 2, 2), (2, 2), 2)
    theta = algatt.VirtualWeights.of([[[1, 1], [0, 1]], [[1, 0], [0, 1]]], [[1, 0], [0, 1]], field=algatt.PrimeField(p))
    assert any("characteristic" in reason for reason in algatt.fiber(arch, theta).failing_hypotheses)


def test_samples_move_along_every_gauge():
    """V_1 is multiplied by an invertible matrix, not by a number only, and A_1 by a number."""
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=F31, seed=1)
    member = algatt.fiber(arch, theta).sample(seed=2)
    for before, after, order in zip(theta.layers[0], member.layers[0], (1, 2), strict=True):
        assert not np.array_equal(before, after)
        assert np.linalg.matrix_rank(np.vstack([before.reshape(1, -1), after.reshape(1, -1)])) == order
