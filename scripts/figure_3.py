"""Recompute HMK Figure 3 with proofs, go beyond it, and count how often floating point agrees with Eq 16. Draw it as
svg and png.

    python scripts/figure_3.py -o docs/figures
    python scripts/figure_3.py --only figure-3 --json
    python scripts/figure_3.py --only wide                 widths to 64, some minutes

Figure 3 is softmax attention with two layers of width delta = 3, ..., 10, ranks 2 and 3 tokens, at standard normal
weights and 250 standard normal inputs; its float rank is compared with delta^2 + 8 delta - 8. Beyond it: 2 to 6 layers
of width 4, all ranks from 1 to 4, softmax at three temperatures and two algebraic scores. Every case is proven by
`algatt.dimension`, and its rank is taken in float32 and float64 with the default tolerance of numpy and torch, and in
float64 by the rule of `algatt.jacobian_spectrum`, which may refuse. The part ``wide`` goes on with Figure 3 to widths
of 64, where floats take too long: each dimension is proven and compared with Eq 16 and with what the package calls
Conjecture 3.10.

Exit code: 0 if every dimension is proven and equal to Eq 16, and no verdict that is not refused is wrong; 1 if not; 2
for bad arguments.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from options import Parser
from rich.console import Console
from rich.table import Table

import algatt
from algatt.files import check_writable, write_atomically
from algatt.views.plotting import PAGE, check_installed, new_figure, render
from algatt.views.progress import ProgressBar

WIDTHS = range(3, 11)
"""Of Figure 3, delta."""

INPUTS = 250
"""Of Figure 3."""

TOKENS = 3

LAYERS = range(2, 7)

RANKS = range(1, 5)

WIDTH = 4
"""Beyond Figure 3."""

SCORES = {
    "exp:1/2": algatt.layers.Exponential(Fraction(1, 2)),
    "exp": algatt.layers.Exponential(),
    "exp:2": algatt.layers.Exponential(2),
    "affine:1,1": algatt.layers.Affine(1, 1),
    "rational:1,1/3,0,1": algatt.layers.Rational((1, 1), (3, 0, 1)),
}

COLUMNS = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

METHODS = ("float32", "float64", "gap", "proof")

WIDE = ((12, 2), (12, 3), (16, 2), (16, 4), (24, 2), (24, 6), (32, 2), (32, 8), (48, 2), (64, 2))
"""Further widths, with the rank of Figure 3, and with a quarter of the width where that does not take long."""

SHADES = {"float32": "#e6862e", "float64": "#9ecae1", "gap": "#3b7ab5", "proof": "#08306b"}
"""The blues from light to dark, so that they differ in grey too; the bars of float32 are hatched."""

MARKERS = {"float32": "s", "float64": "D", "gap": "^", "proof": "o"}


@dataclass(frozen=True)
class Case:
    """A network at one random point.

    Parameters
    ----------
    group : str
        ``figure-3`` or ``beyond``.
    arch : algatt.Normalized
        The network.
    score : str
        The name of its score.
    seed : int
        The draw.
    """

    group: str
    arch: algatt.Normalized
    score: str
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What everybody says of a case.

    Parameters
    ----------
    case : Case
        The case.
    expected : int
        Equation 16.
    answers : dict of str to int or None
        The rank by each of `METHODS`; None where it is refused, overflows, or is not proven.
    refusal : str or None
        Why float64 with the gap is refused.
    """

    case: Case
    expected: int
    answers: dict[str, int | None]
    refusal: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values for JSON."""
        head = {
            "group": self.case.group,
            "architecture": self.case.arch.description(),
            "score": self.case.score,
            "seed": self.case.seed,
        }
        return {**head, "expected": self.expected, **self.answers, "refusal": self.refusal}


@dataclass(frozen=True)
class Proof:
    """What is proven of a wide network.

    Parameters
    ----------
    report : algatt.geometry.DimensionReport
        Its dimension.
    """

    report: algatt.geometry.DimensionReport

    @property
    def expected(self) -> int:
        """Equation 16."""
        return equation_16(self.report.architecture.dims, self.report.architecture.ranks)

    @property
    def sound(self) -> bool:
        """Whether the dimension is proven, and equal to Eq 16 and to the conjecture as the package has it."""
        proven = self.report.status == "proven"
        return proven and self.report.value == self.expected == self.report.conjecture

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as plain values for JSON."""
        return {"expected": self.expected, "sound": self.sound, **self.report.to_dict()}


