"""Everything that is printed or drawn."""

from algatt.views import flows, notebook, spectra, summaries, trees

__all__ = ["flows", "notebook", "spectra", "summaries", "trees"]
