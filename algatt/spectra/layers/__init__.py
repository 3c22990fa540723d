"""Laws of whole layers of attention: expressions in Gaussian matrices, heads that are given, and causal masks."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.spectra.layers.attention_layers import AttentionLayer as AttentionLayer
    from algatt.spectra.layers.attention_layers import ProductOfLayers as ProductOfLayers
    from algatt.spectra.layers.attention_layers import Skip as Skip
    from algatt.spectra.layers.attention_layers import SumOfHeads as SumOfHeads
    from algatt.spectra.layers.attention_layers import TiedValues as TiedValues
    from algatt.spectra.layers.attention_layers import Values as Values
    from algatt.spectra.layers.causal import CausalEnsemble as CausalEnsemble
    from algatt.spectra.layers.causal import causal_bulk_matrix as causal_bulk_matrix
    from algatt.spectra.layers.causal import estimated_causal_beta as estimated_causal_beta
    from algatt.spectra.layers.causal_law import CausalLaw as CausalLaw
    from algatt.spectra.layers.compound_poisson import CompoundPoissonLaw as CompoundPoissonLaw
    from algatt.spectra.layers.compound_poisson import heads_law as heads_law
    from algatt.spectra.layers.ensemble import LayerEnsemble as LayerEnsemble
    from algatt.spectra.layers.expression_law import ExpressionLaw as ExpressionLaw
    from algatt.spectra.layers.expressions import GaussianExpression as GaussianExpression
    from algatt.spectra.layers.expressions import gaussian_expression as gaussian_expression
    from algatt.spectra.layers.expressions import identity_expression as identity_expression
    from algatt.spectra.layers.expressions import sample_expression as sample_expression
    from algatt.spectra.layers.models import linear_attention as linear_attention

on_demand(__name__)
