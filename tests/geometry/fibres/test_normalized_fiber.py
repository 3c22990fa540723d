"""Fibres of networks with normalised scores: cases, dimensions, members, samples, failing hypotheses, arrows."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.geometry.fibres.normalized_fiber import sensitive_over

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)

F = algatt.PrimeField()

GAUGES = "a single point", "one orbit of the gauges"
"""The same fibre in coordinates on which no gauge acts, and in those on which they do."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [F, algatt.PrimeField(31), algatt.Reals()], ids=str)
@pytest.mark.parametrize(
    ("score", "ranks", "tokens", "case", "dimensions"),
    [
        (algatt.layers.Affine(1, 1), (2,), 2, GAUGES, (2 * 2, 0)),
        (algatt.layers.Rational((1,), (2, 1)), (5,), 2, GAUGES, (2 * 5 * 3 - 9, 0)),
        (algatt.layers.Power(3), (2,), 3, "the multiples of one attention matrix", (4 + 1, 1)),
        (algatt.layers.Power(2), (1,), 2, "one key, any query", (1 + 3, 3)),
        (algatt.layers.Rational((0, 0, 5)), (1,), 2, "one key, any query", (1 + 3, 3)),
        (algatt.layers.Affine(1, 1), (2,), 1, "one token: the attention matrix is not seen", (2 * 2 * 3, 8)),
        (algatt.layers.Power(3), (1,), 1, "one token: the attention matrix is not seen", (2 * 3, 5)),
    ],
)
def test_generic_fibres_of_one_layer(field, score, ranks, tokens, case, dimensions):
    """The dimension on `Weights` is that of the kernel of the Jacobian."""
    arch = algatt.Normalized((3, 2), ranks, tokens, score)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=1)
    for coordinates in COORDINATES:
        fiber = algatt.fiber(arch, algatt.convert(theta, coordinates))
        finite = coordinates is not algatt.Weights
        assert fiber.case == (case if isinstance(case, str) else case[not finite])
        assert fiber.dimension == dimensions[finite]
        assert (fiber.components, fiber.failing_hypotheses) == (1, ())
        assert fiber.status == ("numerical" if field == algatt.Reals() else "proven")
        member = fiber.sample(seed=2)
        assert isinstance(member, coordinates)
        assert (member == fiber.theta) == (fiber.dimension == 0)
        assert fiber.contains(member)
        assert not fiber.contains(algatt.sample(arch, coordinates, field=field, seed=9))
        assert fiber.projective_cardinality == (
            1 if finite and case in (GAUGES, "the multiples of one attention matrix") else None
        )
    if field == F:
        assert algatt.unexplained_kernel(arch, theta).kernel == dimensions[0]


