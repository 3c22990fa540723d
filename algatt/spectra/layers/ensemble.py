"""Draws of whole layers of softmax attention, and their limit laws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.arguments import instance
from algatt.errors import InvalidArgument
from algatt.spectra.draws import checked_beta
from algatt.spectra.ensembles import Ensemble
from algatt.spectra.laws import checked_number
from algatt.spectra.layers.attention_layers import AttentionLayer, Values
from algatt.spectra.layers.expression_law import ExpressionLaw
from algatt.spectra.layers.models import LARGEST_BETA, LinearModel, SoftmaxModel


@dataclass(frozen=True)
class LayerEnsemble(Ensemble):
    r"""A whole layer of softmax attention with Gaussian weights; its limit law is that of the linear model.

    The entries of all weights are independent N(0, 1), and the tokens orthonormal, as for `AttentionEnsemble`; those of
    all layers of a `ProductOfLayers` too, so that their attention is independent. That the linear model may be put in
    place of attention inside of a product is not proven: HCK's theorem is about attention alone. Numerical.

    Parameters
    ----------
    tokens, width, key_dim, beta
        As for `Ensemble`; beta is at most 8.
    layer : AttentionLayer, optional
        `Values`, `TiedValues`, `SumOfHeads`, `Skip` or `ProductOfLayers`.

    Raises
    ------
    InvalidArgument
        If a number is out of its range, or the layer none.

    Warns
    -----
    FiniteSizeWarning
        If there are too few tokens for this beta.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import LayerEnsemble, TiedValues
    >>> ensemble = LayerEnsemble(200, 200, 200, 0.5, TiedValues())
    >>> algatt.spectra.sample_matrix(ensemble, seed=0).shape
    (200, 200)
    >>> round(algatt.spectra.edge(algatt.spectra.limit_law(ensemble)), 3)
    5.599
    """

    layer: AttentionLayer = field(default_factory=Values)

    symbol = r"\mathrm{layer}"
    exponential = has_softmax = True

    def __post_init__(self) -> None:
        instance("layer", self.layer, AttentionLayer, "an AttentionLayer, such as Values()")
        if checked_number("beta", self.beta, positive=False) > LARGEST_BETA:
            raise InvalidArgument("beta", f"{self.beta:g}", f"at most {LARGEST_BETA:g} for a layer")
        super().__post_init__()


@verbs.sample_matrix.method
def sample_layer(ensemble: LayerEnsemble, *, seed: int = 0) -> np.ndarray:
    matrix: np.ndarray = ensemble.layer.matrix(SoftmaxModel(ensemble, seed))
    return matrix


@verbs.limit_law.method
def limit_of_layer(ensemble: LayerEnsemble) -> ExpressionLaw:
    return ExpressionLaw(ensemble.layer.matrix(LinearModel(checked_beta(ensemble), ensemble.ratio)))
