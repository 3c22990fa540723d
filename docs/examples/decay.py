"""Attention whose scores decay with the distance of the tokens: a new layer in one file."""

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.layers import Layer, Tensors


@dataclass(frozen=True, repr=False)
class Decay(Layer):
    r"""The layer :math:`X \mapsto V X (D * X^T K^T Q X)`, entry by entry, with :math:`D_{ji} = t - |j - i|`."""

    rank: int
    width: int


@verbs.tensors.method
def tensors_of_decay(layer: Decay, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"Q": (layer.rank, shape[0]), "K": (layer.rank, shape[0]), "V": (layer.width, shape[0])}


@verbs.apply.method
def apply_decay(layer: Decay, w: Tensors, X: Elements) -> Elements:
    place = np.arange(X.shape[-1])
    D = len(place) - abs(place[:, None] - place)
    return w.V @ X @ (D * ((w.K @ X).T @ (w.Q @ X)))
