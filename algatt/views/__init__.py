"""Everything that is printed or drawn."""

from algatt.views import flows, notebook, spectra, trees

__all__ = ["flows", "notebook", "spectra", "trees"]
