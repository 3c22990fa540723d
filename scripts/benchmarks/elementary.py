"""Dimensions of networks with exponentials, roots and gates: at a real point in floats, modulo p, and beside networks
that are polynomials.
"""

from __future__ import annotations

import json
from typing import Any

import algatt
from algatt import layers
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed, interleaved, run_python, seconds_of

__all__ = ["measure"]

BESIDE_BALLS = algatt.Softmax((16, 16, 16), (4, 4), 4)

SQUARE = (32, 32, 32), (16, 16), 4

LARGE = ("--dims", "64,64,64", "--ranks", "32,32", "--tokens", "4", "--points", "random")

BLOCK = layers.Residual(
    layers.RMSNorm() >> layers.Heads(4, key_heads=2, width=4, mask=layers.Causal(), position=layers.Rotary())
) >> layers.Residual(layers.RMSNorm() >> layers.Feedforward(12, layers.SiLU(), gated=True))

BLOCKS = algatt.Network(2 * BLOCK, tokens=4, width=12)
"""Of 2064 parameters."""


def block(heads: int, width: int, hidden: int) -> layers.Layer:
    """Return a block of heads of some width, and of gated neurons."""
    attention = layers.Heads(heads, width=width, mask=layers.Causal(), position=layers.Rotary())
    neurons = layers.Feedforward(hidden, layers.SiLU(), gated=True)
    return layers.Residual(layers.RMSNorm() >> attention) >> layers.Residual(layers.RMSNorm() >> neurons)


def reader(vocabulary: int, width: int, blocks: layers.Layer, tokens: int) -> algatt.Network:
    """Return a network that reads tokens."""
    chain = layers.Embedding(vocabulary, width) >> blocks >> layers.RMSNorm()
    return algatt.Network(chain >> layers.Unembedding(vocabulary), tokens=tokens)


ONE, TWO = (algatt.Network(count * block(4, 4, 32), tokens=4, width=16) for count in (1, 2))
"""Of 2592 and 5184 parameters."""

READERS = {
    "888 parameters, three of 20 tokens": (reader(20, 8, block(2, 4, 12), 3), 1.0),
    "2592 parameters, four of 30 tokens": (reader(30, 12, block(3, 4, 35), 4), None),
    "two blocks, 5104 parameters, four of 36 tokens": (reader(36, 16, 2 * block(4, 4, 19), 4), None),
}
"""Networks that read tokens, and what is promised of them."""


def measure(plan: Plan) -> list[Figure]:
    """Measure all of it, or what takes seconds if quick."""
    say("softmax 16,16,16, beside balls")
    figures = beside(
        "dims 16,16,16 ranks 4,4 tokens 4",
        {
            "balls": lambda: proven(BESIDE_BALLS, algatt.Balls()),
            "modulo p": lambda: proven(BESIDE_BALLS, algatt.Elementary()),
        },
        plan.runs,
        30.0,
        at_least=True,
    )
    if plan.quick:
        return figures
    say("networks that read tokens")
    for name, (net, target) in READERS.items():
        figures.append(median_of(name, [proven(net) for _ in range(plan.runs)], "s", target))
    say("softmax 32,32,32, beside lightning")
    figures += beside(
        "dims 32,32,32 ranks 16,16 tokens 4",
        {
            "softmax": lambda: proven(algatt.Softmax(*SQUARE)),
            "lightning": lambda: proven(algatt.Lightning(*SQUARE)),
        },
        plan.runs,
        2.0,
    )
    say("two blocks of a transformer")
    name = f"two blocks with RMSNorm, grouped rotary causal heads, SwiGLU, {BLOCKS.parameters} parameters"
    figures.append(median_of(name, [proven(BLOCKS) for _ in range(plan.runs)], "s", 20.0))
    for name, net, target in (("one block, 2592 parameters", ONE, 1.0), ("two blocks, 5184 parameters", TWO, 5.0)):
        figures.append(median_of(name, [proven(net) for _ in range(plan.runs)], "s", target))
    return figures + processes()


def proven(arch: Any, field: Any = None) -> float:
    """Return the seconds of a proof.

    Raises
    ------
    ProcessFailed
        If there is none.
    """
    reports: list[Any] = []
    seconds = seconds_of(lambda: reports.append(algatt.dimension(arch, field=field)))
    if reports[0].status != "proven":
        raise ProcessFailed(f"{arch}: {reports[0].status}, not proven")
    return seconds


def beside(name: str, calls: Any, runs: int, target: float, *, at_least: bool = False) -> list[Figure]:
    """Measure two proofs in turn, and their ratio."""
    measured = interleaved(calls, runs)
    first, second = measured
    return [
        *(median_of(f"{name}, {side}", seconds, "s") for side, seconds in measured.items()),
        ratio_of(f"{name}, {first} / {second}", measured[first], measured[second], target, at_least=at_least),
    ]


def processes() -> list[Figure]:
    """Measure whole processes on 16384 parameters, softmax and lightning, once each."""
    figures = []
    for side, score in (("softmax", ("--score", "softmax")), ("lightning", ())):
        name = f"{' '.join(LARGE[1:6:2])}, {side}"
        say(name)
        run = run_python("-m", "algatt", "dimension", *LARGE, *score, "--json")
        report = json.loads(run.output)
        if report["status"] != "proven":
            raise ProcessFailed(f"{name}: {report['status']}, not proven")
        figures.append(median_of(f"{name}, {report['value']} proven, wall time", [run.seconds], "s"))
        figures.append(median_of(f"{name}, peak memory", [run.megabytes], "MB"))
    return figures
