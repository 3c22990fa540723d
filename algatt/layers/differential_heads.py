"""Differential attention."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, instance, whole
from algatt.fields import Elements
from algatt.layers.activations import Exponential
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.norms import RMSNorm
from algatt.layers.scores import Causal, Mask, Position, checked_mask


@dataclass(frozen=True, repr=False)
class DifferentialHeads(Layer):
    r"""Differential attention, :math:`X \mapsto (1 - c) \sum_h O_h N(V_h X (W_h - \lambda W'_h))`, the W being softmax
    attention (Ye et al., arXiv 2410.05258).

    The number :math:`\lambda = e^{q_1^T k_1} - e^{q_2^T k_2} + c` is the same for all heads; N normalises each head.

    Parameters
    ----------
    heads : int
        The number of heads, each with two pairs of queries and keys.
    width : int
        The width a of keys and queries; values are twice as wide.
    start : int, float or Fraction, optional
        The number c; a float stands for exactly what it is. In block number l of the paper it is
        :math:`0.8 - 0.6\, e^{-0.3 (l - 1)}`; 1/5, that of the first one, unless given.
    mask : Mask, optional
        Which tokens see which, as ``Causal()``; all see all unless given.
    position : Position, optional
        How positions turn queries and keys, as ``Rotary()``; not at all unless given.
    norm : Layer, optional
        The layer N, with the same tensors for all heads; ``RMSNorm(1e-5, gain=False)`` unless given.

    Raises
    ------
    InvalidArgument
        If a number or a slot is not what it should be.

    Notes
    -----
    The tensors are for each head h = 1, 2, ... those of its two pairs, ``Q_n`` and ``K_n`` (a, d) for n = 2 h - 1 and
    2 h, ``V_h`` (2 a, d), ``O_h`` (d, 2 a), and for all heads together ``q_1``, ``k_1``, ``q_2``, ``k_2`` (a, 1) and
    those of the norm. In a network it is called ``heads``.
    """

    heads: int
    width: int
    start: float | Fraction = Fraction(1, 5)
    mask: Mask | None = None
    position: Position | None = None
    norm: Layer = field(default_factory=lambda: RMSNorm(1e-5, gain=False))

    def __post_init__(self) -> None:
        for name in ("heads", "width"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        exact("start", self.start)
        instance("mask", self.mask, Mask | None, "a mask, such as algatt.layers.Causal()")
        instance("position", self.position, Position | None, "a position encoding, such as algatt.layers.Rotary()")
        instance("norm", self.norm, Layer, "a layer, such as algatt.layers.RMSNorm()")

    @property
    def name(self) -> str:
        return "heads"

    @property
    def parts(self) -> dict[str, Layer]:
        return {"norm": self.norm}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(1, 1, mask=Causal()), (2, 2)),)


@verbs.tensors.method
def tensors_of_differential_heads(layer: DifferentialHeads, shape: tuple) -> dict[str, TensorShape]:
    d, a = shape[0], layer.width
    pairs = {f"{letter}_{n}": (a, d) for letter in "QK" for n in range(1, 2 * layer.heads + 1)}
    values = {f"V_{h}": (2 * a, d) for h in range(1, layer.heads + 1)}
    outputs = {f"O_{h}": (d, 2 * a) for h in range(1, layer.heads + 1)}
    return {**pairs, **values, **outputs, **dict.fromkeys(("q_1", "k_1", "q_2", "k_2"), (a, 1))}


@verbs.apply.method
def apply_differential_heads(layer: DifferentialHeads, w: Tensors, X: Elements) -> Elements:
    factor = (w.q_1.T @ w.k_1).exp() - (w.q_2.T @ w.k_2).exp() + exact("start", layer.start)
    return differences(layer, w, X, factor)


def differences(layer: DifferentialHeads, w: Tensors, X: Elements, factor: Elements) -> Elements:
    """Return the sum of all heads, the second attention of each being multiplied by a factor."""
    mask = None if layer.mask is None else checked_mask(layer.mask, X.shape[-1])
    score, start = Exponential(math.sqrt(layer.width)), exact("start", layer.start)

    def attended(number: int, values: Elements) -> Elements:
        query, key = (verbs.turn(layer.position, w[f"{letter}_{number}"] @ X) for letter in "QK")
        mixed: Elements = verbs.attend(score, key, query, values, mask=mask)
        return mixed

    def result(head: int) -> Elements:
        values = w[f"V_{head}"] @ X
        difference = attended(2 * head - 1, values) - factor * attended(2 * head, values)
        return w[f"O_{head}"] @ w.norm(difference) * (1 - start)

    total = result(1)
    for head in range(2, layer.heads + 1):
        total = total + result(head)
    return total
