"""Traditional self-attention: scores that are normalised over the keys (HMK Section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

import numpy as np

from algatt import verbs
from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.network import Network
from algatt.arguments import instance
from algatt.fields import Elements
from algatt.layers import Affine, Exponential, Heads, Power, Rational, Score, Stack
from algatt.parameters import AttentionMatrix, VirtualWeights


@dataclass(frozen=True)
class Normalized(AttentionNetwork):
    r"""Deep attention with normalised scores: layers :math:`X \mapsto V X W`,
    :math:`W_{ji} = S(x_j^T A x_i) / \sum_k S(x_k^T A x_i)` (HMK Eq 15).

    Parameters
    ----------
    dims : sequence of int
        The widths d_0, ..., d_l.
    ranks : sequence of int
        The ranks a_1, ..., a_l of the attention matrices A = K^T Q.
    tokens : int
        The number t of tokens, the columns of the input.
    score : Score, optional
        The function S: `Exponential` (softmax, the default), `Affine`, `Power`, `Rational`, or one of your own.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, the lengths do not match, or the score is not a `Score`.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Normalized(dims=(4, 3, 4), ranks=(2, 2), tokens=3, score=algatt.layers.Affine(1, 1))
    >>> print(algatt.dimension(arch))
    35 (proven)
    """

    score: Score = field(default_factory=Exponential)

    def __post_init__(self) -> None:
        super().__post_init__()
        should = "a score, such as algatt.layers.Exponential() or algatt.layers.Affine(1, 1)"
        instance("score", self.score, Score, should)

    def __init_subclass__(cls) -> None:
        raise TypeError("Normalized is final, since theorems are about it; make your network of layers")

    @property
    def algebraic(self) -> bool:
        """Whether the score, and so the network, is a quotient of polynomials."""
        return self.score.algebraic

    @property
    def polynomial(self) -> bool:
        return False

    @property
    def divides(self) -> bool:
        return True

    @property
    def exponents(self) -> dict[str, int]:
        return {f"{name}_{i}": self.score.exponent for i in range(1, self.layers + 1) for name in "QK"}

    @property
    def scores(self) -> int:
        return self.tokens**2

    @classmethod
    def examples(cls) -> Iterable[Normalized]:
        return (
            cls((3, 2), (2,), 3, Affine(1, 1)),
            cls((4, 3, 4), (2, 2), 3, Affine(-2, 3)),
            cls((3, 3, 3), (1, 2), 3, Power(3)),
            cls((2, 3, 2), (2, 1), 3, Rational((1,), (2, 1))),
            cls((3, 2, 1), (1, 2), 1, Affine(1, 1)),
            cls((4, 3, 4), (2, 2), 3, Exponential()),
            cls((3, 2), (2,), 2, Exponential(Fraction(1, 2))),
        )


def Softmax(
    dims: Sequence[int], ranks: Sequence[int], tokens: int, temperature: int | float | Fraction = 1
) -> Normalized:
    r"""Return the network with softmax attention: `Normalized` with the score :math:`e^{x / \tau}`.

    Parameters
    ----------
    dims, ranks, tokens
        As for `Normalized`.
    temperature : int, float or Fraction, optional
        The number :math:`\tau > 0`, by which scores are divided; :math:`\sqrt a` is the usual scaling of queries of
        length a.

    Raises
    ------
    InvalidArgument
        As for `Normalized` and `Exponential`.
    """
    return Normalized(
        cast("tuple[int, ...]", dims), cast("tuple[int, ...]", ranks), tokens, Exponential(temperature)
    )  # which makes tuples of them


@verbs.expression.method
def expression_of_normalized(arch: Normalized) -> Network:
    sizes = zip(arch.ranks, arch.dims[1:], strict=True)
    layers = [Heads(1, width=a, value_width=d, score=arch.score, output=False) for a, d in sizes]
    return Network(Stack(tuple(layers)), tokens=arch.tokens, width=arch.dims[0])


@verbs.evaluate.method
def evaluate_attention_matrix(arch: Normalized, theta: AttentionMatrix, inputs: Elements) -> Elements:
    X = inputs
    with np.errstate(over="ignore", invalid="ignore"):
        for A, V in theta.layer_elements:
            X = V @ X @ verbs.attention_weights(arch.score, X.T @ (A @ X))
    return X


@verbs.evaluate.method
def evaluate_virtual_weights(arch: Normalized, theta: VirtualWeights, inputs: Elements) -> Elements:
    """The tokens of layer i are L_{i-1} z for the same z in d_0 coordinates: L is applied at the end alone (derived, as
    HMK Eq 8 for lightning).
    """
    Z = inputs
    with np.errstate(over="ignore", invalid="ignore"):
        for M in theta.M_elements:
            Z = Z @ verbs.attention_weights(arch.score, Z.T @ (M @ Z))
    return theta.L_elements @ Z
