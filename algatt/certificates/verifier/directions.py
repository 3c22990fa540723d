"""Directions in which tensors move: families of them, read and checked; that the value does not move along them, by the
rule of Leibniz; and a minor of them modulo a prime, which shows that they are independent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint

from .fields import Matrix, NoValue, Residues, column
from .limits import Refused, Work, fields_of, in_a_line, too_large, whole_number
from .network import Interpreter, Network
from .program import Instruction, cost_of, parse
from .words import COLUMN, MOST_WORDS, ONE, ROW, Factor, Sum, Term, Word, Words, axes, fresh, indices_of, relabel

MOST_DIRECTIONS = 4000  # of all families together
MOST_STEPS_OF_DIRECTIONS = 3 * 10**8  # at weights modulo a prime
MOST_SHOWN = 200  # characters of a formula
PLAIN = re.compile("(?!(C|S|d)$)[A-Za-z_][A-Za-z0-9_.]{0,59}")  # names of tensors that are not quoted
MOST_OPENED, FEW = 100, 4  # times that results are opened in a sum, and words that it may have then; fewer than are few
LINEAR = ("constant", "add", "transpose", "product", "multiply")  # in all operands together, or in each of two

Velocities = Mapping[str, Sequence[Instruction]]  # the programs by whose values tensors move


class Moves(Exception):
    """A result is not found to move in a way that can be followed, or the value moves."""


@dataclass(frozen=True)
class Directions:
    """A family of directions: its name; the shape of the free matrix S, if there is one; the entries of S that are one
    in turn, None if they are all; the programs of the velocities of tensors, which read tensors, and S as their input,
    with their lines in the file; and which entries of tensors it may move, if not all.
    """

    name: str
    free: tuple[int, int] | None
    entries: list[tuple[int, int]] | None
    moves: dict[str, tuple[Instruction, ...]]
    lines: dict[str, list[str]]
    owns: Callable[[str, int, int], bool] | None = None

    @property
    def count(self) -> int:
        """The number of directions."""
        return math.prod(self.free or (1, 1)) if self.entries is None else len(self.entries)

    @property
    def in_words(self) -> str:
        """What its directions are: how the tensors move."""
        count, (height, width) = self.count, self.free or (0, 0)
        told = ", ".join(f"d {plain(name)} = {formula(lines)}" for name, lines in list(self.lines.items())[:6])
        told += f" and {len(self.lines) - 6} other tensors" if len(self.lines) > 6 else ""
        if self.free is not None:
            told += f", for {'all' if count == height * width else f'{count} of the'} {height} x {width} entries of S"
        return f"the {count} direction{'s' * (count != 1)} of {in_a_line(self.name)} ({told})"

    def at(self, field: Residues, tensors: dict[str, Matrix]) -> Iterator[dict[str, Matrix]]:
        """Iterate over how tensors move as one entry of S after the other is one."""
        height, width = self.free or (1, 1)
        programs = {name: Interpreter(program, field, tensors) for name, program in self.moves.items()}
        every = (divmod(k, width) for k in range(height * width))
        for i, j in every if self.entries is None else self.entries:
            S = field.matrix(height, width, [0] * (height * width))
            S[i, j] = 1
            moved = {name: program.forward(S)[-1] for name, program in programs.items()}
            if self.owns is not None and any(
                x != 0 and not self.owns(name, *divmod(k, M.ncols()))
                for name, M in moved.items()
                for k, x in enumerate(M.entries())
            ):
                raise Moves("directions leave the piece")
            yield moved


def plain(name: str) -> str:
    """Return the name of a tensor, between quotes unless it is plain."""
    return name if PLAIN.fullmatch(name) else in_a_line(name)


def formula(lines: Sequence[str]) -> str:
    """Return what the lines of a program that was read compute, as a formula, of long parts the beginning."""
    signs = {"add": "{} + {}", "multiply": "{} * {}", "product": "{} {}", "negate": "-{}", "transpose": "{}^T"}
    found: list[str] = []
    for line in lines:
        stem, _, shape = line.partition("  :")
        operation, *words = stem.split(" ")
        parts = [found[int(word[1:])] for word in words if word.startswith("%")]
        rest = [word for word in words if not word.startswith("%")]
        if operation in signs:
            text = signs[operation].format(*(f"({one})" if " " in one or one[0] == "-" else one for one in parts))
        elif operation == "input":
            text = "S"
        elif operation == "constant":
            text = rest[0].strip("[]") if len(rest) == 1 else f"C[{shape.replace(' ', '')}]"
        else:
            text = plain(rest[0]) if operation == "tensor" else f"{operation}({', '.join([*parts, *rest])})"
        found.append(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}...")
    return found[-1]


def families_in(claims: Any, network: Network) -> list[Directions]:
    """Return the families of claims."""
    return [directions_of(f"claims.families[{k}]", one, network) for k, one in enumerate(claims["families"])]


def directions_of(where: str, claim: Any, network: Network) -> Directions:
    """Return a family, its words read and checked."""
    fields_of(where, claim, {"name": str, "free": list, "moves": dict}, {"entries": list})
    free, entries = None, None
    if claim["free"]:
        free = pair_of(f"{where}.free", claim["free"], (1, 1), (network.most, network.most))
    if "entries" in claim:
        height, width = free or (0, 0)
        entries = [pair_of(f"{where}.entries", one, (0, 0), (height - 1, width - 1)) for one in claim["entries"]]
        if not entries or len(set(entries)) < len(entries):
            raise Refused(f"{where}.entries", f"{len(entries)} entries", "different ones, at least one")
    if not claim["moves"]:
        raise Refused(f"{where}.moves", "empty", "what moves")
    moves = {name: velocity(f"{where}.moves", name, lines, network, free) for name, lines in claim["moves"].items()}
    return Directions(claim["name"], free, entries, moves, claim["moves"])


def velocity(where: str, name: str, lines: Any, network: Network, free: Any) -> tuple[Instruction, ...]:
    """Return the program of a velocity, made of tensors and S by sums, products, transposes and one over entries."""
    if name not in network.tensors:
        raise Refused(where, f"one of {in_a_line(name)}", "one of the tensors")
    program = parse(lines, network.work, network.most)
    for one in program:
        if one.operation not in ("tensor", "input", "reciprocal", *LINEAR):
            raise Refused(where, f"one with {one.operation}", "one of sums, products, transposes and one over entries")
        known = free if one.operation == "input" else one.sizes
        if one.operation == "tensor":
            known = network.read.get(one.argument)
        if one.sizes != known:
            raise Refused(where, "one that reads something else", "one that reads tensors as the network does, and S")
    if program[-1].sizes != network.tensors[name]:
        raise Refused(where, f"a velocity of {in_a_line(name)} of another shape", "one of its shape")
    return program


def pair_of(where: str, value: Any, least: tuple[int, int], most: tuple[int, int]) -> tuple[int, int]:
    """Return two integers within bounds."""
    if not isinstance(value, list) or len(value) != 2:
        raise Refused(where, in_a_line(value), "two integers")
    first, second = (whole_number(where, *one) for one in zip(value, least, most, strict=True))
    return first, second


class Leibniz(Words):
    """The derivative of a program along the velocities of its tensors. Gates stay, whatever they are of, if there are
    `tokens` alone: they do at almost all weights, since there are finitely many inputs.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int], work: Work, *, tokens: bool) -> None:
        super().__init__(program, units, work)
        self.tokens = tokens
        self.tensors = {one.argument: number for number, one in enumerate(program) if one.operation == "tensor"}
        self.first = {one: number for number, one in reversed([*enumerate(program)])}  # of those that are the same

    def run(self, free: tuple[int, int], velocities: Velocities) -> None:
        """Raise `Moves` if the value may move as tensors do, by programs that read tensors, and S of a shape."""
        self.dims[self.free] = tuple(size for size in free if size > 1)
        self.values, self.moved, self.known = dict[int, Sum](), dict[int, Sum](), {}
        for number, one in enumerate(self.program):
            self.moved[number] = {}
            if one.operation == "tensor" and one.argument in velocities:
                self.moved[number] = self.written(velocities[one.argument])[-1]
            elif any(self.moved[operand] for operand in one.operands):
                moved = self.sum(self.derivative(number, one))
                few = one.operation == "add" and len(moved) < FEW
                self.moved[number] = moved if len(moved) == 1 or self.expanded(moved, everywhere=few) else {}
            self.values[number] = self.value(number, one)
        if value := self.expanded(self.moved[len(self.program) - 1], everywhere=True):
            raise Moves(f"the value moves by a sum of {len(value)} words")

    def written(self, words: Sequence[Instruction]) -> list[Sum]:
        """Return the results of the program of a velocity in words."""
        found: list[Sum] = []
        for one in words:
            if one.operation in ("tensor", "input"):
                leaf = self.free if one.operation == "input" else self.tensors[one.argument]
                found.append({((leaf, axes(one.sizes), 1),): ONE})
            elif one.operation == "reciprocal":
                if (made := self.reciprocal(found[one.operands[0]])) is None:
                    raise Moves("a velocity divides by zero, or by no single word")
                found.append(made)
            else:
                found.append(self.sum(self.terms(one, [found[k] for k in one.operands], words)))
        return found

    def itself(self, number: int) -> Sum:
        """Return a result as a word."""
        return {((number, axes(self.shapes[number]), 1),): ONE}

    def value(self, number: int, one: Instruction) -> Sum:
        """Return the words of a result, itself if it is a function, stays or moves by multiples; know what it is of."""
        if one.operation == "reciprocal":
            made = known = self.over(one.operands[0])
        elif one.operation not in LINEAR:
            return self.itself(self.first[one])
        else:
            known = self.sum(self.terms(one, [self.values[k] for k in one.operands], self.program), opening=False)
            made = self.sum((c, word, {}) for word, c in known.items())
            if len(made) > 1 or sum(leaf not in self.constants for word in made for leaf, _, _ in word) > 1:
                closed = self.closed(number, made) if self.moved[number] else {}
                if closed is not None:
                    self.moved[number], made = closed, self.itself(number)
        self.known[number] = known
        return made

    def expanded(self, total: Sum, *, everywhere: bool) -> Sum:
        """Return a sum with what results are made of in their place, everywhere or beside unit vectors, and with values
        of indices beside these one after the other, as far as there are not too many.
        """
        for _ in range(MOST_OPENED):
            terms = (term for word, c in total.items() for term in self.opened(word, c, everywhere))
            before, total = total, self.sum(terms)
            if total == before or len(total) > MOST_OPENED:
                break
        return total

    def opened(self, word: Word, c: Any, everywhere: bool) -> list[Term]:
        """Return terms with what a result is made of in its place; or else for each value of an index, all that has it
        with an index and a unit vector of its own; or else the word.
        """
        columns = ((at[0], self.constants[leaf]) for leaf, at, _ in word if leaf in self.constants and len(at) == 1)
        units = {i for i, M in columns if sum(map(bool, M.entries())) == 1}
        for k, (leaf, at, e) in enumerate(word):
            if e == 1 and leaf in self.known and (everywhere or units & {*at}):
                return self.substituted(c, word, k, self.known[leaf])
        chosen, start = next((i for _, at, _ in word if units & {*at} for i in at if i not in units), None), fresh(word)
        apart = [(leaf, tuple(start + n if i == chosen else i for i in at), e) for n, (leaf, at, e) in enumerate(word)]
        sizes = {i: n for leaf, at, _ in apart for i, n in zip(at, self.dims[leaf], strict=True) if i >= start}
        size, new = max(sizes.values(), default=1), [*sizes, *[chosen for _ in sizes if chosen in (ROW, COLUMN)][:1]]
        vectors = [column([int(n == k) for n in range(size)]) for k in range(size)]
        return [(c, [*apart, *(self.constant((i,), one)[1][0] for i in new)], {}) for one in vectors]

    def over(self, number: int) -> Sum:
        """Return one over the entries of a result."""
        return self.reciprocal(self.values[number]) or {((number, axes(self.shapes[number]), -1),): ONE}

    def reciprocal(self, total: Sum) -> Sum | None:
        """Return one over a sum that is a single word without sums over indices and zeros; None if it is not."""
        if len(total) != 1:
            return None
        ((word, c),) = total.items()
        found: list[Factor] = []
        for leaf, at, e in word:
            M = self.constants[leaf] if leaf in self.constants else self.ones(1, 1)
            if any(i >= 0 for i in at) or not all(M.entries()):
                return None
            inverse = flint.fmpq_mat(M.nrows(), M.ncols(), [1 / x for x in M.entries()])
            found += self.constant(at, inverse)[1] if leaf in self.constants else [(leaf, at, -e)]
        return self.sum([(1 / c, found, {})])

    def terms(self, one: Instruction, sums: Sequence[Sum], program: Sequence[Instruction]) -> Iterator[Term]:
        """Iterate over what an operation makes of sums: it is linear in all of them together, or in each of two."""
        inner = program[one.operands[0]].sizes[1] if one.operation == "product" else 1
        if one.operation == "constant":
            M, at = flint.fmpq_mat(*one.sizes, one.argument), axes(one.sizes)
            yield *self.constant(at, M if one.sizes[0] > 1 else M.transpose()), {}
        elif one.operation in ("add", "transpose"):
            names = {ROW: COLUMN, COLUMN: ROW} if one.operation == "transpose" else {}
            yield from ((c, relabel(word, names), {}) for x in sums for word, c in x.items())
        else:
            yield from self.times(sums[0], sums[1], inner=inner)

    def times(self, left: Sum, right: Sum, c: Any = ONE, inner: int = 1) -> Iterator[Term]:
        """Iterate over a multiple of the products of entries of two sums, or of matrix products along an inner axis."""
        if len(left) * len(right) > MOST_WORDS:
            raise too_large("words", f"a product of sums of {len(left)} and {len(right)} words", "smaller")
        for one, x in left.items():
            k = fresh(one)
            first, second, sizes = ({COLUMN: k}, {ROW: k}, {k: inner}) if inner > 1 else ({}, {}, {})
            for other, y in right.items():
                yield c * x * y, [*relabel(one, first), *relabel(other, second, k + 1)], sizes

    def derivative(self, number: int, one: Instruction) -> Iterator[Term]:
        """Iterate over the derivative of a result by those of its operands."""
        E, D = ([at[operand] for operand in one.operands] for at in (self.values, self.moved))
        match one.operation:
            case "product" | "multiply":
                yield from self.terms(one, [D[0], E[1]], self.program)
                yield from self.terms(one, [E[0], D[1]], self.program)
            case "add" | "transpose":
                yield from self.terms(one, D, self.program)
            case "reciprocal":
                X = self.over(one.operands[0])
                yield from self.times(self.sum(self.times(X, X)), D[0], -ONE)
            case "sqrt":
                yield from self.times(self.value(number, one), self.factors(one, D[0]), ONE / 2)
            case "exp":
                yield from self.times(self.value(number, one), D[0])
            case "positive" | "largest":
                self.factors(one, D[0])
            case _:
                raise Moves(f"the operand of {one.operation} moves")

    def factors(self, one: Instruction, moved: Sum) -> Sum:
        """Return by what the operand of a root, a gate or an order is multiplied as it moves. It has to be of weights
        alone, so that no sign and no branch changes: it could have a pole where the operand is zero if it were of the
        input, as the derivative of x / sqrt(x x) is zero, and this is the sign of x. An order does not change either if
        what is added has no row; and factors have none.
        """
        largest = one.operation == "largest"
        if largest:
            moved = {word: c for word, c in moved.items() if ROW in indices_of(word)}
        found = self.sum(self.times(moved, self.over(one.operands[0])))
        for word in found if not self.tokens else ():
            if any(leaf in self.varying for leaf, _, _ in word) or (largest and ROW in indices_of(word)):
                raise Moves(f"the operand of {one.operation} moves by more than multiples that weights give")
        return found

    def closed(self, number: int, made: Sum) -> Sum | None:
        """Return the derivative of a result in words of itself, if it is a sum of products with it: words are looked
        for in which one of the result's is, with all others of the result in its place.
        """
        core, indices = next(iter(made), ()), axes(self.shapes[number])
        if not made or {i for i in indices_of(core) if i < 0} != set(indices):
            return None
        found: list[Term] = []
        rest = dict(self.moved[number])
        for word in self.moved[number]:
            for left, names in self.ways(core, word, {}) if word in rest else ():
                x, inner = rest[word] / made[core], [*left, (number, tuple(names[i] for i in indices), 1)]
                minus = self.substituted(-x, inner, len(left), made)
                after = self.sum([*((c, w, {}) for w, c in rest.items()), *minus])
                if len(after) < len(rest) and word not in after:
                    rest = after
                    found.append((x, inner, {}))
                    break
        return None if rest else self.sum(found)


