"""Prove what the parameters of transformers are worth: how many of them each part makes redundant.

    python scripts/parameters_worth.py
    python scripts/parameters_worth.py --json

Each row is a small network with one part in question, with the number of redundant parameters that a formula says. The
dimension is computed by `algatt.dimension`; it is the number of parameters less the redundant ones if the formula is
right. docs/parameters_worth.md has the same table with what the formulas stand for.

Exit code: 0 if every dimension is proven and as the formulas say, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from options import Parser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import algatt
from algatt.layers import (
    GELU,
    AcrossHeads,
    ALiBi,
    Causal,
    DepthwiseConvolution,
    Embedding,
    Experts,
    Exponential,
    FeatureMap,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Parallel,
    Power,
    Probabilities,
    Product,
    ReLU,
    Residual,
    Retention,
    RMSNorm,
    Rotary,
    SelectiveScan,
    Sigmoid,
    SigmoidRouter,
    SiLU,
    Sink,
    SoftCap,
    SoftmaxRouter,
    Tanh,
    TanhGELU,
    Tie,
    Unembedding,
    Unnormalized,
    Window,
)
from algatt.views.progress import ProgressBar

WIDTH = 160
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""


@dataclass(frozen=True)
class Row:
    """A part of a network and what it makes redundant.

    Parameters
    ----------
    part : str
        The part in question.
    layers : Layer
        The network.
    redundant : tuple of int
        The numbers of redundant parameters, added up as the formulas have them.
    width : int or None, optional
        Of the input; None for a network that reads tokens.
    tokens : int, optional
        The number of tokens.
    """

    part: str
    layers: Any
    redundant: tuple[int, ...]
    width: int | None = 4
    tokens: int = 3

    @property
    def network(self) -> algatt.Network:
        """The network."""
        return algatt.Network(self.layers, tokens=self.tokens, width=self.width)

    @property
    def expected(self) -> int:
        """The dimension by the formulas."""
        return self.network.parameters - sum(self.redundant)


@dataclass(frozen=True)
class Outcome:
    """What is proven of a row.

    Parameters
    ----------
    row : Row
        The row.
    report : DimensionReport
        The dimension of its network.
    """

    row: Row
    report: algatt.geometry.DimensionReport

    @property
    def sound(self) -> bool:
        """Whether the dimension is proven and as the formulas say."""
        return self.report.status == "proven" and self.report.value == self.row.expected

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values for JSON."""
        return {
            "part": self.row.part,
            "layers": repr(self.row.layers),
            "tokens": self.row.tokens,
            "width": self.row.width,
            "parameters": self.report.parameters,
            "redundant": list(self.row.redundant),
            "expected": self.row.expected,
            "dimension": self.report.value,
            "upper": self.report.upper,
            "status": self.report.status,
            "field": str(self.report.field),
            "seconds": round(self.report.seconds, 3),
        }


def tied(*before: Any, **options: Any) -> Any:
    """Return attention between norms, behind an embedding of 6 tokens in width 3 that is the unembedding, too."""
    layers: Any = Embedding(6, 3)
    for layer in (*before, Residual(RMSNorm() >> Heads(1, width=2)), RMSNorm(), Unembedding(6, **options)):
        layers = layers >> layer
    return Tie(layers, {"unembedding.U": "embedding.E"})


def mamba(inner: int, states: int, rank: int, width: int) -> Layer:
    """Return a block of Mamba, whose convolution sees two tokens."""
    scanned = Linear(inner) >> DepthwiseConvolution(2) >> SiLU() >> SelectiveScan(states, rank)
    return Residual(RMSNorm() >> Product(scanned, Linear(inner) >> SiLU()) >> Linear(width))


def of_tokens(*norms: Any) -> Any:
    """Return attention between an embedding of 5 tokens in width 3 and an unembedding, behind norms."""
    heads = Heads(1, width=2)
    if not norms:
        return Embedding(5, 3) >> Residual(heads) >> Unembedding(5)
    before, after = norms
    return Embedding(5, 3) >> Residual(before >> heads) >> after >> Unembedding(5)


