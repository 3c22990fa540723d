r"""Whole layers of attention as matrices: attention times values, sums of heads, skip connections, and several layers.

A layer is written once, with products and sums, and evaluated over two models of attention: the softmax matrix
:math:`\sqrt l A_\perp` of a draw, in numbers, and the linear model of it, as an expression whose law is computed. Rank
one is left out in both: what the constant vector adds to a layer is one singular value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add, matmul
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument
from algatt.layers import Exponential
from algatt.spectra.draws import bulk_matrix, checked_beta
from algatt.spectra.ensembles import Ensemble
from algatt.spectra.expression_law import ExpressionLaw
from algatt.spectra.expressions import (
    GaussianExpression,
    checked_size,
    gaussian_expression,
    identity_expression,
)
from algatt.spectra.gaussian import gaussian_matrix
from algatt.spectra.laws import checked_number, checked_parameter
from algatt.spectra.linear_law import LEAST_BETA, noise_variance

__all__ = [
    "AttentionLayer",
    "LayerEnsemble",
    "Skip",
    "Stack",
    "SumOfHeads",
    "TiedValues",
    "Values",
    "linear_attention",
]

MOST_PARTS = 12
"""Heads or layers: the equation of more takes minutes."""

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
class LinearModel(Model):
    """The linear model of attention, as expressions."""

    beta: float
    ratio: float

    def attention(self, label: str) -> GaussianExpression:
        return linear_attention(self.beta, self.ratio, label=label)

    def keys(self, label: str) -> GaussianExpression:
        return self.gaussian(f"keys{label}", columns=1.0 / self.ratio)

    def gaussian(self, name: str, rows: float = 1.0, columns: float = 1.0) -> GaussianExpression:
        return gaussian_expression(name, rows=rows, columns=columns)

    def identity(self) -> GaussianExpression:
        return identity_expression()


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
    width = 1.0 / checked_size("ratio", ratio)
    queries, keys = (gaussian_expression(f"{name}{label}", columns=width) for name in ("queries", "keys"))
    noise = gaussian_expression(f"noise{label}")
    return float(np.sqrt(noise_variance(b))) * noise + float(b / np.sqrt(width)) * queries @ keys.T


def checked_parts(argument: str, count: int) -> int:
    """Return a number of heads or layers."""
    number = whole(argument, count)
    if number > MOST_PARTS:
        raise InvalidArgument(argument, f"{number}", f"at most {MOST_PARTS}: the law of more takes minutes")
    return number


@dataclass(frozen=True)
class AttentionLayer(ABC):
    """A layer of attention, as a matrix that is written once for all models."""

    @abstractmethod
    def matrix(self, of: Model) -> Any:
        """Return the matrix over a model."""

    @classmethod
    def examples(cls) -> Iterable[AttentionLayer]:
        """Return instances on which the tests run."""
        return ()


@dataclass(frozen=True)
class Values(AttentionLayer):
    r"""Attention times values: :math:`\sqrt l A_\perp V`, V independent of shape (l, width), of N(0, 1/l) entries.

    Parameters
    ----------
    width : float, optional
        The columns of V, in units of the number of tokens.
    """

    width: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", checked_size("width", self.width))

    def matrix(self, of: Model) -> Any:
        return of.attention("") @ of.gaussian("values", columns=self.width)

    @classmethod
    def examples(cls) -> Iterable[Values]:
        return cls(), cls(0.5)


@dataclass(frozen=True)
class TiedValues(AttentionLayer):
    r"""Attention times its own keys: :math:`\sqrt l A_\perp V` with :math:`V = X W^K / \sqrt l`."""

    def matrix(self, of: Model) -> Any:
        return of.attention("") @ of.keys("")

    @classmethod
    def examples(cls) -> Iterable[TiedValues]:
        return (cls(),)


@dataclass(frozen=True)
class SumOfHeads(AttentionLayer):
    r"""Several heads: :math:`H^{-1/2} \sum_h \sqrt l A_{\perp, h} V_h O_h`, all matrices independent, of N(0, 1/l)
    entries, V of shape (l, width) and O of shape (width, l).

    Parameters
    ----------
    heads : int, optional
        H, from 1 to 12.
    width : float, optional
        Of a head, in units of the number of tokens.
    """

    heads: int = 2
    width: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", checked_parts("heads", self.heads))
        object.__setattr__(self, "width", checked_size("width", self.width))

    def matrix(self, of: Model) -> Any:
        labels = [f"/{number}" for number in range(self.heads)]
        heads = (
            of.attention(label)
            @ of.gaussian(f"values{label}", columns=self.width)
            @ of.gaussian(f"outputs{label}", rows=self.width)
            for label in labels
        )
        return self.heads**-0.5 * reduce(add, heads)

    @classmethod
    def examples(cls) -> Iterable[SumOfHeads]:
        return (cls(),)


@dataclass(frozen=True)
class Skip(AttentionLayer):
    r"""Attention with a skip connection: :math:`1 + t \sqrt l A_\perp`.

    Softmax attention of l tokens itself has t = :math:`1 / \sqrt l`, at which its bulk is nothing beside the identity.

    Parameters
    ----------
    strength : float, optional
        t > 0.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "strength", checked_parameter("strength", self.strength, least=1e-3, most=1e3))

    def matrix(self, of: Model) -> Any:
        return of.identity() + self.strength * of.attention("")

    @classmethod
    def examples(cls) -> Iterable[Skip]:
        return cls(), cls(0.3)


@dataclass(frozen=True)
class Stack(AttentionLayer):
    r"""The product of independent layers: of :math:`\sqrt l A_\perp`, or of :math:`1 + t \sqrt l A_\perp`.

    Parameters
    ----------
    layers : int, optional
        How many, from 1 to 12.
    strength : float, optional
        t >= 0; 0 is without skip connections.
    """

    layers: int = 2
    strength: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", checked_parts("layers", self.layers))
        strength = checked_parameter("strength", self.strength, positive=False, least=1e-3, most=1e3)
        object.__setattr__(self, "strength", strength)

    def matrix(self, of: Model) -> Any:
        attention = (of.attention(f"/{number}") for number in range(self.layers))
        if self.strength:
            attention = (of.identity() + self.strength * layer for layer in attention)
        return reduce(matmul, attention)

    @classmethod
    def examples(cls) -> Iterable[Stack]:
        return cls(2), cls(3, 0.5)


@dataclass(frozen=True)
class LayerEnsemble(Ensemble):
    r"""A whole layer of softmax attention with Gaussian weights; its limit law is that of the linear model.

    The entries of all weights are independent N(0, 1), and the tokens orthonormal, as for `AttentionEnsemble`; those of
    all layers of a `Stack` too, so that their attention is independent. That the linear model may be put in place of
    attention inside of a product is not proven: HCK's theorem is about attention alone. Numerical.

    Parameters
    ----------
    tokens, width, key_dim, beta
        As for `Ensemble`; beta is at most 8.
    layer : AttentionLayer, optional
        `Values`, `TiedValues`, `SumOfHeads`, `Skip` or `Stack`.

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

    layer: AttentionLayer = Values()

    symbol = r"\mathrm{layer}"
    exponential = True

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
