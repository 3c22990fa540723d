"""Laws of expressions against the closed forms of other laws, and against other equations of free probability."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import NoSolution
from algatt.spectra import (
    AttentionLaw,
    ExpressionLaw,
    FussCatalan,
    LinearLaw,
    MarchenkoPastur,
    SumOfHeads,
    Values,
    cumulants_of_moments,
    free_multiplicative_convolution,
    gaussian_expression,
    identity_expression,
    linear_attention,
    moments_of_r_diagonal,
)
from algatt.spectra.layers.models import LinearModel


def chain_of(count):
    expression = gaussian_expression("X0")
    for number in range(1, count):
        expression = expression @ gaussian_expression(f"X{number}")
    return expression


def signal_of(ratio):
    keys, queries = (gaussian_expression(name, columns=1 / ratio) for name in "KQ")
    return float(np.sqrt(ratio)) * queries @ keys.T


KNOWN = [
    (chain_of(2), FussCatalan(2)),
    (gaussian_expression("X", rows=3), MarchenkoPastur(1 / 3, 3.0)),
    (float(np.sqrt(0.05)) * gaussian_expression("Z") + signal_of(8.0), LinearLaw(0.05, 1.0, 8.0)),
    (signal_of(3.0), LinearLaw(0.0, 1.0, 3.0)),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("expression", "known"), KNOWN, ids=lambda value: str(value)[:40])
def test_laws_with_a_closed_form(expression, known):
    law = ExpressionLaw(expression)
    assert law.mass_at_zero == pytest.approx(known.mass_at_zero, abs=1e-12)
    for found, end in zip(algatt.spectra.support(law), algatt.spectra.support(known), strict=True):
        assert found == pytest.approx(end, rel=1e-9, abs=1e-9)
    points = np.linspace(0.02, 0.98, 25) * algatt.spectra.edge(known)
    points = points[algatt.spectra.density(known, points) > 0]
    assert algatt.spectra.density(law, points) == pytest.approx(algatt.spectra.density(known, points), rel=1e-10)
    assert algatt.spectra.cdf(law, points) == pytest.approx(algatt.spectra.cdf(known, points), abs=1e-10)
    levels = np.linspace(0, 1, 21)
    expected = algatt.spectra.quantile(known, levels)
    assert algatt.spectra.quantile(law, levels) == pytest.approx(expected, abs=1e-8)
    assert algatt.spectra.moments(law, 5) == pytest.approx(algatt.spectra.moments(known, 5), rel=1e-9)
    z = np.array([1 + 1j, -2.0, 3 - 0.5j, 1.5 * algatt.spectra.edge(known)])
    assert algatt.spectra.stieltjes(law, z) == pytest.approx(algatt.spectra.stieltjes(known, z), rel=1e-12)


def test_values_multiply_freely():
    """By S-transforms, which know nothing of matrices: attention times independent values is a free product."""
    law = ExpressionLaw(linear_attention(0.8, 2.0) @ gaussian_expression("V"))
    attention, values = algatt.spectra.moments(AttentionLaw(0.8, 2.0), 5), algatt.spectra.moments(MarchenkoPastur(1), 5)
    expected = free_multiplicative_convolution(attention, values)
    assert algatt.spectra.moments(law, 5) == pytest.approx(expected, rel=1e-11)


def test_tied_values_are_a_compound_free_poisson_law():
    """Given the keys, the rows are Gaussian: the free cumulants are the moments of the covariance, a polynomial of a
    Marchenko-Pastur variable, and not those of independent values.
    """
    beta = 0.5
    noise = np.expm1(beta**2) - beta**2
    wishart = algatt.spectra.moments(MarchenkoPastur(1), 8)

    def covariance(q):
        # the moment of order q of noise x + beta^2 x^2
        binomials = np.polynomial.polynomial.polypow([0.0, noise, beta**2], q)
        return sum(c * (1.0 if k == 0 else wishart[k - 1]) for k, c in enumerate(binomials))

    law = ExpressionLaw(linear_attention(beta) @ gaussian_expression("keys"))
    assert algatt.spectra.free_cumulants(law, 4) == pytest.approx([covariance(q) for q in (1, 2, 3, 4)], rel=1e-10)
    independent = ExpressionLaw(linear_attention(beta) @ gaussian_expression("values"))
    assert algatt.spectra.moments(law, 2)[1] == pytest.approx(1.2476, abs=1e-4)
    assert algatt.spectra.moments(independent, 2)[1] == pytest.approx(0.3045, abs=1e-4)
    # measured with 2000 tokens and without the three largest values, as in HCK's figures: 1.21
    levels = (np.arange(2000 - 3) + 0.5) / 2000
    assert (algatt.spectra.quantile(law, levels) ** 2).mean() == pytest.approx(1.21, abs=5e-3)


def test_the_sum_of_heads_is_a_free_sum():
    """Of R-diagonal elements, whose determining sequences add up; these are twice the free cumulants of the squares."""
    one, two = (ExpressionLaw(SumOfHeads(heads).matrix(LinearModel(0.7, 1.5))) for heads in (1, 2))
    determining = cumulants_of_moments(cumulants_of_moments(algatt.spectra.moments(one, 5)))
    halves = [2 * alpha / 2**q for q, alpha in enumerate(determining, start=1)]
    assert algatt.spectra.moments(two, 5) == pytest.approx(moments_of_r_diagonal(halves), rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_what_is_too_large_for_floats_is_refused():
    law = ExpressionLaw(Values().matrix(LinearModel(8.0, 1.0)))
    with pytest.raises(NoSolution, match="too large for floats"):
        algatt.spectra.cdf(law, 1.0)


def dozier_silverstein(t, z):
    """Return m(z) of 1 + t Z by the equation of information plus noise, m = 1 / (1 / (1 + t^2 m) - z (1 + t^2 m))."""
    m = -1 / z
    for _ in range(4000):
        m = (m + 1 / (1 / (1 + t**2 * m) - z * (1 + t**2 * m))) / 2
    return m


def test_a_skip_connection_is_information_plus_noise():
    law = ExpressionLaw(identity_expression() + 0.7 * gaussian_expression("Z"))
    for z in (1 + 0.5j, 3 + 1j, -1 + 0.2j):
        assert algatt.spectra.stieltjes(law, z) == pytest.approx(dozier_silverstein(0.7, z), rel=1e-9)


def test_weak_noise_leaves_a_gap_at_zero():
    """The support of |1 + t Z|^2 is away from zero for t < 1, by the edges of Dozier and Silverstein's equation: the
    critical values of its inverse.
    """
    t = 0.3
    (ends,) = algatt.spectra.support(ExpressionLaw(identity_expression() + t * gaussian_expression("Z")))
    # with b = 1 + t^2 m, x = 1 / b^2 - t^2 / (b (b - 1)): above the support 0 < b < 1, and below it b > 1
    below, above = np.linspace(1.01, 60, 100_001), np.linspace(0.01, 0.99, 100_001)
    for b, turn, end in zip((below, above), (max, min), ends, strict=True):
        assert turn(1 / b**2 - t**2 / (b * (b - 1))) == pytest.approx(end, rel=1e-7)
