"""The spectrum of the Jacobian in floating point: its numbers by a second implementation, and verdicts that are right
or refused.
"""

from __future__ import annotations

import hashlib
import json
import statistics

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields.real import SingleReals
from algatt.geometry.dimensions.spectrum import FloatSpectrum, decided, drawn, normal_numbers, spectrum, widest_gap

ARCH = algatt.Softmax((4, 3, 4), (2, 2), 3)

LIAR = algatt.Softmax((1, 1, 2, 1), (1, 1, 1), 3)
"""At seed 3 its fourth singular value is smaller than rounding, and the gap is after the third."""


def softmax_network(arch, vector, X):
    """HMK Eq 15, written for complex numbers with numpy alone."""
    first = 0
    for d, e, a in zip(arch.dims, arch.dims[1:], arch.ranks, strict=False):
        Q, K, V = (
            vector[start : start + r * d].reshape(r, d)
            for start, r in ((first, a), (first + a * d, a), (first + 2 * a * d, e))
        )
        first += (2 * a + e) * d
        scores = np.exp((K @ X).T @ (Q @ X) / arch.score.temperature)
        X = V @ X @ (scores / scores.sum(axis=0))
    return X


def jacobian_by_complex_steps(arch, theta, inputs):
    """f'(x) = Im f(x + ih) / h without a difference, so without cancellation."""
    vector = np.concatenate([element.raw.ravel() for element in theta.elements])
    columns = []
    for k in range(len(vector)):
        moved = vector.astype(complex)
        moved[k] += 1e-30j
        columns.append(np.concatenate([softmax_network(arch, moved, X).imag.ravel() / 1e-30 for X in inputs]))
    return np.array(columns).T


@pytest.mark.parametrize("draw", ["uniform", "normal"])
@pytest.mark.parametrize(
    "arch", [ARCH, algatt.Softmax((3, 2), (2,), 2, temperature=2), algatt.Softmax((3, 3, 3, 3), (1, 2, 3), 4)]
)
def test_the_singular_values_are_those_of_a_second_implementation(arch, draw):
    found = algatt.jacobian_spectrum(arch, seed=5, inputs=9, draw=draw)
    theta, X = drawn(arch, 5, 9, draw, 1.0, 1.0)
    values = np.linalg.svd(jacobian_by_complex_steps(arch, theta, X.raw), compute_uv=False)
    assert found.shape == (9 * arch.dims[-1] * arch.tokens, arch.parameters)
    np.testing.assert_allclose(found.singular_values, values, atol=1e-12 * values[0])
    np.testing.assert_allclose(found.single.singular_values, values, atol=3e-5 * values[0])


def test_both_precisions_are_what_they_say():
    found = algatt.jacobian_spectrum(ARCH)
    assert (found.double.precision, found.single.precision) == ("float64", "float32")
    theta, X = drawn(ARCH, 0, 2, "uniform", 1.0, 1.0)
    field = SingleReals()
    at = algatt.Weights(tuple(algatt.fields.Elements.of(field, element.raw) for element in theta.elements))
    value = verbs.evaluate(ARCH, at, algatt.fields.Elements.of(field, X.raw)).raw
    matrix = verbs.jacobian(ARCH, at, algatt.fields.Elements.of(field, X.raw)).raw
    assert value.dtype == matrix.dtype == np.float32
    assert str(field) == "RR (float32)"
    exact = verbs.evaluate(ARCH, theta, X).raw
    assert 0 < np.abs(value - exact).max() < 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize(
    "score", [algatt.layers.Exponential(), algatt.layers.Affine(1, 1), algatt.layers.Rational((1, 1), (3, 0, 1))]
)
@pytest.mark.parametrize("field", [algatt.Reals(), SingleReals()])
def test_the_default_tolerance_is_numpys(score, field):
    arch = algatt.Normalized((6, 5, 6), (1, 2), 2, score)
    theta, X = drawn(arch, 1, 30, "normal", 1.0, 1.0)
    at = algatt.Weights(tuple(algatt.fields.Elements.of(field, element.raw) for element in theta.elements))
    matrix = verbs.jacobian(arch, at, algatt.fields.Elements.of(field, X.raw)).raw
    assert spectrum(arch, theta, X, field).rank == np.linalg.matrix_rank(matrix)


