"""Singular values of random attention matrices: laws, models, and how far they are from each other."""

from algatt.spectra import distances
from algatt.spectra.draws import bulk_matrix
from algatt.spectra.ensembles import (
    AttentionEnsemble,
    Ensemble,
    EntrywiseEnsemble,
    ExponentialEnsemble,
    FiniteSizeWarning,
    LinearEnsemble,
    LinearPolynomialEnsemble,
    PolynomialEnsemble,
    chain,
    needed_tokens,
)
from algatt.spectra.free_probability import cumulants_of_moments, free_multiplicative_convolution, moments_of_cumulants, moments_of_r_diagonal
from algatt.spectra.fuss_catalan import FussCatalan
from algatt.spectra.laws import Law
from algatt.spectra.linear_law import AttentionLaw, LinearLaw, moment_polynomials
from algatt.spectra.marchenko_pastur import MarchenkoPastur
from algatt.spectra.polynomials import IntegerPolynomial
from algatt.spectra.reports import (
    SpectrumReport,
    chain_distances,
    chain_reports,
    estimated_beta,
    matrix_report,
    predicted_top_singular_value,
    spectrum_report,
)

__all__ = [
    "AttentionEnsemble",
    "AttentionLaw",
    "Ensemble",
    "EntrywiseEnsemble",
    "ExponentialEnsemble",
    "FiniteSizeWarning",
    "FussCatalan",
    "IntegerPolynomial",
    "Law",
    "LinearEnsemble",
    "LinearLaw",
    "LinearPolynomialEnsemble",
    "MarchenkoPastur",
    "PolynomialEnsemble",
    "SpectrumReport",
    "bulk_matrix",
    "chain",
    "chain_distances",
    "chain_reports",
    "cumulants_of_moments",
    "distances",
    "estimated_beta",
    "free_multiplicative_convolution",
    "matrix_report",
    "moment_polynomials",
    "moments_of_cumulants",
    "moments_of_r_diagonal",
    "needed_tokens",
    "predicted_top_singular_value",
    "spectrum_report",
]
