"""Traditional self-attention: scores that are normalised over the keys (HMK Section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.architectures.base import Architecture
from algatt.layers import Affine, Exponential, Power, Rational, Score
from algatt.errors import InvalidArgument
from algatt.fields import Degree, Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights

__all__ = ["Normalized", "Softmax"]


@dataclass(frozen=True)
class Normalized(Architecture):
    r"""Deep attention with normalised scores: layers :math:`X \mapsto V X W`, :math:`W_{ji} = S(x_j^T A x_i) / \sum_k S(x_k^T A x_i)` (HMK Eq 15).

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
    >>> arch = algatt.Normalized(dims=(4, 3, 4), ranks=(2, 2), tokens=3, score=algatt.Affine(1, 1))
    >>> print(algatt.dimension(arch))
    35 (proven)
    """

    score: Score = field(default_factory=Exponential)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.score, Score):
            raise InvalidArgument("score", repr(self.score), "a score, such as algatt.Exponential() or algatt.Affine(1, 1)")

    def __init_subclass__(cls) -> None:
        raise TypeError("Normalized is final, since theorems are about it; make your architecture a subclass of Architecture")

    @property
    def algebraic(self) -> bool:
        """Whether the score, and so the network, is a quotient of polynomials."""
        return self.score.algebraic

    @property
    def polynomial(self) -> bool:
        return False

    def description(self) -> dict[str, Any]:
        return {**super().description(), "score": self.score.description()}

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


def Softmax(dims: Sequence[int], ranks: Sequence[int], tokens: int, temperature: int | float | Fraction = 1) -> Normalized:
    r"""Return the network with softmax attention: `Normalized` with the score :math:`e^{x / \tau}`.

    Parameters
    ----------
    dims, ranks, tokens
        As for `Normalized`.
    temperature : int, float or Fraction, optional
        The number :math:`\tau > 0`, by which scores are divided; :math:`\sqrt a` is the usual scaling of queries of length a.

    Raises
    ------
    InvalidArgument
        As for `Normalized` and `Exponential`.
    """
    return Normalized(cast("tuple[int, ...]", dims), cast("tuple[int, ...]", ranks), tokens, Exponential(temperature))  # which makes tuples of them


@verbs.evaluate.method
def evaluate_weights(arch: Normalized, theta: Weights, inputs: Elements) -> Elements:
    X = inputs
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused when it is normalised
        for Q, K, V in theta.layer_elements:
            X = V @ X @ verbs.attention_weights(arch.score, (K @ X).T @ (Q @ X))
    return X


@verbs.evaluate.method
def evaluate_attention_matrix(arch: Normalized, theta: AttentionMatrix, inputs: Elements) -> Elements:
    X = inputs
    with np.errstate(over="ignore", invalid="ignore"):
        for A, V in theta.layer_elements:
            X = V @ X @ verbs.attention_weights(arch.score, X.T @ (A @ X))
    return X


@verbs.evaluate.method
def evaluate_virtual_weights(arch: Normalized, theta: VirtualWeights, inputs: Elements) -> Elements:
    """The tokens of layer i are L_{i-1} z for the same z in d_0 coordinates: L is applied at the end alone (derived, as HMK Eq 8 for lightning)."""
    Z = inputs
    with np.errstate(over="ignore", invalid="ignore"):
        for M in theta.M_elements:
            Z = Z @ verbs.attention_weights(arch.score, Z.T @ (M @ Z))
    return theta.L_elements @ Z


@verbs.degree.method
def degree_of_normalized(arch: Normalized) -> Degree:
    """Bound the degrees of a row of the Jacobian, for the Schwartz-Zippel lemma (derived).

    Let the token j of a layer's input be N_j / D_j with polynomials of degrees at most n and e. A score of degree m is a quotient of polynomials of
    degree at most s = m max(2 n + q, 2 e), where q counts Q and K. Multiplied by all t denominators of scores and tokens in a column, numerator and
    denominator of the layer's output have degree at most v + n + s + (t - 1)(s + e) and e + s + (t - 1)(s + e), where v counts V. A derivative times
    the square of the denominator is a polynomial of degree at most the sum of both, less one in the weights. Points at which a denominator vanishes
    are drawn again: this conditions the probability of a zero, which adds at most the degrees of the t denominators of the columns.
    """
    bounds = []
    for q, v, n in ((2, 1, 0), (0, 0, 1)):  # of degrees in the weights, and in the inputs
        e = 0
        for _ in range(arch.layers):
            s = arch.score.degree * max(2 * n + q, 2 * e)
            rest = s + (arch.tokens - 1) * (s + e)
            n, e = v + n + rest, e + rest
        bounds.append(n + e + arch.tokens * e)
    return Degree(bounds[0], bounds[1], (arch.dims[-1], arch.tokens))
