"""Symmetries of networks: their pictures, their pages and their files."""

from algatt.views.symmetries.figures import drawing, svg

__all__ = ["drawing", "svg"]
