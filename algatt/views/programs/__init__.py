"""Programs of networks: their pictures and their files."""

from algatt.views.programs.figures import drawing, svg

__all__ = ["drawing", "svg"]
