"""Graphs of the recursion: their pictures, their pages and their files."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.trees.figures import drawing as drawing
    from algatt.views.trees.figures import svg as svg

on_demand(__name__)
