"""Reduced row echelon forms of public matrices."""

from __future__ import annotations

from algatt import verbs
from algatt.fields import Elements, PublicArray
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import exact_matrix


@verbs.echelon.method
def echelon_of_array(matrix: PublicArray, *, engine: Engine | None = None) -> Echelon:
    field, raw = exact_matrix(matrix)
    form = verbs.row_reduce(checked_engine(engine), field, raw)
    return Echelon(verbs.decode(field, form.matrix), form.pivots)


@verbs.echelon.method
def echelon_of_elements(matrix: Elements, *, engine: Engine | None = None) -> Echelon:
    """Its entries are raw, as those of the matrix."""
    form: Echelon = verbs.row_reduce(checked_engine(engine), matrix.field, matrix.raw)
    return form