ATTENTION = (
    Row("keys and queries, values and outputs: a^2 each", Residual(Heads(2)), (8, 8)),
    Row("the same in two layers", 2 * Residual(Heads(2)), (16, 16)),
    Row("two heads with the same keys and values", Residual(Heads(2, key_heads=1)), (4, 4)),
    Row("rotary positions: a instead of a^2", Residual(Heads(1, position=Rotary())), (4, 16)),
    Row("half of them: r + (a - r)^2", Residual(Heads(1, position=Rotary(width=2))), (2 + 4, 16)),
    Row("ALiBi: as without", Residual(Heads(2, position=ALiBi(), mask=Causal())), (8, 8)),
    Row("causal masks and windows: as without", Residual(Heads(2, mask=Window(2))), (8, 8)),
    Row("gains of keys and queries: a instead of a^2", Residual(Heads(1, width=2, norm=RMSNorm())), (2, 4)),
    Row(
        "the same with rotary positions: a / 2", Residual(Heads(1, width=2, norm=RMSNorm(), position=Rotary())), (1, 4)
    ),
    Row(
        "and norms across two heads: a / 2 each",
        Residual(Heads(2, norm=AcrossHeads(RMSNorm()), position=Rotary())),
        (1 + 1, 4 + 4),
    ),
    Row("biases of all maps: a for keys, a for values", Residual(Heads(1, width=2, biases="QKVO")), (4, 4, 2, 2)),
    Row("biases of keys: a", Residual(Heads(2, biases="K")), (8, 8, 4)),
    Row("with rotary positions: none", Residual(Heads(1, biases="K", position=Rotary())), (4, 16, 0)),
    Row("with a soft cap: none", Residual(Heads(2, biases="K", score=SoftCap(30))), (8, 8, 0)),
    Row("biases of values and of the output: a", Residual(Heads(2, biases="VO")), (8, 8, 4)),
    Row("biases of values alone: none", Residual(Heads(1, width=2, biases="V")), (4, 4, 0)),
    Row("scores that are not normalised: 1 for each head", Residual(Heads(2, score=Unnormalized())), (8, 8, 2)),
)

NORMS = (
    Row("gain of an RMSNorm: d", Residual(RMSNorm() >> Heads(1, width=2)), (4, 4, 4)),
    Row("LayerNorm: 2 d, and a for its mean", Residual(LayerNorm() >> Heads(1, width=2)), (4, 4, 8, 2)),
    Row(
        "without a bias of its own: d, and for the mean",
        Residual(LayerNorm(bias=False) >> Heads(1, width=2)),
        (4, 4, 4, 6),
    ),
    Row(
        "with all biases: what both are worth",
        Residual(LayerNorm() >> Heads(1, width=2, biases="QKVO")),
        (4, 4, 8, 6, 2, 2),
    ),
    Row("with biases: and one for each row", Residual(LayerNorm() >> Feedforward(3, SiLU(), bias=True)), (8, 3)),
    Row("a norm behind a branch: none", Residual(Heads(2, width=2) >> RMSNorm()), (8, 8, 0)),
    Row("the same with eps = 0: 1", Residual(Heads(2, width=2) >> RMSNorm(0)), (8, 8, 1)),
    Row("a gain behind a branch: d", Residual(Heads(1, width=2) >> LayerScale()), (4, 4, 4)),
    Row(
        "two branches with biases: d",
        Residual(Parallel(Heads(1, width=2, biases="O"), Feedforward(2, SiLU(), bias=True))),
        (4, 4, 4),
    ),
)

NEURONS = (
    Row("ReLU: m", Feedforward(4, ReLU()), (4,), 3),
    Row("powers: m", Feedforward(4, Power(3)), (4,), 3),
    Row("SiLU: none", Feedforward(4, SiLU()), (0,), 3),
    Row("GELU: none", Feedforward(4, GELU()), (0,), 3),
    Row("GELU by tanh: none", Feedforward(4, TanhGELU()), (0,), 3),
    Row("tanh: none", Feedforward(4, Tanh()), (0,), 3),
    Row("SwiGLU: m", Feedforward(4, SiLU(), gated=True), (4,), 3),
    Row("GeGLU: m", Feedforward(4, GELU(), gated=True), (4,), 3),
    Row("ReGLU: 2 m", Feedforward(4, ReLU(), gated=True), (8,), 3),
    Row("bilinear gates, of width 4: 2 m", Feedforward(3, Power(1), gated=True), (6,)),
    Row("router with softmax: d", Residual(Experts(3, Feedforward(2, SiLU()))), (4,)),
    Row("router with sigmoid: none", Residual(Experts(3, Feedforward(2, SiLU()), SigmoidRouter())), (0,)),
    Row("the best of three: d", Residual(Experts(3, Feedforward(2, SiLU()), SoftmaxRouter(2))), (4,)),
)

