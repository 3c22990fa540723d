"""A file from which the elimination of the Jacobian goes on after an end that nobody planned.

It has a line that says what it is, a line of JSON, the working matrix row by row, and the SHA-256 of all this. It is
written beside and renamed, so that there always is a whole one. Nothing is believed that it says: beside the digest,
some rows of the Jacobian are computed again, and reduced by what was done.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import PrimeField
from algatt.files import check_writable, opened, write_atomically
from algatt.linalg.arithmetic import arithmetic
from algatt.linalg.elimination import PANEL, Begun

FIRST_LINE = b"algatt elimination 1\n"

MOST_LINE = 2**28
"""The line of JSON may take so many bytes: it has a few numbers for each row and column."""

PARTS = 16
"""An elimination is saved about so many times."""

WITNESSES = 8
"""So many rows are computed again when an elimination goes on."""

Rows = Callable[[list[int]], np.ndarray]
"""Returns rows of the Jacobian, by their numbers, in the columns that are eliminated."""


@dataclass(frozen=True, eq=False)
class Saved:
    """What is in a file: the number of inputs, the numbers of the rows, how far their elimination is, and the working
    matrix.
    """

    inputs: int
    origins: list[int]
    begun: Begun
    work: np.ndarray


class EliminationFile:
    """A file for the eliminations of one computation.

    Parameters
    ----------
    path : path
        Where it is, or will be.
    computation : dict
        What tells the computation from others, as plain values.

    Raises
    ------
    OutputError
        If the file cannot be written.
    InvalidArgument
        If there is one of another computation, or one that is not whole.
    """

    def __init__(self, path: str | os.PathLike[str], computation: dict[str, Any]) -> None:
        check_writable(path)
        self.path = Path(path)
        self.computation = json.loads(json.dumps(computation))
        self.awaited = self.head()["point"] if self.path.exists() else None

    def refuse(self, why: str) -> InvalidArgument:
        """Return the error that tells why the file is not taken."""
        should = "a file that this computation wrote, or none"
        return InvalidArgument("checkpoint", f"{os.fspath(self.path)!r}, {why}", should)

    def head(self) -> dict[str, Any]:
        """Return what is said before the matrix, having compared the digest of all that is in the file."""
        try:
            with opened(self.path) as stream:
                size = os.fstat(stream.fileno()).st_size
                digest = hashlib.sha256()
                left = size - digest.digest_size
                while left > 0 and (part := stream.read(min(left, 2**20))):
                    digest.update(part)
                    left -= len(part)
                if left or stream.read() != digest.digest():
                    raise self.refuse("which is cut off or changed")
                stream.seek(0)
                head = self.head_of(stream)
        except OSError as error:
            raise self.refuse(f"which cannot be read ({error.strerror or error})") from error
        if head.get("computation") != self.computation:
            raise self.refuse("which another computation wrote")
        return head

    def head_of(self, stream: IO[bytes]) -> dict[str, Any]:
        """Return the line of JSON, leaving the stream at the matrix."""
        if stream.readline(len(FIRST_LINE)) != FIRST_LINE:
            raise self.refuse("which is no checkpoint of this version")
        try:
            head: dict[str, Any] = json.loads(stream.readline(MOST_LINE))
        except ValueError as error:
            raise self.refuse("which is no checkpoint of this version") from error
        return head

    def load(self, field: PrimeField, seed: int, columns: np.ndarray, rows: Rows) -> Saved | None:
        """Return what was saved at a point, or None if nothing was.

        Raises
        ------
        InvalidArgument
            If rows of the Jacobian, computed again, are not what the file has of them.
        """
        if self.awaited != point_of(field, seed):
            return None
        self.awaited = None
        with opened(self.path) as stream:
            head = self.head_of(stream)
            height, width = head["shape"]
            if width != len(columns) or head["type"] not in ("float32", "float64"):
                raise self.refuse("which has other columns")
            work: np.ndarray = np.empty((height, width), dtype=head["type"])
            if stream.readinto(work.data.cast("B")) != work.nbytes:
                raise self.refuse("which is cut off or changed")
        begun = Begun(
            head["top"],
            np.array(head["order"], dtype=np.intp),
            tuple(head["pivot rows"]),
            tuple((first, count) for first, count in head["blocks"]),
            head["determinant"],
        )
        saved = Saved(head["inputs"], head["origins"], begun, work)
        self.check(field, saved, rows)
        return saved

    def check(self, field: PrimeField, saved: Saved, rows: Rows) -> None:
        """Compare some rows with what is left of them: of those that are done nothing, of others their row."""
        begun, work = saved.begun, saved.work
        calculus = arithmetic(PrimeField(field.p), work.size * min(work.shape))
        among = np.unique(np.linspace(0, len(work) - 1, WITNESSES).astype(int))
        drawn = calculus.enter(rows([saved.origins[row] for row in among]))[:, begun.order]
        left = calculus.leave(begun.form(calculus, work).reduce(drawn).copy())
        pending = among >= begun.top
        expected = np.zeros(left.shape)
        expected[pending] = calculus.leave(work[among[pending], begun.rank :].copy())
        if not np.array_equal(left, expected):
            raise self.refuse("whose rows are not those of the network")

    def is_due(self, begun: Begun, rows: int) -> bool:
        """Return whether enough was done of so many rows since the last time, and no other point is waited for."""
        panels = -(-rows // PANEL)
        done = begun.top // PANEL
        return self.awaited is None and done < panels and not done % -(-panels // PARTS)

    def save(self, field: PrimeField, seed: int, saved: Saved) -> None:
        """Write the file."""
        begun, work = saved.begun, saved.work
        head = {
            "computation": self.computation,
            "point": point_of(field, seed),
            "shape": work.shape,
            "type": work.dtype.name,
            "top": begun.top,
            "determinant": begun.determinant,
            "blocks": begun.blocks,
            "pivot rows": begun.pivot_rows,
            "order": begun.order.tolist(),
            "inputs": saved.inputs,
            "origins": saved.origins,
        }
        write_atomically(self.path, with_digest(FIRST_LINE + json.dumps(head).encode("ascii") + b"\n", work))

    def remove(self) -> None:
        """Remove the file, the computation being done: the matrix may be as large as the memory."""
        self.path.unlink(missing_ok=True)


def point_of(field: PrimeField, seed: int) -> dict[str, Any]:
    """Return what tells a point from others."""
    return {"field": repr(field), "seed": seed}


def with_digest(head: bytes, work: np.ndarray) -> Iterator[bytes]:
    """Iterate over the parts of a file."""
    digest = hashlib.sha256(head)
    yield head
    for row in work:
        part = np.ascontiguousarray(row).tobytes()
        digest.update(part)
        yield part
    yield digest.digest()