@pytest.mark.sample(4)
@pytest.mark.parametrize(("delta", "dimension"), [(3, 25), (4, 40), (5, 57)])
@pytest.mark.parametrize("draw", ["uniform", "normal"])
def test_figure_3(delta, dimension, draw):
    found = algatt.jacobian_spectrum(algatt.Softmax((delta,) * 3, (2, 2), 3), draw=draw, prove=True)
    assert (found.verdict.rank, found.gap.rank, found.double.rank, found.upper, found.expected.value, found.proven) == (
        dimension,
    ) * 6
    assert found.refusal is None
    assert found.verdict.gap == found.gap.gap > 1e3


def test_a_gap_at_the_wrong_place_is_refused():
    found = algatt.jacobian_spectrum(LIAR, seed=3, prove=True)
    assert found.proven == found.upper == 4
    assert (found.gap.rank, found.double.rank, found.opening) == (3, 3, 1.0)
    assert found.gap.gap > 1e6
    assert found.verdict is None
    assert "the gap is after 3, but the symmetries leave 4" in found.refusal
    assert "verdict=refused" in repr(found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("layers", [4, 5])
def test_deep_lightning_has_no_gap(layers):
    found = algatt.jacobian_spectrum(algatt.Lightning((4,) * (layers + 1), (2,) * layers, 3))
    assert found.verdict is None
    assert "gap" in found.refusal
    assert found.single is None  # degrees of 81 and more
    assert "float32=None" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_more_than_the_symmetries_leave_is_refused():
    """As if a symmetry were declared that is none."""
    values = np.array([1.0, 0.5, 0.1, 1e-17])
    verdict, refusal = decided(FloatSpectrum(values, (10, 4)), 1e3, 2)
    assert verdict is None
    assert refusal == "the gap is after 3, but the symmetries leave at most 2"
    assert decided(FloatSpectrum(values, (10, 4)), 1e3, 3)[0].rank == 3


def test_a_zero_matrix_has_rank_zero():
    nothing = FloatSpectrum(np.zeros(3), (5, 3))
    assert (nothing.rank, nothing.tolerance) == (0, 0.0)
    assert decided(nothing, 1e3, 0)[0].rank == 0
    assert widest_gap(nothing).rank == 0


@pytest.mark.parametrize("draw", ["uniform", "normal"])
def test_float32_has_the_numbers_of_a_point(draw):
    theta, X = drawn(ARCH, 2, 5, draw, 0.7, 1.3)
    for element in (*theta.elements, X):
        assert (element.raw.astype(np.float32).astype(np.float64) == element.raw).all()


def test_normal_numbers_are_those_of_the_stream():
    """By SHAKE-256 and the inverse distribution function of the standard library."""
    digest = hashlib.shake_256(b"algatt/1/7/normal/weights").digest(8 * 50)
    words = [int.from_bytes(digest[8 * k : 8 * k + 8], "little") for k in range(50)]
    expected = [statistics.NormalDist().inv_cdf(((word >> 11) + 0.5) / 2**53) for word in words]
    np.testing.assert_allclose(normal_numbers(7, "weights", (5, 10)).ravel(), expected, rtol=1e-12)


@pytest.mark.parametrize("draw", ["uniform", "normal"])
def test_scales_are_factors(draw):
    one, _ = drawn(ARCH, 2, 3, draw, 1.0, 1.0)
    two, X = drawn(ARCH, 2, 3, draw, 2.0, 4.0)
    _, Y = drawn(ARCH, 2, 3, draw, 1.0, 1.0)
    for left, right in zip(one.elements, two.elements, strict=True):
        np.testing.assert_array_equal(2 * left.raw, right.raw)
    np.testing.assert_array_equal(4 * Y.raw, X.raw)


def test_the_default_scales_open_the_spectrum():
    openings = {
        scale: algatt.jacobian_spectrum(ARCH, weight_scale=scale, input_scale=scale).opening
        for scale in (0.25, 1.0, 4.0)
    }
    assert openings[1.0] == max(openings.values())
    assert openings[1.0] == algatt.jacobian_spectrum(ARCH).gap.gap


def test_the_default_inputs_are_enough():
    for arch in (ARCH, algatt.Softmax((5, 5, 5), (1, 3), 3)):
        few = algatt.jacobian_spectrum(arch)
        many = algatt.jacobian_spectrum(arch, inputs=2 * few.inputs)
        assert few.verdict.rank == many.verdict.rank == algatt.dimension(arch).value


def test_the_same_seed_is_the_same_point_and_json_has_everything():
    one, two = (algatt.jacobian_spectrum(ARCH, seed=4, draw="normal").to_dict() for _ in range(2))
    assert one == two
    assert json.loads(json.dumps(one)) == one
    assert one["expected"] == {"value": 35, "source": "HMK Conjecture 3.10 (Eq 16)"}
    assert (one["verdict"]["rank"], one["upper"], one["proven"], one["draw"], one["seed"]) == (
        35,
        35,
        None,
        "normal",
        4,
    )
    assert len(one["double"]["singular_values"]) == len(one["single"]["singular_values"]) == ARCH.parameters
    assert (one["double"]["precision"], one["single"]["precision"]) == ("float64", "float32")
    assert algatt.jacobian_spectrum(ARCH, seed=5).to_dict()["double"] != one["double"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed was -1"),
        ({"inputs": 0}, "inputs was 0"),
        ({"inputs": 2.5}, "inputs was 2.5"),
        ({"weight_scale": 0}, "weight_scale was 0"),
        ({"weight_scale": "1"}, "weight_scale was '1'"),
        ({"input_scale": float("nan")}, "input_scale was nan"),
        ({"input_scale": True}, "input_scale was True"),
        (
            {"weight_scale": 1e300},
            "weight_scale was 1e+300, which makes numbers that float32 does not have; it should be smaller",
        ),
        (
            {"weight_scale": 1e-60},
            "weight_scale was 1e-60, which makes numbers that are zero in float32; it should be larger",
        ),
        ({"input_scale": 5e-324, "draw": "normal"}, "input_scale was 4.94066e-324, which makes numbers that are zero"),
        ({"draw": "cauchy"}, "draw was 'cauchy'; it should be one of 'uniform', 'normal'"),
        ({"gap": 1}, "gap was 1"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(algatt.errors.InvalidArgument) as caught:
        algatt.jacobian_spectrum(ARCH, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("arch", [algatt.Softmax((3,) * 6, (2,) * 5, 3), algatt.Lightning((4, 3, 4), (2, 2), 3)])
def test_what_is_too_large_for_float64_says_what_to_do(arch):
    with pytest.raises(algatt.errors.ScoreOverflow, match="smaller"):
        algatt.jacobian_spectrum(arch, weight_scale=1e37, input_scale=1e37)


@pytest.mark.parametrize(
    ("score", "scale"),
    [(algatt.layers.Exponential(1e-60), 1.0), (algatt.layers.Power(7), 1e-4)],
    ids=["the temperature is zero in float32", "scores are"],
)
def test_what_vanishes_in_float32_is_told_by_float64_alone(score, scale):
    spectrum = algatt.jacobian_spectrum(
        algatt.Normalized((3, 2), (2,), 2, score), weight_scale=scale, input_scale=scale
    )
    assert spectrum.single is None
    assert spectrum.double.rank > 0
