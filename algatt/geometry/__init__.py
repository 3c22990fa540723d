"""Questions about a network: its dimension, formulas for it, equal functions, fibres, normal forms."""

from algatt.geometry import normal_form, normalized_equivalence, normalized_unexplained, orbit, singular
from algatt.geometry.arrows import Arrow
from algatt.geometry.dimension import DimensionReport
from algatt.geometry.distance import Distance
from algatt.geometry.equivalence import Equivalence
from algatt.geometry.fiber import Fiber, UnknownFiber
from algatt.geometry.formulas import Formula
from algatt.geometry.identification import Identification
from algatt.geometry.lightning_fiber import OrbitFiber, SwapFiber, ZeroFiber
from algatt.geometry.normalized_fiber import GaugeFiber, QueryFiber, ScoreRescalingFiber, UnseenFiber
from algatt.geometry.quadratic_forms import Oracle, QuadraticForms
from algatt.geometry.spectrum import FloatSpectrum, JacobianSpectrum
from algatt.geometry.tangent_space import TangentSpace
from algatt.geometry.unexplained import UnexplainedKernel
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
    "Arrow",
    "DimensionReport",
    "Distance",
    "Equivalence",
    "Fiber",
    "FloatSpectrum",
    "Formula",
    "GaugeFiber",
    "Identification",
    "JacobianSpectrum",
    "Oracle",
    "OrbitFiber",
    "QuadraticForms",
    "QueryFiber",
    "ScoreRescalingFiber",
    "SwapFiber",
    "TangentSpace",
    "UnexplainedKernel",
    "UnknownFiber",
    "UnseenFiber",
    "ZeroFiber",
    "boundary_distance",
    "canonical",
    "dimension",
    "expected_dimension",
    "fiber",
    "fiber_dimensions",
    "formulas",
    "identify",
    "is_boundary",
    "is_critical",
    "is_singular",
    "jacobian_spectrum",
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
