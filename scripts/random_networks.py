"""Hold the symmetries that are read off the code of random small networks against exact ranks.

    python scripts/random_networks.py              300 networks of all layers
    python scripts/random_networks.py --ring       of those alone that add, multiply and divide
    python scripts/random_networks.py --witness    and hold the second upper bound against proven dimensions
    python scripts/random_networks.py --odd        of all sizes: one token, layers wider than what they read or read by
                                                   less, where most directions are hidden

For each network the dimension is bounded from both sides: a rank above the bound of the symmetries would be an error,
and so would a symmetry that moves the function. The table counts how many dimensions are proven; the others are listed
by the tensors that their unexplained directions move. With --witness the rank of what each function sees of its weights
is held against the dimensions that are proven: it must not be below one.

Exit code: 0 if no bound is contradicted, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from options import Parser, natural, positive
from rich.console import Console
from rich.table import Table

import algatt
from algatt import layers
from algatt.errors import AlgattError, SymmetryError
from algatt.geometry.dimensions.question import Question
from algatt.views.progress import ProgressBar

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

MOST_PARAMETERS = 100
"""Larger networks are drawn again: balls take long for them."""

ROUNDING = 1e-9
"""What a singular value of a float Jacobian is below if it stands for zero, as a part of the largest."""


@dataclass(frozen=True)
class Outcome:
    """What was found about a network.

    Parameters
    ----------
    net : Network
        The network.
    lower, upper : int
        The bounds of its dimension.
    moved : tuple of str
        The kinds of tensors that unexplained directions move: their names without numbers and paths.
    unexplained : int
        The number of these directions.
    """

    net: algatt.Network
    lower: int
    upper: int
    moved: tuple[str, ...] = ()
    unexplained: int = 0


class Generator:
    """Draws networks.

    Parameters
    ----------
    seed : int
        The same networks for the same seed.
    ring : bool
        Whether they add, multiply and divide only.
    odd : bool
        Whether they have any sizes and any order of layers; if not, they have several tokens, residual streams that are
        wider than heads, more tokens in a vocabulary than a stream is wide, attention where there is a vocabulary, and
        no linear layer beside a skip, as X + W X is a product with 1 + W.
    """

    def __init__(self, seed: int, ring: bool, odd: bool) -> None:
        self.random = np.random.default_rng((seed, ring, odd))
        self.ring = ring
        self.odd = odd

    def size(self, usual: tuple[int, ...], odd: tuple[int, ...]) -> int:
        """Return one of the usual sizes, or one of others."""
        return int(self.choose(*(odd if self.odd else usual)))

    def often(self, share: float) -> bool:
        """Return True with a probability."""
        return bool(self.random.random() < share)

    def choose(self, *given: Any) -> Any:
        """Return one of several values."""
        return given[self.random.integers(len(given))]

    def network(self) -> algatt.Network:
        """Draw a network that is not too large."""
        while True:
            try:
                net = self.any_network()
            except AlgattError:  # slots that do not fit together
                continue
            if net.parameters <= MOST_PARAMETERS:
                return net

    def any_network(self) -> algatt.Network:
        """Draw a network, of slots that may not fit together."""
        width, tokens = self.size((3, 4), (2, 3, 4)), self.size((3, 4), (1, 2, 3))
        blocks = [self.block(width, tokens) for _ in range(self.choose(1, 1, 2))]
        body = blocks[0] if len(blocks) == 1 else blocks[0] >> blocks[1]
        if self.often(0.15):
            body = 2 * blocks[0]
            if self.often(0.4):
                body = layers.Tie(body, {"2": "1"})
            elif self.odd and self.often(0.4):
                body = layers.Repeat(blocks[0], 2)
        if self.often(0.3) and (self.odd or "Heads" in repr(body)):
            return self.of_tokens(body, width, tokens)
        if self.odd and self.often(0.2):
            body = self.other_tokens(body)
        if self.odd and self.often(0.2):
            body = body >> layers.Linear(self.choose(1, 2, 3), bias=self.often(0.5))
        return algatt.Network(body, tokens=tokens, width=width)

    def other_tokens(self, body: Any) -> Any:
        """Draw tokens that are put before those of the input, and how some of all are read."""
        first, mean = layers.SelectTokens(0, 1), layers.MeanToken()
        before = self.choose(layers.ClassToken(position=self.often(0.5)), layers.MaskToken())
        behind = self.choose(first, mean, layers.Concatenate(first, mean), layers.Concatenate(first, mean, axis=1))
        return before >> body >> behind

    def of_tokens(self, body: Any, width: int, tokens: int) -> algatt.Network:
        """Draw what stands around layers in a network that reads tokens."""
        vocabulary = self.size((6, 7), (3, 5))
        typed = self.odd and self.often(0.3)
        first = layers.TypedEmbedding(vocabulary, width, 2) if typed else layers.Embedding(vocabulary, width)
        if self.often(0.4):
            first = first >> layers.LearnedPosition(tokens + 1 if self.odd and self.often(0.5) else None)
        reading = (
            layers.Logits() if self.ring else self.choose(layers.Logits(), layers.Probabilities(), layers.Capped(3))
        )
        norm = () if self.ring or self.often(0.4) else (self.norm(),)
        whole = first >> body
        for layer in norm:
            whole = whole >> layer
        whole = whole >> layers.Unembedding(vocabulary, bias=self.often(0.3), reading=reading)
        if self.often(0.25):
            whole = layers.Tie(whole, {"unembedding.U": "embedding.E"})
        return algatt.Network(whole, tokens=tokens)

    def block(self, width: int, tokens: int) -> Any:
        """Draw a block that keeps the width."""
        count = self.choose(1, 2)
        kinds_of_parts = [self.heads, self.heads, self.feedforward, self.feedforward, self.other]
        parts = [self.choose(*kinds_of_parts[: 4 if self.ring and not self.odd else 5]) for _ in range(count)]
        drawn = [part(width, tokens) for part in parts]
        if count == 2 and self.often(0.15):
            return layers.Residual(layers.Parallel(*drawn))
        result = None
        for one in drawn:
            if not self.ring and self.often(0.4):
                one = self.norm() >> one
            if self.often(0.15):
                one = one >> layers.LayerScale()
            if not self.odd or self.often(0.6):
                one = layers.Residual(one)
            if self.often(0.1):
                one = layers.Named("part", one)
            result = one if result is None else result >> one
        return result

    def norm(self) -> Any:
        """Draw a norm."""
        eps = self.choose(0, 1e-5)
        if self.often(0.5):
            return layers.RMSNorm(eps, gain=self.often(0.5))
        return layers.LayerNorm(eps, gain=self.often(0.5), bias=self.often(0.5))

    def heads(self, width: int, tokens: int) -> Any:
        """Draw attention."""
        heads = self.choose(1, 1, 2)
        output = not self.odd or self.often(0.8)
        a, b = self.size((1, 2, 2), (1, 2, 3, 4)), self.size((1, 2), (1, 2, 3))
        if not output:
            heads, b = 1, width
        exact = (layers.Unnormalized(), layers.Unnormalized(layers.Power(2)), layers.Affine(1, 1), layers.Power(2))
        smooth = (None, None, None, layers.SoftCap(3), layers.Unnormalized(layers.Exponential()))
        pattern = tuple(tuple(int(i == j or self.often(0.6)) for i in range(tokens)) for j in range(tokens))
        masks = (None, None, layers.Causal(), layers.Window(2), layers.Pattern(pattern))
        positions = (None, None, layers.RelativeBias(4, 4), layers.Rotary(), layers.Rotary(), layers.ALiBi())
        norms = (None, None, None, None, layers.RMSNorm(0), layers.LayerNorm())
        biases = "".join(letter for letter in ("QKVO" if output else "QKV") if self.often(0.5))
        return layers.Heads(
            heads,
            key_heads=self.choose(1, heads),
            width=a,
            value_width=b,
            score=self.choose(*exact) if self.ring or self.often(0.3) else self.choose(*smooth),
            mask=self.choose(*masks),
            position=self.choose(*positions),
            norm=None if self.ring else self.choose(*norms),
            biases=biases if self.often(0.3) else "",
            output=output,
        )

    def activation(self) -> Any:
        """Draw an activation."""
        exact = (layers.Power(2), layers.Power(3), layers.Rational((1, 0, 1), (2, 1)))
        exact = (*exact, layers.Affine(1, 1), layers.Power(1)) if self.odd else exact
        smooth = (layers.GELU(), layers.SiLU(), layers.ReLU(), layers.Tanh(), layers.TanhGELU())
        return self.choose(*exact) if self.ring or self.often(0.2) else self.choose(*smooth)

    def feedforward(self, width: int, tokens: int) -> Any:
        """Draw a layer of neurons."""
        hidden = self.choose(1, 2, 3)
        return layers.Feedforward(
            hidden, self.activation(), gated=self.often(0.3), bias=self.often(0.3), width=self.choose(None, width)
        )

    def other(self, width: int, tokens: int) -> Any:
        """Draw another layer."""
        expert = layers.Feedforward(self.choose(1, 2), self.activation(), gated=self.often(0.3))
        if self.ring:
            return layers.Linear(width, bias=self.often(0.5))
        top = self.choose(None, 1)
        router = self.choose(layers.SoftmaxRouter, layers.SigmoidRouter)(
            top, renormalize=top is None and self.often(0.5)
        )
        experts = layers.Experts(2, expert, router)
        if not self.odd:
            return experts
        return self.choose(layers.Linear(width, bias=self.often(0.5)), experts, layers.Entrywise(self.activation()))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="random_networks", description="Symmetries of random networks against exact ranks.")
    parser.add_argument("--count", type=positive, default=300, metavar="N", help="number of networks (default: 300)")
    parser.add_argument("--seed", type=natural, default=0, help="the same networks for the same seed (default: 0)")
    parser.add_argument("--odd", action="store_true", help="networks of any sizes, not of usual ones only")
    parser.add_argument("--ring", action="store_true", help="networks that add, multiply and divide only")
    parser.add_argument("--witness", action="store_true", help="hold what functions see against proven dimensions")
    return parser.parse_args(arguments)


def examine(net: algatt.Network) -> Outcome:
    """Bound the dimension of a network from both sides; what changes the function although it is called a symmetry
    raises `SymmetryError`.
    """
    report = algatt.dimension(net, seed=1)
    lower, upper = report.lower, report.upper
    if lower == upper:
        return Outcome(net, lower, upper)
    if net.algebraic:
        theta = algatt.sample(net, algatt.Weights, seed=1)
        unexplained = algatt.unexplained_kernel(net, theta, seed=1)
        return Outcome(
            net, lower, upper, kinds(name for vector in unexplained.basis for name in vector), unexplained.dimension
        )
    moved = moved_over_reals(net)
    return Outcome(net, lower, upper, moved, upper - lower)


def compare_witness(net: algatt.Network, dimension: int) -> str:
    """Return how the rank of what is seen compares with a dimension."""
    witness = Question(net).witness
    if witness is None:
        return "too large beside"
    return "at" if witness.value == dimension else "above" if witness.value > dimension else "below"


def moved_over_reals(net: algatt.Network) -> tuple[str, ...]:
    """Return the kinds of tensors that the kernel of a float Jacobian moves, orthogonally to the symmetries."""
    reals = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=reals, seed=1)
    inputs = algatt.sample_inputs(net, field=reals, seed=1, count=3 * net.parameters)
    rows = np.vstack([algatt.jacobian(net, theta, inputs), *(one.tangents(theta) for one in algatt.symmetries(net))])
    largest = np.abs(rows).max(axis=1)
    kept = np.isfinite(largest) & (largest > 0)  # floats overflow
    matrix = rows[kept] / largest[kept, None]
    _, singular, right = np.linalg.svd(matrix, full_matrices=False)
    kernel = right[singular < ROUNDING * singular[0]]
    theta_names = algatt.coordinates(net)
    ends = np.cumsum([np.prod(shape) for shape in theta_names.values()])[:-1]
    parts = zip(theta_names, np.split(kernel, ends, axis=1), strict=True)
    return kinds(name for name, part in parts if part.size and np.abs(part).max() > 1e-6)


def kinds(names: Any) -> tuple[str, ...]:
    """Return names without paths and numbers, each once."""
    return tuple(sorted({re.sub(r"_\d+$", "", name.rpartition(".")[2]) for name in names}))


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine all networks, print a table, and return the exit code."""
    options = parse(arguments)
    generator = Generator(options.seed, options.ring, options.odd)
    outcomes: list[Outcome] = []
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    begin = time.perf_counter()
    with ProgressBar("networks") as progress:
        for number in range(1, options.count + 1):
            net = generator.network()
            try:
                outcome = examine(net)
            except SymmetryError as error:
                wrong.append(f"{net}: {error}")
            except AlgattError as error:  # no value at any input, or balls that tell nothing apart
                counts[f"no answer ({type(error).__name__})"] += 1
            else:
                outcomes.append(outcome)
                counts["proven"] += outcome.lower == outcome.upper
                if outcome.lower > outcome.upper:
                    wrong.append(f"{net}: rank {outcome.lower} above {outcome.upper}")
                if options.witness and outcome.lower == outcome.upper:
                    compared = compare_witness(net, outcome.lower)
                    counts[f"witness {compared} a proven dimension"] += 1
                    if compared == "below":
                        wrong.append(f"{net}: witness below {outcome.lower}")
            progress(number, options.count)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    counts["open"] = len(outcomes) - counts["proven"]
    counts["contradicted"] = len(wrong)
    table = Table(title=f"{options.count} networks, seed {options.seed}", title_justify="left")
    for heading in ("", "networks"):
        table.add_column(heading, justify="left" if not heading else "right")
    for heading, count in counts.items():
        table.add_row(heading, str(count))
    console.print(table)
    show_open([one for one in outcomes if one.lower != one.upper], console)
    print(f"{time.perf_counter() - begin:.0f} s", file=sys.stderr)
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


def show_open(outcomes: list[Outcome], console: Console) -> None:
    """Print the networks with unexplained directions, by the kinds of tensors that these move."""
    grouped: dict[tuple[str, ...], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        grouped[outcome.moved].append(outcome)
    table = Table(title="unexplained directions", title_justify="left")
    for heading in ("tensors", "networks", "dimensions", "the smallest"):
        table.add_column(heading)
    for moved, members in sorted(grouped.items(), key=lambda pair: -len(pair[1])):
        smallest = min(members, key=lambda one: one.net.parameters)
        found = ", ".join(str(number) for number in sorted({one.unexplained for one in members}))
        table.add_row(" ".join(moved), str(len(members)), found, repr(smallest.net))
    if outcomes:
        console.print(table)


if __name__ == "__main__":
    sys.exit(main())
