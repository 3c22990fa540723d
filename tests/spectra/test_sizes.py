"""The sizes of ensembles: what is refused, and what is warned of because it is far from its limit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.polynomial import hermite_e

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    AttentionEnsemble,
    EntrywiseEnsemble,
    ExponentialEnsemble,
    FiniteSizeWarning,
    LinearEnsemble,
    PolynomialEnsemble,
    needed_tokens,
)


@pytest.mark.parametrize(
    ("kind", "sizes", "message"),
    [
        (
            AttentionEnsemble,
            (101, 100, 100, 1.0),
            "tokens was 101, more than the width 100; it should be at most the width",
        ),
        (LinearEnsemble, (0, 100, 100, 1.0), "tokens was 0; it should be an integer >= 1"),
        (AttentionEnsemble, (10, 10, 2.5, 1.0), "key_dim was 2.5"),
        (AttentionEnsemble, (10, True, 2, 1.0), "width was True"),
        (AttentionEnsemble, (10, 10, 10, -0.1), "beta was -0.1; it should be a finite number >= 0"),
        (AttentionEnsemble, (10, 10, 10, float("nan")), "beta was nan"),
        (LinearEnsemble, (10, 10, 10, 27.0), r"beta was 27; it should be at most 18: beyond, exp\(beta\^2\) overflows"),
        (PolynomialEnsemble, (10, 10, 10, 0.5, 0), "degree was 0"),
    ],
)
def test_bad_sizes(kind, sizes, message):
    with pytest.raises(InvalidArgument, match=message):
        kind(*sizes)


def test_the_largest_beta_does_not_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FiniteSizeWarning)
        ensemble = EntrywiseEnsemble(400, 400, 1, 18)
    assert np.isfinite(algatt.spectra.sample_matrix(ensemble)).all()


@pytest.mark.parametrize("kind", [AttentionEnsemble, ExponentialEnsemble, EntrywiseEnsemble])
def test_a_small_matrix_for_its_beta_is_warned_of_with_the_size_that_is_needed(kind):
    with pytest.warns(
        FiniteSizeWarning, match=r"beta 1.5 is large for 1,000 tokens: about exp\(4 beta\^2\) = 8,104 are needed"
    ) as caught:
        kind(1000, 1000, 1000, 1.5)
    assert caught[0].filename == __file__
    with pytest.warns(FiniteSizeWarning, match=r"= 3e\+43 are"):
        kind(10, 10, 10, 5)
    with pytest.warns(FiniteSizeWarning, match=r"10 tokens: about exp\(4 beta\^2\) = more than 1e\+300 are needed"):
        kind(10, 10, 10, 15)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(60, 60, 60, 1.0)  # exp(4) is 54.6
        LinearEnsemble(10, 10, 10, 3.0)


def test_the_needed_size_is_where_rows_average_out():
    """The relative variance of exp(2 beta N) is exp(4 beta^2) - 1: by Gauss-Hermite quadrature."""
    x, w = hermite_e.hermegauss(120)
    for beta in (0.5, 1.0, 1.5):
        first, second = ((w * np.exp(k * beta * x)).sum() / w.sum() for k in (2, 4))
        assert needed_tokens(beta) == pytest.approx(second / first**2, rel=1e-8)
