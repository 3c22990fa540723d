"""Routers: the share of each expert in the value of a token."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.arguments import truth, whole
from algatt.errors import WidthError
from algatt.fields import Elements, Sigmoid
from algatt.layers.activations import Exponential
from algatt.layers.base import Noun, TensorShape

__all__ = ["Router", "SigmoidRouter", "SoftmaxRouter"]


@dataclass(frozen=True, repr=False)
class Router(Noun, ABC):
    """How numbers for each expert become shares: a frozen dataclass with a method of `algatt.verbs.route`.

    One with tensors of its own has a method of `tensors`, too.
    """

    top: int | None = None
    renormalize: bool = False

    def __post_init__(self) -> None:
        if self.top is not None:
            object.__setattr__(self, "top", whole("top", self.top))
        object.__setattr__(self, "renormalize", truth("renormalize", self.renormalize))


@dataclass(frozen=True, repr=False)
class SoftmaxRouter(Router):
    r"""Shares :math:`e^{x_e} / \sum_f e^{x_f}`, of which the largest are kept (Mixtral, arXiv 2401.04088).

    Parameters
    ----------
    top : int, optional
        How many experts a token has; all unless given.
    renormalize : bool, optional
        Whether the shares that are kept are divided by their sum; false unless given.
    """


@dataclass(frozen=True, repr=False)
class SigmoidRouter(Router):
    r"""Shares :math:`\sigma(x_e) = 1 / (1 + e^{-x_e})`, of which the largest are kept (DeepSeek-V3, arXiv 2412.19437).

    Parameters
    ----------
    top : int, optional
        How many experts a token has; all unless given.
    renormalize : bool, optional
        Whether the shares that are kept are divided by their sum; false unless given.
    correction : bool, optional
        Whether a vector is added to the shares when the largest are chosen, and only then; false unless given. It is
        the tensor ``correction`` of the layer, of shape (count, 1).
    """

    correction: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "correction", truth("correction", self.correction))


@verbs.tensors.method
def no_tensors(layer: Router, shape: tuple) -> dict[str, TensorShape]:
    check_top(layer, shape)
    return {}


@verbs.tensors.method
def tensors_of_sigmoid_router(layer: SigmoidRouter, shape: tuple) -> dict[str, TensorShape]:
    check_top(layer, shape)
    return {"correction": (shape[0], 1)} if layer.correction else {}


def check_top(router: Router, shape: tuple[int, int]) -> None:
    """Raise `InvalidArgument` if more experts are chosen than there are."""
    if router.top is not None and router.top > shape[0]:
        raise WidthError(router, f"given {shape[0]} experts", f"given at least {router.top}")


@verbs.route.method
def route_by_softmax(router: SoftmaxRouter, w: object, numbers: Elements) -> Elements:
    return kept(router, verbs.attention_weights(Exponential(), numbers), numbers)


@verbs.route.method
def route_by_sigmoid(router: SigmoidRouter, w: Any, numbers: Elements) -> Elements:
    shares = numbers.entrywise(Sigmoid())
    return kept(router, shares, shares + w.correction if router.correction else shares)


def kept(router: Router, shares: Elements, ranking: Elements) -> Elements:
    """Keep the shares of the experts that are ranked highest."""
    if router.top is not None and router.top < shares.shape[-2]:
        shares = shares * ranking.largest(router.top)
    return shares / shares.sum(axis=0) if router.renormalize else shares
