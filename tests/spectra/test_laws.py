"""Every verb of a law against the others, which are computed in other ways: density (roots), edge (critical points),
moments (combinatorics).
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import AttentionLaw, FussCatalan, Law, LinearLaw, MarchenkoPastur

LAWS = [law for kind in (MarchenkoPastur, FussCatalan, LinearLaw, AttentionLaw) for law in kind.examples()]

any_law = pytest.mark.parametrize("law", LAWS, ids=str)

linear_laws = st.builds(LinearLaw, st.floats(0.01, 10), st.floats(0.01, 10), st.floats(0.05, 20))


@any_law
def test_the_density_has_mass_one_and_the_moments(law, integrate):
    def density(x):
        return algatt.spectra.density(law, x)

    assert integrate(density, algatt.spectra.support(law), 0) + law.mass_at_zero == pytest.approx(1, abs=1e-10)
    for q, moment in enumerate(algatt.spectra.moments(law, 8), start=1):
        assert integrate(density, algatt.spectra.support(law), q) == pytest.approx(moment, rel=1e-10)


@given(linear_laws)
@settings(max_examples=8, deadline=None)
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
@settings(max_examples=100, deadline=None)
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
@settings(max_examples=60, deadline=None)
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
@settings(max_examples=60, deadline=None)
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
@settings(max_examples=30, deadline=None)
def test_floating_moments_are_the_exact_polynomials(law):
    from fractions import Fraction

    exact = [
        float(p(Fraction(law.noise) + Fraction(law.signal), Fraction(law.signal), Fraction(law.ratio)))
        for p in algatt.spectra.moment_polynomials(8)
    ]
    assert algatt.spectra.moments(law, 8) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize(("order", "other"), [(1, MarchenkoPastur(1, 1.7)), (2, LinearLaw(0, 1.7, 1))])
def test_fuss_catalan_is_a_special_case(order, other):
    """Order 1 is Marchenko-Pastur of ratio 1, order 2 the linear law without noise: three codes that share
    no formula.
    """
    law = FussCatalan(order, 1.7)
    x = np.linspace(0.01, algatt.spectra.edge(law) - 0.01, 50)
    for verb in (algatt.spectra.density, algatt.spectra.cdf, algatt.spectra.stieltjes):
        assert verb(law, x) == pytest.approx(verb(other, x), rel=1e-11)
    assert algatt.spectra.moments(law, 6) == pytest.approx(algatt.spectra.moments(other, 6))
    assert algatt.spectra.edge(law) == pytest.approx(algatt.spectra.edge(other), rel=1e-14)


def test_many_factors(integrate):
    law = FussCatalan(25)
    assert integrate(lambda x: algatt.spectra.density(law, x), algatt.spectra.support(law), 1) == pytest.approx(
        1, rel=1e-6
    )
    levels = np.array([0.5, 0.9, 0.999])
    assert algatt.spectra.cdf(law, algatt.spectra.quantile(law, levels)) == pytest.approx(levels, abs=1e-12)


@pytest.mark.parametrize("order", [7, 30, 100])
def test_quantiles_of_many_factors(order):
    """Most of the law is at points of less than 1e-14 of the edge; the median of 100 factors is 1.6e-30."""
    law = FussCatalan(order, 2.0)
    levels = np.array([0.05, 0.1, 0.5, 0.9, 0.999])
    assert algatt.spectra.cdf(law, algatt.spectra.quantile(law, levels)) == pytest.approx(levels, abs=1e-13)
    assert algatt.spectra.quantile(law, [0, 1]).tolist() == [0, algatt.spectra.edge(law)]


@pytest.mark.parametrize("order", [30, 100])
def test_the_density_of_many_factors_is_the_slope_of_the_distribution_function(order):
    law = FussCatalan(order)
    x = np.array([1e-12, 1e-3, 0.5, 10, 0.9 * algatt.spectra.edge(law)])
    step = 1e-5 * x
    slope = (algatt.spectra.cdf(law, x + step) - algatt.spectra.cdf(law, x - step)) / (2 * step)
    assert algatt.spectra.density(law, x) == pytest.approx(slope, rel=1e-6)


def test_the_density_of_order_two_has_a_closed_form():
    """Penson and Zyczkowski, Phys. Rev. E 83, 061118 (2011), Eq 17."""
    x = np.linspace(0.05, 6.7, 40)
    root = (27 + 3 * np.sqrt(81 - 12 * x)) ** (1 / 3)
    expected = (
        2 ** (1 / 3) * np.sqrt(3) / (12 * np.pi) * (2 ** (1 / 3) * root**2 - 6 * np.cbrt(x)) / (np.cbrt(x) ** 2 * root)
    )
    assert algatt.spectra.density(FussCatalan(2), x) == pytest.approx(expected, rel=1e-12)


def test_without_a_product_it_is_nearly_marchenko_pastur():
    """The signal's share of the mean goes to zero as beta grows."""
    law = AttentionLaw(5.0)
    assert algatt.spectra.wasserstein_distance(law, MarchenkoPastur(1, law.mean)) < 1e-9 * law.mean
    assert algatt.spectra.edge(law) == pytest.approx(4 * law.mean, rel=1e-14)


