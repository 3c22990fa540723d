"""Everything that is printed or drawn."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.verbs import draw as draw
    from algatt.views.flows import diagrams as flow_diagrams
    from algatt.views.flows import files as flow_files
    from algatt.views.networks import files as network_files
    from algatt.views.parameter_bars import plot_parameters as plot_parameters
    from algatt.views.programs import files as program_files
    from algatt.views.spectrum import plot_spectrum as plot_spectrum
    from algatt.views.symmetries import files as symmetry_files
    from algatt.views.trees import files as tree_files

    __all__ = [
        "draw",
        "flow_diagrams",
        "flow_files",
        "network_files",
        "plot_parameters",
        "plot_spectrum",
        "program_files",
        "summarize",
        "symmetry_files",
        "tree_files",
    ]

on_demand(__name__)
