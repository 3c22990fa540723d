"""Certificates of inequality: that two weights of a network are two functions, by their values at an input."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import constant_inputs
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.network import certificate_of, claims_of_network, has_functions
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Elements, Field, PrimeField
from algatt.geometry import Equivalence
from algatt.geometry.equality.enclosed_values import BITS, enclosed_values, over_balls
from algatt.parameters import Weights

Place = tuple[int, int]


@verbs.certify.method
def certify_equivalence(answer: Equivalence) -> Certificate:
    if answer.separating_input is None:
        was = "one without an input at which values differ"
        raise InvalidArgument("answer", was, "about two functions that differ at an input: nothing else is certified")
    if answer.compared is None:
        raise InvalidArgument("answer", "one that does not have the points", "what same_function returns")
    arch, one, two = answer.compared.arch, answer.compared.first, answer.compared.second
    if not isinstance(one, Weights) or not isinstance(two, Weights):
        was = f"about {type(one).__name__} and {type(two).__name__}"
        raise InvalidArgument("answer", was, "about Weights: the program of a network reads their tensors")
    if isinstance(one.field, PrimeField) and has_functions(arch):
        should = "about real or rational weights: there are no turns modulo a prime"
        raise InvalidArgument("answer", f"about residues of {arch}", should)
    claims: dict[str, Any] = {"kind": "inequality", **claims_of_network(arch)}
    X = answer.separating_input
    if isinstance(one.field, PrimeField):
        values = values_modulo(arch, one, two, X)
        row, column = map(int, np.argwhere(values[0] != values[1])[0])
        claims["prime"] = one.field.p
    else:
        row, column = place_over_reals(arch, one, two, X)
    for name, theta in (("first", one), ("second", two)):
        claims[name] = [number for element in theta.elements for number in exactly(element.raw, one.field)]
    entries = [int(number) for number in X] if arch.tokens_alone else exactly(X, one.field)
    if arch.source is not None:
        rows, columns = arch.source
        entries = [*exactly(X[:rows, :columns], one.field), *np.argmax(X[rows:, columns:] != 0, axis=0).tolist()]
    claims |= {"input": entries, "entry": [row, column]}
    return certificate_of("answer", arch, claims)


def exactly(array: Any, field: Field) -> list[Any]:
    """Return the entries of an array as what they are: residues as integers, real and rational numbers as texts."""
    number = int if isinstance(field, PrimeField) else as_claimed
    return [number(entry) for entry in array.ravel().tolist()]


def as_claimed(entry: Any) -> int | str:
    """Return a real or rational number as certificates have it."""
    import flint

    value = Fraction(int(entry.p), int(entry.q)) if isinstance(entry, flint.fmpq) else Fraction(entry)
    return value.numerator if value.denominator == 1 else str(value)


def values_modulo(arch: Architecture, one: Weights, two: Weights, X: np.ndarray) -> list[np.ndarray]:
    """Return both values at an input as residues."""
    return [verbs.evaluate(arch, theta, X) for theta in (one, two)]


def place_over_reals(arch: Architecture, one: Weights, two: Weights, X: np.ndarray) -> Place:
    """Return the row and the column of the entry of the values whose difference is the largest for certain."""
    X = constant_inputs(arch, X) if arch.tokens_alone else X
    points = [over_balls(theta, Balls()) for theta in (one, two)]
    for bits in BITS:
        field = Balls(bits)
        lifted = [theta.replace([Elements(field, element.raw) for element in theta.elements]) for theta in points]
        (found,) = enclosed_values(arch, lifted, X[None], field)
        if found is not None:
            off = (found[0] - found[1]).raw
            low = np.array([[float(entry.abs_lower()) for entry in row] for row in off])
            if low.max() > 0:
                row, column = np.unravel_index(int(np.argmax(low)), low.shape)
                return int(row), int(column)
    was = "one at whose input the values are not told apart by balls"
    raise InvalidArgument("answer", was, f"about values that differ with {BITS[-1]} bits")
