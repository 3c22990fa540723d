"""Hold the sum of what parts of transformers show against exact ranks at random points.

    python scripts/side_by_side.py                    100 small networks of all kinds that the theorem has
    python scripts/side_by_side.py --networks 500     500
    python scripts/side_by_side.py --seed 7           others

The networks are smaller than the theorem about blocks side by side (docs/theory/side_by_side.md) asks for: sequences of
two or three tokens of a few more than it takes to see all. The sum and the dimension may differ there; a table says how
often they agree, and the networks in which they do not are listed. Where the exact dimension is not proven, its bounds
have to hold the sum between them.

Exit code: 0 if no sum is above what symmetries leave, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from options import Parser, natural, positive

import algatt
from algatt.errors import AlgattError
from algatt.geometry import RandomPoints
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered, transformer_of
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Parallel,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)
from algatt.views.progress import ProgressBar


def network(random: np.random.Generator) -> algatt.Network:
    """Return a random small transformer."""

    def one_of(*values: Any) -> Any:
        return values[random.integers(len(values))]

    def norm() -> Layer:
        return LayerNorm() if layer_norm else RMSNorm()

    def heads() -> Layer:
        groups = one_of(1, 2)
        count, keys = groups * one_of(1, 2), one_of(2, 4)
        position = one_of(None, Rotary(), Rotary(2))
        behind = one_of(None, RMSNorm()) if position == Rotary() and keys == 4 and not layer_norm else None
        return Heads(
            count,
            groups,
            keys,
            one_of(2, 3),
            score=one_of(None, None, SoftCap(3)),
            mask=one_of(Causal(), Window(2)),
            position=position,
            norm=behind,
            biases="" if behind else one_of("", "QKV", "QKVO", "QV", "K", "O"),
        )

    def neurons() -> Layer:
        activation, gated = one_of(SiLU(), GELU(), TanhGELU(), ReLU()), one_of(False, True)
        if not layer_norm and one_of(True, False, False, False):
            router = SoftmaxRouter(2, one_of(False, True))
            return Experts(one_of(2, 3), Feedforward(one_of(1, 2), SiLU(), gated), router)
        return Feedforward(one_of(2, 3, 5), activation, gated, one_of(False, True))

    layer_norm, tied, width = one_of(False, True), one_of(False, True), one_of(4, 5)
    blocks: list[Layer] = []
    for number in range(one_of(1, 1, 2)):
        if number and one_of(False, True):
            blocks.append(Residual(norm() >> Parallel(heads(), neurons())))
        else:
            blocks += [Residual(norm() >> heads()), Residual(norm() >> neurons())]
    chain = Embedding(one_of(16, 20), width)
    for block in (*one_of((), (LearnedPosition(),)), *blocks, norm()):
        chain = chain >> block
    reading = {"reading": Probabilities()} if one_of(False, False, True) else {}
    layers = chain >> Unembedding(chain.layers[0].vocabulary, not tied and one_of(False, True), **reading)
    return algatt.Network(Tie(layers, {"unembedding.U": "embedding.E"}) if tied else layers, tokens=one_of(2, 3))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="side_by_side", description="Hold the sum of what parts show against exact ranks.")
    parser.add_argument("--networks", type=positive, default=100, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=natural, default=0, metavar="S", help="of the networks (default: %(default)s)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and return the exit code."""
    options = parse(arguments)
    random, counts, began = np.random.default_rng(options.seed), Counter[str](), time.process_time()
    with ProgressBar("networks") as progress:
        while counts.total() < options.networks:
            net = network(random)
            try:
                shown = parts_of(transformer_of(net)).value
                report = algatt.dimension(net, points=RandomPoints(), error=0.5)
            except (NotCovered, AlgattError) as error:
                print(f"not looked at: {net}: {error}", file=sys.stderr)
                continue
            upper = report.upper if report.upper is not None else net.parameters
            word = (
                "above what symmetries leave" if shown > upper else "below the rank" if shown < report.value else "open"
            )
            if shown == report.value:
                word = "equal, proven" if report.status == "proven" else "equal to the rank at random points"
            counts[word] += 1
            if word in ("above what symmetries leave", "below the rank", "open"):
                print(f"{word}: parts show {shown}, random points {report.value} of {upper}: {net}", flush=True)
            progress(counts.total(), options.networks)
    for word, count in sorted(counts.items()):
        print(f"{count:5} {word}")
    print(f"{time.process_time() - began:.0f} s of processor time")
    return 1 if counts["above what symmetries leave"] else 0


if __name__ == "__main__":
    sys.exit(main())
