"""Which tensor of one program is which of another, where both compute the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from algatt.programs import Instruction, Program

Source = tuple[str, bool]
"""The name of a tensor, and whether its transpose is meant."""

ROUNDING = 1e-6
"""Relative difference of constants that are one in single precision."""

SYMMETRIC = ("add", "multiply", "column_products")
"""Operations whose operands may stand in any order."""


def matched_tensors(one: Program, other: Program) -> tuple[dict[str, Source], bool] | None:
    """Return for the tensors of one program those, or their transposes, of another one that computes the same of them,
    up to the rounding of constants to single precision and the order of sums and entrywise products; and whether
    constants are the same. None if it is not seen to.

    Each pair of results is matched once, operand by operand from the values on, and each tensor with one tensor. A
    constant of one program may be several of the other, which round it in different ways.
    """
    forms = [contexts_of(program) for program in (one, other)]
    pairs: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()
    names: dict[str, Source] = {}
    exact = True
    pending = [(len(one) - 1, len(other) - 1)]
    while pending:
        first, second = pending.pop()
        this, that = one.instructions[first], other.instructions[second]
        if this.operation != "constant" and pairs.setdefault(first, second) != second:
            return None
        if (first, second) in seen:
            continue
        seen.add((first, second))
        leaf, source = leaf_of(one, first), leaf_of(other, second)
        if leaf is not None and source is not None and this.shape == that.shape:
            meant = source[0], leaf[1] != source[1]
            if names.setdefault(leaf[0], meant) != meant:
                return None
            continue
        if not same_operation(this, that):
            return None
        exact = exact and this.argument == that.argument
        parts = [operands_of(*each) for each in ((one, first), (other, second))]
        if this.operation in SYMMETRIC:
            parts = [sorted(part, key=form.__getitem__) for part, form in zip(parts, forms, strict=True)]
        if len(parts[0]) != len(parts[1]):
            return None
        pending += zip(*parts, strict=True)
    return (names, exact) if len({name for name, _ in names.values()}) == len(names) else None


def operands_of(program: Program, number: int) -> list[int]:
    """Return what an instruction takes; of sums of sums, and of entrywise products of these, all terms or factors."""
    one = program.instructions[number]
    if one.operation not in ("add", "multiply"):
        return list(one.operands)
    found: list[int] = []
    for operand in one.operands:
        same = program.instructions[operand].operation == one.operation
        found += operands_of(program, operand) if same else [operand]
    return found


def leaf_of(program: Program, number: int) -> Source | None:
    """Return the tensor that a result is, or is the transpose of; None if it is another."""
    one = program.instructions[number]
    inner = program.instructions[one.operands[0]] if one.operation == "transpose" else one
    return (str(inner.argument), inner is not one) if inner.operation == "tensor" else None


def same_operation(this: Instruction, that: Instruction) -> bool:
    """Return whether two instructions do the same with their operands."""
    if this.operation != that.operation or this.shape != that.shape or len(this.operands) != len(that.operands):
        return False
    given = list(numbers_in(this.argument)), list(numbers_in(that.argument))
    return len(given[0]) == len(given[1]) and all(map(are_near, *given))


def numbers_in(argument: Any) -> Iterator[Any]:
    """Iterate over the numbers in an argument, and other values in it."""
    if isinstance(argument, tuple):
        yield "("
        for one in argument:
            yield from numbers_in(one)
        yield ")"
    else:
        yield argument


def are_near(one: Any, other: Any) -> bool:
    """Return whether two numbers are one up to rounding, or other values are equal."""
    if isinstance(one, Fraction | float | int) and isinstance(other, Fraction | float | int):
        if isinstance(one, int) and isinstance(other, int):
            return one == other
        return abs(float(one) - float(other)) <= ROUNDING * max(abs(float(one)), abs(float(other)))
    return bool(one == other)


def forms_of(program: Program) -> list[str]:
    """Return for each result what is computed, whatever constants and the names of tensors are."""
    found: list[str] = []
    for number, one in enumerate(program.instructions):
        if leaf_of(program, number) is not None:
            found.append(f"tensor {one.shape}")
            continue
        operands = [found[operand] for operand in operands_of(program, number)]
        if one.operation in SYMMETRIC:
            operands.sort()
        text = "\n".join([one.operation, str(one.shape), *operands])
        found.append(hashlib.sha256(text.encode()).hexdigest())
    return found


def contexts_of(program: Program) -> list[str]:
    """Return for each result what is computed and what reads it, whatever constants and the names of tensors are: so
    factors of one form are told apart by where else they stand.
    """
    forms = forms_of(program)
    readers: dict[int, list[str]] = {len(forms) - 1: []}
    found = list(forms)
    for number in reversed(range(len(forms))):
        if number not in readers or program.instructions[number].operation == "constant":
            continue  # nothing, or what is taken apart; and constants stand wherever the same numbers do
        found[number] = hashlib.sha256("\n".join([forms[number], *sorted(readers[number])]).encode()).hexdigest()
        symmetric = program.instructions[number].operation in SYMMETRIC
        for place, operand in enumerate(operands_of(program, number)):
            readers.setdefault(operand, []).append(f"{found[number]} {0 if symmetric else place}")
    return found
