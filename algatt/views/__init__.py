"""Everything that is printed or drawn."""

from algatt.views import flows, networks, notebook, spectra, summaries, trees

__all__ = ["flows", "networks", "notebook", "spectra", "summaries", "trees"]