def test_small_beta_is_fuss_catalan():
    """The noise is of order beta^4, the signal of order beta^2."""
    law = AttentionLaw(1e-3)
    x = np.linspace(0.1, 6.7, 30) * law.mean
    assert algatt.spectra.density(law, x) == pytest.approx(
        algatt.spectra.density(FussCatalan(2, law.mean), x), rel=1e-3
    )


@pytest.mark.parametrize(
    "law",
    [AttentionLaw(b, c) for b, c in ((1e-50, 1), (1e-6, 1), (18, 1), (1, 1e-6), (1, 1e6), (1e-3, 50))]
    + [LinearLaw(1e-300, 1, 1)],
)
def test_extreme_parameters(law):
    """The verbs stay finite, and agree with each other as far as the support is resolved."""
    levels = np.array([0.05, 0.5, 0.99, 0.999])
    points = algatt.spectra.quantile(law, levels)
    assert algatt.spectra.cdf(law, points) == pytest.approx(levels, abs=1e-9)
    assert np.isfinite(algatt.spectra.density(law, points)).all()
    assert np.isfinite(algatt.spectra.moments(law, 2)).all()
    assert algatt.spectra.edge(law) >= 4 * law.mean


def test_the_support_has_a_gap_where_keys_are_few():
    """With d_qk much smaller than l the rank of K shows: a share d_qk / l = 1 / c of the values, above a gap that
    follows from the discriminant.
    """
    (low, high), (start, end) = algatt.spectra.support(AttentionLaw(0.7, 12))
    assert 0 == low < high < start < end
    assert algatt.spectra.cdf(AttentionLaw(0.7, 12), (high + start) / 2) == pytest.approx(11 / 12, abs=1e-15)
    assert len(algatt.spectra.support(AttentionLaw(0.7, 2))) == 1
    values = algatt.spectra.squared_singular_values(algatt.spectra.LinearEnsemble(480, 480, 40, 0.7), drop=0)
    assert ((values > high + 0.1) & (values < start - 0.3)).sum() == 0
    assert (values > (high + start) / 2).sum() == 40


@pytest.mark.parametrize("ratio", [2, 5, 12, 100, 1000])
@pytest.mark.parametrize("beta", [0.01, 0.5, 1, 2])
def test_a_few_units_of_the_last_place_inside_the_support(beta, ratio):
    """All four roots are real there after rounding, and the distribution function must still be that of the end."""
    law = AttentionLaw(beta, ratio)
    for low, high in algatt.spectra.support(law):
        for end, other in ((low, high), (high, low)):
            if end > 0:
                x = [end]
                for _ in range(12):
                    x.append(np.nextafter(x[-1], other))
                assert algatt.spectra.cdf(law, x) == pytest.approx(algatt.spectra.cdf(law, end), abs=1e-6)


def test_quantiles_below_a_gap():
    """The lower interval of the support has the mass 1 - 1/c, however small it is beside the upper one."""
    law = AttentionLaw(0.01, 100)
    levels = np.array([0.01, 0.1, 0.5, 0.9])
    points = algatt.spectra.quantile(law, levels)
    assert points.max() < algatt.spectra.support(law)[0][1] < 2e-8
    assert algatt.spectra.cdf(law, points) == pytest.approx(levels, abs=1e-10)


