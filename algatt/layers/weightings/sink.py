"""Attention sinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import instance, truth
from algatt.fields import Elements, concatenate
from algatt.layers.activations import Exponential
from algatt.layers.base import TensorShape
from algatt.layers.scores import OfSoftmax, temperature

__all__ = ["Sink"]


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
