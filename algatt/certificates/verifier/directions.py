"""Directions in which tensors move: families of them, read and checked; that the value does not move along them, by the
rule of Leibniz; and a minor of them modulo a prime, which shows that they are independent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint

from .fields import Matrix, NoValue, Residues, ones
from .limits import MOST_NUMBERS, Refused, Work, fields_of, in_a_line, too_large, whole_number, whole_numbers
from .network import Interpreter, Network
from .program import Instruction, cost_of, parse
from .words import COLUMN, MOST_WORDS, ONE, ROW, Factor, Sum, Term, Word, Words, axes, fresh, indices_of, relabel

MOST_DIRECTIONS, MOST_FAMILIES = 4000, 20_000  # all families together; families
MOST_STEPS_OF_DIRECTIONS = 3 * 10**8  # at weights modulo a prime
MOST_SHOWN = 200  # characters of a formula
PLAIN = re.compile("(?!(C|S|d)$)[A-Za-z_][A-Za-z0-9_.]{0,59}")  # names of tensors that are not quoted
MOST_OPENED = 100  # times that results are opened in a sum, and words that it may have then
LINEAR = ("constant", "add", "transpose", "product", "multiply")  # in all operands together, or in each of two

Velocities = Mapping[str, Sequence[Instruction]]  # the programs by whose values tensors move


@dataclass(frozen=True)
class Directions:
    """A family of directions: its name; the shape of the free matrix S, None if there is one direction and no S; the
    entries of S that are not zero, one direction for each; and the programs of the velocities of tensors, which read
    tensors, and S as their input, with their lines in the file.
    """

    name: str
    free: tuple[int, int] | None
    entries: list[tuple[int, int]]
    moves: dict[str, tuple[Instruction, ...]]
    lines: dict[str, list[str]]

    @property
    def in_words(self) -> str:
        """What its directions are: how the tensors move."""
        count, (height, width) = len(self.entries), self.free or (0, 0)
        told = ", ".join(f"d {plain(name)} = {formula(lines)}" for name, lines in list(self.lines.items())[:6])
        told += f" and {len(self.lines) - 6} other tensors" if len(self.lines) > 6 else ""
        if self.free is not None:
            told += f", for {'all' if count == height * width else f'{count} of the'} {height} x {width} entries of S"
        return f"the {count} direction{'s' * (count != 1)} of {in_a_line(self.name)} ({told})"

    def at(self, field: Residues, tensors: dict[str, Matrix]) -> Iterator[dict[str, Matrix]]:
        """Iterate over how tensors move as one entry of S after the other is one."""
        height, width = self.free or (1, 1)
        programs = {name: Interpreter(program, field, tensors) for name, program in self.moves.items()}
        for i, j in self.entries:
            S = field.matrix(height, width, [0] * (height * width))
            S[i, j] = 1
            yield {name: program.forward(S)[-1] for name, program in programs.items()}


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


def families_in(claims: Any, network: Network, *, cut: bool = False) -> list[Directions]:
    """Return the families of claims; if they are to be cut, only with a first direction."""
    listed = claims["families"]
    if len(listed) > MOST_FAMILIES:
        raise too_large("claims.families", f"{len(listed)} families", f"{MOST_FAMILIES} at most")
    return [directions_of(f"claims.families[{k}]", family, network, cut=cut) for k, family in enumerate(listed)]


def directions_of(where: str, claim: Any, network: Network, *, cut: bool = False) -> Directions:
    """Return a family, its words read and checked."""
    fields_of(where, claim, {"name": str, "free": list, "moves": dict}, {} if cut else {"entries": list})
    free = None
    if claim["free"]:
        height, width = free = pair_of(f"{where}.free", claim["free"], (1, 1), (network.most, network.most))
        most = network.most if cut else MOST_NUMBERS if "entries" in claim else MOST_DIRECTIONS
        if height * width > most:
            raise too_large(f"{where}.free", f"of {height * width} entries", f"of {most} at most")
    elif "entries" in claim:
        raise Refused(f"{where}.entries", "given", "given with a free matrix alone")
    height, width = (1, 1) if cut else free or (1, 1)
    entries = [divmod(k, width) for k in range(height * width if "entries" not in claim else 0)]
    for listed in claim.get("entries", ()):
        entries.append(pair_of(f"{where}.entries", listed, (0, 0), (height - 1, width - 1)))
    if len(set(entries)) < len(entries) or not 0 < len(entries) <= MOST_DIRECTIONS:
        raise Refused(f"{where}.entries", f"{len(entries)} entries", f"1 to {MOST_DIRECTIONS} different ones")
    if not claim["moves"]:
        raise Refused(f"{where}.moves", "empty", "what moves")
    moves = {name: velocity(f"{where}.moves", name, lines, network, free) for name, lines in claim["moves"].items()}
    return Directions(claim["name"], free, entries, moves, claim["moves"])


def velocity(where: str, name: str, lines: Any, network: Network, free: Any) -> tuple[Instruction, ...]:
    """Return the program of the velocity of a tensor: of sums, products, transposes and one over entries, of tensors
    that the network reads and the free matrix.
    """
    if name not in network.tensors:
        raise Refused(where, f"one of {in_a_line(name)}", "one of the tensors")
    program = parse(lines, network.work, network.most)
    for one in program:
        if one.operation not in ("tensor", "input", "reciprocal", *LINEAR):
            raise Refused(where, f"one with {one.operation}", "one of sums, products, transposes and one over entries")
        known = free if one.operation == "input" else one.sizes
        if one.operation == "tensor":
            known = network.tensors[one.argument] if one.argument in network.read else None
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


class Moves(Exception):
    """A result is not found to move in a way that can be followed, or the value moves."""


class Leibniz(Words):
    """The derivative of a program along the velocities of its tensors. Gates stay, whatever they are of, if there are
    `tokens` alone: they do at almost all weights, since there are finitely many inputs.
    """

    def __init__(self, program: Sequence[Instruction], units: tuple[int, int], work: Work, *, tokens: bool) -> None:
        super().__init__(program, units, work)
        self.tokens = tokens
        self.tensors = {one.argument: number for number, one in enumerate(program) if one.operation == "tensor"}
        self.values: dict[int, Sum] = {}
        self.moved: dict[int, Sum] = {}
        self.still: dict[int, tuple[list[Sum], Sum, Sum | None]] = {}  # of results that do not move, by their operands

    def run(self, free: tuple[int, int], velocities: Velocities) -> None:
        """Find that the value does not move, or raise `Moves`: tensors move by the values of programs, which read
        tensors, and as their input S, of the shape `free`.
        """
        self.dims[self.free] = tuple(size for size in free if size > 1)
        self.values, self.moved, self.known = {}, {}, {}
        for number, one in enumerate(self.program):
            operands = [self.values[operand] for operand in one.operands]
            self.moved[number] = {}
            if one.operation == "tensor" and one.argument in velocities:
                self.moved[number] = self.written(velocities[one.argument])[-1]
            elif any(self.moved[operand] for operand in one.operands):
                self.moved[number] = self.sum(self.derivative(number, one))
            before, value, known = self.still.get(number, ([], None, None))
            if self.moved[number] or value is None or list(map(id, before)) != list(map(id, operands)):
                value, known = self.value(number, one)
            self.values[number] = value
            if known is not None:
                self.known[number] = known
            if not self.moved[number]:
                self.still[number] = operands, value, known
        if value := self.expanded(self.moved[len(self.program) - 1]):
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

    # ----- values

    def itself(self, number: int) -> Sum:
        """Return a result as a word."""
        return {((number, axes(self.shapes[number]), 1),): ONE}

    def value(self, number: int, one: Instruction) -> tuple[Sum, Sum | None]:
        """Return the words of a result: itself, if it is a function, does not move or moves by multiples of itself; and
        what it is in words of others, if it is no function.
        """
        if one.operation == "reciprocal":
            return (self.over(one.operands[0]),) * 2
        if one.operation not in LINEAR:
            return self.itself(number), None
        known = self.sum(self.terms(one, [self.values[k] for k in one.operands], self.program), opening=False)
        made = self.sum((c, word, {}) for word, c in known.items())
        if len(made) < 2 and sum(leaf not in self.constants for word in made for leaf, _, _ in word) < 2:
            return made, known
        if self.moved[number]:
            if (closed := self.closed(number, made)) is None:
                return made, known
            self.moved[number] = closed
        return self.itself(number), known

    def expanded(self, total: Sum) -> Sum:
        """Return a sum with what results are made of in their place, as far as there are not too many."""
        for _ in range(MOST_OPENED):
            terms: list[Term] = []
            for word, c in total.items():
                one = next((factor for factor in word if factor[2] == 1 and factor[0] in self.known), None)
                if one is None:
                    terms.append((c, word, {}))
                else:
                    rest = [other for other in word if other is not one]
                    known = self.substituted(rest, one[0], one[1], self.known[one[0]])
                    terms += [(c * x, *term) for x, *term in known]
            before, total = total, self.sum(terms)
            if total == before or len(total) > MOST_OPENED:
                break
        return total

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
            M = self.constants[leaf] if leaf in self.constants else ones(1, 1)
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
        elif inner == 1:
            yield from self.times(*sums)
        else:
            for left, c, right, x in self.pairs(*sums):
                k = fresh(left)
                yield c * x, [*relabel(left, {COLUMN: k}), *relabel(right, {ROW: k}, k + 1)], {k: inner}

    def times(self, left: Sum, right: Sum, c: Any = ONE) -> Iterator[Term]:
        """Iterate over a multiple of the products of the entries of two sums."""
        for one, x, other, y in self.pairs(left, right):
            yield c * x * y, [*one, *relabel(other, {}, fresh(one))], {}

    def pairs(self, left: Sum, right: Sum) -> Iterator[tuple[Word, Any, Word, Any]]:
        """Iterate over the words of two sums, with their coefficients."""
        if len(left) * len(right) > MOST_WORDS:
            raise too_large("words", f"a product of sums of {len(left)} and {len(right)} words", "smaller")
        return ((*one, *other) for one in left.items() for other in right.items())

    # ----- derivatives

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
                yield from self.times(self.itself(number), self.factors(one, D[0]), ONE / 2)
            case "exp":
                yield from self.times(self.itself(number), D[0])
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

    # ----- results that move by multiples of themselves

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
                at, x = tuple(names[i] for i in indices), rest[word] / made[core]
                minus = [(-c * x, *term) for c, *term in self.substituted(left, number, at, made)]
                after = self.sum([*((c, w, {}) for w, c in rest.items()), *minus])
                if len(after) < len(rest) and word not in after:
                    rest = after
                    found.append((x, [*left, (number, at, 1)], {}))
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


def check_columns(network: Network, count: int, columns: Any) -> None:
    """Check the columns of the minor of `count` directions."""
    whole_numbers("claims.directions", columns, 0, network.parameters - 1)
    if len(columns) != count or len(set(columns)) < count:
        should = f"{count} different ones, as many as there are directions"
        raise Refused("claims.directions", f"{len(columns)} numbers", should)
    if count > MOST_DIRECTIONS:
        raise too_large("claims.families", f"of {count} directions", f"of {MOST_DIRECTIONS} at most")


def check_steps(families: Sequence[Directions]) -> None:
    """Check that directions take not too long, before work is done."""
    costs = ((len(family.entries), cost_of(program)) for family in families for program in family.moves.values())
    steps = sum(entries * cost for entries, cost in costs)
    if steps > MOST_STEPS_OF_DIRECTIONS:
        raise too_large("claims.families", f"of {steps} steps", f"of {MOST_STEPS_OF_DIRECTIONS} at most")


def dependence(
    network: Network, families: Sequence[Directions], columns: Sequence[int], field: Residues, tensors: Any
) -> list[str]:
    """Return why directions are not known to be independent: a minor at some weights is zero or has no value."""
    try:
        minor = network.minor(field, columns, (row for family in families for row in family.at(field, tensors)))
    except NoValue:
        return ["the directions divide by zero"]
    return [] if int(minor.det()) else ["the directions are not independent in the given columns"]
