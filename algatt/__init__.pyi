"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

import galois
import networkx as nx
import numpy as np
from matplotlib.axes import Axes

from algatt import architectures as architectures
from algatt import arguments as arguments
from algatt import certificates as certificates
from algatt import description as description
from algatt import dispatch as dispatch
from algatt import display as display
from algatt import dynamics as dynamics
from algatt import errors as errors
from algatt import fields as fields
from algatt import files as files
from algatt import geometry as geometry
from algatt import layers as layers
from algatt import linalg as linalg
from algatt import loading as loading
from algatt import maps as maps
from algatt import memory as memory
from algatt import parameters as parameters
from algatt import plain as plain
from algatt import precision as precision
from algatt import randomness as randomness
from algatt import spectra as spectra
from algatt import symmetry as symmetry
from algatt import testing as testing
from algatt import trees as trees
from algatt import verbs as verbs
from algatt import version as version
from algatt import views as views
from algatt.architectures import (
    Affine,
    Architecture,
    AttentionNetwork,
    Exponential,
    Lightning,
    Network,
    Normalized,
    Power,
    Rational,
    Score,
    Softmax,
)
from algatt.certificates import Certificate, VerificationReport
from algatt.dispatch import Verb, check, methods
from algatt.dynamics import (
    EquiangularFlow,
    ExponentialWeights,
    FlatFlow,
    MatrixHead,
    ProjectorHead,
    ReLUWeights,
    ScalarHead,
    SoftmaxWeights,
    SphereFlow,
    Trajectory,
)
from algatt.dynamics.flow import Flow
from algatt.errors import (
    AlgattError,
    AmbiguousMethodError,
    CertificateError,
    DivisionByZero,
    DuplicateMethodError,
    EquivalenceUndecided,
    IntegrationFailed,
    InvalidArgument,
    MethodError,
    MissingExtra,
    NoSolution,
    NotEnoughMemory,
    OutputError,
    RankUndecided,
    ScoreOverflow,
    SingularMatrix,
    SymmetryError,
    UndefinedFunction,
)
from algatt.fields import Balls, Elements, Field, PrimeField, Reals
from algatt.fields.degree import Degree
from algatt.geometry import (
    Arrow,
    DimensionReport,
    Distance,
    Equivalence,
    Fiber,
    FloatSpectrum,
    Formula,
    GaugeFiber,
    Identification,
    JacobianSpectrum,
    Oracle,
    OrbitFiber,
    QuadraticForms,
    QueryFiber,
    ScoreRescalingFiber,
    SwapFiber,
    TangentSpace,
    UnexplainedKernel,
    UnknownFiber,
    UnseenFiber,
    ZeroFiber,
)
from algatt.layers.activations.base import Activation
from algatt.layers.activations.gelu import GELU, TanhGELU
from algatt.layers.activations.relu import ReLU
from algatt.layers.activations.silu import SiLU
from algatt.layers.activations.tanh import Tanh
from algatt.layers.base import Noun
from algatt.layers.scores import SoftCap, Unnormalized
from algatt.linalg import Auto, Blas, Flint, Galois, RankLowerBound, RankVerdict, RowSpace
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Engine
from algatt.maps import Existence
from algatt.maps.parametrization import Parametrization
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights, load
from algatt.parameters.base import Coordinates
from algatt.spectra import (
    AttentionEnsemble,
    AttentionLaw,
    EntrywiseEnsemble,
    ExponentialEnsemble,
    FiniteSizeWarning,
    FussCatalan,
    Law,
    LinearEnsemble,
    LinearLaw,
    LinearPolynomialEnsemble,
    MarchenkoPastur,
    PolynomialEnsemble,
    SpectrumReport,
)
from algatt.spectra.ensembles import Ensemble
from algatt.spectra.linear_law import SignalPlusNoise
from algatt.symmetry import (
    GroupElement,
    Interlayer,
    InterlayerElement,
    KeyQuery,
    KeyQueryElement,
    LinearElement,
    ParallelTokens,
    ParallelTokensElement,
    ProductElement,
    Rescaling,
    RescalingElement,
    ScoreRescaling,
    ScoreRescalingElement,
    SwapElement,
    Symmetry,
    TranslationElement,
    Unreached,
    UnreachedElement,
    UnreachedMatrixElement,
    Unread,
    UnreadElement,
    UnreadValuesElement,
    UnseenScores,
    UnseenScoresElement,
)
from algatt.symmetry.group import Linear
from algatt.symmetry.key_query import Quotient
from algatt.trees import Factor, Monomial
from algatt.trees.graph import DirectedGraph
from algatt.version import __version__
from algatt.views.spectrum import plot_spectrum

