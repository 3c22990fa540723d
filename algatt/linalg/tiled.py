"""The rank of a matrix whose rows lie on the workers of a Dask scheduler, in tiles of as many rows.

One tile after the other is brought into reduced form by its worker. What is left of it goes to all workers that have
later tiles; these clear its pivot columns in each of them, and leave these columns out. Tiles stay where they are, and
so nothing else is sent; when a worker ends all begins anew, on those that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument, WorkersLost
from algatt.fields import PrimeField
from algatt.linalg.arithmetic import Arithmetic, arithmetic
from algatt.linalg.echelon import Echelon
from algatt.linalg.elimination import eliminate_working
from algatt.linalg.engines import Engine
from algatt.schedulers import connected
from algatt.verbs.views import Tabled

ATTEMPTS = 3
"""So often an elimination is begun in which a worker ends."""

PATIENCE = 60
"""A scheduler may be without workers for so many seconds."""

LOOK = 1
"""After so many seconds of waiting it is seen whether all workers are there."""

Rows = Callable[[int, int], np.ndarray]


@dataclass(frozen=True)
class Tiled(Engine):
    """Elimination by the workers of a Dask scheduler, each of which holds some of the rows; from the extra
    ``distributed``. It gives ranks, and no echelon forms.

    Parameters
    ----------
    scheduler : str or distributed.Client or LocalCluster
        Where the scheduler is, such as ``tcp://192.168.1.5:8786``, or what Dask's `Client` takes instead.
    tile : int, optional
        How many rows are in a tile.

    Raises
    ------
    InvalidArgument
        If `tile` is not an integer >= 1; when it is used, if the scheduler does not answer, or an echelon form is
        asked for.
    MissingExtra
        When it is used, if Dask is not installed.
    WorkersLost
        When it is used, if workers end again and again.
    """

    scheduler: Any = attribute(repr=False)
    tile: int = 1024

    def __post_init__(self) -> None:
        whole("tile", self.tile)


@dataclass(frozen=True)
class TiledRank(Tabled):
    """The rank of a matrix on workers, and what it took.

    Parameters
    ----------
    rank : int
        The rank.
    pivot_rows, pivot_columns : tuple of int
        Rows and columns of a minor of this order that is not zero.
    sent : int
        How many bytes of reduced forms went from one worker to another.
    """

    rank: int
    pivot_rows: tuple[int, ...]
    pivot_columns: tuple[int, ...]
    sent: int


@dataclass(frozen=True, eq=False)
class TileForm:
    """The reduced echelon form of a tile.

    Parameters
    ----------
    pivot_rows, pivot_columns : ndarray of int
        Places in the tile.
    others : ndarray of int
        The other columns, in increasing order.
    tail : ndarray
        The form in the other columns; in those of the pivots it is the identity.
    size : int
        The bytes of `tail`.
    """

    pivot_rows: np.ndarray
    pivot_columns: np.ndarray
    others: np.ndarray
    tail: np.ndarray
    size: int

    def __sizeof__(self) -> int:
        return self.tail.nbytes


def tile_of_rows(calculus: Arithmetic, rows: Rows, start: int, stop: int) -> np.ndarray:
    """Compute rows, on the worker that keeps them."""
    return calculus.enter(rows(start, stop))


def entered(calculus: Arithmetic, raw: np.ndarray) -> np.ndarray:
    """Take rows that were sent."""
    return calculus.enter(raw)


def form_of_tile(calculus: Arithmetic, tile: np.ndarray) -> TileForm:
    """Bring a tile into reduced echelon form."""
    form = eliminate_working(calculus, calculus.copy(tile))
    others = form.order[form.rank :]
    increasing = np.argsort(others)
    tail = form.tail()[:, increasing].astype(tile.dtype, copy=False)
    return TileForm(form.pivot_rows, form.pivot_columns, others[increasing], tail, tail.nbytes)


def cleared(calculus: Arithmetic, tile: np.ndarray, form: TileForm) -> np.ndarray:
    """Clear the pivot columns of a form in a tile, and leave them out."""
    entries = tile[:, form.others]
    calculus.subtract_product(entries, tile[:, form.pivot_columns], form.tail)
    return entries


def without_tail(form: TileForm) -> TileForm:
    """Return what is small of a form."""
    return replace(form, tail=form.tail[:0])


def rank_on_workers(engine: Tiled, field: PrimeField, shape: tuple[int, int], rows: np.ndarray | Rows) -> TiledRank:
    """Return the rank of a matrix, with a minor, computed by the workers of a scheduler.

    Parameters
    ----------
    engine : Tiled
        The scheduler, and the size of the tiles.
    field : PrimeField
        The field.
    shape : (int, int)
        The numbers of rows and columns.
    rows : ndarray or callable
        Raw residues, which are sent to the workers; or ``rows(start, stop)``, which returns some of them and which the
        workers call.

    Raises
    ------
    WorkersLost
        If workers end again and again, or none is left.
    """
    with connected(engine.scheduler) as client, client.as_current():
        for _ in range(ATTEMPTS):
            try:
                return TiledElimination(client, field, shape, engine.tile).run(rows)
            except (CancelledError, HomeLost):
                continue
    raise WorkersLost(f"workers ended again and again: in each of {ATTEMPTS} attempts")


class HomeLost(Exception):
    """A worker that has tiles is not there any more."""


class TiledElimination:
    """One elimination, as the process sees it that asks for it.

    Parameters
    ----------
    client : distributed.Client
        The connection to the scheduler.
    field : PrimeField
        The field.
    shape : (int, int)
        The numbers of rows and columns.
    size : int
        The number of rows of a tile.
    """

    def __init__(self, client: Any, field: PrimeField, shape: tuple[int, int], size: int) -> None:
        self.client = client
        self.height, self.width = shape
        self.calculus = arithmetic(field, self.height * self.width * min(shape))
        self.starts = range(0, self.height, size)
        self.size = size
        self.homes = self.places(len(self.starts))

    def places(self, count: int) -> list[str]:
        """Return for each tile the worker that has it to the end: they take turns, as often as they have threads."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise WorkersLost(f"the scheduler had no workers for {PATIENCE} s") from None
        threads = self.client.nthreads()
        turns = [name for turn in range(max(threads.values(), default=0)) for name in threads if threads[name] > turn]
        if not turns:  # they ended in between
            raise HomeLost
        return [turns[number % len(turns)] for number in range(count)]

    def run(self, rows: np.ndarray | Rows) -> TiledRank:
        """Eliminate all tiles, and return the rank."""
        tiles = self.tiles(rows)
        columns = np.arange(self.width)
        pivot_rows: list[int] = []
        pivot_columns: list[int] = []
        sent = 0
        form = self.submit(0, form_of_tile, tiles[0]) if tiles else None
        for number, start in enumerate(self.starts):
            # the next tile is cleared first, so that its form is computed while the others are cleared
            tiles[number] = None
            for later in range(number + 1, len(tiles)):
                tiles[later] = self.submit(later, cleared, tiles[later], form, first=later == number + 1)
            following = self.submit(number + 1, form_of_tile, tiles[number + 1]) if number + 1 < len(tiles) else None
            found = self.answer(self.submit(number, without_tail, form, plain=True))
            pivot_rows += (start + found.pivot_rows).tolist()
            pivot_columns += columns[found.pivot_columns].tolist()
            columns = np.delete(columns, found.pivot_columns)
            sent += found.size * len({*self.homes[number + 1 :]} - {self.homes[number]})
            self.wait(tiles[number + 1 :])
            form = following
        return TiledRank(len(pivot_rows), tuple(pivot_rows), tuple(pivot_columns), sent)

    def tiles(self, rows: np.ndarray | Rows) -> list[Any]:
        """Have the tiles made where they stay."""
        tiles = []
        for number, start in enumerate(self.starts):
            stop = min(start + self.size, self.height)
            if callable(rows):
                tiles.append(self.submit(number, tile_of_rows, rows, start, stop))
            else:
                part = self.client.scatter(rows[start:stop], workers=[self.homes[number]], hash=False)
                tiles.append(self.submit(number, entered, part))
        return tiles

    def submit(self, tile: int, function: Any, *inputs: Any, first: bool = True, plain: bool = False) -> Any:
        """Ask the worker that has a tile for a value."""
        before = () if plain else (self.calculus,)
        home = [self.homes[tile]]
        return self.client.submit(function, *before, *inputs, pure=False, priority=int(first), workers=home)

    def answer(self, future: Any) -> Any:
        """Return a value that was asked for."""
        self.wait([future])
        try:
            return future.result()
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise HomeLost from None
            raise

    def wait(self, futures: list[Any]) -> None:
        """Wait for values, and see that the workers are there: what is bound to one is not done elsewhere."""
        from distributed import wait

        while futures:
            try:
                wait(futures, timeout=LOOK)
            except TimeoutError:
                if not {*self.homes} <= {*self.client.nthreads()}:
                    raise HomeLost from None
            else:
                return


@verbs.exact_rank.method
def exact_rank_tiled(engine: Tiled, field: PrimeField, raw: np.ndarray) -> int:
    height, width = raw.shape
    return rank_on_workers(engine, field, (height, width), raw).rank


@verbs.row_reduce.method
def row_reduce_tiled(engine: Tiled, field: PrimeField, raw: np.ndarray) -> Echelon:
    raise InvalidArgument("engine", f"{engine}, which gives ranks", "an engine that gives echelon forms, as Auto()")
