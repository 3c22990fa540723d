"""Spectra of given attention matrices beside the limit law: the beta that they look like, and their reports."""

from __future__ import annotations

import time

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.spectra.draws import bulk_matrix, row_rounding
from algatt.spectra.ensembles import AttentionEnsemble
from algatt.spectra.layers.causal import CausalEnsemble, causal_bulk_matrix, estimated_causal_beta, is_causal
from algatt.spectra.reports import SpectrumReport, top_singular_value, warned_of

MOST_ZEROS = 0.25
"""An attention matrix may have so many zeros: softmax has one where float16 has no smaller number, a mask has half."""


def check_unmasked(attention: np.ndarray) -> None:
    """Raise `InvalidArgument` for an attention matrix with a mask: the limit law is about exponentials everywhere, and
    the beta whose law has the mean of another spectrum says nothing.
    """
    A = np.array(attention)
    above, below = bool(np.triu(A, 1).any()), bool(np.tril(A, -1).any())
    zeros, triangular = float((A == 0).mean()), above != below  # a diagonal matrix may be a softmax of large scores
    if triangular or (above and zeros > MOST_ZEROS):
        was = (
            "triangular, as with a causal mask" if triangular else f"zero in {zeros:.0%} of its entries, as with a mask"
        )
        raise InvalidArgument("attention", was, "one whose tokens all see all: there is no limit law of another here")


def estimated_beta(attention: np.ndarray) -> float:
    r"""Return the beta for which the limit law has the mean of the spectrum of a given attention matrix,
    :math:`\beta^2 = \log(1 + \bar s)`.

    Here :math:`\bar s` is the mean of the squared singular values of `bulk_matrix`, whose limit is
    :math:`e^{\beta^2} - 1`. Numerical; derived here.

    Parameters
    ----------
    attention : numpy.ndarray
        An attention matrix A of shape (l, l): entries >= 0, rows that sum to 1.

    Raises
    ------
    InvalidArgument
        If it is none, has a mask, as a triangular one, or all its entries are equal.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import estimated_beta
    >>> A = algatt.spectra.sample_matrix(algatt.spectra.AttentionEnsemble(400, 400, 100, beta=0.7), seed=0)
    >>> round(estimated_beta(A), 2)
    0.7
    """
    bulk = bulk_matrix(attention)
    check_unmasked(attention)
    mean = float((bulk * bulk).sum() / len(bulk))
    if mean < row_rounding(attention) ** 2:  # what rounding makes of equal entries
        raise InvalidArgument(
            "attention", "a matrix of equal entries", "one whose tokens attend to some more than to others"
        )
    return float(np.sqrt(np.log1p(mean)))


def matrix_report(attention: np.ndarray, *, key_dim: int, beta: float | None = None) -> SpectrumReport:
    """Compare the spectrum of a given attention matrix, of a trained model say, with the limit law of Gaussian queries
    and keys; one with a causal mask with `CausalLaw`.

    Cost: an eigenvalue problem of a symmetric matrix; distances to a causal law take some seconds more.

    Parameters
    ----------
    attention : numpy.ndarray
        An attention matrix A of shape (l, l): entries >= 0, rows that sum to 1.
    key_dim : int
        The width of its queries and keys.
    beta : float, optional
        The standard deviation of its scores; unless given `estimated_beta`, or `estimated_causal_beta`.

    Raises
    ------
    InvalidArgument
        If the matrix is no attention matrix, has another mask than a causal one, all its entries are equal, or a number
        is out of its range.

    Warns
    -----
    FiniteSizeWarning
        If there are too few tokens for this beta, or the spectrum is farther from the limit law than the
        Marchenko-Pastur law is.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import matrix_report
    >>> A = algatt.spectra.sample_matrix(algatt.spectra.AttentionEnsemble(300, 300, 150, beta=0.5), seed=0)
    >>> report = matrix_report(A, key_dim=150)
    >>> round(report.ensemble.beta, 2), report.wasserstein < 0.02 < report.wasserstein_marchenko_pastur
    (0.49, True)
    """
    began = time.perf_counter()
    bulk = bulk_matrix(attention)
    tokens = len(bulk)
    if is_causal(attention):
        known = estimated_causal_beta(attention) if beta is None else beta
        causal = CausalEnsemble(tokens, tokens, key_dim, known)
        verbs.limit_law(causal)  # refuses beta = 0 before the work
        values = verbs.squared_singular_values(causal_bulk_matrix(attention))[None]
        return SpectrumReport(causal, None, values, None, time.perf_counter() - began)
    check_unmasked(attention)
    ensemble = AttentionEnsemble(tokens, tokens, key_dim, estimated_beta(attention) if beta is None else beta)
    verbs.limit_law(ensemble)  # refuses beta = 0 before the work
    matrix = bulk / np.sqrt(tokens) + 1 / tokens
    return warned_of(
        SpectrumReport(
            ensemble,
            None,
            verbs.squared_singular_values(bulk)[None],
            np.array([top_singular_value(matrix)]),
            time.perf_counter() - began,
            matrix,
        )
    )
