"""What each part of a transformer makes redundant: counted by hand, found by the program, and bounded by exact ranks.

    python scripts/component_table.py            all rows
    python scripts/component_table.py rotary     those whose names have this in them

For each row a small network is built that has the part. Its parameters are redundant by a number that tables of
transformers give by a formula (`by count`); `found` is what its symmetries remove, and `at most` what the dimension of
its functions leaves, a rank that is proven. Where these two are equal, the number is proven. A row in which numbers
differ is followed by what the kernel of a Jacobian has besides the symmetries, where that can be computed exactly.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import algatt
from algatt.layers import (
    AcrossHeads,
    ALiBi,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Parallel,
    Power,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SigmoidRouter,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    TanhGELU,
    Tie,
    Unembedding,
    Unnormalized,
)


@dataclass(frozen=True)
class Row:
    """A part of a transformer.

    Parameters
    ----------
    name : str
        The part.
    net : Network
        A network that has it.
    formula : str
        By how much it makes parameters redundant, with all else in the network.
    count : int
        The value of the formula.
    """

    name: str
    net: algatt.Network
    formula: str
    count: int


def of_vectors(layer: Layer) -> algatt.Network:
    """Return a network of three tokens, vectors of width 4."""
    return algatt.Network(layer, tokens=3, width=4)


def of_tokens(*layers: Layer, tied: bool = False, probabilities: bool = False) -> algatt.Network:
    """Return a network that reads 6 tokens by an embedding of width 3 and writes numbers for each."""
    chain: Layer = Embedding(6, 3)
    reading = {"reading": Probabilities()} if probabilities else {}
    for layer in (*layers, Unembedding(6, **reading)):
        chain = chain >> layer
    return algatt.Network(Tie(chain, {"unembedding.U": "embedding.E"}) if tied else chain, tokens=3)


def rows() -> Iterator[Row]:
    """Iterate over the rows. One head of width 2 has 4 for keys and queries, and 4 for values and outputs."""
    norm, d = RMSNorm(), 4
    head = Heads(1, width=2)

    def attention(name: str, formula: str, count: int, **options: object) -> Row:
        heads = Heads(**({"heads": 1, "width": 2} | options))  # type: ignore[arg-type]
        return Row(name, of_vectors(Residual(heads)), formula, count)

    yield attention("keys and queries, values and outputs", "2 h a^2", 16, heads=2)
    yield attention("grouped queries", "2 k a^2", 8, heads=2, key_heads=1)
    yield attention("rotary positions", "k a + k a^2", 20, width=4, position=Rotary())
    yield attention("partly rotary positions", "k (r + (a - r)^2) + k a^2", 22, width=4, position=Rotary(width=2))
    yield attention("ALiBi", "2 h a^2", 8, position=ALiBi())
    yield attention("normalised keys and queries", "a + a^2", 6, norm=norm)
    yield attention("normalised and rotary", "a / 2 + a^2", 18, width=4, norm=norm, position=Rotary())
    together = {"heads": 2, "norm": AcrossHeads(norm), "position": Rotary()}
    yield attention("normalised across heads, rotary", "k a / 2 + k a^2", 10, **together)
    yield attention("bias of keys", "8 + a", 10, biases="K")
    yield attention("bias of keys, rotary", "k a + k a^2", 6, biases="K", position=Rotary())
    yield attention("bias of keys, capped scores", "8", 8, biases="K", score=SoftCap(5))
    yield attention("biases of values and outputs", "8 + a", 10, biases="VO")
    yield attention("bias of values alone", "8 + max(0, k a - d)", 8, biases="V")
    yield attention("scores that are not normalised", "8 + 1", 9, score=Unnormalized())
    for name, formula, count, part in (
        ("SwiGLU", "m", 3, Feedforward(3, SiLU(), gated=True)),
        ("bilinear gates", "2 m", 6, Feedforward(3, Power(1), gated=True)),
        ("ReGLU", "2 m", 6, Feedforward(3, ReLU(), gated=True)),
        ("ReLU", "m", 3, Feedforward(3, ReLU())),
        ("powers", "m", 3, Feedforward(3, Power(3))),
        ("GELU", "0", 0, Feedforward(3, TanhGELU())),
        ("LayerScale", "d", d, Feedforward(2, SiLU()) >> LayerScale()),
        ("softmax router", "d + experts m", d + 2, Experts(2, Feedforward(1, SiLU(), gated=True), SoftmaxRouter())),
        ("sigmoid router", "experts m", 2, Experts(2, Feedforward(1, SiLU(), gated=True), SigmoidRouter())),
        ("gain of RMSNorm", "d + 8", d + 8, norm >> head),
        ("LayerNorm, readers with biases", "2 d + 3 a + 8 + 2 a", 26, LayerNorm() >> Heads(1, width=2, biases="QKVO")),
        ("LayerNorm without a bias", "d + 3 a + 8", 18, LayerNorm(bias=False) >> head),
        ("LayerNorm, readers without biases", "2 d + a + 8", 18, LayerNorm() >> head),
        ("gain behind a part", "2 h a^2", 16, Heads(2, width=2) >> norm),
        ("gain behind a part, eps = 0", "2 h a^2 + 1", 17, Heads(2, width=2) >> RMSNorm(0)),
        ("gain behind a narrow part", "8 + d - a (a + 1) / 2", 9, head >> norm),
        (
            "parallel parts, both with biases",
            "d + 8",
            d + 8,
            Parallel(Heads(1, width=2, biases="O"), Feedforward(1, SiLU(), bias=True)),
        ),
    ):
        yield Row(name, of_vectors(Residual(part)), formula, count)
    part, position = Residual(norm >> head), LearnedPosition()
    yield Row("stream", of_tokens(part, norm), "d (d - 1) / 2 + 2 d + 8", 3 + 6 + 8)
    yield Row("stream, tied", of_tokens(part, norm, tied=True), "d + 8", 3 + 8)
    yield Row("stream, eps = 0", of_tokens(Residual(RMSNorm(0) >> head), RMSNorm(0)), "... + 1", 3 + 6 + 8 + 1)
    yield Row("positions", of_tokens(position, part, norm), "... + d", 3 + 6 + 8 + 3)
    yield Row("positions, tied, logits", of_tokens(position, part, norm, tied=True), "d + 8", 3 + 8)
    shifted = of_tokens(position, part, norm, tied=True, probabilities=True)
    yield Row("positions, tied, probabilities", shifted, "d + 8 + d", 3 + 8 + 3)
    yield Row("probabilities", of_tokens(part, norm, probabilities=True), "... + d", 3 + 6 + 8 + 3)


def describe(row: Row) -> tuple[bool, str]:
    """Return whether all numbers of a row agree, and the row as one of a Markdown table."""
    report = algatt.dimension(row.net, seed=1)
    found = report.parameters - report.upper
    most = report.parameters - report.lower
    agree = row.count == found == most
    cells = (row.name, report.parameters, row.formula, row.count, found, most, "yes" if agree else "no")
    return agree, f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code."""
    parser = argparse.ArgumentParser(prog="component_table", description="What parts of transformers make redundant.")
    parser.add_argument("name", nargs="?", default="", help="rows whose names have this in them (default: all)")
    given = parser.parse_args(arguments)
    chosen = [row for row in rows() if given.name in row.name]
    if not chosen:
        parser.exit(2, f"component_table: name was {given.name!r}; it should be in one of the names of the rows\n")
    print("| part | parameters | formula | by count | found | at most | agree |")
    print("|---|---|---|---|---|---|---|")
    differ = []
    for row in chosen:
        agree, line = describe(row)
        print(line, flush=True)
        if not agree:
            differ.append(row)
    for row in differ:
        print(f"\n{row.name}: {row.net}")
        if row.net.algebraic:
            print(algatt.unexplained_kernel(row.net, algatt.sample(row.net, algatt.Weights, seed=1), seed=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
