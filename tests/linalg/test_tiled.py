"""Elimination by the workers of a Dask scheduler: processes, of which some are killed; FLINT says what is right."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest

import algatt
from algatt import PrimeField
from algatt.errors import InvalidArgument, MissingExtra, WorkersLost
from algatt.fields import Elements
from algatt.linalg import GeneratedMatrix, Tiled, rank_on_workers, tiled

MATRIX = PrimeField(31).galois([[1, 2, 3], [2, 4, 6], [1, 0, 1]])


def of_rank(p: int, height: int, width: int, rank: int) -> np.ndarray:
    rng = np.random.default_rng(p)
    left, right = rng.integers(p, size=(height, rank)).astype(object), rng.integers(p, size=(rank, width))
    return np.asarray(left @ right % p).reshape(height, width)


def ones(start: int, stop: int) -> np.ndarray:
    return np.ones((stop - start, 3), dtype=int)


def test_a_missing_package_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"^distributed is not installed; .*'\.\[distributed\]'"):
        algatt.rank(MATRIX, engine=Tiled("tcp://127.0.0.1:1"))


def test_what_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="tile was 0"):
        Tiled("tcp://127.0.0.1:1", tile=0)
    with pytest.raises(InvalidArgument, match=r"engine was Tiled\(tile=1024\), which gives ranks"):
        algatt.kernel(MATRIX, engine=Tiled("tcp://127.0.0.1:1"))


def test_generated_matrices_without_workers() -> None:
    field = PrimeField(31)
    assert algatt.rank(GeneratedMatrix(field, (5, 3), ones)) == 1
    assert algatt.rank(GeneratedMatrix(field, (0, 3), ones)) == 0
    matrix = of_rank(31, 40, 30, 20)
    raw = GeneratedMatrix(field, (40, 30), lambda start, stop: Elements(field, matrix[start:stop].astype(float)))
    assert algatt.rank(raw) == flint.nmod_mat(40, 30, matrix.ravel().tolist(), 31).rank()


@pytest.mark.parametrize(
    ("shape", "rows", "told"),
    [
        ((2, 4), ones, "rows was of shape"),
        ((2, 3), lambda start, stop: np.full((2, 3), 31), "rows was"),
        ((2, 3), lambda start, stop: Elements(PrimeField(7), np.zeros((2, 3))), "rows was over"),
        ((2, 3), "ones", "rows was 'ones'"),
        ((2, -3), ones, "shape was -3"),
        (2, ones, "shape was 2"),
    ],
)
def test_generated_matrices_that_are_none(shape: Any, rows: Any, told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        algatt.rank(GeneratedMatrix(PrimeField(31), shape, rows))


def logged_bytes(dask_worker: Any) -> int:
    return int(sum(entry["total"] for entry in dask_worker.transfer_incoming_log))


class EndsOnce:
    """Rows of a matrix; the process that is asked for some of them first is killed."""

    def __init__(self, matrix: np.ndarray, fatal: int, mark: Path | None) -> None:
        self.matrix, self.fatal, self.mark = matrix, fatal, mark

    def __call__(self, start: int, stop: int) -> np.ndarray:
        if start == self.fatal and (self.mark is None or not self.mark.exists()):
            if self.mark is not None:
                self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.matrix[start:stop]


class TestWithWorkers:
    """What is computed by two processes."""

    @pytest.fixture(scope="class")
    def cluster(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
        distributed = pytest.importorskip("distributed", reason="the extra distributed is not installed")
        folder = Path(__file__).parent
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
            with distributed.LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                local_directory=str(tmp_path_factory.mktemp("workers")),
            ) as running:
                running.scheduler.allowed_failures = 1
                yield running

    @pytest.mark.parametrize("p", [2, 3, 503, 8388593, 16777213, 2147483647, 2305843009213693951])
    def test_ranks_of_all_shapes(self, cluster: Any, p: int) -> None:
        field = PrimeField(p)
        for height, width, rank in ((45, 40, 38), (50, 20, 7), (20, 50, 20), (30, 30, 0), (0, 4, 0), (4, 0, 0)):
            matrix = of_rank(p, height, width, rank)
            matrix[3:5] = 0
            if width:
                matrix[:, : width // 4] = 0
            found = rank_on_workers(
                Tiled(cluster.scheduler_address, tile=8),
                field,
                (height, width),
                GeneratedMatrix(field, (height, width), lambda start, stop, matrix=matrix: matrix[start:stop]),
            )
            expected = flint.nmod_mat(height, width, matrix.ravel().tolist(), p).rank()
            assert found.rank == len(found.pivot_rows) == len(found.pivot_columns) == expected
            minor = matrix[np.ix_(found.pivot_rows, found.pivot_columns)]
            assert int(flint.nmod_mat(expected, expected, minor.ravel().tolist(), p).det()) != 0 or not expected

    def test_what_is_sent_is_what_dask_says(self, cluster: Any) -> None:
        """Each form goes to the other worker once, but the last one, and nothing else is sent; what Dask logs has a few
        bytes more for each.
        """
        n, tile = 96, 16
        field = PrimeField(8388593)
        matrix = of_rank(field.p, n, n, n)
        with cluster.get_client() as client:
            before = sum(client.run(logged_bytes).values())
            found = rank_on_workers(Tiled(cluster, tile=tile), field, (n, n), matrix.astype(np.float64))
            logged = sum(client.run(logged_bytes).values()) - before
        assert found.rank == n
        assert found.sent == 8 * sum(tile * (n - stop) for stop in range(tile, n, tile))
        assert found.sent <= logged <= found.sent + 1000

    def test_public_arrays_are_sent_to_the_workers(self, cluster: Any) -> None:
        assert algatt.rank(MATRIX, engine=Tiled(cluster.scheduler_address, tile=1)) == 2
        generated = GeneratedMatrix(PrimeField(31), (5, 3), lambda start, stop: np.ones((stop - start, 3), dtype=int))
        assert algatt.rank(generated, engine=Tiled(cluster.scheduler_address, tile=2)) == 1

    def test_bad_rows_are_told_from_afar(self, cluster: Any) -> None:
        generated = GeneratedMatrix(PrimeField(31), (5, 4), lambda start, stop: np.ones((stop - start, 3), dtype=int))
        with pytest.raises(InvalidArgument, match="rows was of shape"):
            algatt.rank(generated, engine=Tiled(cluster.scheduler_address, tile=2))

    def test_a_killed_worker_is_made_up_for(self, cluster: Any, tmp_path: Path) -> None:
        p = 8388593
        matrix = of_rank(p, 40, 40, 33)
        generated = GeneratedMatrix(PrimeField(p), (40, 40), EndsOnce(matrix, 24, tmp_path / "mark"))
        assert algatt.rank(generated, engine=Tiled(cluster.scheduler_address, tile=8)) == 33
        assert (tmp_path / "mark").exists()

    def test_workers_that_are_killed_again_and_again_are_an_error(self, cluster: Any) -> None:
        generated = GeneratedMatrix(PrimeField(31), (4, 4), EndsOnce(of_rank(31, 4, 4, 4), 2, None))
        with pytest.raises(WorkersLost, match="ended again and again"):
            algatt.rank(generated, engine=Tiled(cluster.scheduler_address, tile=2))

    def test_rows_that_are_lost_are_sent_again(self, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """A worker is killed that has them; the elimination begins anew, and has an end."""
        matrix = of_rank(31, 20, 20, 13)
        clear, killed = tiled.TiledElimination.wait, []

        def wait_and_kill(self: tiled.TiledElimination, futures: list[Any]) -> None:
            clear(self, futures)
            if not killed:
                killed.append(True)
                self.client.run(os._exit, 1, workers=sorted(self.client.nthreads())[:1], on_error="ignore")

        monkeypatch.setattr(tiled.TiledElimination, "wait", wait_and_kill)
        raw = Elements(PrimeField(31), matrix.astype(np.float64))
        expected = flint.nmod_mat(20, 20, matrix.ravel().tolist(), 31).rank()
        assert algatt.rank(raw, engine=Tiled(cluster.scheduler_address, tile=4)) == expected


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra distributed is not installed")
    with pytest.raises(InvalidArgument, match=r"scheduler was 'tcp://127.0.0.1:1', which does not answer"):
        algatt.rank(MATRIX, engine=Tiled("tcp://127.0.0.1:1"))
