"""Attention heads: a score matrix M and a value matrix V that act on tokens."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import check_over, finite_number
from algatt.errors import InvalidArgument
from algatt.fields import Reals
from algatt.parameters import AttentionMatrix, Weights

ROUNDING = 1e-12
"""Up to this, relative to the largest entry, matrices count as equal, and vectors as of unit length."""


@dataclass(frozen=True, eq=False)
class Head(ABC):
    """An attention head: the score of token i on token j is <x_i, M x_j>, and its value V x_j.

    A head of one's own is a frozen dataclass with the members below. Methods of `algatt.verbs.score_factors`,
    `head_values`, `lift`, `lift_keys` and `backward_sums` can make it quicker.
    """

    @property
    @abstractmethod
    def dimension(self) -> int | None:
        """The dimension d of the tokens; None if any will do."""

    @abstractmethod
    def matrices(self, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        """Return M and V, both of shape (d, d)."""

    @property
    def symmetric(self) -> bool:
        """Score symmetry: whether M is symmetric, up to rounding."""
        M, _ = self.matrices(self.dimension or 1)
        return equal_up_to_rounding(M, M.T)

    @property
    def aligned(self) -> bool:
        """Value alignment: whether V is M, up to rounding."""
        M, V = self.matrices(self.dimension or 1)
        return equal_up_to_rounding(M, V)

    @classmethod
    def examples(cls) -> Iterable[Head]:
        """Return instances on which tests run."""
        return ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Head):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name)) for field in dataclasses.fields(self)
        )

    def __hash__(self) -> int:
        """Return a hash in which -0.0, which equals 0.0, has become 0.0."""
        return hash(
            (type(self), *((np.array(getattr(self, field.name)) + 0.0).tobytes() for field in dataclasses.fields(self)))
        )


@dataclass(frozen=True, eq=False)
class ScalarHead(Head):
    """The head M = V = strength * I (P).

    Parameters
    ----------
    strength : float
        The number lambda.

    Raises
    ------
    InvalidArgument
        If it is no finite number.
    """

    strength: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "strength", finite_number("strength", self.strength))

    @property
    def dimension(self) -> None:
        """None: tokens of any dimension."""
        return

    def matrices(self, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        M = self.strength * np.eye(dimension)
        return M, M

    @classmethod
    def examples(cls) -> Iterable[ScalarHead]:
        return (cls(1.0), cls(0.5))


@dataclass(frozen=True, eq=False)
class ProjectorHead(Head):
    """The head M = V = strength * U U^T, where the columns of U are orthonormal. Such heads are orthogonal if their
    spaces are (P).

    Parameters
    ----------
    basis : numpy.ndarray
        U, of shape (d, k).
    strength : float, optional
        The number lambda; 1 unless given.

    Raises
    ------
    InvalidArgument
        If the columns are not orthonormal to 10^-12.
    """

    basis: np.ndarray
    strength: float = 1.0

    def __post_init__(self) -> None:
        basis = real_matrix("basis", self.basis)
        error = np.abs(basis.T @ basis - np.eye(basis.shape[1])).max()
        if error > ROUNDING:
            raise InvalidArgument(
                "basis",
                f"with columns that are not orthonormal, by {error:.1e}",
                "orthonormal to 1e-12; numpy.linalg.qr gives such",
            )
        object.__setattr__(self, "basis", basis)
        object.__setattr__(self, "strength", finite_number("strength", self.strength))

    @property
    def dimension(self) -> int:
        """The dimension d of the tokens."""
        return int(self.basis.shape[0])

    def matrices(self, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        M = self.strength * self.basis @ self.basis.T
        return M, M

    def __repr__(self) -> str:
        return f"ProjectorHead(rank {self.basis.shape[1]} in dimension {self.dimension}, strength={self.strength:g})"

    @classmethod
    def examples(cls) -> Iterable[ProjectorHead]:
        return (cls(np.eye(3)[:, :1], 2.0), cls(np.eye(3)[:, 1:], 0.5))


@dataclass(frozen=True, eq=False)
class MatrixHead(Head):
    """The head of any square matrices M and V.

    Parameters
    ----------
    M : numpy.ndarray
        The score matrix, of shape (d, d).
    V : numpy.ndarray, optional
        The value matrix, of the same shape; M unless given.

    Raises
    ------
    InvalidArgument
        If they are not square matrices of finite numbers of one size.
    """

    M: np.ndarray
    V: np.ndarray | None = None

    def __post_init__(self) -> None:
        M = real_matrix("M", self.M)
        if M.shape[0] != M.shape[1]:
            raise InvalidArgument("M", f"of shape {M.shape}", "square")
        V = M if self.V is None else real_matrix("V", self.V)
        if V.shape != M.shape:
            raise InvalidArgument("V", f"of shape {V.shape}", f"of the shape {M.shape} of M")
        object.__setattr__(self, "M", M)
        object.__setattr__(self, "V", V)

    @property
    def dimension(self) -> int:
        """The dimension d of the tokens."""
        return int(self.M.shape[0])

    def matrices(self, dimension: int) -> tuple[np.ndarray, np.ndarray]:
        return self.M, self.M if self.V is None else self.V

    def __repr__(self) -> str:
        kinds = f"{'' if self.symmetric else 'not '}symmetric, {'' if self.aligned else 'not '}aligned"
        return f"MatrixHead(dimension {self.dimension}, {kinds})"

    @classmethod
    def examples(cls) -> Iterable[MatrixHead]:
        M = np.array([[1.0, 0.5, 0.0], [0.5, -1.0, 0.25], [0.0, 0.25, 0.5]])
        return (cls(M), cls(M + np.triu(M), M @ M))


def real_matrix(argument: str, array: Any) -> np.ndarray:
    """Return a copy of a matrix of finite numbers that cannot be written to, or raise `InvalidArgument`."""
    matrix = np.array(verbs.encode(Reals(), array, argument=argument), order="C")
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidArgument(argument, f"of shape {matrix.shape}", "a matrix with rows and columns")
    matrix.setflags(write=False)
    return matrix


def equal_up_to_rounding(one: np.ndarray, two: np.ndarray) -> bool:
    """Return whether two matrices differ by no more than rounding."""
    return bool(np.abs(one - two).max() <= ROUNDING * max(np.abs(one).max(), np.abs(two).max()))


@verbs.score_factors.method
def score_factors_of_scalar(head: ScalarHead, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return tokens, head.strength * tokens


@verbs.score_factors.method
def score_factors_of_projector(head: ProjectorHead, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    coordinates = head.basis.T @ tokens
    return coordinates, head.strength * coordinates


@verbs.score_factors.method
def score_factors_of_head(head: Head, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    M, _ = head.matrices(len(tokens))
    return tokens, M @ tokens


@verbs.head_values.method
def values_of_head(head: Head, tokens: np.ndarray) -> np.ndarray:
    _, V = head.matrices(len(tokens))
    return V @ tokens


@verbs.head_values.method
def values_of_aligned_head(head: ScalarHead | ProjectorHead, tokens: np.ndarray) -> np.ndarray:
    return verbs.score_factors(head, tokens)[1]


@verbs.lift.method
def lift_nothing(head: Head, sums: np.ndarray) -> np.ndarray:
    return sums


@verbs.lift.method
def lift_from_subspace(head: ProjectorHead, sums: np.ndarray) -> np.ndarray:
    return head.basis @ sums


@verbs.lift_keys.method
def lift_keys_as_values(head: Head, sums: np.ndarray) -> np.ndarray:
    return verbs.lift(head, sums)


@verbs.convert.method
def convert_attention_matrix_to_head(theta: AttentionMatrix, coordinates: type[MatrixHead]) -> MatrixHead:
    """One layer is one head: the score of token i on token j is x_j^T A x_i, so M = A^T."""
    if len(theta.layers) != 1:
        raise InvalidArgument("theta", f"of {len(theta.layers)} layers", "of one layer, which is one head")
    check_over("theta", theta.field, Reals, "over the reals")
    A, V = theta.layers[0]
    return MatrixHead(A.T, V)


@verbs.convert.method
def convert_weights_to_head(theta: Weights, coordinates: type[MatrixHead]) -> MatrixHead:
    return verbs.convert(verbs.convert(theta, AttentionMatrix), coordinates)
