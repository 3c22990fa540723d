"""Programs of networks: their pictures and their files."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.programs.figures import svg as svg

on_demand(__name__)
