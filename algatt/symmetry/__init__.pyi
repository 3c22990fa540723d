"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, TypeVar, overload

from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.network import Network
from algatt.architectures.normalized import Normalized
from algatt.dispatch import Verb
from algatt.fields.base import Field
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.fibres.discovery import Discovery
from algatt.linalg import inverse
from algatt.parameters.attention_matrix import AttentionMatrix
from algatt.parameters.base import Coordinates, Parameters
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights
from algatt.symmetry.arranged import ArrangedElement, ArrangedSymmetry, DiscreteArrangedSymmetry
from algatt.symmetry.arrows import (
    Folding,
    GainSymmetry,
    MixtureSymmetry,
    NormBiasSymmetry,
    ShiftSymmetry,
    StretchSymmetry,
    UnseenSymmetry,
)
from algatt.symmetry.arrows.folded import FoldedElement
from algatt.symmetry.arrows.gains import GainElement
from algatt.symmetry.arrows.mixtures import MixtureElement
from algatt.symmetry.arrows.stretches import StretchElement
from algatt.symmetry.arrows.unseen import UnseenElement
from algatt.symmetry.arrows.vector_element import VectorElement
from algatt.symmetry.base import GroupElement, LinearElement, Symmetry
from algatt.symmetry.discrete import (
    CoordinatePermutations,
    CoordinateSigns,
    DiscreteSymmetry,
    TensorExchange,
)
from algatt.symmetry.group import ProductElement
from algatt.symmetry.groups import (
    Commutant,
    GeneralLinear,
    LinearGroup,
    MatrixGroup,
    Orthogonal,
    PositiveTorus,
    Stabilizer,
    Torus,
    Trivial,
)
from algatt.symmetry.interlayer import Interlayer
from algatt.symmetry.key_query import KeyQuery
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.parallel_tokens import ParallelTokens, ParallelTokensElement
from algatt.symmetry.report import FamilyOrbit, SymmetryReport
from algatt.symmetry.rescaling import Rescaling
from algatt.symmetry.score_rescaling import ScoreRescaling
from algatt.symmetry.spaces_element import SpacesElement
from algatt.symmetry.swap import SwapElement
from algatt.symmetry.symbolic import SymbolicArrow, SymbolicSpace, SymbolicSymmetries
from algatt.symmetry.tensors_element import TensorsElement
from algatt.symmetry.translation import TranslationElement
from algatt.symmetry.typed import SpaceSymmetry
from algatt.symmetry.unreached import Unreached, UnreachedElement, UnreachedMatrixElement
from algatt.symmetry.unread import Unread, UnreadElement, UnreadValuesElement
from algatt.symmetry.unseen_scores import UnseenScores, UnseenScoresElement

__all__ = [
    "ArrangedElement",
    "ArrangedSymmetry",
    "Commutant",
    "CoordinatePermutations",
    "CoordinateSigns",
    "DiscreteArrangedSymmetry",
    "DiscreteSymmetry",
    "FamilyOrbit",
    "Folding",
    "GainSymmetry",
    "GeneralLinear",
    "GroupElement",
    "Interlayer",
    "KeyQuery",
    "LinearElement",
    "LinearGroup",
    "MatrixGroup",
    "MixtureSymmetry",
    "NormBiasSymmetry",
    "Orthogonal",
    "ParallelTokens",
    "ParallelTokensElement",
    "PositiveTorus",
    "ProductElement",
    "Rescaling",
    "ScoreRescaling",
    "ShiftSymmetry",
    "SpaceSymmetry",
    "SpacesElement",
    "Stabilizer",
    "StretchSymmetry",
    "SwapElement",
    "SymbolicArrow",
    "SymbolicSpace",
    "SymbolicSymmetries",
    "Symmetry",
    "SymmetryReport",
    "TensorExchange",
    "TensorsElement",
    "Torus",
    "TranslationElement",
    "Trivial",
    "Unreached",
    "UnreachedElement",
    "UnreachedMatrixElement",
    "Unread",
    "UnreadElement",
    "UnreadValuesElement",
    "UnseenScores",
    "UnseenScoresElement",
    "UnseenSymmetry",
    "act",
    "compose",
    "discover",
    "discrete_symmetries",
    "exponential",
    "fold",
    "identity",
    "inverse",
    "meet",
    "members",
    "orbit_dimension",
    "symbolic_symmetries",
    "symmetries",
]

