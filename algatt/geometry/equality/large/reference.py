"""A point that many others are compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

from algatt.architectures import Architecture
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.standard import Rest, to_standard_position
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.parameters import Weights

__all__ = ["Reference"]


@dataclass(frozen=True, eq=False)
class Reference:
    """A point over the reals that many others are compared with; its standard position is found once, and kept.

    Parameters
    ----------
    arch : Architecture
        The network.
    weights : Weights
        The point.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import GELU, Feedforward, LayerNorm, Residual
    >>> net = algatt.Network(Residual(LayerNorm() >> Feedforward(5, GELU())), tokens=2, width=4)
    >>> one, other = (algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (1, 2))
    >>> reference = algatt.geometry.Reference(net, one)
    >>> reference.compare(one).equal, reference.compare(other).equal
    (True, False)
    """

    arch: Architecture
    weights: Weights
    rests: dict[float, Rest] = field(default_factory=dict, init=False, repr=False)

    def compare(self, weights: Weights, seed: int = 0, *, hypotheses: bool = True) -> Comparison:
        """Return whether another point is the same function up to rounding, as `algatt.same_function` does it for large
        networks; ``equal`` is None if that cannot be told.

        Parameters
        ----------
        weights : Weights
            The other point, over the reals.
        seed : int, optional
            Of the inputs.
        hypotheses : bool, optional
            Whether rewrites that are no symmetries are tried if they differ, each of which takes as long again.
        """
        return compare_weights(self.arch, self.weights, weights, seed, hypotheses=hypotheses, rest=self.rest)

    def rest(self, unit: float) -> Rest:
        """Return the standard position, with what rounding is relative to for a unit of it."""
        if unit not in self.rests:
            self.rests[unit] = to_standard_position(self.arch, self.weights, unit=unit)
        return self.rests[unit]
