"""Verbs of what people look at."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare
from algatt.display import Summary, html_of, text_of, value_in_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from algatt.architectures.base import NetworkLike
    from algatt.dynamics import Trajectory
    from algatt.programs import Program
    from algatt.spectra import Law, SpectrumReport
    from algatt.symmetry import SymmetryReport
    from algatt.trees.graph import DirectedGraph


@declare(
    homes=[
        "algatt.views.symmetries.figures",
        "algatt.views.spectra.densities",
        "algatt.views.programs.figures",
        "algatt.views.trees.figures",
        "algatt.views.networks.figures",
        "algatt.views.flows.tokens",
    ]
)
def draw(
    subject: DirectedGraph | SymmetryReport | Program | Trajectory | Law | SpectrumReport | NetworkLike,
    /,
    *,
    ax: Axes | None = None,
    window: int | None = None,
    colours: Sequence[Any] | None = None,
) -> Axes:
    """Draw a network, its symmetries or its program, the graph of a recursion, the tokens of a run, a density, or a
    spectrum.

    It is drawn with matplotlib.

    Parameters
    ----------
    subject : networkx.DiGraph, Architecture, SymmetryReport, Program, Trajectory, Law or SpectrumReport
        A graph made by `unroll`; or what is drawn with no other option than `ax`: of a network its layers with their
        tensors and shapes, of its symmetries a line for each space between the tensors that it moves, of its program
        the instructions, each below those whose results it takes.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which a notebook shows below the cell, and `matplotlib.pyplot.show`
        in a window.
    window : int, optional
        The slot whose reflection is highlighted, as in HMK Figure 4.
    colours : sequence, optional
        One colour for each layer.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        For a tree of more than six layers, whose leaves cannot be told apart, a slot without a reflection, a network of
        more than 200 boxes, the symmetries of one of more than 200 tensors, or a program of more than 200 instructions.
    MissingExtra
        If matplotlib is not installed: the extra ``plot`` brings it.
    """


@declare
def summarize(subject: Any, /) -> Summary:
    """Return what a person wants to see of a report first: its answer, what that is worth, and the evidence.

    The command line prints it, and a notebook shows it. Its methods stand beside the reports.

    Parameters
    ----------
    subject : DimensionReport, Equivalence, Fiber, JacobianSpectrum, SpectrumReport, Trajectory, ...
        A report.

    Returns
    -------
    algatt.display.Summary
    """


class Tabled:
    """A result that a notebook shows as a table: its summary, or its fields."""

    def _repr_html_(self) -> str:
        return html_of(summarize(self))


class Summarized(Tabled):
    """A result that shows its summary: a shell as text of at most ten lines, a notebook as a table."""

    def __repr__(self) -> str:
        return text_of(summarize(self))


@summarize.method
def summary_of_fields(found: Tabled) -> Summary:
    shown: list[str] = [one.name for one in fields(found) if one.repr] if is_dataclass(found) else []
    return Summary(type(found).__name__, [(name, value_in_lines(getattr(found, name))) for name in shown])
