"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from collections.abc import Iterator
from typing import Any, overload

import networkx as nx
import numpy as np

from algatt.architectures.lightning import Lightning
from algatt.dispatch import Verb
from algatt.trees.factors import Factor, factor_at
from algatt.trees.graph import DirectedGraph, children
from algatt.trees.layout import layout
from algatt.trees.linear_term import linear_term
from algatt.trees.monomials import Monomial, window

__all__ = [
    "DirectedGraph",
    "Factor",
    "Monomial",
    "cancelling_pairs",
    "children",
    "factor_at",
    "factors",
    "layout",
    "linear_term",
    "monomial",
    "reflect",
    "unroll",
    "window",
]

class _CancellingPairs(Verb[..., Any]):
    def __call__(
        self,
        tree: DirectedGraph,
        slot: Any,
        tokens: Any,
        /,
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]: ...

cancelling_pairs: _CancellingPairs

class _Factors(Verb[..., Any]):
    @overload
    def __call__(self, source: DirectedGraph, /) -> tuple[Factor, ...]: ...
    @overload
    def __call__(self, source: Lightning, /) -> tuple[Factor, ...]: ...
    @overload
    def __call__(self, source: int | np.integer, /) -> tuple[Factor, ...]: ...

factors: _Factors

class _Monomial(Verb[..., Any]):
    def __call__(self, tree: DirectedGraph, indices: Any, /) -> Monomial: ...

monomial: _Monomial

class _Reflect(Verb[..., Any]):
    def __call__(self, tree: DirectedGraph, indices: Any, slot: Any, /) -> tuple[int, ...]: ...

reflect: _Reflect

class _Unroll(Verb[..., Any]):
    @overload
    def __call__(self, source: Lightning, /, *, kind: str = "tree") -> nx.DiGraph: ...
    @overload
    def __call__(self, source: int | np.integer, /, *, kind: str = "tree") -> nx.DiGraph: ...

unroll: _Unroll
