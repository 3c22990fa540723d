"""One dimension in a process of its own, beside the rank of a random square matrix as large and the product of two.

Arguments: the name of a network in `NETWORKS`, and ``random`` or ``copies``. Prints JSON: seconds and processor seconds
of each, by how many bytes the dimension made the process grow at its peak, and the bytes of the matrix of all of its
rows in the columns that the symmetries leave.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import algatt
from algatt import layers
from algatt.geometry import Copies, RandomPoints

__all__ = ["NETWORKS"]

POINTS = {"random": RandomPoints(), "copies": Copies()}

PRODUCT = 4000
"""Size of the product whose rate is the ideal."""

BLOCK = layers.Residual(
    layers.RMSNorm() >> layers.Heads(4, key_heads=2, mask=layers.Causal(), position=layers.Rotary())
) >> layers.Residual(layers.RMSNorm() >> layers.Feedforward(138, layers.SiLU(), gated=True))

NETWORKS: dict[str, Callable[[], Any]] = {
    **{
        f"{name} {d}": lambda kind=kind, d=d: kind((d, d, d), (d // 2, d // 2), 4)
        for name, kind in (("lightning", algatt.Lightning), ("softmax", algatt.Softmax))
        for d in (4, 16, 32, 48, 64)
    },
    "block": lambda: algatt.Network(BLOCK, tokens=4, width=32),
}


def timed(call: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Return what a call returns, with its seconds."""
    began, busy = time.perf_counter(), time.process_time()
    result = call()
    return result, {"seconds": time.perf_counter() - began, "processor": time.process_time() - busy}


def resident() -> int:
    """Return the bytes of this process that are in memory; zero where the system does not say."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * resource.getpagesize() if path.exists() else 0


def peak() -> int:
    """Return how many bytes of this process were in memory at most."""
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS, in KiB on Linux
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main(name: str, points: str) -> None:
    """Measure one network, everything that is loaded once being there."""
    field = algatt.PrimeField()
    rng = np.random.default_rng(0)
    algatt.rank(field.galois(rng.integers(0, field.p, (1200, 1200))))
    for small in ("lightning 4", "softmax 4"):
        algatt.dimension(NETWORKS[small](), points=RandomPoints())
    arch = NETWORKS[name]()
    before = resident()
    report, dimension = timed(lambda: algatt.dimension(arch, points=POINTS[points]))
    grown = peak() - before
    n = report.value
    matrix = field.galois(rng.integers(0, field.p, (n, n)))
    order, rank = timed(lambda: algatt.rank(matrix))
    factor = rng.standard_normal((PRODUCT, PRODUCT))
    product, ideal = timed(lambda: factor @ factor)
    share = (2 / 3 * n**3) / (2 * PRODUCT**3)
    measured = {
        "status": report.status,
        "value": n,
        "parameters": arch.parameters,
        "modulo": report.evidence.prime.p,
        "dimension": dimension,
        "rank": rank,
        "ideal": {kind: share * seconds for kind, seconds in ideal.items()},
        "grown": grown,
        "matrix": 4 * n * report.upper,
        "right": order == n and product.shape == factor.shape,
    }
    print(json.dumps(measured))


if __name__ == "__main__":
    main(*sys.argv[1:])
