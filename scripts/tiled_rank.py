"""Compute the rank of a random matrix by processes of this machine, and compare what they send with the formula.

    OPENBLAS_NUM_THREADS=1 python scripts/tiled_rank.py --size 2000 --tile 250 --workers 2

Prints the rank, the bytes that were sent as the elimination counts them, as Dask logs them and as the formula has them,
and the seconds beside those of one process.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from options import Parser, positive

import algatt
from algatt.fields import Elements
from algatt.linalg import Blas, GeneratedMatrix, Tiled, rank_on_workers
from algatt.linalg.arithmetic import arithmetic


def rows_of(p: int, columns: int, start: int, stop: int) -> np.ndarray:
    """Return rows of a random matrix, each from its own number."""
    return np.array([np.random.default_rng(row).integers(p, size=columns) for row in range(start, stop)])


def logged_bytes(dask_worker: Any) -> int:
    """Return what a worker received from others."""
    return int(sum(entry["total"] for entry in dask_worker.transfer_incoming_log))


def expected_bytes(size: int, tile: int, workers: int, entry: int) -> int:
    """Return what is sent for a square matrix of full rank, if each worker has tiles to the end and none moves."""
    starts = range(0, size, tile)
    forms = sum((min(start + tile, size) - start) * (size - min(start + tile, size)) for start in starts)
    return entry * (workers - 1) * forms


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = Parser(prog="tiled_rank", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=positive, default=1000, help="rows and columns (default: 1000)")
    parser.add_argument("--tile", type=positive, default=250, help="rows of a tile (default: 250)")
    parser.add_argument("--workers", type=positive, default=2, help="processes (default: 2)")
    options = parser.parse_args(arguments)
    try:
        import distributed
    except ImportError:
        print("tiled_rank: distributed is not installed; the extra distributed brings it", file=sys.stderr)
        return 2
    field = algatt.PrimeField()
    shape = (options.size, options.size)
    matrix = GeneratedMatrix(field, shape, partial(rows_of, field.p, options.size))
    with distributed.LocalCluster(
        n_workers=options.workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        warm = GeneratedMatrix(field, (600, 600), partial(rows_of, field.p, 600))
        rank_on_workers(Tiled(cluster, 100), field, warm.shape, warm)
        with distributed.Client(cluster) as client:
            before = sum(client.run(logged_bytes).values())
            began = time.perf_counter()
            found = rank_on_workers(Tiled(cluster, options.tile), field, shape, matrix)
            seconds = time.perf_counter() - began
            logged = sum(client.run(logged_bytes).values()) - before
    raw = matrix(0, options.size)
    began = time.perf_counter()
    alone = algatt.rank(Elements(field, raw), engine=Blas())
    single = time.perf_counter() - began
    entry = arithmetic(field, options.size**3).empty(1, 1).itemsize
    formula = expected_bytes(options.size, options.tile, options.workers, entry)
    print(f"rank {found.rank}, and {alone} by one process")
    print(f"bytes: {found.sent} counted, {logged} logged by Dask, {formula} by the formula")
    print(f"seconds: {seconds:.3g}, and {single:.3g} by one process")
    return 0 if found.rank == alone else 1


if __name__ == "__main__":
    sys.exit(main())
