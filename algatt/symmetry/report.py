"""All symmetries of a network at a glance: spaces, groups, dimensions, tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.display import Rows, Summary, html_of, list_names
from algatt.errors import InvalidArgument
from algatt.fields import PrimeField
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.symmetry.base import Symmetry

__all__ = ["FamilyOrbit", "SymmetryReport"]


@dataclass(frozen=True)
class FamilyOrbit:
    """What a family of symmetries does to weights.

    Parameters
    ----------
    name : str
        Name of the family, or of the space whose coordinates it changes.
    group : str or None
        The group, as ``GL(2)``; None if the family does not say.
    dimension : int
        The dimension of its orbits: the rank of its tangents at the point.
    tensors : tuple of str
        The tensors that it moves.
    basis : str
        On what it rests: see `algatt.symmetry.Symmetry`.
    sides : tuple of (str, str)
        The tensors with the side on which the group acts, ``rows`` or ``columns``; empty if the family does not say.
    """

    name: str
    group: str | None
    dimension: int
    tensors: tuple[str, ...]
    basis: str
    sides: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SymmetryReport:
    """The symmetries of a network, at random weights modulo a prime; `SymmetryReport.of` makes it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    parameters : int
        The number of its parameters.
    dimension : int
        The dimension of the orbits of all families together: at most the sum of theirs.
    families : tuple of FamilyOrbit
        The families.
    seed : int
        The seed that names the weights.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Feedforward, Power
    >>> report = algatt.symmetry.SymmetryReport.of(algatt.Network(Feedforward(3, Power(2)), tokens=1, width=4))
    >>> report.families
    (FamilyOrbit(name='feedforward.hidden', group='T(3)', dimension=3, tensors=('feedforward.up', 'feedforward.down'), \
basis='typed', sides=(('feedforward.up', 'rows'), ('feedforward.down', 'columns'))),)
    """

    architecture: Architecture
    parameters: int
    dimension: int
    families: tuple[FamilyOrbit, ...]
    seed: int

    @classmethod
    def of(cls, arch: Architecture, seed: int = 0) -> SymmetryReport:
        """Look at the symmetries of an architecture, at weights drawn from the stream of a seed.

        Raises
        ------
        InvalidArgument
            If it is no architecture, or the seed no integer >= 0.
        """
        if not isinstance(arch, Architecture):
            raise InvalidArgument("arch", repr(arch), "a network, such as algatt.Network(...)")
        seed = check_seed(seed)
        field = PrimeField()
        theta = verbs.sample(arch, Weights, field=field, seed=seed)
        together = RowSpace(field, arch.parameters)
        families = []
        for family in verbs.symmetries(arch):
            tangents = family.tangent_elements(theta)
            together.add(tangents)
            group = None if family.group is None else str(family.group)
            rank, tensors = int(verbs.rank(tangents)), moved(family, theta)
            families.append(FamilyOrbit(family.name, group, rank, tensors, family.basis, family.sides))
        return cls(arch, arch.parameters, together.rank, tuple(families), seed)

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "parameters": self.parameters,
            "dimension": self.dimension,
            "symmetries": [
                {
                    "name": family.name,
                    "group": family.group,
                    "dimension": family.dimension,
                    "tensors": list(family.tensors),
                    "basis": family.basis,
                }
                for family in self.families
            ],
            "seed": self.seed,
        }


def moved(family: Symmetry, theta: Weights) -> tuple[str, ...]:
    """Return the names of the tensors that a family moves, in the order of the network."""
    named = {name for part in family.tangent_parts(theta) for name in part}
    return tuple(name for name in theta.names() if name in named)


@verbs.summarize.method
def summary_of_symmetries(report: SymmetryReport) -> Summary:
    rows: Rows = [("parameters", str(report.parameters)), ("symmetries", f"{report.dimension}, all together")]
    for family in report.families:
        group = f"{family.group}, " if family.group else ""
        rows.append((f"  - {family.name}", f"{group}dimension {family.dimension}: {list_names(family.tensors)}"))
    rows.append(("point", f"seed {report.seed} over {PrimeField()}"))
    return Summary(f"{report.architecture}", rows)
