"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, overload

from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.network import Network
from algatt.architectures.normalized import Normalized
from algatt.dispatch import Verb
from algatt.fields.base import Field
from algatt.geometry.dimensions.formulas import Formula
from algatt.geometry.dimensions.points import AutoPoints, Copies, Points, RandomPoints
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.dimensions.spectrum import FloatSpectrum, JacobianSpectrum
from algatt.geometry.equality import (
    equivalence_of_values,
    lightning_equivalence,
    network_equivalence,
    normal_form,
    normalized_equivalence,
)
from algatt.geometry.equality.equivalence import Equivalence
from algatt.geometry.equality.large.reference import Reference
from algatt.geometry.fibres import normalized_unexplained, orbit
from algatt.geometry.fibres.affine_fields import AffineField, AffineTerm
from algatt.geometry.fibres.arrows import Arrow
from algatt.geometry.fibres.discovery import Discovery
from algatt.geometry.fibres.fiber import Fiber, UnknownFiber
from algatt.geometry.fibres.lightning_fiber import OrbitFiber, SwapFiber, ZeroFiber
from algatt.geometry.fibres.network_fiber import NetworkFiber, UnknownNetworkFiber
from algatt.geometry.fibres.normalized_fiber import (
    GaugeFiber,
    QueryFiber,
    ScoreRescalingFiber,
    UnseenFiber,
)
from algatt.geometry.fibres.unexplained import UnexplainedKernel
from algatt.geometry.identification import Identification
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms
from algatt.geometry.singularities import singular
from algatt.geometry.singularities.distance import Distance
from algatt.geometry.singularities.tangent_space import TangentSpace
from algatt.linalg.engines import Engine
from algatt.parameters.attention_matrix import AttentionMatrix
from algatt.parameters.base import Coordinates, Parameters
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights
from algatt.symmetry.base import GroupElement
from algatt.symmetry.group import ProductElement

__all__ = [
    "AffineField",
    "AffineTerm",
    "Arrow",
    "AutoPoints",
    "Copies",
    "DimensionReport",
    "Discovery",
    "Distance",
    "Equivalence",
    "Fiber",
    "FloatSpectrum",
    "Formula",
    "GaugeFiber",
    "Identification",
    "JacobianSpectrum",
    "NetworkFiber",
    "Oracle",
    "OrbitFiber",
    "Points",
    "QuadraticForms",
    "QueryFiber",
    "RandomPoints",
    "Reference",
    "ScoreRescalingFiber",
    "SwapFiber",
    "TangentSpace",
    "UnexplainedKernel",
    "UnknownFiber",
    "UnknownNetworkFiber",
    "UnseenFiber",
    "ZeroFiber",
    "boundary_distance",
    "canonical",
    "dimension",
    "equivalence_of_values",
    "expected_dimension",
    "fiber",
    "fiber_dimensions",
    "formulas",
    "identify",
    "is_boundary",
    "is_critical",
    "is_singular",
    "jacobian_spectrum",
    "lightning_equivalence",
    "network_equivalence",
    "normal_form",
    "normal_form_map",
    "normalized_equivalence",
    "normalized_unexplained",
    "orbit",
    "quadratic_forms",
    "same_function",
    "singular",
    "singular_distance",
    "tangent_space",
    "unexplained_kernel",
]

_SomeParameters = TypeVar("_SomeParameters", bound=Parameters)

class _BoundaryDistance(Verb[..., Any]):
    def __call__(self, arch: Lightning, theta: Parameters, /) -> Distance: ...

boundary_distance: _BoundaryDistance

class _Canonical(Verb[..., Any]):
    @overload
    def __call__(self, arch: Network, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, arch: Lightning | Normalized, theta: Coordinates, /) -> Coordinates: ...
    @overload
    def __call__(self, arch: Architecture, theta: _SomeParameters, /) -> _SomeParameters: ...

canonical: _Canonical

class _Dimension(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        /,
        *,
        seed: int = 0,
        field: Field | None = None,
        error: float = 1e-06,
        gap: float = 1000.0,
        progress: Callable[[int, int], object] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        points: Points | None = None,
        engine: Engine | None = None,
    ) -> DimensionReport: ...

dimension: _Dimension

