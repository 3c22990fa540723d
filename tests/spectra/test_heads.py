"""Laws of heads whose keys and values are given, and whole layers against their laws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    AttentionLayer,
    CompoundPoissonLaw,
    LayerEnsemble,
    ProductOfLayers,
    Skip,
    SumOfHeads,
    TiedValues,
    Values,
    bulk_matrix,
    heads_law,
    linear_attention,
    moments_of_cumulants,
)


def test_the_moments_of_the_jumps_are_the_free_cumulants():
    """The moments are integrals of the transform, which Newton's method finds."""
    jumps = np.array([0.5, 1.0, 1.0, 4.0, 9.0])
    law = CompoundPoissonLaw(jumps, rows=5)
    expected = moments_of_cumulants([(jumps**q).sum() / 5 for q in range(1, 6)])
    assert algatt.spectra.moments(law, 5) == pytest.approx(expected, rel=1e-11)
    ends = np.array(algatt.spectra.support(law)).ravel()
    assert algatt.spectra.cdf(law, ends[-1] * 0.999) == pytest.approx(1, abs=1e-3)


def test_heads_with_unequal_keys():
    """Keys of unequal lengths and values that depend on them: far from orthonormal tokens, and still the law."""
    rng = np.random.default_rng(1)
    tokens, width, outputs = 150, 15, 150
    keys = [rng.standard_normal((tokens, width)) * np.exp(0.2 * rng.standard_normal((tokens, 1))) for _ in "12"]
    values = [
        (rng.standard_normal((tokens, outputs)) + 0.1 * K @ rng.standard_normal((width, outputs))) / tokens**0.5
        for K in keys
    ]
    matrix = np.zeros((tokens, outputs))
    for K, V in zip(keys, values, strict=True):
        A = np.exp(0.4 * rng.standard_normal((tokens, width)) @ K.T / width**0.5)
        matrix += bulk_matrix(A / A.sum(axis=1, keepdims=True)) @ V
    found = algatt.spectra.squared_singular_values(matrix - matrix.mean(axis=0))  # without what the mean row adds
    law = heads_law(keys, values, beta=0.4)
    assert algatt.spectra.wasserstein_distance(found, law) < 0.08 * algatt.spectra.moments(law, 1)[0]


def test_a_law_whose_density_is_steep_below_has_more_nodes():
    """Of 120 unequal jumps, which 512 nodes did not resolve; the distribution function by the quadrature of Gauss."""
    keys = np.random.default_rng(0).standard_normal((120, 40))
    law = heads_law([keys], beta=0.5)
    low, high = algatt.spectra.support(law)[0]

    above, _ = integrate.fixed_quad(lambda r: 2 * r * algatt.spectra.density(law, r * r), 1.0, high**0.5, n=60)
    assert low > 0
    assert algatt.spectra.cdf(law, 1.0) == pytest.approx(1 - above, abs=1e-4)


def test_clustered_keys_are_warned_of():
    rng = np.random.default_rng(0)
    keys = rng.standard_normal((100, 10)) + 2 * rng.standard_normal((3, 10))[rng.integers(3, size=100)]
    with pytest.warns(algatt.spectra.FiniteSizeWarning, match=r"rows of exponentials differ by \d+%"):
        heads_law([keys], beta=0.6)


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
@pytest.mark.parametrize("layer", [Values(0.5), TiedValues(), SumOfHeads(2), Skip(0.5), ProductOfLayers(2)], ids=str)
def test_the_mean_of_a_layer_is_that_of_its_law(layer):
    ensemble = LayerEnsemble(300, 300, 200, 0.4, layer)
    values = [algatt.spectra.squared_singular_values(ensemble, seed=seed, drop=0) for seed in range(2)]
    law = algatt.spectra.limit_law(ensemble)
    first, second = algatt.spectra.moments(law, 2)
    assert np.mean(values) == pytest.approx(first, rel=0.06)  # draws of 300 tokens differ by up to 0.03
    assert np.mean(np.square(values)) == pytest.approx(second, rel=0.15)


def test_one_layer_of_a_stack_is_attention():
    assert algatt.spectra.moments(
        algatt.spectra.limit_law(LayerEnsemble(200, 200, 100, 0.5, ProductOfLayers(1))), 3
    ) == pytest.approx(algatt.spectra.moments(algatt.spectra.AttentionLaw(0.5, 2), 3), rel=1e-11)
    assert isinstance(ProductOfLayers(1), AttentionLayer)
    assert len(linear_attention(0.5).letters) == 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CompoundPoissonLaw([], 3), "jumps was empty"),
        (lambda: CompoundPoissonLaw([-1.0, 2.0], 3), "jumps was from -1 to 2; it should be finite numbers >= 0"),
        (lambda: CompoundPoissonLaw([1.0], 0), "rows was 0"),
        (lambda: heads_law([]), "keys was empty"),
        (lambda: heads_law([np.eye(3)], [np.eye(4)]), r"values was of shape \(4, 4\)"),
        (lambda: heads_law([np.eye(3)], []), "values was of 0 heads"),
        (lambda: heads_law([np.eye(3), np.eye(4)]), "keys was of 4 and 3 tokens"),
        (lambda: heads_law([1e3 * np.eye(3)]), "beta was 1; it should be smaller"),
        (lambda: SumOfHeads(50), "heads was 50; it should be at most 12"),
        (lambda: ProductOfLayers(2, -1), "strength was -1"),
        (lambda: Skip(0), "strength was 0"),
        (lambda: Values(0), "width was 0"),
        (lambda: LayerEnsemble(50, 50, 50, 0.5, "values"), "layer was 'values'; it should be an AttentionLayer"),
        (lambda: LayerEnsemble(50, 50, 50, 9), "beta was 9; it should be at most 8"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()
