"""What drives the tokens: heads, weights and beta, on the sphere or in the flat space."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number, instance
from algatt.dynamics.heads import Head, MatrixHead, ProjectorHead, ScalarHead
from algatt.dynamics.low_rank_head import LowRankHead
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import check_not_zero, check_unit, token_array
from algatt.dynamics.weights import check_weights
from algatt.errors import InvalidArgument
from algatt.layers import Activation, Causal, Exponential, Mask, ReLU, Unnormalized
from algatt.parameters import Parameters


@dataclass(frozen=True, repr=False)
class Flow(ABC):
    """Tokens that move by the attention of several heads (P).

    Parameters
    ----------
    heads : sequence of Head
        At least one, all for tokens of one dimension.
    weights : Exponential or Unnormalized, optional
        What the scores times beta become, as in a network: ``Exponential()`` is softmax; the default
        ``Unnormalized(Exponential())`` is exponentials that are not divided by their sum, ``Unnormalized(ReLU())`` the
        positive parts.
        `Unnormalized` of an activation of your own needs a method of `potential`.
    beta : float, optional
        The inverse temperature, larger than 0; 1 unless given. It is divided by the temperature of the weights, if they
        have one.
    mask : Mask, optional
        Which tokens see which, as in a network: `Causal`, `Window`, `Pattern` or one of your own. Weights on tokens
        that are not seen are 0, and the sums of softmax go over those that are; the 1/n of weights that are not divided
        stays. With a mask that is not symmetric the flow has no gradient structure, and no energy has to grow.

    Raises
    ------
    InvalidArgument
        If there is no head, the heads are for tokens of different dimensions, beta is not positive, or the weights have
        no sum to be divided by at some tokens, or no energy in closed form.
    """

    heads: tuple[Head, ...]
    weights: Activation | Unnormalized = field(default_factory=lambda: Unnormalized(Exponential()))
    beta: float = 1.0
    mask: Mask | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.heads, Sequence) or not self.heads:
            raise InvalidArgument(
                "heads",
                "empty" if isinstance(self.heads, Sequence) else repr(self.heads),
                "a sequence of at least one head",
            )
        for number, head in enumerate(self.heads):
            instance(f"heads[{number}]", head, Head, "a ScalarHead, ProjectorHead, MatrixHead or LowRankHead")
        sizes = sorted({head.dimension for head in self.heads if head.dimension is not None})
        if len(sizes) > 1:
            raise InvalidArgument(
                "heads", f"for tokens of the dimensions {', '.join(map(str, sizes))}", "for tokens of one dimension"
            )
        check_weights(self.weights)
        beta = finite_number("beta", self.beta)
        if beta <= 0:
            raise InvalidArgument("beta", f"{beta:g}", "larger than 0")
        if self.mask is not None:
            instance("mask", self.mask, Mask, "a mask of algatt.layers, as Causal(), or None")
        object.__setattr__(self, "heads", tuple(self.heads))
        object.__setattr__(self, "beta", beta)

    @classmethod
    def of(
        cls,
        heads: Iterable[Parameters | Head],
        *,
        weights: Activation | Unnormalized | None = None,
        beta: float = 1.0,
        mask: Mask | None = None,
    ) -> Self:
        """Build a flow of the heads of a transformer: each a point of one layer over the reals, in `Weights` or
        `AttentionMatrix`.

        Parameters
        ----------
        heads : iterable of Parameters or Head
            A layer with Q, K and V becomes the `MatrixHead` with M = Q^T K, the transpose of A = K^T Q: in the core
            token i looks at token j by x_j^T A x_i, here by <x_i, M x_j>.
        weights : Exponential or Unnormalized, optional
            ``Exponential()``, softmax, unless given.
        beta : float, optional
            The inverse temperature, in a transformer the inverse of the square root of the rank; 1 unless given.
        mask : Mask, optional
            Which tokens see which; all see all unless given.

        Raises
        ------
        InvalidArgument
            If a point has several layers or is not over the reals, or V is not square.
        """
        converted = tuple(verbs.convert(head, MatrixHead) if isinstance(head, Parameters) else head for head in heads)
        return cls(converted, Exponential() if weights is None else weights, beta, mask)

    @property
    def inverse_temperature(self) -> float:
        """The factor of scores in exponentials: beta divided by the temperature of the weights."""
        return self.beta / float(verbs.temperature(self.weights))

    @property
    def may_blow_up(self) -> bool:
        """Whether tokens can become infinite in a finite time: not on the sphere, and not where attention sees
        directions.
        """
        return True

    @property
    def dimension(self) -> int | None:
        """The dimension d of the tokens; None if all heads are scalar."""
        return next((head.dimension for head in self.heads if head.dimension is not None), None)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        """Return instances on which tests run, all for tokens of dimension 3."""
        heads = (ScalarHead.examples(), ProjectorHead.examples(), MatrixHead.examples())
        plain = (Unnormalized(Exponential()), Exponential(), Unnormalized(ReLU()))
        weights = (*plain, Unnormalized(Exponential(2)), Exponential(Fraction(3, 4)))
        narrow = cls(tuple(LowRankHead.examples()), Exponential(), 0.8)
        masked = [cls(tuple(MatrixHead.examples()), Exponential(), 0.8, Causal())]
        return [*(cls(tuple(some), kind, 0.8) for some in heads for kind in weights), narrow, *masked]

    def __repr__(self) -> str:
        mask = "" if self.mask is None else f", mask={self.mask!r}"
        return f"{type(self).__name__}(heads={self.heads!r}, weights={self.weights!r}, beta={self.beta!r}{mask})"


@dataclass(frozen=True, repr=False)
class SphereFlow(Flow):
    """Tokens on the unit sphere, x_i' = (I - x_i x_i^T) v_i (P): attention that is normalised afterwards, Post-LN;
    arguments and errors are those of `Flow`.

    Examples
    --------
    >>> import algatt
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)), beta=2.0)
    >>> X = algatt.dynamics.random_tokens(5, 3)
    >>> bool((algatt.dynamics.energy_rate(flow, X) > 0).all())
    True
    """

    @property
    def may_blow_up(self) -> bool:
        return False


@dataclass(frozen=True, repr=False)
class FlatFlow(Flow):
    """Tokens in the flat space, x_i' = v_i (P); arguments and errors are those of `Flow`."""


