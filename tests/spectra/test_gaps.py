"""Gaps in the support of a law, and its mass at zero."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.spectra import AttentionLaw, LinearLaw, MarchenkoPastur


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
def test_there_is_no_gap_where_the_signal_is_nothing(beta, ratio):
    """The share of the signal is below 1e-13, so that the law is Marchenko-Pastur up to rounding."""
    law = AttentionLaw(beta, ratio)
    ((low, high),) = algatt.spectra.support(law)
    assert low == 0
    assert high == pytest.approx(4 * law.mean, rel=1e-8)


@given(st.floats(0.3, 1.5), st.floats(1e-6, 0.9))
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


@pytest.mark.parametrize("noise", [1e-20, 1e-30, 1e-60, 1e-100])
@pytest.mark.parametrize("ratio", [2, 5])
def test_below_a_gap_tiny_noise_is_that_of_the_kernel_of_the_keys(noise, ratio):
    """With the share q = 1 - 1/c of directions that no key sees, on both sides, the noise there is a square Gaussian
    matrix: q times Marchenko-Pastur of the mean q noise, whose distribution function is elementary.
    """
    q, law = 1 - 1 / ratio, LinearLaw(noise, 1, ratio)
    u = np.array([1e-4, 0.1, 1.0, 2.0, 3.9])
    expected = q * (np.sqrt(u * (4 - u)) / (2 * np.pi) + 2 / np.pi * np.arcsin(np.sqrt(u) / 2))
    assert algatt.spectra.cdf(law, q * noise * u) == pytest.approx(expected, rel=1e-8)
    between = np.geomspace(4.1 * q * noise, 0.99 * algatt.spectra.support(law)[1][0], 30)
    assert algatt.spectra.cdf(law, between) == pytest.approx(q, rel=1e-12)
    assert algatt.spectra.quantile(law, expected) == pytest.approx(q * noise * u, rel=1e-3)
