"""Normal forms and kernels of networks with normalised scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)


@st.composite
def networks(draw):
    layers = draw(st.integers(1, 3))
    dims = tuple(draw(st.integers(1, 4)) for _ in range(layers + 1))
    score = draw(
        st.sampled_from(
            [
                algatt.layers.Affine(1, 1),
                algatt.layers.Power(3),
                algatt.layers.Rational((1,), (2, 1)),
                algatt.layers.Exponential(),
            ]
        )
    )
    return algatt.Normalized(dims, tuple(draw(st.integers(1, 4)) for _ in range(layers)), 2, score)


def unreached(arch):
    """Changes of tensors by what vanishes on all that inputs reach."""
    names = [f"{letter}_{number}" for number in range(1, arch.layers + 1) for letter in "QKV"]
    lightning = algatt.Lightning(arch.dims, arch.ranks, arch.tokens)
    return [algatt.symmetry.UnseenDirections(lightning, name, reads_some=False) for name in names]


def moved_by_gauges(arch, theta, seed):
    families = [algatt.symmetry.KeyQuery(arch), algatt.symmetry.Interlayer(arch), *unreached(arch)]
    for family in [*families, algatt.symmetry.ScoreRescaling(arch)] if arch.score.homogeneous else families:
        theta = algatt.act(family.element(theta, seed), theta)
    return theta


@given(networks(), st.integers(0, 10**6))
def test_the_laws_over_a_prime_field(arch, seed):
    """Gauges are about weights, so that softmax has normal forms over GF(p) too, where it has no values."""
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    moved = moved_by_gauges(arch, theta, seed + 1)
    form = algatt.canonical(arch, theta)
    for coordinates in COORDINATES:
        one, two = algatt.convert(theta, coordinates), algatt.convert(moved, coordinates)
        normal = algatt.canonical(arch, one)
        assert algatt.canonical(arch, two) == normal
        assert algatt.canonical(arch, normal) == normal
        assert algatt.act(algatt.geometry.normal_form_map(arch, one), one) == normal
        assert algatt.convert(form, coordinates) == normal
        if arch.algebraic:
            assert algatt.same_function(arch, one, normal).status == "proven"


@given(networks(), st.integers(0, 10**6))
def test_the_laws_over_the_reals(arch, seed):
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed)
    moved = moved_by_gauges(arch, theta, seed + 1)
    try:
        for coordinates in COORDINATES:
            one, two = algatt.convert(theta, coordinates), algatt.convert(moved, coordinates)
            normal, other = algatt.canonical(arch, one), algatt.canonical(arch, two)
            again = algatt.canonical(arch, normal)
            for a, b, c in zip(normal.elements, other.elements, again.elements, strict=True):
                size = max(np.linalg.norm(a.raw), 1e-300)
                assert np.linalg.norm(a.raw - c.raw) <= 1e-7 * size
                assert np.linalg.norm(a.raw - b.raw) <= 1e-4 * size
    except algatt.errors.RankUndecided:
        pass  # refused, not wrong


def test_only_homogeneous_scores_divide_a_rescaling_out():
    theta = algatt.sample(algatt.Softmax((3, 2), (2,), 2), algatt.VirtualWeights)
    assert algatt.canonical(algatt.Softmax((3, 2), (2,), 2), theta) == theta
    assert algatt.geometry.normal_form_map(algatt.Softmax((3, 2), (2,), 2), theta) == algatt.symmetry.ProductElement(())
    form = algatt.canonical(algatt.Normalized((3, 2), (2,), 2, algatt.layers.Power(3)), theta)
    assert form.M[0].ravel()[0] == 1
    assert (form.L == theta.L).all()


def test_points_without_a_normal_form():
    zero = algatt.AttentionMatrix.of([(np.zeros((2, 2), dtype=int), np.eye(2, dtype=int))], field=algatt.PrimeField(7))
    assert algatt.canonical(algatt.Softmax((2, 2), (2,), 2), zero) == zero
    with pytest.raises(algatt.errors.InvalidArgument, match=r"no function.*the sum of scores is zero"):
        algatt.canonical(algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(3)), zero)


@pytest.mark.parametrize(
    "score", [algatt.layers.Affine(1, 1), algatt.layers.Power(3), algatt.layers.Exponential()], ids=repr
)
@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"), [((3, 2), (2,), 2), ((4, 3, 4), (2, 2), 3), ((3, 2, 2), (1, 2), 2), ((3, 2), (2,), 1)]
)
def test_nothing_is_unexplained_at_generic_weights(dims, ranks, tokens, score):
    arch = algatt.Normalized(dims, ranks, tokens, score)
    dimension = algatt.dimension(arch).value
    for field in (algatt.PrimeField(), algatt.Reals()) if arch.algebraic else (algatt.Reals(),):
        found = algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights, field=field))
        assert (found.dimension, found.basis, found.status) == (0, (), "proven")
        assert found.kernel == found.explained == arch.parameters - dimension


def test_denominators_that_vanish_are_no_obstacle():
    arch = algatt.Normalized((3, 2), (2,), 3, algatt.layers.Affine(1, 1))
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(5))
    found = algatt.unexplained_kernel(arch, theta)
    assert found.kernel == found.explained + found.dimension
    never = algatt.Normalized((3, 2), (2,), 3, algatt.layers.Affine(5, 0))
    with pytest.raises(algatt.errors.UndefinedFunction, match="a point with no function"):
        algatt.unexplained_kernel(never, theta)


def test_what_balls_cannot_prove_is_refused():
    arch = algatt.Softmax((2, 2, 2), (1, 1), 2)
    (Q, K, V), last = algatt.sample(arch, algatt.Weights, field=algatt.Reals()).layers
    with pytest.raises(algatt.errors.InvalidArgument, match="6 directions undecided"):
        algatt.unexplained_kernel(arch, algatt.Weights.of([(Q, K, 0 * V), last]))
    wide = algatt.Softmax((2, 3, 2), (1, 1), 2)
    with pytest.raises(algatt.errors.InvalidArgument, match="unseen directions of Q_2"):
        algatt.unexplained_kernel(wide, algatt.sample(wide, algatt.Weights, field=algatt.Reals()))
    with pytest.raises(algatt.errors.InvalidArgument, match="has no values"):
        algatt.unexplained_kernel(arch, algatt.sample(arch, algatt.Weights))
