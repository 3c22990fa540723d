r"""Standard positions of terms that mix.

The matrix g of a mixture multiplies the tensors on the right of the terms, each written as a row of a matrix N, and
:math:`g^{-T}` those on the left, the rows of a matrix M. Both are multiplied by other tensors until the spaces move
their rows by numbers at most. Then one g brings both to a form that depends on them
only (`echelon_of_both`). What moves neither then moves no tensor, if they have the ranks of all that they are made of.
"""

from __future__ import annotations

from algatt import verbs
from algatt.geometry.equality.networks.contractions import tensors_of_side, widest
from algatt.geometry.equality.networks.echelon import echelon, echelon_of_both, independent_columns
from algatt.parameters import Weights
from algatt.symmetry import GroupElement, MixtureSymmetry


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
        matrix = echelon_of_both(first, second)
    return family.element_of(verbs.inverse(matrix).T if left else matrix)
