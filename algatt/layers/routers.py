"""Routers: the share of each expert in the value of a token."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from algatt import verbs
from algatt.arguments import exact, not_negative, positive, truth, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, Sigmoid, concatenate
from algatt.layers.activations import Exponential
from algatt.layers.base import Noun, TensorShape


@dataclass(frozen=True, repr=False)
class Router(Noun, ABC):
    """How numbers for each expert become shares: a frozen dataclass with a method of `algatt.verbs.route`.

    One with tensors of its own has a method of `tensors`, too.

    Attributes
    ----------
    leaders : int
        Groups of experts are ranked by the sum of the ranks of so many of their highest ones. A class attribute.
    """

    leaders: ClassVar[int] = 1

    top: int | None = None
    renormalize: bool = False
    scale: float | Fraction = field(default=1.0, kw_only=True)
    eps: float | Fraction = field(default=0.0, kw_only=True)
    groups: int | None = field(default=None, kw_only=True)
    top_groups: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("top", "groups", "top_groups"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole(name, getattr(self, name)))
        object.__setattr__(self, "renormalize", truth("renormalize", self.renormalize))
        object.__setattr__(self, "scale", positive("scale", self.scale))
        object.__setattr__(self, "eps", not_negative("eps", self.eps))
        if (self.groups is None) != (self.top_groups is None):
            raise InvalidArgument("top_groups", repr(self.top_groups), "given if groups are, and not otherwise")
        if self.groups is not None and self.top_groups is not None and self.top_groups > self.groups:
            raise InvalidArgument("top_groups", repr(self.top_groups), f"at most groups, which is {self.groups}")


@dataclass(frozen=True, repr=False)
class SoftmaxRouter(Router):
    r"""Shares :math:`e^{x_e} / \sum_f e^{x_f}`, of which the largest are kept (Mixtral, arXiv 2401.04088).

    Parameters
    ----------
    top : int, optional
        How many experts a token has; all unless given.
    renormalize : bool, optional
        Whether the shares that are kept are divided by their sum; false unless given.
    scale : int, float or Fraction, optional
        What the shares are multiplied by in the end; floats stand for exactly what they are. 1 unless given.
    eps : int, float or Fraction, optional
        A number that is added to the sum by which shares are divided; 0 unless given.
    groups, top_groups : int, optional
        The experts are in so many groups of consecutive ones, and a token has experts out of so many of them, those
        with the largest share (DeepSeek-V2, arXiv 2405.04434); out of all unless given.
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
    scale : int, float or Fraction, optional
        What the shares are multiplied by in the end; floats stand for exactly what they are. 1 unless given.
    eps : int, float or Fraction, optional
        A number that is added to the sum by which shares are divided; 0 unless given.
    groups, top_groups : int, optional
        The experts are in so many groups of consecutive ones, and a token has experts out of so many of them, those
        whose two largest shares, with the vector, add up to the most; out of all unless given.
    """

    leaders: ClassVar[int] = 2

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
    """Raise `InvalidArgument` if more experts are chosen than there are, or they are not in such groups."""
    count = shape[0]
    if router.groups is not None and router.top_groups is not None:
        if count % router.groups or count // router.groups < router.leaders:
            should = f"given a multiple of {router.groups}, and at least {router.leaders} for each group"
            raise WidthError(router, f"given {count} experts", should)
        count = count // router.groups * router.top_groups
    if router.top is not None and router.top > count:
        there = "experts" if count == shape[0] else f"experts in {router.top_groups} groups"
        raise WidthError(router, f"given {count} {there}", f"given at least {router.top}")


@verbs.route.method
def route_by_softmax(router: SoftmaxRouter, w: object, numbers: Elements) -> Elements:
    shares = verbs.attention_weights(Exponential(), numbers)
    shown = best_groups(router, shares)
    if shown is None:
        return kept(router, shares, numbers)
    return kept(router, shares * shown, shares * shown)


@verbs.route.method
def route_by_sigmoid(router: SigmoidRouter, w: Any, numbers: Elements) -> Elements:
    shares = numbers.entrywise(Sigmoid())
    ranking = shares + w.correction if router.correction else shares
    shown = best_groups(router, ranking)
    return kept(router, shares, ranking if shown is None else above_zero(ranking) * shown)


def kept(router: Router, shares: Elements, ranking: Elements) -> Elements:
    """Keep the shares of the experts that are ranked highest."""
    count = ranking.shape[-2]
    if router.groups is not None and router.top_groups is not None:
        count = count // router.groups * router.top_groups
    top = count if router.top is None else router.top
    if top < ranking.shape[-2]:
        shares = shares * ranking.largest(top)
    if router.renormalize:
        total = shares.sum(axis=0)
        shares = shares / (total + exact("eps", router.eps) if router.eps else total)
    return shares if router.scale == 1 else shares * exact("scale", router.scale)


def best_groups(router: Router, ranking: Elements) -> Elements | None:
    """Return which experts are in the groups whose highest ones are ranked highest, as zeros and ones; None if a token
    has experts out of all groups.
    """
    groups, top, leaders = router.groups, router.top_groups, router.leaders
    if groups is None or top is None or top == groups:
        return None
    size = ranking.shape[-2] // groups
    each = [ranking[start : start + size] for start in range(0, size * groups, size)]
    heads = [(one * one.largest(leaders) if leaders < size else one).sum(axis=0) for one in each]
    chosen = concatenate([concatenate(heads).largest(top)] * size)
    return chosen[[groups * (row % size) + row // size for row in range(size * groups)]]


def above_zero(ranking: Elements) -> Elements:
    """Return positive numbers in the order of the given ones: these centred, and 1 and the sum of their squares, which
    is more than any of them is below zero.
    """
    centred = ranking.centre()
    return centred + (centred.column_products(centred) + 1)
