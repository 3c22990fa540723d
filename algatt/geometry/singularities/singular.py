"""The points of one layer of lightning attention at which the neuromanifold, or its parametrization, is not smooth:
singular, boundary and critical points.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import check_fits
from algatt.arguments import check_over
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.geometry.equality.rounding import check_float_sizes, sizes_of
from algatt.linalg.row_form import RowForm, row_form, row_rank
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.parameters.attention_matrix import AttentionMatrixLayer


def check_one_layer(arch: Lightning) -> None:
    """Raise `InvalidArgument` unless there is one layer and more than one token, the case of HMK Theorem 3.2."""
    if arch.layers != 1 or arch.tokens < 2:
        raise InvalidArgument("arch", f"{arch}", "of one layer, with at least two tokens")


def check_smooth_somewhere(arch: Lightning) -> None:
    """Raise `InvalidArgument` unless the hypotheses of HMK Theorem 3.4 hold, with d_0 >= 2.

    The theorem leaves out a = d_1 = 1, where rk A * rk V <= 1 holds everywhere. For d_0 = 1 it holds everywhere too,
    whatever a and d_1 are, as the neuromanifold is a linear space (derived).
    """
    check_one_layer(arch)
    if arch.dims[0] < 2 or (arch.ranks[0] < 2 and arch.dims[1] < 2):
        raise InvalidArgument("arch", f"{arch}", "of width d_0 >= 2, with a_1 > 1 or d_1 > 1")


def attention_and_values(arch: Lightning, theta: Parameters) -> AttentionMatrixLayer:
    """Return the matrices A and V of one layer at a point in any coordinates."""
    check_fits(arch, theta)
    check_over("theta", theta.field, PrimeField | Rationals | Reals, "over a PrimeField, Rationals() or Reals()")
    check_float_sizes(theta)
    if isinstance(theta, VirtualWeights):
        return AttentionMatrixLayer(*theta.elements)  # for one layer M_1 = A_1 and L = V_1
    layer: AttentionMatrixLayer = verbs.convert(theta, AttentionMatrix).layer_elements[0]
    return layer


def row_forms(arch: Lightning, theta: Parameters, gap: float | None) -> tuple[RowForm, RowForm]:
    """Return the row forms of A and of V^T, whose bases span the column space of A and the row space of V.

    Raises
    ------
    InvalidArgument
        If the hypotheses fail, or A has a larger rank than the architecture.
    RankUndecided
        Over the reals, if a rank is undecided.
    """
    check_smooth_somewhere(arch)
    A, V = attention_and_values(arch, theta)
    keys, reads = row_form(A, gap, size=size_of_attention(theta)), row_form(V.T, gap)
    if keys.rank > arch.ranks[0]:
        raise InvalidArgument(
            "theta",
            f"with an attention matrix of rank {keys.rank}",
            f"with one of rank at most {arch.ranks[0]}, as in {arch}",
        )
    return keys, reads


def size_of_attention(theta: Parameters) -> float:
    """Return the size beside which A may be rounding, if it was computed as K^T Q over the reals."""
    return sizes_of(theta, AttentionMatrix)[0] if isinstance(theta, Weights) else 0.0


def drops_rank(arch: Lightning, rank: int) -> bool:
    """Return whether an attention matrix of this rank is a singular point of the matrices of rank at most a."""
    return rank < arch.ranks[0] < arch.dims[0]


def is_parallel(keys: RowForm, reads: RowForm, gap: float | None) -> bool:
    """Return whether A = 0, or V = 0, or A = u q^T and V = v u^T for one u."""
    if keys.rank == 0 or reads.rank == 0:
        return True
    if keys.rank > 1 or reads.rank > 1:
        return False
    # The bases and not the matrices, so that the scale between A and V, which the function does not see, plays no part.
    both = np.hstack([keys.basis.raw, reads.basis.raw])
    return row_rank(Elements(keys.basis.field, both), gap) == 1


@verbs.is_singular.method
def is_singular_in_one_layer(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> bool:
    keys, reads = row_forms(arch, theta, gap)
    return keys.rank * reads.rank <= 1 or drops_rank(arch, keys.rank)


@verbs.is_boundary.method
def is_boundary_in_one_layer(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> bool:
    return is_parallel(*row_forms(arch, theta, gap), gap)


@verbs.is_critical.method
def is_critical_in_one_layer(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> bool:
    """HMK Lemma A.3: the critical points are those over the boundary."""
    return is_parallel(*row_forms(arch, theta, gap), gap)
