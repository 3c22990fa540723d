"""The part of a deep network that is linear in one token (HMK Eq 28)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.parameters import VirtualWeights
from algatt.trees.fold import check_virtual


def linear_term(theta: VirtualWeights, a: Any, b: Any) -> Any:
    r"""Return the part of the value at token b that is linear in b and of degree :math:`3^l - 1` in a token a (HMK Eq
    28).

    .. math:: L a \, (a^T M_1 b) \, (a^T M_1 a)^{3^{l-1} - 1} \prod_{k=2}^{l} (a^T M_k a)^{3^{l-k}}

    It is a single monomial, the one with the indices (a, ..., a, b): each of :math:`j_1, \dots, j_N` gives its token
    twice, so a token of degree 1 can only be the last one. Of M_2, ..., M_l it has the symmetric parts alone. Exact
    over GF(p), rounded over the reals. Cost: l bilinear forms.

    Parameters
    ----------
    theta : VirtualWeights
        The matrices M_1, ..., M_l and L.
    a, b : array
        Two tokens, shape (d_0,).

    Returns
    -------
    array
        Shape (d_l,).

    Raises
    ------
    InvalidArgument
        If the tokens do not have the width or the field of the virtual weights.
    """
    check_virtual(theta)
    left, right = column(theta, a, "a"), column(theta, b, "b")
    first, *others = (left.T @ M for M in theta.M_elements)
    value = theta.L_elements @ left * (first @ right)
    if others:
        value = value * powers(first @ left, [form @ left for form in others])
    return Elements(theta.field, value.raw[:, 0]).public()


def powers(first: Elements, others: Sequence[Elements]) -> Elements:
    r"""Return :math:`s_1^{3^{l-1} - 1} s_2^{3^{l-2}} \cdots s_l`, with one cube for each layer:
    :math:`3^{l-1} - 1 = 2 (1 + \dots + 3^{l-2})`.
    """
    square = first * first
    product = square * others[0]
    for number in others[1:]:
        product = product * product * product * square * number
    return product


def column(theta: VirtualWeights, token: Any, name: str) -> Elements:
    """Return a token as a column."""
    vector = Elements.of(theta.field, token, name)
    width = theta.L_elements.shape[1]
    if vector.shape != (width,):
        raise InvalidArgument(name, f"of shape {vector.shape}", f"of shape ({width},)")
    return Elements(theta.field, vector.raw[:, None])