def wrong_families(network: Network, families: Sequence[Directions], *, small: bool, progress: Any) -> Iterator[str]:
    """Check that the value does not move along families; with gates that stay, if `small` and it reads tokens."""
    tokens = small and network.units == (0, 0) and network.reads_tokens
    leibniz = Leibniz(network.program, network.units, network.work, tokens=tokens)
    for number, family in enumerate(families):
        progress(number, len(families))
        try:
            leibniz.run(family.free or (1, 1), family.moves)
        except Moves as error:
            yield f"the family {in_a_line(family.name)}: {error}"


def check_directions(network: Network, families: Sequence[Directions], columns: Sequence[int]) -> None:
    """Check the columns of the minor of directions, and that they are not too many, before work is done."""
    steps, count = 0, sum(family.count for family in families)
    for family in families:
        steps += family.count * (math.prod(family.free or (1, 1)) + sum(map(cost_of, family.moves.values())))
    if count > MOST_DIRECTIONS or steps > MOST_STEPS_OF_DIRECTIONS:
        should = f"of at most {MOST_DIRECTIONS} directions and {MOST_STEPS_OF_DIRECTIONS} steps"
        raise too_large("claims.families", f"of {count} directions, which take {steps} steps", should)
    if len(columns) != count or len(set(columns)) < count:
        should = f"{count} different ones, as many as there are directions"
        raise Refused("claims.directions", f"{len(columns)} numbers", should)
    list(map(network.place, columns))


def dependence(network: Network, families: Any, columns: Sequence[int], field: Any, tensors: Any) -> list[str]:
    """Return why directions are not known to be independent: a minor at some weights is zero or has no value."""
    try:
        minor = network.minor(field, columns, (row for family in families for row in family.at(field, tensors)))
    except NoValue:
        return ["the directions divide by zero"]
    except Moves as error:
        return [str(error)]
    return [] if int(minor.det()) else ["the directions are not independent in the given columns"]
