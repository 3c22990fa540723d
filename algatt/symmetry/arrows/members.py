"""Which arrows an architecture has: they are found on its program."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import MethodError
from algatt.symmetry.arrows.gains import GainSymmetry, fold_gains
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry, find_norm_biases
from algatt.symmetry.arrows.shifts import ShiftSymmetry, find_shifts

__all__: list[str] = []


@dataclass(frozen=True)
class Arrows:
    """What is found on the program of an architecture.

    Parameters
    ----------
    gains, shifts, biases : tuple
        The families of each kind.
    """

    gains: tuple[GainSymmetry, ...] = ()
    shifts: tuple[ShiftSymmetry, ...] = ()
    biases: tuple[NormBiasSymmetry, ...] = ()


@functools.lru_cache(maxsize=64)
def arrows_of(arch: Architecture) -> Arrows:
    """Return the arrows of an architecture; none if it has no program."""
    try:
        program = verbs.program(arch)
    except MethodError:
        return Arrows()
    program, fold = fold_gains(program)
    shifts = find_shifts(program, one_hot=arch.vocabulary is not None)
    shifted = {shift.tensor for shift in shifts}
    return Arrows(
        tuple(GainSymmetry(arch, gain) for gain in fold.gains),
        tuple(ShiftSymmetry(arch, shift, fold) for shift in shifts),
        tuple(NormBiasSymmetry(arch, one, fold) for one in find_norm_biases(program) if one.name not in shifted),
    )


@verbs.members.method
def gains_of_architecture(family: type[GainSymmetry], arch: Architecture) -> tuple[GainSymmetry, ...]:
    return arrows_of(arch).gains


@verbs.members.method
def shifts_of_architecture(family: type[ShiftSymmetry], arch: Architecture) -> tuple[ShiftSymmetry, ...]:
    return arrows_of(arch).shifts


@verbs.members.method
def norm_biases_of_architecture(family: type[NormBiasSymmetry], arch: Architecture) -> tuple[NormBiasSymmetry, ...]:
    return arrows_of(arch).biases
