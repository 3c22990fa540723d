"""The two models of attention of which layers are made: softmax of a draw, and the linear model as an expression."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.layers import Exponential
from algatt.spectra.draws import bulk_matrix
from algatt.spectra.ensembles import Ensemble
from algatt.spectra.gaussian import gaussian_matrix
from algatt.spectra.laws import checked_parameter
from algatt.spectra.layers.expressions import (
    GaussianExpression,
    checked_size,
    gaussian_expression,
    identity_expression,
)
from algatt.spectra.linear_law import LEAST_BETA, noise_variance

LARGEST_BETA = 8.0
"""Of an expression: its coefficients are powers of exp(beta^2)."""


class Model(ABC):
    """What layers are made of; matrices have ``@``, ``+`` and products with numbers."""

    @abstractmethod
    def attention(self, label: str) -> Any:
        r"""Return :math:`\sqrt l A_\perp`; attention of another label is independent."""

    @abstractmethod
    def keys(self, label: str) -> Any:
        r"""Return the keys :math:`X W^K / \sqrt l` of the attention of a label."""

    @abstractmethod
    def gaussian(self, name: str, rows: float = 1.0, columns: float = 1.0) -> Any:
        """Return independent N(0, 1/l) entries, of a shape in units of l."""

    @abstractmethod
    def identity(self) -> Any:
        """Return the identity of the tokens."""


@dataclass(frozen=True)
class GaussianModel(Model):
    """Models of attention as expressions in Gaussian matrices."""

    beta: float
    ratio: float

    def keys(self, label: str) -> GaussianExpression:
        return self.gaussian(f"keys{label}", columns=1.0 / self.ratio)

    def gaussian(self, name: str, rows: float = 1.0, columns: float = 1.0) -> GaussianExpression:
        return gaussian_expression(name, rows=rows, columns=columns)

    def identity(self) -> GaussianExpression:
        return identity_expression()


@dataclass(frozen=True)
class LinearModel(GaussianModel):
    """The linear model of attention, of infinitely many tokens."""

    def attention(self, label: str) -> GaussianExpression:
        return linear_attention(self.beta, self.ratio, label=label)


@dataclass(frozen=True)
class SoftmaxModel(Model):
    """Softmax attention of a draw, in numbers."""

    ensemble: Ensemble
    seed: int

    def drawn(self, name: str, rows: int, columns: int) -> np.ndarray:
        """Return N(0, 1) entries."""
        return gaussian_matrix(self.seed, f"attention/{name}", rows, columns)

    def attention(self, label: str) -> np.ndarray:
        tokens, width = self.ensemble.tokens, self.ensemble.key_dim
        queries, keys = (self.drawn(f"{name}{label}", tokens, width) for name in ("queries", "keys"))
        weights = queries @ keys.T
        weights *= self.ensemble.beta / np.sqrt(width)
        factors = verbs.weigh(Exponential(), weights)  # in place
        weights *= factors[:, np.newaxis]
        return bulk_matrix(weights)

    def keys(self, label: str) -> np.ndarray:
        return self.drawn(f"keys{label}", self.ensemble.tokens, self.ensemble.key_dim) / np.sqrt(self.ensemble.tokens)

    def gaussian(self, name: str, rows: float = 1.0, columns: float = 1.0) -> np.ndarray:
        tokens = self.ensemble.tokens
        shape = (max(1, round(size * tokens)) for size in (rows, columns))
        return self.drawn(name, *shape) / np.sqrt(tokens)

    def identity(self) -> np.ndarray:
        return np.eye(self.ensemble.tokens)


def linear_attention(beta: float, ratio: float = 1.0, *, label: str = "") -> GaussianExpression:
    r"""Return the linear model of attention as an expression, :math:`\alpha Z + \beta \sqrt c \, Q K^T`.

    Its letters are `noise`, `queries` and `keys`, with the label behind them; keys are ``gaussian_expression("keys",
    columns=1 / ratio)``. Its law is `AttentionLaw`.

    Parameters
    ----------
    beta : float
        The inverse temperature, > 0 and at most 8.
    ratio : float, optional
        c, the limit of l / d_qk.
    label : str, optional
        Attention of another label is independent.

    Raises
    ------
    InvalidArgument
        If a number is out of its range.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import ExpressionLaw, linear_attention
    >>> law = ExpressionLaw(linear_attention(beta=1))
    >>> round(algatt.spectra.edge(law), 6), round(algatt.spectra.edge(algatt.spectra.AttentionLaw(1)), 6)
    (9.009543, 9.009543)
    """
    b = checked_parameter("beta", beta, least=LEAST_BETA, most=LARGEST_BETA)
    noise = gaussian_expression(f"noise{label}")
    return float(np.sqrt(noise_variance(b))) * noise + linear_scores(b, checked_size("ratio", ratio), label)


def linear_scores(factor: float, ratio: float, label: str) -> GaussianExpression:
    """Return scores times a factor, divided by the root of the number of tokens."""
    queries, keys = (gaussian_expression(f"{name}{label}", columns=1.0 / ratio) for name in ("queries", "keys"))
    return float(factor * np.sqrt(ratio)) * queries @ keys.T
