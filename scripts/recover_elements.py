"""Move the weights of random transformer blocks by random group elements, with permuted heads and neurons, and count
how often the element is recovered; then change one entry, and count how often the functions are told apart.

    python scripts/recover_elements.py                1000 pairs of each kind
    python scripts/recover_elements.py --pairs 20     fewer

Blocks whose values are polynomials are compared over GF(p), and told apart by an input. Norms, ReLU and SiLU have no
values over GF(p): the weights of such blocks are rational numbers, and balls enclose their values.

Exit code: 0 if all are recovered and told apart, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
from options import Parser, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt.errors import EquivalenceUndecided
from algatt.fields import Elements, Field, Rationals
from algatt.layers import Feedforward, Heads, Layer, Power, ReLU, Residual, RMSNorm, SiLU, Unnormalized
from algatt.symmetry import PositiveTorus, SpaceSymmetry, discrete_symmetries
from algatt.views.progress import ProgressBar

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

FEEDFORWARDS = {
    "ReLU": lambda hidden: Feedforward(hidden, ReLU()),
    "squares": lambda hidden: Feedforward(hidden, Power(2)),
    "SwiGLU": lambda hidden: Feedforward(hidden, SiLU(), gated=True),
}

KINDS = (("ReLU", True), ("squares", True), ("SwiGLU", True), ("squares", False))
"""Feedforward layers, and whether the heads read through a norm."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="recover_elements", description="How often group elements between blocks are recovered.")
    parser.add_argument("--pairs", type=positive, default=1000, help="pairs of each sort (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="names the blocks and the weights (default: 0)")
    return parser.parse_args(arguments)


def block(feedforward: str, norm: bool, draw: np.random.Generator) -> algatt.Network:
    """Return a random block: 4 heads in groups, and a feedforward layer."""
    heads: Layer = Heads(4, key_heads=int(draw.choice((1, 2, 4))), width=int(draw.integers(1, 4)), score=Unnormalized())
    if norm:
        heads = RMSNorm(gain=False) >> heads
    layers = Residual(heads) >> Residual(FEEDFORWARDS[feedforward](int(draw.integers(2, 7))))
    return algatt.Network(layers, tokens=3, width=int(draw.integers(3, 6)))


def weights(net: algatt.Network, field: Field, seed: int) -> algatt.Weights:
    """Return random weights; over the rational numbers, integers from -15 to 15."""
    if field != Rationals():
        return algatt.sample(net, algatt.Weights, field=field, seed=seed)
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(31), seed=seed)
    return theta.replace([Elements.of(field, one.raw.astype(np.int64) - 15) for one in theta.elements])


def moved(net: algatt.Network, theta: algatt.Weights, seed: int, draw: np.random.Generator) -> algatt.Weights:
    """Return weights moved by an element of each space and by many permutations.

    Over the rational numbers Cayley transforms are not always positive: spaces that ask for this stay.
    """
    for family in algatt.symmetries(net):
        is_positive = isinstance(family, SpaceSymmetry) and isinstance(family.group, PositiveTorus)
        if theta.field != Rationals() or not is_positive:
            theta = algatt.act(family.element(theta, seed), theta)
    permutations = [one for family in discrete_symmetries(net) for one in family.elements(theta.field)]
    for number in draw.integers(len(permutations), size=3 * len(permutations)):
        theta = algatt.act(permutations[number], theta)
    return theta


def changed(theta: algatt.Weights, draw: np.random.Generator) -> algatt.Weights:
    """Return weights with 1 added to one entry."""
    arrays = list(theta.elements)
    number = int(draw.integers(len(arrays)))
    one = np.zeros(arrays[number].shape, dtype=np.int64)
    one[tuple(draw.integers(one.shape))] = 1
    arrays[number] = arrays[number] + one
    return theta.replace(arrays)


def outcome(net: algatt.Network, one: algatt.Weights, two: algatt.Weights) -> str:
    """Return what `same_function` says of two points; of an element whether it carries the first to the second."""
    try:
        answer = algatt.same_function(net, one, two)
    except EquivalenceUndecided:
        return "undecided"
    if not answer.equal:
        return "apart" if answer.status == "proven" else "seem apart"
    carried = answer.element is not None and algatt.act(answer.element, one) == two
    return "recovered" if carried and answer.status == "proven" else "equal"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all pairs, print a table, and return the exit code."""
    options = parse(arguments)
    counts: dict[tuple[str, bool], Counter[str]] = {kind: Counter() for kind in KINDS}
    with ProgressBar("pairs") as progress:
        for number in range(options.pairs):
            seed = options.seed + number
            draw = np.random.default_rng(seed)
            kind = KINDS[number % len(KINDS)]
            net = block(*kind, draw)
            field = algatt.PrimeField() if net.algebraic else Rationals()
            theta = weights(net, field, seed)
            counts[kind][f"moved, {outcome(net, theta, moved(net, theta, seed, draw))}"] += 1
            other = changed(moved(net, theta, seed, draw), draw)
            counts[kind][f"changed, {outcome(net, theta, other)}"] += 1
            progress(number + 1, options.pairs)
    table = Table(title="4 heads in groups, and a feedforward layer", title_justify="left")
    for heading in ("feedforward", "norm", "pairs", "moved: recovered", "changed: told apart", "values over"):
        table.add_column(heading, justify="right")
    for (feedforward, norm), count in counts.items():
        pairs, field = sum(count.values()) // 2, "QQ" if norm or feedforward != "squares" else "GF(p)"
        row = (feedforward, "yes" if norm else "no", pairs, count["moved, recovered"], count["changed, apart"], field)
        table.add_row(*map(str, row))
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
    total = sum(counts.values(), Counter[str]())
    others = {name: count for name, count in total.items() if name not in ("moved, recovered", "changed, apart")}
    sys.stdout.writelines(f"{name}: {count}\n" for name, count in others.items())
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
