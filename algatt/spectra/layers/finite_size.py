r"""The linear model with the parameters of so many tokens (derived here).

The limit law has the variances of infinitely many tokens. Of l tokens, with :math:`T = E \sum_j A_{ij}^2` of a row
(`algatt.spectra.softmax_rows`):

* The mean of the squared singular values of :math:`\sqrt l A_\perp` is :math:`\theta = l T - 1`, exactly.
* The part that is linear in the scores is :math:`\beta (1 - T) S`, since :math:`E(S_j A_j) = \beta \, E(A_j (1 - A_j))`
  (Stein).
* The entries are heavy in their tails. With independent entries y the second moment has the term
  :math:`\sum y^4 / l`, and to first order all moments are those of Gaussian rows whose variances differ by the factors
  r, :math:`\operatorname{var}(r) = \kappa / (\alpha^4 l)`, with the fourth cumulant :math:`\kappa` of an entry and the
  variance :math:`\alpha^2` of the noise: a closed walk that goes through one edge twice is a walk in which two edges at
  a row have been made one, in exactly one way. So the noise Z is replaced by the product W Z of two Gaussian
  matrices of inner dimension 1 / var(r), whose :math:`W W^T` has the law of Marchenko and Pastur of this variance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.spectra.draws import checked_beta
from algatt.spectra.ensembles import AttentionEnsemble
from algatt.spectra.laws import Law
from algatt.spectra.layers.causal import CausalEnsemble
from algatt.spectra.layers.ensemble import LayerEnsemble
from algatt.spectra.layers.expression_law import ExpressionLaw
from algatt.spectra.layers.expressions import GaussianExpression, gaussian_expression
from algatt.spectra.layers.models import GaussianModel, linear_scores
from algatt.spectra.softmax_rows import expected_power_sum


@dataclass(frozen=True)
class FiniteModel(GaussianModel):
    """The linear model of attention of so many tokens, as expressions."""

    tokens: int
    key_dim: int

    @property
    def row(self) -> tuple[float, float, float]:
        """The variance of an entry times l, its fourth moment times l^2, and the factor of the scores."""
        l = self.tokens
        second, third, fourth = (
            float(expected_power_sum(self.beta, l, order=order, key_dim=self.key_dim)) for order in (2, 3, 4)
        )
        return l * second - 1, l**3 * fourth - 4 * l**2 * third + 6 * l * second - 3, self.beta * (1 - second)

    def attention(self, label: str) -> GaussianExpression:
        variance, fourth, linear = self.row
        noise = variance - linear**2
        spread = (fourth - 3 * variance**2) / (noise**2 * self.tokens)
        spread = float(np.clip(spread, LEAST_SPREAD, MOST_SPREAD))
        rows = gaussian_expression(f"spread{label}", columns=1 / spread)
        heavy = rows @ gaussian_expression(f"noise{label}", rows=1 / spread)
        return float(np.sqrt(noise * spread)) * heavy + linear_scores(linear, self.ratio, label)


LEAST_SPREAD, MOST_SPREAD = 1e-3, 1e3
"""Of the variances of rows: less is nothing, and more is far from the first order."""


@verbs.finite_law.method
def finite_law_of_attention(ensemble: AttentionEnsemble) -> Law:
    return ExpressionLaw(finite_model(ensemble).attention(""))


@verbs.finite_law.method
def finite_law_of_layer(ensemble: LayerEnsemble) -> Law:
    return ExpressionLaw(ensemble.layer.matrix(finite_model(ensemble)))


@verbs.finite_law.method
def finite_law_of_causal(ensemble: CausalEnsemble) -> Law:
    return verbs.limit_law(ensemble)  # which has the rows of so many tokens already


def finite_model(ensemble: AttentionEnsemble | LayerEnsemble) -> FiniteModel:
    """Return the model of an ensemble."""
    return FiniteModel(checked_beta(ensemble), ensemble.ratio, ensemble.tokens, ensemble.key_dim)
