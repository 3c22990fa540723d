"""The dimensions of polynomial networks, perceptrons with powers in the place of activations and without biases, by a
sweep: beside the theorem of Alexander and Hirschowitz, and beside the published table of arXiv 2605.09609.

    python scripts/polynomial_networks.py                                  one hidden layer, beside the theorem
    python scripts/polynomial_networks.py --plot defects.svg               the same, drawn
    python scripts/polynomial_networks.py --table 2_1_cleaned_architectures.csv --most 120

The table is that of https://github.com/daokevin06/MFA_PNNs, in data/processed: widths and a power in each row, and the
rank that its authors found modulo 100003 and 100153. It is not part of the package. What is compared are proven and
probable dimensions: one that is larger than the published one refutes it, since a rank modulo p is a lower bound.

Exit code: 0 if all are equal, 1 if one is not, 2 for bad arguments.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from options import Parser, natural, positive

import algatt
from algatt.errors import AlgattError
from algatt.files import write_atomically
from algatt.layers import Layer, Linear, Power
from algatt.sweeps import Family, Row
from algatt.views.sweeps import picture

Published = dict[tuple[tuple[int, ...], int], int]
"""Dimensions by widths and power."""

MOST = 60
"""Rows of the table with more parameters are left out, unless more are asked for."""

MOST_BYTES = 2**26


def network(widths: Sequence[int], power: int) -> algatt.Network:
    """Return the network of these widths, of inputs and outputs too, with a power between any two layers."""
    layers: Layer = Linear(widths[1])
    for width in widths[2:]:
        layers = layers >> Power(power) >> Linear(width)
    return algatt.Network(layers, tokens=1, width=widths[0])


def alexander_hirschowitz(n: int, k: int, r: int) -> int:
    """Return the dimension of the sums of k powers of degree r of linear forms in n variables."""
    whole = math.comb(n + r - 1, r)
    if r == 2 and k < n:
        return k * n - k * (k - 1) // 2
    exceptional = (n, k, r) in {(3, 5, 4), (4, 9, 4), (5, 14, 4), (5, 7, 3)}
    return min(k * n, whole) - exceptional


FAMILY = Family(
    "Network(Linear(k) >> Power(r) >> Linear(1), 1, n)",
    {"n": range(2, 6), "k": range(1, 16), "r": range(2, 5)},
    name="sums of k powers of degree r in n variables",
)


def beside_the_theorem(store: Path, workers: int | None) -> tuple[int, list[Row]]:
    """Ask networks of one hidden layer; return how many dimensions are not those of the theorem, and the answers."""
    rows = list(algatt.sweep(FAMILY, store, workers=workers).rows)
    wrong = [row for row in rows if row.value != alexander_hirschowitz(**row.sizes)]
    statuses = ", ".join(f"{count} {status}" for status, count in sorted(Counter(row.status for row in rows).items()))
    print(f"one hidden layer: {len(rows) - len(wrong)} of {len(rows)} are those of the theorem; {statuses}")
    for row in wrong:
        print(f"  {dict(row.sizes)}: {row.value}, where the theorem says {alexander_hirschowitz(**row.sizes)}")
    return len(wrong), rows


def read_table(path: Path, most: int) -> Published:
    """Read a published table, of networks of so many parameters at most.

    Raises
    ------
    ValueError
        If it is none.
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError("it is too long")
    found: Published = {}
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            try:
                widths, power = tuple(map(int, json.loads(row["architecture"]))), int(row["exponent"])
                dimension = int(row["dimension_computed"])
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"a row is not as it should be ({error!r})") from None
            if sum(a * b for a, b in itertools.pairwise(widths)) <= most:
                found[widths, power] = dimension
    if not found:
        raise ValueError(f"it has no network of at most {most} parameters")
    return found


def beside_the_table(published: Published, store: Path, workers: int | None) -> int:
    """Ask the networks of a table; return how many dimensions are not the published ones."""
    swept = algatt.sweep([network(*key) for key in published], store, workers=workers)
    wrong = 0
    for ((widths, power), dimension), row in zip(published.items(), swept.rows, strict=True):
        if row.value != dimension:
            wrong += 1
            told = f"{row.value} ({row.status})" if row.error is None else row.error
            print(f"  {widths}, power {power}: {told}, published {dimension}")
    defective = sum(row.value is not None and row.upper is not None and row.value < row.upper for row in swept.rows)
    statuses = ", ".join(f"{count} {status}" for status, count in swept.counts.items())
    print(f"published table: {len(published) - wrong} of {len(published)} agree; {statuses}; {defective} are defective")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print what is found, and return the exit code."""
    parser = Parser(prog="polynomial_networks", description="The dimensions of polynomial networks, by a sweep.")
    parser.add_argument("--table", metavar="FILE", type=Path, action="append", help="a published table, CSV")
    parser.add_argument("--most", metavar="N", type=positive, default=MOST, help=f"parameters (default: {MOST})")
    parser.add_argument("--rows", metavar="N", type=positive, help="so many random rows of the tables (default: all)")
    parser.add_argument("--seed", type=natural, default=0, help="names the random rows (default: 0)")
    parser.add_argument("--store", metavar="FILE", type=Path, help="the record (default: none is kept)")
    parser.add_argument("--workers", metavar="N", type=positive, help="processes (default: this one)")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the defects of degree 4, as svg, pdf or png")
    options = parser.parse_args(arguments)
    if options.plot is not None and (options.table or options.plot.suffix not in (".svg", ".pdf", ".png")):
        parser.error("--plot draws one hidden layer, without --table, into a file that ends in .svg, .pdf or .png")
    published: Published = {}
    for path in options.table or ():
        try:
            published |= read_table(path, options.most)
        except (OSError, ValueError) as error:
            parser.error(f"{str(path)!r} cannot be read: {error}")
    if options.rows is not None and options.rows < len(published):
        generator = random.Random(options.seed)  # noqa: S311  the same on every platform
        published = dict(generator.sample(sorted(published.items()), options.rows))
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder, "runs.sqlite")
        try:
            if published:
                return int(beside_the_table(published, store, options.workers) > 0)
            wrong, rows = beside_the_theorem(store, options.workers)
            if options.plot is not None:
                drawn = [row for row in rows if row.sizes["r"] == 4]
                write_atomically(
                    options.plot, picture(drawn, options.plot.suffix[1:], x="k", y="n", defect=True, expected=counted)
                )
        except AlgattError as error:
            parser.error(str(error))
    return int(wrong > 0)


def counted(n: int, k: int, r: int) -> int:
    """Return what is expected of k powers of degree r in n variables: so many parameters, and no more than there are
    coefficients.
    """
    return min(k * n, math.comb(n + r - 1, r))


if __name__ == "__main__":
    sys.exit(main())
