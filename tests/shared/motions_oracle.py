"""The motions of a network at weights, without the families that they are named as: matrices on both sides of tensors,
vectors that are added to rows and columns, biases of norms, terms that mix, and gains. Nothing is kept from one call to
the next.
"""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of
from algatt.architectures.network import program as program_of
from algatt.fields import Elements, PrimeField
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, stack_tangents
from algatt.symmetry.motions.shifts import solve_shifts
from algatt.symmetry.motions.solving import solve_types
from algatt.symmetry.quotients.gains import GainSymmetry, fold_gains
from algatt.symmetry.quotients.mixtures import MixtureSymmetry
from algatt.symmetry.quotients.norms import NormBiasSymmetry, find_norm_biases
from algatt.symmetry.quotients.shifts import ShiftSymmetry
from algatt.symmetry.quotients.sight import find_choosing
from algatt.symmetry.quotients.terms import find_mixtures
from algatt.symmetry.quotients.unseen import ChoosingEntries
from algatt.symmetry.spaces import named_spaces

__all__ = ["motion_tangents", "motions_bound"]


def motions_of(arch: Architecture) -> list[Symmetry]:
    """Return the motions of an architecture whose program is in normal form."""
    program, fold = fold_gains(program_of(arch))
    gone = {gain.name for gain in fold.gains}
    shapes = {name: shape for name, shape in verbs.coordinates(arch).items() if name not in gone}
    shifts = solve_shifts.__wrapped__(program, units=arch.units).shifts
    choosing = find_choosing(program_of(arch)) if arch.tokens_alone else ()
    return [
        *named_spaces(arch, solve_types(program, shapes), fold),
        *(ShiftSymmetry(arch, shift, fold) for shift in shifts),
        *(MixtureSymmetry(arch, mixture, fold) for mixture in find_mixtures(program)),
        *(NormBiasSymmetry(arch, bias, fold) for bias in find_norm_biases(program, units=arch.units)),
        *(GainSymmetry(arch, gain) for gain in fold.gains),
        *(ChoosingEntries(arch, entries) for entries in choosing),
    ]


def motion_tangents(arch: Architecture, theta: Weights) -> Elements:
    """Return how weights move in each motion, as rows; none of those that divide by a number which is zero at these
    weights.

    Where an architecture reads tokens alone, the rows are in the kernel of the Jacobian of almost all weights, as
    choices are then constant near them; otherwise they are the tangents of symmetries.
    """
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    base, moved = (arch, theta) if arrangement is None else (arrangement.network, arrangement.forth(theta))
    parts = [part for one in motions_of(base) for part in one.tangent_parts(moved)]
    if arrangement is not None:
        parts = [arrangement.together(part) for part in parts]
    return stack_tangents(theta, parts)


def motions_bound(arch: Architecture, seed: int = 0) -> int:
    """Return an upper bound of the dimension of an architecture: the number of parameters less the rank of its motions
    at random weights modulo a prime.
    """
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=seed)
    return arch.parameters - int(verbs.rank(motion_tangents(arch, theta)))
