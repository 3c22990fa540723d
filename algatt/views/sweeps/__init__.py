"""Sweeps: pictures of their answers; their tables are in `tables`, which takes longer to import."""

from algatt.views.sweeps.files import PICTURES, picture
from algatt.views.sweeps.pictures import plot_answers, plot_heat_map

__all__ = ["PICTURES", "picture", "plot_answers", "plot_heat_map"]
