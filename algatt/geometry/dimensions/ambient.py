"""The upper bound by the ambient space: all functions of a network lie in a space of finite dimension."""

from __future__ import annotations

import dataclasses
import functools

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import MethodError
from algatt.fields import Elements
from algatt.fields.spans import Form, Spanned, Spans
from algatt.geometry.dimensions.evidence import FamilyRank, UpperBound
from algatt.linalg.forms import EchelonOfForms, LinearForm
from algatt.parameters import Weights

AMBIENT = "ambient space"
"""The name of what this bound removes beyond the symmetries."""


@functools.lru_cache(maxsize=64)
def ambient_dimension(arch: Architecture) -> int | None:
    """Return the dimension of a space in which all functions of a network lie, up to one that does not depend on the
    weights; None if none is known.

    The network is evaluated over `algatt.fields.Spans`, so it has to be polynomial, and not too large; another one that
    reads tokens is a table of its values. What reads numbers and tokens has none: the columns of its input are neither
    free nor all unit vectors.
    """
    if arch.source is not None:
        return None
    if not arch.polynomial:
        return size_of_table(arch)
    try:
        value = value_over_spans(arch)
    except MethodError:
        return None
    return None if value.moving is None else dimension_of(value)


def size_of_table(arch: Architecture) -> int | None:
    """Return the number of values at all sequences of tokens, if there are less than parameters."""
    size = arch.outputs
    for _ in range(0 if arch.vocabulary is None else arch.input_shape[1]):
        size *= arch.vocabulary or 1
        if size >= arch.parameters:
            return None
    return None if arch.vocabulary is None else size


def value_over_spans(arch: Architecture) -> Spanned:
    """Return a space in which the values of a network lie."""
    field = Spans() if arch.vocabulary is None else Spans.of_tokens(arch.input_shape[1])
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(field, field.tensor(shape)) for shape in shapes.values()), tuple(shapes))
    X = field.input(arch.input_shape) if arch.vocabulary is None else field.unit_vectors(arch.input_shape)
    value: Spanned = verbs.evaluate(arch, theta, Elements(field, X)).raw
    return value


def dimension_of(value: Spanned) -> int:
    """Return the dimension of a space of matrices of polynomials, or a bound of it.

    Those of one kind are reduced to a basis, over Q. Of the matrices whose rows or columns are not free, those count
    that lie in no space of the other kinds.
    """
    sizes = value.sizes
    spaces: dict[tuple[bool, bool], EchelonOfForms] = {}
    dimension = 0
    for free in ((True, True), (True, False), (False, True), (False, False)):
        echelon = spaces[free] = EchelonOfForms()
        for form in (value.moving or {}).get(free, ()):
            if not any(held(form, free, kind, spaces[kind]) for kind in list(spaces)[:-1]):
                echelon.add(form)
        height, width = (size if one else 1 for one, size in zip(free, sizes, strict=True))
        dimension += len(echelon.rows) * height * width
    return dimension


def held(form: Form, free: tuple[bool, bool], kind: tuple[bool, bool], space: EchelonOfForms) -> bool:
    """Say whether a generator lies in the space of generators that are free where it is, and beyond."""
    if any(one and not other for one, other in zip(free, kind, strict=True)):
        return False
    rows, columns = kind
    parts: dict[tuple[int, int], LinearForm] = {}
    for (i, j, monomial), value in form.items():
        part = parts.setdefault((i if rows else 0, j if columns else 0), {})
        part[0 if rows else i, 0 if columns else j, monomial] = value
    return all(not space.reduce(part) for part in parts.values())


def within_ambient_space(arch: Architecture, upper: UpperBound) -> UpperBound:
    """Return an upper bound, or that by the ambient space if it is lower."""
    ambient = ambient_dimension(arch)
    if ambient is None or ambient >= upper.value:
        return upper
    family = FamilyRank(AMBIENT, upper.value - ambient, "ambient")
    return dataclasses.replace(upper, value=ambient, families=(*upper.families, family))