__all__ = [
    "Affine",
    "AlgattError",
    "AmbiguousMethodError",
    "Architecture",
    "Arrow",
    "AttentionEnsemble",
    "AttentionLaw",
    "AttentionMatrix",
    "AttentionNetwork",
    "Auto",
    "Balls",
    "Blas",
    "Certificate",
    "CertificateError",
    "DimensionReport",
    "Distance",
    "DivisionByZero",
    "DuplicateMethodError",
    "Elements",
    "EntrywiseEnsemble",
    "EquiangularFlow",
    "Equivalence",
    "EquivalenceUndecided",
    "Existence",
    "Exponential",
    "ExponentialEnsemble",
    "ExponentialWeights",
    "Factor",
    "Fiber",
    "Field",
    "FiniteSizeWarning",
    "FlatFlow",
    "Flint",
    "FloatSpectrum",
    "Formula",
    "FussCatalan",
    "Galois",
    "GaugeFiber",
    "GroupElement",
    "Identification",
    "IntegrationFailed",
    "Interlayer",
    "InterlayerElement",
    "InvalidArgument",
    "JacobianSpectrum",
    "KeyQuery",
    "KeyQueryElement",
    "Law",
    "Lightning",
    "LinearElement",
    "LinearEnsemble",
    "LinearLaw",
    "LinearPolynomialEnsemble",
    "MarchenkoPastur",
    "MatrixHead",
    "MethodError",
    "MissingExtra",
    "Monomial",
    "Network",
    "NoSolution",
    "Normalized",
    "NotEnoughMemory",
    "Oracle",
    "OrbitFiber",
    "OutputError",
    "ParallelTokens",
    "ParallelTokensElement",
    "Parameters",
    "PolynomialEnsemble",
    "Power",
    "PrimeField",
    "ProductElement",
    "ProjectorHead",
    "QuadraticForms",
    "QueryFiber",
    "RankLowerBound",
    "RankUndecided",
    "RankVerdict",
    "Rational",
    "ReLUWeights",
    "Reals",
    "Rescaling",
    "RescalingElement",
    "RowSpace",
    "ScalarHead",
    "Score",
    "ScoreOverflow",
    "ScoreRescaling",
    "ScoreRescalingElement",
    "ScoreRescalingFiber",
    "SingularMatrix",
    "Softmax",
    "SoftmaxWeights",
    "SpectrumReport",
    "SphereFlow",
    "SwapElement",
    "SwapFiber",
    "Symmetry",
    "SymmetryError",
    "TangentSpace",
    "Trajectory",
    "TranslationElement",
    "UndefinedFunction",
    "UnexplainedKernel",
    "UnknownFiber",
    "Unreached",
    "UnreachedElement",
    "UnreachedMatrixElement",
    "Unread",
    "UnreadElement",
    "UnreadValuesElement",
    "UnseenFiber",
    "UnseenScores",
    "UnseenScoresElement",
    "Verb",
    "VerificationReport",
    "VirtualWeights",
    "Weights",
    "ZeroFiber",
    "__version__",
    "act",
    "activate",
    "attention_matrix",
    "attention_weights",
    "boundary_distance",
    "cancelling_pairs",
    "canonical",
    "cdf",
    "certify",
    "check",
    "compose",
    "convert",
    "coordinates",
    "degree",
    "density",
    "determinant",
    "dimension",
    "draw",
    "echelon",
    "edge",
    "energy",
    "energy_gradient",
    "energy_rate",
    "entropy",
    "entropy_rate",
    "evaluate",
    "expected_dimension",
    "exponential",
    "expression",
    "factors",
    "fiber",
    "fiber_dimensions",
    "flatten",
    "formulas",
    "free_cumulants",
    "has_function",
    "head_outputs",
    "identify",
    "identity",
    "integrate",
    "inverse",
    "is_boundary",
    "is_critical",
    "is_invertible",
    "is_singular",
    "jacobian",
    "jacobian_spectrum",
    "kernel",
    "kolmogorov_distance",
    "limit_law",
    "load",
    "methods",
    "moments",
    "monomial",
    "normal_form_map",
    "orbit_dimension",
    "parametrization",
    "plot_spectrum",
    "quadratic_forms",
    "quantile",
    "radial_dominance",
    "radial_shadow",
    "rank",
    "reflect",
    "resume",
    "same_function",
    "sample",
    "sample_inputs",
    "sample_matrix",
    "singular_distance",
    "solve",
    "squared_singular_values",
    "stieltjes",
    "support",
    "symmetries",
    "tangent_space",
    "unexplained_kernel",
    "unflatten",
    "unroll",
    "velocity",
    "verify",
    "wasserstein_distance",
]

