"""The constraints of spaces, written for solving: orthogonal matrices, and those beside which means are subtracted.

Tensors in standard position whose sums are zero do not see what matrices do to the vector of ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Set
from fractions import Fraction

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields.motions import Action, Centring, Constraint, Diagonal, Intertwining, Ones, Space, Vanishing
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.discrete.symmetry import Side
from algatt.symmetry.typed.solution import Solution

__all__ = ["aligned", "moves_means_only", "straightened", "summed_sides", "with_summed_sides"]


def moves_means_only(solution: Solution) -> bool:
    """Return whether matrices change nothing but means that are subtracted afterwards."""
    constraints = solution.component.constraints
    return bool(constraints) and all(
        isinstance(one, Intertwining)
        and isinstance(one.constant, Centring)
        and sorted(len(action.terms) for action in one.actions) == [0, 1]
        and not any(action.scalars for action in one.actions)
        for one in constraints
    )


def aligned(solution: Solution) -> Solution:
    """Return a solution in which inverses of transposes stand for some spaces, so that both sides of an equation
    g C = C h have the same sign, and it is linear: where g is the inverse of a transpose, h becomes one, too.
    """
    flipped: dict[Space, bool] = {}
    pairs = []
    for one in solution.component.constraints:
        if isinstance(one, Intertwining) and all(len(action.terms) == 1 for action in one.actions):
            (((left, _), c), ((right, _), d)) = (next(iter(action.terms.items())) for action in one.actions)
            pairs += [(left, right, c * d < 0), (right, left, c * d < 0)]
    for space in solution.component.spaces:
        pending = [] if space in flipped else [(space, False)]
        while pending:
            found, inverse = pending.pop()
            if found not in flipped:
                flipped[found] = inverse
                pending += [(other, inverse != changes) for one, other, changes in pairs if one is found]

    def align(action: Action) -> Action:
        terms = {
            (space, transposed != flipped.get(space, False)): -c if flipped.get(space, False) else c
            for (space, transposed), c in action.terms.items()
        }
        return Action(action.size, terms, action.scalars)

    constraints: list[Constraint] = []
    for one in solution.component.constraints:
        if isinstance(one, Intertwining):
            constraints.append(Intertwining(align(one.left), one.constant, align(one.right)))
        elif isinstance(one, Vanishing):
            constraints.append(Vanishing(align(one.action)))
        elif isinstance(one, Diagonal):
            constraints.append(Diagonal(align(one.action)))
    component = dataclasses.replace(solution.component, constraints=tuple(constraints))
    actions = {name: (align(rows), align(columns)) for name, (rows, columns) in solution.actions.items()}
    return dataclasses.replace(solution, component=component, actions=actions)


def summed_sides(arch: Architecture) -> set[Side]:
    """Return the sides of tensors to which anything may be added alike: in standard position they add up to zero."""
    return {
        (family.shift.tensor, int(family.shift.kind == "columns"))
        for family in verbs.members(ShiftSymmetry, arch)
        if not family.shift.conditions and family.shift.gain is None
    }


def with_summed_sides(solution: Solution, summed: set[Side]) -> tuple[Solution, Set[Space]]:
    """Return a solution with the spaces of which means are subtracted, and also read as they are by some tensors: in
    others, whose sums are zero, h acts as k does, for k C = C h.
    """
    actions = dict(solution.actions)
    seen = set()
    constraints = solution.component.constraints
    orthogonal = {space for one in constraints if isinstance(one, Vanishing) for space, _ in one.action.terms}
    for one in constraints:
        if not isinstance(one, Intertwining) or not isinstance(one.constant, Centring) or len(one.right.terms) != 1:
            continue
        ((space, _),) = one.right.terms
        sides = {
            (name, axis): action
            for name, pair in solution.actions.items()
            for axis, action in enumerate(pair)
            if any(space == term for term, _ in action.terms)
        }
        if space in orthogonal or summed.issuperset(sides) or one.left.scalars or one.right.scalars:
            continue
        seen.add(space)
        for (name, axis), action in sides.items():
            h, k = (one.right, one.left) if axis == 0 else (one.right.T, one.left.T)
            if (name, axis) in summed and action.terms == h.terms:
                pair = list(actions[name])
                pair[axis] = Action(action.size, k.terms, action.scalars)
                actions[name] = pair[0], pair[1]
    return dataclasses.replace(solution, actions=actions), seen


def straightened(solution: Solution, seen: Set[Space]) -> Solution:
    """Return a solution in which orthogonal matrices stand for their inverses' transposes, so that they have
    coefficient 1, with the constraints of `motions_of`; for spaces of which the means are seen there are none.
    """
    component = solution.component
    orthogonal = {
        space
        for one in component.constraints
        if isinstance(one, Vanishing) and len(one.action.terms) == 2 and not one.action.scalars
        for space, _ in one.action.terms
    }

    def straight(action: Action) -> Action:
        terms: dict[tuple[Space, bool], int | Fraction] = {}
        for (space, transposed), c in action.terms.items():
            key = (space, not transposed) if space in orthogonal and c < 0 else (space, transposed)
            turned = -c if key[1] != transposed else c
            terms[key] = terms.get(key, 0) + turned
        return Action(action.size, terms, action.scalars)

    constraints: list[Constraint] = []
    for one in component.constraints:
        if not isinstance(one, Intertwining):
            constraints.append(one)
            continue
        now = Intertwining(straight(one.left), one.constant, straight(one.right))
        constraints.append(now)
        if isinstance(one.constant, Centring):
            for action in now.actions:
                alone = len(action.terms) == 1 and not action.scalars
                if alone and seen.isdisjoint(space for space, _ in action.terms):
                    constraints.append(Intertwining(action, Ones(action.size, 1), Action(1)))
    actions = {name: (straight(rows), straight(columns)) for name, (rows, columns) in solution.actions.items()}
    component = dataclasses.replace(component, constraints=tuple(constraints))
    return dataclasses.replace(solution, component=component, actions=actions)
