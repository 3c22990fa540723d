"""One quantity that gradient flow keeps: a polynomial of degree two in the weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.plain import written
from algatt.verbs.views import Tabled


@dataclass(frozen=True, eq=False)
class ConservationLaw(Tabled):
    r"""A quantity :math:`h(\theta) = \frac{1}{2} \theta^T A \theta + c^T \theta` with :math:`A = A^T` that gradient
    flow of every loss keeps.

    The vector field :math:`\nabla h = A \theta + c` is tangent to the fibres: the derivative of the function along it
    vanishes at all weights. So :math:`\langle \nabla h, \nabla L \rangle = 0` for each loss L of the function.
    Gradients are those of the inner product in which all entries of all tensors are orthonormal.

    Parameters
    ----------
    architecture : Architecture
        The network.
    quantity : str
        The matrix, vector or number of which it is an entry, such as ``Q_1 Q_1^T - K_1 K_1^T``.
    entry : tuple of int or None
        Which entry, counted from 0; None of a number.
    latex : str
        The quantity in LaTeX.
    products : ndarray of int
        Rows (i, j, coefficient) of the products :math:`\theta_i \theta_j`, :math:`i \le j`.
    multiples : ndarray of int
        Rows (i, coefficient) of the linear terms.
    """

    architecture: Architecture
    quantity: str
    entry: tuple[int, ...] | None
    latex: str
    products: np.ndarray
    multiples: np.ndarray

    @property
    def name(self) -> str:
        """The quantity, with the entry in brackets."""
        if self.entry is None:
            return self.quantity
        quantity = f"({self.quantity})" if " " in self.quantity else self.quantity
        return f"{quantity}[{', '.join(map(str, self.entry))}]"

    def __repr__(self) -> str:
        return f"ConservationLaw({self.name})"

    def _repr_latex_(self) -> str:
        entry = "" if self.entry is None else rf"_{{{', '.join(map(str, self.entry))}}}"
        return rf"$\left( {self.latex} \right){entry}$" if entry else f"${self.latex}$"

    @property
    def matrix(self) -> np.ndarray:
        """The matrix A, dense, of integers, in the order of `algatt.flatten`."""
        size = self.architecture.parameters
        A = np.zeros((size, size), dtype=np.int64)
        i, j, coefficients = self.products.T
        np.add.at(A, (i, j), coefficients)
        np.add.at(A, (j, i), coefficients)
        return A

    @property
    def vector(self) -> np.ndarray:
        """The vector c of integers."""
        c = np.zeros(self.architecture.parameters, dtype=np.int64)
        c[self.multiples[:, 0]] = self.multiples[:, 1]
        return c

    def __call__(self, theta: Weights) -> Any:
        """Return the value at weights: an element of their field.

        Raises
        ------
        InvalidArgument
            If they are not weights of the network.
        """
        values = flat(self.architecture, theta)
        return self.value(values).public()[0, 0]

    def value(self, theta: Elements) -> Elements:
        """Return the value at flat weights, a column, as a matrix of one entry."""
        field = theta.field
        raw = Elements.of(field, np.zeros((1, 1), dtype=np.int64))
        for rows, places in ((self.products, (0, 1)), (self.multiples, (0,))):
            if len(rows):
                coefficients = Elements(field, verbs.embed(field, rows[:, -1:].T.copy()))
                term = Elements(field, theta.raw[rows[:, places[0]]])
                if len(places) == 2:
                    term = term * Elements(field, theta.raw[rows[:, places[1]]])
                raw = raw + coefficients @ term
        return raw

    def gradient(self, theta: Elements) -> Elements:
        r"""Return :math:`A \theta + c` at flat weights, as a column."""
        field, size = theta.field, theta.shape[0]
        total = Elements(field, verbs.embed(field, self.vector.reshape(size, 1)))
        i, j, coefficients = self.products.T
        for target, source in ((i, j), (j, i)):
            for block in distinct(target):
                factors = Elements(field, verbs.embed(field, coefficients[block].reshape(-1, 1)))
                part = Elements.of(field, np.zeros((size, 1), dtype=np.int64))
                part.raw[target[block]] = (factors * Elements(field, theta.raw[source[block]])).raw
                total = total + part
        return total

    def to_dict(self) -> dict[str, Any]:
        """Return the law as plain values for JSON."""
        return written(self, "name quantity entry latex products multiples")


def distinct(numbers: np.ndarray) -> list[np.ndarray]:
    """Return positions in blocks in which no number occurs twice."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    first = np.searchsorted(ranked, ranked)
    turn = np.arange(len(ranked)) - first
    return [order[turn == k] for k in range(int(turn.max()) + 1 if len(turn) else 0)]


def flat(arch: Architecture, theta: Any, argument: str = "theta") -> Elements:
    """Return weights as one column, or raise `InvalidArgument`."""
    if not isinstance(theta, Weights):
        raise InvalidArgument(argument, f"{theta!r}", f"weights of {arch}")
    check_fits(arch, theta)
    raw = np.concatenate([one.raw.reshape(-1, 1) for one in theta.elements])
    return Elements(theta.field, raw)
