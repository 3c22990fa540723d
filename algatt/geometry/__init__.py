"""Questions about a network: its dimension, formulas for it, equal functions, fibres, normal forms."""

from algatt.loading import load_below

load_below(__name__)

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
from algatt.geometry.fibres.normalized_fiber import GaugeFiber, QueryFiber, ScoreRescalingFiber, UnseenFiber
from algatt.geometry.fibres.unexplained import UnexplainedKernel
from algatt.geometry.identification import Identification
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms
from algatt.geometry.singularities import singular
from algatt.geometry.singularities.distance import Distance
from algatt.geometry.singularities.tangent_space import TangentSpace
from algatt.verbs import (
    boundary_distance,
    canonical,
    dimension,
    expected_dimension,
    fiber,
    fiber_dimensions,
    formulas,
    identify,
    is_boundary,
    is_critical,
    is_singular,
    jacobian_spectrum,
    normal_form_map,
    quadratic_forms,
    same_function,
    singular_distance,
    tangent_space,
    unexplained_kernel,
)

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
