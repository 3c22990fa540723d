"""The point of an orbit that is nearest to a given point, over the reals."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.alignment.alignment import Alignment as Alignment
    from algatt.geometry.alignment.points import align_points as align_points

on_demand(__name__)
