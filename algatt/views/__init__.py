"""Everything that is printed or drawn."""

from algatt.views import flows, network_files, networks, notebook, spectra, summaries, trees

__all__ = ["flows", "network_files", "networks", "notebook", "spectra", "summaries", "trees"]
