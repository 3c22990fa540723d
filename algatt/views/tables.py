"""Reports as tables on the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, cast

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates import VerificationReport
from algatt.dispatch import MethodTable
from algatt.dynamics import Trajectory
from algatt.geometry import DimensionReport, Equivalence, Fiber, Formula, JacobianSpectrum, UnknownFiber
from algatt.spectra import AttentionEnsemble, SpectrumReport, chain_distances, predicted_top_singular_value

__all__ = [
    "print_dimension",
    "print_equivalence",
    "print_fiber",
    "print_flow",
    "print_methods",
    "print_spectra",
    "print_spectrum",
    "print_verification",
]

WIDTH = 160
"""Width of a table that does not go to a terminal, so that no line is cut."""


class Trimmed:
    """A stream that is no terminal, on which lines end where their text ends: rich fills the cells of tables with blanks.

    Parameters
    ----------
    stream : text stream
        Where the lines go.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write whole lines, as rich does."""
        return self._stream.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()


def console(stream: IO[str]) -> Console:
    """Return a console on a stream."""
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=cast(IO[str], Trimmed(stream)), width=WIDTH, highlight=False)


def print_of_network(arch: Architecture, table: Table, stream: IO[str]) -> None:
    """Print a table under the name of a network, which may be wider than it."""
    printer = console(stream)
    printer.print(f"{arch}", style="bold", soft_wrap=True, markup=False)
    printer.print(table)


def two_columns() -> Table:
    """Return a table of names and values without rows."""
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    return table


def print_dimension(report: DimensionReport, stream: IO[str]) -> None:
    """Print a dimension with its evidence."""
    table = two_columns()
    colour = {"proven": "green", "probable": "yellow", "numerical": "yellow"}[report.status]
    table.add_row("dimension", f"[bold]{report.value}[/bold] [{colour}]({report.status})[/{colour}]")
    if report.status == "proven":
        table.add_row("", f"rank of the Jacobian = {report.lower} = parameters - rank of the symmetries")
    elif report.status == "probable":
        table.add_row(
            "", f"between {report.lower} and {report.upper}, proven; probability that random points missed a larger rank: {report.error:.1g}"
        )
    elif report.lower is not None:
        table.add_row("", f"between {report.lower} and {report.upper}, proven; balls of the highest precision do not tell more from zero")
    else:
        table.add_row("", f"float64; gap {report.gap:.3g} in the singular values; no proof")
    table.add_row("parameters", str(report.parameters))
    for family in report.symmetries:
        table.add_row(f"  - {family.name}", str(family.removes))
    if report.theorem is not None:
        table.add_row("theorem", f"{report.theorem.value}, {report.theorem.source}: {agreement(report, report.theorem, 'red')}")
    else:
        table.add_row("theorem", "none: its hypotheses do not hold here")
    for formula in report.formulas:
        if not formula.theorem:
            table.add_row("conjecture", f"{formula.value}, {formula.source.partition(' (a conjecture')[0]}: {agreement(report, formula, 'yellow')}")
    table.add_row("inputs", str(report.samples))
    table.add_row("point", f"seed {report.seed} over {report.field}")
    table.add_row("time", f"{report.seconds:.2f} s")
    print_of_network(report.architecture, table, stream)


def agreement(report: DimensionReport, formula: Formula, colour: str) -> str:
    """Say how a formula fits a dimension; one between the bounds does not differ from what balls leave open."""
    if formula.value == report.value:
        return "agrees"
    if report.status == "numerical" and report.lower is not None and report.upper is not None and report.lower <= formula.value <= report.upper:
        return "is between the bounds"
    return f"[{colour}]differs[/{colour}]"


def print_spectrum(spectrum: JacobianSpectrum, stream: IO[str]) -> None:
    """Print what floating point says about a dimension."""
    table = two_columns()
    if spectrum.verdict is not None:
        table.add_row("float64, by the gap", f"[bold]{spectrum.verdict.rank}[/bold] [yellow](numerical)[/yellow]")
    else:
        table.add_row("float64, by the gap", f"[yellow]refused[/yellow]: {spectrum.refusal}")
    table.add_row("widest gap", f"{spectrum.gap.gap:.3g}, after {spectrum.gap.rank}")
    table.add_row("float64, default tolerance", str(spectrum.double.rank))
    table.add_row("float32, default tolerance", "overflow" if spectrum.single is None else str(spectrum.single.rank))
    if spectrum.expected is not None:
        table.add_row("expected", f"{spectrum.expected.value}, {spectrum.expected.source}")
    table.add_row("at most", f"{spectrum.upper}, by the symmetries")
    if spectrum.report is not None:
        table.add_row("dimension", f"{spectrum.report}")
    table.add_row("jacobian", f"{spectrum.shape[0]} x {spectrum.shape[1]}, {spectrum.inputs} inputs")
    table.add_row("point", f"seed {spectrum.seed}, {spectrum.draw}, scales {spectrum.weight_scale:g} and {spectrum.input_scale:g}")
    print_of_network(spectrum.architecture, table, stream)


def print_verification(report: VerificationReport, stream: IO[str]) -> None:
    """Print a verdict."""
    printer = console(stream)
    if report.ok:
        printer.print("[green]verified[/green]:", escape(report.claim), soft_wrap=True)
    else:
        printer.print("[red]refuted[/red]", soft_wrap=True)
        for reason in report.reasons:  # these quote the file
            printer.print(f"  {reason}", soft_wrap=True, markup=False)


def print_equivalence(answer: Equivalence, stream: IO[str]) -> None:
    """Print whether two sets of parameters are one function, with the evidence."""
    table = evidence_table("one function" if answer.equal else "two functions", answer.status)
    table.add_row("evidence", escape(answer.reason))
    if answer.element is not None and answer.coordinates is not None:
        table.add_row("element", escape(f"{answer.element}"))
        table.add_row("acting on", answer.coordinates.__name__)
    if answer.separating_input is not None:
        table.add_row("input", escape(f"{answer.separating_input}"))
    if answer.error is not None:
        table.add_row("error", f"probability of a missed difference at most {answer.error:.1g}")
    if answer.difference is not None:
        table.add_row("difference", f"{answer.difference:.3g}, relative")
    console(stream).print(table)


def print_fiber(answer: Fiber, stream: IO[str]) -> None:
    """Print what is known of a fibre."""
    table = evidence_table(answer.case, answer.status)
    table.add_row("theorem", answer.theorem or "none")
    for reason in answer.failing_hypotheses:
        table.add_row("  fails", escape(reason))
    table.add_row("coordinates", answer.coordinates.__name__)
    if answer.dimension is not None:
        table.add_row("dimension", str(answer.dimension))
        table.add_row("components", str(answer.components))
    elif isinstance(answer, UnknownFiber):
        table.add_row("dimension", f"at least {answer.lower}, that of the orbit of the known symmetries")
    if answer.projective_cardinality is not None:
        table.add_row("points up to scale", str(answer.projective_cardinality))
    console(stream).print(table)


def evidence_table(title: str, status: str) -> Table:
    """Return a table whose title says the answer and what it is worth."""
    colour = "green" if status == "proven" else "yellow"
    table = Table(box=box.SIMPLE, show_header=False, title=f"{title} [{colour}]({status})[/{colour}]", title_justify="left", title_style="bold")
    table.add_column(style="dim")
    table.add_column()
    return table


def print_methods(methods: MethodTable, stream: IO[str]) -> None:
    """Print the methods of a verb."""
    console(stream).print(repr(methods), soft_wrap=True, markup=False)


def print_spectra(reports: Sequence[SpectrumReport], stream: IO[str]) -> None:
    """Print the distances of the models of a chain to the limit law, to the Marchenko-Pastur law and to the first of them, attention."""
    first = reports[0]
    ensemble, draws = first.ensemble, first.draws
    title = (
        f"{ensemble.tokens} tokens, {ensemble.key_dim} key dimensions, beta {ensemble.beta:g}, {draws} draw{'s' * (draws > 1)} [yellow](numerical)[/]"
    )
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    table.add_column("model", style="dim")
    for heading in ("W1 law", "W1 MP", "W1 attention", "KS law", "KS MP", "largest", "beyond edge"):
        table.add_column(heading, justify="right")
    for report, to_first in zip(reports, chain_distances(reports), strict=True):
        distances = (report.wasserstein, report.wasserstein_marchenko_pastur, to_first, report.kolmogorov, report.kolmogorov_marchenko_pastur)
        numbers = (*distances, float(report.values[:, 0].mean()), report.beyond_edge)
        table.add_row(type(report.ensemble).__name__.removesuffix("Ensemble"), *(f"{number:.4g}" for number in numbers))
    printer = console(stream)
    printer.print(table)
    printer.print("  W1, KS: Wasserstein-1 and Kolmogorov distance; law: the limit law; MP: the Marchenko-Pastur law of the same mean")
    printer.print(f"  edge {verbs.edge(first.law):.6g}; of MP {verbs.edge(first.marchenko_pastur):.6g}")
    if isinstance(ensemble, AttentionEnsemble):
        predicted = predicted_top_singular_value(ensemble)
        printer.print(f"  top singular value of A {first.top_singular_value:.6g}, predicted {predicted:.6g}")


def print_matrices(reports: Sequence[SpectrumReport], stream: IO[str]) -> None:
    """Print the distances of given attention matrices to the limit law and to the Marchenko-Pastur law."""
    ensemble = reports[0].ensemble
    matrices = f"{len(reports)} attention {'matrix' if len(reports) == 1 else 'matrices'}"
    title = f"{matrices} of {ensemble.tokens} tokens, {ensemble.key_dim} key dimensions [yellow](numerical)[/]"
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    for heading in ("matrix", "beta", "W1 law", "W1 MP", "KS law", "KS MP", "largest", "edge", "beyond edge", "top"):
        table.add_column(heading, justify="right")
    for number, report in enumerate(reports, start=1):
        distances = (report.wasserstein, report.wasserstein_marchenko_pastur, report.kolmogorov, report.kolmogorov_marchenko_pastur)
        numbers = (
            report.ensemble.beta,
            *distances,
            float(report.values[0, 0]),
            verbs.edge(report.law),
            report.beyond_edge,
            report.top_singular_value,
        )
        table.add_row(str(number), *(f"{entry:.4g}" for entry in numbers))
    printer = console(stream)
    printer.print(table)
    printer.print("  W1, KS: Wasserstein-1 and Kolmogorov distance; law: the limit law; MP: the Marchenko-Pastur law of the same mean")
    printer.print("  top: the top singular value of the matrix")


def print_flow(trajectory: Trajectory, stream: IO[str]) -> None:
    """Print what a run of a flow came to."""
    flow, heads = trajectory.flow, len(trajectory.flow.heads)
    title = f"{trajectory.tokens} tokens in dimension {trajectory.dimension}, {heads} head{'s' * (heads > 1)}"
    table = evidence_table(title, trajectory.status)
    table.add_row("flow", f"{type(flow).__name__}, {type(flow.weights).__name__}, beta = {flow.beta:g}")
    table.add_row("ending", f"{trajectory.ending} at t = {trajectory.times[-1]:.6g}, after {trajectory.steps} steps")
    table.add_row("total energy", f"{trajectory.total_energies[0]:.6g} to {trajectory.total_energies[-1]:.6g}")
    for h, (start, end) in enumerate(zip(trajectory.energies[0], trajectory.energies[-1], strict=True), start=1):
        table.add_row(f"  - head {h}", f"{start:.6g} to {end:.6g}")
    table.add_row("mean entropy", f"{trajectory.mean_entropies[0]:.6g} to {trajectory.mean_entropies[-1]:.6g}")
    table.add_row("least margin", f"{trajectory.least_margin:.6g} of radial dominance")
    console(stream).print(table)
