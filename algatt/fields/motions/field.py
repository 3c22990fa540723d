r"""The field of types: an array M is typed by the pair (L, R) with :math:`\dot M = L M + M R` when the weights move.

Each rule asks for linear equations that are sufficient for the result to move in the same manner. The rules are in the
files beside this one; docs/theory/types.md has the proof, rule by rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import rational
from algatt.errors import InvalidArgument
from algatt.fields.base import Field
from algatt.fields.motions.action import Action
from algatt.fields.motions.constants import Constant
from algatt.fields.motions.equations import Equations

__all__ = ["Motions", "Moving", "sizes"]


@dataclass(frozen=True, eq=False)
class Moving:
    """A matrix without entries that knows how it moves.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    rows, columns : Action
        L and R.
    constant : ndarray or None
        Its entries, if it is a constant of the code; then L and R are zero.
    """

    shape: tuple[int, ...]
    rows: Action
    columns: Action
    constant: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Motions(Field):
    """The field of types: every operation collects equations. Its raw arrays are `Moving` values.

    Parameters
    ----------
    equations : Equations
        What was collected so far.
    """

    equations: Equations = field(default_factory=Equations)

    __homes__ = tuple(f"algatt.fields.motions.{name}" for name in ("arithmetic", "parts"))

    def __str__(self) -> str:
        return "types"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: equal arrays have types that are equal after their equations are solved only."""
        return ()

    def tensor(self, name: str, shape: tuple[int, ...]) -> Moving:
        """Return a tensor of the weights: it may move in any way."""
        height, width = sizes(shape)
        make = self.equations.unknown
        return Moving(shape, make(height, f"{name}, rows"), make(width, f"{name}, columns"))

    def fixed(self, shape: tuple[int, ...], constant: Any = None) -> Moving:
        """Return an array that does not move, as the input; or a constant."""
        height, width = sizes(shape)
        entries = None
        if constant is not None:
            entries = np.empty(shape, dtype=object)
            entries[...] = constant  # numpy makes numbers of arrays without axes
        return Moving(shape, Action(height), Action(width), entries)

    def ones(self, shape: tuple[int, ...]) -> Moving:
        """Return a constant array of ones."""
        return self.fixed(shape, np.ones(shape, dtype=np.int64))

    def require_fixed(self, raw: Moving) -> None:
        """Require an array not to move: L and R are multiples of the identity that cancel."""
        multiple = self.equations.require_scalar(raw.rows)
        self.equations.require_zero(raw.columns + multiple.resize(raw.columns.size))

    def is_same(self, one: Moving, other: Moving) -> bool:
        """Return whether two arrays move alike by the equations that were collected so far; of constants it is not
        asked.
        """
        if one.constant is not None or other.constant is not None or one.shape != other.shape:
            return False
        differences = (one.rows - other.rows, one.columns - other.columns)
        return all(self.equations.resolve(difference).zero for difference in differences)

    def image(self, constant: Constant, action: Action, label: str) -> Action:
        """Return the action A with A C = C B for a constant matrix C and an action B."""
        action, size = self.equations.resolve(action), constant.shape[0]
        if action.scalar:
            return action.resize(size)
        image = self.equations.unknown(size, label)
        self.equations.require_intertwining(image, constant, action)
        return image


def sizes(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    if len(shape) > 2:
        raise InvalidArgument("shape", repr(shape), "that of a matrix, as types are about matrices")
    height, width = ((1, 1) + tuple(shape))[-2:]
    return height, width


@verbs.encode.method
def encode_constant(field: Motions, array: Any, *, argument: str = "array") -> Moving:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    entries = np.empty(values.size, dtype=object)  # no entry can be too large
    listed = values.ravel().tolist()
    entries[:] = listed if values.dtype.kind in "iu" else [rational(entry, argument) for entry in listed]
    return field.fixed(values.shape, entries.reshape(values.shape))


@verbs.decode.method
def decode_typed(field: Motions, raw: Moving) -> Moving:
    return raw


@verbs.transpose.method
def transpose_typed(field: Motions, raw: Moving) -> Moving:
    constant = None if raw.constant is None else np.swapaxes(raw.constant, -1, -2)
    return Moving(raw.shape[::-1], raw.columns.T, raw.rows.T, constant)


@verbs.negate.method
def negate_typed(field: Motions, raw: Moving) -> Moving:
    return raw if raw.constant is None else field.fixed(raw.shape, -raw.constant)
