"""How far conserved quantities move along steps of training."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.arguments import entries
from algatt.display import Rows, Summary, Worth
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.geometry.training.conservation import conservation_laws
from algatt.geometry.training.law import ConservationLaw, flat
from algatt.parameters import Weights
from algatt.plain import written
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False)
class Drift(Summarized):
    """The values of conserved quantities along a sequence of weights; `algatt.geometry.drift` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    laws : tuple of ConservationLaw
        The laws.
    values : ndarray
        Shape (steps, laws): the values at each of the weights.
    sizes : ndarray
        Shape (laws,): for each law the sum of the sizes of its terms at the first weights.
    """

    architecture: Architecture
    laws: tuple[ConservationLaw, ...]
    values: np.ndarray
    sizes: np.ndarray

    @property
    def changes(self) -> np.ndarray:
        """The values less those at the first weights, of shape (steps, laws)."""
        return self.values - self.values[0]

    @property
    def relative(self) -> np.ndarray:
        """The largest changes along the sequence, divided by the sizes of the laws: shape (laws,)."""
        largest = np.abs(self.changes).max(axis=0)
        return largest / np.maximum(self.sizes, np.finfo(np.float64).tiny)

    @property
    def largest(self) -> float:
        """The largest relative change of one of the laws; 0 for a network without laws."""
        return float(self.relative.max(initial=0.0))

    @property
    def status(self) -> str:
        """``numerical``: the values are floats."""
        return "numerical"

    @property
    def quantities(self) -> dict[str, float]:
        """The largest relative change of each quantity."""
        found: dict[str, float] = {}
        for law, change in zip(self.laws, self.relative.tolist(), strict=True):
            found[law.quantity] = max(found.get(law.quantity, 0.0), change)
        return found

    def __repr__(self) -> str:
        return f"Drift({len(self.values)} steps, {len(self.laws)} laws, largest relative change {self.largest:.2g})"

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain values for JSON."""
        return {"architecture": self.architecture.description(), **written(self, "largest quantities values status")}


def drift(arch: Architecture, trajectory: Iterable[Weights]) -> Drift:
    r"""Return how far the conserved quantities of a network move along weights of one training run.

    Gradient flow keeps them. A step of gradient descent of size :math:`\eta` changes a law with the matrix A by
    :math:`\eta^2 \langle g, A g \rangle / 2`, where g is the gradient, and so keeps linear laws; momentum, Adam and
    weight decay change them more. Weights of two runs differ from the start, by about their size. Cost: the laws, and
    their values at each of the weights.

    Parameters
    ----------
    arch : Architecture
        The network.
    trajectory : iterable of Weights
        The weights, over the reals, in the order of the run.

    Raises
    ------
    InvalidArgument
        If they are no weights of the network over the reals, or none.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2)
    >>> one, other = (algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (0, 1))
    >>> algatt.geometry.drift(arch, [one, one]).largest
    0.0
    >>> algatt.geometry.drift(arch, [one, other]).largest > 0.1
    True
    """
    laws = conservation_laws(arch, complete=False)
    points = entries("trajectory", trajectory, "a sequence of weights")
    if not points:
        raise InvalidArgument("trajectory", "empty", "at least one point of weights")
    columns = [real_weights(arch, theta, f"trajectory[{number}]") for number, theta in enumerate(points)]
    values = np.array([[value_of(law, column) for law in laws.laws] for column in columns])
    first = Elements(Reals(), np.abs(columns[0].raw))
    sizes = np.array([size_of(law, first) for law in laws.laws])
    return Drift(arch, laws.laws, values.reshape(len(points), -1), sizes)


def real_weights(arch: Architecture, theta: Any, argument: str) -> Elements:
    """Return real weights as one column, or raise `InvalidArgument`."""
    column = flat(arch, theta, argument)
    if not isinstance(column.field, Reals):
        raise InvalidArgument(argument, f"over {column.field}", "over the reals")
    return column


def value_of(law: ConservationLaw, column: Elements) -> float:
    """Return the value of a law at real weights."""
    return float(law.value(column).raw[0, 0])


def size_of(law: ConservationLaw, sizes: Elements) -> float:
    """Return the sum of the sizes of the terms of a law, given those of the weights."""
    products, multiples = np.abs(law.products), np.abs(law.multiples)
    x = sizes.raw[:, 0]
    return float(products[:, 2] @ (x[products[:, 0]] * x[products[:, 1]]) + multiples[:, 1] @ x[multiples[:, 0]])


@verbs.summarize.method
def summary_of_drift(found: Drift) -> Summary:
    rows: Rows = [(f"  {name}", f"{change:.2g}") for name, change in found.quantities.items()]
    rows.append(("weights", f"{len(found.values)}"))
    return Summary(f"largest relative change {found.largest:.2g}", rows, Worth(found.status))