@given(st.floats(6, 18), st.floats(0.01, 1e4))
@settings(max_examples=200, deadline=None)
def test_there_is_no_gap_where_the_signal_is_nothing(beta, ratio):
    """The share of the signal is below 1e-13, so that the law is Marchenko-Pastur up to rounding."""
    law = AttentionLaw(beta, ratio)
    ((low, high),) = algatt.spectra.support(law)
    assert low == 0
    assert high == pytest.approx(4 * law.mean, rel=1e-8)


@given(st.floats(0.3, 1.5), st.floats(1e-6, 0.9))
@settings(max_examples=40, deadline=None)
def test_a_gap_is_where_the_equation_has_four_real_roots(k, noise):
    """In the gap all roots y of s are real: seen on a grid of s, without the cubic."""
    law = LinearLaw(noise, 1 - noise, k / (1 - noise))
    gaps = 0
    for s in np.linspace(1e-3, np.sqrt(algatt.spectra.edge(law)) * 0.999, 60):
        roots = np.roots([1, -s, 1 - k, k * s, -noise * k])
        gaps += np.abs(roots.imag).max() < 1e-9
    assert gaps == 0 or len(algatt.spectra.support(law)) == 2


@pytest.mark.parametrize("z", [-1e-3, -1e-6, -1e-12, 1e-6, 1e-9 + 1e-9j])
def test_the_transform_beside_a_mass_at_zero(z):
    """The mass 3/4, and the first two inverse moments of the rest, 1/12 and 1/27: integrals of the density of MP_4,
    which is on [1, 9].
    """
    expected = -0.75 / z + 1 / 12 + z / 27
    assert algatt.spectra.stieltjes(MarchenkoPastur(4), z) == pytest.approx(expected, rel=1e-14 + abs(z) ** 3)
    assert algatt.spectra.stieltjes(MarchenkoPastur(4, 2), 2 * z) == pytest.approx(
        expected / 2, rel=1e-14 + abs(z) ** 3
    )


@pytest.mark.parametrize("law", [MarchenkoPastur(1, 30.0), FussCatalan(2, 30.0), AttentionLaw(1.7)], ids=str)
def test_points_at_zero_and_beside_it(law):
    x = np.array([-1.0, -0.0, 0.0, 5e-324, 1e-300, 1e-12])
    reached = algatt.spectra.cdf(law, x)
    assert reached[:3].tolist() == [0, 0, 0]
    assert (reached[3:] >= 0).all()
    assert reached[-1] < 1e-3
    assert algatt.spectra.density(law, x)[:3].tolist() == [0, 0, 0]
    assert algatt.spectra.wasserstein_distance(x, law) == pytest.approx(algatt.spectra.moments(law, 1)[0], rel=0.05)


@pytest.mark.parametrize(
    ("law", "infinite"),
    [(MarchenkoPastur(0.25), False), *((law, True) for law in LAWS if law != MarchenkoPastur(0.25, 3.0))],
)
def test_the_transform_at_zero(law, infinite):
    m = algatt.spectra.stieltjes(law, [0.0, -1e-12])
    if infinite:
        assert m[0] == np.inf
        assert m[1].real > 100
    else:
        assert m[0] == pytest.approx(1 / (1 - 0.25))  # the mean inverse of a Wishart matrix


def test_numbers_of_numpy_are_numbers():
    law = AttentionLaw(1)
    assert (
        algatt.spectra.density(law, np.int64(2))
        == algatt.spectra.density(law, 2)
        == algatt.spectra.density(law, np.float64(2))
    )
    assert algatt.spectra.stieltjes(law, np.complex128(2j)) == algatt.spectra.stieltjes(law, 2j)
    assert algatt.spectra.moments(law, np.int64(2)) == algatt.spectra.moments(law, 2)


def test_scalars_give_scalars_and_arrays_their_shape():
    for law in LAWS:
        for verb in (algatt.spectra.density, algatt.spectra.cdf, algatt.spectra.stieltjes):
            assert np.ndim(verb(law, 1.5)) == 0
            assert verb(law, [[0.5, 1.0, 1.5]]).shape == (1, 3)
        assert np.ndim(algatt.spectra.quantile(law, 0.5)) == 0
        assert algatt.spectra.quantile(law, [[0.5, 0.25]]).shape == (1, 2)


