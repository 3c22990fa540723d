"""Multi-head attention."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from algatt import verbs
from algatt.arguments import instance, truth, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, concatenate
from algatt.layers.activations import Activation, Affine
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.norms import RMSNorm
from algatt.layers.positions import Rotary
from algatt.layers.scores import Causal, Mask, Position, SoftCap, Unnormalized, Weighting, checked_mask, scaled


@dataclass(frozen=True, repr=False)
class Heads(Layer):
    r"""Attention with several heads, :math:`X \mapsto \sum_h O_h V_h X W_h` (Vaswani et al., arXiv 1706.03762).

    The columns of :math:`W_h` are :math:`\mathrm{softmax}((K_h X)^T q / \sqrt a)` for the columns q of :math:`Q_h X`,
    or what else the score makes of the products. With biases each linear map M X is M X + b. With fewer heads of keys
    and values, each serves a group of consecutive queries (Ainslie et al., arXiv 2305.13245). Queries and keys may be
    normalised (Dehghani et al., arXiv 2302.05442), before positions turn them.

    Parameters
    ----------
    heads : int
        The number of heads.
    key_heads : int, optional
        The number of heads of keys and values, which divides that of heads; the same unless given.
    width : int, optional
        The width a of keys and queries; d / heads unless given.
    value_width : int, optional
        The width of values; that of keys unless given.
    score : Activation or Weighting, optional
        How products become weights; unless given, softmax of the products divided by the root of `width`.
    mask : Mask, optional
        Which tokens see which, as ``Causal()``; all see all unless given.
    position : Position, optional
        How positions enter, as ``Rotary()``; not at all unless given.
    norm : Layer, optional
        Queries and keys are normalised by it, as by ``RMSNorm()``, each head by itself, or together by
        ``AcrossHeads(RMSNorm())``.
    biases : str, optional
        Which linear maps have biases: letters of ``"QKVO"``.
    output : bool, optional
        Whether the heads are multiplied by matrices O_h and added up; if not, their values stand below each other. True
        unless given.

    Raises
    ------
    InvalidArgument
        If a number or a slot is not what it should be; and, when a network is built, if the width of the input is no
        multiple of the heads and no width is given.

    Notes
    -----
    The tensors are ``Q_h`` (a, d), ``K_g`` (a, d), ``V_g`` (d', d), ``O_h`` (d, d'), for each head h = 1, 2, ... and
    each head g of keys and values, the biases ``b_Q_h`` (a, 1), ``b_K_g`` (a, 1), ``b_V_g`` (d', 1), ``b_O`` (d, 1),
    and those of the score and of the position encoding.
    """

    heads: int
    key_heads: int | None = None
    width: int | None = None
    value_width: int | None = None
    score: Any = None
    mask: Mask | None = None
    position: Position | None = None
    norm: Layer | None = None
    biases: str = ""
    output: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", whole("heads", self.heads))
        for name in ("key_heads", "width", "value_width"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole(name, getattr(self, name)))
        if self.heads % self.groups:
            raise InvalidArgument("heads", f"{self.heads} with key_heads={self.groups}", "a multiple of key_heads")
        instance("score", self.score, Activation | Weighting | None, "a score, such as algatt.layers.Exponential()")
        instance("mask", self.mask, Mask | None, "a mask, such as algatt.layers.Causal()")
        instance("position", self.position, Position | None, "a position encoding, such as algatt.layers.Rotary()")
        instance("norm", self.norm, Layer | None, "a layer, such as algatt.layers.RMSNorm()")
        if (
            not isinstance(self.biases, str)
            or set(self.biases) - set("QKVO")
            or len(set(self.biases)) < len(self.biases)
        ):
            raise InvalidArgument("biases", repr(self.biases), 'different letters of "QKVO"')
        object.__setattr__(self, "output", truth("output", self.output))
        if "O" in self.biases and not self.output:
            raise InvalidArgument("biases", repr(self.biases), "without O, since there is no output projection")

    @property
    def groups(self) -> int:
        """The number of heads of keys and values."""
        return self.heads if self.key_heads is None else self.key_heads

    @property
    def parts(self) -> dict[str, Layer]:
        return {} if self.norm is None else {"query_norm": self.norm, "key_norm": self.norm}

    def widths(self, shape: tuple[int, int]) -> tuple[int, int]:
        """Return the widths of keys and of values for an input of a shape."""
        if self.width is None and shape[0] % self.heads:
            raise WidthError(
                self, f"given width {shape[0]}", f"given a multiple of {self.heads}, or a width of its own"
            )
        width = shape[0] // self.heads if self.width is None else self.width
        return width, width if self.value_width is None else self.value_width

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        linear, affine = Unnormalized(), Affine(1, 1)
        from algatt.layers.weightings import FeatureMap, Retention, Sink

        return (
            (cls(1, width=2, value_width=3, score=linear, output=False), (3, 2)),
            (cls(2, score=linear, mask=Causal()), (4, 3)),
            (cls(2, key_heads=1, width=2, score=affine, biases="QKVO"), (2, 3)),
            (cls(1, width=4, score=affine, position=Rotary(width=2, factor=3), mask=Causal()), (3, 3)),
            (cls(2, biases="QK"), (4, 2)),
            (cls(2, width=2, norm=RMSNorm(), output=False), (2, 2)),
            (cls(2, norm=AcrossHeads(RMSNorm()), score=SoftCap(5)), (4, 2)),
            (cls(2, width=1, score=Sink(), mask=Causal()), (2, 2)),
            (cls(2, width=1, score=Retention(), mask=Causal()), (2, 2)),
            (cls(1, width=2, score=FeatureMap()), (2, 2)),
        )


@dataclass(frozen=True, repr=False)
class AcrossHeads(Layer):
    """A layer that normalises the queries, or the keys, of all heads of a token together, as OLMo 2 does (arXiv
    2501.00656).

    Parameters
    ----------
    layer : Layer
        The layer.

    Raises
    ------
    InvalidArgument
        If it is none.
    """

    layer: Layer

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer, such as algatt.layers.RMSNorm()")

    @property
    def parts(self) -> dict[str, Layer]:
        return {"": self.layer}


@verbs.apply.method
def apply_across_heads(layer: AcrossHeads, w: Tensors, X: Elements) -> Elements:
    (function,) = w.parts
    return function(X)


@verbs.normalize_heads.method
def normalize_each(norm: Layer, run: Callable, heads: Sequence) -> list[Elements]:
    return [run(head) for head in heads]


@verbs.normalize_heads.method
def normalize_together(norm: AcrossHeads, run: Callable, heads: Sequence) -> list[Elements]:
    together = run(concatenate(heads))
    ends = accumulate((head.shape[-2] for head in heads), initial=0)
    return [together[start:stop] for start, stop in pairwise(ends)]


@verbs.tensors.method
def tensors_of_heads(layer: Heads, shape: tuple) -> dict[str, TensorShape]:
    d, tokens = shape
    a, b = layer.widths(shape)
    shapes: dict[str, TensorShape] = {}
    for letter, count, matrix in (("Q", layer.heads, (a, d)), ("K", layer.groups, (a, d)), ("V", layer.groups, (b, d))):
        for number in range(1, count + 1):
            shapes[f"{letter}_{number}"] = matrix
            if letter in layer.biases:
                shapes[f"b_{letter}_{number}"] = (matrix[0], 1)
    if layer.output:
        shapes.update({f"O_{number}": (d, b) for number in range(1, layer.heads + 1)})
        if "O" in layer.biases:
            shapes["b_O"] = (d, 1)
    for slot in (layer.score, layer.position):
        if slot is not None:
            shapes.update(verbs.tensors(slot, (layer.heads, tokens)))
    return shapes


@verbs.apply.method
def apply_heads(layer: Heads, w: Tensors, X: Elements) -> Elements:
    return heads_between(layer, w, X, X)


def heads_between(layer: Heads, w: Tensors, X: Elements, S: Elements) -> Elements:
    """Return the value of heads whose queries are of X, and whose keys and values are of S."""
    mixtures = mixtures_of_heads(layer, w, X, S)
    values = [linear(layer, w, "V", number, S) for number in range(1, layer.groups + 1)]
    results = []
    for head, mix in enumerate(mixtures):
        mixed = mix(values[head * layer.groups // layer.heads])
        results.append(w[f"O_{head + 1}"] @ mixed if layer.output else mixed)
    if not layer.output:
        return concatenate(results) if len(results) > 1 else results[0]
    total = results[0]
    for result in results[1:]:
        total = total + result
    return total + w.b_O if "O" in layer.biases else total


def linear(layer: Heads, w: Tensors, letter: str, number: int, X: Elements) -> Elements:
    """Return queries, keys or values of a head, before positions and norms."""
    Y = w[f"{letter}_{number}"] @ X
    return Y + w[f"b_{letter}_{number}"] if letter in layer.biases else Y


def mixtures_of_heads(layer: Heads, w: Tensors, X: Elements, S: Elements) -> Iterator[Callable[[Elements], Elements]]:
    """Return the heads, each as what mixes values of the tokens of S, which are columns, to those of X.

    Of the identity in the place of values it is the transpose of the attention matrix.
    """
    rows, tokens = X.shape[-2:]
    width, _ = layer.widths((rows, tokens))
    score = scaled(layer.score, width)
    mask = None if layer.mask is None else checked_mask(layer.mask, tokens)

    def with_positions(letter: str, count: int, norm: str) -> list[Elements]:
        each = [linear(layer, w, letter, number, X if letter == "Q" else S) for number in range(1, count + 1)]
        if layer.norm is not None:
            each = verbs.normalize_heads(layer.norm, w.part(norm), each)
        return [verbs.turn(layer.position, Y) for Y in each]

    queries = with_positions("Q", layer.heads, "query_norm")
    keys = with_positions("K", layer.groups, "key_norm")

    def mixture(head: int) -> Callable[[Elements], Elements]:
        bias = verbs.bias_scores(layer.position, w, head, layer.heads, tokens)
        own = verbs.score_of_head(score, w, head, layer.heads)
        key = keys[head * layer.groups // layer.heads]
        return functools.partial(verbs.attend, own, key, queries[head], mask=mask, bias=bias)

    return map(mixture, range(layer.heads))
