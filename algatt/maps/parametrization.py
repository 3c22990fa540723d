"""The parametrization map, from parameters to functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture, check_fits
from algatt.arguments import instance
from algatt.errors import InvalidArgument
from algatt.fields import Field
from algatt.parameters import Parameters
from algatt.verbs.views import Tabled


@dataclass(frozen=True)
class NetworkFunction:
    """The function of a network with its weights; callable.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Parameters
        Its parameters.
    """

    arch: Architecture
    theta: Parameters

    @property
    def field(self) -> Field:
        """The field of the parameters."""
        return self.theta.field

    def __call__(self, inputs: Any) -> Any:
        """Return the value at inputs, as `algatt.evaluate` does."""
        return verbs.evaluate(self.arch, self.theta, inputs)


@dataclass(frozen=True)
class Parametrization(Tabled):
    """The map theta -> phi_theta of an architecture in one coordinate system (HMK Eq 5); its image is the
    neuromanifold.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : type
        `Weights`, `AttentionMatrix` or `VirtualWeights`.
    """

    arch: Architecture
    coordinates: type[Parameters]

    def __call__(self, theta: Parameters) -> NetworkFunction:
        """Return the function of the parameters `theta`."""
        if not isinstance(theta, self.coordinates):
            raise InvalidArgument("theta", f"{theta!r}", f"of type {self.coordinates.__name__}")
        check_fits(self.arch, theta)
        return NetworkFunction(self.arch, theta)

    def __repr__(self) -> str:
        return f"Parametrization({self.arch}, {self.coordinates.__name__})"


def parametrization(arch: NetworkLike, coordinates: type[Parameters]) -> Parametrization:
    """Return the map phi from parameters to functions: ``phi(theta)`` is callable and ``phi(theta)(X)`` its value (HMK
    Eq 5).
    """
    arch = as_architecture(arch)
    instance("coordinates", coordinates, type, "a class of parameters, such as Weights")
    return Parametrization(arch, coordinates)
