"""Everything that is printed or drawn."""

from algatt.loading import load_below

load_below(__name__)

from algatt.verbs import draw, summarize
from algatt.views import flows, networks, notebook, programs, spectra, summaries, sweeps, symmetries, trees
from algatt.views.flows import diagrams as flow_diagrams
from algatt.views.flows import files as flow_files
from algatt.views.networks import files as network_files
from algatt.views.parameter_bars import plot_parameters
from algatt.views.programs import files as program_files
from algatt.views.spectrum import plot_spectrum
from algatt.views.symmetries import files as symmetry_files
from algatt.views.trees import files as tree_files

__all__ = [
    "draw",
    "flow_diagrams",
    "flow_files",
    "flows",
    "network_files",
    "networks",
    "notebook",
    "plot_parameters",
    "plot_spectrum",
    "program_files",
    "programs",
    "spectra",
    "summaries",
    "summarize",
    "sweeps",
    "symmetries",
    "symmetry_files",
    "tree_files",
    "trees",
]
