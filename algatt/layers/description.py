"""Nouns as plain values for JSON, and back."""

from __future__ import annotations

import dataclasses
import difflib
from abc import ABC
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument
from algatt.layers.base import Noun
from algatt.layers.combinators import Stack
from algatt.loading import load_methods


def describe(value: Any) -> Any:
    """Return a noun, or what its fields hold, as plain values for JSON: a noun as its name and all its fields.

    Parameters
    ----------
    value : Layer, or what stands in a slot of one
        The noun; also a `Network`, or a number, text or tuple.

    Raises
    ------
    InvalidArgument
        If a field holds anything else.

    Examples
    --------
    >>> from algatt.layers import Linear, Residual, describe, noun_of
    >>> describe(Residual(Linear(3)))
    {'name': 'Residual', 'layer': {'name': 'Linear', 'width': 3, 'bias': False}}
    >>> noun_of(describe(Residual(Linear(3))))
    Residual(Linear(3))
    """
    if isinstance(value, Stack) and len(set(value.blocks)) == 1 and len(value.blocks) > 1:
        return {"name": "Stack", "count": len(value.blocks), "block": describe(value.blocks[0])}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: describe(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"name": type(value).__name__, **fields}
    if isinstance(value, Fraction):
        return {"name": "Fraction", "value": str(value)}
    if isinstance(value, tuple | list):
        return [describe(entry) for entry in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise InvalidArgument(
        "architecture", f"with {value!r} in a field", "made of nouns, numbers, texts and tuples, which JSON can hold"
    )


def noun_of(description: Any, argument: str = "description") -> Any:
    """Return what `describe` made plain values of; fields that are missing are as by default.

    A noun is found by the name of its class, so the module of a noun that is not in this package has to be imported.

    Parameters
    ----------
    description : dict, list, number or str
        The plain values.
    argument : str, optional
        What they are called in errors.

    Raises
    ------
    InvalidArgument
        If a noun is unknown, or its fields are not what they should be.
    """
    if isinstance(description, list):
        return tuple(noun_of(entry, f"{argument}[{number}]") for number, entry in enumerate(description))
    if not isinstance(description, dict):
        return description
    fields = dict(description)
    name = fields.pop("name", None)
    if name == "Fraction":
        return fraction(argument, fields.get("value"))
    if name == "Stack" and "count" in fields:
        return Stack.of_copies(fields["count"], noun_of(fields.get("block"), f"{argument}.block"))
    load_methods(("layers",))  # and with them their nouns
    if name not in (kinds := nouns()):
        load_methods()
    if name is None:
        raise InvalidArgument(f"{argument}.name", "not given", "the name of a layer, or of what stands in its slots")
    if name not in (kinds := nouns()):
        near = difflib.get_close_matches(str(name), kinds, n=1)
        hint = f"; did you mean {near[0]}?" if near else "; a noun of your own has to be imported first"
        raise InvalidArgument(
            f"{argument}.name", f"{name!r}{hint}", "the name of a layer, or of what stands in its slots"
        )
    kind: Any = kinds[name]
    homes = sorted({one.__module__ for one in subclasses(Noun) if one.__name__ == name})
    if len(homes) > 1:
        was = f"{name!r}, which is in the modules {', '.join(homes)}"
        raise InvalidArgument(f"{argument}.name", was, "the name of one noun")
    known = [field.name for field in dataclasses.fields(kind)]
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise InvalidArgument(
            f"{argument}.{unknown[0]}", "given", f"one of the fields {', '.join(known) or 'of nothing'} of {name}"
        )
    values = {key: noun_of(value, f"{argument}.{key}") for key, value in fields.items()}
    for field in dataclasses.fields(kind):
        if is_required(field) and field.name not in values:
            raise InvalidArgument(f"{argument}.{field.name}", "missing", f"a field of {name}")
    return kind.of_fields(values)


def fraction(argument: str, text: Any) -> Fraction:
    """Return a fraction that is written as "1/3"."""
    try:
        return Fraction(text)
    except (TypeError, ValueError, ZeroDivisionError):
        raise InvalidArgument(f"{argument}.value", repr(text), 'a fraction, as "1/3"') from None


def is_required(field: dataclasses.Field) -> bool:
    """Return whether a field has no default."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def nouns() -> dict[str, type[Any]]:
    """Return the nouns that are no abstract ones, by their names."""
    return {kind.__name__: kind for kind in subclasses(Noun) if ABC not in kind.__bases__}


def subclasses(kind: type) -> Iterator[type[Any]]:
    """Iterate over all classes below one that have fields."""
    below: list[type[Any]] = kind.__subclasses__()
    for cls in below:
        if dataclasses.is_dataclass(cls):
            yield cls
        yield from subclasses(cls)
