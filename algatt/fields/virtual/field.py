"""The field of virtual forms: its table of atoms, and how forms are brought to a form that their content decides.

An operation without a rule names a new atom by its own name and by the content of its operands. So two results with
one content are one function of the input, by induction over the program, whatever the functions in it are;
docs/theory/virtual_form.md has the proof, rule by rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import NoValue
from algatt.fields.base import Elements, Field
from algatt.fields.tangents import Tangents
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Mixing,
    Moments,
    Name,
    NumberContent,
    Numbers,
    Quotients,
    Scores,
    Sums,
    Transposed,
    VirtualForm,
)
from algatt.fields.virtual.rounded import Near, Rounded


@dataclass(frozen=True, eq=False)
class Virtual(Field):
    """The field of virtual forms of results, over an exact field or within rounding.

    Parameters
    ----------
    base : Field
        Where the numbers live: an exact field, or `Rounded`.
    table : dict
        The contents with their numbers, by their hashes.
    counter : iterator of int
        The next numbers.
    moments : dict
        For atoms that are products of a matrix and of rows, by their numbers: the number of the content of the matrix,
        and how many entries it has.

    Notes
    -----
    Two points are compared over one instance, whose table names what both are made of.
    """

    base: Field
    table: dict[int, list[tuple[Hashable, Name]]] = dataclass_field(default_factory=dict, repr=False)
    counter: Iterator[int] = dataclass_field(default_factory=itertools.count, repr=False)
    moments: dict[int, tuple[int, int]] = dataclass_field(default_factory=dict, repr=False)

    __homes__ = ("algatt.fields.virtual.arithmetic", "algatt.fields.virtual.functions")

    def __str__(self) -> str:
        return f"virtual forms over {self.base}"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: equal arrays may have different forms."""
        return ()

    def tensor(self, value: Elements) -> Numbers:
        """Return a tensor of the weights."""
        return Numbers(value)

    def input(self, shape: tuple[int, int], *, tokens: bool = False) -> Columns:
        """Return the input; its columns are unit vectors if it is made of tokens."""
        rows, _ = shape
        return self.columns(shape, {self.atom(("input",), rows, total=tokens, one_hot=tokens): self.identity(rows)})

    def atom(
        self,
        content: Hashable,
        height: int,
        *,
        total: bool = False,
        factors: tuple[Atom, ...] = (),
        constant: bool = False,
        one_hot: bool = False,
        exponent: Columns | None = None,
    ) -> Atom:
        """Return the atom of a content."""
        return Atom(self.name(content), height, total, factors, constant, one_hot, exponent)

    def name(self, content: Hashable) -> Name:
        """Return the number of a content: that of the content before that is equal to it, or a new one.

        Raises
        ------
        NoValue
            If within rounding it is equal to two contents that differ.
        """
        alike = self.table.setdefault(hash(content), [])
        found = [number for known, number in alike if known == content]
        if len(found) > 1:
            raise NoValue("within rounding a content is equal to two that differ")
        if not found:
            found.append(Name(next(self.counter)))
            alike.append((content, found[0]))
        return found[0]

    def ones(self, columns: int) -> Atom:
        """Return the row of ones."""
        return self.atom(("ones", columns), 1, constant=True)

    def unit(self, columns: int) -> Atom:
        """Return the identity matrix."""
        return self.ones(1) if columns == 1 else self.atom(("unit", columns), columns, total=True, one_hot=True)

    def numbers(self, integers: np.ndarray) -> Elements:
        """Return integers as numbers."""
        return Elements(self.base, verbs.embed(self.base, integers))

    def identity(self, size: int) -> Elements:
        """Return the identity matrix of numbers."""
        return self.numbers(np.eye(size, dtype=np.int64))

    def row(self, size: int) -> Elements:
        """Return a row of ones as numbers."""
        return self.numbers(np.ones((1, size), dtype=np.int64))

    def columns(self, shape: tuple[int, int], terms: Mapping[Atom, Elements]) -> Columns:
        """Return a sum of terms: zeros are left out, and of an atom whose columns add up to one no first column is
        left, since it may be taken to the row of ones instead.
        """
        kept: dict[Atom, Elements] = {}
        ones = self.ones(shape[1])
        for atom, numbers in terms.items():
            if atom.total:
                first = numbers[:, :1]
                numbers = numbers - first @ self.row(atom.height)
                kept[ones] = kept[ones] + first if ones in kept else first
            kept[atom] = kept[atom] + numbers if atom in kept else numbers
        return Columns(shape, {atom: numbers for atom, numbers in kept.items() if not is_zero(numbers)})

    def spread(self, numbers: Elements, shape: tuple[int, int]) -> Elements:
        """Return numbers as a matrix of a shape, rows and columns repeated."""
        raw = numbers.raw.reshape(((1, 1) + numbers.shape)[-2:])
        return Elements(self.base, np.array(np.broadcast_to(raw, shape)))

    def as_columns(self, form: VirtualForm) -> Columns:
        """Return a form as a sum of terms. What is of another kind is an atom of its own."""
        match form:
            case Columns():
                return form
            case Numbers(value=value, shape=shape):
                return self.columns(shape, {self.unit(shape[1]): self.spread(value, shape)})
            case Mixing(shape=shape, atom=atom):
                return self.columns(shape, {atom: self.identity(shape[0])})
            case Scores(shape=shape, terms=terms) if not terms:
                return self.columns(shape, {})
            case Exponentials(scores=Scores(shape=shape, terms=terms), mask=mask) if not terms:
                return self.as_columns(Numbers(self.numbers(np.ones(shape, dtype=np.int64)) if mask is None else mask))
        atom = self.atom(("result", self.content(form)), form.shape[0])
        return Columns(form.shape, {atom: self.identity(atom.height)})

    def filling(self, form: VirtualForm, shape: tuple[int, int]) -> Columns | None:
        """Return a form as a sum of terms, its rows and columns repeated to fill a shape; None if they do not."""
        if isinstance(form, Numbers):
            if form.shape[1] == 1:
                numbers = self.spread(form.value, (shape[0], 1))
                return self.columns(shape, {self.ones(shape[1]): numbers})
            return self.as_columns(Numbers(self.spread(form.value, shape)))
        if form.shape[1] == 1:
            form = self.repeated(self.as_columns(form), shape[1])
        if form.shape[1] != shape[1]:
            return None
        terms = self.as_columns(form).terms
        if form.shape[0] == shape[0]:
            return Columns(shape, terms)
        return Columns(shape, {atom: self.spread(one, (shape[0], atom.height)) for atom, one in terms.items()})

    def repeated(self, column: Columns, count: int) -> Columns:
        """Return a single column, repeated."""
        if count == 1:
            return column
        terms = {}
        for atom, numbers in column.terms.items():
            content = ("repeated", atom.number, count)
            many = self.atom(content, atom.height, total=atom.total, constant=True)
            terms[self.ones(count) if atom == self.ones(1) else many] = numbers
        return Columns((column.shape[0], count), terms)

    def exponential(self, row: Columns) -> Atom:
        """Return the exponential of a row; that of zero is one."""
        if not row.terms:
            return self.ones(row.shape[1])
        constant = all(atom.constant for atom in row.terms)
        return self.atom(("exponential", self.content(row)), 1, constant=constant, exponent=row)

    def opaque(self, operation: Hashable, operands: Iterable[VirtualForm], shape: tuple[int, int]) -> Columns:
        """Return the result of an operation without a rule: an atom named by the operation and its operands."""
        content = ("operation", operation, *(self.content(operand) for operand in operands))
        return Columns(shape, {self.atom(content, shape[0]): self.identity(shape[0])})

    def content(self, form: VirtualForm) -> Hashable:
        """Return what decides whether two forms are equal."""
        match form:
            case Numbers(value=value):
                return ("numbers", form.shape, written(value))
            case Columns(shape=shape, terms=terms):
                return ("columns", shape, self.terms(terms))
            case Scores(shape=shape, terms=pairs, mask=mask):
                named = {(one.number, two.number): numbers for (one, two), numbers in pairs.items()}
                listed = tuple((pair, written(named[pair])) for pair in sorted(named))
                return ("scores", shape, listed, None if mask is None else written(mask))
            case Exponentials(scores=scores, mask=mask):
                return ("exponentials", self.content(scores), None if mask is None else written(mask))
            case Sums(of=of, factor=factor):
                return ("sums", self.content(of), written(factor))
            case Quotients(of=of, factor=factor):
                return ("quotients", self.content(of), written(factor))
            case Mixing(shape=shape, atom=atom):
                return ("mixing", shape, atom.number)
            case Moments(left=left, right=right):
                return ("moments", self.content(left), self.content(right))
            case Transposed(of=inner):
                return ("transposed", self.content(inner))
        raise AssertionError(f"{type(form).__name__} has no content")

    def terms(self, terms: Mapping[Atom, Elements]) -> Hashable:
        """Return what decides whether two sums of terms are equal."""
        return tuple((atom.number, written(terms[atom])) for atom in sorted(terms, key=lambda one: one.number))

    def leading(self, terms: Mapping[Any, Elements]) -> Elements:
        """Return the first number of a sum that is not zero, as a matrix; the sum must not be zero."""
        first = min(terms, key=lambda one: one.number if isinstance(one, Atom) else (one[0].number, one[1].number))
        raw = terms[first].raw
        place = tuple(np.argwhere(occupied(terms[first]))[0])
        return Elements(self.base, raw[place[0] : place[0] + 1, place[1] : place[1] + 1])


