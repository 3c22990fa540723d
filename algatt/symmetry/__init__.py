"""Transformations of parameters that leave the function unchanged: one file for each family."""

from algatt.loading import load_below

load_below(__name__)

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
from algatt.symmetry.base import GroupElement, LinearElement, Symmetry
from algatt.symmetry.discrete import CoordinatePermutations, CoordinateSigns, DiscreteSymmetry, TensorExchange
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
from algatt.verbs import (
    act,
    compose,
    discover,
    discrete_symmetries,
    exponential,
    fold,
    identity,
    inverse,
    meet,
    members,
    orbit_dimension,
    symbolic_symmetries,
    symmetries,
)

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
