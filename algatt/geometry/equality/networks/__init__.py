"""The element of the group of a network that carries one point to another, and normal forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.equality.networks.element import element_between as element_between

on_demand(
    __name__,
    {
        "algatt.geometry.equality.networks.element": "element_between",
    },
)
