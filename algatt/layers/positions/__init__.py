"""Position encodings: how attention sees where tokens are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.positions.alibi import ALiBi as ALiBi
    from algatt.layers.positions.base import Position as Position
    from algatt.layers.positions.relative import RelativeBias as RelativeBias
    from algatt.layers.positions.rotary import Rotary as Rotary

on_demand(
    __name__,
    {
        "algatt.layers.positions.alibi": "ALiBi",
        "algatt.layers.positions.base": "Position",
        "algatt.layers.positions.relative": "RelativeBias",
        "algatt.layers.positions.rotary": "Rotary",
    },
)
