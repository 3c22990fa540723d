"""Fibres of the parametrization as values: all parameters of one function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import AttentionNetwork
from algatt.display import Rows, Summary, Worth, html_of
from algatt.fields import Elements, PrimeField
from algatt.geometry.equality.network_equivalence import same_function
from algatt.geometry.fibres.factorizations import Factorizations, random_factorization
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import KeyQuery
from algatt.symmetry.named import NamedSpaces

__all__ = ["Fiber", "UnknownFiber", "coin", "moved_by_gauges"]


@dataclass(frozen=True, eq=False, repr=False)
class Fiber(ABC):
    """All parameters, in one coordinate system, that define the function of one point.

    Parameters
    ----------
    arch : AttentionNetwork
        The network.
    theta : Parameters
        The point.
    ranks : tuple of int
        The ranks of the attention matrices A_i (of the virtual weights M_i in these coordinates).
    """

    arch: AttentionNetwork
    theta: Parameters
    ranks: tuple[int, ...]

    @property
    @abstractmethod
    def case(self) -> str:
        """Which case of the theorems this is, in words."""

    @property
    @abstractmethod
    def theorem(self) -> str | None:
        """The theorem that describes the fibre, or None."""

    @property
    @abstractmethod
    def dimension(self) -> int | None:
        """Dimension of the fibre, or None where no theorem tells it."""

    @property
    @abstractmethod
    def components(self) -> int | None:
        """The number of irreducible components over an algebraically closed field, or None where no theorem
        tells it.
        """

    @property
    @abstractmethod
    def projective_cardinality(self) -> int | None:
        """The number of points up to rescaling, 1 or 2, where it is finite: for one layer but not on `Weights`, and on
        `VirtualWeights`.
        """

    @abstractmethod
    def sample(self, seed: int = 0) -> Any:
        """Return a random point of the fibre, in the coordinates of `theta`."""

    @property
    def failing_hypotheses(self) -> tuple[str, ...]:
        """The hypotheses of the theorems that fail at this point."""
        return ()

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

    def contains(self, theta2: Parameters, *, tolerance: float | None = None) -> bool:
        """Return whether parameters, in any coordinates, define the same function; raises what `algatt.same_function`
        does.
        """
        return bool(same_function(self.arch, self.theta, theta2, tolerance=tolerance).equal)

    def to_dict(self) -> dict[str, Any]:
        """Return the fibre as plain values for JSON."""
        return {
            "case": self.case,
            "status": self.status,
            "theorem": self.theorem,
            "coordinates": self.coordinates.__name__,
            "dimension": self.dimension,
            "components": self.components,
            "projective_cardinality": self.projective_cardinality,
            "failing_hypotheses": list(self.failing_hypotheses),
        }

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.case!r}, {self.coordinates.__name__}, dimension={self.dimension}, "
            f"components={self.components})"
        )

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    @property
    def finite_up_to_scale(self) -> bool:
        """Whether no gauge acts in these coordinates."""
        return isinstance(self.theta, VirtualWeights) or (
            self.arch.layers == 1 and isinstance(self.theta, AttentionMatrix)
        )

    @property
    def gauges(self) -> int:
        """The dimension of the changes of bases between the layers, which act in these coordinates or not."""
        return 0 if self.finite_up_to_scale else sum(d * d for d in self.arch.dims[1:-1])

    @property
    def factorizations(self) -> tuple[Factorizations, ...]:
        """On `Weights`, for each layer the pairs (K_i, Q_i) of one A_i; empty in the other coordinates."""
        if not isinstance(self.theta, Weights):
            return ()
        return tuple(
            Factorizations(a, d, rho) for a, d, rho in zip(self.arch.ranks, self.arch.dims, self.ranks, strict=False)
        )

    def refactor(self, theta: Any, seed: int) -> Any:
        """Return the point with other pairs (K_i, Q_i) of the same A_i, if it has such pairs."""
        if not isinstance(theta, Weights):
            return theta
        arrays: list[Elements] = []
        for i, (Q, K, V) in enumerate(theta.layer_elements, start=1):
            arrays += [*random_factorization(K.T @ Q, Q.shape[0], seed, f"fiber/factorization/{i}"), V]
        return Weights(tuple(arrays))


@dataclass(frozen=True, eq=False, repr=False)
class UnknownFiber(Fiber):
    """A fibre that no theorem known here describes, with the hypotheses that fail and bounds at the point.

    Parameters
    ----------
    reasons : tuple of str
        The hypotheses that fail.
    """

    reasons: tuple[str, ...]

    @property
    def case(self) -> str:
        return "outside of the theorems' hypotheses"

    @property
    def theorem(self) -> str | None:
        return None

    @property
    def dimension(self) -> int | None:
        return None

    @property
    def lower(self) -> int:
        """The dimension of the orbit of the known symmetries through the point, which lies in the fibre."""
        return int(verbs.orbit_dimension(self.arch, self.theta))

    @property
    def components(self) -> int | None:
        return None

    @property
    def projective_cardinality(self) -> int | None:
        return None

    @property
    def failing_hypotheses(self) -> tuple[str, ...]:
        return self.reasons

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "lower": self.lower}

    def sample(self, seed: int = 0) -> Any:
        """Return a random point of the orbit of the known symmetries through the point; the fibre may be larger."""
        theta = moved_by_gauges(self.arch, self.theta, check_seed(seed))
        if isinstance(theta, Weights):
            for family in verbs.symmetries(self.arch):
                moved = verbs.act(family.element(theta, seed), theta)
                if verbs.has_function(self.arch, moved):  # scores that nobody sees may come out without weights
                    theta = moved
        return theta


def coin(seed: int, label: str, sides: int) -> int:
    """Return a random number below `sides` from the stream of a seed."""
    return int(verbs.draw_array(PrimeField(), shape=(), seed=seed, label=label)) % sides


def moved_by_gauges(arch: AttentionNetwork, theta: Any, seed: int) -> Any:
    """Move a point by a random change of the bases between the layers, and by a random rescaling if the architecture
    has any.
    """
    for family in verbs.symmetries(arch):
        if isinstance(family, NamedSpaces) and not isinstance(family, KeyQuery):
            theta = verbs.act(family.element(theta, seed), theta)
    return theta


@verbs.summarize.method
def summary_of_fiber(answer: Fiber) -> Summary:
    rows: Rows = [("theorem", answer.theorem or "none")]
    rows += [("  fails", reason) for reason in answer.failing_hypotheses]
    rows.append(("coordinates", answer.coordinates.__name__))
    if answer.dimension is not None:
        rows.append(("dimension", str(answer.dimension)))
        rows.append(("components", str(answer.components)))
    elif isinstance(answer, UnknownFiber):
        rows.append(("dimension", f"at least {answer.lower}, that of the orbit of the known symmetries"))
    if answer.projective_cardinality is not None:
        rows.append(("points up to scale", str(answer.projective_cardinality)))
    return Summary(answer.case, rows, Worth(answer.status))
