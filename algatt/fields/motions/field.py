r"""The field of motions: how an array M moves when the weights do, to first order.

Each rule asks for linear equations that are sufficient for the result to move in the same manner. The rules are in the
files beside this one; docs/theory/motions.md has the proof, rule by rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from algatt import verbs
from algatt.arguments import rational
from algatt.fields.base import Field
from algatt.fields.motions.equations import MotionEquations
from algatt.fields.motions.moving import Action, Moving, sizes
from algatt.fields.motions.words import (
    EMPTY,
    Constant,
    Letter,
    Ones,
    Shift,
    Sum,
    Totals,
    Word,
    add_shifts,
    after,
    spread,
    times,
)
from algatt.fields.shape import Shape, Shapes

__all__ = ["Motions", "Moving", "sizes"]


Asked = dict[tuple[str, Letter | None, Word], int]
"""What a tensor may take up: kind, row and word, with the size of the vector."""


class Taken(NamedTuple):
    """What a tensor takes up: a sum of words times vectors is added to all of its columns or rows.

    Parameters
    ----------
    tensor : str
        Its name.
    kind : str
        ``left`` for columns, ``right`` for rows.
    shift : Shift
        What is added.
    row : Letter or None, optional
        What each column is multiplied by: the entries of this row; None for ones.
    """

    tensor: str
    kind: str
    shift: Shift
    row: Letter | None = None


@dataclass(frozen=True, eq=False)
class Motions(Field):
    """The field of motions: every operation collects equations. Its raw arrays are `Moving` values.

    Parameters
    ----------
    equations : Equations
        What was collected so far.
    shifted : bool, optional
        Whether tensors move by vectors that are added to their rows and columns; by default they move linearly. No
        equation is about both, so each is solved by itself.
    taken : list of Taken, optional
        What tensors take up that are used once: how they move besides.
    asked : dict, optional
        What tensors could take up that are used several times: kinds, rows and words, with the sizes of vectors.
    varying : dict of int to bool, optional
        For the results that have names, whether they depend on the input, or are no quotients of polynomials.
    """

    equations: MotionEquations = field(default_factory=MotionEquations)
    shifted: bool = False
    taken: list[Taken] = field(default_factory=list)
    asked: dict[str, Asked] = field(default_factory=dict)
    varying: dict[int, bool] = field(default_factory=dict)

    __homes__ = tuple(f"algatt.fields.motions.{name}" for name in ("arithmetic", "entrywise", "parts"))

    def __str__(self) -> str:
        return "motions"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: equal arrays have types that are equal after their equations are solved only."""
        return ()

    def tensor(self, name: str, shape: tuple[int, ...], *, single: bool = False, asked: Asked | None = None) -> Moving:
        """Return a tensor of the weights, which may move in any way.

        Parameters
        ----------
        name : str
            Its name.
        shape : tuple of int
            Its shape.
        single : bool, optional
            Whether it is used once, so that it may take up what is added beside it.
        asked : dict, optional
            What else it may take up.
        """
        height, width = sizes(shape)
        if not self.shifted:
            make = self.equations.unknown
            return Moving(shape, make(height, f"{name}, rows"), make(width, f"{name}, columns"), varies=False)
        shifts: dict[tuple[str, Letter | None], dict[Word, Any]] = {}
        own: Asked = {("left", None, EMPTY): height, ("right", None, EMPTY): width}
        for (kind, row, word), size in (own | (asked or {})).items():
            shifts.setdefault((kind, row), {})[word] = {self.equations.vector(size, f"{name}, {kind}"): 1}
        self.taken.extend(Taken(name, kind, shift, row) for (kind, row), shift in shifts.items())
        over = {row: shift for (_, row), shift in shifts.items() if row is not None}
        left, right = (shifts[kind, None] for kind in ("left", "right"))
        takes = {kind: (name, kind) for kind in ("left", "right")}
        still = Action(height), Action(width)
        return Moving(shape, *still, None, left, right, varies=False, takes=takes, single=single, over=over)

    def take(self, tensor: Moving, kind: str, shift: Shift) -> bool:
        """Let a tensor that is used once take up a shift, and return whether it does; what others could take up is
        noted.
        """
        name, own = tensor.takes.get(kind, ("", ""))
        if name and tensor.single:
            if shift:
                self.taken.append(Taken(name, own, shift))
            return True
        self.ask(tensor, kind, shift)
        return False

    def ask(self, tensor: Moving, kind: str, shift: Shift) -> None:
        """Note that a tensor could take up the words of a shift."""
        name, own = tensor.takes.get(kind, ("", ""))
        for word, form in shift.items() if name else ():
            self.asked.setdefault(name, {})[own, None, word] = next(iter(form)).size

    def fixed(self, shape: tuple[int, ...], constant: Any = None, *, units: bool = False) -> Moving:
        """Return an array that does not move, as the input; or a constant. The columns may be unit vectors."""
        height, width = sizes(shape)
        entries = None
        if constant is not None:
            entries = np.empty(shape, dtype=object)
            entries[...] = constant  # numpy makes numbers of arrays without axes
        totals: Totals = {None: {EMPTY: 1}} if units else {}
        return Moving(shape, Action(height), Action(width), entries, totals=totals, varies=constant is None)

    def ones(self, shape: tuple[int, ...]) -> Moving:
        """Return a constant array of ones."""
        return self.fixed(shape, np.ones(shape, dtype=np.int64))

    def require_fixed(self, raw: Moving) -> None:
        """Require an array not to move, up to shifts and factors: L and R are multiples of the identity that cancel."""
        multiple = self.equations.require_scalar(raw.rows)
        self.equations.require_zero(raw.columns + multiple.resize(raw.columns.size))

    def multiplied_by(self, shift: Shift, total: Sum | None) -> Shift:
        """Return the product of a shift with a number; without a number, require the shift to vanish."""
        if total is None:
            self.equations.require_no_shift(shift)
            return {}
        return add_shifts([{}, *(times(shift, factor, word) for word, factor in total.items())])

    def scaled(self, raw: Moving, *, numbers: bool = True) -> Moving:
        """Return a row with what is added to it as factors: it is r = q * (r / q), where the row q has no zero; what is
        added as one number to all entries only if `numbers` are to be.
        """
        kept = {} if numbers else raw.left
        if sizes(raw.shape)[0] > 1 or not (raw.right or (numbers and raw.left)):
            return raw
        added = add_shifts((raw.right, spread(raw.left, sizes(raw.shape)[1]) if numbers else {}))
        factors = add_shifts((raw.column_factors, after(raw.letter._replace(kind="inverse"), added)))
        return replace(raw, left=kept, right={}, column_factors=factors)

    def require_signs(self, raw: Moving) -> None:
        """Require factors to vanish that may change signs: all but those that exponentials make of sums."""
        for factors in (raw.row_factors, raw.column_factors):
            signed = (word for word in factors if any(letter.kind == "inverse" for letter in word.letters))
            self.equations.require_no_shift({word: factors[word] for word in signed})

    def balanced(self, raw: Moving) -> Moving:
        """Return an array with a number taken from all entries of s and added to all of r: this moves it alike."""
        height, width = sizes(raw.shape)
        ones = Letter(Ones(height, 1))
        left: list[Shift] = [{word: form for word, form in raw.left.items() if word.letters[:1] != (ones,)}]
        right = [raw.right]
        for word, form in raw.left.items():
            if word.letters[:1] == (ones,):
                right.append(spread({Word(word.letters[1:], word.numbers): form}, width))
        if any(word.is_constant for word in left[0]):
            number = self.equations.vector(1, "a number").shift
            left.append(spread(times(number, -1), height))
            right.append(spread(number, width))
        return replace(raw, left=add_shifts(left), right=add_shifts(right))

    def is_known(self, word: Word) -> bool:
        """Return whether a word depends on weights alone, and all of it has names."""
        letters = all(isinstance(one.of, Constant) or not self.varying.get(one.of, True) for one in word.letters)
        return letters and all(self.is_known(one) for one, _ in word.numbers)

    def named(self, raw: Moving, number: int, *, single: bool) -> Moving:
        """Return the result of an instruction with its number as its name, if it has none; it may be used once."""
        self.varying[number] = raw.varies
        name = raw.name or (Letter(number) if raw.constant is None else None)
        return replace(raw, name=name, single=raw.single and single)

    def require_none(self, raw: Moving, *kept: str) -> None:
        """Require all shifts and factors of an array to vanish but for some."""
        for kind in ("left", "right", "row_factors", "column_factors"):
            if kind not in kept:
                self.equations.require_no_shift(getattr(raw, kind))

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


