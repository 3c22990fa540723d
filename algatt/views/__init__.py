"""Everything that is printed or drawn."""

from algatt.views import flows, trees

__all__ = ["flows", "trees"]
