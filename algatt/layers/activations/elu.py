"""The exponential linear unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import integer
from algatt.fields import Elements, Positive
from algatt.layers.activations.base import Activation

__all__ = ["ELU"]


@dataclass(frozen=True, repr=False)
class ELU(Activation):
    r"""The activation x for :math:`x > 0` and :math:`e^x - 1` else (Clevert et al., arXiv 1511.07289), plus a number.

    Parameters
    ----------
    shift : int, optional
        The number; 0 unless given. With 1 all values are positive.

    Raises
    ------
    InvalidArgument
        If it is no integer.
    """

    shift: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", integer("shift", self.shift))

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)), (cls(shift=1), (2, 2)))


@verbs.activate.method
def activate_elu(activation: ELU, x: Elements) -> Elements:
    """The exponential is that of -|x|: it cannot overflow, and its exponent is never constant."""
    positive = x.entrywise(Positive())
    size = x * (positive * 2 - 1)
    value = positive * x + (1 - positive) * ((-size).exp() - 1)
    return value + activation.shift if activation.shift else value
