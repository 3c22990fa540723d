"""How the change of a tensor spreads through a program, result by result."""

from __future__ import annotations

import heapq

import numpy as np

from algatt.fields import Elements
from algatt.maps.interpret import Results
from algatt.symmetry.arrows.changes.change import Change, UnknownChange
from algatt.symmetry.arrows.changes.flow import Flow
from algatt.symmetry.arrows.changes.rules import RULES

__all__ = ["leaves_value"]


def leaves_value(flow: Flow, start: int, kind: str) -> bool:
    """Change a tensor by any rows or columns, let others absorb what they can, and return whether the value stays.

    Parameters
    ----------
    flow : Flow
        What is known, nothing at first; the changes, and what is absorbed, are entered here.
    start : int
        The number of the tensor.
    kind : str
        ``rows`` or ``columns``.
    """
    uses = flow.uses
    size = uses.width(start) if kind == "rows" else uses.height(start)
    flow.changes[start] = flow.fresh(kind, lambda results: unit(results, size))
    pending = list(uses.users[start])
    heapq.heapify(pending)
    done = {start}
    while pending:
        number = heapq.heappop(pending)
        if number in done:
            continue
        done.add(number)
        try:
            change = change_after(flow, number)
        except UnknownChange:
            return False
        if change is not None:
            if number == len(uses) - 1:
                return False
            flow.changes[number] = change
            for user in uses.users[number]:
                heapq.heappush(pending, user)
    return start != len(uses) - 1


def change_after(flow: Flow, number: int) -> Change | None:
    """Return the change of a result, given those of what it is made of; None if it does not change.

    Raises
    ------
    UnknownChange
        If it is none that is followed.
    """
    one = flow.uses[number]
    changed = [flow.changes.get(operand) for operand in one.operands]
    if not any(changed):
        return None
    if one.operation not in RULES:
        raise UnknownChange
    return RULES[one.operation](flow, number, changed)


def unit(results: Results, size: int) -> Elements:
    """Return the identity matrix over the field of results."""
    return Elements.of(results.field, np.eye(size, dtype=np.int64))
