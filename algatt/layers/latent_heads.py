"""Attention whose keys and values, and queries perhaps, are read off latent vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.arguments import instance, truth, whole
from algatt.fields import Elements, concatenate
from algatt.layers.activations import Activation, Affine
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.norms import RMSNorm
from algatt.layers.positions import Rotary
from algatt.layers.scores import Causal, Mask, Position, SoftCap, Unnormalized, checked_mask, scaled


@dataclass(frozen=True, repr=False)
class LatentHeads(Layer):
    r"""Multi-head latent attention, :math:`X \mapsto \sum_h O_h V_h C W_h` (DeepSeek-V2, arXiv 2405.04434).

    Keys :math:`K_h C` and values :math:`V_h C` of all heads are read off one normalised latent vector for each token,
    :math:`C = N(C_K X)`. Below the keys of every head stands one key :math:`R_K X` that all share, below the queries
    :math:`Q_h C'` of a head stand :math:`R_h C'`, and only these are turned by positions. Queries are read off a
    normalised latent vector of their own, :math:`C' = N'(C_Q X)`, or off :math:`C' = X`. The columns of :math:`W_h`
    are softmax of the products, divided by the root of the width of keys, or what else the score makes of them.

    Parameters
    ----------
    heads : int
        The number of heads.
    latent : int
        The width of the latent vectors of keys and values.
    width : int
        The width of the keys that are read off them.
    shared_width : int
        The width of the key that all heads share.
    value_width : int, optional
        The width of values; `width` unless given.
    query_latent : int, optional
        The width of the latent vectors of queries; these are read off the input unless given.
    score : Score, Unnormalized or SoftCap, optional
        How products become weights; unless given, softmax of the products divided by the root of the width of keys.
    mask : Mask, optional
        Which tokens see which, as ``Causal()``; all see all unless given.
    position : Position, optional
        How positions enter shared keys and the queries of these, as ``Rotary()``; not at all unless given.
    norm : Layer, optional
        What normalises latent vectors; ``RMSNorm()`` unless given.
    bias : bool, optional
        Whether latent vectors, shared keys and the value have biases; false unless given.

    Raises
    ------
    InvalidArgument
        If a number or a slot is not what it should be.

    Notes
    -----
    The tensors are ``C_Q`` (query_latent, d), ``C_K`` (latent, d), ``R_K`` (shared_width, d), and for each head h = 1,
    2, ... ``Q_h`` (width, query_latent), ``R_h`` (shared_width, query_latent), ``K_h`` (width, latent), ``V_h``
    (value_width, latent), ``O_h`` (d, value_width), the biases ``b_C_Q``, ``b_C_K``, ``b_R_K``, ``b_O``, those of the
    position encoding, and those of the norms, ``query_norm`` and ``key_norm``. Without latent vectors of queries there
    is no ``C_Q``, and ``Q_h`` and ``R_h`` have d columns. In a network it is called ``heads``.
    """

    heads: int
    latent: int
    width: int
    shared_width: int
    value_width: int | None = None
    query_latent: int | None = None
    score: Any = None
    mask: Mask | None = None
    position: Position | None = None
    norm: Layer | None = None
    bias: bool = False

    def __post_init__(self) -> None:
        for name in ("heads", "latent", "width", "shared_width", "value_width", "query_latent"):
            value = getattr(self, name)
            if value is not None or name not in ("value_width", "query_latent"):
                object.__setattr__(self, name, whole(name, value))
        scores = Activation | Unnormalized | SoftCap | None
        instance("score", self.score, scores, "a score, such as algatt.layers.Exponential()")
        instance("mask", self.mask, Mask | None, "a mask, such as algatt.layers.Causal()")
        instance("position", self.position, Position | None, "a position encoding, such as algatt.layers.Rotary()")
        instance("norm", self.norm, Layer | None, "a layer, such as algatt.layers.RMSNorm()")
        object.__setattr__(self, "bias", truth("bias", self.bias))

    @property
    def name(self) -> str:
        return "heads"

    @property
    def parts(self) -> dict[str, Layer]:
        norm = RMSNorm() if self.norm is None else self.norm
        return {"key_norm": norm} if self.query_latent is None else {"query_norm": norm, "key_norm": norm}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        affine, causal = Affine(1, 1), Causal()
        return (
            (cls(2, 2, 1, 2, query_latent=2, score=affine, mask=causal, position=Rotary(), bias=True), (3, 2)),
            (cls(2, 2, 2, 2, 1, mask=causal, position=Rotary()), (3, 2)),
        )


@verbs.tensors.method
def tensors_of_latent_heads(layer: LatentHeads, shape: tuple) -> dict[str, TensorShape]:
    d, tokens = shape
    a, r, c = layer.width, layer.shared_width, layer.latent
    b = a if layer.value_width is None else layer.value_width
    read = d if layer.query_latent is None else layer.query_latent
    queries = {} if layer.query_latent is None else {"C_Q": (read, d)}
    shapes: dict[str, TensorShape] = {**queries, "C_K": (c, d), "R_K": (r, d)}
    biases = {f"b_{name}": (rows, 1) for name, (rows, _) in (*shapes.items(), ("O", (d, 1)))} if layer.bias else {}
    for letter, matrix in (("Q", (a, read)), ("R", (r, read)), ("K", (a, c)), ("V", (b, c)), ("O", (d, b))):
        shapes |= {f"{letter}_{number}": matrix for number in range(1, layer.heads + 1)}
    positions = {} if layer.position is None else verbs.tensors(layer.position, (layer.heads, tokens))
    return shapes | biases | positions


@verbs.apply.method
def apply_latent_heads(layer: LatentHeads, w: Tensors, X: Elements) -> Elements:
    tokens = X.shape[-1]
    score = scaled(layer.score, layer.width + layer.shared_width)
    mask = None if layer.mask is None else checked_mask(layer.mask, tokens)

    def linear(name: str) -> Elements:
        Y = w[name] @ X
        return Y + w[f"b_{name}"] if layer.bias else Y

    C = w.key_norm(linear("C_K"))
    read = X if layer.query_latent is None else w.query_norm(linear("C_Q"))
    shared = verbs.turn(layer.position, linear("R_K"))
    results: list[Elements] = []
    for head in range(1, layer.heads + 1):
        query = concatenate((w[f"Q_{head}"] @ read, verbs.turn(layer.position, w[f"R_{head}"] @ read)))
        key = concatenate((w[f"K_{head}"] @ C, shared))
        bias = verbs.bias_scores(layer.position, w, head - 1, layer.heads, tokens)
        results.append(w[f"O_{head}"] @ verbs.attend(score, key, query, w[f"V_{head}"] @ C, mask=mask, bias=bias))
    total = results[0]
    for result in results[1:]:
        total = total + result
    return total + w.b_O if layer.bias else total
