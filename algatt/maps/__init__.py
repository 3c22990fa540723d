"""Maps between parameters, functions and values."""

from algatt.maps import degree, gradient, jacobian, program, program_graph, quotients
from algatt.maps.existence import Existence
from algatt.maps.parametrization import NetworkFunction, Parametrization

__all__ = ["Existence", "NetworkFunction", "Parametrization", "degree", "gradient", "jacobian", "program", "program_graph", "quotients"]
