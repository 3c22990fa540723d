"""Networks with their gains folded into the matrices beside them, and the check that nothing else changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, draw_inputs
from algatt.architectures.recording import program as program_of
from algatt.arguments import integer
from algatt.errors import NoValue, SymmetryError
from algatt.fields import Balls, Elements, PrimeField
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import interpret
from algatt.symmetry.arrows.gains import Fold, Gain, fold_gains

__all__ = ["Folding", "fold"]

INPUTS = 8
"""So many random inputs are compared."""

MOST_ATTEMPTS = 100
"""So many of them may have no value."""


@dataclass(frozen=True, eq=False, repr=False)
class Folding:
    """What `algatt.symmetry.fold` returns: a network, the same without gains, and the arrow between their weights.

    Parameters
    ----------
    arch : Architecture
        The network.
    program : Program
        What it computes from folded weights, without gains.
    arrow : Fold
        The gains, with what each is folded into.
    """

    arch: Architecture
    program: Program
    arrow: Fold

    def __repr__(self) -> str:
        return f"Folding({', '.join(gain.name for gain in self.gains) or 'nothing'})"

    @property
    def gains(self) -> tuple[Gain, ...]:
        """The gains, in the order of the network."""
        return self.arrow.gains

    def fold(self, theta: Weights) -> Weights:
        """Return weights of the same function in which all of these gains are one.

        Raises
        ------
        InvalidArgument
            If they are not weights of the network.
        DivisionByZero
            If an entry of a gain is zero.
        """
        check_fits(self.arch, theta)
        folded = self.arrow.fold(theta)
        for gain in self.gains:
            folded[gain.name] = Elements.of(theta.field, np.ones(theta.tensors[gain.name].shape, dtype=np.int64))
        return theta.replace([folded[name] for name in theta.names()])

    def check(self, seed: int = 0) -> None:
        """Check that the program without gains has the values of the network, at random weights and inputs.

        Over a large prime, if the network has values there: then a program with other values is overlooked with a
        probability of about its degree, divided by the prime, for each input. Otherwise by balls, at exact points.

        Raises
        ------
        SymmetryError
            If it has other values, naming an input where it does: its number in the stream of the seed.
        """
        integer("seed", seed)
        field = PrimeField() if self.arch.algebraic else Balls(256)
        theta = verbs.sample(self.arch, Weights, field=field, seed=seed)
        compared = 0
        for number in range(INPUTS + MOST_ATTEMPTS):
            X = Elements(field, draw_inputs(self.arch, field, seed, number, 1)[0])
            try:
                difference = verbs.evaluate(self.arch, theta, X) - interpret(
                    self.program, field, self.arrow.fold(theta), X
                )
            except NoValue:
                continue
            if any(entry != 0 for entry in difference.raw.flat):  # of balls: zero is outside
                raise SymmetryError(
                    f"folding {', '.join(gain.name for gain in self.gains)} changes the value at input number {number} "
                    f"of seed {seed}"
                )
            compared += 1
            if compared == INPUTS:
                return
        raise SymmetryError(f"folding was compared at {compared} inputs only, as others have no value: take a new seed")


def fold(arch: Architecture) -> Folding:
    r"""Return the `Folding` of a network: the arrow that folds the gains of norms into the matrices beside them, as
    :math:`W (g * Y + b) = W\, \mathrm{diag}(g) (Y + b / g)`.

    Gains are found on the program. One is folded only if all that is read of it, or all that writes what it multiplies,
    takes it up and is used for nothing else. Cost: the program is recorded.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Causal, Feedforward, Heads, Residual, RMSNorm
    >>> block = Residual(RMSNorm() >> Heads(2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(6))
    >>> net = algatt.Network(block, tokens=3, width=4)
    >>> folding = algatt.symmetry.fold(net)
    >>> folding
    Folding(norm_1.g, norm_2.g)
    >>> folding.gains[0].columns
    ('heads.Q_1', 'heads.Q_2', 'heads.K_1', 'heads.K_2', 'heads.V_1', 'heads.V_2')
    >>> folding.check()
    """
    return Folding(arch, *fold_gains(program_of(arch)))
