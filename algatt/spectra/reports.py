"""Spectra of several draws beside the limit law and the Marchenko-Pastur law."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.display import Rows, Summary, Worth
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.spectra.draws import bulk_matrix
from algatt.spectra.ensembles import (
    AttentionEnsemble,
    Ensemble,
    FiniteSizeWarning,
    chain,
    check_attention,
    needed_tokens,
)
from algatt.spectra.laws import Law
from algatt.spectra.laws import edge as edge_of
from algatt.spectra.marchenko_pastur import MarchenkoPastur
from algatt.verbs.views import Summarized

SMALL = 32
"""Tokens below which the top singular value is taken from all."""

Progress = Callable[[int, int], None]

WRITTEN = (
    "ensemble seed draws status mean largest edge edge_marchenko_pastur wasserstein kolmogorov "
    "wasserstein_marchenko_pastur kolmogorov_marchenko_pastur beyond_edge top_singular_value seconds"
)
"""The attributes of a report that are written as JSON."""


@dataclass(frozen=True, eq=False, repr=False)
class SpectrumReport(Summarized):
    r"""The squared singular values of several draws of an ensemble, and their distances to laws. Numerical.

    Parameters
    ----------
    ensemble : Ensemble
        What was drawn; or that with whose law a given matrix is compared.
    seed : int or None
        Of the first draw; the others have the following ones. None for a given matrix.
    values : numpy.ndarray
        Shape (draws, tokens), one row for a given matrix: all squared singular values of each draw in decreasing order,
        none left out.
    top_values : numpy.ndarray or None
        Of an `AttentionEnsemble`, the top singular value of A itself in each draw, by Lanczos steps; None for other
        models.
    seconds : float
        How long it took.
    attention : numpy.ndarray, optional
        The given matrix; None if matrices were drawn.
    """

    ensemble: Ensemble
    seed: int | None
    values: np.ndarray
    top_values: np.ndarray | None
    seconds: float
    attention: np.ndarray | None = None

    status = "numerical"

    @property
    def draws(self) -> int:
        """The number of draws."""
        return len(self.values)

    @cached_property
    def law(self) -> Law:
        """The limit law."""
        law: Law = verbs.limit_law(self.ensemble)
        return law

    @cached_property
    def finite_law(self) -> Law:
        """The law of so many tokens, of an ensemble of attention itself."""
        law: Law = verbs.finite_law(self.ensemble)
        return law

    @cached_property
    def marchenko_pastur(self) -> MarchenkoPastur:
        """The Marchenko-Pastur law of the same mean, which earlier work expected."""
        return MarchenkoPastur(1.0, verbs.moments(self.law, 1)[0])

    @cached_property
    def wasserstein(self) -> float:
        """The Wasserstein-1 distance of all values to the limit law."""
        return float(verbs.wasserstein_distance(self.values, self.law))

    @cached_property
    def wasserstein_of_laws(self) -> float:
        """The Wasserstein-1 distance of the Marchenko-Pastur law to the limit law: a spectrum that is farther from the
        limit law says nothing about which of the two it follows.
        """
        return float(verbs.wasserstein_distance(self.marchenko_pastur, self.law))

    @property
    def near(self) -> bool:
        """Whether all values are nearer to the limit law than the Marchenko-Pastur law is."""
        return self.wasserstein < self.wasserstein_of_laws

    @cached_property
    def kolmogorov(self) -> float:
        """The Kolmogorov distance of all values to the limit law."""
        return float(verbs.kolmogorov_distance(self.values, self.law))

    @cached_property
    def wasserstein_marchenko_pastur(self) -> float:
        """The Wasserstein-1 distance of all values to the Marchenko-Pastur law."""
        return float(verbs.wasserstein_distance(self.values, self.marchenko_pastur))

    @cached_property
    def kolmogorov_marchenko_pastur(self) -> float:
        """The Kolmogorov distance of all values to the Marchenko-Pastur law."""
        return float(verbs.kolmogorov_distance(self.values, self.marchenko_pastur))

    @property
    def beyond_edge(self) -> float:
        """The mean number of values of a draw beyond the edge of the limit law."""
        return float((self.values > edge_of(self.law)).sum() / self.draws)

    @property
    def top_singular_value(self) -> float | None:
        """The mean over the draws of the top singular value of A, for an `AttentionEnsemble`."""
        return None if self.top_values is None else float(self.top_values.mean())

    @cached_property
    def scaled_values(self) -> np.ndarray | None:
        r"""Of an `AttentionEnsemble`, all squared singular values of :math:`\sqrt l A` itself, as `values` are those of
        the bulk; None for other models. They are computed when they are asked for, as pictures do: the matrices are
        drawn again.
        """
        if self.top_values is None:
            return None
        matrices = (
            [self.attention]
            if self.attention is not None
            else (verbs.sample_matrix(self.ensemble, seed=(self.seed or 0) + draw) for draw in range(self.draws))
        )
        return self.ensemble.tokens * np.stack([verbs.squared_singular_values(matrix) for matrix in matrices])

    @property
    def mean(self) -> float:
        """The mean of all values."""
        return float(self.values.mean())

    @property
    def largest(self) -> np.ndarray:
        """The four largest values of a draw, each in the mean over the draws."""
        largest: np.ndarray = self.values.mean(axis=0)[:4]
        return largest

    @property
    def edge(self) -> float:
        """The upper edge of the limit law."""
        return float(edge_of(self.law))

    @property
    def edge_marchenko_pastur(self) -> float:
        """The upper edge of the Marchenko-Pastur law of the same mean."""
        return float(edge_of(self.marchenko_pastur))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the values as plain values for JSON."""
        return written(self, WRITTEN)


