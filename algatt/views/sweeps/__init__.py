"""Sweeps: pictures of their answers; their tables are in `tables`, which takes longer to import."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.sweeps.files import picture as picture
    from algatt.views.sweeps.pictures import plot_answers as plot_answers
    from algatt.views.sweeps.pictures import plot_heat_map as plot_heat_map

on_demand(__name__)
