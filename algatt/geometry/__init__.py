"""Questions about a network: its dimension, formulas for it, equal functions, fibres, normal forms."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.alignment import Alignment as Alignment
    from algatt.geometry.degrees.degree import ClosureDegree as ClosureDegree
    from algatt.geometry.degrees.degree import degree_of_closure as degree_of_closure
    from algatt.geometry.degrees.fibers import FiberComponents as FiberComponents
    from algatt.geometry.degrees.fibers import fiber_components as fiber_components
    from algatt.geometry.dimensions.dimension import dimension as dimension
    from algatt.geometry.dimensions.formulas import Formula as Formula
    from algatt.geometry.dimensions.formulas import expected_dimension as expected_dimension
    from algatt.geometry.dimensions.question import AutoPoints as AutoPoints
    from algatt.geometry.dimensions.question import Copies as Copies
    from algatt.geometry.dimensions.question import Points as Points
    from algatt.geometry.dimensions.question import RandomPoints as RandomPoints
    from algatt.geometry.dimensions.question import SideBySide as SideBySide
    from algatt.geometry.dimensions.report import DimensionReport as DimensionReport
    from algatt.geometry.dimensions.spectrum import FloatSpectrum as FloatSpectrum
    from algatt.geometry.dimensions.spectrum import JacobianSpectrum as JacobianSpectrum
    from algatt.geometry.dimensions.spectrum import jacobian_spectrum as jacobian_spectrum
    from algatt.geometry.equality.equivalence import Equivalence as Equivalence
    from algatt.geometry.equality.network_equivalence import same_function as same_function
    from algatt.geometry.fibres.affine_fields import AffineField as AffineField
    from algatt.geometry.fibres.affine_fields import AffineTerm as AffineTerm
    from algatt.geometry.fibres.arrows import Arrow as Arrow
    from algatt.geometry.fibres.discovery import Discovery as Discovery
    from algatt.geometry.fibres.fiber import Fiber as Fiber
    from algatt.geometry.fibres.unexplained import UnexplainedKernel as UnexplainedKernel
    from algatt.geometry.identification import Identification as Identification
    from algatt.geometry.identification.identify import identify as identify
    from algatt.geometry.identification.quadratic_forms import Oracle as Oracle
    from algatt.geometry.identification.quadratic_forms import QuadraticForms as QuadraticForms
    from algatt.geometry.identification.violation import Violation as Violation
    from algatt.geometry.implicit.coefficients import Coefficients as Coefficients
    from algatt.geometry.implicit.coefficients import coefficients as coefficients
    from algatt.geometry.implicit.equations import Equation as Equation
    from algatt.geometry.implicit.equations import Equations as Equations
    from algatt.geometry.implicit.equations import equations as equations
    from algatt.geometry.implicit.hilbert_function import HilbertFunction as HilbertFunction
    from algatt.geometry.implicit.hilbert_function import hilbert_function as hilbert_function
    from algatt.geometry.implicit.learning_coefficient import LearningCoefficient as LearningCoefficient
    from algatt.geometry.implicit.learning_coefficient import learning_coefficient as learning_coefficient
    from algatt.geometry.implicit.monomials import EntryMonomial as EntryMonomial
    from algatt.geometry.implicit.span import Span as Span
    from algatt.geometry.implicit.span import span as span
    from algatt.geometry.singularities.distance import Distance as Distance
    from algatt.geometry.singularities.tangent_space import TangentSpace as TangentSpace
    from algatt.geometry.training import ConservationLaw as ConservationLaw
    from algatt.geometry.training import ConservationLaws as ConservationLaws
    from algatt.geometry.training import Drift as Drift
    from algatt.geometry.training import Extremal as Extremal
    from algatt.geometry.training import PseudoDimension as PseudoDimension
    from algatt.geometry.training import conservation_laws as conservation_laws
    from algatt.geometry.training import drift as drift
    from algatt.geometry.training import extremal as extremal
    from algatt.geometry.training.pseudo_dimension import pseudo_dimension as pseudo_dimension
    from algatt.geometry.training.samples import SampleNumber as SampleNumber
    from algatt.geometry.training.samples import samples as samples
    from algatt.verbs import boundary_distance as boundary_distance
    from algatt.verbs import canonical as canonical
    from algatt.verbs import fiber as fiber
    from algatt.verbs import fiber_dimensions as fiber_dimensions
    from algatt.verbs import formulas as formulas
    from algatt.verbs import is_boundary as is_boundary
    from algatt.verbs import is_critical as is_critical
    from algatt.verbs import is_singular as is_singular
    from algatt.verbs import normal_form_map as normal_form_map
    from algatt.verbs import quadratic_forms as quadratic_forms
    from algatt.verbs import singular_distance as singular_distance
    from algatt.verbs import tangent_space as tangent_space
    from algatt.verbs import unexplained_kernel as unexplained_kernel

on_demand(__name__)
