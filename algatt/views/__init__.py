"""Everything that is printed or drawn."""

from algatt.views import spectra, trees

__all__ = ["spectra", "trees"]
