"""Names that were in ``algatt`` itself until version 0.2 and are in a subject now, and names for what other nouns say
too; for this version both work.
"""

from __future__ import annotations

import importlib
import sys
import warnings

__all__ = ["HOMES_OF_REPLACED", "MOVED", "REPLACED", "old_value"]

NAMES = {
    "architectures": (
        "Architecture",
        "AttentionNetwork",
    ),
    "certificates": (
        "Certificate",
        "VerificationReport",
    ),
    "dispatch": (
        "Verb",
        "check",
    ),
    "dynamics": (
        "EquiangularFlow",
        "FlatFlow",
        "MatrixHead",
        "ProjectorHead",
        "ScalarHead",
        "SphereFlow",
        "Trajectory",
        "energy",
        "energy_gradient",
        "energy_rate",
        "entropy",
        "entropy_rate",
        "head_outputs",
        "integrate",
        "radial_dominance",
        "radial_shadow",
        "resume",
        "velocity",
    ),
    "errors": (
        "AmbiguousMethodError",
        "CertificateError",
        "DivisionByZero",
        "DuplicateMethodError",
        "EquivalenceUndecided",
        "IntegrationFailed",
        "InvalidArgument",
        "MethodError",
        "MissingExtra",
        "NoSolution",
        "NotEnoughMemory",
        "OutputError",
        "RankUndecided",
        "ScoreOverflow",
        "SingularMatrix",
        "SymmetryError",
        "UndefinedFunction",
    ),
    "fields": (
        "Elements",
        "Field",
    ),
    "geometry": (
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
        "fiber_dimensions",
        "formulas",
        "is_critical",
        "normal_form_map",
        "quadratic_forms",
        "singular_distance",
        "tangent_space",
    ),
    "layers": (
        "Affine",
        "Exponential",
        "Power",
        "Rational",
        "Score",
        "activate",
        "attention_weights",
    ),
    "linalg": (
        "Auto",
        "Blas",
        "Flint",
        "Galois",
        "RankLowerBound",
        "RankVerdict",
        "RowSpace",
        "determinant",
        "echelon",
        "inverse",
        "is_invertible",
        "solve",
    ),
    "maps": (
        "Existence",
        "has_function",
    ),
    "parameters": ("Parameters",),
    "spectra": (
        "AttentionEnsemble",
        "AttentionLaw",
        "EntrywiseEnsemble",
        "ExponentialEnsemble",
        "FiniteSizeWarning",
        "FussCatalan",
        "Law",
        "LinearEnsemble",
        "LinearLaw",
        "LinearPolynomialEnsemble",
        "MarchenkoPastur",
        "PolynomialEnsemble",
        "SpectrumReport",
        "attention_matrix",
        "cdf",
        "density",
        "edge",
        "free_cumulants",
        "kolmogorov_distance",
        "limit_law",
        "moments",
        "quantile",
        "sample_matrix",
        "squared_singular_values",
        "stieltjes",
        "support",
        "wasserstein_distance",
    ),
    "symmetry": (
        "GroupElement",
        "Interlayer",
        "KeyQuery",
        "LinearElement",
        "ParallelTokens",
        "ParallelTokensElement",
        "ProductElement",
        "Rescaling",
        "ScoreRescaling",
        "SwapElement",
        "Symmetry",
        "TranslationElement",
        "Unreached",
        "UnreachedElement",
        "UnreachedMatrixElement",
        "Unread",
        "UnreadElement",
        "UnreadValuesElement",
        "UnseenScores",
        "UnseenScoresElement",
        "compose",
        "exponential",
        "identity",
        "orbit_dimension",
    ),
    "trees": (
        "Factor",
        "Monomial",
        "cancelling_pairs",
        "monomial",
    ),
    "views": ("plot_spectrum",),
}
"""The names, each below its subject."""

MOVED = {name: f"algatt.{subject}" for subject, names in NAMES.items() for name in names}
"""The subjects of the names."""

EXPONENTIALS, RECTIFIED, SOFTMAX = (
    "algatt.layers.Unnormalized(algatt.layers.Exponential())",
    "algatt.layers.Unnormalized(algatt.layers.ReLU())",
    "algatt.layers.Exponential()",
)
"""What weights of flows are now, which are the scores of networks."""

WEIGHTS = {
    "algatt.ExponentialWeights": EXPONENTIALS,
    "algatt.ReLUWeights": RECTIFIED,
    "algatt.SoftmaxWeights": SOFTMAX,
    "algatt.dynamics.AttentionWeights": "the base class algatt.layers.Activation",
    "algatt.dynamics.ExponentialWeights": EXPONENTIALS,
    "algatt.dynamics.ReLUWeights": RECTIFIED,
    "algatt.dynamics.SoftmaxWeights": SOFTMAX,
}
"""The weights of flows, which are the scores of networks."""

ELEMENTS = {
    f"{module}.{family}Element": f"an element of algatt.symmetry.{family}(arch), made by of(matrices),"
    for module in ("algatt", "algatt.symmetry")
    for family in ("Interlayer", "KeyQuery", "Rescaling", "ScoreRescaling")
}
"""The elements of families of spaces, which are all of one class."""

REPLACED = WEIGHTS | ELEMENTS
"""The names for what other nouns say too, and what says it."""

HOMES_OF_REPLACED = dict.fromkeys(WEIGHTS, "algatt.dynamics.attention") | dict.fromkeys(
    ELEMENTS, "algatt.symmetry.named.old_elements"
)
"""The modules that have what the replaced names stand for, without a warning."""


def old_value(module: str, name: str) -> object:
    """Return what had a name in a module until version 0.2, and warn at the line that asks the module for it.

    Raises
    ------
    AttributeError
        If nothing had.
    """
    full = f"{module}.{name}"
    if full in REPLACED:
        home, now = HOMES_OF_REPLACED[full], REPLACED[full]
    elif module == "algatt" and name in MOVED:
        home, now = MOVED[name], f"{MOVED[name]}.{name}"
    else:
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=sys.modules[module])
    warnings.warn(f"{full} is {now} now; the old name goes in version 0.4", DeprecationWarning, stacklevel=3)
    return getattr(importlib.import_module(home), name)
