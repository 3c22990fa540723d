"""The terms of the expanded network, one for each choice of tokens, and the reflection that pairs them (HMK
Figure 4).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import entries, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.parameters import VirtualWeights
from algatt.trees.factors import Factor, check_listable, factor_at
from algatt.trees.fold import check_layers, check_tokens
from algatt.trees.graph import DirectedGraph, check_unrolled, number_of_factors
from algatt.verbs.views import Tabled

Indices = tuple[int, ...]


@dataclass(frozen=True)
class Monomial(Tabled):
    r"""A term :math:`L x_{j_1} \prod_{m=1}^{N} x_{j_m}^T F_m x_{j_{m+1}}` of the expanded network, :math:`j_{N+1} = i`
    (HMK Eq 12).

    Parameters
    ----------
    layers : int
        The number l of layers.
    indices : tuple of int
        The tokens :math:`(j_1, \dots, j_N, i)`, counted from 0.

    Raises
    ------
    InvalidArgument
        If there are not N + 1 integers >= 0.

    Examples
    --------
    >>> import algatt
    >>> term = algatt.trees.monomial(algatt.unroll(2), (0, 1, 1, 0, 2))
    >>> print(term)
    L x_0 (x_0^T M_1 x_1) (x_1^T M_1^T x_1) (x_1^T M_2 x_0) (x_0^T M_1 x_2)
    >>> term.multidegree
    {0: 4, 1: 4, 2: 1}
    """

    layers: int
    indices: Indices

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", whole("layers", self.layers))
        check_listable(self.layers)
        object.__setattr__(self, "indices", checked_indices(self.indices, self.layers))

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The factors F_1, ..., F_N."""
        return verbs.factors(self.layers)

    @property
    def multidegree(self) -> dict[int, int]:
        """The degree in each token that occurs; together they are 3^l."""
        *paired, last = self.indices
        degrees = Counter({token: 2 * count for token, count in Counter(paired).items()})
        degrees[last] += 1
        return dict(sorted(degrees.items()))

    def value(self, theta: VirtualWeights, inputs: Any) -> Any:
        """Return the value of the term, a vector of length d_l.

        Exact over GF(p), rounded over the reals. Cost: l products of matrices, and about N multiplications of numbers.

        Parameters
        ----------
        theta : VirtualWeights
            With l matrices M_k.
        inputs : array
            Shape (d_0, t), with a column for each index of the monomial.

        Returns
        -------
        array
            Shape (d_l,).

        Raises
        ------
        InvalidArgument
            If the shapes or fields do not fit, or an index is not that of a column.
        """
        check_layers(theta, self.layers)
        X = Elements.of(theta.field, inputs, "inputs")
        check_tokens(theta, X, batches=False)
        if max(self.indices) >= X.shape[1]:
            raise InvalidArgument(
                "inputs",
                f"of shape {X.shape}",
                f"with at least {max(self.indices) + 1} columns, as the indices of the monomial ask",
            )
        first = Elements(theta.field, X.raw[:, self.indices[0]][:, None])
        vector = theta.L_elements @ first * product_of_entries(self.numbers(theta, X))
        return Elements(theta.field, vector.raw[:, 0]).public()

    def numbers(self, theta: VirtualWeights, X: Elements) -> Elements:
        """Return the numbers x_j^T F_m x_j', one for each slot: entries of X^T M_k X or of its transpose."""
        forms = np.stack([(X.T @ M @ X).raw for M in theta.M_elements])
        factors = self.factors
        layer = np.array([factor.layer - 1 for factor in factors])
        transposed = np.array([factor.transposed for factor in factors])
        left, right = np.array(self.indices[:-1]), np.array(self.indices[1:])
        row, column = np.choose(transposed, (left, right)), np.choose(transposed, (right, left))
        return Elements(theta.field, forms[layer, row, column])

    def __str__(self) -> str:
        steps = zip(self.factors, itertools.pairwise(self.indices), strict=True)
        return " ".join(
            [f"L x_{self.indices[0]}", *(f"(x_{left}^T {factor} x_{right})" for factor, (left, right) in steps)]
        )


def product_of_entries(numbers: Elements) -> Elements:
    """Return the product of the entries of a vector as a vector of length 1, by multiplying halves."""
    while numbers.shape[0] > 1:
        half = numbers.shape[0] // 2
        field, raw = numbers.field, numbers.raw
        paired = Elements(field, raw[:half]) * Elements(field, raw[half : 2 * half])
        numbers = Elements(field, np.concatenate([paired.raw, raw[2 * half :]]))
    return numbers


def checked_indices(indices: Any, layers: int) -> Indices:
    """Return token indices as a tuple, or raise `InvalidArgument` unless there are N + 1 of them, all >= 0."""
    given = entries("indices", indices, "a sequence of integers")
    checked = tuple(whole(f"indices[{place}]", index, 0) for place, index in enumerate(given))
    expected = number_of_factors(layers) + 1
    if len(checked) != expected:
        raise InvalidArgument(
            "indices", f"of length {len(checked)}", f"of length {expected}: j_1, ..., j_{expected - 1}, i"
        )
    return checked


