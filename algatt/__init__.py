"""Exact questions about attention: how many functions an architecture expresses, and which weights are the same
function.

Nouns are small frozen values (fields, architectures, parameters, symmetries); verbs are generic functions that choose
their method by the types of their arguments. ``algatt.methods(verb)`` lists the methods of a verb. What is used every
day is here; the rest is in its subject, such as ``algatt.symmetry`` or ``algatt.layers``, with the verbs to which
extensions add methods.
"""

from __future__ import annotations

import importlib
import sys

from algatt.version import __version__ as __version__

MODULES = (
    "architectures",
    "arguments",
    "certificates",
    "checkpoints",
    "dispatch",
    "display",
    "dynamics",
    "errors",
    "fields",
    "files",
    "geometry",
    "layers",
    "linalg",
    "loading",
    "maps",
    "memory",
    "parameters",
    "plain",
    "precision",
    "programs",
    "published",
    "randomness",
    "schedulers",
    "spectra",
    "sweeps",
    "symmetry",
    "testing",
    "trees",
    "verbs",
    "version",
    "views",
)
"""What is reached as ``algatt.geometry`` is, without an import of its own."""

NAMES = {
    "architectures": (
        "Lightning",
        "Network",
        "Normalized",
        "Softmax",
        "expression",
    ),
    "certificates": (
        "certify",
        "verify",
    ),
    "dispatch": ("methods",),
    "errors": ("AlgattError",),
    "fields": (
        "Balls",
        "Elementary",
        "PrimeField",
        "Reals",
    ),
    "geometry": (
        "canonical",
        "dimension",
        "expected_dimension",
        "fiber",
        "identify",
        "is_boundary",
        "is_singular",
        "jacobian_spectrum",
        "same_function",
        "unexplained_kernel",
    ),
    "linalg": (
        "kernel",
        "rank",
    ),
    "maps": (
        "degree",
        "evaluate",
        "jacobian",
        "parametrization",
    ),
    "parameters": (
        "AttentionMatrix",
        "VirtualWeights",
        "Weights",
        "convert",
        "coordinates",
        "flatten",
        "load",
        "sample",
        "sample_inputs",
        "unflatten",
    ),
    "sweeps": (
        "fit_formula",
        "sweep",
    ),
    "symmetry": (
        "act",
        "symmetries",
    ),
    "trees": (
        "factors",
        "reflect",
        "unroll",
    ),
    "views": ("draw",),
}
"""The names for everyday use, each below its subject, which has more."""

HOMES = {name: subject for subject, names in NAMES.items() for name in names}
"""The subjects of the public names."""

__all__ = sorted([*HOMES, "__version__"])


def __getattr__(name: str) -> object:
    """Import a name when it is first used: importing them all takes several times as long as importing numpy."""
    if name in MODULES:
        return importlib.import_module(f"algatt.{name}")
    if name in HOMES:
        value = getattr(importlib.import_module(f"algatt.{HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'algatt' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES, *MODULES})