_SomeParameters = TypeVar("_SomeParameters", bound=Parameters)

class _Act(Verb[..., Any]):
    @overload
    def __call__(self, element: CoordinateChange, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: ArrangedElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: StretchElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: VectorElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: MixtureElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: FoldedElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: GainElement, theta: Weights, /) -> Weights: ...
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
    def __call__(self, element: SpacesElement, theta: Coordinates, /) -> Coordinates: ...
    @overload
    def __call__(self, element: TensorsElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: ParallelTokensElement, theta: Weights, /) -> Weights: ...
    @overload
    def __call__(self, element: GroupElement, theta: _SomeParameters, /) -> _SomeParameters: ...

act: _Act

class _Compose(Verb[..., Any]):
    @overload
    def __call__(self, left: ArrangedElement, right: ArrangedElement, /) -> ArrangedElement: ...
    @overload
    def __call__(self, left: StretchElement, right: StretchElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: VectorElement, right: VectorElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: MixtureElement, right: MixtureElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: FoldedElement, right: FoldedElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: GainElement, right: GainElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: SwapElement, right: SwapElement, /) -> ProductElement: ...
    @overload
    def __call__(self, left: TranslationElement, right: TranslationElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: LinearElement, right: LinearElement, /) -> GroupElement: ...
    @overload
    def __call__(self, left: TensorsElement, right: TensorsElement, /) -> TensorsElement: ...
    @overload
    def __call__(self, left: GroupElement, right: GroupElement, /) -> GroupElement: ...

compose: _Compose

class _Discover(Verb[..., Any]):
    def __call__(self, arch: Architecture, /, *, seed: int = 0) -> Discovery: ...

discover: _Discover

class _DiscreteSymmetries(Verb[..., Any]):
    @overload
    def __call__(self, arch: Network, /) -> tuple[DiscreteSymmetry, ...]: ...
    @overload
    def __call__(self, arch: Architecture, /) -> tuple[DiscreteSymmetry, ...]: ...

discrete_symmetries: _DiscreteSymmetries

class _Exponential(Verb[..., Any]):
    @overload
    def __call__(self, family: NamedSpaces, tangent: Any, /) -> SpacesElement: ...
    @overload
    def __call__(self, family: SpaceSymmetry, tangent: Any, /) -> GroupElement: ...
    @overload
    def __call__(self, family: ParallelTokens, tangent: Any, /) -> ParallelTokensElement: ...
    @overload
    def __call__(self, family: Symmetry, tangent: Any, /) -> Any: ...

exponential: _Exponential

class _Fold(Verb[..., Any]):
    def __call__(self, arch: Architecture, /) -> Folding: ...

fold: _Fold

