"""Exact questions about attention: how many functions an architecture expresses, and which weights are the same function.

Nouns are small frozen values (fields, architectures, parameters, symmetries); verbs are generic functions that choose their method by
the types of their arguments. ``algatt.methods(verb)`` lists the methods of a verb.
"""

from algatt import architectures, certificates, fields, geometry, linalg, maps, parameters, symmetry
from algatt.architectures import Architecture, Lightning
from algatt.certificates import Certificate, VerificationReport
from algatt.dispatch import Verb, check, methods
from algatt.errors import (
    AlgattError,
    AmbiguousMethodError,
    CertificateError,
    DuplicateMethodError,
    InvalidArgument,
    MethodError,
    OutputError,
    RankUndecided,
    SingularMatrix,
    SymmetryError,
)
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.geometry import DimensionReport, Formula
from algatt.linalg import Auto, Blas, Flint, Galois, RankVerdict, RowSpace
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights, load
from algatt.symmetry import GroupElement, Interlayer, InterlayerElement, KeyQuery, KeyQueryElement, Rescaling, RescalingElement, Symmetry
from algatt.verbs import (
    act,
    certify,
    convert,
    degree,
    dimension,
    evaluate,
    expected_dimension,
    flatten,
    formulas,
    inverse,
    jacobian,
    kernel,
    parametrization,
    rank,
    sample,
    sample_inputs,
    symmetries,
    unflatten,
    verify,
)
from algatt.version import __version__

__all__ = [
    "AlgattError",
    "AmbiguousMethodError",
    "Architecture",
    "AttentionMatrix",
    "Auto",
    "Blas",
    "Certificate",
    "CertificateError",
    "DimensionReport",
    "DuplicateMethodError",
    "Elements",
    "Field",
    "Flint",
    "Formula",
    "Galois",
    "GroupElement",
    "Interlayer",
    "InterlayerElement",
    "InvalidArgument",
    "KeyQuery",
    "KeyQueryElement",
    "Lightning",
    "MethodError",
    "OutputError",
    "Parameters",
    "PrimeField",
    "RankUndecided",
    "RankVerdict",
    "Reals",
    "Rescaling",
    "RescalingElement",
    "RowSpace",
    "SingularMatrix",
    "Symmetry",
    "SymmetryError",
    "Verb",
    "VerificationReport",
    "VirtualWeights",
    "Weights",
    "__version__",
    "act",
    "certify",
    "check",
    "convert",
    "degree",
    "dimension",
    "evaluate",
    "expected_dimension",
    "flatten",
    "formulas",
    "inverse",
    "jacobian",
    "kernel",
    "load",
    "methods",
    "parametrization",
    "rank",
    "sample",
    "sample_inputs",
    "symmetries",
    "unflatten",
    "verify",
]
