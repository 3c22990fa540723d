"""Results that are made of weights alone, and their derivatives by these (see docs/theory/hidden_symmetries.md)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.fields import Dual, DualArray, Elements, Field, Function, PrimeField, concatenate
from algatt.fields.functions import Given
from algatt.linalg import RowSpace
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import Results, function_of

MOST_ENTRIES = 2**11
"""Maximum number of entries of tensors whose directions are looked at together."""

SPARE = 8
"""Number of random points beyond that of exponents at which these are compared."""

EXPONENTIALS = ("exp", "sigmoid")
"""Functions that are quotients of polynomials in an exponential."""


@dataclass(frozen=True)
class Made:
    """Results that are made of tensors which the value depends on through them alone.

    Parameters
    ----------
    program : Program
        The program.
    results : tuple of int
        The results.
    """

    program: Program
    results: tuple[int, ...]

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tensors."""
        return tensors_before(self.program, self.results)

    @property
    def size(self) -> int:
        """The number of entries of the tensors."""
        return sum(prod(self.program.tensors[name]) for name in self.names)

    @property
    def entries(self) -> int:
        """The number of entries of the results."""
        return sum(prod(self.program.instructions[number].shape) for number in self.results)

    def joined(self, other: Made) -> Made:
        """Return both together."""
        return Made(self.program, (*self.results, *other.results))

    def derivatives(self, tensors: Mapping[str, Elements], field: Field) -> Elements:
        """Return the derivatives of all entries of the results, as rows, by all entries of the tensors."""
        dual, seeded, start = Dual(field), dict[str, Elements](), 0
        for name in self.names:
            size = tensors[name].raw.size
            units = np.eye(self.size, dtype=np.int64)[:, start : start + size]
            tangent = verbs.encode(field, units.reshape(-1, *tensors[name].shape))
            seeded[name] = Elements(dual, DualArray(tensors[name].raw, tangent))
            start += size
        found = Results(self.program, dual, seeded, functions=self.functions(field))
        rows = [found[number].raw.tangent for number in self.results]
        return concatenate([Elements(field, one.reshape(len(one), -1).T) for one in rows])

    @property
    def exponentials(self) -> list[int]:
        """The numbers of the functions of one variable that the results are made of."""
        instructions = self.program.instructions
        return [one for one in sorted(before(self.program, self.results)) if function_of(instructions[one]) is not None]

    def functions(self, field: Field) -> dict[int, Function]:
        """Return for exponentials modulo a prime residues, which may be any, and their derivatives."""
        given: dict[int, Function] = {}
        for number in self.exponentials if isinstance(field, PrimeField) else ():
            one = self.program.instructions[number]
            value = Elements(field, verbs.draw_array(field, shape=one.shape, seed=0, label=f"composites/{number}"))
            if one.operation == "exp":
                given[number] = Given(value.raw, value.raw)
            else:
                value = value * (value + 1).reciprocal()
                given[number] = Given(value.raw, (value - value * value).raw)
        return given

    def is_generic(self, arch: Architecture) -> bool:
        """Return whether the derivative has as many independent rows as results have entries, at random weights, with
        functions of one variable for which residues may stand.
        """
        instructions = self.program.instructions
        known = all(
            instructions[one].operation in EXPONENTIALS and self.program.uses.is_rational(instructions[one].operands[0])
            for one in self.exponentials
        )
        if not known or not self.entries < self.size <= MOST_ENTRIES or not self.are_independent(arch):
            return False
        theta = verbs.sample(arch, Weights, field=PrimeField(), seed=0)
        try:
            matrix = self.derivatives(theta.tensors, theta.field)
        except DivisionByZero:
            return False
        return kernel_of_rank(matrix, self.entries).shape[1] > 0

    def are_independent(self, arch: Architecture) -> bool:
        """Return whether exponents are linearly independent over Q modulo constants: then exponentials are
        algebraically independent of each other and of the weights (Ax 1971).
        """
        if not self.exponentials:
            return True
        field, rows = PrimeField(), []
        arguments = [self.program.instructions[number].operands[0] for number in self.exponentials]
        count = sum(prod(self.program.instructions[number].shape) for number in arguments)
        for seed in range(count + SPARE):
            results = Results(self.program, field, verbs.sample(arch, Weights, field=field, seed=seed).tensors)
            rows.append(concatenate([Elements(field, results[one].raw.reshape(1, -1)) for one in arguments], axis=1))
        space = RowSpace(field, count)
        space.add(concatenate([row - rows[0] for row in rows[1:]]))
        return space.rank == count


def before(whole: Program, results: Sequence[int]) -> set[int]:
    """Return the results that some results are made of, and these."""
    found, pending = set(results), list(results)
    while pending:
        new = set(whole.instructions[pending.pop()].operands) - found
        found |= new
        pending += new
    return found


def tensors_before(whole: Program, results: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the tensors that results are made of."""
    numbers = sorted(before(whole, results))
    return tuple(whole.instructions[one].argument for one in numbers if whole.instructions[one].operation == "tensor")
