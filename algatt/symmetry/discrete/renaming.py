"""Renamings of tensors under which a program is the same: its automorphisms, by a search that follows the operations.

Sums and entrywise products may have their terms in another order; all else is followed operand by operand. Where single
rows of a result are taken, as the shares of experts are, other rows may take their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from algatt.programs import Program
from algatt.programs.interpret import Instruction
from algatt.symmetry.discrete.coordinates import CoordinateClasses, coordinate_classes

SYMMETRIC = ("add", "multiply")


@dataclass(frozen=True)
class ListedOperation:
    """An operation whose terms are listed together, however they are grouped in the program.

    Parameters
    ----------
    label : tuple
        What has to agree.
    operands : tuple of int
        The nodes that it takes.
    symmetric : bool
        Whether their order does not matter.
    tensor : str or None
        The tensor that it reads.
    row : tuple of (axis, int), or None
        The set of coordinates and the one of them that is taken, if single rows are.
    """

    label: Hashable
    operands: tuple[int, ...]
    symmetric: bool
    tensor: str | None
    row: tuple[tuple[int, int], int] | None


@dataclass
class Trial:
    """What a search has decided so far.

    Attributes
    ----------
    images : dict of int to int
        The nodes that nodes become.
    tensors : dict of str to str
        The tensors whose place tensors take.
    rows : dict of (axis, int) to int
        The rows whose place rows of a set of coordinates take.
    """

    images: dict[int, int] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    tensors: dict[str, str] = field(default_factory=dict)
    rows: dict[tuple[tuple[int, int], int], int] = field(default_factory=dict)

    def copy(self) -> Trial:
        """Return one that can be continued by itself."""
        return Trial(dict(self.images), set(self.taken), dict(self.tensors), dict(self.rows))


Renaming = Trial
"""A search that came to its end."""

Accept = Callable[[Trial, Iterable[str]], bool]
"""Says whether what was decided may stand, given the tensors that were decided last."""

Prefer = Callable[[int, int], float]
"""Of the terms that one may become, those of smaller numbers are tried first."""


def keep_place(one: int, other: int) -> float:
    """Prefer that a term stays."""
    return float(other != one)


@dataclass(frozen=True)
class NodePair:
    """Two nodes of which the first has to become the second."""

    one: int
    other: int


@dataclass(frozen=True)
class UnorderedTerms:
    """Terms that have to become others, in any order."""

    ones: tuple[int, ...]
    others: tuple[int, ...]


@dataclass(frozen=True)
class Check:
    """The point at which the tensors that were decided since are shown to whoever accepts them."""

    before: frozenset[str]


Obligation = NodePair | UnorderedTerms | Check


class TermGraph:
    """A program with its sums and entrywise products as sets of terms.

    Parameters
    ----------
    program : Program
        The program.
    """

    def __init__(self, program: Program) -> None:
        self.classes: CoordinateClasses = coordinate_classes(program)
        self.nodes = nodes_of(program, self.classes)
        self.value = len(program) - 1
        self.of_tensor = {node.tensor: number for number, node in self.nodes.items() if node.tensor is not None}
        self.colours = colours_of(self.nodes, self.value)
        self.alike: dict[int, list[str]] = {}
        for tensor, number in self.of_tensor.items():
            self.alike.setdefault(self.colours[number], []).append(tensor)

    def search(
        self, fixed: Mapping[str, str], accept: Accept | None = None, prefer: Prefer = keep_place
    ) -> Renaming | None:
        """Return the first renaming that extends a given one, if there is any; terms keep their place if they can,
        unless others are preferred.
        """
        pairs = [NodePair(self.of_tensor[one], self.of_tensor[other]) for one, other in fixed.items()]
        branches: list[tuple[list[Obligation], Trial]] = [
            ([NodePair(self.value, self.value), *reversed(pairs)], Trial())
        ]
        while branches:
            pending, trial = branches.pop()
            if self.follow(pending, trial, accept, prefer, branches):
                return trial
        return None

    def follow(
        self,
        pending: list[Obligation],
        trial: Trial,
        accept: Accept | None,
        prefer: Prefer,
        branches: list[tuple[list[Obligation], Trial]],
    ) -> bool:
        """Meet obligations, the last one first, and return whether all were met; choices that are left become
        branches.
        """
        while pending:
            now = pending.pop()
            if isinstance(now, Check):
                if accept is not None and not accept(trial, set(trial.tensors) - now.before):
                    return False
            elif isinstance(now, NodePair):
                further = self.pair(trial, now.one, now.other)
                if further is None:
                    return False
                pending += reversed(further)
            elif now.ones:
                choices = self.choices(now, trial, prefer)
                if not choices:
                    return False
                for choice in reversed(choices[1:]):
                    branches.append(([*pending, *reversed(choice)], trial.copy()))
                pending += reversed(choices[0])
        return True

    def pair(self, trial: Trial, one: int, other: int) -> list[Obligation] | None:
        """Decide that a node becomes another one, and return what has to follow; None if it cannot."""
        if one in trial.images or other in trial.taken:
            return [] if trial.images.get(one) == other else None
        first, second = self.nodes[one], self.nodes[other]
        if self.colours[one] != self.colours[other]:
            return None
        if first.row is not None and second.row is not None:
            (axis, i), (other_axis, j) = first.row, second.row
            if axis != other_axis or trial.rows.setdefault((axis, i), j) != j:
                return None
            if sum(1 for (a, _), row in trial.rows.items() if a == axis and row == j) > 1:
                return None
        trial.images[one] = other
        trial.taken.add(other)
        if first.tensor is not None and second.tensor is not None:
            trial.tensors[first.tensor] = second.tensor
        if first.symmetric:
            return [UnorderedTerms(first.operands, second.operands)]
        return [NodePair(*pair) for pair in zip(first.operands, second.operands, strict=True)]

    def choices(self, terms: UnorderedTerms, trial: Trial, prefer: Prefer) -> list[tuple[Obligation, ...]]:
        """Return what has to follow for each of the terms that one term may become, those that are preferred first."""
        one = next((term for term in terms.ones if term in trial.images), terms.ones[0])
        targets = [other for other in dict.fromkeys(terms.others) if self.colours[other] == self.colours[one]]
        if one in trial.images:
            targets = [other for other in targets if other == trial.images[one]]
        targets.sort(key=lambda other: prefer(one, other))
        # what has no choice is looked at with what it is part of: one tensor that was changed says little there
        check = (Check(frozenset(trial.tensors)),) if len(targets) > 1 else ()
        return [
            (NodePair(one, target), *check, UnorderedTerms(without(terms.ones, one), without(terms.others, target)))
            for target in targets
        ]


def without(terms: tuple[int, ...], term: int) -> tuple[int, ...]:
    """Return terms without one of them."""
    place = terms.index(term)
    return terms[:place] + terms[place + 1 :]


def nodes_of(program: Program, classes: CoordinateClasses) -> dict[int, ListedOperation]:
    """Return the nodes of a program: sums that are used once, in a sum of their shape, are no nodes."""
    uses = Counter(operand for one in program.instructions for operand in one.operands)
    inner = {
        operand
        for one in program.instructions
        for operand in one.operands
        if one.operation in SYMMETRIC and is_inner(program.instructions[operand], one, uses[operand])
    }
    nodes = {}
    for number, one in enumerate(program.instructions):
        if number in inner:
            continue
        symmetric = one.operation in SYMMETRIC
        operands = terms_of(program, number, uses) if symmetric else one.operands
        tensor = one.argument if one.operation == "tensor" else None
        row = row_of(one, program, classes)
        argument = None if tensor is not None else one.argument[1] if row is not None else one.argument
        label = (one.operation, one.shape, argument, len(operands))
        nodes[number] = ListedOperation(label, operands, symmetric, tensor, row)
    return nodes


def terms_of(program: Program, number: int, uses: Mapping[int, int]) -> tuple[int, ...]:
    """Return the terms of a sum or of an entrywise product."""
    one = program.instructions[number]
    terms: list[int] = []
    for operand in one.operands:
        inner = is_inner(program.instructions[operand], one, uses[operand])
        terms += terms_of(program, operand, uses) if inner else (operand,)
    return tuple(terms)


def is_inner(one: Instruction, outer: Instruction, uses: int) -> bool:
    """Return whether the terms of a sum, or of a product, count as terms of another one that uses it."""
    return one.operation == outer.operation and one.shape == outer.shape and uses == 1


def row_of(one: Instruction, program: Program, classes: CoordinateClasses) -> tuple[tuple[int, int], int] | None:
    """Return the set of coordinates and the one of them that an instruction takes, if others may take its place."""
    if one.operation != "take" or len(one.argument[0]) != 1:
        return None
    (operand,) = one.operands
    axis = classes.find((operand, 0))
    whole = one.argument[1] == tuple(range(program.instructions[operand].shape[1]))
    return (axis, one.argument[0][0]) if whole and not classes.is_fixed(axis) else None


def colours_of(nodes: Mapping[int, ListedOperation], value: int) -> dict[int, int]:
    """Return numbers that are equal for nodes that may become each other, as far as their neighbourhoods tell."""
    users: dict[int, list[tuple[int, int]]] = {number: [] for number in nodes}
    for number, node in nodes.items():
        for place, operand in enumerate(node.operands):
            users[operand].append((number, -1 if node.symmetric else place))
    colours = numbered({number: (node.label, number == value) for number, node in nodes.items()})
    while True:
        refined = {}
        for number, node in nodes.items():
            below = [colours[operand] for operand in node.operands]
            above = sorted((colours[user], place) for user, place in users[number])
            refined[number] = (colours[number], tuple(sorted(below) if node.symmetric else below), tuple(above))
        after = numbered(refined)
        if len(set(after.values())) == len(set(colours.values())):
            return after
        colours = after


def numbered(keys: Mapping[int, Hashable]) -> dict[int, int]:
    """Return a number for each key, the same for equal ones."""
    numbers: dict[Hashable, int] = {}
    return {node: numbers.setdefault(key, len(numbers)) for node, key in keys.items()}
