"""Laws as values: the numbers that they take, at zero and at their limits, what they return, and what they refuse."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import AttentionLaw, FussCatalan, Law, LinearLaw, MarchenkoPastur
from laws import LAWS, any_law


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
