"""Functions without values or derivatives over a field."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.errors import MethodError
from algatt.fields.base import Field
from algatt.fields.functions.base import Function

__all__ = ["no_derivatives", "no_values"]


def undefined(verb: str, field: Field, function: Function, *, of: str) -> MethodError:
    """Return the error of a function for which a verb has no method, with what to define."""
    kind, where = type(function), type(field).__name__
    said = f"no method fits {verb}({where}, {kind.__name__}): {of}"
    if kind.__module__.startswith(f"{Function.__module__.rpartition('.')[0]}."):
        return MethodError(said)
    return MethodError(f"{said}; define a method of algatt.verbs.{verb} for {where} and {kind.__name__}")


@verbs.entrywise.method
def no_values(field: Field, function: Function, raw: object) -> Any:
    raise undefined("entrywise", field, function, of=f"{type(function).__name__} has no values over {field}")


@verbs.slope.method
def no_derivatives(field: Field, function: Function, argument: object, value: object) -> Any:
    raise undefined("slope", field, function, of=f"{type(function).__name__} has no derivatives over {field}")
