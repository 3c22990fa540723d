"""How the change of a tensor spreads through a program, result by result."""

from __future__ import annotations

import heapq

from algatt.programs.uses import RATIONAL
from algatt.symmetry.arrows.changes.change import Change, Recipe, UnknownChange
from algatt.symmetry.arrows.changes.flow import Flow, NewMove
from algatt.symmetry.arrows.changes.rules import RULES

__all__ = ["leaves_value"]


def leaves_value(flow: Flow, start: int, kind: str) -> bool:
    """Change a tensor by any rows, columns or scale, let others take up what they can, require to vanish what has to,
    and return whether the value stays.

    Parameters
    ----------
    flow : Flow
        What is known, nothing at first; the changes, and what is absorbed, are entered here.
    start : int
        The number of the tensor.
    kind : str
        ``rows``, ``columns`` or ``scale``: of a tensor with one row, any change; or ``weighted``.
    """
    uses = flow.uses
    size = 1 if flow.ray else uses.height(start) if kind in ("columns", "weighted") else uses.width(start)
    flow.begin(start, kind, size, None if kind == "scale" else beginning(flow))
    if start == len(uses) - 1:
        return False
    while flow.vanishing.rank < size:
        try:
            follow(flow)
        except NewMove:
            continue
        except UnknownChange:
            return False
        return made_of_what_was_met(flow)
    return False


def beginning(flow: Flow) -> Recipe:
    """Return what is added to the tensor at the beginning: v, or a multiple of 1/g."""
    if flow.ray:
        return lambda results, V: results[flow.gain].reciprocal() @ V
    return lambda results, V: V


def follow(flow: Flow) -> None:
    """Follow the changes of the tensors through the program.

    Raises
    ------
    NewMove
        If another tensor has to change, or a vector has to vanish.
    UnknownChange
        If the value changes, or it is not known how a result does.
    """
    uses, last = flow.uses, len(flow.uses) - 1
    flow.met = {vector for change in list(flow.moves.values())[:1] for vector in change.parts}
    flow.changes = {number: change for number, change in flow.moves.items() if flow.vanishing.change(change)}
    pending = sorted({user for number in flow.changes for user in uses.users[number]})
    done: set[int] = set()
    while pending:
        number = heapq.heappop(pending)
        if number in done:
            continue
        done.add(number)
        change = flow.vanishing.change(change_after(flow, number))
        if change is not None:
            if number == last:
                flow.require_zero([change])
            flow.changes[number] = change
            for user in uses.users[number]:
                heapq.heappush(pending, user)


def change_after(flow: Flow, number: int) -> Change | None:
    """Return the change of a result, given those of what it is made of; None if it does not change.

    A result with one row changes by a scale, whatever is done to it. Elsewhere the changes of the operands have to
    vanish if nothing is known of that of the result: of two the one that asks for fewer conditions, and if both ask for
    as many the second one, as softmax sees queries, but not keys, that change alike.

    Raises
    ------
    NewMove
        If another tensor has to change, or a vector has to vanish.
    UnknownChange
        If nothing is known with which these vanish.
    """
    one = flow.uses[number]
    changed = [flow.changes.get(operand) for operand in one.operands]
    if not any(changed):
        return None
    flow.enter(number, changed)
    try:
        weighted = any(change is not None and change.kind == "weighted" for change in changed)
        if one.operation not in RULES or (weighted and (one.operation != "product" or changed[0] is None)):
            raise UnknownChange
        return RULES[one.operation](flow, number, changed)
    except UnknownChange:
        if one.operation in RATIONAL and flow.uses.height(number) == 1:
            return flow.fresh_scale()
        found = [change for change in reversed(changed) if change is not None and change.conditions]
        flow.require_zero(sorted(found, key=lambda change: sum(one.rank for one in change.conditions))[:1])
        raise


def made_of_what_was_met(flow: Flow) -> bool:
    """Return whether all tensors that change, and all that vanishes, are made of vectors that were met when changes
    were followed for the last time: then no factor of theirs changes.
    """
    needed = {vector for change in flow.moves.values() for vector in change.parts}
    needed.update(flow.vanishing.rows, *flow.vanishing.rows.values())
    return needed <= flow.met
