r"""Matrices made of independent Gaussian ones by products, sums, transposes and numbers.

An expression is kept as a program: its nodes are spaces, each of its edges maps one to the next, by a number, a
Gaussian matrix or the transpose of one, and the matrix is the sum over all paths from the first node to the last one of
the products along them. So the size of a product of sums is the sum of their sizes, and not their product.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isclose

import numpy as np

from algatt.arguments import is_real, whole
from algatt.errors import InvalidArgument, in_words
from algatt.spectra.gaussian import gaussian_matrix
from algatt.spectra.laws import checked_parameter

LEAST_SIZE, MOST_SIZE = 1e-4, 1e4
"""Of a space, in units of the number of tokens."""


@dataclass(frozen=True)
class Edge:
    """A map between two nodes of a `GaussianExpression`.

    Parameters
    ----------
    start, end : int
        Nodes, start before end: the map has the rows of the first and the columns of the second.
    factor : float
        By which it is multiplied.
    letter : str or None
        The name of a Gaussian matrix, or None for the identity.
    transposed : bool
        Whether it is the transpose of that matrix.
    """

    start: int
    end: int
    factor: float
    letter: str | None
    transposed: bool


@dataclass(frozen=True)
class GaussianExpression:
    """A matrix made of independent Gaussian matrices, by ``@``, ``+``, ``.T`` and products with numbers.

    `gaussian_expression` and `identity_expression` make the first ones. Letters of the same name are the same matrix,
    so that expressions may be tied.

    Parameters
    ----------
    spaces : tuple of float
        The dimension of each node, in units of the number of tokens: first the rows, last the columns.
    edges : tuple of Edge
        The maps between them.
    letters : tuple
        The name, the rows and the columns of each Gaussian matrix, by name.

    Examples
    --------
    >>> from algatt.spectra import gaussian_expression
    >>> Q, K = gaussian_expression("Q", columns=0.5), gaussian_expression("K", columns=0.5)
    >>> scores = 2 * Q @ K.T
    >>> scores.rows, scores.columns, len(scores.edges)
    (1.0, 1.0, 2)
    """

    spaces: tuple[float, ...]
    edges: tuple[Edge, ...]
    letters: tuple[tuple[str, float, float], ...]

    @property
    def rows(self) -> float:
        """The number of rows, in units of the number of tokens."""
        return self.spaces[0]

    @property
    def columns(self) -> float:
        """The number of columns, in units of the number of tokens."""
        return self.spaces[-1]

    @property
    def T(self) -> GaussianExpression:
        """The transpose."""
        last = len(self.spaces) - 1
        edges = tuple(
            Edge(last - edge.end, last - edge.start, edge.factor, edge.letter, not edge.transposed)
            if edge.letter is not None
            else replace(edge, start=last - edge.end, end=last - edge.start)
            for edge in reversed(self.edges)
        )
        return GaussianExpression(self.spaces[::-1], edges, self.letters)

    def __rmul__(self, factor: float) -> GaussianExpression:
        if not is_real(factor) or not np.isfinite(factor):
            raise InvalidArgument("factor", in_words(factor), "a finite number")
        edges = tuple(
            replace(edge, factor=edge.factor * float(factor)) if edge.start == 0 else edge for edge in self.edges
        )
        return replace(self, edges=edges)

    def __matmul__(self, other: GaussianExpression) -> GaussianExpression:
        if not isinstance(other, GaussianExpression):
            return NotImplemented
        if not isclose(self.columns, other.rows):
            raise InvalidArgument("other", f"of {other.rows:g} rows", f"of {self.columns:g}, the columns of the first")
        shift = len(self.spaces) - 1
        moved = tuple(replace(edge, start=edge.start + shift, end=edge.end + shift) for edge in other.edges)
        return GaussianExpression(self.spaces + other.spaces[1:], self.edges + moved, joined_letters(self, other))

    def __add__(self, other: GaussianExpression) -> GaussianExpression:
        if not isinstance(other, GaussianExpression):
            return NotImplemented
        shapes = [(one.rows, one.columns) for one in (self, other)]
        if not all(isclose(a, b) for a, b in zip(*shapes, strict=True)):
            was, should = (f"of shape ({rows:g}, {columns:g})" for rows, columns in reversed(shapes))
            raise InvalidArgument("other", was, f"{should}, that of the first")
        inner = len(self.spaces) - 2
        last = inner + len(other.spaces) - 1  # the inner nodes of the first, then those of the second
        edges = [edge if edge.end <= inner else replace(edge, end=last) for edge in self.edges]
        edges += [
            replace(edge, start=edge.start + inner if edge.start else 0, end=edge.end + inner) for edge in other.edges
        ]
        spaces = self.spaces[:-1] + other.spaces[1:]
        return GaussianExpression(spaces, tuple(edges), joined_letters(self, other))


def joined_letters(one: GaussianExpression, two: GaussianExpression) -> tuple[tuple[str, float, float], ...]:
    """Return the letters of two expressions, of which those of one name have one shape."""
    known = {name: (rows, columns) for name, rows, columns in one.letters}
    for name, *shape in two.letters:
        rows, columns = shape
        if not all(isclose(a, b) for a, b in zip(known.setdefault(name, (rows, columns)), shape, strict=True)):
            raise InvalidArgument("name", f"{name!r} of two shapes", "of one: the same name is the same matrix")
    return tuple((name, *known[name]) for name in sorted(known))


def checked_size(argument: str, size: float) -> float:
    """Return the dimension of a space."""
    return checked_parameter(argument, size, least=LEAST_SIZE, most=MOST_SIZE)


def gaussian_expression(name: str, *, rows: float = 1.0, columns: float = 1.0) -> GaussianExpression:
    """Return a matrix of independent N(0, 1/l) entries as an expression, with l the number of tokens.

    Parameters
    ----------
    name : str
        The same name is the same matrix; others are independent.
    rows, columns : float, optional
        Its shape, in units of l; between 1e-4 and 1e4.

    Raises
    ------
    InvalidArgument
        If the name is no text, or a number out of its range.

    Examples
    --------
    The law of a square one is that of Marchenko and Pastur:

    >>> import algatt
    >>> from algatt.spectra import ExpressionLaw, gaussian_expression
    >>> print(*(f"{m:.6f}" for m in algatt.spectra.moments(ExpressionLaw(gaussian_expression("Z")), 4)))
    1.000000 2.000000 5.000000 14.000000
    """
    if not isinstance(name, str):
        raise InvalidArgument("name", in_words(name), "a text")
    shape = checked_size("rows", rows), checked_size("columns", columns)
    return GaussianExpression(shape, (Edge(0, 1, 1.0, name, False),), ((name, *shape),))


def identity_expression(size: float = 1.0) -> GaussianExpression:
    """Return the identity as an expression, of a space of a given dimension in units of the number of tokens."""
    dimension = checked_size("size", size)
    return GaussianExpression((dimension, dimension), (Edge(0, 1, 1.0, None, False),), ())


def sample_expression(expression: GaussianExpression, tokens: int, *, seed: int = 0) -> np.ndarray:
    """Draw the matrix of an expression.

    Parameters
    ----------
    expression : GaussianExpression
        The matrix.
    tokens : int
        l, the unit of its shapes, which are rounded.
    seed : int, optional
        Names the draw. Its letters are those of the ensembles: `noise`, `queries` and `keys` are the same matrices, up
        to the root of l.

    Returns
    -------
    numpy.ndarray
        Cost: a product of matrices for each edge but the first ones.

    Examples
    --------
    >>> from algatt.spectra import gaussian_expression, sample_expression
    >>> sample_expression(gaussian_expression("Z", columns=2) @ gaussian_expression("V", rows=2), 10).shape
    (10, 10)
    """
    size = whole("tokens", tokens)
    dimensions = [max(1, round(size * space)) for space in expression.spaces]
    letters = {
        name: gaussian_matrix(seed, f"attention/{name}", max(1, round(size * rows)), max(1, round(size * columns)))
        / np.sqrt(size)
        for name, rows, columns in expression.letters
    }
    reached: dict[int, np.ndarray] = {0: np.eye(dimensions[0])}
    for edge in sorted(expression.edges, key=lambda edge: edge.start):
        moved = reached[edge.start]
        if edge.letter is not None:
            turned = letters[edge.letter].T if edge.transposed else letters[edge.letter]
            moved = turned if edge.start == 0 else moved @ turned
        reached[edge.end] = reached.get(edge.end, 0.0) + edge.factor * moved
    return reached[len(dimensions) - 1]
