"""Families of directions, read and checked; and evaluated modulo a prime, where they have to be independent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .fields import Matrix, NoValue, Residues
from .leibniz import LINEAR, Leibniz, Moves
from .limits import MOST_NUMBERS, Refused, fields_of, in_a_line, too_large, whole_number, whole_numbers
from .network import Interpreter, Network
from .program import Instruction, cost_of, parse

MOST_DIRECTIONS, MOST_FAMILIES = 4000, 20_000  # all families together; families
MOST_STEPS_OF_DIRECTIONS = 3 * 10**8  # at weights modulo a prime
MOST_SHOWN = 200  # characters of a formula
PLAIN = re.compile("(?!(C|S|d)$)[A-Za-z_][A-Za-z0-9_.]{0,59}")  # names of tensors that are not quoted


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
