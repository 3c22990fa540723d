"""Which arrows an architecture has: they are found on its program."""

from __future__ import annotations

import functools

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.errors import MethodError
from algatt.symmetry.arrows.gains import GainSymmetry, fold_gains
from algatt.symmetry.arrows.shifts import ShiftSymmetry, find_shifts

__all__: list[str] = []


@functools.lru_cache(maxsize=64)
def arrows_of(arch: Architecture) -> tuple[tuple[GainSymmetry, ...], tuple[ShiftSymmetry, ...]]:
    """Return the gains that can be folded, and the shifts; none for an architecture that has no program."""
    try:
        program = verbs.program(arch)
    except MethodError:
        return (), ()
    _, fold = fold_gains(program)
    shifts = find_shifts(program, one_hot=arch.vocabulary is not None)
    gains = tuple(GainSymmetry(arch, gain) for gain in fold.gains)
    return gains, tuple(ShiftSymmetry(arch, shift) for shift in shifts)


@verbs.members.method
def gains_of_architecture(family: type[GainSymmetry], arch: Architecture) -> tuple[GainSymmetry, ...]:
    return arrows_of(arch)[0]


@verbs.members.method
def shifts_of_architecture(family: type[ShiftSymmetry], arch: Architecture) -> tuple[ShiftSymmetry, ...]:
    return arrows_of(arch)[1]


@verbs.members.method
def no_gains(family: type[GainSymmetry], arch: Lightning | Normalized) -> tuple[GainSymmetry, ...]:
    return ()


@verbs.members.method
def no_shifts(family: type[ShiftSymmetry], arch: Lightning | Normalized) -> tuple[ShiftSymmetry, ...]:
    return ()
