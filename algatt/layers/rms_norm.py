"""Root mean square normalisation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, not_negative, truth
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape

__all__ = ["RMSNorm", "root_mean_square"]


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
