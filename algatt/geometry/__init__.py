"""Questions about a network: its dimension, formulas for it, equal functions, fibres, normal forms."""

from algatt.geometry import normal_form, orbit, singular
from algatt.geometry.arrows import Arrow
from algatt.geometry.dimension import DimensionReport
from algatt.geometry.distance import Distance
from algatt.geometry.equivalence import Equivalence
from algatt.geometry.fiber import Fiber, OrbitFiber, SwapFiber, UnknownFiber, ZeroFiber
from algatt.geometry.formulas import Formula
from algatt.geometry.identify import Identification
from algatt.geometry.quadratic_forms import Oracle, QuadraticForms
from algatt.geometry.tangent_space import TangentSpace
from algatt.geometry.unexplained import UnexplainedKernel

__all__ = [
    "Arrow",
    "DimensionReport",
    "Distance",
    "Equivalence",
    "Fiber",
    "Formula",
    "Identification",
    "Oracle",
    "OrbitFiber",
    "QuadraticForms",
    "SwapFiber",
    "TangentSpace",
    "UnexplainedKernel",
    "UnknownFiber",
    "ZeroFiber",
    "normal_form",
    "orbit",
    "singular",
]
