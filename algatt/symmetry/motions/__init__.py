"""Symmetries by motions: one calculus for all linear, affine and chained ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.motions.network import motion_tangents as motion_tangents
    from algatt.symmetry.motions.network import motions_bound as motions_bound
    from algatt.symmetry.motions.shift import Shift as Shift
    from algatt.symmetry.motions.shifts import find_shifts as find_shifts
    from algatt.symmetry.motions.solutions import MotionSolutions as MotionSolutions
    from algatt.symmetry.motions.solving import solve_motions as solve_motions

on_demand(
    __name__,
    {
        "algatt.symmetry.motions.network": "motion_tangents motions_bound",
        "algatt.symmetry.motions.shift": "Shift",
        "algatt.symmetry.motions.shifts": "find_shifts",
        "algatt.symmetry.motions.solutions": "MotionSolutions",
        "algatt.symmetry.motions.solving": "solve_motions",
    },
)
