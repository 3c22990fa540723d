"""Verbs of parameter points: sampling, shapes, vectors, coordinate systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from algatt.dispatch import declare

if TYPE_CHECKING:
    from algatt.architectures.base import NetworkLike
    from algatt.architectures.network import Network
    from algatt.fields.base import Field
    from algatt.parameters.base import Coordinates, Parameters

Kind = TypeVar("Kind")


@declare
def sample(
    arch: NetworkLike, coordinates: type[Coordinates], /, *, field: Field | None = None, seed: int = 0
) -> Coordinates:
    """Draw random parameters of an architecture.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : type
        `algatt.Weights`, `algatt.AttentionMatrix` or `algatt.VirtualWeights`; the latter two are the images of the
        weights of the same seed.
    field : Field, optional
        ``PrimeField()`` unless given: uniform residues. Over the reals: uniform on [-sqrt 3, sqrt 3), of variance 1;
        over the rationals: uniform on the odd multiples of 2^-63 between -2 and 2.
    seed : int, optional
        Names the point; the same on every platform.

    Raises
    ------
    InvalidArgument
        If the seed is not an integer >= 0.
    """


@declare
def shapes(arch: NetworkLike, coordinates: type[Parameters], /) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the parameter arrays of an architecture in one coordinate system, in the order
    of `flatten`.
    """


@declare(homes=["algatt.maps.quotients"])
def convert(theta: Parameters, coordinates: type[Kind], /) -> Kind:
    r"""Carry parameters along the quotient arrows Weights -> AttentionMatrix -> VirtualWeights.

    :math:`A_i = K_i^T Q_i` (HMK Eq 3), then :math:`M_i = L_{i-1}^T A_i L_{i-1}`, :math:`L_i = V_i \cdots V_1` (HMK Eq
    8). Exact over GF(p). Cost: a few matrix products for each layer.

    Raises
    ------
    MethodError
        Against an arrow: a quotient forgets.
    """


@declare
def coordinates(arch: NetworkLike, /) -> Any:
    """Return the names and shapes of the tensors of an architecture, in the order of `flatten`.

    Parameters
    ----------
    arch : Architecture
        The network. In a `Network` a name is the path of a layer and the name of a tensor in it, as ``2.heads.Q_1``.

    Returns
    -------
    dict of str to tuple of int
        Vectors are matrices with one column.
    """


@declare
def expression(arch: NetworkLike, /) -> Network:
    """Return the `Network` that an architecture is: layers composed; a `Network` is itself.

    Its tensors are those of the architecture, in the same order; their names may be others.

    Parameters
    ----------
    arch : Architecture
        The network.

    Raises
    ------
    MethodError
        If the architecture is not made of layers, but evaluated by a method of its own.
    """
