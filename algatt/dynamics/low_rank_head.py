"""Heads as they are trained: queries, keys, values and output, whose width is less than that of the tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import weighted_sums
from algatt.dynamics.heads import Head, real_matrix
from algatt.errors import InvalidArgument


@dataclass(frozen=True, eq=False)
class LowRankHead(Head):
    r"""The head :math:`M = Q^T K` with the values :math:`O V`, kept in its factors.

    A head of a transformer is one, without the root of a: the score of token i on token j is
    :math:`\langle Q x_i, K x_j \rangle`. Where it is narrow, the products of the factors are much quicker than those of
    M and O V: 4 a d n operations for n tokens and not 2 d^2 n, and 2 (a + b) n^2 for the sums over pairs, not 4 d n^2.

    Parameters
    ----------
    Q, K : numpy.ndarray
        Queries and keys, of shape (a, d).
    V : numpy.ndarray
        Values, of shape (b, d).
    O : numpy.ndarray
        The output, of shape (d, b).

    Raises
    ------
    InvalidArgument
        If they are not matrices of finite numbers of these shapes.

    Examples
    --------
    >>> import algatt, numpy as np
    >>> Q, K, V = np.random.default_rng(0).standard_normal((3, 2, 8))
    >>> head = algatt.dynamics.LowRankHead(Q, K, V, V.T)
    >>> head
    LowRankHead(dimension 8, keys of width 2, values of width 2)
    >>> M, _ = head.matrices(8)
    >>> bool(np.allclose(M, Q.T @ K))
    True
    """

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    O: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, real_matrix(field.name, getattr(self, field.name)))
        width, dimension = self.Q.shape
        shapes = {"K": (width, dimension), "V": (len(self.V), dimension), "O": (dimension, len(self.V))}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                beside = "Q" if name == "K" else "Q and V"
                was = f"of shape {getattr(self, name).shape} with {beside} of shape {self.Q.shape}"
                was += "" if name == "K" else f" and {self.V.shape}"
                raise InvalidArgument(name, was, f"of shape {shape}")

    @property
    def dimension(self) -> int:
        """The dimension d of the tokens."""
        return int(self.Q.shape[1])

    def matrices(self, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        return self.Q.T @ self.K, self.O @ self.V

    def __repr__(self) -> str:
        return (
            f"LowRankHead(dimension {self.dimension}, keys of width {len(self.Q)}, values of width {self.O.shape[1]})"
        )

    @classmethod
    def examples(cls) -> Iterable[LowRankHead]:
        Q, K = np.array([[1.0, 0.5, 0.0], [0.0, 0.25, -0.5]]), np.array([[0.5, 0.0, 1.0], [-1.0, 0.5, 0.0]])
        V = np.array([[0.5, -0.25, 1.0]])
        return (cls(Q, K, V, np.array([[1.0], [0.5], [-0.5]])), cls(Q, Q, Q, Q.T))


@verbs.score_factors.method
def score_factors_of_low_rank(head: LowRankHead, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return head.Q @ tokens, head.K @ tokens


@verbs.head_values.method
def values_of_low_rank(head: LowRankHead, tokens: np.ndarray) -> np.ndarray:
    return head.V @ tokens


@verbs.lift.method
def lift_by_output(head: LowRankHead, sums: np.ndarray) -> np.ndarray:
    return head.O @ sums


@verbs.lift_keys.method
def lift_by_queries(head: LowRankHead, sums: np.ndarray) -> np.ndarray:
    return head.Q.T @ sums


@verbs.backward_sums.method
def backward_sums_of_low_rank(head: LowRankHead, weights: Any, tokens: np.ndarray, *, beta: float) -> np.ndarray | None:
    if np.array_equal(head.Q, head.K):
        return None
    queries, keys = verbs.score_factors(head, tokens)
    return head.K.T @ weighted_sums(weights, beta, keys, queries, queries)
