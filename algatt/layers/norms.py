"""Normalisations of tokens, and factors of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, not_negative, truth
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class RMSNorm(Layer):
    r"""The layer :math:`x \mapsto g * x / \sqrt{|x|^2 / d + \epsilon}`, for each token (Zhang and Sennrich, arXiv
    1910.07467).

    Parameters
    ----------
    eps : int, float or Fraction, optional
        The number epsilon; floats stand for exactly what they are. 10^-6 unless given.
    gain : bool, optional
        Whether there is a gain g; true unless given.

    Raises
    ------
    InvalidArgument
        If epsilon is not a finite number >= 0.

    Notes
    -----
    The tensor is the gain ``g`` (d, 1), if there is one. In a network it is called ``norm``.
    """

    eps: float | Fraction = 1e-6
    gain: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "eps", not_negative("eps", self.eps))
        object.__setattr__(self, "gain", truth("gain", self.gain))

    @property
    def name(self) -> str:
        return "norm"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(0, gain=False), (2, 2)))


def root_mean_square(X: Elements, eps: float | Fraction) -> Elements:
    r"""Return :math:`\sqrt{|x|^2 / d + \epsilon}` for each token x, as a row."""
    mean = X.column_products(X) * Fraction(1, X.shape[-2])
    return (mean + exact("eps", eps)).sqrt() if eps else mean.sqrt()


@verbs.tensors.method
def tensors_of_rms_norm(layer: RMSNorm, shape: tuple) -> dict[str, TensorShape]:
    return {"g": (shape[0], 1)} if layer.gain else {}


@verbs.apply.method
def apply_rms_norm(layer: RMSNorm, w: Tensors, X: Elements) -> Elements:
    Y = X / root_mean_square(X, layer.eps)
    return w.g * Y if layer.gain else Y


@dataclass(frozen=True, repr=False)
class LayerNorm(Layer):
    r"""The layer :math:`x \mapsto g * y / \sqrt{|y|^2 / d + \epsilon} + b` with :math:`y = x - \bar x`, for each token
    (Ba et al., arXiv 1607.06450).

    Parameters
    ----------
    eps : int, float or Fraction, optional
        The number epsilon; floats stand for exactly what they are. 10^-5 unless given.
    gain, bias : bool, optional
        Whether there are a gain g and a bias b; true unless given.

    Raises
    ------
    InvalidArgument
        If epsilon is not a finite number >= 0.

    Notes
    -----
    The tensors are ``g`` (d, 1) and ``b`` (d, 1), where they are. The mean of the entries of x is subtracted from each.
    In a network it is called ``norm``.
    """

    eps: float | Fraction = 1e-5
    gain: bool = True
    bias: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "eps", not_negative("eps", self.eps))
        for name in ("gain", "bias"):
            object.__setattr__(self, name, truth(name, getattr(self, name)))

    @property
    def name(self) -> str:
        return "norm"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(0, gain=False, bias=False), (3, 2)), (cls(bias=False), (3, 2)))


@verbs.tensors.method
def tensors_of_layer_norm(layer: LayerNorm, shape: tuple) -> dict[str, TensorShape]:
    names = [name for name, present in (("g", layer.gain), ("b", layer.bias)) if present]
    return dict.fromkeys(names, (shape[0], 1))


@verbs.apply.method
def apply_layer_norm(layer: LayerNorm, w: Tensors, X: Elements) -> Elements:
    Y = X.centre()
    Y = Y / root_mean_square(Y, layer.eps)
    Y = w.g * Y if layer.gain else Y
    return Y + w.b if layer.bias else Y


@dataclass(frozen=True, repr=False)
class LayerScale(Layer):
    r"""The layer :math:`x \mapsto \lambda * x`, at the end of a residual branch (Touvron et al., arXiv 2103.17239).

    Notes
    -----
    The tensor is ``g`` (d, 1), the vector lambda. In a network it is called ``scale``.
    """

    @property
    def name(self) -> str:
        return "scale"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)),)


@verbs.tensors.method
def tensors_of_layer_scale(layer: LayerScale, shape: tuple) -> dict[str, TensorShape]:
    return {"g": (shape[0], 1)}


@verbs.apply.method
def apply_layer_scale(layer: LayerScale, w: Tensors, X: Elements) -> Elements:
    return w.g * X
