"""The right null space of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import PrimeField
from algatt.linalg.engines import Engine
from algatt.linalg.rank import checked_engine, elements_of_matrix, float_rank


@verbs.kernel.method
def kernel_of_array(matrix: np.ndarray, *, engine: Engine | None = None, gap: float = 1e3) -> Any:
    elements = elements_of_matrix(matrix)
    field = elements.field
    if isinstance(field, PrimeField):
        echelon = verbs.row_reduce(checked_engine(engine), field, elements.raw)
        return verbs.decode(field, echelon.kernel(field.p))
    if not elements.raw.size:
        return np.eye(elements.shape[1])
    _, singular_values, right = np.linalg.svd(elements.raw)
    return right[float_rank(singular_values, elements.shape, gap).rank :].T
