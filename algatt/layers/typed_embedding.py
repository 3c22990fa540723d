"""From tokens of several types to vectors."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import WidthError
from algatt.fields import Elements, Reals, concatenate
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class TypedEmbedding(Layer):
    r"""The layer that gives every token of a type the vector of the token plus that of its type (Devlin et al., arXiv
    1810.04805).

    What stands at a position is a pair of a token v and a type s, which has the number :math:`s V + v`. A network that
    begins with the layer takes these numbers, 0, ..., S V - 1, as its input: all inputs are all sequences of pairs. It
    is :math:`X \mapsto M X` for the matrix X of unit vectors, where column :math:`s V + v` of M is :math:`e_v + t_s`.

    Parameters
    ----------
    vocabulary : int
        The number V of tokens.
    width : int
        The width d of the vectors.
    types : int, optional
        The number S of types, as for the first and the second sentence; 2 unless given.

    Raises
    ------
    InvalidArgument
        If a number is no integer >= 1; and, when a network is built, if the layer does not stand at its beginning.

    Notes
    -----
    The tensors are ``E`` (V, d), a row for each token, and ``T`` (S, d), a row for each type. In a network it is called
    ``embedding``.
    """

    vocabulary: int
    width: int
    types: int = 2

    def __post_init__(self) -> None:
        for name in ("vocabulary", "width", "types"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))

    @property
    def name(self) -> str:
        return "embedding"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(3, 2), (6, 2)), (cls(4, 3, types=1), (4, 2)))


@verbs.vocabulary.method
def pairs_of_typed_embedding(layer: TypedEmbedding) -> int:
    """There is an input symbol for each pair of a token and a type."""
    return layer.vocabulary * layer.types


@verbs.tensors.method
def tensors_of_typed_embedding(layer: TypedEmbedding, shape: tuple) -> dict[str, TensorShape]:
    pairs = layer.vocabulary * layer.types
    if shape[0] != pairs:
        was, should = f"given vectors of width {shape[0]}", f"given the unit vectors of {pairs} pairs, at the beginning"
        raise WidthError(layer, was, should)
    return {"E": (layer.vocabulary, layer.width), "T": (layer.types, layer.width)}


@verbs.apply.method
def apply_typed_embedding(layer: TypedEmbedding, w: Tensors, X: Elements) -> Elements:
    if isinstance(X.field, Reals):  # without the table of all pairs, which is larger than that of the tokens
        parts = [X[kind * layer.vocabulary : (kind + 1) * layer.vocabulary] for kind in range(layer.types)]
        return w.E.T @ functools.reduce(operator.add, parts) + w.T.T @ concatenate([one.sum(axis=0) for one in parts])
    if layer.types == 1:  # columns of X add up to one
        return w.E.T @ X + w.T.T
    return concatenate([w.E.T + w.T[kind : kind + 1].T for kind in range(layer.types)], axis=1) @ X