_Some = TypeVar("_Some")
_SomeParameters = TypeVar("_SomeParameters", bound=Parameters)

class _Act(Verb[..., Any]):
    @overload
    def __call__(self, element: ProductElement, theta: Coordinates, /) -> Coordinates: ...
    @overload
    def __call__(self, element: UnreadElement, theta: VirtualWeights, /) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        element: UnreadElement | UnreadValuesElement,
        theta: Weights,
        /,
    ) -> Weights: ...
    @overload
    def __call__(self, element: UnseenScoresElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(
        self,
        element: UnreachedElement | UnreachedMatrixElement,
        theta: VirtualWeights,
        /,
    ) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        element: UnreachedMatrixElement,
        theta: AttentionMatrix,
        /,
    ) -> AttentionMatrix: ...
    @overload
    def __call__(self, element: UnreachedElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: SwapElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: SwapElement, theta: VirtualWeights, /) -> VirtualWeights: ...
    @overload
    def __call__(self, element: SwapElement, theta: AttentionMatrix, /) -> AttentionMatrix: ...
    @overload
    def __call__(
        self,
        element: ScoreRescalingElement,
        theta: VirtualWeights,
        /,
    ) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        element: ScoreRescalingElement,
        theta: AttentionMatrix,
        /,
    ) -> AttentionMatrix: ...
    @overload
    def __call__(self, element: ScoreRescalingElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: RescalingElement, theta: VirtualWeights, /) -> VirtualWeights: ...
    @overload
    def __call__(self, element: RescalingElement, theta: AttentionMatrix, /) -> AttentionMatrix: ...
    @overload
    def __call__(self, element: RescalingElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: ParallelTokensElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: KeyQueryElement, theta: Quotient, /) -> Quotient: ...
    @overload
    def __call__(self, element: KeyQueryElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: InterlayerElement, theta: VirtualWeights, /) -> VirtualWeights: ...
    @overload
    def __call__(
        self,
        element: InterlayerElement,
        theta: AttentionMatrix,
        /,
    ) -> AttentionMatrix: ...
    @overload
    def __call__(self, element: InterlayerElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: GroupElement, theta: _SomeParameters, /) -> _SomeParameters: ...

act: _Act

class _Activate(Verb[..., Any]):
    @overload
    def __call__(self, activation: Tanh, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: SiLU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Rational, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Power, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Affine, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, score: Exponential, products: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: ReLU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: TanhGELU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: GELU, x: Elements, /) -> Elements: ...
    @overload
    def __call__(self, activation: Activation, x: Elements, /) -> Elements: ...

activate: _Activate

class _AttentionMatrix(Verb[..., Any]):
    def __call__(
        self,
        theta: Weights,
        inputs: Any,
        /,
        *,
        layer: int = 1,
        beta: float = 1.0,
    ) -> Any: ...

