"""How many samples learning needs: bounds of the pseudo-dimension by the dimension, the parameters and the degree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_architecture
from algatt.architectures.recording import degree
from algatt.display import Rows, Summary, html_of
from algatt.geometry.dimensions.dimension import dimension
from algatt.randomness import check_seed

__all__ = ["PseudoDimension", "pseudo_dimension"]


@dataclass(frozen=True)
class PseudoDimension:
    """Bounds of the pseudo-dimension of a network; `algatt.geometry.pseudo_dimension` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    lower : int
        The proven lower bound of the dimension of its set of functions.
    upper : int or None
        The bound of Goldberg and Jerrum; None for networks that are no polynomials in their weights.
    parameters : int
        The number of parameters.
    degree : int or None
        The degree of the values in the weights, at most.
    status : str
        ``proven``, or that of the dimension where its lower bound is a rank in floating point.
    """

    architecture: Architecture
    lower: int
    upper: int | None
    parameters: int
    degree: int | None
    status: str

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "lower": self.lower,
            "upper": self.upper,
            "parameters": self.parameters,
            "degree": self.degree,
            "status": self.status,
        }


def pseudo_dimension(arch: Architecture, *, seed: int = 0) -> PseudoDimension:
    r"""Return bounds of the pseudo-dimension of the functions :math:`(x, i) \mapsto f_i(x; \theta)`: the largest number
    of samples (x, i), with thresholds, that the signs of the values less the thresholds shatter.

    It is at least the dimension D: where D values have independent gradients they take all values near those at one
    point, above and below. It is at most :math:`2 n \log_2 (8 e d)` for polynomials of degree d in n weights, since
    each sample is a single inequality (P. Goldberg, M. Jerrum, *Bounding the Vapnik-Chervonenkis dimension of concept
    classes parameterized by real numbers*, Machine Learning 18, 1995, Theorem 2.2). Cost: that of the dimension.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the point of the dimension.

    Raises
    ------
    InvalidArgument
        If it is no network, or the seed no integer >= 0.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.geometry.pseudo_dimension(algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2))
    >>> found.lower, found.upper, found.parameters, found.degree
    (16, 253, 21, 3)
    """
    check_architecture(arch)
    check_seed(seed)
    report = dimension(arch, seed=seed)
    n, polynomial = arch.parameters, arch.polynomial
    d = max(1, int(degree(arch).weights)) if polynomial else None
    upper = None if d is None else math.floor(2 * n * math.log2(8 * math.e * d))
    proven = report.lower is not None
    lower = report.value if report.lower is None else report.lower
    return PseudoDimension(arch, lower, upper, n, d, "proven" if proven else report.status)


@verbs.summarize.method
def summary_of_pseudo_dimension(found: PseudoDimension) -> Summary:
    upper = "no bound is known here" if found.upper is None else f"at most {found.upper}"
    rows: Rows = [("pseudo-dimension", f"at least {found.lower}, {upper}"), ("parameters", f"{found.parameters}")]
    if found.degree is not None:
        rows.append(("degree in the weights", f"{found.degree}"))
    rows.append(("status", found.status))
    return Summary(f"{found.architecture}", rows)
