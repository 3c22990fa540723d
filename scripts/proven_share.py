"""Compute the dimension of every lightning network of small widths and ranks, and count how many are proven and agree
with the formula.

    python scripts/proven_share.py                                    2 layers, widths and ranks up to 4, 2 and 3 tokens
    python scripts/proven_share.py --layers 1 2 3 --tokens 1 2 3      more of them: 3 layers are 16384 networks for each
    number of tokens

Exit code: 0 if every dimension is proven and agrees with the formula, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from options import Parser, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt.views.progress import ProgressBar

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(
        prog="proven_share", description="How many dimensions are proven, and how many agree with the formula."
    )
    parser.add_argument(
        "--layers", type=positive, nargs="+", default=[2], metavar="L", help="numbers of layers (default: 2)"
    )
    parser.add_argument("--largest", type=positive, default=4, metavar="D", help="largest width and rank (default: 4)")
    parser.add_argument(
        "--tokens", type=positive, nargs="+", default=[2, 3], metavar="T", help="numbers of tokens (default: 2 3)"
    )
    return parser.parse_args(arguments)


def networks(layers: int, largest: int, tokens: int) -> Iterator[algatt.Lightning]:
    """Iterate over all networks."""
    sizes = range(1, largest + 1)
    for dims in product(sizes, repeat=layers + 1):
        for ranks in product(sizes, repeat=layers):
            yield algatt.Lightning(dims, ranks, tokens)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute all dimensions, print a table, and return the exit code."""
    options = parse(arguments)
    table = Table(title=f"widths and ranks up to {options.largest}", title_justify="left")
    for heading in ("layers", "tokens", "networks", "proven", "agree with the formula", "with hidden symmetries"):
        table.add_column(heading, justify="right")
    others: list[str] = []
    for layers, tokens in product(options.layers, options.tokens):
        counts: Counter[str] = Counter()
        everything = list(networks(layers, options.largest, tokens))
        with ProgressBar(f"{layers} layers, {tokens} tokens") as progress:
            for number, arch in enumerate(everything, start=1):
                report = algatt.dimension(arch)
                counts["proven"] += report.status == "proven"
                counts["agree"] += report.value == report.conjecture
                counts["hidden"] += any(
                    family.removes for family in report.symmetries if family.name.startswith(("unseen", "quadratic"))
                )
                if report.status != "proven" or report.value != report.conjecture:
                    others.append(
                        f"{arch}: {report}, between {report.lower} and {report.upper}; formula {report.conjecture}"
                    )
                progress(number, len(everything))
        row = (layers, tokens, len(everything), counts["proven"], counts["agree"], counts["hidden"])
        table.add_row(*(str(entry) for entry in row))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
    sys.stdout.writelines(f"{line}\n" for line in others)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
