"""Maps between parameters, functions and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.maps.existence import Existence as Existence
    from algatt.maps.parametrization import NetworkFunction as NetworkFunction
    from algatt.maps.parametrization import Parametrization as Parametrization
    from algatt.verbs import degree as degree
    from algatt.verbs import evaluate as evaluate
    from algatt.verbs import gradients as gradients
    from algatt.verbs import has_function as has_function
    from algatt.verbs import jacobian as jacobian
    from algatt.verbs import parametrization as parametrization
    from algatt.verbs import program as program
    from algatt.verbs import program_graph as program_graph
    from algatt.verbs import pull_back as pull_back

on_demand(
    __name__,
    {
        "algatt.maps.existence": "Existence",
        "algatt.maps.parametrization": "NetworkFunction Parametrization",
        "algatt.verbs": (
            "degree evaluate gradients has_function jacobian parametrization program program_graph pull_back"
        ),
    },
)
