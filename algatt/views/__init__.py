"""Everything that is printed or drawn."""

from algatt.views import notebook, trees

__all__ = ["notebook", "trees"]
from algatt.views import spectra, trees

__all__ = ["spectra", "trees"]
