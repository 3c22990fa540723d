"""Sweeps: tables of their answers, and pictures."""

from algatt.views.sweeps.files import PICTURES, picture
from algatt.views.sweeps.pictures import plot_answers, plot_heat_map
from algatt.views.sweeps.tables import (
    FORMATS,
    print_answers,
    print_failures,
    print_sweep,
    print_versions,
    records_of_answers,
    records_of_versions,
    table_of,
)

__all__ = [
    "FORMATS",
    "PICTURES",
    "picture",
    "plot_answers",
    "plot_heat_map",
    "print_answers",
    "print_failures",
    "print_sweep",
    "print_versions",
    "records_of_answers",
    "records_of_versions",
    "table_of",
]
