"""The law of an expression in independent Gaussian matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from algatt.arguments import instance
from algatt.errors import InvalidArgument, NoSolution
from algatt.spectra.layers.dyson import pencil_of, resolvent_trace
from algatt.spectra.layers.expressions import GaussianExpression, gaussian_expression, identity_expression
from algatt.spectra.numerical_law import NumericalLaw

ROUNDING = 1e-9
"""A smaller mass at zero is none."""


@dataclass(frozen=True)
class ExpressionLaw(NumericalLaw):
    r"""The law of the squared singular values of an expression in independent Gaussian matrices, the smaller of rows
    and columns of them, as they grow in proportion.

    Independent Gaussian matrices are asymptotically free, so that it is the law of the same expression in free circular
    elements, whose resolvent the equation of `algatt.spectra.layers.dyson` has. Numerical: point by point, by Newton's
    method from far above the real line.

    Parameters
    ----------
    expression : GaussianExpression
        With one Gaussian matrix at least.

    Raises
    ------
    InvalidArgument
        If it is no expression, or one of numbers alone.

    Examples
    --------
    A product of a matrix with values that it is made of, and with others:

    >>> import algatt
    >>> from algatt.spectra import ExpressionLaw, gaussian_expression
    >>> Q, K, V = (gaussian_expression(name) for name in "QKV")
    >>> for product in (Q @ K.T @ K, Q @ K.T @ V):
    ...     print(*(f"{moment:.6f}" for moment in algatt.spectra.moments(ExpressionLaw(product), 3)))
    2.000000 18.000000 224.000000
    1.000000 4.000000 22.000000
    """

    expression: GaussianExpression

    def __post_init__(self) -> None:
        instance("expression", self.expression, GaussianExpression, "a GaussianExpression")
        if not self.expression.letters:
            raise InvalidArgument("expression", "one without Gaussian matrices", "one with a density")

    @property
    def wide(self) -> GaussianExpression:
        """The expression or its transpose, with no more rows than columns."""
        return self.expression if self.expression.rows <= self.expression.columns else self.expression.T

    @property
    def mass_at_zero(self) -> float:
        """The probability of zero: what a space that all paths lead through is smaller by than the rows."""
        missing = 1.0 - narrowest(self.wide)
        return missing if missing > ROUNDING else 0.0

    @property
    def span(self) -> float:
        return pencil_of(self.wide).radius

    def transform(self, w: np.ndarray) -> np.ndarray:
        try:
            with np.errstate(all="ignore"):  # what overflows has no mass, which is checked
                return resolvent_trace(pencil_of(self.wide), w)
        except np.linalg.LinAlgError as error:
            raise NoSolution("the matrix of the law is too large for floats: its equation overflows") from error

    @classmethod
    def examples(cls) -> Iterable[ExpressionLaw]:
        Q, K, V = (gaussian_expression(name, columns=0.5) for name in "QKV")
        noise = gaussian_expression("Z")
        return (
            cls(0.5 * noise + Q @ K.T),
            cls((noise + Q @ K.T) @ V),
            cls(Q @ K.T @ K),
            cls(identity_expression() + 0.2 * noise),
        )


@lru_cache(maxsize=256)
def narrowest(expression: GaussianExpression) -> float:
    """Return the dimension of the smallest cut between the rows and the columns, in parts of the rows: the rank of
    the matrix, in general, is no larger.
    """
    import networkx as nx

    graph = nx.DiGraph()
    for node, size in enumerate(expression.spaces):
        graph.add_edge((node, "in"), (node, "out"), capacity=size)
    for edge in expression.edges:
        graph.add_edge((edge.start, "out"), (edge.end, "in"))  # without a capacity it has any
    last = len(expression.spaces) - 1
    return float(nx.maximum_flow_value(graph, (0, "in"), (last, "out"))) / expression.rows
