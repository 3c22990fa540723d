"""Mixtures of experts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.fields import Elements
from algatt.layers.activations import Power
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.feedforward import Feedforward
from algatt.layers.routers import Router, SoftmaxRouter


@dataclass(frozen=True, repr=False)
class Experts(Layer):
    r"""Several networks, mixed for each token as a router says: :math:`x \mapsto \sum_e p_e(x) f_e(x)` (Shazeer et al.,
    arXiv 1701.06538).

    Parameters
    ----------
    count : int
        The number of experts.
    expert : Layer
        Each of them, as ``Feedforward(64)``, with its own tensors.
    router : Router, optional
        Where the p_e come from; the softmax over all experts unless given.

    Raises
    ------
    InvalidArgument
        If the count is no integer >= 1, or a slot is not what it should be; and, when a network is built, if a token
        has more experts than there are.

    Notes
    -----
    The tensors are ``router`` (count, d), whose product with a token the router makes shares of, what else the router
    has, and those of the experts, whose names begin with their numbers, as ``1.up``. With a router that chooses the
    largest, the function is smooth in regions only.
    """

    count: int
    expert: Layer
    router: Router = field(default_factory=SoftmaxRouter)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", whole("count", self.count))
        instance("expert", self.expert, Layer, "a layer, such as algatt.layers.Feedforward(64)")
        instance("router", self.router, Router, "a router, such as algatt.layers.SoftmaxRouter()")

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): self.expert for number in range(1, self.count + 1)}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        expert = Feedforward(2, Power(2))
        return ((cls(2, expert), (2, 2)), (cls(3, expert, SoftmaxRouter(top=2, renormalize=True)), (2, 2)))


@verbs.tensors.method
def tensors_of_experts(layer: Experts, shape: tuple) -> dict[str, TensorShape]:
    return {"router": (layer.count, shape[0]), **verbs.tensors(layer.router, (layer.count, shape[1]))}


@verbs.apply.method
def apply_experts(layer: Experts, w: Tensors, X: Elements) -> Elements:
    shares = verbs.route(layer.router, w, w.router @ X)
    first, *others = (shares[number : number + 1] * expert(X) for number, expert in enumerate(w.parts))
    total = first
    for other in others:
        total = total + other
    return total
