"""Reports as tables on the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import IO, TYPE_CHECKING, Any, cast

from rich import box
from rich.console import Console, ConsoleOptions, RenderHook
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from algatt import verbs
from algatt.dispatch import MethodTable
from algatt.display import Said, Summary, Worth, list_names, pieces, plain_text, printable
from algatt.symmetry.legend import COUNTED

if TYPE_CHECKING:
    from algatt.dynamics import Clusters
    from algatt.layers.catalogue import Entry
    from algatt.spectra import SpectrumReport
    from algatt.symmetry import SymmetryReport

STYLES = {"strong": "bold", "good": "green", "doubtful": "yellow", "wrong": "red"}
"""How tones are printed."""

WIDTH = 160
"""Width of a table that does not go to a terminal, so that no line is cut."""


class Trimmed:
    """A stream that is no terminal, on which lines end where their text ends: rich fills the cells of tables with
    blanks.

    Parameters
    ----------
    stream : text stream
        Where the lines go.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:
        """The encoding of the stream, by which rich chooses the signs of lines."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Write whole lines, as rich does."""
        return self._stream.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()


MOST_SIZES = 12
"""So many sizes of clusters are listed."""


@dataclass(frozen=True)
class Escaped:
    """What is printed, with the signs that steer a terminal written as escapes: names may hold anything.

    Parameters
    ----------
    renderable : renderable of rich
        What is printed.
    """

    renderable: Any

    def __rich_console__(self, printer: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in printer.render(self.renderable, options):
            yield segment if segment.control else Segment(printable(segment.text, "\n"), segment.style)


class EscapingHook(RenderHook):
    """Escapes all that a console prints."""

    def process_renderables(self, renderables: list[Any]) -> list[Any]:
        """Return what is printed, escaped."""
        return [Escaped(one) for one in renderables]


def console(stream: IO[str]) -> Console:
    """Return a console on a stream."""
    if stream.isatty():
        printer = Console(file=stream, highlight=False, emoji=False)
    else:
        printer = Console(file=cast(IO[str], Trimmed(stream)), width=WIDTH, highlight=False, emoji=False)
    printer.push_render_hook(EscapingHook())
    return printer


def table_of(summary: Summary) -> Table:
    """Return the rows of a summary as a table without a title."""
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, text in summary.rows:
        table.add_row(escape(name), in_colours(text))
    return table


def in_colours(text: str | tuple[str | Said | Worth, ...]) -> Text:
    """Return a text as rich has it."""
    styles = ("" if isinstance(piece, str) else STYLES[piece.tone] for piece in pieces(text))
    return Text.assemble(*zip(map(plain_text, pieces(text)), styles, strict=True))


def print_summary(result: Any, stream: IO[str]) -> None:
    """Print the summary of a result: under its title, with what the answer there is worth; or under the name of a
    network, which may be wider than the table.
    """
    summary = verbs.summarize(result)
    table, printer = table_of(summary), console(stream)
    if summary.worth is None:
        printer.print(summary.title, style="bold", soft_wrap=True, markup=False)
    else:
        table.title, table.title_justify, table.title_style = (
            in_colours((summary.title, " ", summary.worth)),
            "left",
            "bold",
        )
    printer.print(table)


def print_symmetries(report: SymmetryReport, stream: IO[str]) -> None:
    """Print the symmetries of a network, a row for each."""
    printer = console(stream)
    printer.print(f"{report.architecture}", style="bold", soft_wrap=True, markup=False)
    table = Table(box=box.SIMPLE)
    table.add_column("space", style="bold")
    table.add_column("group")
    table.add_column("dimension", justify="right")
    if report.shared:
        table.add_column("alone", justify="right")
    table.add_column("tensors")
    table.add_column("basis", style="dim")
    for family, times in report.counted:
        numbers = [f"{times}{family.dimension}", *([str(family.alone)] if report.shared else [])]
        tensors = escape(list_names(family.tensors))
        table.add_row(escape(family.name), family.group or "", *numbers, tensors, family.basis)
    printer.print(table)
    shared = f", {report.shared} of them by several families" if report.shared else ""
    printer.print(f"  together {report.dimension}{shared}, of {report.parameters} parameters")
    alone = {"alone": "directions in which no other family moves the weights"} if report.shared else {}
    repeated = [COUNTED] * (len(report.counted) < len(report.families))
    for name, meaning in [*alone.items(), *repeated, *report.legend]:
        printer.print(f"  {name}: {meaning}", style="dim", soft_wrap=True, markup=False)


def print_methods(methods: MethodTable, stream: IO[str]) -> None:
    """Print the methods of a verb."""
    console(stream).print(repr(methods), soft_wrap=True, markup=False)


def print_spectra(reports: Sequence[SpectrumReport], stream: IO[str]) -> None:
    """Print the distances of the models of a chain to the limit law, to the Marchenko-Pastur law and to the first of
    them, attention.
    """
    from algatt.spectra import AttentionEnsemble, chain_distances, predicted_top_singular_value
    from algatt.spectra.laws import edge

    first = reports[0]
    ensemble, draws = first.ensemble, first.draws
    title = (
        f"{ensemble.tokens} tokens, {ensemble.key_dim} key dimensions, beta {ensemble.beta:g}, {draws} "
        f"draw{'s' * (draws > 1)} [yellow](numerical)[/]"
    )
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    table.add_column("model", style="dim")
    for heading in ("W1 law", "W1 MP", "W1 attention", "KS law", "KS MP", "largest", "beyond edge"):
        table.add_column(heading, justify="right")
    for report, to_first in zip(reports, chain_distances(reports), strict=True):
        distances = (
            report.wasserstein,
            report.wasserstein_marchenko_pastur,
            to_first,
            report.kolmogorov,
            report.kolmogorov_marchenko_pastur,
        )
        numbers = (*distances, float(report.values[:, 0].mean()), report.beyond_edge)
        table.add_row(type(report.ensemble).__name__.removesuffix("Ensemble"), *(f"{number:.4g}" for number in numbers))
    printer = console(stream)
    printer.print(table)
    printer.print(
        "  W1, KS: Wasserstein-1 and Kolmogorov distance; law: the limit law; MP: the Marchenko-Pastur law of the same "
        "mean"
    )
    printer.print(f"  edge {edge(first.law):.6g}; of MP {edge(first.marchenko_pastur):.6g}")
    if isinstance(ensemble, AttentionEnsemble):
        predicted = predicted_top_singular_value(ensemble)
        printer.print(f"  top singular value of A {first.top_singular_value:.6g}, predicted {predicted:.6g}")


def print_layer(name: str, report: SpectrumReport, stream: IO[str]) -> None:
    """Print the distances of a whole layer to its law and to the Marchenko-Pastur law, and its first moments."""
    from algatt.spectra.laws import edge

    ensemble, draws = report.ensemble, report.draws
    title = (
        f"{name}: {ensemble.tokens} tokens, {ensemble.key_dim} key dimensions, beta {ensemble.beta:g}, {draws} "
        f"draw{'s' * (draws > 1)} [yellow](numerical)[/]"
    )
    table = Table(box=box.SIMPLE)
    for heading in ("", "W1", "KS", "mean", "mean square", "largest"):
        table.add_column(heading, justify="right" if heading else "left")
    found = [(report.values**q).mean() for q in (1, 2)]
    table.add_row("measured", "", "", *(f"{entry:.4g}" for entry in (*found, report.values[:, 0].mean())))
    laws = {"law": report.law, "of so many tokens": report.finite_law, "Marchenko-Pastur": report.marchenko_pastur}
    if report.finite_law == report.law:  # that of causal attention
        del laws["of so many tokens"]
    for label, law in laws.items():
        distances = verbs.wasserstein_distance(report.values, law), verbs.kolmogorov_distance(report.values, law)
        numbers = (*distances, *verbs.moments(law, 2), edge(law))
        table.add_row(label, *(f"{entry:.4g}" for entry in numbers))
    printer = console(stream)
    printer.print(f"[bold]{title}[/]", soft_wrap=True, highlight=False)
    printer.print(table)
    printer.print("  W1, KS: Wasserstein-1 and Kolmogorov distance to the law; the largest value of a law is its edge")


def print_matrices(reports: Sequence[SpectrumReport], stream: IO[str]) -> None:
    """Print the distances of given attention matrices to the limit law and to the Marchenko-Pastur law."""
    from algatt.spectra.laws import edge

    ensemble = reports[0].ensemble
    matrices = f"{len(reports)} attention {'matrix' if len(reports) == 1 else 'matrices'}"
    title = f"{matrices} of {ensemble.tokens} tokens, {ensemble.key_dim} key dimensions [yellow](numerical)[/]"
    table = Table(box=box.SIMPLE, title=title, title_justify="left", title_style="bold")
    for heading in ("matrix", "beta", "W1 law", "W1 MP", "KS law", "KS MP", "largest", "edge", "beyond edge", "top"):
        table.add_column(heading, justify="right")
    for number, report in enumerate(reports, start=1):
        distances = (
            report.wasserstein,
            report.wasserstein_marchenko_pastur,
            report.kolmogorov,
            report.kolmogorov_marchenko_pastur,
        )
        numbers = (
            report.ensemble.beta,
            *distances,
            float(report.values[0, 0]),
            edge(report.law),
            report.beyond_edge,
        )
        top = report.top_singular_value  # of a matrix with a causal mask there is none
        cells = [f"{entry:.4g}" for entry in numbers] + ["" if top is None else f"{top:.4g}"]
        table.add_row(str(number), *cells)
    printer = console(stream)
    printer.print(table)
    printer.print(
        "  W1, KS: Wasserstein-1 and Kolmogorov distance; law: the limit law; MP: the Marchenko-Pastur law of the same "
        "mean"
    )
    printer.print("  top: the top singular value of the matrix")


def print_clusters(found: Clusters, stream: IO[str]) -> None:
    """Print how many clusters there were, when, and how large."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("clusters", "from t", "to t", "sizes"):
        table.add_column(heading, justify="left" if heading == "sizes" else "right")
    for stair in found.to_dict()["stairs"]:
        sizes = ", ".join(map(str, stair["sizes"][:MOST_SIZES]))
        more = ", ..." if len(stair["sizes"]) > MOST_SIZES else ""
        table.add_row(str(stair["count"]), f"{stair['start']:.6g}", f"{stair['end']:.6g}", sizes + more)
    table.title, table.title_justify, table.title_style = f"clusters of the angle {found.angle:g}", "left", ""
    console(stream).print(table)


def print_catalogue(entries: Sequence[Entry], stream: IO[str]) -> None:
    """Print what networks are made of, the kinds below each other."""
    printer = console(stream)
    for kind, group in groupby(entries, key=lambda entry: entry.kind):
        table = Table(box=box.SIMPLE, show_header=False)
        for style in ("bold", "", "dim"):
            table.add_column(style=style)
        for entry in group:
            table.add_row(entry.name, escape(entry.line), "\n".join(f"arXiv:{number}" for number in entry.arxiv))
        table.title, table.title_justify, table.title_style = f"{kind}s", "left", "bold"
        printer.print(table)
