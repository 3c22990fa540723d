"""A plan in a file: families of architectures, and the question that each of them is asked."""

from __future__ import annotations

import difflib
import inspect
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algatt import published
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.files import read_bytes
from algatt.published.sources import config_of
from algatt.sweeps.family import Family, Member
from algatt.sweeps.questions import QUESTIONS

MOST_BYTES = 2**20
"""A plan takes so many bytes at most."""

RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")
"""``1..6``, both ends included, or ``2..8..2`` with a step."""

KEYS = {"question", "seed", "limit", "family"}

FAMILY_KEYS = {"name", "network", "published", "sizes", "where"}


@dataclass(frozen=True)
class Plan:
    """Families of architectures and a question.

    Parameters
    ----------
    families : sequence of Family
        What is asked.
    question : str, optional
        The name of a question, ``dimension`` unless it is given.
    seed : int, optional
        Names the random points.
    limit : float or None, optional
        Seconds that a question may take; one that takes longer is recorded as such.
    """

    families: Sequence[Family]
    question: str = "dimension"
    seed: int = 0
    limit: float | None = None
    source: str = field(default="", compare=False)

    @property
    def products(self) -> int:
        """How many choices of sizes there are, before conditions."""
        return sum(family.products for family in self.families)

    def members(self) -> Iterator[Member]:
        """Iterate over all architectures."""
        for family in self.families:
            yield from family.members()


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan from a TOML file.

    Parameters
    ----------
    path : path
        The file. It has ``question``, ``seed`` and ``limit``, all of them optional, and one or more tables
        ``[[family]]`` with ``sizes`` and one of ``network`` (an expression) and ``published`` (the config of a model,
        of which `algatt.published.scaled` makes small ones of these sizes), and perhaps ``where`` and ``name``.

    Raises
    ------
    InvalidArgument
        If it cannot be read, has keys that no plan has, or a family is not as it should be.
    """
    try:
        content = tomllib.loads(read_bytes(path, MOST_BYTES).decode())
    except (OSError, ValueError) as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise InvalidArgument("plan", f"{os.fspath(path)!r}, which cannot be read ({reason})", "a TOML file") from None
    check_keys("plan", content, KEYS)
    families = content.get("family")
    if not isinstance(families, list) or not families:
        raise InvalidArgument("family", repr(families), "one or more tables [[family]]")
    folder = Path(path).parent
    made = tuple(read_family(f"family {number}", family, folder) for number, family in enumerate(families, 1))
    question = content.get("question", "dimension")
    if question not in QUESTIONS:
        raise InvalidArgument("question", repr(question), f"one of {', '.join(QUESTIONS)}")
    seed, limit = content.get("seed", 0), content.get("limit")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidArgument("seed", repr(seed), "an integer, not negative")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0):
        raise InvalidArgument("limit", repr(limit), "a positive number of seconds")
    return Plan(made, question, seed, limit, os.fspath(path))


def check_keys(where: str, table: Mapping[str, Any], known: set[str]) -> None:
    """Raise an error for a key that is not one of those that are known."""
    for key in table.keys() - known:
        near = difflib.get_close_matches(key, known, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise InvalidArgument(where, f"with the unknown key {key!r}{hint}", f"of {', '.join(sorted(known))}")


def read_family(where: str, table: Any, folder: Path) -> Family:
    """Return the family of a table."""
    if not isinstance(table, dict):
        raise InvalidArgument(where, repr(table), "a table [[family]]")
    check_keys(where, table, FAMILY_KEYS)
    sizes = table.get("sizes", {})
    if not isinstance(sizes, dict):
        raise InvalidArgument(f"{where}, sizes", repr(sizes), "a table of names")
    ranges = {name: read_range(f"{where}, sizes.{name}", given) for name, given in sizes.items()}
    kinds = [key for key in ("network", "published") if key in table]
    if len(kinds) != 1:
        raise InvalidArgument(where, f"with {' and '.join(kinds) or 'neither'}", "with one of network and published")
    for key in ("name", "where", *kinds):
        if key in table and not isinstance(table[key], str):
            raise InvalidArgument(f"{where}, {key}", repr(table[key]), "text")
    given: str = table[kinds[0]]
    network = ScaledConfig(str(folder / given)) if kinds[0] == "published" else given
    name = table.get("name", given if kinds[0] == "published" else where)
    return Family(network, ranges, table.get("where"), name)


@dataclass(frozen=True)
class ScaledConfig:
    """The networks of a published config at small sizes, as `algatt.published.scaled` names them.

    Parameters
    ----------
    path : path
        The config, or JSON that has it in its field ``config``.
    """

    path: str

    def __call__(self, **sizes: int) -> Architecture:
        known = inspect.signature(published.scaled).parameters.keys() - {"config"}
        for name in sizes.keys() - known:
            raise InvalidArgument("sizes", f"with {name!r}", f"of {', '.join(sorted(known))}, as scaled has them")
        network: Architecture = published.read(published.scaled(config_of(self.path)[1], **sizes))
        return network


def read_range(where: str, given: Any) -> Sequence[int]:
    """Return the integers of an integer, of a list, or of a text such as ``1..6`` or ``2..8..2``."""
    should = "an integer, a list of integers, or a range such as 1..6 or 2..8..2"
    if isinstance(given, int) and not isinstance(given, bool):
        return (given,)
    if isinstance(given, list) and given and all(isinstance(one, int) and not isinstance(one, bool) for one in given):
        return tuple(given)
    match = RANGE.fullmatch(given) if isinstance(given, str) else None
    if match is None:
        raise InvalidArgument(where, repr(given), should)
    start, end, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if step == 0 or end < start:
        raise InvalidArgument(where, f"{given!r}, an empty range", should)
    return range(start, end + 1, step)
