"""Every verb of a law against the others, which are computed in other ways: density (roots), edge (critical points),
moments (combinatorics).
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

import algatt
from algatt.spectra import AttentionLaw, LinearLaw, MarchenkoPastur
from laws import any_law, linear_laws


@any_law
def test_the_density_has_mass_one_and_the_moments(law, integrate):
    def density(x):
        return algatt.spectra.density(law, x)

    assert integrate(density, algatt.spectra.support(law), 0) + law.mass_at_zero == pytest.approx(1, abs=1e-10)
    for q, moment in enumerate(algatt.spectra.moments(law, 8), start=1):
        assert integrate(density, algatt.spectra.support(law), q) == pytest.approx(moment, rel=1e-10)


@given(linear_laws)
@settings(max_examples=8)
def test_random_laws_have_mass_one(law):
    """By adaptive quadrature: near a gap that is about to open the density has almost a cusp."""
    total = 0.0
    for low, high in algatt.spectra.support(law):
        total += quad(
            lambda s: 2 * s * float(algatt.spectra.density(law, s * s)),
            np.sqrt(low),
            np.sqrt(high),
            limit=200,
            epsabs=1e-10,
            epsrel=1e-10,
        )[0]
    assert total == pytest.approx(1, abs=1e-9)


@any_law
def test_the_distribution_function_is_the_integral_of_the_density(law):
    for low, high in algatt.spectra.support(law):
        a, b = low + 0.2 * (high - low), low + 0.9 * (high - low)
        expected = quad(lambda x: float(algatt.spectra.density(law, x)), a, b, epsabs=1e-12, epsrel=1e-12)[0]
        assert algatt.spectra.cdf(law, b) - algatt.spectra.cdf(law, a) == pytest.approx(expected, abs=1e-11)
    edge = algatt.spectra.edge(law)
    assert algatt.spectra.cdf(law, edge) == algatt.spectra.cdf(law, 2 * edge) == 1
    assert algatt.spectra.cdf(law, -1) == 0
    assert algatt.spectra.cdf(law, 0) == law.mass_at_zero
    steps = np.diff(algatt.spectra.cdf(law, np.linspace(-0.1 * edge, 1.1 * edge, 3001)))
    assert steps.min() > -1e-14


@any_law
def test_quantiles_invert_the_distribution_function(law):
    levels = np.linspace(0, 1, 101)
    points = algatt.spectra.quantile(law, levels)
    assert (np.diff(points) >= 0).all()
    assert np.abs(algatt.spectra.cdf(law, points) - np.maximum(levels, law.mass_at_zero)).max() < 1e-13
    assert algatt.spectra.quantile(law, 1) == algatt.spectra.edge(law)
    assert algatt.spectra.quantile(law, 0) == (0 if law.mass_at_zero else algatt.spectra.support(law)[0][0])


@any_law
def test_the_stieltjes_transform_is_the_integral(law, integrate):
    """At points around the support; pi times the density is its imaginary part; its limit from above on the support and
    from the sides elsewhere.
    """
    edge = algatt.spectra.edge(law)
    for z in (edge * (0.3 + 0.5j), edge * (1.5 - 0.2j), -0.4 * edge, 1.3 * edge):
        for part, name in ((np.real, "real"), (np.imag, "imag")):
            expected = integrate(
                lambda x, z=z, part=part: algatt.spectra.density(law, x) * part(1 / (x - z)),
                algatt.spectra.support(law),
                0,
            )
            expected += law.mass_at_zero * part(-1 / z)
            assert getattr(algatt.spectra.stieltjes(law, z), name) == pytest.approx(expected, abs=1e-11), z
    for low, high in algatt.spectra.support(law):
        x = np.linspace(low, high, 12)[1:-1]
        assert algatt.spectra.stieltjes(law, x).imag == pytest.approx(np.pi * algatt.spectra.density(law, x), rel=1e-9)
        assert algatt.spectra.stieltjes(law, x + 1e-9j) == pytest.approx(algatt.spectra.stieltjes(law, x), rel=1e-6)
    assert np.abs(algatt.spectra.stieltjes(law, np.array([-edge, 1.1 * edge])).imag).max() < 1e-14


@given(linear_laws, st.floats(-3, 3), st.floats(1e-3, 3))
def test_the_quartic_and_the_half_plane(law, x, y):
    """The equation of the mathematics page, written with alpha, beta and c; a Stieltjes transform maps the upper half
    plane to itself.
    """
    z = law.mean * complex(x, y)
    m = algatt.spectra.stieltjes(law, z)
    A, B, c = law.noise, law.signal, law.ratio
    terms = [c * A * B * z**2 * m**4, c * B * z**2 * m**3, ((c - 1) * B - A) * z * m**2, -z * m, -1]
    assert abs(sum(terms)) <= 1e-11 * max(abs(term) for term in terms)
    assert m.imag > 0
    assert (z * m).imag >= -1e-13  # the measure is on the half line


def silverstein(alpha, beta, c, z):
    """Return m(z) of MP_1 times H, H = law(alpha + beta MP_c), by iterating m = integral of dH(t) / (-t z m - z), H by
    quadrature.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    angle = (nodes + 1) * np.pi / 2
    middle, half = 1 + c, 2 * np.sqrt(c)
    t = middle - half * np.cos(angle)
    mass = (half * np.sin(angle)) ** 2 / (2 * np.pi * c * t) * np.pi / 2 * weights
    t, mass = np.append(alpha + beta * t, alpha), np.append(mass, max(0.0, 1 - 1 / c))
    m = -1 / z
    for _ in range(3000):
        m = (m + (mass / (-t * z * m - z)).sum()) / 2
    return m


