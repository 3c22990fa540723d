"""Find formulas from exact integers alone: families are asked by algatt.sweep, and algatt.fit_formula is given the
sizes and the answers, and nothing else. Each formula has to be that of the paper, or of the theory of the package, at
sizes beyond the data too; and with one wrong answer among the right ones, it has to be that one which refutes it.

    python scripts/formulas_from_data.py               all families, some minutes
    python scripts/formulas_from_data.py "Equation 7"  some of them

Exit code: 0 if all formulas are found, 1 if one is not, or is refuted, or a wrong answer is not seen, 2 for bad
arguments.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from options import Parser

import algatt
from algatt.errors import NoFormula
from algatt.sweeps import Family, FittedFormula, fit_formula

MOST_ROWS = 400

BEYOND = 200
"""A formula is compared at so many random sizes beyond the data."""

PROBES = range(1, 60)

BLOCK = "Heads(r*k, k, {width}, v{position})"


@dataclass(frozen=True)
class Known:
    """A family, and what is known of it.

    Parameters
    ----------
    family : Family
        The architectures; its condition is that of the formula.
    question : str
        What is asked.
    formula : callable
        The value that the paper, or the theory of the package, gives at sizes.
    thinned : callable, optional
        Which sizes of the family are asked, where all are too many.
    """

    family: Family
    question: str
    formula: Callable[..., int]
    thinned: Callable[..., bool] | None = None

    @property
    def asked(self) -> Family:
        """The family whose members are asked."""
        family, thinned = self.family, self.thinned
        if thinned is None:
            return family
        if family.where is not None:
            raise ValueError(f"{family.name} has a condition already")
        return Family(family.network, family.sizes, thinned, family.name)


def determinantal(rank: int, width: int) -> int:
    """Return the dimension of the matrices of a width whose rank is at most that."""
    return min(rank, width) * (2 * width - min(rank, width))


def bottleneck(d: int, b: int, e: int, a: int, c: int) -> int:
    """Equation 16 of arXiv 2408.17221 for two layers; Equation 14 is less by two."""
    return determinantal(a, d) + d * b + determinantal(c, b) + b * e - b * b


def without_hypothesis(d: int, b: int, e: int, a: int, c: int) -> int:
    """The formula of the package for two layers, a conjecture."""
    seen = min(d, b, 2 * c + e)
    return determinantal(a, d) + determinantal(c, seen) + seen * (d - seen) + seen * e - 2


LAYER = (
    "Network(Residual(RMSNorm() >> Heads(2*k, k, 2*w, v, position=Rotary()))"
    " >> Residual(RMSNorm() >> Feedforward(m, SiLU(), gated=True)), 2, d)"
)

FAMILIES = (
    Known(
        Family("Lightning((d, e), (a,), 2)", {"d": range(1, 6), "e": range(1, 5), "a": range(1, 7)}, name="Equation 7"),
        "dimension",
        lambda d, e, a: determinantal(a, d) + d * e - 1,
    ),
    Known(
        Family(
            "Lightning((d, b, e), (a, c), 3)",
            {"d": range(2, 5), "b": range(1, 5), "e": range(2, 5), "a": range(2, 6), "c": range(2, 5)},
            "b <= d and b <= e",
            "Equation 14",
        ),
        "dimension",
        lambda **sizes: bottleneck(**sizes) - 2,
    ),
    Known(
        Family(
            "Normalized((d, b, e), (a, c), 3)",
            {"d": range(1, 5), "b": range(1, 5), "e": range(1, 5), "a": range(1, 5), "c": range(1, 4)},
            "b <= d and b <= e",
            "Equation 16",
        ),
        "dimension",
        bottleneck,
    ),
    Known(
        Family(
            "Lightning((d, b, e), (a, c), 3)",
            {"d": range(2, 7), "b": range(1, 7), "e": range(1, 4), "a": range(2, 5), "c": range(1, 5)},
            name="two layers without hypothesis",
        ),
        "dimension",
        without_hypothesis,
        lambda **sizes: sum(sizes.values()) % 3 == 0,
    ),
    Known(
        Family(
            f"Network({BLOCK.format(width='w', position='')}, 3, 4)",
            {"r": range(1, 3), "k": range(1, 4), "w": range(1, 5), "v": range(1, 5)},
            name="grouped queries",
        ),
        "redundant",
        lambda r, k, w, v: k * (w * w + v * v),
    ),
    Known(
        Family(
            f"Network({BLOCK.format(width='2*w', position=', position=Rotary()')}, 3, 4)",
            {"r": range(1, 3), "k": range(1, 5), "w": range(1, 4), "v": range(1, 5)},
            name="rotary positions",
        ),
        "redundant",
        lambda r, k, w, v: k * (2 * w + v * v),
    ),
    Known(
        Family(
            LAYER,
            {"d": (4, 5, 6), "k": range(1, 4), "w": range(1, 4), "v": range(1, 5), "m": range(1, 4)},
            name="a layer with SwiGLU",
        ),
        "redundant",
        lambda d, k, w, v, m: 2 * d + k * (2 * w + v * v) + m,
    ),
)


def problems(known: Known, found: FittedFormula, rows: Sequence[tuple[dict[str, int], int]]) -> Iterator[str]:
    """Iterate over what is wrong with a formula: rows, values beyond them, and a wrong row that it does not see."""
    if found.refuted:
        yield f"refuted by {found.refuted[0]}"
    generator = random.Random(0)  # noqa: S311  the same on every platform
    names, where = list(known.family.sizes), known.family.where
    condition = algatt.sweeps.Expression(where, "where").value if isinstance(where, str) else lambda _: True
    points = ({name: generator.choice(PROBES) for name in names} for _ in range(BEYOND))
    for sizes in points:
        if condition(sizes) and within(known, sizes) and found.value(sizes) != known.formula(**sizes):
            yield f"{found.value(sizes)} at {sizes}, where {known.formula(**sizes)} is known"
            break
    place = generator.randrange(len(rows))
    planted = [*rows[:place], (rows[place][0], rows[place][1] + 1), *rows[place + 1 :]]
    try:
        refuted = fit_formula(planted, where=known.family.where).refuted
    except NoFormula:
        refuted = ()
    if refuted != (planted[place],):
        yield f"the wrong row {planted[place]} is not what refutes it: {refuted}"


def within(known: Known, sizes: dict[str, int]) -> bool:
    """Whether sizes are at least as large as the least that were asked."""
    return all(size >= min(known.family.sizes[name]) for name, size in sizes.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Find the formulas, print each, and return the exit code."""
    parser = Parser(prog="formulas_from_data", description="Find formulas from exact integers alone.")
    names = [known.family.name for known in FAMILIES]
    parser.add_argument("families", nargs="*", metavar="family", help=f"{', '.join(names)} (default: all)")
    options = parser.parse_args(arguments)
    for name in options.families:
        if name not in names:
            parser.error(f"there is no family {name!r}; choose from {', '.join(names)}")
    failed = False
    for known in FAMILIES:
        if not options.families or known.family.name in options.families:
            failed |= show(known)
    return int(failed)


def show(known: Known) -> bool:
    """Find the formula of a family and print it; return whether something is wrong."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        swept = algatt.sweep(known.asked, Path(folder, "runs.sqlite"), question=known.question)
    rows = [(dict(row.sizes), row.value) for row in swept.rows if row.status == "proven" and row.value is not None]
    middle = time.perf_counter()
    counts = ", ".join(f"{count} {status}" for status, count in swept.counts.items())
    print(f"{known.family.name}: {counts}, {middle - began:.1f} s", flush=True)
    wrong = [] if len(rows) == len(swept.rows) <= MOST_ROWS else [f"{len(rows)} of {len(swept.rows)} rows are proven"]
    try:
        found = fit_formula(rows, where=known.family.where)
    except NoFormula as error:
        print(f"  {error}")
        return True
    print(f"  {found}\n  {found.statement}, {time.perf_counter() - middle:.1f} s", flush=True)
    middle = time.perf_counter()
    wrong += problems(known, found, rows)
    for problem in wrong:
        print(f"  WRONG: {problem}")
    if not wrong:
        print(f"  a planted wrong row refutes it, {time.perf_counter() - middle:.1f} s", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
