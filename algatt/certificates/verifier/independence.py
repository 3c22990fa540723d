"""Whether directions are linearly independent at a random point, and so at almost all weights."""

from __future__ import annotations

from collections.abc import Sequence

from .claims import Network
from .directions import Directions, Tangent
from .limits import Refused, in_a_line
from .modular import Residues
from .values import LARGE_PRIME

__all__ = ["dependence"]

MOST_ENTRIES = 10**6
"""Maximum number of entries of all directions that are not zero."""

MOST_ENTRIES_OF_CORE = 10**7
"""Maximum number of entries of the matrix whose rank is computed; each takes 8 bytes."""

MOST_PRODUCTS_OF_CORE = 5 * 10**9
"""Maximum number of multiplications in this rank; some 10^9 take a second."""


def dependence(network: Network, families: Sequence[Directions]) -> str | None:
    """Say why the directions of all families are dependent, or one of them is zero; None if they are independent.

    A rank at one point modulo one prime is at most that at almost all weights, whatever the point and the prime are.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    count = sum(family.rows for family in families)
    if max(count, network.parameters) > MOST_ENTRIES:
        was = f"of {count} directions in {network.parameters} parameters"
        raise Refused("families", was, f"of at most {MOST_ENTRIES} each")
    field = Residues(LARGE_PRIME)
    tensors = dict(zip(network.tensors, field.weights(0, list(network.tensors.values())), strict=True))
    rows: list[Tangent] = []
    entries = 0
    for family in families:
        if not family.rows:
            return f"the family {in_a_line(family.name)} has no directions"
        for number, tangent in family.tangents(network, field, tensors, set(range(family.rows))):
            if not any(tangent.values()):
                return f"the family {in_a_line(family.name)}: direction {number} moves nothing"
            entries += len(tangent)
            if entries > MOST_ENTRIES:
                raise Refused("families", f"whose directions have more than {MOST_ENTRIES} entries", "smaller")
            rows.append(tangent)
    core = without_own_columns(rows)
    rank = count - len(core) + rank_of(core, field)
    return None if rank == count else f"the {count} directions of all families are dependent: they span {rank}"


def without_own_columns(rows: Sequence[Tangent]) -> list[Tangent]:
    """Return the rows that are left when a row that is the only one with an entry in some column is left out, one after
    another: each raises the rank of the others by one.
    """
    users: dict[int, set[int]] = {}
    for number, row in enumerate(rows):
        for column in row:
            users.setdefault(column, set()).add(number)
    left = set(range(len(rows)))
    pending = [column for column, some in users.items() if len(some) == 1]
    while pending:
        some = users[pending.pop()]
        if len(some) == 1:
            (number,) = some
            left.remove(number)
            for column in rows[number]:
                users[column].remove(number)
                if len(users[column]) == 1:
                    pending.append(column)
    return [rows[number] for number in sorted(left)]


def rank_of(rows: Sequence[Tangent], field: Residues) -> int:
    """Return the rank of sparse rows."""
    place = {column: j for j, column in enumerate(sorted({column for row in rows for column in row}))}
    size = len(rows) * len(place)
    if size > MOST_ENTRIES_OF_CORE or size * min(len(rows), len(place)) > MOST_PRODUCTS_OF_CORE:
        raise Refused("families", f"of {len(rows)} directions in {len(place)} parameters", "smaller")
    matrix = field.zeros(len(rows), len(place))
    for i, row in enumerate(rows):
        for column, value in row.items():
            matrix[i, place[column]] = value
    return int(matrix.rank())
