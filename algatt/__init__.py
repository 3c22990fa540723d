"""Exact questions about attention: how many functions an architecture expresses, and which weights are the same
function.

Nouns are small frozen values (fields, architectures, parameters, symmetries); verbs are generic functions that choose
their method by the types of their arguments. ``algatt.methods(verb)`` lists the methods of a verb. What is used every
day is here; the rest is in its subject, such as ``algatt.symmetry`` or ``algatt.layers``, with the verbs to which
extensions add methods.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt import architectures as architectures
    from algatt import arguments as arguments
    from algatt import certificates as certificates
    from algatt import checkpoints as checkpoints
    from algatt import dispatch as dispatch
    from algatt import display as display
    from algatt import dynamics as dynamics
    from algatt import errors as errors
    from algatt import exports as exports
    from algatt import fields as fields
    from algatt import files as files
    from algatt import frontends as frontends
    from algatt import geometry as geometry
    from algatt import layers as layers
    from algatt import linalg as linalg
    from algatt import loading as loading
    from algatt import maps as maps
    from algatt import memory as memory
    from algatt import parameters as parameters
    from algatt import plain as plain
    from algatt import programs as programs
    from algatt import published as published
    from algatt import randomness as randomness
    from algatt import schedulers as schedulers
    from algatt import sources as sources
    from algatt import spectra as spectra
    from algatt import sweeps as sweeps
    from algatt import symmetry as symmetry
    from algatt import testing as testing
    from algatt import trees as trees
    from algatt import verbs as verbs
    from algatt import version as version
    from algatt import views as views
    from algatt.architectures import Lightning as Lightning
    from algatt.architectures import Network as Network
    from algatt.architectures import Normalized as Normalized
    from algatt.architectures import Softmax as Softmax
    from algatt.architectures import expression as expression
    from algatt.architectures import sample_inputs as sample_inputs
    from algatt.architectures import unflatten as unflatten
    from algatt.certificates import certify as certify
    from algatt.certificates import verify as verify
    from algatt.checkpoints import align as align
    from algatt.checkpoints import compare as compare
    from algatt.dispatch import methods as methods
    from algatt.errors import AlgattError as AlgattError
    from algatt.exports import export as export
    from algatt.fields import Balls as Balls
    from algatt.fields import Elementary as Elementary
    from algatt.fields import PrimeField as PrimeField
    from algatt.fields import Reals as Reals
    from algatt.frontends import from_jax as from_jax
    from algatt.frontends import from_onnx as from_onnx
    from algatt.frontends import from_torch as from_torch
    from algatt.frontends import load_into as load_into
    from algatt.frontends import weights_of as weights_of
    from algatt.geometry import canonical as canonical
    from algatt.geometry import coefficients as coefficients
    from algatt.geometry import conservation_laws as conservation_laws
    from algatt.geometry import degree_of_closure as degree_of_closure
    from algatt.geometry import dimension as dimension
    from algatt.geometry import equations as equations
    from algatt.geometry import expected_dimension as expected_dimension
    from algatt.geometry import extremal as extremal
    from algatt.geometry import fiber as fiber
    from algatt.geometry import hilbert_function as hilbert_function
    from algatt.geometry import identify as identify
    from algatt.geometry import is_boundary as is_boundary
    from algatt.geometry import is_singular as is_singular
    from algatt.geometry import jacobian_spectrum as jacobian_spectrum
    from algatt.geometry import learning_coefficient as learning_coefficient
    from algatt.geometry import same_function as same_function
    from algatt.geometry import span as span
    from algatt.geometry import unexplained_kernel as unexplained_kernel
    from algatt.linalg import kernel as kernel
    from algatt.linalg import rank as rank
    from algatt.maps import degree as degree
    from algatt.maps import evaluate as evaluate
    from algatt.maps import jacobian as jacobian
    from algatt.maps import parametrization as parametrization
    from algatt.parameters import AttentionMatrix as AttentionMatrix
    from algatt.parameters import VirtualWeights as VirtualWeights
    from algatt.parameters import Weights as Weights
    from algatt.parameters import convert as convert
    from algatt.parameters import coordinates as coordinates
    from algatt.parameters import flatten as flatten
    from algatt.parameters import sample as sample
    from algatt.sources import load as load
    from algatt.sweeps import fit_formula as fit_formula
    from algatt.sweeps import sweep as sweep
    from algatt.symmetry import act as act
    from algatt.symmetry import symmetries as symmetries
    from algatt.trees import factors as factors
    from algatt.trees import reflect as reflect
    from algatt.trees import unroll as unroll
    from algatt.version import __version__ as __version__
    from algatt.views import draw as draw

on_demand(__name__)