STREAMS = (
    Row("embedding to unembedding: GL(d)", of_tokens(), (4, 4, 9), None),
    Row("behind RMSNorms: O(d)", of_tokens(RMSNorm(gain=False), RMSNorm(gain=False)), (4, 4, 3), None),
    Row("with gains: and d each", of_tokens(RMSNorm(), RMSNorm()), (4, 4, 3, 6), None),
    Row("with eps = 0: and one", of_tokens(RMSNorm(0), RMSNorm(0)), (4, 4, 3, 6, 1), None),
    Row("the unembedding is the embedding: d, for one gain", tied(), (4, 4, 3), None),
    Row("with learned positions: the same", tied(LearnedPosition()), (4, 4, 3), None),
    Row("and probabilities: and d", tied(LearnedPosition(), reading=Probabilities()), (4, 4, 3, 3), None),
    Row(
        "learned positions, of width 3: and d",
        Embedding(5, 3) >> LearnedPosition() >> Residual(Heads(1, width=2)) >> Unembedding(5),
        (4, 4, 9, 3),
        None,
    ),
    Row(
        "probabilities: and d, a row that all logits share",
        Embedding(5, 3) >> Residual(Heads(1, width=2)) >> Unembedding(5, reading=Probabilities()),
        (4, 4, 9, 3),
        None,
    ),
)

BLOCK = (
    Row(
        "a block of Llama: all of it",
        Residual(RMSNorm() >> Heads(4, key_heads=2, width=2, mask=Causal(), position=Rotary()))
        >> Residual(RMSNorm() >> Feedforward(12, SiLU(), gated=True)),
        (2 * 2, 2 * 4, 8, 8, 12),
        8,
    ),
    Row(
        "a block of GPT-2: all of it",
        Residual(LayerNorm() >> Heads(2, width=2, mask=Causal(), biases="QKVO"))
        >> Residual(LayerNorm() >> Feedforward(6, TanhGELU(), bias=True)),
        (2 * 4, 2 * 4, 2 * 2, 2 * 2, 12, 12, 12, 6, 1),
        6,
    ),
)

PAPERS = (
    Row("a sink with a logit for each head: as without", Residual(Heads(2, score=Sink())), (8, 8)),
    Row(
        "one more in the denominator: biases of keys are seen",
        Residual(Heads(2, score=Sink(False), biases="K")),
        (8, 8, 0),
    ),
    Row("linear attention by elu + 1: only values and outputs", Residual(Heads(2, score=FeatureMap())), (0, 8)),
    Row("by exponentials: d for each head", Residual(Heads(2, score=FeatureMap(Exponential()))), (8, 8)),
    Row("by ReLU, not divided: a + 1 for each head", Residual(Heads(2, score=FeatureMap(ReLU(), False))), (6, 8)),
    Row("retention: 1 for each head", Residual(Heads(2, score=Retention(), mask=Causal())), (8, 8, 2)),
    Row(
        "retention with rotary positions: a + 1",
        Residual(Heads(1, score=Retention(), mask=Causal(), position=Rotary())),
        (4, 16, 1),
    ),
    Row(
        "gates behind heads: a for values, not a²",
        Residual(Product(Heads(2, output=False), Linear(4) >> Sigmoid()) >> Linear(4)),
        (8, 4),
    ),
    Row("Mamba, of width 2, state 1, rank 1: and the gain", mamba(3, 1, 1, 2), (3, 1, 1, 1, 2), 2),
    Row("Mamba, of width 3, state 2, rank 2: and the gain", mamba(4, 2, 2, 3), (4, 2, 4, 1, 3), 3),
)

ROWS = (*ATTENTION, *NORMS, *NEURONS, *STREAMS, *BLOCK, *PAPERS)


def table(outcomes: Sequence[Outcome]) -> Table:
    """Lay the proofs out, one in each row."""
    shown = Table(title="what parameters are worth", title_justify="left")
    shown.add_column("part")
    shown.add_column("network")
    for heading in ("parameters", "redundant", "expected", "dimension"):
        shown.add_column(heading, justify="right")
    shown.add_column("")
    shown.add_column("seconds", justify="right")
    for one in outcomes:
        row, report = one.row, one.report
        found = str(report.value) if report.lower == report.upper else f"{report.lower} to {report.upper}"
        sizes = (str(report.parameters), " + ".join(map(str, row.redundant)), str(row.expected), found)
        worth = report.status if one.sound else f"[bold red]{report.status}[/]"
        shown.add_row(escape(row.part), escape(repr(row.layers)), *sizes, worth, f"{report.seconds:.2f}")
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove all rows, print the table, and return the exit code."""
    parser = Parser(prog="parameters_worth", description="Prove how many parameters each part makes redundant.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    outcomes = []
    with ProgressBar("networks") as progress:
        for row in ROWS:
            outcomes.append(Outcome(row, algatt.dimension(row.network)))
            progress(len(outcomes), len(ROWS))
    if options.json:
        print(json.dumps([one.to_dict() for one in outcomes], indent=2))
    else:
        Console(width=None if sys.stdout.isatty() else WIDTH).print(table(outcomes))
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return 0 if all(one.sound for one in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
