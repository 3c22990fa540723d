"""All motions of a network together, at weights: a second way to what its families do. The program is in normal form,
and its gains are folded.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.arrangement import arrangement_of
from algatt.architectures.recording import program as program_of
from algatt.fields import Elements, Field, PrimeField, concatenate
from algatt.fields.motions import Action
from algatt.fields.motions.words import Form
from algatt.parameters import Weights
from algatt.programs.interpret import Results
from algatt.symmetry.arrows.folded import tangents_through
from algatt.symmetry.arrows.gains import Fold, fold_gains
from algatt.symmetry.arrows.norms import GainSymmetry
from algatt.symmetry.base import stack_tangents
from algatt.symmetry.motions.conditions import MovingPart
from algatt.symmetry.motions.solutions import MotionSolutions
from algatt.symmetry.motions.solving import solve_motions
from algatt.symmetry.motions.words import letter_value, value_of
from algatt.symmetry.typed.entries import entry_of

__all__ = ["motion_tangents", "motions_bound", "motions_of"]


@functools.lru_cache(maxsize=64)
def motions_of(arch: Architecture, *, steps: bool = False) -> tuple[MotionSolutions, Fold]:
    """Return the motions of an architecture whose program is in normal form, and the arrow that folds its gains.

    Parameters
    ----------
    arch : Architecture
        The network.
    steps : bool, optional
        Whether gates and choices ask for nothing, as `algatt.fields.Motions` says.
    """
    program, fold = fold_gains(program_of(arch))
    gone = {gain.name for gain in fold.gains}
    shapes = {name: shape for name, shape in verbs.coordinates(arch).items() if name not in gone}
    return solve_motions(program, shapes, units=arch.units, steps=steps), fold


def motion_tangents(arch: Architecture, theta: Weights) -> Elements:
    """Return how weights move in each motion, with those of the gains that are folded, as rows; none of those that
    divide by a number which is zero at these weights.

    Where an architecture reads tokens alone, the rows are in the kernel of the Jacobian of almost all weights, as gates
    and choices are then constant near them; otherwise they are the tangents of symmetries.
    """
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    base, moved = (arch, theta) if arrangement is None else (arrangement.network, arrangement.forth(theta))
    solutions, fold = motions_of(base, steps=base.tokens_alone)
    parts = tangents_through(fold, moved, functools.partial(tangents_of, solutions))
    parts += [part for gain in fold.gains for part in GainSymmetry(base, gain).tangent_parts(moved)]
    if arrangement is not None:
        parts = [arrangement.together(part) for part in parts]
    return stack_tangents(theta, parts)


def motions_bound(arch: Architecture, seed: int = 0) -> int:
    """Return an upper bound of the dimension of an architecture: the number of parameters less the rank of its motions
    at random weights modulo a prime.
    """
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=seed)
    return arch.parameters - int(verbs.rank(motion_tangents(arch, theta)))


def tangents_of(solutions: MotionSolutions, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
    """Return for each tensor how it moves in each solution, as a stack."""
    (first, *_) = tensors.values()
    results = Results(solutions.program, first.field, tensors)
    stacks = {name: tangent_of(solutions, name, W, results) for name, W in tensors.items() if name in solutions.moved}
    kept: list[dict[str, np.ndarray]] = []
    start = 0
    for part in solutions.parts:
        stop = start + len(part.assignments)
        found = coefficients_of(part, results)
        combined = {}
        for name, stack in stacks.items():
            rows = Elements(stack.field, stack.raw[start:stop].reshape(stop - start, -1))
            rows = rows if found is None else found.T @ rows
            combined[name] = rows.raw.reshape(-1, *stack.shape[1:])
        kept.append(combined)
        start = stop
    if not kept:
        return {}
    return {name: Elements(first.field, np.concatenate([one[name] for one in kept])) for name in stacks}


def tangent_of(solutions: MotionSolutions, name: str, W: Elements, results: Results) -> Elements:
    """Return how a tensor moves in each solution."""
    moved, field, count = solutions.moved[name], W.field, len(solutions.assignments)
    total = Elements.of(field, np.zeros((count, *W.shape), dtype=np.int64))
    total = total + matrices_of(solutions, moved.rows, field) @ W + W @ matrices_of(solutions, moved.columns, field)
    for one in moved.taken:
        for word, form in one.shift.items():
            vectors = vectors_of(solutions, form, field)
            if one.kind == "mixed":
                factors = Elements(field, vectors.raw.reshape(-1, 1, 1))
                total = total + factors * letter_value(word.letters[0], results)
                continue
            column = value_of(word, results, vectors.shape[0]) @ vectors  # (m, count)
            stack = Elements(field, column.T.raw[:, :, None])
            if one.kind == "left":
                row = Elements.of(field, np.ones((1, W.shape[1]), dtype=np.int64))
                if one.row is not None:
                    row = letter_value(one.row, results)
                total = total + stack @ (row if row.shape[0] == 1 else row.T)
            else:
                ones = Elements.of(field, np.ones((W.shape[0], 1), dtype=np.int64))
                total = total + ones @ Elements(field, np.swapaxes(stack.raw, -1, -2))
    return total


def vectors_of(solutions: MotionSolutions, form: Form, field: Field) -> Elements:
    """Return the values of a combination of vectors in all solutions, as columns."""
    size = next(iter(form)).size
    found = np.zeros((size, len(solutions.assignments)), dtype=object)
    for vector, coefficient in form.items():
        for i in range(size):
            for number, value in solutions.values.get((vector, i), ()):
                found[i, number] += coefficient * value
    return Elements(field, verbs.embed(field, found))


def matrices_of(solutions: MotionSolutions, action: Action, field: Field) -> Elements:
    """Return the values of an action in all solutions, as a stack."""
    found = np.zeros((len(solutions.assignments), action.size, action.size), dtype=object)
    for i in range(action.size):
        for j in range(action.size):
            for key, coefficient in entry_of(action, i, j).items():
                for number, value in solutions.values.get(key, ()):
                    found[number, i, j] += coefficient * value
    return Elements(field, verbs.embed(field, found))


def coefficients_of(part: MovingPart, results: Results) -> Elements | None:
    """Return the coefficients that satisfy the conditions at weights, as columns; none at weights at which these
    are dependent, as nothing is known there.
    """
    if not part.conditions:
        return None
    matrix = concatenate([one.matrix(results) for one in part.conditions])
    if int(verbs.rank(matrix)) < matrix.shape[0]:
        return Elements.of(results.field, np.zeros((matrix.shape[1], 0), dtype=np.int64))
    return verbs.kernel(matrix)
