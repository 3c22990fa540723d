"""Places modulo p for several sequences of tokens together: one residue for what is one function of the weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Erf, Exp, PrimeField, Sigmoid, Sqrt
from algatt.fields.elementary import Given, square_roots, squares
from algatt.fields.prime import power
from algatt.maps.elementary.drawing import without_zeros
from algatt.maps.elementary.reading import Reading
from algatt.maps.elementary.tokens.numbering import Draw, Numbered
from algatt.programs.interpret import result
from algatt.randomness import random_residues

__all__ = ["Dependent", "Relations", "Sequences", "TokenPlace"]


class Dependent(Exception):
    """Raised where functions depend on others, so that the sequences that have them are left out."""

    def __init__(self, functions: set[int], reason: str) -> None:
        super().__init__(reason)
        self.functions = functions
        self.reason = reason


@dataclass(frozen=True, eq=False)
class Relations:
    """Exponents that are combinations of others.

    Parameters
    ----------
    powers : dict of Draw to dict of Draw to int
        For each exponential that is not drawn the powers of what is drawn whose product it is.
    roots : dict of Draw to int
        What is drawn for an exponential is its root of so high an order, 1 unless given.
    """

    powers: dict[Draw, dict[Draw, int]]
    roots: dict[Draw, int]

    def factors(self, draw: Draw) -> dict[Draw, int]:
        """Return the powers of what is drawn whose product an exponential is."""
        return self.powers.get(draw, {draw: self.roots.get(draw, 1)})


@dataclass(frozen=True, eq=False)
class Sequences:
    """What is known of a network at several sequences of tokens, by its code alone.

    Parameters
    ----------
    reading : Reading
        The program.
    inputs : ndarray
        The inputs: for each sequence a matrix of integers.
    gates : dict of int to ndarray
        The values of the gates for each sequence, by the numbers of their instructions.
    numbered : Numbered
        The entries of all results as functions of the weights.
    relations : Relations
        Exponents that are combinations of others.
    """

    reading: Reading
    inputs: np.ndarray
    gates: dict[int, np.ndarray]
    numbered: Numbered
    relations: Relations

    def __len__(self) -> int:
        return len(self.inputs)

    @cached_property
    def exponentials(self) -> tuple[Draw, ...]:
        """The different exponentials of which values are made."""
        return self.drawn_as("exp")

    @cached_property
    def error_functions(self) -> tuple[Draw, ...]:
        """The different error functions of which values are made."""
        return self.drawn_as("erf")

    def drawn_as(self, kind: str) -> tuple[Draw, ...]:
        """Return what of one kind has residues of its own, and exponentials that are tied."""
        numbering = self.numbered.numbering
        found = {numbering.draw(number): None for number in sorted(self.numbered.reached)}
        return tuple(draw for draw in found if draw is not None and draw[0] == kind)

    @cached_property
    def positions(self) -> dict[int, np.ndarray]:
        """For each exponential and error function of the program the positions among `exponentials` or
        `error_functions` that its entries have, -1 where it is 1 or is not reached.
        """
        reading = self.reading
        found: dict[int, np.ndarray] = {}
        exponentials = {draw: position for position, draw in enumerate(self.exponentials)}
        errors = {draw: position for position, draw in enumerate(self.error_functions)}
        for number, function in reading.functions.items():
            if isinstance(function, Exp | Sigmoid):
                exponent = reading.exponents[number]
                names = [("exp", exponent.scale, entry) for entry in self.entries(exponent.base).ravel().tolist()]
                positions = [exponentials.get(name, -1) for name in names]
            elif isinstance(function, Erf):
                entries = self.entries(reading.source(number)).ravel().tolist()
                positions = [errors.get(("erf", None, entry), -1) for entry in entries]
            else:
                continue
            found[number] = np.array(positions).reshape(self.entries(number).shape)
        return found

    def entries(self, number: int) -> np.ndarray:
        """Return the numbers of the entries of a result, for each sequence."""
        found = self.numbered.results[number]
        return np.broadcast_to(found, (len(self), *self.reading.program.instructions[number].shape))

    @cached_property
    def draws(self) -> dict[Draw, int]:
        """What may be drawn anew for a root, with a number for each: entries of tensors, and exponentials."""
        numbering = self.numbered.numbering
        named: dict[Draw, int] = {}
        for number in sorted(self.numbered.reached):
            draw = numbering.draw(number)
            if draw is not None:
                for factor in self.relations.factors(draw) if draw[0] == "exp" else (draw,):
                    named.setdefault(factor, len(named))
        return named

    @cached_property
    def behind(self) -> list[int]:
        """For each function the draws on which its residue depends, as the bits of a number."""
        numbering = self.numbered.numbering
        found: list[int] = []
        for number, node in enumerate(numbering.nodes):
            bits = 0
            draw = numbering.draw(number)
            if draw is None:
                for child in node.children:
                    bits |= found[child]
            elif number in self.numbered.reached:
                for factor in self.relations.factors(draw) if draw[0] == "exp" else (draw,):
                    bits |= 1 << self.draws[factor]
            found.append(bits)
        return found

    @cached_property
    def where(self) -> dict[int, tuple[int, int, int]]:
        """For each function of which an exponential, an error function or a root is taken one of the places where it
        is met: an instruction, a sequence, an entry.
        """
        reading = self.reading
        found: dict[int, tuple[int, int, int]] = {}
        for number, function in reading.functions.items():
            if isinstance(function, Exp | Sigmoid):
                source = reading.exponents[number].base
            elif isinstance(function, Erf | Sqrt):
                source = reading.source(number)
            else:
                continue
            flat = self.entries(source).reshape(len(self), -1)
            entries, first = np.unique(flat, return_index=True)
            for entry, position in zip(entries.tolist(), first.tolist(), strict=True):
                found.setdefault(entry, (source, *divmod(position, flat.shape[1])))
        return found

    @cached_property
    def roots(self) -> dict[int, int]:
        """The functions of which roots are taken, each with the first instruction that does, in order."""
        found: dict[int, int] = {}
        for number in self.reading.roots:
            roots, arguments = self.entries(number).ravel(), self.entries(self.reading.source(number)).ravel()
            for root, argument in zip(roots.tolist(), arguments.tolist(), strict=True):
                if root in self.numbered.reached:
                    found.setdefault(argument, number)
        return found

    @cached_property
    def groups(self) -> list[tuple[Draw, list[int]]]:
        """For each draw the roots that are to exist when it is drawn, in the order in which residues are drawn.

        A root depends on the draw of its group, and on none of later groups. So roots that exist are left alone by what
        is drawn later. From the end on the draw is taken on which the fewest of the roots that are left depend.
        """
        arguments = list(self.roots)
        if not arguments:
            return []
        draws = [draw for draw in self.draws if draw[0] != "erf"]
        bits = [self.behind[argument] for argument in arguments]
        depends = np.array([[one >> self.draws[draw] & 1 for draw in draws] for one in bits], dtype=bool)
        left = np.ones(len(arguments), dtype=bool)
        groups = []
        while left.any():
            counts = depends[left].sum(axis=0)
            counts[counts == 0] = len(arguments) + 1
            if counts.min() > len(arguments):
                raise Dependent({arguments[k] for k in np.flatnonzero(left)}, "a root is taken of a constant")
            chosen = len(draws) - 1 - int(np.argmin(counts[::-1]))
            group = np.flatnonzero(left & depends[:, chosen])
            groups.append((draws[chosen], [arguments[k] for k in group]))
            left[group] = False
        return groups[::-1]

    def with_function(self, functions: set[int]) -> np.ndarray:
        """Return for which sequences a value is made of one of some functions."""
        found = np.zeros(len(self), dtype=bool)
        last = np.broadcast_to(
            self.numbered.results[-1], (len(self), *self.reading.program.instructions[-1].shape)
        ).reshape(len(self), -1)
        for sequence, ends in enumerate(last.tolist()):
            found[sequence] = not functions.isdisjoint(self.numbered.numbering.reached(set(ends)))
        return found


class TokenPlace:
    """Values of a network at sequences of tokens, at a place of the field of its functions of the weights.

    Parameters
    ----------
    sequences : Sequences
        What is known of the network there.
    field : PrimeField
        Where it is evaluated.
    tensors : mapping of str to ndarray
        Raw tensors.
    seed : int
        Names the residues.

    Attributes
    ----------
    tensors : dict of str to ndarray
        Raw tensors; those given may be changed until roots exist.
    y, errors, densities : ndarray
        The residues of what is drawn: of exponentials, and of values and derivatives of error functions.
    """

    def __init__(self, sequences: Sequences, field: PrimeField, tensors: Mapping[str, np.ndarray], seed: int) -> None:
        self.sequences, self.reading, self.field, self.seed = sequences, sequences.reading, field, seed
        self.tensors = {name: raw.copy() for name, raw in tensors.items()}
        self.keys = {draw: position for position, draw in enumerate(d for d in sequences.draws if d[0] == "exp")}
        count = len(sequences.error_functions)
        self.y, self.errors, self.densities = (
            self.fresh(f"tokens/{kind}", size, nonzero=True)
            for kind, size in (("exp", len(self.keys)), ("erf", count), ("density", count))
        )
        self.results: dict[int, np.ndarray] = {}
        self.alive = np.ones(len(sequences), dtype=bool)

    def fresh(self, label: str, count: int, *, nonzero: bool) -> np.ndarray:
        """Return residues from the stream."""
        drawn = random_residues(self.seed, label, count, self.field.p - nonzero) + np.uint64(nonzero)
        return drawn.astype(self.field.dtype)

    @cached_property
    def factors(self) -> list[list[tuple[int, int]]]:
        """For each exponential the positions of what is drawn whose powers it is made of, with these."""
        relations = self.sequences.relations
        return [
            [(self.keys[factor], exponent) for factor, exponent in relations.factors(draw).items()]
            for draw in self.sequences.exponentials
        ]

    @cached_property
    def plain(self) -> tuple[np.ndarray, np.ndarray]:
        """The exponentials that are drawn themselves, and the positions of what is drawn for them."""
        where = [(k, one[0][0]) for k, one in enumerate(self.factors) if len(one) == 1 and one[0][1] == 1]
        return np.array([k for k, _ in where], dtype=int), np.array([y for _, y in where], dtype=int)

    def exponentials(self, y: np.ndarray) -> np.ndarray:
        """Return the values of all different exponentials, followed by a one."""
        order = self.field.p - 1
        z = np.ones((*y.shape[:-1], len(self.factors) + 1), dtype=self.field.dtype)
        drawn, positions = self.plain
        z[..., drawn] = y[..., positions]
        for k in np.setdiff1d(np.arange(len(self.factors)), drawn):
            for position, exponent in self.factors[k]:
                factor = power(self.field, y[..., position], exponent % order)
                z[..., k] = verbs.multiply(self.field, z[..., k], factor)
        return z

    def compute(self, changed: frozenset[int] | None = None) -> None:
        """Compute all results, or those that have changed; sequences at which a denominator vanishes are not alive.

        Roots that do not exist are ones.
        """
        everything = np.arange(len(self.sequences))
        numbers = frozenset(range(len(self.reading.program))) if changed is None else changed
        if changed is None:
            self.alive = np.ones(len(self.sequences), dtype=bool)
        for number, raw, dead in self.evaluate(everything, self.tensors, self.y, numbers):
            self.results[number] = raw
            self.alive &= ~dead

    def complete(self) -> bool:
        """Compute all results; return whether all sequences are alive, and all roots exist of which values are made."""
        self.compute()
        for argument in self.sequences.roots:
            number, sequence, entry = self.sequences.where[argument]
            argument_there = np.broadcast_to(self.results[number], self.sequences.entries(number).shape)[sequence]
            self.alive[sequence] &= bool(squares(self.field, argument_there.reshape(-1)[[entry]])[0])
        return bool(self.alive.all())

    def changed_by(self, draw: Draw) -> frozenset[int]:
        """Return the instructions whose results depend on what is drawn."""
        program = self.reading.program
        if draw[0] == "tensor":
            start = {n for n, one in enumerate(program.instructions) if (one.operation, one.argument) == draw[:2]}
        else:
            key = self.keys[draw]
            of_it = [k for k, factors in enumerate(self.factors) if key in {position for position, _ in factors}]
            numbers = self.reading.exponents
            start = {n for n in numbers if np.isin(self.sequences.positions[n], of_it).any()}
        changed = set(start)
        for number, one in enumerate(program.instructions):
            drawn = number in self.sequences.positions or number in self.reading.gates
            if not drawn and not changed.isdisjoint(one.operands):
                changed.add(number)
        return frozenset(changed)

    def evaluate(
        self, rows: np.ndarray, tensors: Mapping[str, np.ndarray], y: np.ndarray, numbers: frozenset[int]
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Compute the results of some instructions for some of the sequences, others being known; `tensors` and `y` may
        be given for each. With each result comes where it has no value: a denominator vanishes.
        """
        reading, field = self.reading, self.field
        z = self.exponentials(y)
        found: dict[int, np.ndarray] = {}
        for number in sorted(numbers):
            one = reading.program.instructions[number]
            for operand in one.operands:
                if operand not in found:
                    known = self.results[operand]
                    found[operand] = known[rows] if operand in reading.varying else known
            dead = np.zeros(len(rows), dtype=bool)
            function = reading.functions.get(number)
            if one.operation == "input":
                raw = self.sequences.inputs[rows].astype(field.dtype)
            elif one.operation == "tensor":
                raw = tensors[one.argument]
            elif number in reading.gates:
                raw = self.sequences.gates[number][rows].astype(field.dtype)
            elif isinstance(function, Exp | Sigmoid):
                raw = power(field, self.at(z, number, rows), reading.exponents[number].power % (field.p - 1))
                if isinstance(function, Sigmoid):
                    below = verbs.add(field, raw, np.ones_like(raw))
                    dead |= (below == 0).reshape(len(rows), -1).any(axis=1)
                    raw = (Elements(field, raw) / Elements(field, without_zeros(below))).raw
            elif isinstance(function, Erf):
                raw = self.at(np.append(self.errors, 1), number, rows)
            elif isinstance(function, Sqrt):
                argument = found[one.operands[0]]
                there = squares(field, argument)
                raw = square_roots(field, argument * there + ~there)
            else:
                operands = [found[operand] for operand in one.operands]
                if one.operation == "reciprocal":
                    zero = operands[0] == 0
                    dead |= zero.reshape(len(zero), -1).any(axis=1) if zero.ndim > 2 else zero.any()
                    operands[0] = without_zeros(operands[0])
                raw = result(one, field, [Elements(field, operand) for operand in operands]).raw
            found[number] = np.ascontiguousarray(raw)
            yield number, found[number], dead

    def at(self, values: np.ndarray, number: int, rows: np.ndarray) -> np.ndarray:
        """Return the values that a function has at some of the sequences, given those of all different ones."""
        positions = self.sequences.positions[number][rows]
        if values.ndim == 1:
            return values[positions].astype(self.field.dtype)
        return np.take_along_axis(values, positions.reshape(len(rows), -1), axis=1).reshape(positions.shape)

    def functions(self) -> dict[int, Given]:
        """Return the values and derivatives of all functions and gates, by the numbers of their instructions."""
        given = {}
        everything = np.arange(len(self.sequences))
        for number, function in self.reading.functions.items():
            argument, value = self.results[self.reading.source(number)], self.results[number]
            if isinstance(function, Erf):
                slope: Any = self.at(np.append(self.densities, 1), number, everything)
            else:
                slope = verbs.slope(self.field, function, without_zeros(argument), value)
            given[number] = Given(value, slope)
        given.update({number: Given(self.results[number], None) for number in self.reading.gates})
        return given

    def value_of(self, draw: Draw) -> int:
        """Return the residue of what is drawn."""
        return int(self.tensors[draw[1]].flat[draw[2]] if draw[0] == "tensor" else self.y[self.keys[draw]])

    def put(self, draw: Draw, value: int) -> None:
        """Change the residue of what is drawn."""
        if draw[0] == "tensor":
            self.tensors[draw[1]].flat[draw[2]] = value
        elif draw[0] == "exp":
            self.y[self.keys[draw]] = value
        else:
            self.errors[self.sequences.error_functions.index(draw)] = value

    def with_candidates(self, draw: Draw, values: np.ndarray, count: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Return tensors and residues of exponentials with each of several values for what is drawn, `count` times."""
        tensors, y = dict(self.tensors), self.y
        repeated = np.repeat(values, count)
        if draw[0] == "tensor":
            raw = np.repeat(self.tensors[draw[1]][None], len(repeated), axis=0)
            raw.reshape(len(repeated), -1)[:, draw[2]] = repeated
            tensors[draw[1]] = raw
        else:
            y = np.repeat(self.y[None], len(repeated), axis=0)
            y[:, self.keys[draw]] = repeated
        return tensors, y
