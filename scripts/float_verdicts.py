"""Compare what floating point says about random softmax networks with proofs: how often it is right, wrong, or refuses.

    python scripts/float_verdicts.py                          200 networks of 1 to 4 layers, widths and ranks up to 6, 2
    to 4 tokens python scripts/float_verdicts.py --count 50 --seed 1      others

Each network is looked at twice, at the package's random points ("uniform") and at standard normal ones ("normal"), by
four methods: the default tolerance of numpy and torch in float32 and in float64, which always answer; the widest gap in
float64 alone; and the verdict of `algatt.jacobian_spectrum`, which must also be what the symmetries leave.

Exit code: 0 if no verdict is wrong, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from options import Parser, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt.geometry.dimensions.spectrum import DRAWS
from algatt.linalg.rank import float_rank
from algatt.randomness import random_words
from algatt.views.progress import ProgressBar

GAP = 1e3

METHODS = {
    "float32": "float32, default tolerance",
    "float64": "float64, default tolerance",
    "gap": "float64, the gap alone",
    "verdict": "float64, the verdict",
}

RESULTS = ("right", "refused", "wrong")

COLUMNS = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""


@dataclass(frozen=True)
class Comparison:
    """A network with its dimension and what floating point says.

    Parameters
    ----------
    report : algatt.geometry.DimensionReport
        The dimension, with its proof.
    answers : dict of str to dict of str to int or None
        For each draw and each of `METHODS` the rank, None where it is refused.
    """

    report: algatt.geometry.DimensionReport
    answers: dict[str, dict[str, int | None]]

    @property
    def proven(self) -> bool:
        """Whether there is a proof to compare with."""
        return self.report.status == "proven"

    def result(self, draw: str, method: str) -> str:
        """Return which of `RESULTS` a method reached."""
        rank = self.answers[draw][method]
        return "refused" if rank is None else "right" if rank == self.report.value else "wrong"

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON."""
        head = {"architecture": self.report.architecture.description(), "seed": self.report.seed}
        return {**head, "dimension": self.report.value, "status": self.report.status, **self.answers}


def random_network(seed: int, number: int, layers: int, largest: int, tokens: Sequence[int]) -> algatt.Normalized:
    """Return the network of a number, the same on every platform; words modulo a small number are nearly uniform."""
    depth, t, *sizes = (int(word) for word in random_words(seed, f"float_verdicts/{number}", 3 + 2 * layers))
    depth = depth % layers + 1
    numbers = [size % largest + 1 for size in sizes]
    return algatt.Softmax(numbers[: depth + 1], numbers[depth + 1 : 2 * depth + 1], tokens[t % len(tokens)])


def rank_by_gap(spectrum: algatt.geometry.JacobianSpectrum) -> int | None:
    """Return the rank at the gap, or None if there is none or more than one."""
    try:
        return float_rank(spectrum.singular_values, spectrum.shape, GAP).rank
    except algatt.errors.RankUndecided:
        return None


def ranks(arch: algatt.Normalized, seed: int, draw: str) -> dict[str, int | None]:
    """Return the rank by each method at one point."""
    try:
        spectrum = algatt.jacobian_spectrum(arch, seed=seed, draw=draw, gap=GAP)
    except algatt.errors.ScoreOverflow:
        return dict.fromkeys(METHODS)
    return {
        "float32": None if spectrum.single is None else spectrum.single.rank,
        "float64": spectrum.double.rank,
        "gap": rank_by_gap(spectrum),
        "verdict": None if spectrum.verdict is None else spectrum.verdict.rank,
    }


def compare(arch: algatt.Normalized, seed: int) -> Comparison:
    """Prove the dimension of a network, and ask floating point."""
    return Comparison(algatt.dimension(arch, seed=seed), {draw: ranks(arch, seed, draw) for draw in DRAWS})


def counts(comparisons: Sequence[Comparison]) -> dict[str, dict[str, dict[str, int]]]:
    """Count the results of each method for each draw, over the networks whose dimension is proven."""
    found: Counter[tuple[str, str, str]] = Counter()
    for one in comparisons:
        if one.proven:
            found.update((draw, method, one.result(draw, method)) for draw in DRAWS for method in METHODS)
    return {
        draw: {method: {result: found[draw, method, result] for result in RESULTS} for method in METHODS}
        for draw in DRAWS
    }


def table(comparisons: Sequence[Comparison]) -> Table:
    """Lay the counts out."""
    proven = sum(one.proven for one in comparisons)
    shown = Table(title=f"{len(comparisons)} random softmax networks, {proven} of them proven", title_justify="left")
    for heading in ("points", "method"):
        shown.add_column(heading)
    for heading in RESULTS:
        shown.add_column(heading, justify="right")
    for draw, methods in counts(comparisons).items():
        for method, results in methods.items():
            shown.add_row(
                draw, METHODS[method], *(str(results[result]) for result in RESULTS), end_section=method == "verdict"
            )
    return shown


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(
        prog="float_verdicts",
        description="How often floating point is right about random softmax networks, wrong, or refuses.",
    )
    parser.add_argument("--count", type=positive, default=200, metavar="N", help="number of networks (default: 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="names the networks (default: 0)")
    parser.add_argument("--layers", type=positive, default=4, metavar="L", help="largest number of layers (default: 4)")
    parser.add_argument("--largest", type=positive, default=6, metavar="D", help="largest width and rank (default: 6)")
    parser.add_argument(
        "--tokens", type=positive, nargs="+", default=[2, 3, 4], metavar="T", help="numbers of tokens (default: 2 3 4)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every network, instead of a table")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all networks, print the counts, and return the exit code."""
    options = parse(arguments)
    began = time.perf_counter()
    comparisons: list[Comparison] = []
    try:
        with ProgressBar("networks") as progress:
            for number in range(options.count):
                arch = random_network(options.seed, number, options.layers, options.largest, options.tokens)
                comparisons.append(compare(arch, number))
                progress(number + 1, options.count)
    except algatt.AlgattError as error:
        print(f"float_verdicts: {error}", file=sys.stderr)
        return 2
    found = counts(comparisons)
    if options.json:
        seconds = round(time.perf_counter() - began, 1)
        print(
            json.dumps(
                {"counts": found, "seconds": seconds, "networks": [one.to_dict() for one in comparisons]}, indent=2
            )
        )
    else:
        Console(width=None if sys.stdout.isatty() else COLUMNS).print(table(comparisons))
        for one in comparisons:
            if not one.proven:
                print(f"not proven: {one.report.architecture}: between {one.report.lower} and {one.report.upper}")
    return 1 if any(found[draw]["verdict"]["wrong"] for draw in DRAWS) else 0


if __name__ == "__main__":
    sys.exit(main())
