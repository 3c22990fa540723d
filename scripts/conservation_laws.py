"""Count the quantities that gradient flow keeps for whole attention networks, and prove that there are no others.

    python scripts/conservation_laws.py
    python scripts/conservation_laws.py --json
    python scripts/conservation_laws.py --only lightning
    python scripts/conservation_laws.py --examples

Each row is a network with its parameters, the laws that `algatt.conservation_laws` reads off its symmetries, the rank
of the Lie algebra that its gradients generate, and the number of quantities that may be missing. One minute on one
core.

Exit code: 0 if all rows that have a rank are proven complete, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from options import Parser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import algatt
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    ClassToken,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Parallel,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Unembedding,
)
from algatt.testing import networks


def net(layer: Layer, tokens: int = 3, width: int = 4) -> algatt.Network:
    """Return a network of vectors."""
    return algatt.Network(layer, tokens=tokens, width=width)


def block(norm: Layer, heads: Layer, feedforward: Layer) -> Layer:
    """Return a block of a transformer with norms before its parts."""
    return Residual(norm >> heads) >> Residual(norm >> feedforward)


WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""

HEADS = Heads(2, width=2, mask=Causal())

NETWORKS = {
    "lightning, one layer": algatt.Lightning((4, 4), (2,), 3),
    "lightning, two layers": algatt.Lightning((4, 3, 4), (2, 2), 3),
    "lightning, three layers": algatt.Lightning((3, 3, 3, 3), (2, 2, 2), 3),
    "softmax, one layer": algatt.Softmax((4, 4), (2,), 3),
    "softmax, two layers": algatt.Softmax((4, 3, 4), (2, 2), 3),
    "softmax, three layers": algatt.Softmax((3, 3, 3, 3), (2, 2, 2), 3),
    "heads": net(HEADS),
    "heads with a skip connection": net(Residual(HEADS)),
    "grouped keys": net(Residual(Heads(4, key_heads=2, width=2, mask=Causal()))),
    "heads with biases": net(Residual(Heads(2, width=2, biases="QKVO"))),
    "rotary positions": net(Residual(Heads(2, width=2, mask=Causal(), position=Rotary()))),
    "ALiBi": net(Residual(Heads(2, width=2, mask=Causal(), position=ALiBi()))),
    "normalised queries and keys": net(Residual(Heads(2, width=2, norm=RMSNorm()))),
    "RMSNorm and heads": net(Residual(RMSNorm() >> HEADS)),
    "LayerNorm and heads": net(Residual(LayerNorm() >> HEADS)),
    "norm behind": net(Residual(HEADS) >> LayerNorm()),
    "layer scale": net(Residual(LayerNorm() >> HEADS >> LayerScale())),
    "two layers of heads": net(Residual(HEADS) >> Residual(HEADS)),
    "perceptron with ReLU": net(Feedforward(5, ReLU()), 1),
    "perceptron with GELU": net(Feedforward(5, GELU()), 1),
    "perceptron with squares": net(Feedforward(5, Power(2)), 1),
    "gated perceptron": net(Feedforward(5, SiLU(), gated=True), 1),
    "linear layers": net(Linear(3) >> Linear(3) >> Linear(4), 1),
    "block without norms, ReLU": net(Residual(HEADS) >> Residual(Feedforward(4, ReLU()))),
    "block without norms, GELU": net(Residual(HEADS) >> Residual(Feedforward(4, GELU()))),
    "block of Llama": net(block(RMSNorm(), HEADS, Feedforward(4, SiLU(), gated=True))),
    "block of GPT-2": net(
        block(LayerNorm(), Heads(2, width=2, mask=Causal(), biases="QKVO"), Feedforward(4, GELU(), bias=True))
    ),
    "block with ReLU": net(block(LayerNorm(), HEADS, Feedforward(4, ReLU(), bias=True))),
    "norms without gains": net(block(RMSNorm(gain=False), HEADS, Feedforward(4, SiLU(), gated=True))),
    "parallel block": net(Residual(LayerNorm() >> Parallel(HEADS, Feedforward(4, GELU())))),
    "learned positions": net(LearnedPosition() >> Residual(HEADS)),
    "class token": net(ClassToken() >> Residual(HEADS)),
    "two blocks, RMSNorm": net(2 * block(RMSNorm(), Heads(1, width=2, mask=Causal()), Feedforward(3, SiLU())), 3, 3),
    "lightning heads with tokens": algatt.Network(
        Embedding(4, 3) >> Residual(Heads(1, width=2, score=Power(1))) >> Unembedding(4), tokens=3
    ),
    "softmax heads with tokens": algatt.Network(
        Embedding(4, 3) >> Residual(Heads(1, width=2)) >> Unembedding(4), tokens=3
    ),
    "Llama with tokens": algatt.Network(
        Embedding(5, 4) >> block(RMSNorm(), HEADS, Feedforward(3, SiLU(), gated=True)) >> RMSNorm() >> Unembedding(5),
        tokens=3,
    ),
    "GPT-2 with tokens": algatt.Network(
        Embedding(5, 4)
        >> LearnedPosition()
        >> block(LayerNorm(), Heads(2, width=2, mask=Causal(), biases="QKVO"), Feedforward(3, GELU(), bias=True))
        >> LayerNorm()
        >> Unembedding(5),
        tokens=3,
    ),
}
"""Networks by name."""


def print_row(table: Table, name: str, found: algatt.geometry.ConservationLaws) -> None:
    """Add a row to the table."""
    rank = "-" if found.rank is None else f"{found.rank}"
    missing = "?" if found.missing is None else f"{found.missing}"
    numbers = (f"{found.parameters}", f"{found.independent}", rank, f"{found.depth or '-'}", missing)
    table.add_row(escape(name), *numbers, found.status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or JSON."""
    parser = Parser(prog="conservation_laws", description="Count the quantities that gradient flow keeps.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default="", metavar="TEXT", help="networks whose name has this text")
    parser.add_argument("--examples", action="store_true", help="examples of all architectures and layers instead")
    options = parser.parse_args(arguments)
    chosen = {str(arch): arch for arch in networks()} if options.examples else NETWORKS
    table = Table(title="quantities that gradient flow keeps", title_justify="left")
    table.add_column("network")
    for column in ("parameters", "laws", "Lie algebra", "brackets", "missing"):
        table.add_column(column, justify="right")
    table.add_column("complete")
    rows = []
    for name, network in chosen.items():
        if options.only not in name:
            continue
        found = algatt.conservation_laws(network)
        rows.append((name, found))
        print_row(table, name, found)
    if options.json:
        print(json.dumps([{"name": name, **found.to_dict()} for name, found in rows]))
    else:
        Console(width=None if sys.stdout.isatty() else WIDTH).print(table)
        proven = sum(found.missing == 0 for _, found in rows)
        print(f"{proven} of {len(rows)} proven complete")
    return 0 if all(found.missing in (0, None) for _, found in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
