"""Maps between parameters, functions and values."""

from algatt.loading import load_below

load_below(__name__)

from algatt.maps import degree, gradient, jacobian, program, program_graph, quotients
from algatt.maps.existence import Existence
from algatt.maps.parametrization import NetworkFunction, Parametrization
from algatt.verbs import (
    degree,
    evaluate,
    gradients,
    has_function,
    jacobian,
    parametrization,
    program,
    program_graph,
    pull_back,
)

__all__ = [
    "Existence",
    "NetworkFunction",
    "Parametrization",
    "degree",
    "evaluate",
    "gradient",
    "gradients",
    "has_function",
    "jacobian",
    "parametrization",
    "program",
    "program_graph",
    "pull_back",
    "quotients",
]
