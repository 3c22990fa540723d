"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from algatt import architectures as architectures
from algatt import arguments as arguments
from algatt import certificates as certificates
from algatt import checkpoints as checkpoints
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
from algatt import moved as moved
from algatt import parameters as parameters
from algatt import plain as plain
from algatt import precision as precision
from algatt import published as published
from algatt import randomness as randomness
from algatt import schedulers as schedulers
from algatt import spectra as spectra
from algatt import sweeps as sweeps
from algatt import symmetry as symmetry
from algatt import testing as testing
from algatt import trees as trees
from algatt import verbs as verbs
from algatt import version as version
from algatt import views as views
from algatt.architectures import Architecture as Architecture
from algatt.architectures import AttentionNetwork as AttentionNetwork
from algatt.architectures import Lightning as Lightning
from algatt.architectures import Network as Network
from algatt.architectures import Normalized as Normalized
from algatt.architectures import Softmax as Softmax
from algatt.architectures import expression as expression
from algatt.certificates import Certificate as Certificate
from algatt.certificates import VerificationReport as VerificationReport
from algatt.certificates import certify as certify
from algatt.certificates import verify as verify
from algatt.dispatch import Verb as Verb
from algatt.dispatch import check as check
from algatt.dispatch import methods as methods
from algatt.dynamics import EquiangularFlow as EquiangularFlow
from algatt.dynamics import FlatFlow as FlatFlow
from algatt.dynamics import MatrixHead as MatrixHead
from algatt.dynamics import ProjectorHead as ProjectorHead
from algatt.dynamics import ScalarHead as ScalarHead
from algatt.dynamics import SphereFlow as SphereFlow
from algatt.dynamics import Trajectory as Trajectory
from algatt.dynamics import energy as energy
from algatt.dynamics import energy_gradient as energy_gradient
from algatt.dynamics import energy_rate as energy_rate
from algatt.dynamics import entropy as entropy
from algatt.dynamics import entropy_rate as entropy_rate
from algatt.dynamics import head_outputs as head_outputs
from algatt.dynamics import integrate as integrate
from algatt.dynamics import radial_dominance as radial_dominance
from algatt.dynamics import radial_shadow as radial_shadow
from algatt.dynamics import resume as resume
from algatt.dynamics import velocity as velocity
from algatt.dynamics.attention import ExponentialWeights as ExponentialWeights
from algatt.dynamics.attention import ReLUWeights as ReLUWeights
from algatt.dynamics.attention import SoftmaxWeights as SoftmaxWeights
from algatt.errors import AlgattError as AlgattError
from algatt.errors import AmbiguousMethodError as AmbiguousMethodError
from algatt.errors import CertificateError as CertificateError
from algatt.errors import DivisionByZero as DivisionByZero
from algatt.errors import DuplicateMethodError as DuplicateMethodError
from algatt.errors import EquivalenceUndecided as EquivalenceUndecided
from algatt.errors import IntegrationFailed as IntegrationFailed
from algatt.errors import InvalidArgument as InvalidArgument
from algatt.errors import MethodError as MethodError
from algatt.errors import MissingExtra as MissingExtra
from algatt.errors import NoSolution as NoSolution
from algatt.errors import NotEnoughMemory as NotEnoughMemory
from algatt.errors import OutputError as OutputError
from algatt.errors import RankUndecided as RankUndecided
from algatt.errors import ScoreOverflow as ScoreOverflow
from algatt.errors import SingularMatrix as SingularMatrix
from algatt.errors import SymmetryError as SymmetryError
from algatt.errors import UndefinedFunction as UndefinedFunction
from algatt.fields import Balls as Balls
from algatt.fields import Elementary as Elementary
from algatt.fields import Elements as Elements
from algatt.fields import Field as Field
from algatt.fields import PrimeField as PrimeField
from algatt.fields import Reals as Reals
from algatt.geometry import Arrow as Arrow
from algatt.geometry import DimensionReport as DimensionReport
from algatt.geometry import Distance as Distance
from algatt.geometry import Equivalence as Equivalence
from algatt.geometry import Fiber as Fiber
from algatt.geometry import FloatSpectrum as FloatSpectrum
from algatt.geometry import Formula as Formula
from algatt.geometry import GaugeFiber as GaugeFiber
from algatt.geometry import Identification as Identification
from algatt.geometry import JacobianSpectrum as JacobianSpectrum
from algatt.geometry import Oracle as Oracle
from algatt.geometry import OrbitFiber as OrbitFiber
from algatt.geometry import QuadraticForms as QuadraticForms
from algatt.geometry import QueryFiber as QueryFiber
from algatt.geometry import ScoreRescalingFiber as ScoreRescalingFiber
from algatt.geometry import SwapFiber as SwapFiber
from algatt.geometry import TangentSpace as TangentSpace
from algatt.geometry import UnexplainedKernel as UnexplainedKernel
from algatt.geometry import UnknownFiber as UnknownFiber
from algatt.geometry import UnseenFiber as UnseenFiber
from algatt.geometry import ZeroFiber as ZeroFiber
from algatt.geometry import boundary_distance as boundary_distance
from algatt.geometry import canonical as canonical
from algatt.geometry import dimension as dimension
from algatt.geometry import expected_dimension as expected_dimension
from algatt.geometry import fiber as fiber
from algatt.geometry import fiber_dimensions as fiber_dimensions
from algatt.geometry import formulas as formulas
from algatt.geometry import identify as identify
from algatt.geometry import is_boundary as is_boundary
from algatt.geometry import is_critical as is_critical
from algatt.geometry import is_singular as is_singular
from algatt.geometry import jacobian_spectrum as jacobian_spectrum
from algatt.geometry import normal_form_map as normal_form_map
from algatt.geometry import quadratic_forms as quadratic_forms
from algatt.geometry import same_function as same_function
from algatt.geometry import singular_distance as singular_distance
from algatt.geometry import tangent_space as tangent_space
from algatt.geometry import unexplained_kernel as unexplained_kernel
from algatt.layers import Affine as Affine
from algatt.layers import Exponential as Exponential
from algatt.layers import Power as Power
from algatt.layers import Rational as Rational
from algatt.layers import Score as Score
from algatt.layers import activate as activate
from algatt.layers import attention_weights as attention_weights
from algatt.linalg import Auto as Auto
from algatt.linalg import Blas as Blas
from algatt.linalg import Flint as Flint
from algatt.linalg import Galois as Galois
from algatt.linalg import RankLowerBound as RankLowerBound
from algatt.linalg import RankVerdict as RankVerdict
from algatt.linalg import RowSpace as RowSpace
from algatt.linalg import determinant as determinant
from algatt.linalg import echelon as echelon
from algatt.linalg import inverse as inverse
from algatt.linalg import is_invertible as is_invertible
from algatt.linalg import kernel as kernel
from algatt.linalg import rank as rank
from algatt.linalg import solve as solve
from algatt.maps import Existence as Existence
from algatt.maps import degree as degree
from algatt.maps import evaluate as evaluate
from algatt.maps import has_function as has_function
from algatt.maps import jacobian as jacobian
from algatt.maps import parametrization as parametrization
from algatt.parameters import AttentionMatrix as AttentionMatrix
from algatt.parameters import Parameters as Parameters
from algatt.parameters import VirtualWeights as VirtualWeights
from algatt.parameters import Weights as Weights
from algatt.parameters import convert as convert
from algatt.parameters import coordinates as coordinates
from algatt.parameters import flatten as flatten
from algatt.parameters import load as load
from algatt.parameters import sample as sample
from algatt.parameters import sample_inputs as sample_inputs
from algatt.parameters import unflatten as unflatten
from algatt.spectra import AttentionEnsemble as AttentionEnsemble
from algatt.spectra import AttentionLaw as AttentionLaw
from algatt.spectra import EntrywiseEnsemble as EntrywiseEnsemble
from algatt.spectra import ExponentialEnsemble as ExponentialEnsemble
from algatt.spectra import FiniteSizeWarning as FiniteSizeWarning
from algatt.spectra import FussCatalan as FussCatalan
from algatt.spectra import Law as Law
from algatt.spectra import LinearEnsemble as LinearEnsemble
from algatt.spectra import LinearLaw as LinearLaw
from algatt.spectra import LinearPolynomialEnsemble as LinearPolynomialEnsemble
from algatt.spectra import MarchenkoPastur as MarchenkoPastur
from algatt.spectra import PolynomialEnsemble as PolynomialEnsemble
from algatt.spectra import SpectrumReport as SpectrumReport
from algatt.spectra import attention_matrix as attention_matrix
from algatt.spectra import cdf as cdf
from algatt.spectra import density as density
from algatt.spectra import edge as edge
from algatt.spectra import free_cumulants as free_cumulants
from algatt.spectra import kolmogorov_distance as kolmogorov_distance
from algatt.spectra import limit_law as limit_law
from algatt.spectra import moments as moments
from algatt.spectra import quantile as quantile
from algatt.spectra import sample_matrix as sample_matrix
from algatt.spectra import squared_singular_values as squared_singular_values
from algatt.spectra import stieltjes as stieltjes
from algatt.spectra import support as support
from algatt.spectra import wasserstein_distance as wasserstein_distance
from algatt.sweeps import fit_formula as fit_formula
from algatt.sweeps import sweep as sweep
from algatt.symmetry import GroupElement as GroupElement
from algatt.symmetry import Interlayer as Interlayer
from algatt.symmetry import KeyQuery as KeyQuery
from algatt.symmetry import LinearElement as LinearElement
from algatt.symmetry import ParallelTokens as ParallelTokens
from algatt.symmetry import ParallelTokensElement as ParallelTokensElement
from algatt.symmetry import ProductElement as ProductElement
from algatt.symmetry import Rescaling as Rescaling
from algatt.symmetry import ScoreRescaling as ScoreRescaling
from algatt.symmetry import SwapElement as SwapElement
from algatt.symmetry import Symmetry as Symmetry
from algatt.symmetry import TranslationElement as TranslationElement
from algatt.symmetry import Unreached as Unreached
from algatt.symmetry import UnreachedElement as UnreachedElement
from algatt.symmetry import UnreachedMatrixElement as UnreachedMatrixElement
from algatt.symmetry import Unread as Unread
from algatt.symmetry import UnreadElement as UnreadElement
from algatt.symmetry import UnreadValuesElement as UnreadValuesElement
from algatt.symmetry import UnseenScores as UnseenScores
from algatt.symmetry import UnseenScoresElement as UnseenScoresElement
from algatt.symmetry import act as act
from algatt.symmetry import compose as compose
from algatt.symmetry import exponential as exponential
from algatt.symmetry import identity as identity
from algatt.symmetry import orbit_dimension as orbit_dimension
from algatt.symmetry import symmetries as symmetries
from algatt.symmetry.named.old_elements import InterlayerElement as InterlayerElement
from algatt.symmetry.named.old_elements import KeyQueryElement as KeyQueryElement
from algatt.symmetry.named.old_elements import RescalingElement as RescalingElement
from algatt.symmetry.named.old_elements import ScoreRescalingElement as ScoreRescalingElement
from algatt.trees import Factor as Factor
from algatt.trees import Monomial as Monomial
from algatt.trees import cancelling_pairs as cancelling_pairs
from algatt.trees import factors as factors
from algatt.trees import monomial as monomial
from algatt.trees import reflect as reflect
from algatt.trees import unroll as unroll
from algatt.version import __version__
from algatt.views import draw as draw
from algatt.views import plot_spectrum as plot_spectrum

__all__ = [
    "AlgattError",
    "AttentionMatrix",
    "Balls",
    "Elementary",
    "Lightning",
    "Network",
    "Normalized",
    "PrimeField",
    "Reals",
    "Softmax",
    "VirtualWeights",
    "Weights",
    "__version__",
    "act",
    "canonical",
    "certify",
    "convert",
    "coordinates",
    "degree",
    "dimension",
    "draw",
    "evaluate",
    "expected_dimension",
    "expression",
    "factors",
    "fiber",
    "fit_formula",
    "flatten",
    "identify",
    "is_boundary",
    "is_singular",
    "jacobian",
    "jacobian_spectrum",
    "kernel",
    "load",
    "methods",
    "parametrization",
    "rank",
    "reflect",
    "same_function",
    "sample",
    "sample_inputs",
    "sweep",
    "symmetries",
    "unexplained_kernel",
    "unflatten",
    "unroll",
    "verify",
]