def equation_16(dims: Sequence[int], ranks: Sequence[int]) -> int:
    """Return the right-hand side of Equation 16 for ranks that are no larger than the widths.

    Each layer has the dimension of its attention matrices of rank a and its d' d values; each interior width takes off
    its gauge group GL(d). This is written out here so that it shares nothing with the package's own formula.
    """
    layers = zip(dims[:-1], dims[1:], ranks, strict=True)
    return sum(2 * a * d - a**2 + d * e for d, e, a in layers) - sum(d**2 for d in dims[1:-1])


def cases(groups: Sequence[str], draws: int) -> list[Case]:
    """Return all cases, the small ones of each group first."""
    published = [
        Case("figure-3", algatt.Softmax((d,) * 3, (2, 2), TOKENS), "exp", seed) for d in WIDTHS for seed in range(draws)
    ]
    beyond = [
        Case("beyond", algatt.Normalized((WIDTH,) * (layers + 1), (a,) * layers, TOKENS, score), name, 0)
        for layers in LAYERS
        for a in RANKS
        for name, score in SCORES.items()
    ]
    return [case for case in (*published, *beyond) if case.group in groups]


def examine(case: Case, proofs: dict[algatt.Normalized, algatt.geometry.DimensionReport]) -> Outcome:
    """Take the rank of a case in every way; the proof of a network is made once."""
    arch = case.arch
    if arch not in proofs:
        proofs[arch] = algatt.dimension(arch)
    proof = proofs[arch]
    spectrum = algatt.jacobian_spectrum(arch, seed=case.seed, draw="normal", inputs=INPUTS)
    answers = {
        "float32": None if spectrum.single is None else spectrum.single.rank,
        "float64": spectrum.double.rank,
        "gap": None if spectrum.verdict is None else spectrum.verdict.rank,
        "proof": proof.value if proof.status == "proven" else None,
    }
    return Outcome(case, equation_16(arch.dims, arch.ranks), answers, spectrum.refusal)


def prove_wide(progress: Callable[[int, int], None]) -> list[Proof]:
    """Prove the dimensions of the wide networks, the ranks of all together being what is counted."""
    networks = [algatt.Softmax((d,) * 3, (a, a), TOKENS) for d, a in WIDE]
    total = sum(equation_16(arch.dims, arch.ranks) for arch in networks)
    done = 0
    proofs = []
    for arch in networks:
        report = algatt.dimension(arch, progress=lambda rank, upper, done=done: progress(done + rank, total))
        proofs.append(Proof(report))
        done += report.value
    return proofs


def table_of_proofs(proofs: Sequence[Proof]) -> Table:
    """Lay out the dimensions of the wide networks."""
    shown = Table(title="Figure 3 to delta = 64", title_justify="left")
    for heading in ("delta", "rank", "parameters", "Eq 16", "Conjecture 3.10", "dimension", "", "inputs", "seconds"):
        shown.add_column(heading, justify="right" if heading else "left")
    for one in proofs:
        report = one.report
        numbers = (
            report.architecture.dims[0],
            report.architecture.ranks[0],
            report.parameters,
            one.expected,
            report.conjecture,
        )
        shown.add_row(
            *map(str, numbers), str(report.value), report.status, str(report.samples), f"{report.seconds:.1f}"
        )
    return shown


def sound(outcomes: Sequence[Outcome]) -> bool:
    """Return whether all proofs are there and agree with Eq 16, and no verdict by the gap contradicts them."""
    return all(one.answers["proof"] == one.expected and one.answers["gap"] in (None, one.expected) for one in outcomes)


def agreeing(outcomes: Sequence[Outcome], method: str) -> int:
    """Count the cases in which a method agrees with Eq 16."""
    return sum(one.answers[method] == one.expected for one in outcomes)


