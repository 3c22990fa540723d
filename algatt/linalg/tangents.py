"""Elimination of numbers with their derivatives."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Tangents
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto


@verbs.row_reduce.method
def row_reduce_tangents(engine: Auto, field: Tangents, raw: np.ndarray) -> Echelon:
    r"""Return the form of a matrix whose rank is the generic one: with independent rows and the columns of the pivots
    it is :math:`R = N_{IJ}^{-1} N_I`, whose derivative is :math:`N_{IJ}^{-1} (dN_I - dN_{IJ} R)`.

    By Cramer's rule entries are quotients of minors of rows that are multiplied with their denominators.
    """
    values = np.ascontiguousarray(raw["value"])
    form = verbs.row_reduce(engine, field.base, values)
    columns = list(form.pivots)
    rows = list(verbs.row_reduce(engine, field.base, np.ascontiguousarray(values[:, columns].T)).pivots)
    if not columns:
        return Echelon(raw[:0], ())
    kept = raw[rows]
    R = Elements(field, field.array(form.matrix, None, 0, 0))
    inverse = verbs.inverse_over(field.base, np.ascontiguousarray(kept["value"][:, columns]))
    change = Elements(field, kept) - Elements(field, kept[:, columns]) @ R
    found = Elements(field, field.array(inverse, None, 0, 0)) @ change + R
    below = kept["below"].sum(axis=1)
    degree = float(((kept["above"] - kept["below"]).max(axis=1) + below).sum())
    found.raw["above"], found.raw["below"] = degree, degree
    found.raw[:, columns] = verbs.embed(field, np.eye(len(rows), dtype=np.int64))
    return Echelon(found.raw, form.pivots)