def broadcast(verb: Any, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a sum or of an entrywise product."""
    result: Shape = verb(Shapes(), Shape(left), Shape(right))
    return result.shape


@verbs.encode.method
def encode_constant(field: Motions, array: Any, *, argument: str = "array") -> Moving:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    entries = np.empty(values.size, dtype=object)  # no entry can be too large
    listed = values.ravel().tolist()
    entries[:] = listed if values.dtype.kind in "iu" else [rational(entry, argument) for entry in listed]
    return field.fixed(values.shape, entries.reshape(values.shape))


@verbs.decode.method
def decode_moving(field: Motions, raw: Moving) -> Moving:
    return raw


@verbs.transpose.method
def transpose_moving(field: Motions, raw: Moving) -> Moving:
    return raw.T


@verbs.negate.method
def negate_moving(field: Motions, raw: Moving) -> Moving:
    if raw.constant is not None:
        return field.fixed(raw.shape, -raw.constant)
    return Moving(
        raw.shape,
        raw.rows,
        raw.columns,
        None,
        times(raw.left, -1),
        times(raw.right, -1),
        raw.row_factors,
        raw.column_factors,
        {row: negative(number) for row, number in raw.totals.items()},
        {row: negative(number) for row, number in raw.across.items()},
        varies=raw.varies,
    )


def negative(number: Sum) -> Sum:
    """Return the negative of a number."""
    return {word: -factor for word, factor in number.items()}