def rows(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return the cases by what is a row of the table."""
    named: dict[str, Callable[[Outcome], bool]] = {}
    for d in WIDTHS:
        named[f"Figure 3, delta = {d}"] = lambda one, d=d: one.case.group == "figure-3" and one.case.arch.dims[0] == d
    named["Figure 3"] = lambda one: one.case.group == "figure-3"
    for layers in LAYERS:
        named[f"beyond, {layers} layers"] = lambda one, layers=layers: (
            one.case.group == "beyond" and one.case.arch.layers == layers
        )
    for a in RANKS:
        named[f"beyond, a = {a}"] = lambda one, a=a: one.case.group == "beyond" and one.case.arch.ranks[0] == a
    for score in SCORES:
        named[f"beyond, {score}"] = lambda one, score=score: one.case.group == "beyond" and one.case.score == score
    named["beyond"] = lambda one: one.case.group == "beyond"
    chosen = {name: [one for one in outcomes if belongs(one)] for name, belongs in named.items()}
    return {name: found for name, found in chosen.items() if found}


def table(outcomes: Sequence[Outcome]) -> Table:
    """Lay out in how many cases each method agrees with Eq 16."""
    shown = Table(title="Agreement with Eq 16", title_justify="left")
    shown.add_column("")
    for heading in ("expected", "cases", *METHODS, "gap: refused", "gap: wrong"):
        shown.add_column(heading, justify="right")
    for name, found in rows(outcomes).items():
        expected = sorted({one.expected for one in found})
        refused = sum(one.answers["gap"] is None for one in found)
        wrong = len(found) - refused - agreeing(found, "gap")
        counts = (len(found), *(agreeing(found, method) for method in METHODS), refused, wrong)
        values = f"{expected[0]}" if len(expected) == 1 else f"{expected[0]}..{expected[-1]}"
        shown.add_row(
            name,
            values,
            *map(str, counts),
            end_section=name in ("Figure 3", f"beyond, {LAYERS[-1]} layers", f"beyond, a = {RANKS[-1]}"),
        )
    return shown


def draw_published(ax: Any, outcomes: Sequence[Outcome]) -> None:
    """Draw what floating point misses of Eq 16, and the proofs, over delta."""
    for place, method in enumerate(METHODS):
        points = [
            (one.case.arch.dims[0], one.answers[method] - one.expected)
            for one in outcomes
            if one.answers[method] is not None
        ]
        x, y = zip(*points, strict=True) if points else ((), ())
        moved = [value + 0.17 * (place - 1.5) for value in x]  # side by side
        style = {
            "markersize": 3.2,
            "markerfacecolor": "none" if method == "float32" else SHADES[method],
            "markeredgewidth": 0.8,
        }
        ax.plot(moved, y, linestyle="none", marker=MARKERS[method], color=SHADES[method], label=method, **style)
    ax.axhline(0, color="#262626", linewidth=0.8, zorder=0)
    labels = [f"{d}\n{equation_16((d,) * 3, (2, 2))}" for d in WIDTHS]
    ax.set(
        xlabel=r"$\delta$, and $\delta^2 + 8\delta - 8$",
        ylabel="rank minus Eq 16",
        xticks=list(WIDTHS),
        xticklabels=labels,
    )
    ax.set_title("Figure 3", fontsize=8)
    ax.legend(loc="lower left", fontsize=6.5, frameon=False, handletextpad=0.2)


def draw_beyond(ax: Any, outcomes: Sequence[Outcome]) -> None:
    """Draw the number of cases that agree with Eq 16, for each number of layers."""
    for place, method in enumerate(METHODS):
        counts = [agreeing([one for one in outcomes if one.case.arch.layers == layers], method) for layers in LAYERS]
        moved = [layers + 0.2 * (place - 1.5) for layers in LAYERS]
        style = {"color": SHADES[method], "edgecolor": "#262626"}
        if method == "float32":
            style = {"color": "white", "edgecolor": SHADES[method], "hatch": "//////"}
        bars = ax.bar(moved, counts, width=0.18, linewidth=0.4, label=method, **style)
        ax.bar_label(bars, fontsize=5.5, padding=1)
    each = len(RANKS) * len(SCORES)
    ax.set(
        xlabel="layers",
        ylabel=f"cases of {each} that agree with Eq 16",
        xticks=list(LAYERS),
        yticks=range(0, each + 1, 5),
        ylim=(0, 1.1 * each),
    )
    ax.set_title(f"beyond: d = {WIDTH}, a = 1 to 4, five scores", fontsize=8)


def picture(outcomes: Sequence[Outcome]) -> Any:
    """Return the figure: the settings of the paper at the left, those beyond at the right."""
    figure = new_figure(PAGE, 2.9)
    groups = {group: [one for one in outcomes if one.case.group == group] for group in ("figure-3", "beyond")}
    left, right = figure.add_axes((0.075, 0.28, 0.4, 0.62)), figure.add_axes((0.57, 0.28, 0.42, 0.62))
    draw_published(left, groups["figure-3"])
    draw_beyond(right, groups["beyond"])
    for ax in (left, right):
        ax.tick_params(labelsize=7)
        ax.xaxis.label.set_size(7)
        ax.yaxis.label.set_size(7)
        ax.spines[["top", "right"]].set_visible(False)
    names = {
        "float32": "float32, default tolerance",
        "float64": "float64, default tolerance",
        "gap": "float64, by the gap",
        "proof": "proof",
    }
    handles = dict(zip(METHODS, right.containers, strict=True))
    figure.legend(
        [handles[method] for method in METHODS],
        [names[method] for method in METHODS],
        loc="lower center",
        ncols=4,
        fontsize=7,
        frameon=False,
    )
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine all cases, print the table, draw the picture, and return the exit code."""
    parser = Parser(
        prog="figure_3",
        description="Recompute HMK Figure 3 with proofs, and count how often floating point agrees with Eq 16.",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="draw figure_3.svg and figure_3.png in this folder"
    )
    parser.add_argument("--only", choices=("figure-3", "beyond", "wide"), help="one of the parts, and no picture")
    parser.add_argument(
        "--draws",
        type=int,
        choices=range(1, 101),
        default=5,
        metavar="N",
        help="random points for each delta, 1 to 100 (default: 5)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every case, instead of a table")
    options = parser.parse_args(arguments)
    if options.output is not None and options.only is not None:
        parser.error("the picture has both parts: -o and --only exclude each other")
    try:
        targets = (
            [options.output / f"figure_3.{suffix}" for suffix in ("svg", "png")] if options.output is not None else []
        )
        for target in targets:  # before the work
            check_installed()
            check_writable(target)
        began = time.perf_counter()
        if options.only == "wide":
            with ProgressBar("rank") as progress:
                proofs = prove_wide(progress)
            return report_proofs(proofs, time.perf_counter() - began, json_wanted=options.json)
        everything = cases(("figure-3", "beyond") if options.only is None else (options.only,), options.draws)
        outcomes: list[Outcome] = []
        known: dict[algatt.Normalized, algatt.geometry.DimensionReport] = {}
        with ProgressBar("cases") as progress:
            for case in everything:
                outcomes.append(examine(case, known))
                progress(len(outcomes), len(everything))
        for target in targets:
            write_atomically(target, render(picture(outcomes), target.suffix[1:]))
    except algatt.AlgattError as error:
        print(f"figure_3: {error}", file=sys.stderr)
        return 2
    if options.json:
        seconds = round(time.perf_counter() - began, 1)
        print(
            json.dumps(
                {"sound": sound(outcomes), "seconds": seconds, "cases": [one.to_dict() for one in outcomes]}, indent=2
            )
        )
    else:
        Console(width=None if sys.stdout.isatty() else COLUMNS).print(table(outcomes))
    return 0 if sound(outcomes) else 1


def report_proofs(proofs: Sequence[Proof], seconds: float, *, json_wanted: bool) -> int:
    """Print what is proven of the wide networks, and return the exit code."""
    everything = all(one.sound for one in proofs)
    if json_wanted:
        found = {"sound": everything, "seconds": round(seconds, 1), "cases": [one.to_dict() for one in proofs]}
        print(json.dumps(found, indent=2))
    else:
        Console(width=None if sys.stdout.isatty() else COLUMNS).print(table_of_proofs(proofs))
    return 0 if everything else 1


if __name__ == "__main__":
    sys.exit(main())
