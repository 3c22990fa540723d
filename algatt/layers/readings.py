"""How the numbers of an unembedding are read."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, instance, not_negative
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.activations import Exponential, tanh
from algatt.layers.base import Noun


@dataclass(frozen=True, repr=False)
class Reading(Noun, ABC):
    """What a number for each token means: a frozen dataclass with a method of `algatt.verbs.read`."""


@dataclass(frozen=True, repr=False)
class Logits(Reading):
    """The numbers themselves."""


@dataclass(frozen=True, repr=False)
class Probabilities(Reading):
    r"""Numbers x that are read as :math:`e^{x_v} / \sum_w e^{x_w}`, their softmax, which sees only their
    differences.
    """


@dataclass(frozen=True, repr=False)
class Capped(Reading):
    r"""Numbers x that are read as :math:`c \tanh(x / c)`, the soft cap of Gemma 2 (arXiv 2408.00118).

    Parameters
    ----------
    cap : int, float or Fraction
        The number c > 0; floats stand for exactly what they are.
    reading : Reading, optional
        How the result is read; as `Logits` unless given.

    Raises
    ------
    InvalidArgument
        If the cap is no positive number, or the reading is none.
    """

    cap: float | Fraction
    reading: Reading = field(default_factory=Logits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cap", not_negative("cap", self.cap))
        if self.cap <= 0:
            raise InvalidArgument("cap", repr(self.cap), "a positive number")
        instance("reading", self.reading, Reading, "Logits() or Probabilities()")


@verbs.read.method
def read_logits(reading: Logits, logits: Elements) -> Elements:
    return logits


@verbs.read.method
def read_probabilities(reading: Probabilities, logits: Elements) -> Elements:
    return verbs.attention_weights(Exponential(), logits)


@verbs.read.method
def read_capped(reading: Capped, logits: Elements) -> Elements:
    cap = exact("cap", reading.cap)
    return verbs.read(reading.reading, cap * tanh(logits * (1 / cap)))
