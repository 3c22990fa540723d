"""Maps between parameters, functions and values."""

from algatt.maps import degree, gradient, jacobian, program, quotients
from algatt.maps.parametrization import NetworkFunction, Parametrization

__all__ = ["NetworkFunction", "Parametrization", "degree", "gradient", "jacobian", "program", "quotients"]
