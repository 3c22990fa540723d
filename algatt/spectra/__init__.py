"""Singular values of random attention matrices: laws, models, and how far they are from each other."""

from algatt.loading import load_below

load_below(__name__)

from algatt.spectra import distances
from algatt.spectra.causal import CausalEnsemble, causal_bulk_matrix, estimated_causal_beta
from algatt.spectra.causal_law import CausalLaw
from algatt.spectra.compound_poisson import CompoundPoissonLaw, heads_law
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
from algatt.spectra.expression_law import ExpressionLaw
from algatt.spectra.expressions import (
    GaussianExpression,
    gaussian_expression,
    identity_expression,
    sample_expression,
)
from algatt.spectra.free_probability import (
    cumulants_of_moments,
    free_multiplicative_convolution,
    moments_of_cumulants,
    moments_of_r_diagonal,
)
from algatt.spectra.fuss_catalan import FussCatalan
from algatt.spectra.laws import Law
from algatt.spectra.layers import (
    AttentionLayer,
    LayerEnsemble,
    Skip,
    Stack,
    SumOfHeads,
    TiedValues,
    Values,
    linear_attention,
)
from algatt.spectra.linear_law import AttentionLaw, LinearLaw, moment_polynomials
from algatt.spectra.marchenko_pastur import MarchenkoPastur
from algatt.spectra.outliers import (
    median_largest_entry,
    outlier_threshold,
    predicted_outlier,
    tokens_without_outliers,
)
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
from algatt.verbs import (
    attention_matrix,
    cdf,
    density,
    edge,
    free_cumulants,
    kolmogorov_distance,
    limit_law,
    moments,
    quantile,
    sample_matrix,
    squared_singular_values,
    stieltjes,
    support,
    wasserstein_distance,
)

__all__ = [
    "AttentionEnsemble",
    "AttentionLaw",
    "AttentionLayer",
    "CausalEnsemble",
    "CausalLaw",
    "CompoundPoissonLaw",
    "Ensemble",
    "EntrywiseEnsemble",
    "ExponentialEnsemble",
    "ExpressionLaw",
    "FiniteSizeWarning",
    "FussCatalan",
    "GaussianExpression",
    "IntegerPolynomial",
    "Law",
    "LayerEnsemble",
    "LinearEnsemble",
    "LinearLaw",
    "LinearPolynomialEnsemble",
    "MarchenkoPastur",
    "PolynomialEnsemble",
    "Skip",
    "SpectrumReport",
    "Stack",
    "SumOfHeads",
    "TiedValues",
    "Values",
    "attention_matrix",
    "bulk_matrix",
    "causal_bulk_matrix",
    "cdf",
    "chain",
    "chain_distances",
    "chain_reports",
    "cumulants_of_moments",
    "density",
    "distances",
    "edge",
    "estimated_beta",
    "estimated_causal_beta",
    "free_cumulants",
    "free_multiplicative_convolution",
    "gaussian_expression",
    "heads_law",
    "identity_expression",
    "kolmogorov_distance",
    "limit_law",
    "linear_attention",
    "matrix_report",
    "median_largest_entry",
    "moment_polynomials",
    "moments",
    "moments_of_cumulants",
    "moments_of_r_diagonal",
    "needed_tokens",
    "outlier_threshold",
    "predicted_outlier",
    "predicted_top_singular_value",
    "quantile",
    "sample_expression",
    "sample_matrix",
    "spectrum_report",
    "squared_singular_values",
    "stieltjes",
    "support",
    "tokens_without_outliers",
    "wasserstein_distance",
]
