"""Some of the tokens, and their mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class SelectTokens(Layer):
    r"""The layer :math:`X \mapsto (x_i)`, with the tokens from one number to before another; all unless given.

    ``SelectTokens(0, 1)`` reads the first token, as that of the class.

    Parameters
    ----------
    start : int, optional
        The number of the first token that is kept, counted from 0; 0 unless given.
    stop : int, optional
        The number of the first one after it that is not; none unless given.

    Raises
    ------
    InvalidArgument
        If they are no integers with 0 <= start < stop; and, when a network is built, if it has too few tokens.
    """

    start: int = 0
    stop: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", whole("start", self.start, 0))
        if self.stop is not None:
            object.__setattr__(self, "stop", whole("stop", self.stop, self.start + 1))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(1), (2, 3)), (cls(0, 1), (3, 2)))


@verbs.tensors.method
def tensors_of_select_tokens(layer: SelectTokens, shape: tuple) -> dict[str, TensorShape]:
    least = layer.start + 1 if layer.stop is None else layer.stop
    if shape[1] < least:
        raise WidthError(layer, f"given {shape[1]} tokens", f"given at least {least}")
    return {}


@verbs.apply.method
def apply_select_tokens(layer: SelectTokens, w: Tensors, X: Elements) -> Elements:
    return X[:, layer.start : layer.stop]


@dataclass(frozen=True, repr=False)
class MeanToken(Layer):
    r"""The layer :math:`X \mapsto \sum_i x_i / t`, the mean of all t tokens (Lin et al., arXiv 1312.4400)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (2, 3)),)


@verbs.apply.method
def apply_mean_token(layer: MeanToken, w: Tensors, X: Elements) -> Elements:
    return X.sum(axis=1) * Fraction(1, X.shape[-1])
