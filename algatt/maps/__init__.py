"""Maps between parameters, functions and values."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.architectures.network import degree as degree
    from algatt.architectures.network import program as program
    from algatt.maps.existence import Existence as Existence
    from algatt.maps.gradient import gradients as gradients
    from algatt.maps.gradient import pull_back as pull_back
    from algatt.maps.parametrization import NetworkFunction as NetworkFunction
    from algatt.maps.parametrization import Parametrization as Parametrization
    from algatt.maps.parametrization import parametrization as parametrization
    from algatt.verbs import evaluate as evaluate
    from algatt.verbs import has_function as has_function
    from algatt.verbs import jacobian as jacobian
    from algatt.verbs import program_graph as program_graph

on_demand(__name__)
