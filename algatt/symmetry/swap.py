"""The swap of a last layer of ranks one: keys change places with what the values read (HMK Theorem 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import GroupElement


@dataclass(frozen=True)
class SwapElement(GroupElement):
    r"""The involution :math:`(k q^T, v h^T) \to (h q^T, v k^T)` of the points whose last layer has A and V of rank one
    (HMK Theorem 3.2).

    The last layer keeps its function, and with it the network. On `VirtualWeights` M_l and L have to be of rank one. It
    is no symmetry of the architecture, as it acts on these points only. The vectors k and h are normalised to have 1 as
    their first entry that is not zero (over the reals, as their largest entry), which makes it an involution on the
    nose.
    """

    @property
    def field(self) -> Field | None:
        return None


def rank_one_factors(matrix: Elements, name: str) -> tuple[Elements, Elements]:
    """Write a matrix of rank one as a column, with an entry 1 at its pivot, times a row.

    Raises
    ------
    InvalidArgument
        If the rank is not one.
    """
    from algatt.linalg.row_form import row_form

    form = row_form(matrix.T)
    if form.rank != 1:
        raise InvalidArgument("theta", f"with {name} of rank {form.rank}", f"with {name} of rank one")
    return form.form.T, Elements(matrix.field, matrix.raw[list(form.pivots)])


def swapped(A: Elements, V: Elements) -> tuple[Elements, Elements]:
    """Return h q^T and v k^T for A = k q^T and V = v h^T."""
    k, q = rank_one_factors(A, "the attention matrix")
    h, v = rank_one_factors(V.T, "V")
    return h @ q, v.T @ k.T


@verbs.act.method
def act_on_attention_matrix(element: SwapElement, theta: AttentionMatrix) -> AttentionMatrix:
    return AttentionMatrix((*theta.elements[:-2], *swapped(*theta.layer_elements[-1])))


@verbs.act.method
def act_on_virtual_weights(element: SwapElement, theta: VirtualWeights) -> VirtualWeights:
    return VirtualWeights((*theta.elements[:-2], *swapped(*theta.elements[-2:])))


@verbs.act.method
def act_on_weights(element: SwapElement, theta: Weights) -> Weights:
    """Where K has rank one: K = u k^T goes to u h^T."""
    Q, K, V = theta.layer_elements[-1]
    k, u = rank_one_factors(K.T, "K")
    h, v = rank_one_factors(V.T, "V")
    if not (K.T @ Q).raw.any():
        raise InvalidArgument("theta", "with K^T Q = 0", "with K^T Q of rank one")
    return Weights((*theta.elements[:-3], Q, u.T @ h.T, v.T @ k.T))