@any_law
def test_laws_are_values(law):
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(law) == hash(pickle.loads(pickle.dumps(law)))
    assert isinstance(law, Law)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AttentionLaw(0), "beta was 0; it should be a finite number > 0"),
        (lambda: AttentionLaw(-1), "beta was -1; it should be a finite number > 0"),
        (lambda: AttentionLaw(30), "beta was 30; it should be between 1e-50 and 18: beyond, floats"),
        (lambda: AttentionLaw(1, 0), "ratio was 0"),
        (lambda: AttentionLaw(1e-200), "beta was 1e-200; it should be between 1e-50 and"),
        (lambda: AttentionLaw(10**400), "beta was 1000.*; it should be a finite number > 0"),
        (lambda: AttentionLaw(1, 1e9), r"ratio was 1000000000.0; it should be between 1e-100 and 1e\+08"),
        (lambda: LinearLaw(1e308, 1e308, 1), r"noise was 1e\+308"),
        (lambda: MarchenkoPastur(1e-40), "ratio was 1e-40; it should be between 1e-08 and"),
        (lambda: FussCatalan(10**6), "order was 1000000; it should be at most 100"),
        (lambda: FussCatalan(2, 1e308), r"scale was 1e\+308"),
        (lambda: algatt.spectra.moments(FussCatalan(2), 400), "count was 400; it should be smaller"),
        (lambda: algatt.spectra.moments(AttentionLaw(18), 3), "count was 3; it should be smaller"),
        (lambda: algatt.spectra.free_cumulants(MarchenkoPastur(1, 1e99), 5), "count was 5; it should be smaller"),
        (lambda: algatt.spectra.free_cumulants(LinearLaw(1, 1e99, 1), 5), "count was 5; it should be smaller"),
        (lambda: algatt.spectra.density(AttentionLaw(1), np.array([1 + 1j])), "points was an array of complex128"),
        (lambda: algatt.spectra.density(AttentionLaw(1), ["1.5"]), "points was .'1.5'."),
        (lambda: algatt.spectra.density(AttentionLaw(1), [True]), "points was .True."),
        (lambda: algatt.spectra.density(AttentionLaw(1), 10**400), "points was 1000"),
        (
            lambda: algatt.spectra.wasserstein_distance(np.array([1 + 1j]), AttentionLaw(1)),
            "one was an array of complex128",
        ),
        *[
            (
                lambda law=law: algatt.spectra.stieltjes(law, [1, -np.inf]),
                "points was with infinity; it should be finite",
            )
            for law in (AttentionLaw(1), MarchenkoPastur(1), FussCatalan(1))
        ],
        (lambda: AttentionLaw("1"), "beta was '1'"),
        (lambda: AttentionLaw(True), "beta was True"),
        (lambda: LinearLaw(-1, 1, 1), "noise was -1; it should be a finite number >= 0"),
        (lambda: LinearLaw(1, 0, 1), "signal was 0"),
        (lambda: MarchenkoPastur(float("inf")), "ratio was inf"),
        (lambda: MarchenkoPastur(1, 0), "scale was 0"),
        (lambda: FussCatalan(0), "order was 0; it should be an integer >= 1"),
        (lambda: FussCatalan(1.5), "order was 1.5"),
        (lambda: algatt.spectra.moments(MarchenkoPastur(1), 0), "count was 0; it should be an integer >= 1"),
        (lambda: algatt.spectra.free_cumulants(FussCatalan(1), 0), "count was 0"),
        (lambda: algatt.spectra.free_cumulants(AttentionLaw(1), -1), "count was -1"),
        (lambda: algatt.spectra.quantile(AttentionLaw(1), 1.5), r"probabilities was with entries outside of \[0, 1\]"),
        (lambda: algatt.spectra.density(AttentionLaw(1), [float("nan")]), "points was with NaN"),
        (lambda: algatt.spectra.cdf(MarchenkoPastur(1), ["x"]), "points was .'x'.; it should be a number"),
        (lambda: algatt.spectra.stieltjes(FussCatalan(2), complex("nan")), "points was with NaN"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()
