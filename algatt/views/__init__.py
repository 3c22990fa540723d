"""Everything that is printed or drawn."""

from algatt.views import trees

__all__ = ["trees"]
