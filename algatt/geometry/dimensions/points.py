"""Where the Jacobian is looked at, as objects that are passed as an option ``points=``."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from algatt.arguments import whole

__all__ = ["AutoPoints", "Copies", "Points", "RandomPoints"]


class Points(ABC):
    """A choice of weights and inputs at which a dimension is bounded."""


@dataclass(frozen=True)
class AutoPoints(Points):
    """`Copies` for networks with at least 8192 parameters, modulo a prime and without a checkpoint, where the pieces
    are small; `RandomPoints` for all others, and where the bounds by pieces do not meet.

    For lightning and normalised attention all widths but the last have to be at least 16, and all symmetries that are
    known changes of coordinates or rescalings. Of other networks those of `Heads`, `RMSNorm` and `Feedforward` with
    `SiLU`, without biases but of queries, keys and values, are taken, where a piece has at most half of the parameters.
    """


@dataclass(frozen=True)
class RandomPoints(Points):
    """Random weights and inputs, of which nothing is zero."""


@dataclass(frozen=True)
class Copies(Points):
    r"""Block-diagonal weights: a hub, and `count` copies of one small network beside it; inputs are zero but in the hub
    and in one or two copies.

    Of lightning and normalised attention all widths and ranks are cut alike, into ``count + 1`` parts, and the hub has
    what is left over. Of blocks of transformers the stream and the neurons are cut, and the hub has all heads. At
    inputs of some copies the network is that of the hub and these copies alone, so the Jacobian is block triangular,
    with three different diagonal blocks however large the network is:

    .. math:: \operatorname{rank} J \ge r_{\text{hub, copy}} + (n - 1) r_{\text{copy}} + \binom n 2 r_{\text{pair}}.

    Parameters
    ----------
    count : int, optional
        The number n of copies. Unless given, several are tried, the largest first, until the bounds meet.
    """

    count: int | None = None

    def __post_init__(self) -> None:
        if self.count is not None:
            object.__setattr__(self, "count", whole("count", self.count))
