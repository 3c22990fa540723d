r"""Programs in which terms that are linear in one result are one: W X + B (A X) is (W + B A) X, x a^T + x b^T is
x (a + b)^T, and W (A X + a) + b is (W A) X + (W a + b), for weights W, A, B, a and b.

Each step is an identity of matrices, stated where it is made (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import NamedTuple

from algatt.fields import Elements
from algatt.programs import Instruction, Program, Trace
from algatt.programs.interpret import result

MOST_ENTRIES = 2**16
"""Maximum number of entries of a constant whose columns are added up."""

MOST_TERMS = 8
"""Maximum number of terms of a sum whose factors are kept apart."""


class CollectedTerm(NamedTuple):
    """The product L X R of a result X with weights; of one with itself where these are None, and a column L that is
    spread where X is.

    Parameters
    ----------
    left : Elements or None
        The matrix L.
    inner : Elements or None
        The result X.
    right : Elements or None
        The matrix R.
    """

    left: Elements | None
    inner: Elements | None
    right: Elements | None

    @property
    def value(self) -> Elements:
        """The product."""
        return functools.reduce(lambda one, other: one @ other, (part for part in self if part is not None))


Terms = tuple[CollectedTerm, ...]


@functools.lru_cache(maxsize=64)
def collected(program: Program) -> Program:
    """Return a program of the same values in which terms that are linear in one result are one."""
    trace, made = Trace(), list[Terms]()
    of_weights: list[bool] = []
    for one in program.instructions:
        of_weights.append(one.operation != "input" and all(of_weights[operand] for operand in one.operands))
        terms = None if of_weights[-1] else terms_of(program, one, [made[k] for k in one.operands], of_weights)
        if terms is None:
            if one.operation in ("tensor", "input"):
                terms = alone(Elements(trace, trace.record(one.operation, shape=one.shape, argument=one.argument)))
            else:
                terms = alone(result(one, trace, [value_of(made[operand]) for operand in one.operands]))
        made.append(terms)
    return trace.program(value_of(made[-1]).raw)


def alone(one: Elements) -> Terms:
    """Return a result as a term."""
    return (CollectedTerm(None, one, None),)


def value_of(terms: Terms) -> Elements:
    """Return a sum of terms."""
    return functools.reduce(lambda one, other: one + other, (term.value for term in terms))


def terms_of(program: Program, one: Instruction, given: list[Terms], of_weights: list[bool]) -> Terms | None:
    """Return a result that depends on the input as a sum of terms; None where it is linear in nothing."""
    plain = [of_weights[operand] for operand in one.operands]
    match one.operation:
        case "add" if any(plain):
            return with_column(*(given[::-1] if plain[0] else given))
        case "add" if value_of(given[0]).shape == value_of(given[1]).shape:
            spread = [any(term.inner is None for term in terms) for terms in given]
            return None if all(spread) else sum_of((*given[0], *given[1]))
        case "product" if plain[0] and sum(term.inner is not None for term in given[1]) == 1:
            W = value_of(given[0])  # W (L X R + b 1^T) = (W L) X R + (W b) 1^T
            return tuple(term._replace(left=W if term.left is None else W @ term.left) for term in given[1])
        case "product" if plain[1]:
            return behind(given[0], value_of(given[1]), program.instructions[one.operands[1]])
        case "multiply" if any(plain):
            return scaled(*(given if plain[0] else given[::-1]))
        case "negate" if all(term.left is not None for term in given[0]):
            return tuple(term._replace(left=-term.left) for term in given[0] if term.left is not None)
    return None


def with_column(terms: Terms, weights: Terms) -> Terms | None:
    """Return L X R + b 1^T for terms and a column b."""
    b, whole = value_of(weights), value_of(terms)
    if b.shape != (whole.shape[0], 1) or any(term.left is None for term in terms):
        return None
    return sum_of((*terms, CollectedTerm(b, None, None)))


def behind(terms: Terms, C: Elements, one: Instruction) -> Terms | None:
    """Return terms times weights C: (L X R) C = L X (R C), and (b 1^T) C = s b 1^T if columns of C add up to s."""
    found = []
    for left, inner, right in terms:
        if inner is not None:
            found.append(CollectedTerm(left, inner, C if right is None else right @ C))
            continue
        total, *others = column_sums(one)
        if left is None or total is None or others:
            return None
        found.append(CollectedTerm(left * total, None, None))
    return tuple(found)


def column_sums(one: Instruction) -> set[Fraction | None]:
    """Return the numbers to which the columns of a constant add up; None of what is none, or is large."""
    if one.operation != "constant" or len(one.argument) > MOST_ENTRIES:
        return {None}
    return {sum(one.argument[column :: one.shape[1]], Fraction(0)) for column in range(one.shape[1])}


def scaled(weights: Terms, terms: Terms) -> Terms | None:
    """Return terms times weights: L X R times a number or a column is (L * c) X R, times a row L X (R * r), and a
    column x times a row is x r.
    """
    c = value_of(weights)
    height, width = ((1, 1) + c.shape)[-2:]
    found = []
    for left, inner, right in terms:
        if width == 1 and left is not None:
            found.append(CollectedTerm(left * c, inner, right))
        elif height == 1 and right is not None:
            found.append(CollectedTerm(left, inner, right * c))
        elif height == 1 and len(c.shape) == 2 and left is None and inner is not None and inner.shape[1] == 1:
            found.append(CollectedTerm(left, inner, c))
        else:
            return None
    return tuple(found)


def sum_of(terms: Terms) -> Terms | None:
    """Return a sum of terms: L X R + M X R = (L + M) X R, and L X R + L X S = L X (R + S)."""
    found: list[CollectedTerm] = []
    for term in terms:
        for place, other in enumerate(found):
            left, right = (is_same(*pair) for pair in ((term.left, other.left), (term.right, other.right)))
            if not is_same(term.inner, other.inner) or not (left or right):
                continue
            if right and term.left is not None and other.left is not None:
                found[place] = other._replace(left=other.left + term.left)
                break
            if left and term.right is not None and other.right is not None:
                found[place] = other._replace(right=other.right + term.right)
                break
        else:
            found.append(term)
    return tuple(found) if len(found) <= MOST_TERMS else None


def is_same(one: Elements | None, other: Elements | None) -> bool:
    """Return whether two matrices are one result, or both none."""
    return one is other if one is None or other is None else one.raw == other.raw
