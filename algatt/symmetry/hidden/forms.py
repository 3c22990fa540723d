r"""What a program sees of its results: linear forms of their columns and of their rows, made of the weights.

A result Z is seen through :math:`F Z G` alone, where the rows of F and the columns of G are made of weights. And all
columns of Z are in the *image* of a matrix M of weights, :math:`Z = M B`; its rows likewise. From the beginning of a
program to its end this is said of images, and from the end to the beginning of what is seen;
docs/theory/hidden_symmetries.md has the rules with their proof.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.programs.uses import Uses
from algatt.symmetry.hidden.collapsed import collapsed


class ProductForms(NamedTuple):
    """Linear forms of the products of a matrix with vectors.

    Parameters
    ----------
    forms : Forms
        The forms.
    number : int
        The matrix: a result of the program that is made of weights.
    turned : bool
        Whether it is transposed before.
    """

    forms: Forms
    number: int
    turned: bool


@dataclass(frozen=True, eq=False)
class Forms:
    """Linear forms on vectors.

    Parameters
    ----------
    size : int
        The size of the vectors.
    parts : tuple of Part or None
        What they are; None if they are all linear forms.
    rank : int
        So many of them are independent at most, at all weights: by the sizes of the matrices.
    tensors : frozenset of str
        The tensors of which they are made.
    place : int
        The place among all that are made of a program, where parts are before what is made of them.
    """

    size: int
    parts: tuple[ProductForms, ...] | None
    rank: int
    tensors: frozenset[str]
    place: int

    def is_narrow(self, tensor: str) -> bool:
        """Return whether they are not all forms on a tensor, of which they are not made."""
        return self.rank < self.size and tensor not in self.tensors


class SeenForms(NamedTuple):
    """What is seen of a result; or what its columns and its rows are combinations of.

    Parameters
    ----------
    columns : Forms
        Forms on its columns, the rows of F; or the rows of the transpose of M.
    rows : Forms
        Forms on its rows, the columns of G.
    """

    columns: Forms
    rows: Forms


class Sight:
    """The images of the results of a program, and what is seen of them.

    Parameters
    ----------
    program : Program
        The program.
    """

    def __init__(self, program: Program) -> None:
        self.uses = program.uses
        self.made: dict[tuple[int, tuple[ProductForms, ...] | None], Forms] = {}
        self.of_weights: list[bool] = []
        self.ranks: list[int] = []
        self.tensors: list[frozenset[str]] = []
        self.images: list[SeenForms] = []
        for number, one in enumerate(program.instructions):
            made = one.operation != "input" and all(self.of_weights[operand] for operand in one.operands)
            self.of_weights.append(made and self.uses.is_rational(number))
            self.tensors.append(self.tensors_of(number))
            narrow = [self.uses.height(number), self.uses.width(number)]
            if one.operation in ("product", "transpose", "negate"):
                narrow += [self.ranks[operand] for operand in one.operands]
            self.ranks.append(min(narrow))
            self.images.append(self.image(number))

    def tensors_of(self, number: int) -> frozenset[str]:
        """Return the tensors that a result made of weights reads; of others none."""
        one = self.uses[number]
        if not self.of_weights[number]:
            return frozenset()
        own = frozenset((one.argument,)) if one.operation == "tensor" else frozenset[str]()
        return own.union(*(self.tensors[operand] for operand in one.operands))

    def forms(self, size: int, parts: tuple[ProductForms, ...] | None = None) -> Forms:
        """Return linear forms, which are made once."""
        if (size, parts) not in self.made:
            rank, tensors = size, frozenset[str]()
            if parts is not None:
                rank = min(size, sum(min(part.forms.rank, self.ranks[part.number]) for part in parts))
                tensors = tensors.union(*(part.forms.tensors | self.tensors[part.number] for part in parts))
            self.made[size, parts] = Forms(size, parts, rank, tensors, len(self.made))
        return self.made[size, parts]

    def times(self, forms: Forms, number: int, *, turned: bool = False) -> Forms:
        """Return forms of the products of a matrix, or of its transpose, with vectors."""
        size = self.uses.height(number) if turned else self.uses.width(number)
        return self.forms(size, (ProductForms(forms, number, turned),))

    def joined(self, one: Forms, two: Forms) -> Forms:
        """Return linear forms and others."""
        if one.parts is None or two.parts is None:
            return one if one.parts is None else two
        return self.forms(one.size, tuple(dict.fromkeys((*one.parts, *two.parts))))

    def both(self, one: SeenForms, two: SeenForms) -> SeenForms:
        """Return what is seen by two uses together."""
        return SeenForms(self.joined(one.columns, two.columns), self.joined(one.rows, two.rows))

    def whole(self, number: int) -> SeenForms:
        """Return that all of a result is seen."""
        return SeenForms(self.forms(self.uses.height(number)), self.forms(self.uses.width(number)))

    def image(self, number: int) -> SeenForms:
        """Return of what the columns and the rows of a result are combinations."""
        uses, one = self.uses, self.uses[number]
        whole = self.whole(number)
        if len(one.shape) < 2:
            return whole
        if self.of_weights[number]:
            return SeenForms(self.times(whole.rows, number, turned=True), self.times(whole.columns, number))
        given = [self.images[operand] for operand in one.operands]
        match one.operation:
            case "product":
                left, right = one.operands
                columns, rows = given[0].columns, given[1].rows
                if self.of_weights[left]:  # A (M B) = (A M) B
                    columns = self.times(given[1].columns, left, turned=True)
                if self.of_weights[right]:
                    rows = self.times(given[0].rows, right)
                return SeenForms(columns, rows)
            case "transpose":
                return SeenForms(given[0].rows, given[0].columns)
            case "negate":
                return given[0]
            case "add" if all(uses[operand].shape == one.shape for operand in one.operands):
                return self.both(*given)
            case "multiply":
                for operand, other in (one.operands, one.operands[::-1]):
                    if uses[operand].shape == one.shape:  # (M B) diag(r) = M (B diag(r))
                        return self.some(number, self.images[operand], uses.height(other) == 1, uses.width(other) == 1)
        return whole

    def some(self, number: int, seen: SeenForms, columns: bool, rows: bool) -> SeenForms:
        """Return of a result the forms on columns, those on rows, or both; others are all forms."""
        whole = self.whole(number)
        return SeenForms(seen.columns if columns else whole.columns, seen.rows if rows else whole.rows)

    def of_results(self) -> dict[int, SeenForms]:
        """Return what is seen of each result that the value depends on."""
        last = len(self.uses) - 1
        seen = {last: self.whole(last)}
        for number in range(last, -1, -1):
            one = self.uses[number]
            if number not in seen:
                continue
            for operand, part in zip(one.operands, self.of_operands(number, seen[number]), strict=True):
                seen[operand] = self.both(part, seen[operand]) if operand in seen else part
        return seen

    def of_operands(self, number: int, seen: SeenForms) -> list[SeenForms]:
        """Return what an operation sees of its operands, if so much is seen of its result: differences of them that
        are not seen make one of the result that is not seen.
        """
        uses, one = self.uses, self.uses[number]
        whole = [self.whole(operand) for operand in one.operands]
        if len(one.shape) < 2:
            return whole
        match one.operation:
            case "product":
                left, right = one.operands
                return self.of_factors(left, right, seen)
            case "transpose":
                return [SeenForms(seen.rows, seen.columns)]
            case "negate":
                return [seen]
            case "add":
                size = uses.height(number), uses.width(number)
                return [
                    self.some(operand, seen, uses.height(operand) == size[0], uses.width(operand) == size[1])
                    for operand in one.operands
                ]
            case "multiply":  # F D diag(r) G, where the row r is as it was
                pairs = zip(one.operands, one.operands[::-1], strict=True)
                return [
                    self.some(operand, seen, uses.height(other) == 1, uses.width(other) == 1)
                    if uses[operand].shape == one.shape != uses[other].shape
                    else self.whole(operand)
                    for operand, other in pairs
                ]
            case "centre":
                return [self.some(one.operands[0], seen, False, True)]
            case "concatenate":
                return [self.some(operand, seen, one.argument == 1, one.argument == 0) for operand in one.operands]
        return whole

    def of_factors(self, left: int, right: int, seen: SeenForms) -> list[SeenForms]:
        """Return what a product A B sees of its factors: of those that are not made of weights F A, and B G; or
        F A B for an A of weights, and then of A itself what it makes of the image of B.
        """
        first, second = seen.columns, seen.rows
        if self.of_weights[left] and self.of_weights[right]:
            return [
                SeenForms(first, self.times(second, right, turned=True)),
                SeenForms(self.times(first, left), second),
            ]
        if self.of_weights[left]:
            return [SeenForms(first, self.images[right].columns), SeenForms(self.times(first, left), second)]
        if self.of_weights[right]:
            return [SeenForms(first, self.times(second, right, turned=True)), SeenForms(self.images[left].rows, second)]
        return [
            self.some(left, SeenForms(first, second), True, False),
            self.some(right, SeenForms(first, second), False, True),
        ]


@functools.lru_cache(maxsize=64)
def sight_of(program: Program) -> tuple[Program, dict[str, SeenForms]]:
    """Return a program as far as its value depends on tensors, and what it sees of these."""
    left = collapsed(program)
    seen = Sight(left).of_results()
    return left, {
        left.instructions[number].argument: one
        for number, one in seen.items()
        if left.instructions[number].operation == "tensor"
    }


def pairs_in_forms(uses: Uses) -> Iterator[tuple[str, str]]:
    """Iterate over the tensors K and Q of which a program sees (K u)^T (Q u) alone, with one column u for both."""

    def read(number: int) -> tuple[str, int] | None:
        """Return the tensor T and the column u of a product T u, if nothing else reads either T or the product."""
        one = uses[number]
        if one.operation != "product" or one.shape[1] != 1 or len(uses.users[number]) != 1:
            return None
        tensor, vector = one.operands
        alone = uses[tensor].operation == "tensor" and uses.is_used_by(tensor, number)
        return (uses[tensor].argument, vector) if alone else None

    for number in range(len(uses)):
        one = uses[number]
        if one.operation == "product" and uses[one.operands[0]].operation == "transpose":
            left, right = one.operands
            (inner,) = uses[left].operands
            keys, queries = read(inner), read(right)
            if keys and queries and keys[1] == queries[1] and uses.is_used_by(left, number):
                yield keys[0], queries[0]


def value_of_forms(forms: Forms, results: Results) -> Elements:
    """Return linear forms at weights, as the rows of a matrix."""
    needed, pending = set[Forms](), [forms]
    while pending:
        one = pending.pop()
        if one not in needed:
            needed.add(one)
            pending += [part.forms for part in one.parts or ()]
    values: dict[Forms, Elements] = {}
    for one in sorted(needed, key=lambda each: each.place):
        if one.parts is None:
            values[one] = Elements.of(results.field, np.eye(one.size, dtype=np.int64))
            continue
        blocks = []
        for inner, number, turned in one.parts:
            matrix = results[number].T if turned else results[number]
            blocks.append(matrix if inner.parts is None else values[inner] @ matrix)
        none = Elements.of(results.field, np.zeros((0, one.size), dtype=np.int64))
        values[one] = concatenate(blocks) if blocks else none
    return values[forms]
