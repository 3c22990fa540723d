"""Thresholds (derived), each against its own definition."""

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import (
    equiangular_tokens,
    fastest_softmax_temperature,
    radial_dominance_threshold,
    unit_shadow_bound,
)
from algatt.dynamics.statements import check_dominance_threshold, check_fastest_strength, check_unit_shadow_bound


@pytest.mark.parametrize(("n", "heads"), [(3, 2), (12, 3), (1000, 10)])
def test_at_right_angles_the_threshold_is_half_a_logarithm(n, heads):
    assert radial_dominance_threshold(n, heads) == pytest.approx(0.5 * math.log((n - 1) / (heads - 1)))
    assert radial_dominance_threshold(n, heads, strength=2.5) == pytest.approx(0.2 * math.log((n - 1) / (heads - 1)))


@given(n=st.integers(3, 40), heads=st.integers(2, 6), g=st.floats(-0.02, 0.3), strength=st.floats(0.3, 3))
def test_dominance_of_the_tokens_ends_there(n, heads, g, strength):
    beta = radial_dominance_threshold(n, heads, cosine=g, strength=strength)
    tokens = equiangular_tokens(n, n, g)

    def margins(beta):
        return algatt.dynamics.radial_dominance(
            algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(strength),) * heads, beta=beta), tokens
        )

    if beta > 1e-3:
        assert (margins(0.99 * beta) > 0).all()
        assert (margins(1.01 * beta) < 0).all()
    elif beta == 0:
        assert (margins(1e-3) < 1e-9).all()


def test_one_head_is_always_dominant_and_many_never():
    assert radial_dominance_threshold(5, 1) == math.inf
    assert radial_dominance_threshold(5, 6) == 0
    assert check_dominance_threshold(5, 6).verdict == "does not apply"
    assert check_dominance_threshold(50, 3, cosine=0.001).verdict == "holds"


def test_beyond_the_threshold_the_energies_of_equal_scalar_heads_grow_all_the_same():
    """The condition is sufficient only: tangential parts of scalar heads are parallel."""
    beta = 3 * radial_dominance_threshold(10, 2)
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(1.0)), beta=beta)
    tokens = equiangular_tokens(10, 10, 0.1)
    assert (algatt.dynamics.radial_dominance(flow, tokens) < 0).all()
    assert (algatt.dynamics.energy_rate(flow, tokens) > 0).all()


@pytest.mark.parametrize("n", [2, 10, 1000, 10**6])
@pytest.mark.parametrize("g", [-0.0000005, 0.0, 0.6])
def test_the_fastest_strength_is_what_a_search_finds(n, g):
    beta = fastest_softmax_temperature(n, cosine=g, strength=1.7)
    found = scipy.optimize.minimize_scalar(
        lambda x: -x / (math.exp(beta * x * (1 - g)) + n - 1),
        bounds=(1e-6, 20),
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert found.x == pytest.approx(1.7, rel=1e-4)
    b = beta * 1.7 * (1 - g)
    assert (b - 1) * math.exp(b) == pytest.approx(n - 1, rel=1e-12)
    assert check_fastest_strength(n, cosine=g).verdict == "holds"


def test_at_a_fixed_strength_the_softmax_rate_only_falls_with_beta():
    rates = [
        float(
            algatt.dynamics.velocity(
                algatt.dynamics.EquiangularFlow((1.0,), 10, algatt.layers.Exponential(), beta), 0.2
            )
        )
        for beta in np.linspace(0.1, 8, 30)
    ]
    assert (np.diff(rates) < 0).all()


def test_the_bound_of_unit_shadows_is_the_inverse_golden_ratio_at_two_heads():
    assert unit_shadow_bound(1) == 1
    assert unit_shadow_bound(2) == pytest.approx((math.sqrt(5) - 1) / 2, rel=1e-15)
    assert unit_shadow_bound(3) == pytest.approx(math.sqrt(2) - 1, rel=1e-15)
    for heads in (2, 3, 10, 1000):
        root = scipy.optimize.brentq(lambda s, heads=heads: 1 - s * s - (heads - 1) * s, 0, 1, xtol=1e-16)
        assert unit_shadow_bound(heads) == pytest.approx(root, rel=1e-12)
        assert check_unit_shadow_bound(heads).verdict == "holds"


def test_an_equation_with_the_golden_ratio_at_two_heads_and_the_lambert_function_beyond():
    """x^H + x = 1, as the page has it; the metallic means of unit shadows leave the Lambert function."""

    def root(heads):
        return scipy.optimize.brentq(lambda x: x**heads + x - 1, 0, 1, xtol=1e-15)

    assert root(2) == pytest.approx(unit_shadow_bound(2), rel=1e-12)
    assert -math.log(root(2)) == pytest.approx(math.log((1 + math.sqrt(5)) / 2), rel=1e-12)
    quotients = [(1 - root(h)) * h / float(scipy.special.lambertw(h).real) for h in (3, 30, 300, 3000, 30000)]
    assert (np.diff(quotients) > 0).all()
    assert 0.99 < quotients[-1] < 1
    assert unit_shadow_bound(30000) * 30000 / float(scipy.special.lambertw(30000).real) < 0.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: radial_dominance_threshold(1, 2), "tokens was 1"),
        (lambda: radial_dominance_threshold(5, 0), "heads was 0"),
        (lambda: radial_dominance_threshold(5, 2, cosine=1.0), "cosine was 1"),
        (lambda: radial_dominance_threshold(5, 2, cosine=-0.3), "cosine was -0.3"),
        (lambda: radial_dominance_threshold(5, 2, strength=0.0), "strength was 0"),
        (lambda: fastest_softmax_temperature(1), "tokens was 1"),
        (lambda: fastest_softmax_temperature(5, strength=-1.0), "strength was -1"),
        (lambda: unit_shadow_bound(0), "heads was 0"),
        (lambda: unit_shadow_bound(10**200), "heads was .* to 2147483647"),
        (lambda: radial_dominance_threshold(10**400, 2), "tokens was .* to 2147483647"),
        (lambda: fastest_softmax_temperature(10**400), "tokens was .* to 2147483647"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call()
