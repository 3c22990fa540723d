"""Degrees of closures of neuromanifolds, and generic fibres as numbers."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.degrees.degree import ClosureDegree as ClosureDegree
    from algatt.geometry.degrees.degree import degree_of_closure as degree_of_closure
    from algatt.geometry.degrees.fibers import FiberComponents as FiberComponents
    from algatt.geometry.degrees.fibers import fiber_components as fiber_components

on_demand(__name__)
