"""Hold dimensions at points with structure against exact ranks at random points.

    python scripts/structured_points.py                    500 small networks of all kinds
    python scripts/structured_points.py --kinds attention  of one kind
    python scripts/structured_points.py --seed 7           others

The kinds are attention (lightning, softmax and other normalised scores) and blocks of transformers that read vectors,
both at a hub and copies (docs/theory/structure.md); and transformers that read tokens, by the theorem about blocks side
by side (docs/theory/side_by_side.md): with LayerNorm, with RMSNorm, and of sizes at which the theorem says nothing.

A lower bound at points with structure may not be above a proven dimension, nor above the rank at random points, and
what is proven at both has to be equal; else the network is contradicted. Of sizes that the theorem does not have the
sum of the parts is no bound: how often it is the dimension is counted, and it is contradicted only above what
symmetries leave.

Exit code: 0 if no network is contradicted, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from options import Parser, natural, positive

import algatt
from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import AlgattError
from algatt.geometry import AutoPoints, Copies, DimensionReport, RandomPoints, SideBySide
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered, transformer_of
from algatt.layers import (
    GELU,
    Affine,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Parallel,
    Power,
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

MOST_PARAMETERS = 1600
"""Larger networks are drawn again."""

MOST_OF_SMALL = 260
"""So are larger ones of sizes at which the theorem says nothing."""


class Generator:
    """Draws networks, each with the structure at which it is looked at.

    Parameters
    ----------
    seed : int
        The same networks for the same seed.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def one_of(self, *values: Any) -> Any:
        """Return one of several values."""
        return values[self.random.integers(len(values))]

    def attention(self) -> tuple[Architecture, Copies]:
        """Draw lightning or normalised attention of one to three layers."""
        layers = self.one_of(1, 2, 2, 3)
        dims = tuple(self.one_of(4, 5, 6, 8, 9) for _ in range(layers + 1))
        ranks = tuple(self.one_of(2, 3, 4, 5) for _ in range(layers))
        tokens = self.one_of(2, 3, 4)
        arch = self.one_of(
            algatt.Lightning(dims, ranks, tokens),
            algatt.Softmax(dims, ranks, tokens),
            algatt.Normalized(dims, ranks, tokens, self.one_of(Affine(1, 1), Power(2))),
        )
        return arch, Copies(self.one_of(1, 1, 2, 3))

    def blocks(self) -> tuple[Architecture, Copies]:
        """Draw one or two blocks that read vectors, such as can be cut."""
        width, keys = self.one_of(6, 7, 8), self.one_of(2, 4)
        blocks = None
        for _ in range(self.one_of(1, 1, 2)):
            groups = self.one_of(1, 2)
            heads = Heads(
                groups * self.one_of(1, 2),
                groups,
                keys,
                self.one_of(2, 3),
                mask=self.one_of(None, Causal(), Window(2)),
                position=self.one_of(None, Rotary()),
                norm=self.one_of(None, None, RMSNorm()),
                biases=self.one_of("", "", "QKV", "QV"),
            )
            activation = self.one_of(SiLU(), SiLU(), GELU(), TanhGELU())
            neurons = Feedforward(self.one_of(3, 4, 6, 8), activation, gated=self.one_of(False, True))
            kinds = (heads, neurons), (heads, neurons), (heads,), (neurons,), (Parallel(heads, neurons),)
            for part in self.one_of(*kinds):
                behind = RMSNorm(gain=self.one_of(True, True, False)) >> part
                block = self.one_of(behind, Residual(behind), Residual(behind))
                blocks = block if blocks is None else blocks >> block
        return algatt.Network(blocks, tokens=self.one_of(2, 3), width=width), Copies(self.one_of(1, 2, 3))

    def with_means(self) -> tuple[Architecture, SideBySide]:
        """Draw a transformer that reads tokens, with LayerNorm, of the sizes that the theorem asks for."""
        return self.transformer(layer_norm=True, at_size=True), SideBySide()

    def without_means(self) -> tuple[Architecture, SideBySide]:
        """Draw a transformer that reads tokens, with RMSNorm, of the sizes that the theorem asks for."""
        return self.transformer(layer_norm=False, at_size=True), SideBySide()

    def small(self) -> tuple[Architecture, None]:
        """Draw a transformer of sizes at which the theorem says nothing: what its parts show may be wrong there."""
        return self.transformer(layer_norm=self.one_of(False, True), at_size=False), None

    def transformer(self, *, layer_norm: bool, at_size: bool) -> algatt.Network:
        """Draw a transformer that reads tokens."""

        def norm() -> Layer:
            return LayerNorm() if layer_norm else RMSNorm()

        def heads() -> Layer:
            groups = 1 if at_size else self.one_of(1, 2)
            count, keys = groups * self.one_of(1, 2), self.one_of(2, 4)
            values = self.one_of(4, 8) if at_size else self.one_of(2, 3)
            position = self.one_of(None, Rotary(), Rotary(2))
            behind = self.one_of(None, RMSNorm()) if position == Rotary() and keys == 4 and not layer_norm else None
            return Heads(
                count,
                groups,
                keys,
                values,
                score=self.one_of(None, None, SoftCap(3)),
                mask=self.one_of(Causal(), Window(7 if at_size else 2)),
                position=position,
                norm=behind,
                biases="" if behind else self.one_of("", "QKV", "QKVO", "QV", "K", "O"),
            )

        def neurons() -> Layer:
            activation, gated = self.one_of(SiLU(), GELU(), TanhGELU(), ReLU()), self.one_of(False, True)
            if not layer_norm and self.one_of(True, False, False, False):
                router = SoftmaxRouter(2, self.one_of(False, True))
                return Experts(self.one_of(2, 3), Feedforward(self.one_of(1, 2), SiLU(), gated), router)
            return Feedforward(self.one_of(1, 2, 3), activation, gated, self.one_of(False, True))

        tied, width = self.one_of(False, True), self.one_of(9, 10) if at_size else self.one_of(4, 5)
        blocks: list[Layer] = []
        for number in range(self.one_of(1, 1, 2)):
            if number and self.one_of(False, True):
                blocks.append(Residual(norm() >> Parallel(heads(), neurons())))
            else:
                blocks += [Residual(norm() >> heads()), Residual(norm() >> neurons())]
        vocabulary = self.one_of(56, 80, 100) if at_size else self.one_of(16, 20)
        chain = Embedding(vocabulary, width)
        for block in (*self.one_of((), (LearnedPosition(),)), *blocks, norm()):
            chain = chain >> block
        reading = {"reading": Probabilities()} if self.one_of(False, False, True) else {}
        layers = chain >> Unembedding(vocabulary, not tied and self.one_of(False, True), **reading)
        whole = Tie(layers, {"unembedding.U": "embedding.E"}) if tied else layers
        return algatt.Network(whole, tokens=7 if at_size else self.one_of(2, 3))