class _ExpectedDimension(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> int | None: ...

expected_dimension: _ExpectedDimension

class _Fiber(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> Fiber: ...
    @overload
    def __call__(self, arch: Network, theta: Weights, /, *, gap: float | None = None) -> Fiber: ...
    @overload
    def __call__(
        self,
        arch: Lightning,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> Fiber: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> Fiber: ...

fiber: _Fiber

class _FiberDimensions(Verb[..., Any]):
    @overload
    def __call__(self, arch: Normalized, /, *, seed: int = 0) -> tuple[Arrow, ...]: ...
    @overload
    def __call__(self, arch: Lightning, /, *, seed: int = 0) -> tuple[Arrow, ...]: ...
    @overload
    def __call__(self, arch: AttentionNetwork, /, *, seed: int = 0) -> tuple[Arrow, ...]: ...

fiber_dimensions: _FiberDimensions

class _Formulas(Verb[..., Any]):
    @overload
    def __call__(self, arch: Normalized, /) -> tuple[Formula, ...]: ...
    @overload
    def __call__(self, arch: Lightning, /) -> tuple[Formula, ...]: ...
    @overload
    def __call__(self, arch: Architecture, /) -> tuple[Formula, ...]: ...

formulas: _Formulas

class _Identify(Verb[..., Any]):
    def __call__(
        self,
        oracle: Callable,
        arch: Lightning,
        /,
        *,
        field: Field | None = None,
        seed: int = 0,
        error: float = 1e-09,
        tolerance: float | None = None,
    ) -> Identification: ...

identify: _Identify

class _IsBoundary(Verb[..., Any]):
    def __call__(
        self,
        arch: Lightning,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> bool: ...

is_boundary: _IsBoundary

class _IsCritical(Verb[..., Any]):
    def __call__(
        self,
        arch: Lightning,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> bool: ...

is_critical: _IsCritical

class _IsSingular(Verb[..., Any]):
    def __call__(
        self,
        arch: Lightning,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> bool: ...

is_singular: _IsSingular

class _JacobianSpectrum(Verb[..., Any]):
    def __call__(
        self,
        arch: Architecture,
        /,
        *,
        seed: int = 0,
        inputs: int | None = None,
        weight_scale: float = 1.0,
        input_scale: float = 1.0,
        draw: str = "uniform",
        gap: float = 1000.0,
        prove: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> JacobianSpectrum: ...

jacobian_spectrum: _JacobianSpectrum

class _NormalFormMap(Verb[..., Any]):
    @overload
    def __call__(self, arch: Network, theta: Weights, /) -> GroupElement: ...
    @overload
    def __call__(
        self,
        arch: Lightning | Normalized,
        theta: VirtualWeights,
        /,
    ) -> ProductElement: ...
    @overload
    def __call__(
        self,
        arch: Lightning | Normalized,
        theta: AttentionMatrix,
        /,
    ) -> ProductElement: ...
    @overload
    def __call__(self, arch: Lightning | Normalized, theta: Weights, /) -> ProductElement: ...
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, /) -> Any: ...

normal_form_map: _NormalFormMap

class _QuadraticForms(Verb[..., Any]):
    @overload
    def __call__(self, arch: Lightning, source: Callable, /) -> QuadraticForms: ...
    @overload
    def __call__(self, arch: Lightning, source: Parameters, /) -> QuadraticForms: ...

quadratic_forms: _QuadraticForms

class _SameFunction(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta1: Parameters,
        theta2: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
        tolerance: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Equivalence: ...
    @overload
    def __call__(
        self,
        arch: Network,
        theta1: Weights,
        theta2: Weights,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
        tolerance: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Equivalence: ...
    @overload
    def __call__(
        self,
        arch: Lightning,
        theta1: Parameters,
        theta2: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
        tolerance: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Equivalence: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta1: Parameters,
        theta2: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
        tolerance: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Equivalence: ...

same_function: _SameFunction

class _SingularDistance(Verb[..., Any]):
    def __call__(self, arch: Lightning, theta: Parameters, /) -> Distance: ...

singular_distance: _SingularDistance

class _TangentSpace(Verb[..., Any]):
    def __call__(
        self,
        arch: Lightning,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> TangentSpace: ...

tangent_space: _TangentSpace

class _UnexplainedKernel(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: Weights,
        /,
        *,
        seed: int = 0,
    ) -> UnexplainedKernel: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: Weights,
        /,
        *,
        seed: int = 0,
    ) -> UnexplainedKernel: ...

unexplained_kernel: _UnexplainedKernel
