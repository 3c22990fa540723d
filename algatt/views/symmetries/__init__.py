"""Symmetries of networks: their pictures, their pages and their files."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.symmetries.figures import svg as svg

on_demand(__name__)