def test_softmax_over_the_reals():
    arch = algatt.Softmax((3, 2), (2,), 2)
    fiber = algatt.fiber(arch, algatt.sample(arch, algatt.Weights, field=algatt.Reals()))
    assert repr(fiber) == "Fiber('one orbit of the gauges', Weights, dimension=4, components=1)"
    assert fiber.to_dict() == {
        "case": "one orbit of the gauges",
        "status": "numerical",
        "theorem": "HMK Theorem 3.9",
        "coordinates": "Weights",
        "dimension": 4,
        "components": 1,
        "projective_cardinality": None,
        "failing_hypotheses": [],
    }
    formal = algatt.fiber(arch, algatt.sample(arch, algatt.Weights))
    assert (formal.status, formal.dimension, formal.lower) == ("unknown", None, 4)
    assert "which the network does not have" in formal.failing_hypotheses[0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("field", [F, algatt.Reals()], ids=str)
@pytest.mark.parametrize(("dims", "ranks"), [((4, 3, 4), (2, 2)), ((3, 2, 2, 3), (1, 2, 1))])
def test_generic_fibres_of_several_layers(field, dims, ranks):
    """The gauges and nothing else, with ranks of one too."""
    arch = algatt.Normalized(dims, ranks, 3, algatt.layers.Affine(1, 1) if field == F else algatt.layers.Exponential())
    theta = algatt.sample(arch, algatt.Weights, field=field)
    gauge = (len(ranks) - 1) * dims[1] ** 2
    for coordinates, dimension in zip(COORDINATES, (sum(a * a for a in ranks) + gauge, gauge, 0), strict=True):
        fiber = algatt.fiber(arch, algatt.convert(theta, coordinates))
        assert (fiber.dimension, fiber.components) == (dimension, 1)
        assert fiber.case == GAUGES[coordinates is not algatt.VirtualWeights]
        assert fiber.theorem.startswith("derived, as HMK Conjecture 3.10 asks")
        assert fiber.contains(fiber.sample(seed=1))
        assert not fiber.contains(algatt.sample(arch, coordinates, field=field, seed=9))
    assert algatt.unexplained_kernel(arch, theta).kernel == sum(a * a for a in ranks) + gauge


@pytest.mark.parametrize(("tokens", "equal"), [(2, True), (3, False)])
def test_softmax_makes_two_tokens_equal_if_the_matrix_is_skew(tokens, equal):
    """With M_1 skew both of two tokens see the same difference of scores, so they become equal, and M_2 is not seen."""
    arch = algatt.Softmax((3, 3, 3), (2, 2), tokens)
    J = np.array([[0.0, 1, 2], [-1, 0, 3], [-2, -3, 0]])
    one, two = (algatt.sample(arch, algatt.VirtualWeights, field=algatt.Reals(), seed=seed) for seed in (0, 1))
    points = [algatt.VirtualWeights.of([J, point.M[1]], one.L) for point in (one, two)]
    X = algatt.sample_inputs(arch, field=algatt.Reals(), count=8)
    assert np.allclose(*(algatt.evaluate(arch, point, X) for point in points)) == equal
    assert algatt.fiber(arch, points[0]).failing_hypotheses == ("M_1 is not skew-symmetric",)
    if equal:
        with pytest.raises(algatt.errors.EquivalenceUndecided):
            algatt.same_function(arch, *points)
    else:
        assert not algatt.same_function(arch, *points)


@pytest.mark.sample(2)
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(
    "score", [algatt.layers.Affine(1, 1), algatt.layers.Power(3), algatt.layers.Rational((1, 0, 1))], ids=repr
)
def test_the_zero_function(score, coordinates):
    """V = 0 in the whole fibre, whatever the score is, and any A of rank at most two."""
    arch = algatt.Normalized((3, 2), (2,), 2, score)
    ((Q, K, V),) = algatt.sample(arch, algatt.Weights).layers
    fiber = algatt.fiber(arch, algatt.convert(algatt.Weights.of([(Q, K, V - V)]), coordinates))
    assert fiber.case == "V = 0: the attention matrix is not seen"
    assert (fiber.dimension, fiber.components) == (12 if coordinates is algatt.Weights else 8, 1)
    assert all(fiber.contains(fiber.sample(seed)) for seed in range(3))
    assert not fiber.contains(algatt.sample(arch, coordinates, seed=3))


def test_factorizations_on_the_weights():
    """A of rank one with a = 2: K of rank one or two, two components."""
    arch = algatt.Normalized((3, 2), (2,), 2, algatt.layers.Affine(1, 1))
    theta = algatt.Weights.of([([[1, 0, 2], [0, 0, 0]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [0, 1, 0]])], field=F)
    fiber = algatt.fiber(arch, theta)
    assert (fiber.components, fiber.dimension) == (2, 5)
    assert all(fiber.contains(fiber.sample(seed)) for seed in range(4))


def test_samples_of_one_key_have_any_query():
    arch = algatt.Normalized((3, 2), (1,), 2, algatt.layers.Power(3))
    theta = algatt.sample(arch, algatt.Weights)
    fiber = algatt.fiber(arch, theta)
    queries = np.array([fiber.sample(seed).layers[0].Q[0].tolist() for seed in range(3)])
    assert algatt.rank(F.galois(queries)) == 3


@pytest.mark.parametrize(
    ("dims", "tokens", "score", "field", "words"),
    [
        ((3, 3, 3), 1, algatt.layers.Affine(1, 1), F, "t >= 2: with one token no score is seen"),
        ((3, 3, 3), 2, algatt.layers.Power(3), F, "S(0) != 0 and S'(0) != 0"),
        ((3, 4, 3), 2, algatt.layers.Affine(1, 1), F, "equal interior widths"),
        ((3, 3, 3), 2, algatt.layers.Affine(1, 1), algatt.PrimeField(3), "other than 2 and 3"),
        ((3, 2), 2, algatt.layers.Rational((1, 0, 1)), F, "S'(0) != 0, or a homogeneous score"),
        ((3, 2), 2, algatt.layers.Rational((0, 1, 1)), F, "S(0) != 0"),
        ((3, 2), 3, algatt.layers.Affine(1, 1), algatt.PrimeField(3), "does not divide t"),
        ((3, 2), 3, algatt.layers.Affine(1, 1), algatt.PrimeField(2), "a characteristic other than 2"),
        ((3, 2), 2, algatt.layers.Affine(31, 1), algatt.PrimeField(31), "or a homogeneous score"),
        ((3, 2), 2, algatt.layers.Power(3), F, None),
    ],
)
def test_failing_hypotheses_are_named(dims, tokens, score, field, words):
    arch = algatt.Normalized(dims, (2,) * (len(dims) - 1), tokens, score)
    theta = algatt.sample(arch, algatt.Weights, field=field)
    fiber = algatt.fiber(arch, theta)
    if words is None:
        assert fiber.failing_hypotheses == ()
        return
    assert fiber.case == "outside of the theorems' hypotheses"
    assert (fiber.dimension, fiber.theorem, fiber.status) == (None, None, "unknown")
    assert any(words in reason for reason in fiber.failing_hypotheses)
    assert fiber.lower == algatt.symmetry.orbit_dimension(arch, theta)
    if field == F:
        assert fiber.contains(fiber.sample(seed=1))


def test_sensitivity_is_asked_for_modulo_p():
    assert sensitive_over(algatt.layers.Affine(1, 1), F)
    assert sensitive_over(algatt.layers.Exponential(), algatt.Reals())
    assert not sensitive_over(algatt.layers.Affine(31, 1), algatt.PrimeField(31))
    assert not sensitive_over(algatt.layers.Affine(1, 31), algatt.PrimeField(31))
    assert not sensitive_over(algatt.layers.Rational((1,), (31, 1)), algatt.PrimeField(31))
    assert not sensitive_over(algatt.layers.Power(1), F)


def test_orbits_of_homogeneous_scores():
    """On the quotients the rescalings of the scores act, one for each layer, and the interlayer gauge."""
    arch = algatt.Normalized((4, 3, 4), (2, 2), 3, algatt.layers.Power(3))
    theta = algatt.sample(arch, algatt.Weights)
    found = [algatt.symmetry.orbit_dimension(arch, algatt.convert(theta, coordinates)) for coordinates in COORDINATES]
    assert found == [8 + 9 + 2, 9 + 2, 2]
    arch = algatt.Normalized((4, 3, 4), (2, 2), 3, algatt.layers.Affine(1, 1))
    assert [
        algatt.symmetry.orbit_dimension(arch, algatt.convert(theta, coordinates)) for coordinates in COORDINATES
    ] == [8 + 9, 9, 0]


@pytest.mark.parametrize(
    ("arch", "theorem", "measured"),
    [
        (algatt.Normalized((3, 2), (2,), 2, algatt.layers.Affine(1, 1)), 0, 0),
        (algatt.Softmax((3, 2), (2,), 2), 0, 0),
        (algatt.Normalized((3, 2), (2,), 2, algatt.layers.Power(3)), 1, 1),
        (algatt.Normalized((3, 2), (1,), 2, algatt.layers.Power(3)), 3, 3),
        (algatt.Normalized((3, 2), (2,), 1, algatt.layers.Affine(1, 1)), 8, 8),
        (algatt.Normalized((3, 2), (2,), 2, algatt.layers.Rational((1, 0, 1))), None, 0),
        (algatt.Normalized((3, 3, 3), (1, 2), 3, algatt.layers.Power(3)), None, 3 + 8),
        (algatt.Normalized((3, 4, 2), (1, 2), 2, algatt.layers.Affine(1, 1)), 0, 0),
        (algatt.Normalized((3, 3, 3), (1, 2), 1, algatt.layers.Affine(1, 1)), None, 5 + 8),
    ],
    ids=repr,
)
def test_the_last_arrow(arch, theorem, measured):
    arrow = algatt.geometry.fiber_dimensions(arch)[-1]
    assert (arrow.theorem, arrow.measured, arrow.status) == (theorem, measured, "proven")


def test_bad_input():
    arch = algatt.Normalized((3, 2), (1,), 2, algatt.layers.Affine(1, 1))
    with pytest.raises(algatt.errors.InvalidArgument, match="A_1 of rank"):
        algatt.fiber(arch, algatt.sample(algatt.Normalized((3, 2), (2,), 2), algatt.AttentionMatrix))
    with pytest.raises(algatt.errors.InvalidArgument, match="seed"):
        algatt.fiber(arch, algatt.sample(arch, algatt.Weights)).sample(-1)
    for verb in (algatt.is_singular, algatt.is_boundary, algatt.geometry.is_critical, algatt.geometry.tangent_space):
        with pytest.raises(algatt.errors.InvalidArgument, match="lightning attention"):
            verb(arch, algatt.sample(arch, algatt.Weights))
