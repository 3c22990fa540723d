"""Tensors of a file by name, each read when it is asked for."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


class Float(NamedTuple):
    """A type of floating-point numbers: what numpy reads them as, last byte first, and their significant bits."""

    dtype: str
    precision: int

    def view(self, data: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Return bytes as numbers; those of bfloat16, which numpy does not have, as the float32 whose upper half they
        are.
        """
        numbers = data.view(self.dtype)
        if self == FLOATS["BF16"]:
            numbers = (numbers.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return numbers.reshape(shape)

    def size(self, shape: tuple[int, ...]) -> int:
        """Return how many bytes the numbers of an array have."""
        return math.prod(shape) * np.dtype(self.dtype).itemsize


FLOATS = {"F64": Float("<f8", 53), "F32": Float("<f4", 24), "F16": Float("<f2", 11), "BF16": Float("<u2", 8)}
"""Floating-point numbers by the names that files have for their types."""


@dataclass(frozen=True)
class FileTensor:
    """A tensor of a file.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    kind : str
        The type of its entries as the file has it: ``F32``, ``BF16``, ``Q4_1``, ...
    precision : int
        How many significant bits of its entries are known; for blocks of integers with a scale, the bits of an integer.
    read : callable
        Returns its array: a view of the file where numpy has the type, and else an array of float32.
    source : str, optional
        Its name in the file, if that is another one.
    """

    shape: tuple[int, ...]
    kind: str
    precision: int
    read: Callable[[], np.ndarray]
    source: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class FileTensors(Mapping[str, np.ndarray]):
    """The tensors of a checkpoint by name. They are mapped from the file, and read when they are asked for.

    Parameters
    ----------
    source : str
        The path of the file, or of the folder.
    members : mapping of str to Member
        What there is, in the order of the file.
    metadata : mapping of str to object, optional
        What else the file says: numbers and texts by name.
    """

    source: str
    members: Mapping[str, FileTensor]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return an array, in the precision of the file; bfloat16 and blocks of integers as float32."""
        return self.members[name].read()

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, name: object) -> bool:
        return name in self.members  # that of mappings would read it

    def __repr__(self) -> str:
        kinds = sorted({member.kind for member in self.members.values()})
        entries = sum(math.prod(member.shape) for member in self.members.values())
        return f"Tensors({self.source!r}, tensors={len(self)}, entries={entries}, kinds={', '.join(kinds)})"

    @property
    def precision(self) -> int:
        """How many significant bits are known of the least precise tensor."""
        return min((member.precision for member in self.members.values()), default=FLOATS["F64"].precision)

    def replace(self, members: Mapping[str, FileTensor]) -> FileTensors:
        """Return these tensors with others in their place, as under other names."""
        return dataclasses.replace(self, members=dict(members))
