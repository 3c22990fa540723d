"""Verbs of layers: what tensors a layer has, and what it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from algatt.fields.base import Elements
    from algatt.layers.activations import Activation
    from algatt.layers.base import Layer, Noun, Tensors
    from algatt.layers.readings import Reading
    from algatt.layers.routers import Router
    from algatt.layers.scores import Mask, Position


@declare
def tensors(layer: Any, shape: tuple, /) -> dict[str, tuple[int, ...]]:
    """Return the names and shapes of the tensors of a layer for an input of a shape (d, t), in order; not those of its
    parts.

    Parameters
    ----------
    layer : Layer, Position or Weighting
        The layer; of a position encoding or a weighting, the shape is (heads, t).
    shape : (int, int)
        Width and number of tokens of the input.

    Returns
    -------
    dict of str to tuple of int
        Vectors are matrices with one column.

    Raises
    ------
    InvalidArgument
        If the layer does not take inputs of this shape.
    """


@declare
def apply(layer: Any, w: Tensors, X: Elements, /) -> Elements:
    """Return the value of a layer at an input, in ring operations; this one text is what values, derivatives, degrees
    and enclosures come from.

    Parameters
    ----------
    layer : Layer
        The layer.
    w : Tensors
        Its tensors by name, as ``w.W`` or ``w["W"]``, and its parts as functions of their inputs.
    X : Elements
        The input, of shape (d, t) or with batch axes in front; tokens are columns.

    Returns
    -------
    Elements
        The value; its shape is read off this computation.
    """


@declare
def activate(activation: Activation, x: Elements, /) -> Elements:
    r"""Return :math:`S(x)` for every entry x of an array of `Elements`; an activation says this in ring operations and
    ``.entrywise(...)``.

    Exact over GF(p) where the activation is a rational function; enclosed over balls; rounded over the reals.
    Derivatives come with it.

    Raises
    ------
    DivisionByZero
        At a pole.
    """


@declare
def attention_weights(score: Noun, products: Elements, /, *, mask: np.ndarray | None = None) -> Elements:
    r"""Return :math:`W_{ji} = S(p_{ji}) / \sum_k S(p_{ki})`, scores normalised over the key index, for matrices p of
    `Elements` (HMK Eq 15).

    The columns of W add up to one, unless the score is `Unnormalized`. Entries at which the 0/1 matrix `mask` is 0 do
    not count. Cost: linear in the entries.

    Raises
    ------
    DivisionByZero
        Where a sum vanishes.
    ScoreOverflow
        If the scores are too large for floating point.
    """


@declare(homes=["algatt.layers.scores"])
def attend(
    score: Any,
    keys: Elements,
    queries: Elements,
    values: Elements,
    /,
    *,
    mask: np.ndarray | None = None,
    bias: object = None,
) -> Elements:
    r"""Return the values mixed by attention, :math:`v\, W`, W being the attention weights of the products :math:`k^T q`
    plus `bias`.

    Where softmax has a temperature, the products are divided by it and the bias is not. All are `Elements`: keys and
    queries of shape (a, t), values of shape (d', t), mask and bias of shape (t, t), keys by queries.
    """


@declare(homes=["algatt.layers.scores"])
def score_of_head(score: Any, w: Any, head: int, heads: int, /) -> Any:
    """Return how the products of one head of several become weights, its tensors being among those of the heads: the
    score itself, unless heads differ.
    """


@declare
def mask_matrix(mask: Mask, tokens: int, /) -> np.ndarray:
    """Return the 0/1 matrix of shape (tokens, tokens) whose column i shows the keys that query i sees.

    Raises
    ------
    InvalidArgument
        If some query sees no key, or the mask is not for this number of tokens.
    """


@declare(homes=["algatt.layers.scores"])
def turn(position: Position | None, X: Elements, /) -> Elements:
    """Return queries or keys with their positions: rotated for `Rotary`, as they are otherwise."""


@declare(homes=["algatt.layers.scores"])
def bias_scores(position: Position | None, w: Any, head: int, heads: int, tokens: int, /) -> Any:
    """Return what a position encoding adds to the products of keys and queries of a head: a (t, t) array, keys by
    queries, or None for nothing.
    """


@declare(homes=["algatt.layers.heads"])
def normalize_heads(norm: Layer, run: Callable, heads: Sequence, /) -> list[Elements]:
    """Return the queries, or the keys, of all heads normalised: each for itself, or all heads of a token together
    (`AcrossHeads`).
    """


@declare
def vocabulary(layer: Layer, /) -> Any:
    """Return the number of tokens that a network starting with this layer reads, or None if it reads vectors."""


@declare
def source(layer: Layer, tokens: int, /) -> tuple[int, int] | None:
    """Return how many rows and columns of numbers a network starting with this layer reads before its tokens, if it has
    so many columns in all; None if it reads tokens alone, or vectors alone.
    """


@declare
def read(reading: Reading, logits: Elements, /) -> Elements:
    """Return a number for each token of a vocabulary as it is read: as it is, capped, or as probabilities."""


@declare
def route(router: Router, w: Any, numbers: Elements, /) -> Elements:
    """Return the share of each expert in the value of each token, from a matrix of numbers, experts by tokens."""
