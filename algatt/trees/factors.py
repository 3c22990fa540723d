"""The factors F_1, ..., F_N of the unrolled product of lightning attention (HMK Eq 12): by the base-3 digits of their
slots, or read off a graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.trees.graph import DirectedGraph, check_unrolled, number_of_factors, walk
from algatt.verbs.views import Tabled

if TYPE_CHECKING:
    import networkx as nx

LAYERS = 14
"""The most layers whose factors are listed: 2,391,484 of them, of about 100 bytes each; `factor_at` has no limit."""


@dataclass(frozen=True, slots=True)
class Factor(Tabled):
    """One factor of the unrolled product: M_k or its transpose, at a slot.

    Parameters
    ----------
    layer : int
        The layer k of the matrix.
    transposed : bool
        Whether it is transposed.
    slot : int
        Its place m in the product, counted from 1 at the left.

    Examples
    --------
    >>> import algatt
    >>> print(*algatt.factors(2))
    M_1 M_1^T M_2 M_1
    >>> algatt.factors(2)[2], algatt.factors(2)[2].digits
    (Factor(layer=2, transposed=False, slot=3), '10')
    """

    layer: int
    transposed: bool
    slot: int

    @property
    def digits(self) -> str:
        """The slot in base 3."""
        digits, rest = "", whole("slot", self.slot, most=None)
        while rest:
            rest, digit = divmod(rest, 3)
            digits = f"{digit}{digits}"
        return digits

    def __str__(self) -> str:
        return f"M_{self.layer}^T" if self.transposed else f"M_{self.layer}"


def factor_at(slot: int) -> Factor:
    """Return the factor at a slot by the 3-adic rule; it does not depend on the number of layers.

    Examples
    --------
    >>> from algatt.trees import factor_at
    >>> print(factor_at(2 * 3**40))
    M_41^T
    """
    return by_digits(whole("slot", slot, most=None))


def by_digits(slot: int) -> Factor:
    """Apply the rule to a slot >= 1."""
    layer, rest = 1, slot
    while rest % 3 == 0:
        layer, rest = layer + 1, rest // 3
    return Factor(layer, rest % 3 == 2, slot)


def factors_in(tree: nx.DiGraph) -> tuple[tuple[int, bool], ...]:
    """Return layer and transposition of the factors of a graph made by `algatt.unroll`, from left to right."""
    nodes = (tree.nodes[node] for node in walk(tree))
    return tuple((node["layer"], node["transposed"]) for node in nodes if node["kind"] == "factor")


def check_listable(layers: int) -> None:
    """Raise `InvalidArgument` if there are too many factors to list them."""
    if layers > LAYERS:
        was = f"{layers}, which has {number_of_factors(layers):,} factors" if layers <= 40 else str(layers)
        raise InvalidArgument("layers", was, f"at most {LAYERS}")


@verbs.factors.method
def factors_of_layers(source: int | np.integer) -> tuple[Factor, ...]:
    layers = whole("layers", source)
    check_listable(layers)
    return tuple(map(by_digits, range(1, number_of_factors(layers) + 1)))


@verbs.factors.method
def factors_of_architecture(source: Lightning) -> tuple[Factor, ...]:
    return verbs.factors(source.layers)


@verbs.factors.method
def factors_of_graph(source: DirectedGraph) -> tuple[Factor, ...]:
    check_unrolled(source)
    check_listable(source.graph["layers"])
    return tuple(
        Factor(layer, transposed, slot) for slot, (layer, transposed) in enumerate(factors_in(source), start=1)
    )