class _Identity(Verb[..., Any]):
    @overload
    def __call__(self, family: NamedSpaces, field: Field, /) -> SpacesElement: ...
    @overload
    def __call__(self, family: ArrangedSymmetry, field: Field, /) -> ArrangedElement: ...
    @overload
    def __call__(self, family: SpaceSymmetry, field: Field, /) -> GroupElement: ...
    @overload
    def __call__(self, family: UnseenSymmetry, field: Field, /) -> UnseenElement: ...
    @overload
    def __call__(self, family: StretchSymmetry, field: Field, /) -> GroupElement: ...
    @overload
    def __call__(self, family: ShiftSymmetry, field: Field, /) -> GroupElement: ...
    @overload
    def __call__(self, family: NormBiasSymmetry, field: Field, /) -> GroupElement: ...
    @overload
    def __call__(self, family: MixtureSymmetry, field: Field, /) -> GroupElement: ...
    @overload
    def __call__(self, family: GainSymmetry, field: Field, /) -> GainElement: ...
    @overload
    def __call__(self, family: UnseenScores, field: Field, /) -> UnseenScoresElement: ...
    @overload
    def __call__(self, family: Unread, field: Field, /) -> UnreadElement | UnreadValuesElement: ...
    @overload
    def __call__(self, family: Unreached, field: Field, /) -> UnreachedElement: ...
    @overload
    def __call__(self, family: ParallelTokens, field: Field, /) -> ParallelTokensElement: ...
    @overload
    def __call__(self, family: Symmetry, field: Field, /) -> Any: ...

identity: _Identity

class _Meet(Verb[..., Any]):
    @overload
    def __call__(self, group: Orthogonal, other: Torus | PositiveTorus, /) -> MatrixGroup: ...
    @overload
    def __call__(self, group: Torus | PositiveTorus, other: Orthogonal, /) -> MatrixGroup: ...
    @overload
    def __call__(
        self,
        group: Torus | PositiveTorus,
        other: Torus | PositiveTorus,
        /,
    ) -> MatrixGroup: ...
    @overload
    def __call__(self, group: MatrixGroup, other: MatrixGroup, /) -> MatrixGroup | None: ...

meet: _Meet

class _Members(Verb[..., Any]):
    @overload
    def __call__(
        self,
        family: type[StretchSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[StretchSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[StretchSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[StretchSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[MixtureSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[MixtureSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[MixtureSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[MixtureSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[ShiftSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[ShiftSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[ShiftSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[ShiftSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[NormBiasSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[NormBiasSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[NormBiasSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[NormBiasSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[GainSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[GainSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[GainSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[GainSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[UnseenSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[UnseenSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[UnseenSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[UnseenSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[SpaceSymmetry],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[SpaceSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[SpaceSymmetry],
        arch: Architecture,
        /,
    ) -> tuple[SpaceSymmetry, ...]: ...
    @overload
    def __call__(
        self,
        family: type[NamedSpaces],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[NamedSpaces, ...]: ...
    @overload
    def __call__(
        self,
        family: type[Unread],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[Unread, ...]: ...
    @overload
    def __call__(
        self,
        family: type[UnseenScores],
        arch: Normalized,
        /,
    ) -> tuple[UnseenScores, ...]: ...
    @overload
    def __call__(
        self,
        family: type[Unreached],
        arch: Lightning | Normalized,
        /,
    ) -> tuple[Unreached, ...]: ...
    @overload
    def __call__(
        self,
        family: type[ParallelTokens],
        arch: Lightning,
        /,
    ) -> tuple[ParallelTokens, ...]: ...
    @overload
    def __call__(self, family: type[Symmetry], arch: Architecture, /) -> tuple[Symmetry, ...]: ...

members: _Members

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

class _SymbolicSymmetries(Verb[..., Any]):
    @overload
    def __call__(self, arch: Network, /) -> SymbolicSymmetries: ...
    @overload
    def __call__(self, arch: Lightning | Normalized, /) -> SymbolicSymmetries: ...
    @overload
    def __call__(self, arch: Architecture, /) -> SymbolicSymmetries: ...

symbolic_symmetries: _SymbolicSymmetries

class _Symmetries(Verb[..., Any]):
    @overload
    def __call__(self, arch: Lightning | Normalized, /) -> tuple[Symmetry, ...]: ...
    @overload
    def __call__(self, arch: Network, /) -> tuple[Symmetry, ...]: ...
    @overload
    def __call__(self, arch: Architecture, /) -> tuple[Symmetry, ...]: ...

symmetries: _Symmetries
