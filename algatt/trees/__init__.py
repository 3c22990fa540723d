"""The recursion of a deep network as a graph: unrolled, read, evaluated, expanded and reflected."""

from algatt.loading import load_below

load_below(__name__)

from algatt.trees import unroll
from algatt.trees.factors import Factor, factor_at
from algatt.trees.graph import DirectedGraph, children
from algatt.trees.layout import layout
from algatt.trees.linear_term import linear_term
from algatt.trees.monomials import Monomial, window
from algatt.verbs import cancelling_pairs, factors, monomial, reflect, unroll

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
