"""Attention weights of other papers: feature maps, retention, sinks."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import entries, exact, instance, truth
from algatt.errors import InvalidArgument
from algatt.fields import Elements, concatenate
from algatt.layers.activations import ELU, Activation, Exponential, Power
from algatt.layers.base import TensorShape
from algatt.layers.scores import OfSoftmax, Unnormalized, Weighting, temperature


@dataclass(frozen=True, repr=False)
class FeatureMap(Weighting):
    r"""Linear attention: weights :math:`\phi(k_j)^T \phi(q) / \sum_l \phi(k_l)^T \phi(q)` (Katharopoulos et al., arXiv
    2006.16236).

    Parameters
    ----------
    features : Activation, optional
        The function phi of the entries of keys and queries; elu + 1, ``ELU(shift=1)``, unless given.
    normalized : bool, optional
        Whether the products are divided by their sum; true unless given.

    Raises
    ------
    InvalidArgument
        If the features are no activation.
    """

    features: Activation = field(default_factory=lambda: ELU(shift=1))
    normalized: bool = True

    def __post_init__(self) -> None:
        instance("features", self.features, Activation, "an activation, such as algatt.layers.ELU(shift=1)")
        object.__setattr__(self, "normalized", truth("normalized", self.normalized))


@verbs.attend.method
def attend_by_features(
    score: FeatureMap,
    keys: Elements,
    queries: Elements,
    values: Elements,
    *,
    mask: np.ndarray | None = None,
    bias: object = None,
) -> Elements:
    products = Power(1) if score.normalized else Unnormalized()
    phi_keys, phi_queries = (verbs.activate(score.features, one) for one in (keys, queries))
    mixed: Elements = verbs.attend(products, phi_keys, phi_queries, values, mask=mask, bias=bias)
    return mixed


@dataclass(frozen=True, repr=False)
class Retention(Weighting):
    r"""Weights :math:`\gamma_h^{|i - j|}\, k_j^T q_i` without division by their sum, with a decay for each head (Sun et
    al., arXiv 2307.08621).

    Parameters
    ----------
    decays : sequence of numbers, optional
        The decay of each head; floats stand for exactly what they are. Unless given, :math:`1 - 2^{-4 - h}` for the
        heads h = 1, 2, ....

    Raises
    ------
    InvalidArgument
        If they are no positive numbers; and, when a network is built, if there is not one for each head.
    """

    decays: tuple[float | Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.decays is not None:
            numbers = tuple(entries("decays", self.decays, "a sequence of positive numbers"))
            for i, one in enumerate(numbers):
                exact(f"decays[{i}]", one, positive=True)
            object.__setattr__(self, "decays", numbers)

    def of_heads(self, heads: int) -> tuple[float | Fraction, ...]:
        """Return the decay of each of so many heads."""
        if self.decays is None:
            return tuple(1 - Fraction(1, 2 ** (4 + head)) for head in range(1, heads + 1))
        if len(self.decays) != heads:
            raise InvalidArgument("decays", f"{len(self.decays)} numbers", f"one for each of the {heads} heads")
        return self.decays


@verbs.score_of_head.method
def retention_of_head(score: Retention, w: Any, head: int, heads: int) -> Retention:
    return Retention((score.of_heads(heads)[head],))


@verbs.attention_weights.method
def weights_that_decay(score: Retention, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    (given,) = score.of_heads(1)
    decay = Fraction(given)
    keys, queries = (range(size) for size in products.shape[-2:])
    powers = np.array([[decay ** abs(query - key) for query in queries] for key in keys], dtype=object)
    return products * (powers if mask is None else powers * mask)


@dataclass(frozen=True, repr=False)
class Sink(OfSoftmax):
    r"""Softmax with a sink, :math:`e^{x_j} / (e^s + \sum_k e^{x_k})`, so that the weights of a query need not add up to
    1 (Xiao et al., arXiv 2309.17453; gpt-oss, arXiv 2508.10925).

    Parameters
    ----------
    learned : bool, optional
        Whether each head has a logit s of its own; if not, s is 0. True unless given.
    score : Exponential, optional
        The softmax with its temperature, which divides the products x and not s; unless given, that which `Heads` have:
        the root of the width of keys.

    Raises
    ------
    InvalidArgument
        If the score is no softmax.

    Notes
    -----
    The tensor is ``sink`` (heads, 1), of the layer of heads.
    """

    learned: bool = True
    score: Exponential | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "learned", truth("learned", self.learned))
        instance("score", self.score, Exponential | None, "a softmax, such as algatt.layers.Exponential()")


@dataclass(frozen=True, repr=False)
class SinkOfHead(OfSoftmax):
    """The sink of one head.

    Parameters
    ----------
    score : Exponential
        The softmax.
    logit : Elements or None
        The number s; None for 0.
    """

    score: Exponential
    logit: Elements | None


@verbs.tensors.method
def tensors_of_sink(layer: Sink, shape: tuple) -> dict[str, TensorShape]:
    heads, _ = shape
    return {"sink": (heads, 1)} if layer.learned else {}


@verbs.score_of_head.method
def sink_of_head(score: Sink, w: Any, head: int, heads: int) -> SinkOfHead:
    return SinkOfHead(score.score or Exponential(), w.sink[[head]] if score.learned else None)


@verbs.attention_weights.method
def weights_beside_a_sink(score: SinkOfHead, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    """The sink is one more key that every query sees. Its logit is subtracted from the others, which changes no weight:
    so no exponent depends on the weights of the network alone.
    """
    if score.logit is not None:
        products = products - score.logit * temperature(score.score)
    seen = None if mask is None else np.concatenate((mask, mask[:1] * 0 + 1))
    keys = concatenate((products, products[:1] * 0))
    return verbs.attention_weights(score.score, keys, mask=seen)[: products.shape[-2]]
