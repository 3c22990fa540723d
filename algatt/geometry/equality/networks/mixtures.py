r"""Standard positions of terms that mix.

The matrix g of a mixture multiplies the tensors on the right of the terms, each written as a row of a matrix N, and
:math:`g^{-T}` those on the left, the rows of a matrix M. Both are multiplied by other tensors until the spaces move
their rows by numbers at most. One g brings N to its reduced echelon form. Rows of N that become zero leave the matrices

.. math:: g = \begin{pmatrix} 1 & a \\ 0 & b \end{pmatrix}, \quad
   M = \begin{pmatrix} T \\ D \end{pmatrix}, \quad
   g^{-T} M = \begin{pmatrix} T \\ b^{-T} (D - a^T T) \end{pmatrix},

so that D is reduced modulo the rows of T, and brought to its echelon form. What moves neither N nor M then moves no
tensor, if these have the ranks of all that they are made of.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.geometry.equality.networks.contractions import tensors_of_side, widest
from algatt.geometry.equality.networks.independence import completed, independent_columns
from algatt.parameters import Weights
from algatt.symmetry import GroupElement, MixtureSymmetry

__all__: list[str] = []


@verbs.standard_element.method
def standard_mixture(family: MixtureSymmetry, theta: Weights) -> GroupElement | None:
    """None if constants stand beside the tensors, or if the spaces move all rows of a side that are known."""
    count = family.mixture.count
    if len(family.algebra) < count**2:
        return None
    sides = {left: widest(family, theta, left) for left in (False, True)}
    ranks = {left: 0 if rows is None else len(independent_columns(rows)) for left, rows in sides.items()}
    left = ranks[True] > ranks[False]  # the side of the larger rank comes first
    first, second = sides[left], sides[not left]
    if first is None:
        return None
    if ranks[left] == count:
        matrix = echelon(first)
    else:
        tensors = family.fold.fold(theta)
        whole = [len(independent_columns(tensors_of_side(family, tensors, side))) == ranks[side] for side in ranks]
        if second is None or not all(whole):
            return None
        matrix = echelon_of_both(first, second, ranks[not left])
    return family.element_of(verbs.inverse(matrix).T if left else matrix)


def echelon(rows: Elements, rank: int | None = None) -> Elements:
    """Return a matrix that brings another one, perhaps of a rank that is known, to its reduced echelon form."""
    return verbs.inverse(completed(rows[:, independent_columns(rows)[:rank]]))


def echelon_of_both(first: Elements, second: Elements, rank: int) -> Elements:
    """Return g that brings the first matrix to its echelon form, and of what is left of the rows of the second one,
    which has this rank, as much as is left by that.
    """
    g = echelon(first)
    known = len(independent_columns(first))
    T, D = (verbs.inverse(g).T @ second)[:known], (verbs.inverse(g).T @ second)[known:]
    columns, rows = independent_columns(T), independent_columns(T.T)
    identity = Elements.of(g.field, np.eye(g.shape[0], dtype=np.int64)).raw.copy()
    if columns:
        a = D[:, columns] @ verbs.inverse(T[rows][:, columns])
        D = D - a @ T[rows]
        identity[known:, rows] = (-a).raw
    change = Elements(g.field, identity)  # of the second matrix
    if rank > len(columns):
        lower = Elements.of(g.field, np.eye(g.shape[0], dtype=np.int64)).raw.copy()
        lower[known:, known:] = echelon(D, rank - len(columns)).raw
        change = Elements(g.field, lower) @ change
    return verbs.inverse(change).T @ g
