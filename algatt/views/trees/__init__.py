"""Graphs of the recursion: their pictures, their pages and their files."""

from algatt.views.trees.figures import drawing, svg

__all__ = ["drawing", "svg"]