attention_matrix: _AttentionMatrix

class _AttentionWeights(Verb[..., Any]):
    @overload
    def __call__(
        self,
        score: SoftCap,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Unnormalized,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Exponential,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Activation,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        score: Noun,
        products: Elements,
        /,
        *,
        mask: np.ndarray | None = None,
    ) -> Elements: ...

attention_weights: _AttentionWeights

class _BoundaryDistance(Verb[..., Any]):
    def __call__(self, arch: Lightning, theta: Parameters, /) -> Distance: ...

boundary_distance: _BoundaryDistance

class _CancellingPairs(Verb[..., Any]):
    def __call__(
        self,
        tree: DirectedGraph,
        slot: Any,
        tokens: Any,
        /,
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]: ...

cancelling_pairs: _CancellingPairs

class _Canonical(Verb[..., Any]):
    @overload
    def __call__(self, arch: Lightning | Normalized, theta: Coordinates, /) -> Coordinates: ...
    @overload
    def __call__(self, arch: AttentionNetwork, theta: Coordinates, /) -> Coordinates: ...

canonical: _Canonical

class _Cdf(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

cdf: _Cdf

class _Certify(Verb[..., Any]):
    @overload
    def __call__(self, report: DimensionReport, /) -> Certificate: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        /,
        *,
        seed: int = 0,
        field: Field | None = None,
        error: float = 1e-06,
        progress: Callable[[int, int], object] | None = None,
    ) -> Certificate: ...

certify: _Certify

class _Compose(Verb[..., Any]):
    @overload
    def __call__(self, left: SwapElement, right: SwapElement, /) -> ProductElement: ...
    @overload
    def __call__(self, left: TranslationElement, right: TranslationElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: LinearElement, right: LinearElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: GroupElement, right: GroupElement, /) -> GroupElement: ...

compose: _Compose

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

