"""The weights of flows by their names until version 0.2, in the module in which pickles look for them; they go in
version 0.4.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

from algatt import verbs
from algatt.layers import Activation, Exponential, ReLU, Unnormalized

__all__ = ["AttentionWeights", "ExponentialWeights", "ReLUWeights", "SoftmaxWeights"]


@dataclass(frozen=True)
class AttentionWeights(ABC):
    """Weights of one's own with methods of `algatt.verbs.weigh`, `potential` and `equiangular_weights`, which are an
    activation now; `normalised` says whether the weights of a token sum up to 1.
    """

    normalised: ClassVar[bool] = False


AttentionWeights.register(Activation)  # so methods for heads of one's own that name the old class fit the new nouns
AttentionWeights.register(Unnormalized)


class OldName(type):
    """The class of names that make another noun: what they make counts as an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return bool(instance == cls())


class ExponentialWeights(metaclass=OldName):
    """The weights exp(beta s), not normalised: ``Unnormalized(Exponential())``."""

    def __new__(cls) -> Any:
        return Unnormalized(Exponential())


class SoftmaxWeights(metaclass=OldName):
    """The weights exp(beta s) divided by their sum: ``Exponential()``."""

    def __new__(cls) -> Any:
        return Exponential()


class ReLUWeights(metaclass=OldName):
    """The weights max(beta s, 0), not normalised: ``Unnormalized(ReLU())``."""

    def __new__(cls) -> Any:
        return Unnormalized(ReLU())


@verbs.is_normalised.method
def is_declared_normalised(weights: AttentionWeights) -> bool:
    return weights.normalised


@verbs.temperature.method
def temperature_of_old_weights(weights: AttentionWeights) -> float:
    return 1.0
