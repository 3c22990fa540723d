"""Transformations of parameters that leave the function unchanged, in families."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.fibres.discovery import discover as discover
    from algatt.symmetry.arranged import ArrangedSymmetry as ArrangedSymmetry
    from algatt.symmetry.base import GroupElement as GroupElement
    from algatt.symmetry.base import Symmetry as Symmetry
    from algatt.symmetry.discrete.symmetry import CoordinatePermutations as CoordinatePermutations
    from algatt.symmetry.discrete.symmetry import CoordinateSigns as CoordinateSigns
    from algatt.symmetry.discrete.symmetry import DiscreteSymmetry as DiscreteSymmetry
    from algatt.symmetry.discrete.symmetry import TensorExchange as TensorExchange
    from algatt.symmetry.group import ProductElement as ProductElement
    from algatt.symmetry.groups import Commutant as Commutant
    from algatt.symmetry.groups import GeneralLinear as GeneralLinear
    from algatt.symmetry.groups import LinearGroup as LinearGroup
    from algatt.symmetry.groups import MatrixGroup as MatrixGroup
    from algatt.symmetry.groups import Orthogonal as Orthogonal
    from algatt.symmetry.groups import PositiveTorus as PositiveTorus
    from algatt.symmetry.groups import Stabilizer as Stabilizer
    from algatt.symmetry.groups import Torus as Torus
    from algatt.symmetry.groups import Trivial as Trivial
    from algatt.symmetry.hidden.composites import CompositeSymmetry as CompositeSymmetry
    from algatt.symmetry.hidden.directions import UnseenDirections as UnseenDirections
    from algatt.symmetry.hidden.quadratic import QuadraticForm as QuadraticForm
    from algatt.symmetry.named.families import Interlayer as Interlayer
    from algatt.symmetry.named.families import KeyQuery as KeyQuery
    from algatt.symmetry.named.families import Rescaling as Rescaling
    from algatt.symmetry.named.families import ScoreRescaling as ScoreRescaling
    from algatt.symmetry.quotients.folded import VectorElement as VectorElement
    from algatt.symmetry.quotients.gains import GainSymmetry as GainSymmetry
    from algatt.symmetry.quotients.mixtures import MixtureSymmetry as MixtureSymmetry
    from algatt.symmetry.quotients.norms import NormBiasSymmetry as NormBiasSymmetry
    from algatt.symmetry.quotients.shifts import ShiftSymmetry as ShiftSymmetry
    from algatt.symmetry.quotients.stretches import StretchSymmetry as StretchSymmetry
    from algatt.symmetry.quotients.unseen import UnseenSymmetry as UnseenSymmetry
    from algatt.symmetry.report import FamilyOrbit as FamilyOrbit
    from algatt.symmetry.report import SymmetryReport as SymmetryReport
    from algatt.symmetry.spaces import SpaceSymmetry as SpaceSymmetry
    from algatt.symmetry.spaces_element import SpacesElement as SpacesElement
    from algatt.symmetry.swap import SwapElement as SwapElement
    from algatt.symmetry.symbolic.symbolic import SymbolicFamily as SymbolicFamily
    from algatt.symmetry.symbolic.symbolic import SymbolicSymmetries as SymbolicSymmetries
    from algatt.symmetry.tensors_element import TensorsElement as TensorsElement
    from algatt.verbs import act as act
    from algatt.verbs import compose as compose
    from algatt.verbs import discrete_symmetries as discrete_symmetries
    from algatt.verbs import exponential as exponential
    from algatt.verbs import identity as identity
    from algatt.verbs import inverse as inverse
    from algatt.verbs import members as members
    from algatt.verbs import orbit_dimension as orbit_dimension
    from algatt.verbs import symbolic_symmetries as symbolic_symmetries
    from algatt.verbs import symmetries as symmetries

on_demand(__name__)
