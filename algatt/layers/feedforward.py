"""The network of one hidden layer that each token passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from algatt import verbs
from algatt.arguments import instance, truth, whole
from algatt.fields import Elements
from algatt.layers.activations import GELU, Activation, Power, ReLU, SiLU
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class Feedforward(Layer):
    r"""The layer :math:`x \mapsto D\, S(U x)`, or gated :math:`x \mapsto D\, (S(G x) * U x)` (Shazeer, arXiv
    2002.05202), for each token.

    Parameters
    ----------
    hidden : int
        The number m of neurons.
    activation : Activation, optional
        The function S; `GELU` unless given. With a gate, ``SiLU()`` makes SwiGLU, ``GELU()`` GeGLU, ``ReLU()`` ReGLU.
    gated : bool, optional
        Whether there is a gate; false unless given.
    bias : bool, optional
        Whether the linear maps have biases; false unless given.
    width : int, optional
        The width of the value, that of the input unless given.

    Raises
    ------
    InvalidArgument
        If a number is no integer >= 1, or the activation is none.

    Notes
    -----
    The tensors are U, ``up`` (m, d), with a gate G, ``gate`` (m, d), then D, ``down`` (width, m), and with biases
    ``b_up`` (m, 1), ``b_gate`` (m, 1), ``b_down`` (width, 1).
    """

    hidden: int
    activation: Activation = field(default_factory=GELU)
    gated: bool = False
    bias: bool = False
    width: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", whole("hidden", self.hidden))
        instance("activation", self.activation, Activation, "an activation, such as algatt.layers.GELU()")
        for name in ("gated", "bias"):
            object.__setattr__(self, name, truth(name, getattr(self, name)))
        if self.width is not None:
            object.__setattr__(self, "width", whole("width", self.width))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return (
            (cls(3, Power(2)), (2, 2)),
            (cls(3, ReLU(), bias=True), (2, 2)),
            (cls(2, SiLU(), gated=True), (3, 2)),
            (cls(2, Power(3), gated=True, bias=True, width=1), (2, 2)),
        )


@verbs.tensors.method
def tensors_of_feedforward(layer: Feedforward, shape: tuple) -> dict[str, TensorShape]:
    width, m = shape[0], layer.hidden
    inner = ("up", "gate") if layer.gated else ("up",)
    out = width if layer.width is None else layer.width
    shapes: dict[str, TensorShape] = {**dict.fromkeys(inner, (m, width)), "down": (out, m)}
    return {**shapes, **{f"b_{name}": (rows, 1) for name, (rows, _) in shapes.items()}} if layer.bias else shapes


@verbs.apply.method
def apply_feedforward(layer: Feedforward, w: Tensors, X: Elements) -> Elements:
    def linear(name: str, Y: Elements) -> Elements:
        return w[name] @ Y + w[f"b_{name}"] if layer.bias else w[name] @ Y

    if layer.gated:
        return linear("down", verbs.activate(layer.activation, linear("gate", X)) * linear("up", X))
    return linear("down", verbs.activate(layer.activation, linear("up", X)))
