"""The fields of a config, each checked when it is asked for."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from algatt.arguments import instance, positive, truth, whole
from algatt.arguments import not_negative as at_least_zero
from algatt.errors import InvalidArgument, in_words
from algatt.files import parse_json, read_bytes, shorten
from algatt.published.known import config_of_name, similar_models

MOST_BYTES = 2**24
"""A config may take so many bytes."""

CONFIG = "the config.json of a published model"


@dataclass(frozen=True)
class Fields:
    """The fields of a config.

    A field that is null has no default: the library does not take its default for it either. `optional` reads what may
    be null. In a part, null counts as not given.

    Parameters
    ----------
    values : mapping of str to object
        The fields by name.
    path : str, optional
        What comes before the names of those of a part, as ``rope_parameters.``; empty unless given.
    tokens : int, optional
        How many tokens the network reads, of which some angles depend; 2 unless given.
    """

    values: Mapping[str, Any]
    path: str = ""
    tokens: int = 2

    def get(self, name: str, should: str, default: Any = None) -> Any:
        """Return a field, or what it is by default; raise `InvalidArgument` without either, or if it is null."""
        value = self.values.get(name, default)
        if value is None and default is not None:
            if not self.path:
                raise InvalidArgument(name, "null", f"{should}, or not in the config")
            value = default
        if value is None:
            kind = self.values.get("model_type")
            of = "" if self.path else f", whose model_type is {kind!r}"
            raise InvalidArgument(f"{self.path}{name}", f"missing from the config{of}", should)
        return value

    def whole(self, name: str, default: int | None = None, least: int = 1) -> int:
        """Return an integer of at least `least`."""
        return whole(f"{self.path}{name}", self.get(name, f"an integer >= {least}", default), least)

    def optional(self, name: str) -> int | None:
        """Return an integer >= 1, or None if there is none."""
        return None if self.values.get(name) is None else self.whole(name)

    def positive(self, name: str, default: float | None = None) -> float:
        """Return a number > 0."""
        return float(positive(f"{self.path}{name}", self.get(name, "a positive number", default)))

    def not_negative(self, name: str, default: float | None = None) -> float:
        """Return a number >= 0."""
        return float(at_least_zero(f"{self.path}{name}", self.get(name, "a finite number >= 0", default)))

    def truth(self, name: str, default: bool | None = None) -> bool:
        """Return a truth value."""
        return truth(f"{self.path}{name}", self.get(name, "True or False", default))

    def only(self, name: str, value: Any) -> None:
        """Raise `InvalidArgument` unless a field has the one value that the layers can say, or is not there."""
        given = self.values.get(name)
        if given is not None and (given != value or type(given) is not type(value)):
            raise InvalidArgument(f"{self.path}{name}", in_words(given), f"{value!r}: the layers have no other")

    def architecture(self, known: tuple[str, ...]) -> str:
        """Return the first of the known classes that ``architectures`` names; the first of all unless it names one."""
        named = self.values.get("architectures") or ()
        return next((one for one in named if one in known), known[0])

    def part(self, name: str) -> Fields:
        """Return the fields of a field that is a mapping; none if it is not there."""
        value = self.values.get(name)
        value = {} if value is None else value
        path = f"{self.path}{name}"
        checked = instance(path, value, dict, "a mapping of names to values, or null")
        return dataclasses.replace(self, values=checked, path=f"{path}.")


def values_of(config: Any) -> dict[str, Any]:
    """Return the fields of a config that is a mapping, in a file, or that of a known model.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, or holds no JSON object.
    """
    if isinstance(config, Mapping):
        return dict(config)
    if not isinstance(config, str | os.PathLike):
        raise InvalidArgument("config", in_words(config), f"{CONFIG}: a path, a name, or a mapping of its fields")
    known = config_of_name(config)
    path = os.fspath(config if known is None else known)
    try:
        values = parse_json(read_bytes(path, MOST_BYTES))
    except OSError as error:
        was = f"which cannot be read ({error.strerror or error})"
        if isinstance(config, str):
            near = ", ".join(similar_models(path))
            hint = f"similar: {near}" if near else "algatt.published.known_models() lists these"
            was += f" and is no known model; {hint}"
        raise refusal(path, was) from error
    except ValueError as error:
        raise refusal(path, f"which {error}") from error
    if not isinstance(values, dict):
        raise refusal(path, f"which is JSON of a {type(values).__name__}")
    return values if known is None else dict(values["config"])


def refusal(path: Any, was: str) -> InvalidArgument:
    """Return the error for a file."""
    return InvalidArgument("config", f"{shorten(str(path))!r}, {was}", CONFIG)