KINDS: dict[str, tuple[int, Callable[[Generator], tuple[Architecture, Any]]]] = {
    "attention": (150, Generator.attention),
    "blocks": (150, Generator.blocks),
    "LayerNorm": (25, Generator.with_means),
    "RMSNorm": (25, Generator.without_means),
    "small": (150, Generator.small),
}
"""For each kind how many networks are looked at, unless a number is given, and how they are drawn."""


def compare(arch: Architecture, points: Any) -> tuple[str, bool]:
    """Say in words how what is said of a network at points with structure compares with random points, and whether one
    contradicts the other.
    """
    found: DimensionReport = algatt.dimension(arch, points=points)
    beside = at_random_points(arch)
    lower, upper = (found.value if found.lower is None else found.lower), beside.upper
    if lower > beside.value or (upper is not None and lower > upper):
        return f"{found} above random points, {beside}", True
    if isinstance(points, Copies):
        chosen = by_default(arch)
        if chosen.status == beside.status == "proven" and chosen.value != beside.value:
            return f"{chosen} by default, {beside} at random points", True
    if found.status == beside.status == "proven":
        return ("both proven, equal", False) if found.value == beside.value else (f"{found}, and {beside}", True)
    if found.status == "proven":
        return "proven at points with structure alone", found.value != beside.value
    weaker = "the same bound" if lower == beside.value else "a weaker bound"
    return f"{weaker}, {'proven' if beside.status == 'proven' else 'not proven'} at random points", False


def compare_small(arch: algatt.Network) -> tuple[str, bool]:
    """Say how the sum of the parts of a network of sizes that no theorem has compares with what symmetries leave, and
    where it is equal with the dimension.
    """
    parts, upper = parts_of(transformer_of(arch)).value, verbs.symbolic_symmetries(arch).upper
    if parts > upper:
        return f"the parts show {parts}, symmetries leave {upper}", True
    if parts < upper:
        return "sum of parts below what symmetries leave", False
    report = at_random_points(arch)
    return f"sum of parts {'equal to' if report.value == parts else 'above'} the dimension, {report.status}", False


def at_random_points(arch: Architecture) -> DimensionReport:
    """Return the report at random points."""
    report: DimensionReport = algatt.dimension(arch, points=RandomPoints(), error=0.5)
    return report


def by_default(arch: Architecture) -> DimensionReport:
    """Return the report at the points that are chosen for large networks, of whatever size this one is."""
    report: DimensionReport = verbs.measure_at(AutoPoints(), arch, Question(arch))
    return report


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="structured_points", description="Hold points with structure against random points.")
    parser.add_argument(
        "--networks", type=positive, metavar="N", help="how many of each kind (default: 50 to 150, 500 in all)"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="the kinds (default: all)")
    parser.add_argument("--seed", type=natural, default=0, metavar="S", help="of the networks (default: %(default)s)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and return the exit code."""
    options = parse(arguments)
    wanted = {kind: options.networks or KINDS[kind][0] for kind in options.kinds}
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in wanted}
    began = time.process_time()
    with ProgressBar("networks") as progress:
        for kind, counted in counts.items():
            generator = Generator(options.seed)
            while counted.total() < wanted[kind]:
                try:
                    arch, points = KINDS[kind][1](generator)
                    if arch.parameters > (MOST_OF_SMALL if points is None else MOST_PARAMETERS):
                        continue
                    word, wrong = compare_small(arch) if points is None else compare(arch, points)
                except (NotCovered, AlgattError):  # sizes that do not fit together, or that are not cut
                    continue
                counted["contradicted" if wrong else word] += 1
                if wrong:
                    print(f"contradicted: {word}: {points}: {arch}", flush=True)
                progress(sum(one.total() for one in counts.values()), sum(wanted.values()))
    for kind, counted in counts.items():
        for word, count in sorted(counted.items()):
            print(f"{count:5} {kind}: {word}")
    contradicted = sum(counted["contradicted"] for counted in counts.values())
    print(f"{contradicted} contradicted, {time.process_time() - began:.0f} s of processor time")
    return 1 if contradicted else 0


if __name__ == "__main__":
    sys.exit(main())
