"""Everything that is printed or drawn."""

from algatt.views import notebook, spectra, trees

__all__ = ["notebook", "spectra", "trees"]