class _Degree(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> Degree: ...

degree: _Degree

class _Density(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

density: _Density

class _Determinant(Verb[..., Any]):
    def __call__(self, matrix: Any, /) -> int: ...

determinant: _Determinant

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
    ) -> DimensionReport: ...

dimension: _Dimension

class _Draw(Verb[..., Any]):
    @overload
    def __call__(self, report: SpectrumReport, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(self, law: Law, /, *, ax: Axes | None = None) -> Axes: ...
    @overload
    def __call__(
        self,
        tree: DirectedGraph,
        /,
        *,
        ax: Axes | None = None,
        window: int | None = None,
        colours: Sequence[Any] | None = None,
    ) -> Axes: ...
    @overload
    def __call__(self, trajectory: Trajectory, /, *, ax: Axes | None = None) -> Axes: ...

draw: _Draw

class _Echelon(Verb[..., Any]):
    def __call__(self, matrix: Any, /, *, engine: Engine | None = None) -> Echelon: ...

echelon: _Echelon

class _Edge(Verb[..., Any]):
    def __call__(self, law: Law, /) -> float: ...

edge: _Edge

class _Energy(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy: _Energy

class _EnergyGradient(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy_gradient: _EnergyGradient

class _EnergyRate(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

energy_rate: _EnergyRate

class _Entropy(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

entropy: _Entropy

class _EntropyRate(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

entropy_rate: _EntropyRate

class _Evaluate(Verb[..., Any]):
    @overload
    def __call__(
        self,
        tree: DirectedGraph,
        theta: VirtualWeights,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, tree: DirectedGraph, theta: VirtualWeights, inputs: Any, /) -> Any: ...
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: VirtualWeights,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: AttentionMatrix,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, arch: Lightning, theta: VirtualWeights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(
        self,
        arch: Lightning,
        theta: AttentionMatrix,
        inputs: Elements,
        /,
    ) -> Elements: ...
    @overload
    def __call__(self, arch: Network, theta: Weights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Weights, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Any, /) -> Any: ...

evaluate: _Evaluate

class _ExpectedDimension(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> int | None: ...

expected_dimension: _ExpectedDimension

class _Exponential(Verb[..., Any]):
    @overload
    def __call__(self, family: ParallelTokens, tangent: Any, /) -> ParallelTokensElement: ...
    @overload
    def __call__(self, family: ScoreRescaling, tangent: Any, /) -> ScoreRescalingElement: ...
    @overload
    def __call__(self, family: Rescaling, tangent: Any, /) -> RescalingElement: ...
    @overload
    def __call__(self, family: Interlayer, tangent: Any, /) -> InterlayerElement: ...
    @overload
    def __call__(self, family: KeyQuery, tangent: Any, /) -> KeyQueryElement: ...
    @overload
    def __call__(self, family: Symmetry, tangent: Any, /) -> Any: ...

exponential: _Exponential

class _Expression(Verb[..., Any]):
    @overload
    def __call__(self, arch: Normalized, /) -> Network: ...
    @overload
    def __call__(self, arch: Lightning, /) -> Network: ...
    @overload
    def __call__(self, arch: Network, /) -> Network: ...
    @overload
    def __call__(self, arch: Architecture, /) -> Network: ...

expression: _Expression

class _Factors(Verb[..., Any]):
    @overload
    def __call__(self, source: DirectedGraph, /) -> tuple[Factor, ...]: ...
    @overload
    def __call__(self, source: Lightning, /) -> tuple[Factor, ...]: ...
    @overload
    def __call__(self, source: int | np.integer, /) -> tuple[Factor, ...]: ...

factors: _Factors

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
        arch: AttentionNetwork,
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

class _Flatten(Verb[..., Any]):
    def __call__(self, theta: Parameters, /) -> Any: ...

flatten: _Flatten

class _Formulas(Verb[..., Any]):
    @overload
    def __call__(self, arch: Normalized, /) -> tuple[Formula, ...]: ...
    @overload
    def __call__(self, arch: Lightning, /) -> tuple[Formula, ...]: ...
    @overload
    def __call__(self, arch: Architecture, /) -> tuple[Formula, ...]: ...

formulas: _Formulas

class _FreeCumulants(Verb[..., Any]):
    @overload
    def __call__(self, law: MarchenkoPastur, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: FussCatalan, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: SignalPlusNoise, count: int | np.integer, /) -> tuple[float, ...]: ...
    @overload
    def __call__(self, law: Law, count: int | np.integer, /) -> tuple[float, ...]: ...

free_cumulants: _FreeCumulants

class _HasFunction(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Normalized,
        theta: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
    ) -> Existence: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        /,
        *,
        seed: int = 0,
        error: float = 1e-09,
    ) -> Existence: ...

has_function: _HasFunction

class _HeadOutputs(Verb[..., Any]):
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

head_outputs: _HeadOutputs

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

class _Identity(Verb[..., Any]):
    @overload
    def __call__(self, family: UnseenScores, field: Field, /) -> UnseenScoresElement: ...
    @overload
    def __call__(self, family: Unread, field: Field, /) -> UnreadElement | UnreadValuesElement: ...
    @overload
    def __call__(self, family: Unreached, field: Field, /) -> UnreachedElement: ...
    @overload
    def __call__(self, family: ParallelTokens, field: Field, /) -> ParallelTokensElement: ...
    @overload
    def __call__(self, family: ScoreRescaling, field: Field, /) -> ScoreRescalingElement: ...
    @overload
    def __call__(self, family: Rescaling, field: Field, /) -> RescalingElement: ...
    @overload
    def __call__(self, family: Interlayer, field: Field, /) -> InterlayerElement: ...
    @overload
    def __call__(self, family: KeyQuery, field: Field, /) -> KeyQueryElement: ...
    @overload
    def __call__(self, family: Symmetry, field: Field, /) -> Any: ...

identity: _Identity

class _Integrate(Verb[..., Any]):
    def __call__(
        self,
        flow: Flow,
        tokens: Any,
        /,
        *,
        until: float,
        samples: int | Sequence[float] | np.ndarray | None = None,
        tolerance: float = 1e-10,
        clustered: float | None = None,
        stationary: float | None = None,
        method: str = "DOP853",
        normalise: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Trajectory: ...

integrate: _Integrate

class _Inverse(Verb[..., Any]):
    @overload
    def __call__(self, matrix: Elements, /) -> Elements: ...
    @overload
    def __call__(self, matrix: SwapElement, /) -> SwapElement: ...
    @overload
    def __call__(self, matrix: ProductElement, /) -> ProductElement: ...
    @overload
    def __call__(self, matrix: TranslationElement, /) -> TranslationElement: ...
    @overload
    def __call__(self, matrix: Linear, /) -> Linear: ...
    @overload
    def __call__(self, matrix: Any, /) -> Any: ...

inverse: _Inverse

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

class _IsInvertible(Verb[..., Any]):
    def __call__(self, matrix: Any, /, *, gap: float | None = None) -> bool: ...

is_invertible: _IsInvertible

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

class _Jacobian(Verb[..., Any]):
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Elements, /) -> Elements: ...
    @overload
    def __call__(self, arch: Architecture, theta: Parameters, inputs: Any, /) -> Any: ...

jacobian: _Jacobian

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

class _Kernel(Verb[..., Any]):
    @overload
    def __call__(
        self,
        matrix: Elements,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> Elements: ...
    @overload
    def __call__(
        self,
        matrix: Any,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> Any: ...

kernel: _Kernel

class _KolmogorovDistance(Verb[..., Any]):
    @overload
    def __call__(self, one: Law, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Law, two: Any, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Any, /) -> float: ...

kolmogorov_distance: _KolmogorovDistance

class _LimitLaw(Verb[..., Any]):
    @overload
    def __call__(self, ensemble: PolynomialEnsemble | LinearPolynomialEnsemble, /) -> Law: ...
    @overload
    def __call__(self, ensemble: Ensemble, /) -> Law: ...

limit_law: _LimitLaw

class _Moments(Verb[..., Any]):
    def __call__(self, law: Law, count: int | np.integer, /) -> tuple[float, ...]: ...

moments: _Moments

class _Monomial(Verb[..., Any]):
    def __call__(self, tree: DirectedGraph, indices: Any, /) -> Monomial: ...

monomial: _Monomial

class _NormalFormMap(Verb[..., Any]):
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
    def __call__(self, arch: AttentionNetwork, theta: Parameters, /) -> ProductElement: ...

normal_form_map: _NormalFormMap

class _OrbitDimension(Verb[..., Any]):
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: AttentionMatrix | VirtualWeights,
        /,
        *,
        gap: float | None = None,
    ) -> int: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: Weights,
        /,
        *,
        gap: float | None = None,
    ) -> int: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        theta: Parameters,
        /,
        *,
        gap: float | None = None,
    ) -> int: ...

orbit_dimension: _OrbitDimension

class _Parametrization(Verb[..., Any]):
    def __call__(self, arch: Architecture, coordinates: type[Parameters], /) -> Parametrization: ...

parametrization: _Parametrization

class _QuadraticForms(Verb[..., Any]):
    @overload
    def __call__(self, arch: Lightning, source: Callable, /) -> QuadraticForms: ...
    @overload
    def __call__(self, arch: Lightning, source: Parameters, /) -> QuadraticForms: ...

quadratic_forms: _QuadraticForms

class _Quantile(Verb[..., Any]):
    @overload
    def __call__(self, law: FussCatalan, probabilities: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, probabilities: Any, /) -> Any: ...

quantile: _Quantile

class _RadialDominance(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

radial_dominance: _RadialDominance

class _RadialShadow(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

radial_shadow: _RadialShadow

class _Rank(Verb[..., Any]):
    @overload
    def __call__(
        self,
        matrix: Elements,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int | RankVerdict | RankLowerBound: ...
    @overload
    def __call__(
        self,
        matrix: galois.FieldArray,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int: ...
    @overload
    def __call__(
        self,
        matrix: np.ndarray[Any, np.dtype[np.number]],
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> RankVerdict: ...
    @overload
    def __call__(
        self,
        matrix: np.ndarray,
        /,
        *,
        engine: Engine | None = None,
        gap: float | None = None,
    ) -> int | RankVerdict | RankLowerBound: ...

rank: _Rank

class _Reflect(Verb[..., Any]):
    def __call__(self, tree: DirectedGraph, indices: Any, slot: Any, /) -> tuple[int, ...]: ...

reflect: _Reflect

class _Resume(Verb[..., Any]):
    def __call__(
        self,
        trajectory: Trajectory,
        /,
        *,
        until: float,
        samples: int | Sequence[float] | np.ndarray | None = None,
        tolerance: float = 1e-10,
        clustered: float | None = None,
        stationary: float | None = None,
        method: str = "DOP853",
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Trajectory: ...

resume: _Resume

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
        arch: AttentionNetwork,
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

class _SampleMatrix(Verb[..., Any]):
    @overload
    def __call__(self, ensemble: LinearEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: LinearPolynomialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: PolynomialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: EntrywiseEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: ExponentialEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: AttentionEnsemble, /, *, seed: int = 0) -> np.ndarray: ...
    @overload
    def __call__(self, ensemble: Ensemble, /, *, seed: int = 0) -> np.ndarray: ...

sample_matrix: _SampleMatrix

class _SingularDistance(Verb[..., Any]):
    def __call__(self, arch: Lightning, theta: Parameters, /) -> Distance: ...

singular_distance: _SingularDistance

class _Solve(Verb[..., Any]):
    def __call__(self, matrix: Any, right: Any, /, *, engine: Engine | None = None) -> Any: ...

solve: _Solve

class _SquaredSingularValues(Verb[..., Any]):
    @overload
    def __call__(
        self,
        source: Ensemble,
        /,
        *,
        seed: int = 0,
        drop: int | None = None,
    ) -> np.ndarray: ...
    @overload
    def __call__(self, source: Any, /, *, drop: int | None = None) -> np.ndarray: ...

squared_singular_values: _SquaredSingularValues

class _Stieltjes(Verb[..., Any]):
    @overload
    def __call__(self, law: SignalPlusNoise, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: FussCatalan, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: MarchenkoPastur, points: Any, /) -> Any: ...
    @overload
    def __call__(self, law: Law, points: Any, /) -> Any: ...

stieltjes: _Stieltjes

class _Support(Verb[..., Any]):
    @overload
    def __call__(self, law: MarchenkoPastur, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: FussCatalan, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: SignalPlusNoise, /) -> tuple[tuple[float, float], ...]: ...
    @overload
    def __call__(self, law: Law, /) -> tuple[tuple[float, float], ...]: ...

support: _Support

class _Symmetries(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> tuple[Symmetry, ...]: ...

symmetries: _Symmetries

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

class _Unroll(Verb[..., Any]):
    @overload
    def __call__(self, source: Lightning, /, *, kind: str = "tree") -> nx.DiGraph: ...
    @overload
    def __call__(self, source: int | np.integer, /, *, kind: str = "tree") -> nx.DiGraph: ...

unroll: _Unroll

class _Velocity(Verb[..., Any]):
    @overload
    def __call__(
        self,
        flow: EquiangularFlow,
        cosine: float | int | np.ndarray | np.floating,
        /,
    ) -> Any: ...
    @overload
    def __call__(self, flow: Flow, tokens: Any, /) -> np.ndarray: ...

velocity: _Velocity

class _Verify(Verb[..., Any]):
    @overload
    def __call__(
        self,
        source: Certificate,
        /,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> VerificationReport: ...
    @overload
    def __call__(
        self,
        source: str | os.PathLike,
        /,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> VerificationReport: ...

verify: _Verify

class _WassersteinDistance(Verb[..., Any]):
    @overload
    def __call__(self, one: Law, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Law, two: Any, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Law, /) -> float: ...
    @overload
    def __call__(self, one: Any, two: Any, /) -> float: ...

wasserstein_distance: _WassersteinDistance
