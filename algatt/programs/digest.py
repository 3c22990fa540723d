"""One number for all programs that are the same up to the order in which sums and products are written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from algatt.programs.interpret import Program, common_entry, written

TOGETHER = ("column_products", "centre", "rotate", "take", "concatenate", "largest")
"""Operations that see more than one entry, and are not taken apart."""


def digest(program: Program, names: Mapping[str, str] | None = None, *, apart: bool = False) -> str:
    """Return the SHA-256 of a program up to the order and the brackets of sums, of entrywise products and, as far as
    brackets go, of products of matrices, and up to which of two results that are transposed is the other.

    Parameters
    ----------
    program : Program
        The program, in normal form.
    names : mapping of str to str, optional
        Names for tensors in the place of their own.
    apart : bool, optional
        Whether a tensor of which only the transpose is read is told from its transpose; false unless given.
    """
    factor, text = Digests(program, names or {}, apart).read(len(program) - 1, False)
    return hashed("value", str(factor), text)


def hashed(*words: str) -> str:
    """Return the SHA-256 of words."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


Multiple = tuple[Fraction, str]
"""A number and the digest of what it multiplies."""


def is_turned(program: Program, number: int) -> bool:
    """Return whether an instruction is a tensor of which nothing but the transpose is read."""
    uses = program.uses
    readers = uses.users[number] if uses[number].operation == "tensor" else ()
    return bool(readers) and all(uses[reader].operation == "transpose" for reader in readers)


@dataclass
class Digests:
    """The digests of the results of a program and of their transposes.

    Parameters
    ----------
    program : Program
        The program.
    names : mapping of str to str
        Other names of its tensors.
    apart : bool
        Whether tensors are told from their transposes.
    """

    program: Program
    names: Mapping[str, str]
    apart: bool
    found: dict[tuple[int, bool], Multiple] = field(default_factory=dict)

    @cached_property
    def rows(self) -> set[int]:
        """The tensors that are read as their transposes, as those of tokens that are rows."""
        if self.apart:
            return set()
        return {number for number in range(len(self.program)) if is_turned(self.program, number)}

    def read(self, number: int, turned: bool) -> Multiple:
        """Return the digest of a result, or of its transpose, with the number before it."""
        if (number, turned) not in self.found:
            for before in range(number):  # so that the calls are not nested
                for way in (False, True):
                    self.found[before, way] = self.found.get((before, way)) or self.compute(before, way)
            self.found[number, turned] = self.compute(number, turned)
        return self.found[number, turned]

    def compute(self, number: int, turned: bool) -> Multiple:
        """Return the digest of a result, those of what it takes being known."""
        one = self.program.instructions[number]
        shape = "x".join(map(str, reversed(one.shape) if turned else one.shape))
        if one.operation == "constant":
            return self.constant(number, turned)
        if one.operation == "transpose":
            return self.read(one.operands[0], not turned)
        if one.operation == "tensor":
            name, as_read = str(one.argument), turned != (number in self.rows)
            shape = "x".join(map(str, reversed(one.shape) if number in self.rows else one.shape))
            return Fraction(1), hashed("tensor", self.names.get(name, name), str(as_read), shape)
        if one.operation == "negate":
            factor, text = self.read(one.operands[0], turned)
            return -factor, text
        if one.operation == "add":
            sums: dict[str, Fraction] = {}
            for factor, text in self.terms(number, turned):
                sums[text] = sums.get(text, Fraction(0)) + factor
            return Fraction(1), hashed("add", shape, *sorted(f"{factor} {text}" for text, factor in sums.items()))
        if one.operation == "multiply":
            return self.entries(number, turned, shape)
        if one.operation == "product":
            factor, texts = Fraction(1), []
            for by, text in self.chain(number, turned):
                factor *= by
                texts.append(text)
            return factor, hashed("product", *texts)
        if one.operation == "column_products":
            given = [self.read(operand, False) for operand in one.operands]
            texts = sorted(text for _, text in given)
            return given[0][0] * given[1][0], hashed("column_products", str(turned), *texts)
        argument = written(one.argument)
        inside = turned and len(one.operands) == 1 and one.operation not in TOGETHER
        texts = [f"{factor} {text}" for factor, text in (self.read(operand, inside) for operand in one.operands)]
        return Fraction(1), hashed(one.operation, argument, str(turned and not inside), shape, *texts)

    def constant(self, number: int, turned: bool) -> Multiple:
        """Return the digest of a constant; numbers stand before ones."""
        one = self.program.instructions[number]
        entry = common_entry(one.argument) if one.argument else None
        shape = tuple(reversed(one.shape)) if turned else one.shape
        if entry:
            return entry, hashed("ones", str(shape))
        entries = list(one.argument)
        if turned and len(one.shape) == 2:
            height, width = one.shape
            entries = [entries[row * width + column] for column in range(width) for row in range(height)]
        return Fraction(1), hashed("constant", str(shape), *map(str, entries))

    def terms(self, number: int, turned: bool) -> list[Multiple]:
        """Return what is added."""
        one = self.program.instructions[number]
        if one.operation == "transpose":
            return self.terms(one.operands[0], not turned)
        if one.operation == "add":
            return [term for operand in one.operands for term in self.terms(operand, turned)]
        return [self.read(number, turned)]

    def entries(self, number: int, turned: bool, shape: str) -> Multiple:
        """Return the digest of an entrywise product."""
        factor, texts = Fraction(1), []
        pending = [(number, turned)]
        while pending:
            each, way = pending.pop()
            one = self.program.instructions[each]
            if one.operation == "transpose":
                pending.append((one.operands[0], not way))
            elif one.operation == "multiply":
                pending += [(operand, way) for operand in one.operands]
            else:
                by, text = self.read(each, way)
                factor *= by
                if one.operation != "constant" or one.shape or not any(one.argument):  # 0 is no number before others
                    texts.append(text)
        return factor, texts[0] if len(texts) == 1 else hashed("multiply", shape, *sorted(texts))

    def chain(self, number: int, turned: bool) -> list[Multiple]:
        """Return the factors of a product in order."""
        one = self.program.instructions[number]
        if one.operation == "transpose":
            return self.chain(one.operands[0], not turned)
        if one.operation == "product":
            operands = reversed(one.operands) if turned else one.operands
            return [factor for operand in operands for factor in self.chain(operand, turned)]
        return [self.read(number, turned)]
