"""Fibres of the parametrization as values: all parameters of one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.display import Rows, Summary, Worth
from algatt.fields import PrimeField
from algatt.geometry.equality.network_equivalence import same_function
from algatt.parameters import Parameters
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized


@dataclass(frozen=True, eq=False, repr=False)
class Fiber(Summarized):
    """All parameters, in one coordinate system, that define the function of one point.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Parameters
        The point.
    case : str
        Which case of the theorems this is, in words.
    draw : callable
        What returns a random point for a seed: one of the fibre, or, where no theorem describes it, one of the orbit of
        the known symmetries.
    theorem : str, optional
        The theorem that describes the fibre; None if no theorem does.
    dimension : int, optional
        Dimension of the fibre, or None where no theorem tells it.
    components : int, optional
        The number of irreducible components over an algebraically closed field, or None where no theorem tells it.
    projective_cardinality : int, optional
        The number of points up to rescaling, 1 or 2, where it is finite: for one layer but not on `Weights`, and on
        `VirtualWeights`.
    failing_hypotheses : tuple of str, optional
        The hypotheses of the theorems that fail at this point.
    """

    arch: Architecture
    theta: Parameters
    case: str
    draw: Callable[[int], Any]
    theorem: str | None = None
    dimension: int | None = None
    components: int | None = None
    projective_cardinality: int | None = None
    failing_hypotheses: tuple[str, ...] = ()

    @property
    def coordinates(self) -> type[Parameters]:
        """The coordinate system."""
        return type(self.theta)

    @property
    def status(self) -> str:
        """``proven`` over GF(p), ``numerical`` over the reals, where ranks are decided by gaps; ``unknown`` where no
        theorem applies.

        Over a small field it is about polynomials, which values at points of the field may not tell apart.
        """
        if self.theorem is None:
            return "unknown"
        return self.theta.field.status

    @property
    def lower(self) -> int:
        """A lower bound of the dimension: the dimension, or that of the orbit of the known symmetries through the
        point, which lies in the fibre.
        """
        return int(verbs.orbit_dimension(self.arch, self.theta)) if self.dimension is None else self.dimension

    def contains(self, theta2: Parameters, *, tolerance: float | None = None) -> bool:
        """Return whether parameters, in any coordinates, define the same function; raises what `algatt.same_function`
        does.
        """
        return bool(same_function(self.arch, self.theta, theta2, tolerance=tolerance).equal)

    def sample(self, seed: int = 0) -> Any:
        """Return a random point of the fibre, in the coordinates of `theta`; where the status is ``unknown``, of the
        orbit of the known symmetries through `theta`, which may be a part of it.
        """
        return self.draw(check_seed(seed))

    def to_dict(self) -> dict[str, Any]:
        """Return the fibre as plain values for JSON."""
        found = {
            "case": self.case,
            "status": self.status,
            "theorem": self.theorem,
            "coordinates": self.coordinates.__name__,
            "dimension": self.dimension,
            "components": self.components,
            "projective_cardinality": self.projective_cardinality,
            "failing_hypotheses": list(self.failing_hypotheses),
        }
        return found if self.theorem is not None else {**found, "lower": self.lower}

    def __repr__(self) -> str:
        return (
            f"Fiber({self.case!r}, {self.coordinates.__name__}, dimension={self.dimension}, "
            f"components={self.components})"
        )


def coin(seed: int, label: str, sides: int) -> int:
    """Return a random number below `sides` from the stream of a seed."""
    return int(verbs.draw_array(PrimeField(), shape=(), seed=seed, label=label)) % sides


@verbs.summarize.method
def summary_of_fiber(answer: Fiber) -> Summary:
    rows: Rows = [("theorem", answer.theorem or "none")]
    rows += [("  fails", reason) for reason in answer.failing_hypotheses]
    rows.append(("coordinates", answer.coordinates.__name__))
    if answer.dimension is not None:
        rows.append(("dimension", str(answer.dimension)))
        rows.append(("components", str(answer.components)))
    else:
        rows.append(("dimension", f"at least {answer.lower}, that of the orbit of the known symmetries"))
    if answer.projective_cardinality is not None:
        rows.append(("points up to scale", str(answer.projective_cardinality)))
    return Summary(answer.case, rows, Worth(answer.status))
