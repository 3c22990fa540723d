"""The dimension of a neuromanifold, with what the answer is worth."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.display import Rows, Said, Summary, Worth
from algatt.fields import Field
from algatt.geometry.dimensions.evidence import FamilyRank, Parts, Pieces
from algatt.geometry.dimensions.formulas import Formula
from algatt.plain import plain
from algatt.symmetry.legend import BASES, COUNTED, counted
from algatt.verbs.views import Summarized

if TYPE_CHECKING:
    from algatt.geometry.dimensions.bounds import Attempt
    from algatt.geometry.dimensions.regions import Regions
    from algatt.geometry.dimensions.witness import Witness
    from algatt.maps.elementary.conditions import Conditions


@dataclass(frozen=True, repr=False)
class DimensionReport(Summarized):
    """The dimension of a neuromanifold and the evidence for it.

    Parameters
    ----------
    architecture : Architecture
        The network.
    value : int
        The dimension.
    lower, upper : int or None
        Proven bounds; None for an answer in floating point.
    status : str
        ``proven`` (the bounds meet), ``probable`` (they do not; see `error`) or ``numerical`` (floating point; see
        `gap`; or balls of the highest precision, which do not tell more from zero than `lower`).
    parameters : int
        The number of parameters.
    symmetries : tuple of FamilyRank
        What each symmetry family removes.
    formulas : tuple of Formula
        The closed formulas for this architecture.
    samples : int
        The number of inputs used at the point that gave the lower bound.
    field : Field
        Where that point lies.
    seed : int
        The seed that names it.
    error : float or None
        For a probable answer: a bound on the probability that random points over GF(p) show a rank below the generic
        one there; 1 if no degrees are known, or if the network reads tokens and not all of its inputs
        could be used. Where the witness is `lower`, it is at most the error of the witness.
    gap : float or None
        For an answer in floating point: the ratio of the singular values around the rank, which it rests on.
    evidence : Attempt or None
        The two bounds at that point, with their minors; None for an answer in floating point.
    seconds : float
        Wall time.
    reason : str or None
        Why balls were taken for a network that is not algebraic; None if they were not, or were asked for.
    regions : Regions or None
        The regions of the weights that were looked at, with their ranks in floating point; None if the bounds met
        before, or if there is one region alone.
    witness : Witness or None
        The rank of what the function sees of the weights, at random points: an upper bound that is no proof. None where
        the proven bounds meet, or if it is too large to be computed.
    limited_by : tuple of str
        Where the proven bounds do not meet: the operations that no rule explains, which are those of the program
        (`algatt.maps.program`) at which the directions end that no symmetry has, each with its number and with what it
        takes; none if floats show no such direction, or for more than 1024 parameters.
    """

    architecture: Architecture
    value: int
    lower: int | None
    upper: int | None
    status: str
    parameters: int
    symmetries: tuple[FamilyRank, ...]
    formulas: tuple[Formula, ...]
    samples: int
    field: Field
    seed: int
    error: float | None
    gap: float | None
    evidence: Attempt | None = dataclasses.field(repr=False)
    seconds: float = dataclasses.field(compare=False)
    reason: str | None = None
    regions: Regions | None = None
    witness: Witness | None = None
    limited_by: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.value} ({self.status})"

    @property
    def unexplained(self) -> int | None:
        """By how much the symmetries fall short of what the function does not see: the directions in which `upper` may
        be lowered, by the witness; None without a witness.
        """
        if self.witness is None or self.upper is None or self.lower is None:
            return None
        return self.upper - min(self.upper, max(self.lower, self.witness.value))

    @property
    def theorem(self) -> Formula | None:
        """The theorem that covers the architecture, or None where no hypotheses hold."""
        return next((formula for formula in self.formulas if formula.theorem), None)

    @property
    def formula(self) -> int | None:
        """The theorem's value, or None where its hypotheses fail."""
        return None if self.theorem is None else self.theorem.value

    @property
    def formula_source(self) -> str | None:
        """The theorem's number in the paper, or None."""
        return None if self.theorem is None else self.theorem.source

    @property
    def conditions(self) -> Conditions | None:
        """What was checked so that residues stand for exponentials, roots and gates; None if there are none."""
        return None if self.evidence is None else self.evidence.lower.conditions

    @property
    def pieces(self) -> Pieces | Parts | None:
        """The pieces that the bounds are made of, or the parts that the lower one is; None if the Jacobian of the whole
        network was eliminated.
        """
        minor = None if self.evidence is None else self.evidence.lower.minor
        return minor if isinstance(minor, Pieces | Parts) else None

    @property
    def conjecture(self) -> int | None:
        """The value of the derived formula, which is a conjecture, or None."""
        return next((formula.value for formula in self.formulas if not formula.theorem), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "value": self.value,
            "status": self.status,
            "lower": self.lower,
            "upper": self.upper,
            "parameters": self.parameters,
            "symmetries": [
                {"name": family.name, "removes": family.removes, "basis": family.basis} for family in self.symmetries
            ],
            "formula": self.formula,
            "formula_source": self.formula_source,
            "conjecture": self.conjecture,
            "samples": self.samples,
            "field": str(self.field),
            "seed": self.seed,
            "error": self.error,
            "gap": plain(self.gap),
            "conditions": None if self.conditions is None else str(self.conditions),
            "reason": self.reason,
            "regions": None if self.regions is None else list(self.regions.ranks),
            "pieces": None if self.pieces is None else self.pieces.to_list(),
            "unexplained": self.unexplained,
            "witness": None if self.witness is None else self.witness.to_dict(),
            "limited_by": list(self.limited_by),
            "seconds": round(self.seconds, 3),
        }


