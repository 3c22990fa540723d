"""A family of architectures: a network with names of sizes in it, what the sizes run over, and a condition."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from algatt.architectures import Architecture
from algatt.errors import AlgattError, InvalidArgument
from algatt.sweeps.expressions import Expression


@dataclass(frozen=True)
class Member:
    """An architecture of a family.

    Parameters
    ----------
    family : str
        The name of the family; empty for an architecture of its own.
    sizes : mapping of str to int
        Its sizes.
    architecture : Architecture
        What they make.
    """

    family: str
    sizes: Mapping[str, int]
    architecture: Architecture


@dataclass(frozen=True)
class Family:
    """Architectures that differ in their sizes: all those in the product of ranges for which a condition holds.

    Parameters
    ----------
    network : str or callable
        An expression such as ``"Lightning((d, e), (a,), t)"``, or a function of the sizes by their names.
    sizes : mapping of str to sequence of int
        What each size runs over.
    where : str or callable, optional
        A condition on the sizes; without one all are taken.
    name : str, optional
        What it is called in the record.

    Raises
    ------
    InvalidArgument
        If a name in an expression has no sizes, a range is empty, or has something else than integers.

    Examples
    --------
    >>> from algatt.sweeps import Family
    >>> family = Family("Lightning((d, d), (a,), 2)", {"d": range(1, 4), "a": (1, 2)}, where="a <= d")
    >>> family.products, [member.sizes for member in family.members()][:2]
    (6, [{'d': 1, 'a': 1}, {'d': 2, 'a': 1}])
    """

    network: str | Callable[..., Any]
    sizes: Mapping[str, Sequence[int]]
    where: str | Callable[..., Any] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        for name, values in self.sizes.items():
            if isinstance(values, str) or len(values) == 0:
                raise InvalidArgument(f"sizes[{name!r}]", repr(values), "some integers")
            for value in values[:1] if isinstance(values, range) else values:
                if isinstance(value, bool) or not isinstance(value, int):
                    raise InvalidArgument(f"sizes[{name!r}]", repr(value), "integers")
        for argument in ("network", "where"):
            given = getattr(self, argument)
            if isinstance(given, str):
                missing = sorted(Expression(given, argument).names - self.sizes.keys())
                if missing:
                    was = f"{given!r}, where {missing[0]} is neither a size nor a noun of algatt"
                    raise InvalidArgument(argument, was, f"of the sizes {', '.join(self.sizes) or '(none)'}")

    @property
    def products(self) -> int:
        """How many choices of sizes there are, before the condition."""
        return math.prod(len(values) for values in self.sizes.values())

    def members(self) -> Iterator[Member]:
        """Iterate over its architectures.

        Raises
        ------
        InvalidArgument
            If sizes make no architecture; a condition leaves such out. Or if it leaves out all.
        """
        make, keep, some = evaluator(self.network, "network"), evaluator(self.where, "where"), False
        for values in itertools.product(*self.sizes.values()):
            sizes = dict(zip(self.sizes, values, strict=True))
            if self.where is not None and not keep(sizes):
                continue
            some = True
            yield Member(self.name, sizes, architecture_of(make, sizes))
        if not some:
            was = f"{self.where!r}, which none of the {self.products:,} choices of sizes fulfils"
            raise InvalidArgument("where", was, "a condition that some of them fulfil")


def evaluator(given: str | Callable[..., Any] | None, argument: str) -> Callable[[Mapping[str, int]], Any]:
    """Return what makes a value of sizes: that of an expression, or of a function."""
    if isinstance(given, str):
        return Expression(given, argument).value
    return lambda sizes: None if given is None else given(**sizes)


def architecture_of(make: Callable[[Mapping[str, int]], Any], sizes: Mapping[str, int]) -> Architecture:
    """Return the architecture that sizes make; where they make none, the error says at which sizes."""
    given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    try:
        made = make(sizes)
    except AlgattError as error:
        error.add_note(f"at {given}; where = ... leaves such sizes out")
        raise
    if not isinstance(made, Architecture):
        raise InvalidArgument("network", f"of type {type(made).__name__} at {given}", "a network, with its tokens")
    return made