def chain_distances(reports: Sequence[SpectrumReport]) -> list[float]:
    """Return the Wasserstein-1 distance of the values of each report to those of the first one, in the order of the
    reports.
    """
    return [float(verbs.wasserstein_distance(reports[0].values, report.values)) for report in reports]


def predicted_top_singular_value(ensemble: AttentionEnsemble) -> float:
    r"""Return the expected top singular value of A to first order, :math:`1 + (\theta_1 + c \beta^4 / 2) / (2 l)`.

    As A u = u, it is above 1 by the half of the variance of the sums of A's columns: :math:`\theta_1 / l` from the
    queries at fixed keys, and :math:`\beta^4 / (2 d_{qk})` from the lengths of the keys. HCK have the limit 1; the rate
    is derived here.

    Raises
    ------
    InvalidArgument
        If the ensemble is not that of attention.
    """
    check_attention(ensemble)
    theta = float(np.expm1(ensemble.beta**2))
    return 1 + (theta + ensemble.ratio * ensemble.beta**4 / 2) / (2 * ensemble.tokens)


def top_singular_value(attention: np.ndarray) -> float:
    """Return the top singular value of an attention matrix by Lanczos steps from the vector of ones, which is near its
    top singular vector, so that the same matrix gives the same number.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    tokens = len(attention)
    if tokens < SMALL:  # Lanczos needs room
        return float(np.linalg.norm(attention, 2))
    operator = LinearOperator(
        (tokens, tokens), matvec=lambda vector: attention.T @ (attention @ vector), dtype=np.float64
    )
    (value,) = eigsh(operator, k=1, v0=np.ones(tokens), return_eigenvectors=False)
    return float(np.sqrt(value))


def warned_of(report: SpectrumReport) -> SpectrumReport:
    """Return a report, after a warning if attention is far from its law and its size was not warned of yet."""
    ensemble = report.ensemble
    if ensemble.has_softmax and ensemble.tokens >= needed_tokens(ensemble.beta) and not report.near:
        message = (
            f"beta {ensemble.beta:g} is large for {ensemble.tokens:,} tokens: the spectrum is at the Wasserstein "
            f"distance {report.wasserstein:.2g} from the limit law, and the Marchenko-Pastur law at "
            f"{report.wasserstein_of_laws:.2g}"
        )
        warnings.warn(message, FiniteSizeWarning, stacklevel=3)
    return report


def spectrum_report(
    ensemble: Ensemble, *, draws: int = 10, seed: int = 0, progress: Progress | None = None
) -> SpectrumReport:
    """Draw an ensemble several times and compare its spectrum with its limit law.

    Cost: for each draw two products of matrices and the eigenvalues of a symmetric one; for a `LayerEnsemble` also its
    law, a second. Distances to that of a `CausalEnsemble` take some seconds more.

    Parameters
    ----------
    ensemble : Ensemble
        What to draw.
    draws : int, optional
        How often; the seeds are seed, seed + 1, ...
    seed : int, optional
        Of the first draw.
    progress : callable, optional
        Called as ``progress(done, draws)``.

    Raises
    ------
    InvalidArgument
        If the number of draws is not an integer >= 1, or beta is 0.

    Warns
    -----
    FiniteSizeWarning
        If the spectrum is farther from the limit law than the Marchenko-Pastur law is.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import spectrum_report
    >>> report = spectrum_report(algatt.spectra.AttentionEnsemble(200, 200, 200, beta=0.5), draws=2)
    >>> report.wasserstein < 0.02 < report.wasserstein_marchenko_pastur
    True
    >>> report.status, report.values.shape
    ('numerical', (2, 200))
    """
    began, first = time.perf_counter(), check_seed(seed)
    verbs.limit_law(ensemble)  # refuses beta = 0 before the work
    values, tops = [], []
    for draw in range(whole("draws", draws)):
        matrix = verbs.sample_matrix(ensemble, seed=first + draw)
        if isinstance(ensemble, AttentionEnsemble):
            tops.append(top_singular_value(matrix))
            matrix = bulk_matrix(matrix)
        values.append(verbs.squared_singular_values(matrix))
        if progress is not None:
            progress(draw + 1, draws)
    return warned_of(
        SpectrumReport(ensemble, first, np.stack(values), np.array(tops) if tops else None, time.perf_counter() - began)
    )


def chain_reports(
    ensemble: AttentionEnsemble, *, draws: int = 10, seed: int = 0, degree: int = 10, progress: Progress | None = None
) -> tuple[SpectrumReport, ...]:
    """Return the reports of the six models of `chain`, made of the same Gaussian matrices. Options and errors as in
    `spectrum_report` and `chain`.
    """
    models = chain(ensemble, degree=degree)
    reports = []
    for number, model in enumerate(models):

        def moved(done: int, _: int, before: int = number * draws) -> None:
            if progress is not None:
                progress(before + done, len(models) * draws)

        reports.append(spectrum_report(model, draws=draws, seed=seed, progress=moved))
    return tuple(reports)


@verbs.summarize.method
def summary_of_spectrum(report: SpectrumReport) -> Summary:
    ensemble = report.ensemble
    rows: Rows = [
        ("model", type(ensemble).__name__.removesuffix("Ensemble")),
        ("Wasserstein distance to the limit law", f"{report.wasserstein:.4g}"),
        ("  - to Marchenko-Pastur", f"{report.wasserstein_marchenko_pastur:.4g}"),
        ("Kolmogorov distance to the limit law", f"{report.kolmogorov:.4g}"),
        ("  - to Marchenko-Pastur", f"{report.kolmogorov_marchenko_pastur:.4g}"),
        ("largest", f"{report.values[:, 0].mean():.4g}; the law ends at {edge_of(report.law):.4g}"),
        ("beyond the edge", f"{report.beyond_edge:.4g} values of a draw" + ", on average" * (report.draws > 1)),
    ]
    if report.top_singular_value is not None:
        told = f"{report.top_singular_value:.6g}"
        if isinstance(ensemble, AttentionEnsemble) and report.seed is not None:
            told += f", predicted {predicted_top_singular_value(ensemble):.6g}"
        rows.append(("top singular value of A", told))
    drawn = f"{report.draws} draw{'s' * (report.draws > 1)} from seed {report.seed}"
    title = f"{ensemble.tokens} tokens, {ensemble.key_dim} key dimensions, beta {ensemble.beta:g}"
    title += ", a given matrix" if report.seed is None else f", {drawn}"
    return Summary(title, rows, Worth(report.status))
