"""Everything that is printed or drawn."""

from algatt.verbs import draw, summarize
from algatt.views import flows, network_files, networks, notebook, spectra, summaries, symmetries, symmetry_files, trees
from algatt.views.spectrum import plot_spectrum

__all__ = [
    "draw",
    "flows",
    "network_files",
    "networks",
    "notebook",
    "plot_spectrum",
    "spectra",
    "summaries",
    "summarize",
    "symmetries",
    "symmetry_files",
    "trees",
]
