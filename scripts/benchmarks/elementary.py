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


SMALL = layers.Residual(
    layers.RMSNorm() >> layers.Heads(2, mask=layers.Causal(), position=layers.Rotary())
) >> layers.Residual(layers.RMSNorm() >> layers.Feedforward(12, layers.SiLU(), gated=True))

READS_TOKENS = algatt.Network(layers.Embedding(20, 8) >> SMALL >> layers.RMSNorm() >> layers.Unembedding(20), tokens=3)
"""Of 888 parameters."""


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
    say("a network that reads tokens")
    figures += beside(
        f"{READS_TOKENS.parameters} parameters, three of 20 tokens",
        {
            "modulo p": lambda: proven(READS_TOKENS, algatt.Elementary()),
            "at a real point": lambda: proven(READS_TOKENS),
        },
        plan.runs,
        5.0,
        at_least=True,
    )
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
