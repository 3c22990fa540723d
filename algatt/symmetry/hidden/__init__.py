"""Symmetries that a network has because of narrow widths and ranks, or of few tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.hidden.directions import UnseenDirections as UnseenDirections
    from algatt.symmetry.hidden.directions import UnseenDirectionsElement as UnseenDirectionsElement
    from algatt.symmetry.hidden.quadratic import QuadraticForm as QuadraticForm
    from algatt.symmetry.hidden.quadratic import QuadraticFormElement as QuadraticFormElement

on_demand(
    __name__,
    {
        "algatt.symmetry.hidden.directions": "UnseenDirections UnseenDirectionsElement",
        "algatt.symmetry.hidden.quadratic": "QuadraticForm QuadraticFormElement",
    },
)
