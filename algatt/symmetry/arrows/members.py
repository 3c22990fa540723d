"""Which arrows an architecture has: they are found on its program."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from math import prod

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program as program_of
from algatt.errors import MethodError
from algatt.fields import Elements, PrimeField
from algatt.symmetry.arrows.gains import GainSymmetry, fold_gains
from algatt.symmetry.arrows.mixtures import MixtureSymmetry
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry, find_norm_biases
from algatt.symmetry.arrows.shifts import Shift, ShiftSymmetry, find_shifts
from algatt.symmetry.arrows.stretched import find_stretches
from algatt.symmetry.arrows.stretches import StretchSymmetry
from algatt.symmetry.arrows.terms import find_mixtures
from algatt.symmetry.arrows.unseen import (
    ChoosingEntries,
    Unseen,
    UnseenSymmetry,
    find_choosing,
    find_unseen,
    find_unseen_rows,
    with_rows,
)
from algatt.symmetry.base import Symmetry

__all__ = ["symmetries_to_first_order"]

MOST_ENTRIES = 2**26
"""Results with more entries in all are not looked at entry by entry: what is not seen of tensors is not found, and the
bound by symmetries is larger.
"""


@dataclass(frozen=True)
class Arrows:
    """What is found on the program of an architecture.

    Parameters
    ----------
    gains, shifts, biases, unseen, mixtures, choosing, stretches : tuple
        The families of each kind.
    """

    gains: tuple[GainSymmetry, ...] = ()
    shifts: tuple[ShiftSymmetry, ...] = ()
    biases: tuple[NormBiasSymmetry, ...] = ()
    unseen: tuple[UnseenSymmetry, ...] = ()
    mixtures: tuple[MixtureSymmetry, ...] = ()
    choosing: tuple[ChoosingEntries, ...] = ()
    stretches: tuple[StretchSymmetry, ...] = ()


@dataclass(frozen=True)
class DrawnTensors(Mapping[str, Elements]):
    """Random tensors over a prime field, each drawn when it is asked for: of a large network few are.

    Parameters
    ----------
    shapes : mapping of str to tuple of int
        Their shapes.
    drawn : dict of str to Elements
        Those that were asked for.
    """

    shapes: Mapping[str, tuple[int, ...]]
    drawn: dict[str, Elements] = dataclass_field(default_factory=dict)

    def __getitem__(self, name: str) -> Elements:
        if name not in self.drawn:
            field = PrimeField()
            raw = verbs.draw_array(field, shape=self.shapes[name], seed=0, label=f"arrows/{name}")
            self.drawn[name] = Elements(field, raw)
        return self.drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.shapes)

    def __len__(self) -> int:
        return len(self.shapes)


@functools.lru_cache(maxsize=64)
def arrows_of(arch: Architecture) -> Arrows:
    """Return the arrows of an architecture; none if it has no program."""
    try:
        program = program_of(arch)
    except MethodError:
        return Arrows()
    few = sum(prod(one.shape) for one in program.instructions) <= MOST_ENTRIES
    unseen = find_unseen(program) if few else ()
    choosing = find_choosing(program) if few and arch.tokens_alone else ()
    program, fold = fold_gains(program)
    unseen = with_rows(unseen, find_unseen_rows(program) if few else ())
    shifts = find_shifts(program, units=arch.units)
    hidden = {one.tensor for one in unseen}
    doubtful = {shift for shift in shifts if shift.conditions or shift.tensor in hidden}
    if doubtful:
        tensors = DrawnTensors(verbs.coordinates(arch))
        shifts = tuple(one for one in shifts if one not in doubtful or moves_what_is_seen(one, tensors, unseen))
    shifted = {shift.tensor for shift in shifts if not shift.conditions}
    return Arrows(
        tuple(GainSymmetry(arch, gain) for gain in fold.gains),
        tuple(ShiftSymmetry(arch, shift, fold) for shift in shifts),
        tuple(NormBiasSymmetry(arch, one, fold) for one in find_norm_biases(program) if one.name not in shifted),
        tuple(UnseenSymmetry(arch, one) for one in unseen),
        tuple(MixtureSymmetry(arch, one, fold) for one in find_mixtures(program)),
        tuple(ChoosingEntries(arch, one) for one in choosing),
        tuple(StretchSymmetry(arch, one, fold) for one in find_stretches(program, units=arch.units)),
    )


def symmetries_to_first_order(arch: Architecture) -> tuple[Symmetry, ...]:
    """Return the symmetries of an architecture, and what is one to first order at almost all weights."""
    symmetries: tuple[Symmetry, ...] = verbs.symmetries(arch)
    return *symmetries, *arrows_of(arch).choosing


def moves_what_is_seen(shift: Shift, tensors: Mapping[str, Elements], unseen: Sequence[Unseen]) -> bool:
    """Return whether a shift moves entries of random weights, taken for folded ones, that the value depends on."""
    basis = shift.vectors(tensors)
    for name, (kind, matrix) in shift.matrices(tensors).items():
        entries = (matrix @ basis).raw.any(axis=1)
        moved = np.broadcast_to(entries[:, None] if kind == "columns" else entries, tensors[name].shape).copy()
        for one in unseen:
            if one.tensor == name:
                moved[list(one.rows), list(one.columns)] = False
        if moved.any():
            return True
    return False


@verbs.members.method
def gains_of_architecture(family: type[GainSymmetry], arch: Architecture) -> tuple[GainSymmetry, ...]:
    return arrows_of(arch).gains


@verbs.members.method
def shifts_of_architecture(family: type[ShiftSymmetry], arch: Architecture) -> tuple[ShiftSymmetry, ...]:
    return arrows_of(arch).shifts


@verbs.members.method
def norm_biases_of_architecture(family: type[NormBiasSymmetry], arch: Architecture) -> tuple[NormBiasSymmetry, ...]:
    return arrows_of(arch).biases


@verbs.members.method
def unseen_of_architecture(family: type[UnseenSymmetry], arch: Architecture) -> tuple[UnseenSymmetry, ...]:
    return arrows_of(arch).unseen


@verbs.members.method
def mixtures_of_architecture(family: type[MixtureSymmetry], arch: Architecture) -> tuple[MixtureSymmetry, ...]:
    return arrows_of(arch).mixtures


@verbs.members.method
def stretches_of_architecture(family: type[StretchSymmetry], arch: Architecture) -> tuple[StretchSymmetry, ...]:
    return arrows_of(arch).stretches
