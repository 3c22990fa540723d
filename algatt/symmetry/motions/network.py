"""The motions of an architecture: those of its program in normal form, after its gains are folded."""

from __future__ import annotations

import functools

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.arrangement import arrangement_of
from algatt.architectures.recording import program as program_of
from algatt.fields import Elements, PrimeField
from algatt.parameters import Weights
from algatt.symmetry.arrows.folded import tangents_through
from algatt.symmetry.arrows.gain_symmetry import GainSymmetry
from algatt.symmetry.arrows.gains import Fold, fold_gains
from algatt.symmetry.base import stack_tangents
from algatt.symmetry.motions.solutions import MotionSolutions
from algatt.symmetry.motions.solving import solve_motions

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
    parts = tangents_through(fold, moved, solutions.tangents)
    parts += [part for gain in fold.gains for part in GainSymmetry(base, gain).tangent_parts(moved)]
    if arrangement is not None:
        parts = [arrangement.together(part) for part in parts]
    return stack_tangents(theta, parts)


def motions_bound(arch: Architecture, seed: int = 0) -> int:
    """Return an upper bound of the dimension of an architecture: the number of parameters less the rank of its motions
    at random weights modulo a prime.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, LayerNorm, Residual
    >>> net = algatt.Network(Residual(LayerNorm() >> Heads(2, width=2, biases="QKVO")), tokens=3, width=4)
    >>> motions_bound(net), algatt.dimension(net).value
    (44, 44)
    """
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=seed)
    return arch.parameters - int(verbs.rank(motion_tangents(arch, theta)))
