"""The answers of two versions of the package to the same questions, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt.errors import InvalidArgument
from algatt.sweeps.store import Row
from algatt.verbs.views import Tabled


@dataclass(frozen=True)
class VersionPair(Tabled):
    """What two versions say of one architecture.

    Parameters
    ----------
    first, second : Row or None
        Their answers to one question with one seed; None for one that was not asked.
    """

    first: Row | None
    second: Row | None

    @property
    def row(self) -> Row:
        """One of the two."""
        row = self.first or self.second
        if row is None:
            raise InvalidArgument("first", "None, as is second", "a row, or second one")
        return row

    @property
    def verdict(self) -> str:
        """``equal``; ``other worth`` if the value is the same, and its status or bounds are not; ``different`` if the
        value is another; ``contradiction`` if what is proven cannot both be true; ``no answer`` if one or both failed
        or could not decide; ``not asked`` if one was not asked.
        """
        if self.first is None or self.second is None:
            return "not asked"
        one, two = self.first, self.second
        if not overlap(one, two):
            return "contradiction"
        if one.value is None or two.value is None:
            return "no answer"
        if one.value != two.value:
            return "different"
        return "equal" if (one.status, one.lower, one.upper) == (two.status, two.lower, two.upper) else "other worth"


def overlap(one: Row, two: Row) -> bool:
    """Whether some integer is within the proven bounds of both."""
    lower = [bound for bound in (one.lower, two.lower) if bound is not None]
    upper = [bound for bound in (one.upper, two.upper) if bound is not None]
    return not lower or not upper or max(lower) <= min(upper)


def compare_versions(rows: Iterable[Row], first: str, second: str) -> tuple[VersionPair, ...]:
    """Return the answers of two versions of the package side by side.

    Parameters
    ----------
    rows : iterable of Row
        Rows of a record, such as those of `Store.rows`.
    first, second : str
        The versions.

    Returns
    -------
    tuple of Pair
        One for each architecture, question and seed that either was asked of.

    Raises
    ------
    InvalidArgument
        If no row is of one of the versions.

    Examples
    --------
    >>> import dataclasses, tempfile
    >>> import algatt
    >>> from algatt.sweeps import compare_versions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (row,) = algatt.sweep([algatt.Lightning((2, 2), (1,), 2)], f"{folder}/runs.sqlite").rows
    >>> before = dataclasses.replace(row, version="0.1.0", status="probable", upper=7)
    >>> [pair.verdict for pair in compare_versions([before, row], "0.1.0", row.version)]
    ['other worth']
    """
    given = list(rows)
    known = sorted({row.version for row in given})
    for argument, version in (("first", first), ("second", second)):
        if version not in known:
            should = f"a version that the rows have: {', '.join(known) or 'there are none'}"
            raise InvalidArgument(argument, repr(version), should)
    sides = [{row.key[:3]: row for row in given if row.version == version} for version in (first, second)]
    return tuple(VersionPair(*(side.get(key) for side in sides)) for key in dict.fromkeys((*sides[0], *sides[1])))