@verbs.summarize.method
def summary_of_dimension(report: DimensionReport) -> Summary:
    rows: Rows = [("dimension", (Said(f"{report.value:,}", "strong"), " ", Worth(report.status)))]
    rows.append(("", evidence(report)))
    rows.append(("parameters", f"{report.parameters:,}"))
    families = counted(report.symmetries, "removes", "basis")
    for family, times in families:
        basis = BASES.get(family.basis, family.basis).partition(":")[0]
        rows.append((f"  - {family.name}", f"{times}{family.removes:,}, {basis}"))
    rows += [COUNTED] * (len(families) < len(report.symmetries))
    if report.theorem is not None:
        rows.append(
            (
                "theorem",
                (f"{report.theorem.value:,}, {report.theorem.source}: ", agreement(report, report.theorem, "wrong")),
            )
        )
    elif isinstance(report.pieces, Parts):
        rows.append(("theorem", f"{report.value:,}, blocks side by side: the sum of the parts"))
        rows += [(f"  - {one.name}", str(one)) for one in report.pieces.parts]
    else:
        rows.append(("theorem", "none has a formula for this network"))
    for formula in report.formulas:
        if not formula.theorem:
            source = formula.source.partition(" (a conjecture")[0]
            rows.append(("conjecture", (f"{formula.value:,}, {source}: ", agreement(report, formula, "doubtful"))))
    if isinstance(report.pieces, Pieces):
        rows.append(("pieces", str(report.pieces)))
    if not isinstance(report.pieces, Parts):
        rows.append(("inputs", f"{report.samples:,}"))
        rows.append(("point", f"seed {report.seed} over {report.field}"))
    if report.unexplained is not None:
        rows.append(("unexplained", f"{report.unexplained}; what the function sees has {report.witness}"))
    rows += [("limited by" if not number else "", one) for number, one in enumerate(report.limited_by)]
    if report.conditions is not None:
        said = str(report.conditions).split("; ")
        rows += [("conditions", said[0]), *(("", one) for one in said[1:])]
    if report.reason is not None:
        rows.append(("reason", report.reason))
    if report.regions is not None:
        looked_at, ranks = str(report.regions).split("; ")
        rows += [("regions", looked_at), ("", ranks)]
    rows.append(("time", f"{report.seconds:.2f} s"))
    return Summary(f"{report.architecture}", rows)


def evidence(report: DimensionReport) -> str:
    """Say what a dimension rests on."""
    if report.status == "proven":
        ambient = any(family.basis == "ambient" for family in report.symmetries)
        bound = "dimension of the ambient space" if ambient else "parameters - rank of the symmetries"
        rank = "sum of what parts show" if isinstance(report.pieces, Parts) else "rank of the Jacobian"
        return f"{rank} = {report.lower:,} = {bound}"
    if report.lower is None:
        return f"float64; gap {report.gap:.3g} in the singular values; no proof"
    between = f"between {report.lower:,} and {report.upper:,}, proven"
    if report.pieces is not None:
        return f"{between}, by pieces; random points may prove more"
    if report.status == "probable":
        return f"{between}; probability that random points missed a larger rank: {report.error:.1g}"
    return f"{between}; balls of the highest precision do not tell more from zero"


def agreement(report: DimensionReport, formula: Formula, tone: str) -> str | Said:
    """Say how a formula fits a dimension, in a tone if it does not; between the bounds it may be what balls
    leave open.
    """
    if formula.value == report.value:
        return "agrees"
    lower, upper = report.lower, report.upper
    if report.status == "numerical" and lower is not None and upper is not None and lower <= formula.value <= upper:
        return "is between the bounds"
    return Said("differs", tone)
