"""Singular values of random attention matrices: laws, models, and how far they are from each other."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.spectra.draws import bulk_matrix as bulk_matrix
    from algatt.spectra.ensembles import AttentionEnsemble as AttentionEnsemble
    from algatt.spectra.ensembles import Ensemble as Ensemble
    from algatt.spectra.ensembles import EntrywiseEnsemble as EntrywiseEnsemble
    from algatt.spectra.ensembles import ExponentialEnsemble as ExponentialEnsemble
    from algatt.spectra.ensembles import FiniteSizeWarning as FiniteSizeWarning
    from algatt.spectra.ensembles import LinearEnsemble as LinearEnsemble
    from algatt.spectra.ensembles import LinearPolynomialEnsemble as LinearPolynomialEnsemble
    from algatt.spectra.ensembles import PolynomialEnsemble as PolynomialEnsemble
    from algatt.spectra.ensembles import chain as chain
    from algatt.spectra.ensembles import needed_tokens as needed_tokens
    from algatt.spectra.free_probability import cumulants_of_moments as cumulants_of_moments
    from algatt.spectra.free_probability import free_additive_convolution as free_additive_convolution
    from algatt.spectra.free_probability import free_multiplicative_convolution as free_multiplicative_convolution
    from algatt.spectra.free_probability import moments_of_cumulants as moments_of_cumulants
    from algatt.spectra.free_probability import moments_of_r_diagonal as moments_of_r_diagonal
    from algatt.spectra.fuss_catalan import FussCatalan as FussCatalan
    from algatt.spectra.laws import Law as Law
    from algatt.spectra.laws import edge as edge
    from algatt.spectra.layers import AttentionLayer as AttentionLayer
    from algatt.spectra.layers import CausalEnsemble as CausalEnsemble
    from algatt.spectra.layers import CausalLaw as CausalLaw
    from algatt.spectra.layers import CompoundPoissonLaw as CompoundPoissonLaw
    from algatt.spectra.layers import ExpressionLaw as ExpressionLaw
    from algatt.spectra.layers import GaussianExpression as GaussianExpression
    from algatt.spectra.layers import LayerEnsemble as LayerEnsemble
    from algatt.spectra.layers import ProductOfLayers as ProductOfLayers
    from algatt.spectra.layers import Skip as Skip
    from algatt.spectra.layers import SumOfHeads as SumOfHeads
    from algatt.spectra.layers import TiedValues as TiedValues
    from algatt.spectra.layers import Values as Values
    from algatt.spectra.layers import causal_bulk_matrix as causal_bulk_matrix
    from algatt.spectra.layers import estimated_causal_beta as estimated_causal_beta
    from algatt.spectra.layers import gaussian_expression as gaussian_expression
    from algatt.spectra.layers import heads_law as heads_law
    from algatt.spectra.layers import identity_expression as identity_expression
    from algatt.spectra.layers import linear_attention as linear_attention
    from algatt.spectra.layers import sample_expression as sample_expression
    from algatt.spectra.linear_law import AttentionLaw as AttentionLaw
    from algatt.spectra.linear_law import LinearLaw as LinearLaw
    from algatt.spectra.linear_law import moment_polynomials as moment_polynomials
    from algatt.spectra.linearization import linearization_error as linearization_error
    from algatt.spectra.marchenko_pastur import MarchenkoPastur as MarchenkoPastur
    from algatt.spectra.matrix_reports import estimated_beta as estimated_beta
    from algatt.spectra.matrix_reports import matrix_report as matrix_report
    from algatt.spectra.normaliser import NormaliserLaw as NormaliserLaw
    from algatt.spectra.normaliser import normaliser_fluctuation as normaliser_fluctuation
    from algatt.spectra.normaliser import normaliser_law as normaliser_law
    from algatt.spectra.outliers import median_largest_entry as median_largest_entry
    from algatt.spectra.outliers import outlier_threshold as outlier_threshold
    from algatt.spectra.outliers import predicted_outlier as predicted_outlier
    from algatt.spectra.outliers import tokens_without_outliers as tokens_without_outliers
    from algatt.spectra.reports import SpectrumReport as SpectrumReport
    from algatt.spectra.reports import chain_distances as chain_distances
    from algatt.spectra.reports import chain_reports as chain_reports
    from algatt.spectra.reports import predicted_top_singular_value as predicted_top_singular_value
    from algatt.spectra.reports import spectrum_report as spectrum_report
    from algatt.spectra.softmax_rows import expected_power_sum as expected_power_sum
    from algatt.verbs import attention_matrix as attention_matrix
    from algatt.verbs import cdf as cdf
    from algatt.verbs import density as density
    from algatt.verbs import finite_law as finite_law
    from algatt.verbs import free_cumulants as free_cumulants
    from algatt.verbs import kolmogorov_distance as kolmogorov_distance
    from algatt.verbs import limit_law as limit_law
    from algatt.verbs import moments as moments
    from algatt.verbs import quantile as quantile
    from algatt.verbs import sample_matrix as sample_matrix
    from algatt.verbs import squared_singular_values as squared_singular_values
    from algatt.verbs import stieltjes as stieltjes
    from algatt.verbs import support as support
    from algatt.verbs import wasserstein_distance as wasserstein_distance

on_demand(__name__)
