"""The rank of a matrix whose rows lie on the workers of a Dask scheduler, in tiles of as many rows.

One tile after the other is brought into reduced form by its worker. What is left of it goes to all workers that have
later tiles; these clear its pivot columns in each of them, and leave these columns out. A tile that is cleared is a new
one, and none is changed in place: so what is lost with a worker is computed again by others, from the rows on.
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

__all__ = ["Tiled", "TiledRank", "rank_on_workers"]

ATTEMPTS = 3
"""So often an elimination is begun whose rows were lost with a worker."""

PATIENCE = 60
"""A scheduler may be without workers for so many seconds."""

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
class TiledRank:
    """The rank of a matrix on workers, and what it took.

    Parameters
    ----------
    rank : int
        The rank.
    pivot_rows, pivot_columns : tuple of int
        Rows and columns of a minor of this order that is not zero.
    sent : int
        How many bytes of reduced forms and of tiles went from one worker to another, what was computed again left out.
    """

    rank: int
    pivot_rows: tuple[int, ...]
    pivot_columns: tuple[int, ...]
    sent: int


@dataclass(frozen=True, eq=False)
class Tile:
    """Rows, in the columns that have no pivot so far.

    Parameters
    ----------
    entries : ndarray
        A working matrix, which nobody changes.
    home : str
        The worker that made it.
    forms : dict
        The bytes of the forms that came from another worker to the one that cleared the tile, by the number of the form
        and that worker: other tiles there had them too.
    moved : int
        The bytes of the tile itself that went from one worker to another.
    """

    entries: np.ndarray
    home: str
    forms: dict[tuple[int, str], int]
    moved: int

    @property
    def moving(self) -> int:
        """The same, when it comes to the worker that asks."""
        return self.moved + (self.entries.nbytes if self.home != here() else 0)

    def __sizeof__(self) -> int:  # which the scheduler asks for when it weighs where something is done
        return self.entries.nbytes


@dataclass(frozen=True, eq=False)
class Form:
    """The reduced echelon form of a tile.

    Parameters
    ----------
    pivot_rows, pivot_columns : ndarray of int
        Places in the tile.
    others : ndarray of int
        The other columns, in increasing order.
    tail : ndarray
        The form in the other columns; in those of the pivots it is the identity.
    home : str
        The worker that made it.
    forms : dict
        Of the tile.
    moved : int
        Of the tile.
    """

    pivot_rows: np.ndarray
    pivot_columns: np.ndarray
    others: np.ndarray
    tail: np.ndarray
    home: str
    forms: dict[tuple[int, str], int]
    moved: int

    def __sizeof__(self) -> int:
        return self.tail.nbytes


def here() -> str:
    """Return the address of this worker."""
    from distributed import get_worker

    return str(get_worker().address)


def tile_of_rows(calculus: Arithmetic, rows: Rows, start: int, stop: int) -> Tile:
    """Compute rows, on the worker that keeps them."""
    return Tile(calculus.enter(rows(start, stop)), here(), {}, 0)


def tile_of_array(calculus: Arithmetic, raw: np.ndarray) -> Tile:
    """Take rows that were sent."""
    return Tile(calculus.enter(raw), here(), {}, 0)


def form_of_tile(calculus: Arithmetic, tile: Tile) -> Form:
    """Bring a tile into reduced echelon form."""
    form = eliminate_working(calculus, calculus.copy(tile.entries))
    others = form.order[form.rank :]
    increasing = np.argsort(others)
    tail = form.tail()[:, increasing].astype(tile.entries.dtype, copy=False)
    return Form(form.pivot_rows, form.pivot_columns, others[increasing], tail, here(), tile.forms, tile.moving)


def cleared(calculus: Arithmetic, tile: Tile, form: Form, number: int) -> Tile:
    """Clear the pivot columns of a form in a tile, and leave them out."""
    home, forms = here(), dict(tile.forms)
    if form.home != home:
        forms[number, home] = form.tail.nbytes
    entries = tile.entries[:, form.others]
    calculus.subtract_product(entries, tile.entries[:, form.pivot_columns], form.tail)
    return Tile(entries, home, forms, tile.moving)


def without_tail(form: Form) -> Form:
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
                return Elimination(client, field, shape, engine.tile).run(rows)
            except (CancelledError, TimeoutError):  # rows that were sent are lost with their worker
                continue
    raise WorkersLost(f"workers ended in each of {ATTEMPTS} attempts")


class Elimination:
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
        self.size = size
        self.calculus = arithmetic(field, self.height * self.width * min(shape))
        self.starts = range(0, self.height, size)

    def run(self, rows: np.ndarray | Rows) -> TiledRank:
        """Eliminate all tiles, and return the rank."""
        tiles = self.tiles(rows)
        columns = np.arange(self.width)
        pivot_rows: list[int] = []
        pivot_columns: list[int] = []
        forms: dict[tuple[int, str], int] = {}
        moved = 0
        form = self.submit(form_of_tile, tiles[0]) if tiles else None
        for number, start in enumerate(self.starts):
            # the next tile is cleared first, so that its form is computed while the others are cleared
            tiles[number] = None
            for later in range(number + 1, len(tiles)):
                tiles[later] = self.submit(cleared, tiles[later], form, number, first=later == number + 1)
            following = self.submit(form_of_tile, tiles[number + 1]) if number + 1 < len(tiles) else None
            found = self.answer(self.submit(without_tail, form, plain=True))
            pivot_rows += (start + found.pivot_rows).tolist()
            pivot_columns += columns[found.pivot_columns].tolist()
            columns = np.delete(columns, found.pivot_columns)
            forms |= found.forms
            moved += found.moved
            self.wait(tiles[number + 1 :])
            form = following
        return TiledRank(len(pivot_rows), tuple(pivot_rows), tuple(pivot_columns), moved + sum(forms.values()))

    def tiles(self, rows: np.ndarray | Rows) -> list[Any]:
        """Have the tiles made. Where is left to the scheduler: tasks that are bound to a worker are lost with it."""
        self.wait_for_workers()
        tiles = []
        for start in self.starts:
            stop = min(start + self.size, self.height)
            if callable(rows):
                tiles.append(self.submit(tile_of_rows, rows, start, stop))
            else:
                tiles.append(self.submit(tile_of_array, self.client.scatter(rows[start:stop], hash=False)))
        return tiles

    def submit(self, function: Any, *inputs: Any, first: bool = True, plain: bool = False) -> Any:
        """Ask the scheduler for a value."""
        before = () if plain else (self.calculus,)
        return self.client.submit(function, *before, *inputs, pure=False, priority=int(first))

    def wait_for_workers(self) -> None:
        """Wait for a worker."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise WorkersLost(f"the scheduler had no workers for {PATIENCE} s") from None

    def answer(self, future: Any) -> Any:
        """Return a value that was asked for."""
        self.wait([future])
        try:
            return future.result()
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise WorkersLost("workers ended again and again at one tile") from None
            raise

    def wait(self, futures: list[Any]) -> None:
        """Wait for values, and see that there are workers."""
        from distributed import wait

        while futures:
            try:
                wait(futures, timeout=PATIENCE)
            except TimeoutError:
                self.wait_for_workers()
            else:
                return


@verbs.exact_rank.method
def exact_rank_tiled(engine: Tiled, field: PrimeField, raw: np.ndarray) -> int:
    height, width = raw.shape
    return rank_on_workers(engine, field, (height, width), raw).rank


@verbs.row_reduce.method
def row_reduce_tiled(engine: Tiled, field: PrimeField, raw: np.ndarray) -> Echelon:
    raise InvalidArgument("engine", f"{engine}, which gives ranks", "an engine that gives echelon forms, as Auto()")
