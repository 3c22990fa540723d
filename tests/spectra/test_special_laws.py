"""Laws that are special cases of others, or have closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.spectra import AttentionLaw, FussCatalan, LinearLaw, MarchenkoPastur


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
