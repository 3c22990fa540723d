"""The pairs (K, Q) whose product K^T Q is a given matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, PrimeField
from algatt.linalg.kernel import kernel_of_rank
from algatt.linalg.row_form import row_form
from algatt.symmetry.base import random_invertible


@dataclass(frozen=True)
class Factorizations:
    r"""The pairs (K, Q) of a x d matrices with :math:`K^T Q = A`, for a d x d matrix A of rank rho (derived).

    Those with rk K = kappa are an irreducible variety of dimension
    :math:`(\kappa - \rho)(d - \kappa) + a \kappa + d (a - \kappa)`: choose the column space of K^T, which contains that
    of A, then K^T with that column space, then Q up to what K^T maps to zero. The generic rk Q on it is
    min(d, rho + a - kappa), so its closure contains another one only if both ranks are at least as large: if kappa
    grows while rk Q stays d.

    Parameters
    ----------
    a, d, rho : int
        Rows and columns of K and Q, and the rank of A.
    """

    a: int
    d: int
    rho: int

    @property
    def key_ranks(self) -> range:
        """The ranks of K at generic points of the irreducible components."""
        return range(max(self.rho, min(self.d, self.rho + self.a - self.d)), min(self.a, self.d) + 1)

    @property
    def dimension(self) -> int:
        """The largest dimension of a component."""
        return max((k - self.rho) * (self.d - k) + self.a * k + self.d * (self.a - k) for k in self.key_ranks)

    @property
    def components(self) -> int:
        """The number of irreducible components."""
        return len(self.key_ranks)


def random_factorization(A: Elements, a: int, seed: int, label: str) -> tuple[Elements, Elements]:
    """Return a random pair (Q, K) of a x d matrices with K^T Q = A, on a random irreducible component."""
    field, d = A.field, A.shape[0]
    columns = row_form(A)
    rho = columns.rank
    ranks = Factorizations(a, d, rho).key_ranks
    kappa = ranks[int(verbs.draw_array(PrimeField(), shape=(), seed=seed, label=f"{label}/component")) % len(ranks)]
    frame, frame_inverse = random_invertible(field, kappa, seed, f"{label}/frame")
    extra = draw(field, (d, kappa - rho), seed, f"{label}/extra")
    spanning = Elements(field, np.hstack([A.raw[:, list(columns.pivots)], extra.raw]))
    change, inverse = random_invertible(field, a, seed, f"{label}/change")
    keys = spanning @ frame @ Elements(field, change.raw[:kappa])  # K^T; rows of an invertible matrix are independent
    coordinates = np.zeros((kappa, d), dtype=A.raw.dtype)
    coordinates[:rho] = columns.form.raw  # A is its pivot columns times its row form
    back = Elements(field, inverse.raw[:, :kappa]) @ frame_inverse @ Elements(field, coordinates)
    unseen = kernel_of_rank(keys, kappa)
    return back + unseen @ draw(field, (unseen.shape[1], d), seed, f"{label}/unseen"), keys.T


def draw(field: Field, shape: tuple[int, ...], seed: int, label: str) -> Elements:
    """Return a random matrix."""
    return Elements(field, verbs.draw_array(field, shape=shape, seed=seed, label=label))
