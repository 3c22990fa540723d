"""What a person wants to see of each report first: the rows that the command line prints and a notebook shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt import verbs
from algatt.certificates import Certificate, VerificationReport
from algatt.display import Said, Summary, Text, Worth
from algatt.dynamics import Trajectory
from algatt.fields import PrimeField
from algatt.geometry import (
    DimensionReport,
    Equivalence,
    Fiber,
    Formula,
    Identification,
    JacobianSpectrum,
    UnexplainedKernel,
    UnknownFiber,
)
from algatt.geometry.equality.large import HALF, Comparison, name_of_precision
from algatt.published import ParameterReport, ScaledProof
from algatt.spectra import AttentionEnsemble, SpectrumReport, predicted_top_singular_value
from algatt.symmetry import Symmetry, SymmetryReport

__all__: list[str] = []

MOST_ENTRIES = 64
"""Maximum number of entries of an input that are printed all."""

MOST_ROWS = 12
"""So many parts of one kind are listed."""

LONGEST = 80
"""So many characters of a claim that a certificate makes are shown."""

Rows = list[tuple[str, Text]]


@verbs.summarize.method
def summary_of_dimension(report: DimensionReport) -> Summary:
    rows: Rows = [("dimension", (Said(str(report.value), "strong"), " ", Worth(report.status))), ("", evidence(report))]
    rows.append(("parameters", str(report.parameters)))
    rows += [(f"  - {family.name}", f"{family.removes}, {family.basis}") for family in report.symmetries]
    if report.theorem is not None:
        rows.append(
            (
                "theorem",
                (f"{report.theorem.value}, {report.theorem.source}: ", agreement(report, report.theorem, "wrong")),
            )
        )
    else:
        rows.append(("theorem", "none: its hypotheses do not hold here"))
    for formula in report.formulas:
        if not formula.theorem:
            source = formula.source.partition(" (a conjecture")[0]
            rows.append(("conjecture", (f"{formula.value}, {source}: ", agreement(report, formula, "doubtful"))))
    if report.pieces is not None:
        rows.append(("pieces", str(report.pieces)))
    rows.append(("inputs", str(report.samples)))
    rows.append(("point", f"seed {report.seed} over {report.field}"))
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
        return f"rank of the Jacobian = {report.lower} = {bound}"
    between = f"between {report.lower} and {report.upper}, proven"
    if report.pieces is not None:
        return f"{between}, by pieces; random points may prove more"
    if report.status == "probable":
        return f"{between}; probability that random points missed a larger rank: {report.error:.1g}"
    if report.lower is not None:
        return f"{between}; balls of the highest precision do not tell more from zero"
    return f"float64; gap {report.gap:.3g} in the singular values; no proof"


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


@verbs.summarize.method
def summary_of_symmetry(family: Symmetry) -> Summary:
    rows: Rows = [] if family.group is None else [("group", str(family.group))]
    rows.append(("dimension", str(family.dimension)))
    if family.sides:
        rows.append(("tensors", list_names(list(dict.fromkeys(name for name, _ in family.sides)))))
    return Summary(family.name, [*rows, ("basis", family.basis)])


@verbs.summarize.method
def summary_of_symmetries(report: SymmetryReport) -> Summary:
    rows: Rows = [("parameters", str(report.parameters)), ("symmetries", f"{report.dimension}, all together")]
    for family in report.families:
        group = f"{family.group}, " if family.group else ""
        rows.append((f"  - {family.name}", f"{group}dimension {family.dimension}: {list_names(family.tensors)}"))
    rows.append(("point", f"seed {report.seed} over {PrimeField()}"))
    return Summary(f"{report.architecture}", rows)


@verbs.summarize.method
def summary_of_parameters(report: ParameterReport) -> Summary:
    rows: Rows = [("parameters", f"{report.parameters:,}")]
    rows.append(("redundant", f"{report.redundant:,}, {100 * report.share:.3g} %"))
    rows += [(f"  - {one.name}", f"{one.redundant:,}") for one in report.components]
    rows.append(("dimension", (Said(f"{report.dimension:,}", "strong"), ", an upper bound, ", Worth("proven"))))
    rows.append(("functions", report.functions))
    if report.eps is not None:
        rows.append(("eps", f"{report.eps} in all norms"))
    if not report.complete:
        rows.append(("", "more may be redundant: some symmetries are not counted without matrices"))
    rows.append(("equality", (Worth(report.equality),)))
    rows += [("  - proven" if one.proven else "  - differs", said_of_proof(one)) for one in report.proofs]
    return Summary(report.model or report.model_type, rows)


def said_of_proof(proof: ScaledProof) -> str:
    """Say what is known of an architecture at small sizes."""
    sizes = ", ".join(f"{name} {size}" for name, size in proof.sizes.items())
    found = f"{proof.lower}" if proof.lower == proof.upper else f"{proof.lower} to {proof.upper}"
    symbols = "" if proof.proven else f", and {proof.symbols} by symbols"
    model = f"; constants of {proof.model}" if proof.model else ""
    return f"{proof.parameters:,} parameters, dimension {found}{symbols} ({sizes}{model})"


def list_names(names: Sequence[str]) -> str:
    """Return names in a line: the first ones, the last one and their number where they are many."""
    if len(names) <= MOST_ROWS:
        return ", ".join(names)
    return f"{', '.join(names[: MOST_ROWS - 1])}, ..., {names[-1]} ({len(names)})"


@verbs.summarize.method
def summary_of_jacobian_spectrum(spectrum: JacobianSpectrum) -> Summary:
    rows: Rows = []
    if spectrum.verdict is not None:
        rows.append(("float64, by the gap", (Said(str(spectrum.verdict.rank), "strong"), " ", Worth("numerical"))))
    else:
        rows.append(("float64, by the gap", (Said("refused", "doubtful"), f": {spectrum.refusal}")))
    rows.append(("widest gap", f"{spectrum.gap.gap:.3g}, after {spectrum.gap.rank}"))
    rows.append(("float64, default tolerance", str(spectrum.double.rank)))
    rows.append(("float32, default tolerance", "overflow" if spectrum.single is None else str(spectrum.single.rank)))
    if spectrum.expected is not None:
        rows.append(("expected", f"{spectrum.expected.value}, {spectrum.expected.source}"))
    rows.append(("at most", f"{spectrum.upper}, by the symmetries"))
    if spectrum.report is not None:
        rows.append(("dimension", f"{spectrum.report}"))
    rows.append(("jacobian", f"{spectrum.shape[0]} x {spectrum.shape[1]}, {spectrum.inputs} inputs"))
    rows.append(
        (
            "point",
            f"seed {spectrum.seed}, {spectrum.draw}, scales {spectrum.weight_scale:g} and {spectrum.input_scale:g}",
        )
    )
    return Summary(f"{spectrum.architecture}", rows)


@verbs.summarize.method
def summary_of_equivalence(answer: Equivalence) -> Summary:
    rows: Rows = [("evidence", answer.reason)]
    if answer.element is not None and answer.coordinates is not None:
        rows.append(("element", f"{answer.element}" if answer.comparison is None else in_spaces(answer.comparison)))
        rows.append(("acting on", answer.coordinates.__name__))
    if answer.lengths is not None:
        most = answer.lengths[1]
        rows.append(("lengths", "all" if most is None else f"all up to {most} token{'s' * (most != 1)}"))
    if answer.separating_input is not None:
        rows.append(("input", shortened(answer.separating_input)))
    if answer.error is not None:
        rows.append(("error", f"probability of a missed difference at most {answer.error:.1g}"))
    if answer.difference is not None:
        rows.append(("difference", f"{answer.difference:.3g}, relative"))
    if answer.equal is None:
        return Summary("undecided", rows)
    if answer.equal and answer.comparison is not None and answer.comparison.precision <= HALF:
        name = name_of_precision(answer.comparison.precision)
        return Summary(f"one function to the precision of {name}", rows, Worth(answer.status))
    return Summary("one function" if answer.equal else "two functions", rows, Worth(answer.status))


def shortened(array: Any) -> str:
    """Return an array as text, with its ends alone if it is long."""
    with np.printoptions(threshold=MOST_ENTRIES):
        return f"{array}"


def in_spaces(comparison: Comparison) -> str:
    """Return in words what acts in the spaces of a large network."""
    counts = Counter(one.group for one in comparison.spaces if one.residual is not None)
    return ", ".join(f"{group} in {count} space{'s' * (count != 1)}" for group, count in counts.items())


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


@verbs.summarize.method
def summary_of_identification(answer: Identification) -> Summary:
    rows: Rows = [("evidence", answer.reason)]
    if answer.theta is not None:
        rows.append(("parameters", f"{answer.theta}"))
    if answer.alternatives:
        rows.append(("others of this function", f"{len(answer.alternatives)}, which no rescaling connects to these"))
    if answer.error is not None:
        rows.append(("error", f"probability of another function at most {answer.error:.1g}"))
    if answer.difference is not None:
        rows.append(("difference", f"{answer.difference:.3g}, relative"))
    rows.append(("evaluations", str(answer.evaluations)))
    found = "parameters found" if answer.theta is not None else "no network of this family"
    return Summary("no answer" if answer.status == "undecided" else found, rows, Worth(answer.status))


@verbs.summarize.method
def summary_of_unexplained_kernel(answer: UnexplainedKernel) -> Summary:
    rows: Rows = [("kernel of the Jacobian", str(answer.kernel)), ("explained by symmetries", str(answer.explained))]
    for number, vector in enumerate(answer.basis[:MOST_ROWS], start=1):
        rows.append((f"  - direction {number}", f"moves {', '.join(vector)}"))
    if len(answer.basis) > MOST_ROWS:
        rows.append(("  - others", str(len(answer.basis) - MOST_ROWS)))
    rows.append(("inputs", str(answer.inputs)))
    if answer.error is not None:
        rows.append(("error", f"probability that more inputs see one of them at most {answer.error:.1g}"))
    count = answer.dimension
    return Summary(f"{count or 'no'} unexplained direction{'s' * (count != 1)}", rows, Worth(answer.status))


@verbs.summarize.method
def summary_of_spectrum(report: SpectrumReport) -> Summary:
    ensemble = report.ensemble
    rows: Rows = [
        ("model", type(ensemble).__name__.removesuffix("Ensemble")),
        ("W1 to the limit law", f"{report.wasserstein:.4g}"),
        ("W1 to Marchenko-Pastur", f"{report.wasserstein_marchenko_pastur:.4g}"),
        ("KS to the limit law", f"{report.kolmogorov:.4g}"),
        ("KS to Marchenko-Pastur", f"{report.kolmogorov_marchenko_pastur:.4g}"),
        ("largest", f"{report.values[:, 0].mean():.4g}; the law ends at {verbs.edge(report.law):.4g}"),
        ("beyond the edge", f"{report.beyond_edge:.4g}"),
    ]
    if report.top_singular_value is not None:
        told = f"{report.top_singular_value:.6g}"
        if isinstance(ensemble, AttentionEnsemble) and report.seed is not None:
            told += f", predicted {predicted_top_singular_value(ensemble):.6g}"
        rows.append(("top singular value of A", told))
    drawn = f"{report.draws} draw{'s' * (report.draws > 1)} from seed {report.seed}"
    title = f"{ensemble.tokens} tokens, {ensemble.key_dim} key dimensions, beta {ensemble.beta:g}"
    title += ", a given matrix" if report.seed is None else f", {drawn}"
    return Summary(title, rows, Worth(report.status))


@verbs.summarize.method
def summary_of_trajectory(trajectory: Trajectory) -> Summary:
    flow, (_, dimension, tokens) = trajectory.flow, trajectory.states.shape
    mask = "" if flow.mask is None else f", {flow.mask!r}"
    noise = f", noise {trajectory.noise:g} with the seed {trajectory.seed}" if trajectory.noise else ""
    reason = ": the tokens were at rest up to rounding, which decides where they go" * (
        trajectory.ending == "undecided"
    )
    rows: Rows = [
        ("flow", f"{type(flow).__name__}, {flow.weights!r}, beta = {flow.beta:g}{mask}{noise}"),
        ("ending", f"{trajectory.ending} at t = {trajectory.times[-1]:.6g}, after {trajectory.steps} steps{reason}"),
        ("total energy", f"{trajectory.total_energies[0]:.6g} to {trajectory.total_energies[-1]:.6g}"),
    ]
    if len(trajectory.methods) > 1:
        used = (f"{name} from t = {moment:.6g}" for moment, name in trajectory.methods[1:])
        rows.append(("method", ", ".join((trajectory.methods[0][1], *used))))
    energies = list(zip(trajectory.energies[0], trajectory.energies[-1], strict=True))
    rows += [(f"  - head {h}", f"{start:.6g} to {end:.6g}") for h, (start, end) in enumerate(energies, start=1)]
    rows.append(("mean entropy", f"{trajectory.entropies[0].mean():.6g} to {trajectory.entropies[-1].mean():.6g}"))
    rows.append(("least margin", f"{trajectory.margins.min():.6g} of radial dominance"))
    return Summary(
        f"{tokens} tokens in dimension {dimension}, {len(energies)} head{'s' * (len(energies) > 1)}",
        rows,
        Worth("numerical"),
    )


@verbs.summarize.method
def summary_of_certificate(certificate: Certificate) -> Summary:
    rows: Rows = [(name, in_short(value)) for name, value in certificate.claims.items()]
    rows.append(("made with", in_short(certificate.made_with)))
    return Summary("a certificate: these are claims, which algatt.verify checks", rows)


def in_short(value: Any) -> str:
    """Return a claim in one line: lists by their lengths where they are long."""
    if isinstance(value, dict):
        return "; ".join(f"{name}: {in_short(part)}" for name, part in value.items())[: 3 * LONGEST]
    if isinstance(value, list) and len(value) > MOST_ROWS:
        return f"{len(value)} entries"
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


@verbs.summarize.method
def summary_of_verification(report: VerificationReport) -> Summary:
    rows: Rows = [("reason", reason) for reason in report.reasons[:MOST_ROWS]]
    if len(report.reasons) > MOST_ROWS:
        rows.append(("others", str(len(report.reasons) - MOST_ROWS)))
    if report.ok:
        rows += [("rests on", text) for text in report.rests_on or ["nothing that was not checked"]]
    return Summary(report.claim, rows, Worth("verified" if report.ok else "refuted"))