def layers_of(tree: Any) -> int:
    """Return the number of layers of a graph made by `algatt.unroll`."""
    check_unrolled(tree)
    return int(tree.graph["layers"])


def window(layers: int, slot: int) -> range:
    r"""Return the places of the token indices that a reflection at a slot moves: m - r + 1, ..., m + r, counted from 1,
    with :math:`r = 3^{k-1}`.

    Parameters
    ----------
    layers : int
        The number l of layers.
    slot : int
        The slot m of a factor M_k or M_k^T.

    Raises
    ------
    InvalidArgument
        If there is no such slot, or the window does not fit into the N + 1 indices: so it is for the factor M_k, k > 1,
        which is a child of the root.

    Examples
    --------
    >>> from algatt.trees import window
    >>> window(3, 6)
    range(4, 10)
    """
    last = number_of_factors(whole("layers", layers)) + 1
    if whole("slot", slot, most=None) >= last:
        raise InvalidArgument("slot", repr(slot), f"an integer from 1 to {last - 1}")
    factor = factor_at(slot)
    reach = 3 ** (factor.layer - 1)
    if slot + reach > last:
        was = (
            f"{slot}, that of {factor}, at which the indices {slot - reach + 1}, ..., {slot + reach} would be reflected"
        )
        raise InvalidArgument("slot", was, f"one at which the window ends at or before the index {last}")
    return range(slot - reach + 1, slot + reach + 1)


def mirror(indices: Indices, places: range) -> Indices:
    """Return the indices with those at the places, counted from 1, in reverse order."""
    start, stop = places[0] - 1, places[-1]
    return indices[:start] + indices[start:stop][::-1] + indices[stop:]


def monomial(tree: DirectedGraph, indices: Any) -> Monomial:
    r"""Return the term :math:`L x_{j_1} \prod_{m=1}^{N} x_{j_m}^T F_m x_{j_{m+1}}` of the expanded network, as a
    `Monomial` (HMK Eq 12).

    Column i of the network's value is the sum of the terms whose last index is i.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    indices : sequence of int
        The tokens :math:`(j_1, \dots, j_N, i)`, columns of X counted from 0.

    Raises
    ------
    InvalidArgument
        If there are not N + 1 integers >= 0.
    """
    return Monomial(layers_of(tree), indices)


def reflect(tree: DirectedGraph, indices: Any, slot: Any) -> Indices:
    r"""Return the token indices reflected at a slot (HMK Figure 4): :math:`j_{m-p}` and :math:`j_{m+1+p}` change places
    for :math:`0 \le p < r`.

    Here :math:`F_m` is :math:`M_k` or :math:`M_k^T` and :math:`r = 3^{k-1}`. An involution. If the ends of the window
    agree, :math:`j_{m-r+1} = j_{m+r}`, the monomial of the new indices is that of the old ones with :math:`F_m`
    transposed and nothing else changed.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    indices : sequence of int
        The tokens :math:`(j_1, \dots, j_N, i)`.
    slot : int
        The slot m, counted from 1, with :math:`m + r \le N + 1`. This leaves out one slot for each k > 1: that of the
        factor M_k which is a child of the root, with too few indices at its right.

    Returns
    -------
    tuple of int

    Raises
    ------
    InvalidArgument
        If the indices or the slot are out of range.
    """
    layers = layers_of(tree)
    return mirror(checked_indices(indices, layers), window(layers, slot))


def cancelling_pairs(tree: DirectedGraph, slot: Any, tokens: Any) -> Iterator[tuple[Indices, Indices]]:
    r"""Iterate over the pairs of monomials that differ in the transposition of one factor :math:`F_m`, and so cancel if
    it is skew-symmetric.

    The indices of a pair are reflections of each other at the slot, and the ends of the window agree. Each of the
    :math:`t^N` tuples of indices with such ends is in one pair. A tuple that is its own reflection is paired with
    itself: it has the factor :math:`x^T F_m x`, so its monomial is zero by itself if :math:`F_m` is skew-symmetric and
    2 is not zero.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `unroll`, of either kind.
    slot : int
        The slot m, as in `reflect`.
    tokens : int
        The number t of tokens.

    Returns
    -------
    iterator of pair of tuple of int
        Made one by one, in increasing order of their first members.

    Raises
    ------
    InvalidArgument
        If the slot or the number of tokens is out of range.
    """
    layers = layers_of(tree)
    return pairs(number_of_factors(layers), window(layers, slot), whole("tokens", tokens))


def pairs(factors: int, places: range, tokens: int) -> Iterator[tuple[Indices, Indices]]:
    """Choose all indices but the one at the end of the window, which is that at its start."""
    start, end = places[0] - 1, places[-1] - 1
    for free in itertools.product(range(tokens), repeat=factors):
        indices = free[:end] + (free[start],) + free[end:]
        partner = mirror(indices, places)
        if indices <= partner:
            yield indices, partner