@pytest.mark.parametrize(("alpha", "beta", "c"), [(0.7, 1.0, 1.0), (0.1, 2.0, 3.0), (1.0, 0.2, 0.3)])
def test_a_fixed_point_iteration_finds_the_same_transform(alpha, beta, c):
    law = LinearLaw(alpha, beta, c)
    for z in (1 + 1j, 3 + 2j, -2 + 0.5j):
        assert algatt.spectra.stieltjes(law, z) == pytest.approx(silverstein(alpha, beta, c, z), rel=1e-9)


@given(linear_laws)
def test_the_edge_is_a_minimum_and_beyond_that_of_marchenko_pastur(law):
    A, B, c = law.noise, law.signal, law.ratio

    def height(logit):
        g = 1 / (c * B) / (1 + np.exp(-logit))
        return (1 + A * g + B * g / (1 - c * B * g)) ** 2 / g

    grid = np.linspace(-20, 20, 801)
    best = grid[np.argmin(height(grid))]
    found = minimize_scalar(height, bounds=(best - 0.1, best + 0.1), method="bounded", options={"xatol": 1e-12})
    assert algatt.spectra.edge(law) == pytest.approx(found.fun, rel=1e-10)
    assert algatt.spectra.edge(law) > algatt.spectra.edge(MarchenkoPastur(1, law.mean))


@given(st.floats(0.05, 5), st.floats(0.05, 20))
def test_the_edge_of_attention_exceeds_that_of_marchenko_pastur(beta, ratio):
    law = AttentionLaw(beta, ratio)
    excess = algatt.spectra.edge(law) / (4 * np.expm1(beta**2)) - 1
    assert excess > 0 or (
        beta > 3 and excess > -1e-14
    )  # of order c beta^4 / theta_1^2, less than rounding for large beta


@pytest.mark.parametrize(("ratio", "edge"), [(1, 9.0095), (2, 10.898), (1 / 3, 7.625)])
def test_edges_of_the_mathematics_page(ratio, edge):
    assert algatt.spectra.edge(AttentionLaw(1, ratio)) == pytest.approx(edge, abs=5e-4)


def test_moments_of_the_mathematics_page():
    theta = np.e - 1
    first, second, third, fourth = algatt.spectra.moments(AttentionLaw(1), 4)
    assert (first, second) == pytest.approx((theta, 2 * theta**2 + 1))
    assert (round(first, 3), round(second, 3), round(third, 2), round(fourth, 1)) == (1.718, 6.905, 36.68, 223.5)


@given(linear_laws)
def test_floating_moments_are_the_exact_polynomials(law):
    import flint

    noise, signal, ratio = (flint.fmpq(*number.as_integer_ratio()) for number in (law.noise, law.signal, law.ratio))
    found = [p(noise + signal, signal, ratio) for p in algatt.spectra.moment_polynomials(8)]
    exact = [int(moment.p) / int(moment.q) for moment in found]
    assert algatt.spectra.moments(law, 8) == pytest.approx(exact, rel=1e-13)
