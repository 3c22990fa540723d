"""Functions of one variable, besides those of a ring: one file for each, with its values and its derivative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.functions.base import Function as Function
    from algatt.fields.functions.erf import Erf as Erf
    from algatt.fields.functions.exp import Exp as Exp
    from algatt.fields.functions.log import Log as Log
    from algatt.fields.functions.positive import Positive as Positive
    from algatt.fields.functions.sigmoid import Sigmoid as Sigmoid
    from algatt.fields.functions.sqrt import Sqrt as Sqrt

on_demand(
    __name__,
    {
        "algatt.fields.functions.base": "Function",
        "algatt.fields.functions.erf": "Erf",
        "algatt.fields.functions.exp": "Exp",
        "algatt.fields.functions.log": "Log",
        "algatt.fields.functions.positive": "Positive",
        "algatt.fields.functions.sigmoid": "Sigmoid",
        "algatt.fields.functions.sqrt": "Sqrt",
    },
)
