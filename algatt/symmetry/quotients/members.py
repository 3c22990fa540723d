"""Which quotients an architecture has: they are found on its program."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeVar

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.base import Symmetry, families_below
from algatt.symmetry.hidden.composites import CompositeSymmetry, composites_of
from algatt.symmetry.hidden.directions import DrawnTensors, UnseenDirections, directions_of
from algatt.symmetry.hidden.forms import pairs_in_forms, sight_of
from algatt.symmetry.hidden.quadratic import QuadraticForm
from algatt.symmetry.motions.shift import Shift
from algatt.symmetry.motions.shifts import solve_shifts
from algatt.symmetry.quotients.folded import FoldedSymmetry
from algatt.symmetry.quotients.gains import fold_gains, program_of
from algatt.symmetry.quotients.mixtures import MixtureSymmetry
from algatt.symmetry.quotients.norms import NormBiasSymmetry, find_norm_biases
from algatt.symmetry.quotients.shifts import ShiftSymmetry
from algatt.symmetry.quotients.sight import Unseen, find_choosing, find_unseen
from algatt.symmetry.quotients.stretched import find_stretches
from algatt.symmetry.quotients.stretches import StretchSymmetry
from algatt.symmetry.quotients.terms import find_mixtures
from algatt.symmetry.quotients.unseen import ChoosingEntries, UnseenSymmetry

Family = TypeVar("Family", bound=Symmetry)

MOST_ENTRIES = 2**26
"""Results with more entries in all are not looked at entry by entry: what is not seen of tensors is not found, and the
bound by symmetries is larger.
"""


MOST_PARAMETERS = 2**11
"""Maximum number of parameters of a network whose unseen directions are compared with all other families."""


def is_small(program: Program) -> bool:
    """Return whether a program is looked at entry by entry."""
    return sum(prod(one.shape) for one in program.instructions) <= MOST_ENTRIES


@functools.lru_cache(maxsize=64)
def hidden_entries(program: Program) -> tuple[Unseen, ...]:
    """Return the entries of tensors that the value of a program does not depend on, in the order of the tensors."""
    return find_unseen(program) if is_small(program) else ()


@functools.lru_cache(maxsize=64)
def quotients_of(arch: Architecture) -> tuple[Symmetry, ...]:
    """Return the families that are found on the program of an architecture, and the entries that only choose; none if
    it has no program, or neither norms nor biases nor heads.
    """
    program = None if isinstance(arch, Lightning | Normalized) else program_of(arch)
    if program is None:
        return ()
    unseen = hidden_entries(program)
    choosing = find_choosing(program) if is_small(program) and arch.tokens_alone else ()
    program, fold = fold_gains(program)
    shifts = solve_shifts(program, units=arch.units).shifts
    hidden = {one.tensor for one in unseen}
    doubtful = {shift for shift in shifts if shift.conditions or shift.tensor in hidden}
    if doubtful:
        tensors = DrawnTensors(verbs.coordinates(arch))
        shifts = tuple(one for one in shifts if one not in doubtful or moves_what_is_seen(one, tensors, unseen))
    shifted = {shift.tensor for shift in shifts if not shift.conditions}
    biases = [one for one in find_norm_biases(program, units=arch.units) if one.name not in shifted]
    return (
        *(NormBiasSymmetry(arch, one, fold) for one in biases),
        *(MixtureSymmetry(arch, one, fold) for one in find_mixtures(program)),
        *(ShiftSymmetry(arch, shift, fold) for shift in shifts),
        *(StretchSymmetry(arch, one, fold) for one in find_stretches(program, units=arch.units)),
        *(ChoosingEntries(arch, one) for one in choosing),
    )


def symmetries_to_first_order(arch: Architecture) -> tuple[Symmetry, ...]:
    """Return the symmetries of an architecture, and what is one to first order at almost all weights."""
    symmetries: tuple[Symmetry, ...] = verbs.symmetries(arch)
    return *symmetries, *(one for one in quotients_of(arch) if isinstance(one, ChoosingEntries))


def moves_what_is_seen(shift: Shift, tensors: Mapping[str, Elements], unseen: Sequence[Unseen]) -> bool:
    """Return whether a shift moves entries of random weights, taken for folded ones, that the value depends on: one by
    a random combination of its vectors, since all of them take the memory of as many tensors.
    """
    basis = shift.vectors(tensors)
    if not basis.shape[1]:
        return False
    raw = verbs.draw_array(basis.field, shape=(basis.shape[1], 1), seed=0, label="quotients/combination")
    for name, change in shift.changes(tensors, basis @ Elements(basis.field, raw)).items():
        moved = change.raw != 0
        for one in unseen:
            if one.tensor == name:
                moved[list(one.rows), list(one.columns)] = False
        if moved.any():
            return True
    return False


@verbs.members.method
def quotients_of_architecture(family: type[FoldedSymmetry], arch: Architecture) -> tuple[Symmetry, ...]:
    return tuple(one for one in quotients_of(arch) if isinstance(one, family))


@verbs.members.method
def unseen_of_architecture(family: type[UnseenSymmetry], arch: Architecture) -> tuple[UnseenSymmetry, ...]:
    """Found without other quotients, for which networks that have none of them are not looked at."""
    found = program_of(arch)
    return () if found is None else tuple(UnseenSymmetry(arch, one) for one in hidden_entries(found))


@verbs.members.method
def directions_of_architecture(family: type[UnseenDirections], arch: Architecture) -> tuple[UnseenDirections, ...]:
    directions = () if program_of(arch) is None else directions_of(arch)
    named = isinstance(arch, Lightning | Normalized)
    return directions if named else beyond_others(arch, directions)


@verbs.members.method
def composites_of_architecture(family: type[CompositeSymmetry], arch: Architecture) -> tuple[CompositeSymmetry, ...]:
    program = None if isinstance(arch, Lightning | Normalized) else program_of(arch)
    return () if program is None else beyond_others(arch, composites_of(arch))


def beyond_others(arch: Architecture, found: tuple[Family, ...]) -> tuple[Family, ...]:
    """Return what families before it do not span at random weights; to leave out a family that is needed makes a bound
    worse, and never wrong.
    """
    if not found or arch.parameters > MOST_PARAMETERS:
        return found
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=0)
    space = RowSpace(PrimeField(), arch.parameters)
    kinds = families_below(Symmetry)
    for other in (member for kind in kinds[: kinds.index(type(found[0]))] for member in verbs.members(kind, arch)):
        space.add(other.tangent_elements(theta))
    return tuple(one for one in found if space.add(one.tangent_elements(theta)))


@verbs.members.method
def quadratic_forms_of_architecture(family: type[QuadraticForm], arch: Architecture) -> tuple[QuadraticForm, ...]:
    found = program_of(arch)
    pairs = () if found is None else pairs_in_forms(sight_of(found)[0].uses)
    families = (QuadraticForm(arch, *pair) for pair in pairs)
    return tuple(one for one in families if one.dimension)
