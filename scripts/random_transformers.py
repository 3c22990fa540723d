"""Prove the dimensions of random blocks of transformers modulo p, and say why where there is no proof.

    python scripts/random_transformers.py                      200 networks
    python scripts/random_transformers.py --count 20 --seed 1 --json

The networks read vectors and have one or two blocks of attention and a feedforward layer or experts, each behind a norm
and beside a skip; heads in groups, masks, positions, biases, norms of queries and keys, and soft caps are drawn. For
each: both bounds, what the answer is worth, the seconds, and the conditions that were checked or the reason why balls
were taken. A lower bound above the upper one would be an error, and so would a symmetry that moves the function.

Exit code: 0 if no bound is contradicted, 1 if one is, 2 for bad arguments.
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

import numpy as np
from options import Parser, natural, positive
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import algatt
from algatt import layers
from algatt.errors import AlgattError, SymmetryError
from algatt.views.progress import ProgressBar

WIDTH = 160
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

MOST_PARAMETERS = 200
"""Larger networks are drawn again."""


@dataclass(frozen=True)
class Outcome:
    """What was found about a network.

    Parameters
    ----------
    number : int
        The number of the network among those of the seed.
    net : Network
        The network.
    report : DimensionReport or None
        Its dimension; None if there is no answer.
    error : str or None
        Why there is none.
    contradicted : bool
        Whether what was called a symmetry moves the function, or the lower bound is above the upper one.
    """

    number: int
    net: algatt.Network
    report: algatt.geometry.DimensionReport | None = None
    error: str | None = None
    contradicted: bool = False

    @property
    def status(self) -> str:
        """What the answer is worth."""
        return "no answer" if self.report is None else self.report.status

    @property
    def remark(self) -> str:
        """The conditions that were checked, or why there are none."""
        if self.report is None:
            return str(self.error)
        return self.report.reason or str(self.report.conditions)

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values for JSON."""
        found = (
            {}
            if self.report is None
            else {
                "lower": self.report.lower,
                "upper": self.report.upper,
                "field": str(self.report.field),
                "seconds": round(self.report.seconds, 3),
            }
        )
        return {
            "number": self.number,
            "network": repr(self.net),
            "parameters": self.net.parameters,
            "status": self.status,
            **found,
            "contradicted": self.contradicted,
            "remark": self.remark,
        }


