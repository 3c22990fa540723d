"""Count what is redundant of every published model, and write the table of docs/published_parameters.md.

    python scripts/published_parameters.py                     all models
    python scripts/published_parameters.py --models gpt2       one row, the others stay as they are
    python scripts/published_parameters.py --check             write nothing: is the page as it should be?

Each row is a JSON file of algatt/published/configs, counted by `algatt.published.parameters`, read as logits and as
probabilities. Models are sorted by the share of their parameters that is redundant.

Exit code: 0 if all is done, 1 if a total is not the published one or, with --check, a row is not what it should be,
2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from options import Parser

import algatt
from algatt.errors import AlgattError, InvalidArgument
from algatt.files import check_writable, write_atomically
from algatt.layers import Probabilities
from algatt.published import ParameterReport
from algatt.published.known import CONFIGS
from algatt.views.progress import ProgressBar

FOLDER = CONFIGS

PAGE = Path(__file__).parents[1] / "docs" / "published_parameters.md"

BEGIN, END = "<!-- table -->\n", "<!-- end of the table -->"

HEADINGS = ("model", "parameters", "redundant, logits", "share", "redundant, probabilities", "dimension", "equality")

MODEL, PARAMETERS, REDUNDANT, _, OF_PROBABILITIES, DIMENSION, EQUALITY = range(len(HEADINGS))


@dataclass(frozen=True)
class Model:
    """A published model.

    Parameters
    ----------
    file : str
        The name of its file, without the suffix.
    described : mapping
        What is in it.
    """

    file: str
    described: Mapping[str, Any]

    @property
    def cell(self) -> str:
        """The cell of the table that tells the model, with its source."""
        return f"[{self.described['model']}]({self.described['source']})"


def models() -> list[Model]:
    """Return all models, in the order of their files."""
    return [Model(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.json"))]


def row_of(model: Model) -> tuple[str, ...]:
    """Count what is redundant of a model, and return its row of the table."""
    logits = algatt.published.parameters(model.described)
    try:
        probabilities = algatt.published.parameters(model.described, reading=Probabilities())
    except InvalidArgument:  # what has no logits has no probabilities
        probabilities = None
    redundant, other = said(logits), "" if probabilities is None else said(probabilities)
    number = len(logits.proofs)
    known = f"{logits.equality}, {number} small size{'s' * (number > 1)}" if number else logits.equality
    if logits.equality == "proven":
        more = "" if logits.tokens == logits.network.tokens else " or more"
        known = f"proven, {logits.tokens:,} tokens{more}"
    percent = f"{100 * logits.share:.3f} %"
    return (model.cell, f"{logits.parameters:,}", redundant, percent, other, f"{logits.dimension:,}", known)


def said(report: ParameterReport) -> str:
    """Return what is redundant, and whether more may be."""
    return f"{report.redundant:,}{'' if report.complete else ' or more'}"


def rows_in(page: str) -> dict[str, tuple[str, ...]]:
    """Return the rows of the table in a page, by the cell of the model."""
    _, _, rest = page.partition(BEGIN)
    lines = rest.partition(END)[0].splitlines()[2:]
    cells = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines if line.startswith("|")]
    return {row[0]: row for row in cells}


def number_in(cell: str) -> int:
    """Return the number with which a cell begins."""
    return int(cell.split(" ")[0].replace(",", ""))


def page_with(page: str, rows: Mapping[str, tuple[str, ...]]) -> str:
    """Return a page with other rows, sorted by the share that is redundant, the largest first."""
    before, begin, rest = page.partition(BEGIN)
    _, end, behind = rest.partition(END)
    if not begin or not end:
        raise InvalidArgument("the page", "without the comments around its table", f"with {BEGIN.strip()} and {END}")
    ordered = sorted(rows.values(), key=lambda row: (-number_in(row[REDUNDANT]) / number_in(row[PARAMETERS]), row[0]))
    lines = [HEADINGS, ("---", *["---:"] * (len(HEADINGS) - 2), "---"), *ordered]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return f"{before}{begin}{table}{end}{behind}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    names = [model.file for model in models()]
    parser = Parser(prog="published_parameters", description="Count what is redundant of every published model.")
    some = {"nargs": "+", "choices": names, "default": names, "metavar": "NAME"}
    parser.add_argument("--models", **some, help="their files, without the suffix (default: all)")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="the page (default: that of the docs)")
    parser.add_argument("--check", action="store_true", help="write nothing, and say whether the page would change")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table, and return the exit code."""
    options = parse(arguments)
    sound = True
    try:
        check_writable(options.page)
        try:
            page = options.page.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidArgument("--page", f"{str(options.page)!r}, which cannot be read", "a page") from error
        known = {model.cell for model in models()}
        rows = {cell: row for cell, row in rows_in(page).items() if cell in known}
        with ProgressBar("models") as progress:
            for number, model in enumerate(one for one in models() if one.file in options.models):
                progress(number, len(options.models))
                rows[model.cell] = row_of(model)
                if number_in(rows[model.cell][PARAMETERS]) != model.described["parameters"]:
                    print(f"{model.file}: {rows[model.cell][PARAMETERS]} parameters are not the published ones")
                    sound = False
        new = page_with(page, rows)
        if options.check:
            changed = [row[0] for cell, row in rows.items() if rows_in(page).get(cell) != row]
            print(*changed, sep="\n", end="\n" if changed else "")
            return 0 if sound and new == page else 1
        write_atomically(options.page, new.encode())
    except AlgattError as error:
        print(f"published_parameters: {error}", file=sys.stderr)
        return 2
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
