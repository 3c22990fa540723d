"""The recursion of a deep network as a graph: unrolled, read, evaluated, expanded and reflected."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.trees.factors import Factor as Factor
    from algatt.trees.factors import factor_at as factor_at
    from algatt.trees.graph import DirectedGraph as DirectedGraph
    from algatt.trees.graph import children as children
    from algatt.trees.layout import layout as layout
    from algatt.trees.linear_term import linear_term as linear_term
    from algatt.trees.monomials import Monomial as Monomial
    from algatt.trees.monomials import cancelling_pairs as cancelling_pairs
    from algatt.trees.monomials import monomial as monomial
    from algatt.trees.monomials import reflect as reflect
    from algatt.trees.monomials import window as window
    from algatt.verbs import factors as factors
    from algatt.verbs import unroll as unroll

on_demand(__name__)