class Generator:
    """Draws blocks of transformers; the same ones for the same seed.

    Parameters
    ----------
    seed : int
        Names the draws.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def often(self, share: float) -> bool:
        """Return True with a probability."""
        return bool(self.random.random() < share)

    def choose(self, *given: Any) -> Any:
        """Return one of several values."""
        return given[self.random.integers(len(given))]

    def network(self) -> algatt.Network:
        """Draw a network that is not too large."""
        while True:
            width = self.choose(2, 3, 4, 4, 5, 6, 8)
            norm = self.norm(width)
            blocks = [self.block(width, norm) for _ in range(self.choose(1, 1, 2))]
            body = blocks[0] if len(blocks) == 1 else blocks[0] >> blocks[1]
            net = algatt.Network(body, tokens=self.choose(2, 3, 4), width=width)
            if net.parameters <= MOST_PARAMETERS:
                return net

    def norm(self, width: int) -> Any:
        """Draw the norm of all blocks; that of a layer of two entries would keep no more than their order."""
        if width == 2 or self.often(0.6):
            return layers.RMSNorm(gain=self.often(0.8))
        return layers.LayerNorm(gain=self.often(0.8), bias=self.often(0.6))

    def block(self, width: int, norm: Any) -> Any:
        """Draw a block that keeps the width."""
        attention, rest = self.heads(width), self.rest(width)
        if self.often(0.1):
            return layers.Residual(norm >> layers.Parallel(attention, rest))
        return layers.Residual(norm >> attention) >> layers.Residual(norm >> rest)

    def heads(self, width: int) -> Any:
        """Draw attention whose heads, all together, have values that are no wider than the stream."""
        heads = self.choose(*(number for number in (1, 2, 3, 4) if number <= width))
        a = self.choose(*(size for size in (1, 2, 2, 3, 4) if size <= width))
        mask = self.choose(None, layers.Causal(), layers.Causal(), layers.Window(2))
        position = self.position(a, mask is None)
        norms = (layers.RMSNorm(), layers.RMSNorm(gain=False))
        return layers.Heads(
            heads,
            key_heads=self.choose(*(groups for groups in (1, heads, heads) if heads % groups == 0)),
            width=a,
            value_width=self.choose(*(size for size in (1, 2, 3) if heads * size <= width)),
            score=layers.SoftCap(30) if self.often(0.15) else None,
            mask=mask,
            position=position,
            norm=self.choose(*norms) if a > 1 and self.often(0.15) else None,
            biases=self.choose("", "", "QKV", "QKVO", "QVO", "VO"),
        )

    def position(self, width: int, bidirectional: bool) -> Any:
        """Draw how positions enter."""
        kinds = [None, None, layers.ALiBi(), layers.RelativeBias(4, 4, bidirectional)]
        if width % 2 == 0:
            kinds += [layers.Rotary(), layers.Rotary()]
        if width == 4:
            kinds.append(layers.Rotary(width=2))
        return self.choose(*kinds)

    def rest(self, width: int) -> Any:
        """Draw what follows attention."""
        if self.often(0.85):
            return self.feedforward(self.choose(2, 3, width, 2 * width), width)
        router = self.choose(layers.SoftmaxRouter, layers.SigmoidRouter)(self.choose(None, 1, 2))
        return layers.Experts(self.choose(2, 3), self.feedforward(self.choose(1, 2), width), router)

    def feedforward(self, hidden: int, width: int) -> Any:
        """Draw a layer of neurons; more squares than the stream is wide may be all squares that there are."""
        activations = [layers.ReLU(), layers.GELU(), layers.TanhGELU(), layers.SiLU(), layers.SiLU()]
        if hidden <= width:
            activations.append(layers.Power(2))
        return layers.Feedforward(hidden, self.choose(*activations), gated=self.often(0.4), bias=self.often(0.4))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="random_transformers", description="Dimensions of random blocks of transformers, modulo p.")
    parser.add_argument("--count", type=positive, default=200, metavar="N", help="number of networks (default: 200)")
    parser.add_argument("--seed", type=natural, default=0, help="the same networks for the same seed (default: 0)")
    parser.add_argument("--first", type=natural, default=0, metavar="N", help="leave out so many of them (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each network, instead of a table")
    return parser.parse_args(arguments)


def examine(number: int, net: algatt.Network) -> Outcome:
    """Compute the dimension of a network."""
    try:
        report = algatt.dimension(net)
    except SymmetryError as error:
        return Outcome(number, net, error=str(error), contradicted=True)
    except AlgattError as error:
        return Outcome(number, net, error=f"{type(error).__name__}: {error}")
    return Outcome(number, net, report, contradicted=report.lower > report.upper)


def row_of(one: Outcome) -> tuple[str, ...]:
    """Return what the table says of a network."""
    if one.report is None:
        return (str(one.number), str(one.net.parameters), "", "", one.status, "", one.remark)
    bounds = (str(one.report.lower), str(one.report.upper))
    return (
        str(one.number),
        str(one.net.parameters),
        *bounds,
        one.status,
        f"{one.report.seconds:.1f}",
        escape(one.remark),
    )


def show(outcomes: Sequence[Outcome], console: Console) -> None:
    """Print a row for each network, and the whole text of those that are not proven."""
    table = Table(title="blocks of transformers", title_justify="left")
    for heading in ("", "parameters", "lower", "upper", "status", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("conditions, or reason")
    for one in outcomes:
        table.add_row(*row_of(one))
    console.print(table)
    for one in outcomes:
        if one.status != "proven":
            console.print(f"{one.number}: {one.net!r}", markup=False, highlight=False, soft_wrap=True)
    counts = Counter(one.status for one in outcomes)
    counted = Table(title=f"{len(outcomes)} networks", title_justify="left")
    for heading in ("", "networks"):
        counted.add_column(heading, justify="right" if heading else "left")
    for status, count in counts.most_common():
        counted.add_row(status, str(count))
    counted.add_row(
        "over balls", str(sum(one.report is not None and one.report.reason is not None for one in outcomes))
    )
    counted.add_row("contradicted", str(sum(one.contradicted for one in outcomes)))
    console.print(counted)


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine all networks, print what was found, and return the exit code."""
    options = parse(arguments)
    generator = Generator(options.seed)
    for _ in range(options.first):
        generator.network()
    outcomes = []
    begin = time.perf_counter()
    with ProgressBar("networks") as progress:
        for number in range(options.first, options.first + options.count):
            one = examine(number, generator.network())
            outcomes.append(one)
            if options.json:
                print(json.dumps(one.to_dict()), flush=True)
            progress(len(outcomes), options.count)
    if not options.json:
        show(outcomes, Console(width=None if sys.stdout.isatty() else WIDTH))
    print(f"{time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return 1 if any(one.contradicted for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