@dataclass(frozen=True, repr=False)
class PreNormFlow(Flow):
    r"""Attention of tokens that are normalised first, Pre-LN: :math:`x_i' = v_i(x / |x|)` (Karagodin, Ge, Polyanskiy,
    Rigollet, arXiv 2510.22026); arguments and errors are those of `Flow`.

    The directions :math:`\theta_i = x_i / |x_i|` and the lengths obey
    :math:`\theta_i' = (I - \theta_i \theta_i^T)\, v_i(\theta) / |x_i|` and
    :math:`|x_i|' = \langle \theta_i, v_i(\theta) \rangle`: the directions move as in a `SphereFlow`, each slowed
    down by its length. Lengths grow like t while tokens cluster, so that the distance of cosines from 1 falls like
    a power of t and not like an exponential. Energies, shadows, margins and entropies are those of the directions.

    Examples
    --------
    >>> import algatt
    >>> flow = algatt.dynamics.PreNormFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=2.0)
    >>> run = algatt.dynamics.integrate(flow, algatt.dynamics.random_tokens(5, 3), until=10.0, samples=2)
    >>> bool(((run.final**2).sum(axis=0) > 1).all())
    True
    """

    @property
    def may_blow_up(self) -> bool:
        return False


def checked_tokens(flow: Flow, tokens: Any) -> np.ndarray:
    """Return tokens as an array on which a flow can act, or raise `InvalidArgument`."""
    array = token_array(tokens)
    instance("flow", flow, Flow, "a flow, such as a SphereFlow")
    if flow.dimension not in (None, array.shape[0]):
        raise InvalidArgument("tokens", f"of shape {array.shape}", f"of shape ({flow.dimension}, n), as the heads are")
    if isinstance(flow, SphereFlow):
        check_unit(array)
    if isinstance(flow, PreNormFlow):
        check_not_zero(array)
    if flow.mask is not None:
        hidden_pairs(flow.mask, array.shape[1])  # which refuses masks for other numbers of tokens
    return array
