"""All symmetries of a network at a glance: spaces, groups, dimensions, tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.display import Rows, Summary, list_names
from algatt.fields import PrimeField
from algatt.randomness import check_seed
from algatt.symmetry.base import Symmetry, random_weights
from algatt.symmetry.free import places_of, related
from algatt.symmetry.legend import COUNTED, counted, explain
from algatt.symmetry.relations import Progress, ranks_of
from algatt.symmetry.table import symmetries_as_dict
from algatt.verbs.views import Summarized, Tabled


@dataclass(frozen=True)
class FamilyOrbit(Tabled):
    """What a family of symmetries does to weights.

    Parameters
    ----------
    name : str
        Name of the family, or of the space whose coordinates it changes.
    group : str or None
        The group, as ``GL(2)``; None if the family does not say.
    dimension : int
        The dimension of its orbits.
    alone : int
        How many of these dimensions no other families have: what all of them together lose without it.
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
    alone: int
    tensors: tuple[str, ...]
    basis: str
    sides: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, repr=False)
class SymmetryReport(Summarized):
    """The symmetries of a network, at random weights modulo a prime; `SymmetryReport.of` makes it.

    Ranks at these weights are at most those at almost all weights, where they are the same but by accident; a rank that
    is the number of tangents is the same. Of families that act freely the dimensions at almost all weights are known.

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
    (FamilyOrbit(name='feedforward.hidden', group='T(3)', dimension=3, alone=3, \
tensors=('feedforward.up', 'feedforward.down'), basis='equivariant', \
sides=(('feedforward.up', 'rows'), ('feedforward.down', 'columns'))),)
    """

    architecture: Architecture
    parameters: int
    dimension: int
    families: tuple[FamilyOrbit, ...]
    seed: int

    @property
    def shared(self) -> int:
        """How many of the dimensions several families have."""
        return self.dimension - sum(family.alone for family in self.families)

    @property
    def counted(self) -> list[tuple[FamilyOrbit, str]]:
        """The families, each with how often it occurs, in words: the first one of those that are alike if there are
        many, as in other blocks and heads.
        """
        return counted(self.families, "group", "dimension", "alone", "basis")

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The letters of groups and the words for what families rest on that occur, each with what it means."""
        return explain([family.group or "" for family in self.families], [family.basis for family in self.families])

    @classmethod
    def of(cls, arch: NetworkLike, seed: int = 0, progress: Progress | None = None) -> SymmetryReport:
        """Look at the symmetries of an architecture, at weights drawn from the stream of a seed.

        Parameters
        ----------
        arch : Architecture
            The network.
        seed : int
            The seed of the weights.
        progress : callable, optional
            Callback progress(done, total), in tensors.

        Raises
        ------
        InvalidArgument
            If it is no architecture, or the seed no integer >= 0.
        """
        arch = as_architecture(arch)
        theta = random_weights(arch, check_seed(seed))
        found: tuple[Symmetry, ...] = verbs.symmetries(arch)
        left = related(found)
        parts = {number: part.tangents_on(theta) for number, part in left.items()}
        ranks = ranks_of(PrimeField(), list(parts.values()), places_of(theta, list(left.values())), progress)
        free = {number: found[number].tangents_on(theta).count - one.count for number, one in parts.items()}
        each = dict(zip(parts, zip(ranks.each, ranks.alone, strict=True), strict=True))
        order = list(theta.names())
        families, together = [], ranks.together
        for number, family in enumerate(found):
            own, alone = each.get(number, (0, 0))
            more = free[number] if number in parts else family.dimension
            together += more
            group = None if family.group is None else str(family.group)
            tensors = tuple(sorted(family.tensors, key=order.index))
            families.append(
                FamilyOrbit(family.name, group, own + more, alone + more, tensors, family.basis, family.sides)
            )
        return cls(arch, arch.parameters, together, tuple(families), seed)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        families = [
            (one.name, one.group, one.dimension, one.alone, 1, list(one.tensors), one.basis) for one in self.families
        ]
        return symmetries_as_dict(self.architecture, self.dimension, self.shared, families, self.seed)


@verbs.summarize.method
def summary_of_symmetries(report: SymmetryReport) -> Summary:
    together = f"{report.dimension}, all together" + (f", of which {report.shared} are shared" if report.shared else "")
    rows: Rows = [("parameters", str(report.parameters)), ("symmetries", together)]
    for family, times in report.counted:
        group = f"{times}{family.group}, " if family.group else times
        alone = "" if family.alone == family.dimension else f", {family.alone} alone"
        rows.append((f"  - {family.name}", f"{group}dimension {family.dimension}{alone}: {list_names(family.tensors)}"))
    rows += [COUNTED] * (len(report.counted) < len(report.families)) + report.legend
    rows.append(("point", f"seed {report.seed} over {PrimeField()}"))
    return Summary(f"{report.architecture}", rows)
