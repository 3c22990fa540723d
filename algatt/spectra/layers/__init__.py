"""Laws of whole layers of attention: expressions in Gaussian matrices, heads that are given, and causal masks."""

from algatt.spectra.layers.attention_layers import AttentionLayer, Skip, Stack, SumOfHeads, TiedValues, Values
from algatt.spectra.layers.causal import CausalEnsemble, causal_bulk_matrix, estimated_causal_beta
from algatt.spectra.layers.causal_law import CausalLaw
from algatt.spectra.layers.compound_poisson import CompoundPoissonLaw, heads_law
from algatt.spectra.layers.ensemble import LayerEnsemble
from algatt.spectra.layers.expression_law import ExpressionLaw
from algatt.spectra.layers.expressions import (
    GaussianExpression,
    gaussian_expression,
    identity_expression,
    sample_expression,
)
from algatt.spectra.layers.finite_size import FiniteModel
from algatt.spectra.layers.models import linear_attention

__all__ = [
    "AttentionLayer",
    "CausalEnsemble",
    "CausalLaw",
    "CompoundPoissonLaw",
    "ExpressionLaw",
    "FiniteModel",
    "GaussianExpression",
    "LayerEnsemble",
    "Skip",
    "Stack",
    "SumOfHeads",
    "TiedValues",
    "Values",
    "causal_bulk_matrix",
    "estimated_causal_beta",
    "gaussian_expression",
    "heads_law",
    "identity_expression",
    "linear_attention",
    "sample_expression",
]