def written(numbers: Elements) -> NumberContent:
    """Return numbers for a content."""
    raw = values(numbers)
    if isinstance(numbers.field, Rounded):
        return NumberContent(Near(numbers.field, raw), numbers)
    entries = tuple(map(str, raw.ravel().tolist())) if raw.dtype == object else raw.astype(np.int64).tobytes()
    return NumberContent((raw.shape, entries), numbers)


def values(numbers: Elements) -> np.ndarray:
    """Return the raw values of numbers, without their tangents."""
    raw: np.ndarray = np.asarray(numbers.raw)
    return raw if raw.dtype.names is None else raw["value"]


def occupied(numbers: Elements) -> np.ndarray:
    """Return which entries are not zero."""
    if isinstance(numbers.field, Tangents):
        numbers.field.tested.append(float(numbers.raw["above"].max(initial=0)))
    return np.asarray(values(numbers) != 0)


def is_zero(numbers: Elements) -> bool:
    """Return whether all entries are zero."""
    return not np.any(occupied(numbers))


def sum_of_terms(one: Mapping[Any, Elements], two: Mapping[Any, Elements]) -> dict[Any, Elements]:
    """Return the sum of two sums of terms, those that are zero left in."""
    total = dict(one)
    for key, numbers in two.items():
        total[key] = total[key] + numbers if key in total else numbers
    return total
