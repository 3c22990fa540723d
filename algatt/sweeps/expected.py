"""What a sweep expects of an architecture, beside what it finds: their difference is the defect."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument
from algatt.sweeps.expressions import Expression
from algatt.sweeps.formulas.formula import FittedFormula
from algatt.sweeps.store import Row

Expected = str | FittedFormula | Callable[..., Any]
"""An expression in the sizes, the formula of a fit, or a function of the sizes by their names."""


def expected_value(row: Row, expected: Expected | None = None) -> int | None:
    """Return what is expected of an architecture; what is expected minus what is found is its defect.

    Parameters
    ----------
    row : Row
        An answer of a sweep.
    expected : str, FittedFormula or callable, optional
        A formula in the sizes. Unless given, it is the value of the theorem if there is one, else the upper bound: what
        the symmetries that are known leave of the parameters, and no more than the ambient space has.

    Returns
    -------
    int or None
        None if nothing is known of it.

    Raises
    ------
    InvalidArgument
        If the formula has no integral value at these sizes.

    Examples
    --------
    >>> import tempfile
    >>> import algatt
    >>> from algatt.layers import Linear, Power
    >>> from algatt.sweeps import expected_value
    >>> net = algatt.Network(Linear(5) >> Power(4) >> Linear(1), tokens=1, width=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (row,) = algatt.sweep([net], f"{folder}/runs.sqlite").rows
    >>> row.value, expected_value(row)
    (14, 15)
    """
    if expected is None:
        theorem = row.evidence.get("formula")
        return theorem if isinstance(theorem, int) else row.upper
    if isinstance(expected, str):
        value = Expression(expected, "expected").value(row.sizes)
    elif isinstance(expected, FittedFormula):
        value = expected.value(row.sizes)
    else:
        value = expected(**row.sizes)
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    try:
        return operator.index(value)
    except TypeError:
        given = ", ".join(f"{name} = {size}" for name, size in row.sizes.items())
        raise InvalidArgument("expected", f"{value} at {given}", "a formula with an integer") from None
