"""Families of spaces with names of their own, as HMK give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.named.place import Move as Move
    from algatt.symmetry.named.place import Place as Place
    from algatt.symmetry.named.spaces import NamedSpaces as NamedSpaces

on_demand(
    __name__,
    {
        "algatt.symmetry.named.place": "Move Place",
        "algatt.symmetry.named.spaces": "NamedSpaces",
    },
)
