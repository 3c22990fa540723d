"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, TypeVar, overload

from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.base import Architecture
from algatt.architectures.network import Network
from algatt.dispatch import Verb
from algatt.dynamics.heads import MatrixHead
from algatt.fields.base import Field
from algatt.parameters.attention_matrix import AttentionMatrix, AttentionMatrixLayer
from algatt.parameters.base import Coordinates, Parameters, load
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights, WeightsLayer

__all__ = [
    "AttentionMatrix",
    "AttentionMatrixLayer",
    "Parameters",
    "VirtualWeights",
    "Weights",
    "WeightsLayer",
    "convert",
    "coordinates",
    "flatten",
    "load",
    "sample",
    "sample_inputs",
    "shapes",
    "unflatten",
]

_Some = TypeVar("_Some")

class _Convert(Verb[..., Any]):
    @overload
    def __call__(self, theta: Weights, coordinates: type[MatrixHead], /) -> MatrixHead: ...
    @overload
    def __call__(self, theta: AttentionMatrix, coordinates: type[MatrixHead], /) -> MatrixHead: ...
    @overload
    def __call__(
        self,
        theta: VirtualWeights,
        coordinates: type[VirtualWeights],
        /,
    ) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        theta: AttentionMatrix,
        coordinates: type[AttentionMatrix],
        /,
    ) -> AttentionMatrix: ...
    @overload
    def __call__(self, theta: Weights, coordinates: type[Weights], /) -> Weights: ...
    @overload
    def __call__(self, theta: Weights, coordinates: type[VirtualWeights], /) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        theta: AttentionMatrix,
        coordinates: type[VirtualWeights],
        /,
    ) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        theta: Weights,
        coordinates: type[AttentionMatrix],
        /,
    ) -> AttentionMatrix: ...
    @overload
    def __call__(self, theta: Parameters, coordinates: type[_Some], /) -> _Some: ...

convert: _Convert

class _Coordinates(Verb[..., Any]):
    @overload
    def __call__(self, arch: Network, /) -> dict[str, Any]: ...
    @overload
    def __call__(self, arch: AttentionNetwork, /) -> dict[str, tuple[int, ...]]: ...
    @overload
    def __call__(self, arch: Architecture, /) -> Any: ...

coordinates: _Coordinates

class _Flatten(Verb[..., Any]):
    def __call__(self, theta: Parameters, /) -> Any: ...

flatten: _Flatten

class _Sample(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Architecture,
        coordinates: type[Weights],
        /,
        *,
        field: Field | None = None,
        seed: int = 0,
    ) -> Weights: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        coordinates: type[Coordinates],
        /,
        *,
        field: Field | None = None,
        seed: int = 0,
    ) -> Coordinates: ...

sample: _Sample

class _SampleInputs(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        /,
        *,
        field: Field | None = None,
        seed: int = 0,
        count: int = 1,
        start: int = 0,
    ) -> Any: ...

sample_inputs: _SampleInputs

class _Shapes(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: AttentionNetwork,
        coordinates: type[VirtualWeights],
        /,
    ) -> tuple[tuple[int, ...], ...]: ...
    @overload
    def __call__(
        self,
        arch: AttentionNetwork,
        coordinates: type[AttentionMatrix],
        /,
    ) -> tuple[tuple[int, ...], ...]: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        coordinates: type[Weights],
        /,
    ) -> tuple[tuple[int, ...], ...]: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        coordinates: type[Parameters],
        /,
    ) -> tuple[tuple[int, ...], ...]: ...

shapes: _Shapes

class _Unflatten(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        coordinates: type[Coordinates],
        vector: Any,
        /,
        *,
        field: Field | None = None,
    ) -> Coordinates: ...

unflatten: _Unflatten
